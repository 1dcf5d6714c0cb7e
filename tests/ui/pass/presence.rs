//! What a build leaves out is in no table: `b23_cfg_and_generics`.

#![forbid(unsafe_code)]
#![deny(warnings)]

use nodecast::prelude::*;

#[nodeset(nodes(
    First,
    #[cfg(true)]
    Here,
    #[cfg(any())]
    Gone,
    #[cfg(any())]
    Here,
    Last
))]
#[derive(Default)]
struct Machine;

#[node]
struct First {
    #[cfg(true)]
    path: String,
    #[cfg(any())]
    path: Nothing,
    #[cfg(false)]
    #[port(name = "path")]
    other: Nothing,
    #[cfg(any())]
    #[config(slider(min = 0, max = 1), default = 1)]
    gone: Nothing,
    #[cfg_attr(all(), allow(dead_code))]
    plain: u8,
}

/// All of its fields are left out.
#[node]
struct Here {
    #[cfg(any())]
    gone: Nothing,
}

#[cfg(any())]
#[node]
struct Gone {
    what: Nothing,
}

#[node]
#[cfg(true)]
struct Last;

#[derive(Outputs)]
struct Found {
    #[cfg(any())]
    gone: Nothing,
    #[cfg(true)]
    #[port(title = "Path")]
    path: String,
    #[cfg(any())]
    #[port(name = "path")]
    other: Nothing,
}

impl Node<Machine> for First {
    type Output = Found;
    type Error = Error;

    async fn run(self, _: &Machine, _: &Context) -> Result<Found, Error> {
        Ok(Found { path: self.path })
    }
}

impl Node<Machine> for Here {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Machine, _: &Context) -> Result<(), Error> {
        Ok(())
    }
}

impl Node<Machine> for Last {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Machine, _: &Context) -> Result<(), Error> {
        Ok(())
    }
}

#[test]
fn b23_what_a_build_leaves_out_is_in_no_table() {
    let rows = <Machine as nodecast::Nodeset>::TABLE.rows;
    let nodes: Vec<&str> = rows.iter().map(|row| row.decl.name).collect();
    assert_eq!(nodes, ["first", "here", "last"]);
    let fields: Vec<&str> = rows[0].decl.fields.iter().map(|field| field.name).collect();
    assert_eq!(fields, ["path", "plain"]);
    assert!(rows[1].decl.fields.is_empty());
    let outputs: Vec<&str> = rows[0].outputs.iter().map(|field| field.name).collect();
    assert_eq!(outputs, ["path"]);
}
