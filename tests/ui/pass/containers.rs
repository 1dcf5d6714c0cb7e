//! A container among names of the prelude's own, without that prelude.

#![no_implicit_prelude]
#![deny(warnings)]
#![allow(missing_docs, unreachable_pub, dead_code, reason = "it is what it is called that is tested")]

mod container {
    pub type Option = ();
    pub type Result = ();
    pub type String = ();
    pub struct States;
    pub trait Container {}

    /// Remembers.
    #[derive(::nodecast::Container)]
    #[container(id = "mem", crate = "::nodecast")]
    pub struct Memory {
        /// The mood.
        #[state(initial = "calm", lifetime = "custom", reset_on("moved"), value_type = "TEXT")]
        pub r#type: ::nodecast::LastWrite<::std::string::String>,
        #[cfg(any())]
        pub gone: ::nodecast::Counter,
        #[state(max_size = 3, initial(1, -2))]
        pub list: ::nodecast::Accumulator<i64>,
        pub count: ::nodecast::Counter<f64>,
    }

    #[::nodecast::nodeset(containers(Memory))]
    #[derive(::std::default::Default)]
    pub struct Set;
}

#[test]
fn states_are_what_is_declared() {
    let catalog = ::std::result::Result::unwrap(::nodecast::catalog::Catalog::of::<container::Set>());
    let states = &catalog.containers[0].states;
    let names: ::std::vec::Vec<&str> =
        ::std::iter::Iterator::collect(::std::iter::Iterator::map(states.iter(), |state| &*state.name));
    ::std::assert_eq!(names, ["type", "list", "count"]);
}
