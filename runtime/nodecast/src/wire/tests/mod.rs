//! Behaviour of the wire; expectations come from the specification, never from our own output.

mod arrays;
mod bounds;
mod forms;
mod golden;
mod json;
mod msgpack;
mod native;
mod pictures;

/// Bytes out of hexadecimal digits; what is not a digit separates.
fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
