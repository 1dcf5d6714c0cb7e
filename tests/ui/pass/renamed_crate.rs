//! The crate under another path, in every macro.

#![forbid(unsafe_code)]
#![deny(warnings, unused_qualifications, unreachable_pub)]

mod vendored {
    pub(crate) use nodecast as cast;
}

use vendored::cast;

#[cast::nodeset(crate = "crate::vendored::cast", nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[cast::node(crate = "cast")]
struct Hello {
    who: String,
}

#[derive(cast::Outputs)]
#[outputs(crate = "vendored::cast")]
struct Greeting {
    text: String,
}

#[derive(Debug, thiserror::Error, cast::NodeError)]
#[node_error(crate = "vendored::cast", name = "nobody_there")]
#[error("nobody is there")]
struct Nobody;

impl cast::BlockingNode<Greeter> for Hello {
    type Output = Greeting;
    type Error = Nobody;

    fn run(self, _: &Greeter, _: &cast::Context) -> Result<Greeting, Nobody> {
        if self.who.is_empty() { Err(Nobody) } else { Ok(Greeting { text: self.who }) }
    }
}

#[test]
fn is_declared() {
    assert_eq!(<Greeter as cast::Nodeset>::TABLE.rows[0].errors[0].name, "nobody_there");
}
