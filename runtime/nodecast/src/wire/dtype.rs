//! The element types that an array may have on the wire; everything else is refused.

use std::fmt;

use super::WireError;

/// The element type of a [`Tensor`](super::Tensor).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum DType {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Complex64,
    Complex128,
}

impl DType {
    /// Every element type, in the order of the specification.
    pub const ALL: [Self; 14] = [
        Self::Bool,
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::UInt8,
        Self::UInt16,
        Self::UInt32,
        Self::UInt64,
        Self::Float16,
        Self::Float32,
        Self::Float64,
        Self::Complex64,
        Self::Complex128,
    ];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::UInt8 => "uint8",
            Self::UInt16 => "uint16",
            Self::UInt32 => "uint32",
            Self::UInt64 => "uint64",
            Self::Float16 => "float16",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
            Self::Complex64 => "complex64",
            Self::Complex128 => "complex128",
        }
    }

    /// Bytes of one element.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::Int8 | Self::UInt8 => 1,
            Self::Int16 | Self::UInt16 | Self::Float16 => 2,
            Self::Int32 | Self::UInt32 | Self::Float32 => 4,
            Self::Int64 | Self::UInt64 | Self::Float64 | Self::Complex64 => 8,
            Self::Complex128 => 16,
        }
    }

    /// Bytes that change places together when the byte order changes.
    const fn word(self) -> usize {
        match self {
            Self::Complex64 | Self::Complex128 => self.size() / 2,
            _ => self.size(),
        }
    }

    const fn short(self) -> &'static str {
        match self {
            Self::Bool => "b1",
            Self::Int8 => "i1",
            Self::Int16 => "i2",
            Self::Int32 => "i4",
            Self::Int64 => "i8",
            Self::UInt8 => "u1",
            Self::UInt16 => "u2",
            Self::UInt32 => "u4",
            Self::UInt64 => "u8",
            Self::Float16 => "f2",
            Self::Float32 => "f4",
            Self::Float64 => "f8",
            Self::Complex64 => "c8",
            Self::Complex128 => "c16",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An element type as it was named on the wire: the type, and whether its bytes lie the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) dtype: DType,
    big_endian: bool,
}

impl Named {
    /// Reads a long name, or a short form that carries its byte order.
    pub(crate) fn parse(name: &str) -> Result<Self, WireError> {
        let found = match name.split_at_checked(1) {
            Some((order @ ("<" | ">" | "=" | "|"), short)) => DType::ALL
                .into_iter()
                .find(|dtype| dtype.short() == short)
                // `|` says that order does not matter, which is so for single bytes alone.
                .filter(|dtype| order != "|" || dtype.size() == 1)
                .map(|dtype| Self { dtype, big_endian: order == ">" && dtype.word() > 1 }),
            _ => {
                DType::ALL.into_iter().find(|dtype| dtype.name() == name).map(|dtype| Self { dtype, big_endian: false })
            }
        };
        found.ok_or_else(|| {
            let names = DType::ALL.map(DType::name).join(", ");
            let shown: String = name.chars().take(32).collect();
            WireError::new(
                "dtype_not_allowed",
                format!("arrays of dtype `{shown}` are not carried; send one of {names}"),
            )
            .expecting(names)
        })
    }

    /// Whether the bytes have to be swapped before they can be used.
    pub(crate) const fn swapped(self) -> bool {
        self.big_endian
    }

    /// Puts big-endian bytes into little-endian order.
    pub(crate) fn swap(self, bytes: &mut [u8]) {
        for word in bytes.chunks_exact_mut(self.dtype.word()) {
            word.reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DType, Named};

    #[test]
    fn short_forms_need_an_order_mark() {
        assert_eq!(Named::parse("<f4").unwrap().dtype, DType::Float32);
        assert!(!Named::parse("=i8").unwrap().swapped());
        assert!(Named::parse(">f4").unwrap().swapped());
        assert!(!Named::parse(">u1").unwrap().swapped());
        assert_eq!(Named::parse("|b1").unwrap().dtype, DType::Bool);
        for name in ["f4", "|f4", "O", "object", "<U2", "S5", "V8", "datetime64[ns]", "bfloat16", "", "é", "V1000000"]
        {
            assert_eq!(Named::parse(name).unwrap_err().kind, "dtype_not_allowed", "{name}");
        }
    }

    #[test]
    fn parts_of_complex_numbers_swap_one_by_one() {
        let mut bytes = [0x3f, 0x80, 0, 0, 0x40, 0, 0, 0];
        Named::parse(">c8").unwrap().swap(&mut bytes);
        assert_eq!(bytes, [0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
    }
}
