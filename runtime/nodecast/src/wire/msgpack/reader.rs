//! Heads and payloads of msgpack out of a slice; a length is believed only as far as bytes follow.

use rmp::Marker;

use crate::wire::WireError;

/// What the next value is; containers say how many values follow, the others how many bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Head {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Text(usize),
    Bytes(usize),
    List(usize),
    Map(usize),
    Ext(i8, usize),
}

/// Reads a slice from front to back.
#[derive(Clone, Debug)]
pub(super) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'b [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(ends)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(ends)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn length<const N: usize>(&mut self) -> Result<usize, Malformed> {
        let bytes = self.number::<N>()?;
        let length = bytes.iter().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
        usize::try_from(length).map_err(|_| ends())
    }

    fn ext(&mut self, length: usize) -> Result<Head, Malformed> {
        let code = i8::from_be_bytes(self.number()?);
        Ok(Head::Ext(code, length))
    }

    /// The head of the next value.
    pub(super) fn head(&mut self) -> Result<Head, Malformed> {
        let [byte] = self.number()?;
        Ok(match Marker::from_u8(byte) {
            Marker::Null => Head::Null,
            Marker::False => Head::Bool(false),
            Marker::True => Head::Bool(true),
            Marker::FixPos(number) => Head::Unsigned(number.into()),
            Marker::FixNeg(number) => Head::Signed(number.into()),
            Marker::U8 => Head::Unsigned(u8::from_be_bytes(self.number()?).into()),
            Marker::U16 => Head::Unsigned(u16::from_be_bytes(self.number()?).into()),
            Marker::U32 => Head::Unsigned(u32::from_be_bytes(self.number()?).into()),
            Marker::U64 => Head::Unsigned(u64::from_be_bytes(self.number()?)),
            Marker::I8 => Head::Signed(i8::from_be_bytes(self.number()?).into()),
            Marker::I16 => Head::Signed(i16::from_be_bytes(self.number()?).into()),
            Marker::I32 => Head::Signed(i32::from_be_bytes(self.number()?).into()),
            Marker::I64 => Head::Signed(i64::from_be_bytes(self.number()?)),
            Marker::F32 => Head::Float(f32::from_be_bytes(self.number()?).into()),
            Marker::F64 => Head::Float(f64::from_be_bytes(self.number()?)),
            Marker::FixStr(length) => Head::Text(length.into()),
            Marker::Str8 => Head::Text(self.length::<1>()?),
            Marker::Str16 => Head::Text(self.length::<2>()?),
            Marker::Str32 => Head::Text(self.length::<4>()?),
            Marker::Bin8 => Head::Bytes(self.length::<1>()?),
            Marker::Bin16 => Head::Bytes(self.length::<2>()?),
            Marker::Bin32 => Head::Bytes(self.length::<4>()?),
            Marker::FixArray(length) => Head::List(length.into()),
            Marker::Array16 => Head::List(self.length::<2>()?),
            Marker::Array32 => Head::List(self.length::<4>()?),
            Marker::FixMap(length) => Head::Map(length.into()),
            Marker::Map16 => Head::Map(self.length::<2>()?),
            Marker::Map32 => Head::Map(self.length::<4>()?),
            Marker::FixExt1 => self.ext(1)?,
            Marker::FixExt2 => self.ext(2)?,
            Marker::FixExt4 => self.ext(4)?,
            Marker::FixExt8 => self.ext(8)?,
            Marker::FixExt16 => self.ext(16)?,
            Marker::Ext8 => {
                let length = self.length::<1>()?;
                self.ext(length)?
            }
            Marker::Ext16 => {
                let length = self.length::<2>()?;
                self.ext(length)?
            }
            Marker::Ext32 => {
                let length = self.length::<4>()?;
                self.ext(length)?
            }
            Marker::Reserved => {
                return Err(Malformed("it holds the byte 0xc1"));
            }
        })
    }
}

pub(super) fn ends() -> Malformed {
    Malformed("it ends within a value")
}

/// Why bytes are no msgpack. Small, since every value read is a `Result` with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Malformed(pub(super) &'static str);

impl Malformed {
    /// The same with the place of the value.
    pub(super) fn at(self, byte: usize) -> WireError {
        let Self(why) = self;
        WireError::malformed(format!("the body is not MessagePack: {why}; the value begins at byte {byte}"))
    }
}

impl From<Malformed> for WireError {
    fn from(Malformed(why): Malformed) -> Self {
        Self::malformed(format!("the body is not MessagePack: {why}"))
    }
}
