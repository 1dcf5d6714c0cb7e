//! Containers: what is said of their states, and what is wrong with it.

use super::{container, nodeset, one, tokens};
use crate::errors::Errors;
use crate::model::{InitialValue, LifetimeRule, Value};
use crate::parse;

fn state(text: &str) -> Vec<(String, String)> {
    container(&format!("struct Memory {{ {text} }}"))
}

#[test]
fn what_is_said_reaches_the_model() {
    let mut errors = Errors::default();
    let item = "/// Doc.\n#[container(id = \"m\", label = \"L\")] struct Memory { \
                #[state(name = \"n\", lifetime = \"run\", reset_on(\"a\", \"b\"), initial = -1)] x: Counter, \
                #[state(max_size = 3, initial(1, 2), value_type = \"ANY\")] y: Accumulator<u8> }";
    let model = parse::container(&mut errors, tokens(item)).1.unwrap();
    assert!(errors.finish().is_none());
    assert_eq!((model.id.text.as_str(), model.label.unwrap().value()), ("m", "L".to_owned()));
    let [x, y] = &model.states[..] else { panic!("two states") };
    assert_eq!((x.name.text.as_str(), x.lifetime.unwrap().said, x.reset_on.len()), ("n", LifetimeRule::Run, 2));
    assert!(matches!(&x.initial.as_ref().unwrap().said, InitialValue::One(one) if one.value == Value::Int(-1)));
    assert!(matches!(&y.initial.as_ref().unwrap().said, InitialValue::Entries(entries) if entries.len() == 2));
    assert_eq!(y.max_size.unwrap().entries, 3);
}

#[test]
fn mistakes_are_told_at_their_words() {
    one(container("struct Memory;"), "Memory", "remembers nothing");
    one(state("a: Counter, #[state(name = \"a\")] b: Counter"), "\"a\"", "both named `a`");
    one(state("#[state(lifetime = \"custom\")] a: Counter"), "lifetime", "add `reset_on(\"…\")`");
    one(state("#[state(lifetime = \"episod\")] a: Counter"), "\"episod\"", "write `\"episode\"`");
    one(
        state("#[state(value_type = \"PIONTCLOUD\")] a: Counter"),
        "\"PIONTCLOUD\"",
        "write `value_type = \"POINTCLOUD\"`",
    );
    one(state("a: LastWrite<Vec<u8>>"), "Vec<u8>", "write `Bytes`");
    one(nodeset("containers(A, A)", "struct S;"), "A", "listed twice");
}

#[test]
fn all_mistakes_of_one_container_are_told() {
    let found = container("#[container(idd = \"x\")] struct A { #[state(max_size = 0, rest_on(\"a\"))] b: Counter }");
    assert_eq!(found.len(), 3, "{found:#?}");
}
