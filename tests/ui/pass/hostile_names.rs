//! Names around a declaration that are the same as those in generated code, and keywords as names.

#![forbid(unsafe_code)]
#![deny(warnings, unused_qualifications, unreachable_pub)]
#![allow(
    dead_code,
    non_snake_case,
    non_upper_case_globals,
    unused_macros,
    reason = "the names are here to be in the way"
)]

mod core {}
mod std {}
mod alloc {}
mod linkme {}
mod __rt {}

struct Option;
struct Result;
struct Args;
struct FieldDecl;
struct Send;
fn Some() {}
fn Ok() {}
const None: u8 = 0;
const NODESET: u8 = 0;

macro_rules! concat {
    ($($any:tt)*) => {
        compile_error!("the user's concat!")
    };
}
macro_rules! include_str {
    ($($any:tt)*) => {
        compile_error!("the user's include_str!")
    };
}
macro_rules! env {
    ($($any:tt)*) => {
        compile_error!("the user's env!")
    };
}

#[::nodecast::nodeset(parallelism = "replicated", nodes(r#Match, inner::Deep))]
#[derive(Default)]
struct Hostile;

#[::nodecast::node(raw_schema = "words.schema.json")]
struct r#Match {
    r#type: String,
    r#async: bool,
    args: u8,
    reply: u8,
    kind: u8,
    größe: f32,
    #[port(name = "$ref")]
    reference: String,
}

#[derive(::nodecast::Outputs)]
struct Echo {
    r#type: String,
    reply: u8,
    args: u8,
    total: f32,
}

impl ::nodecast::Node<Hostile> for r#Match {
    type Output = Echo;
    type Error = ::nodecast::Error;

    async fn run(self, _: &Hostile, _: &::nodecast::Context) -> ::std::result::Result<Echo, ::nodecast::Error> {
        let total = self.größe + f32::from(self.kind) + f32::from(u8::from(self.r#async));
        ::std::result::Result::Ok(Echo {
            r#type: self.r#type + &self.reference,
            reply: self.reply,
            args: self.args,
            total,
        })
    }
}

mod inner {
    // A declaration in a macro of the user's own.
    macro_rules! declare {
        ($name:ident, $field:ident: $ty:ty = $default:expr) => {
            #[nodecast::node(name = "deeper")]
            pub(crate) struct $name {
                #[config(default = $default)]
                $field: $ty,
            }
        };
    }

    declare!(Deep, depth: u8 = 3);

    impl nodecast::NodeMut<super::Hostile> for Deep {
        type Output = u8;
        type Error = nodecast::Error;

        async fn run(self, _: &mut super::Hostile, _: &nodecast::Context) -> Result<u8, nodecast::Error> {
            Ok(self.depth)
        }
    }
}

#[test]
fn names_lose_their_raw_prefix() {
    let rows = <Hostile as ::nodecast::Nodeset>::TABLE.rows;
    assert_eq!(rows[0].decl.name, "match");
    assert_eq!(rows[1].decl.name, "deeper");
    let names: Vec<&str> = rows[0].decl.fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["type", "async", "args", "reply", "kind", "größe", "$ref"]);
}
