//! Schemas that a person wrote (`mcp.md` 1), and what they may not be (`faults.md` T19).

use std::net::TcpListener;

use std::sync::atomic::{AtomicUsize, Ordering};

use nodecast::call::{
    Args, Arguments, Hooks, Invalid, Node, Nodeset, Probe, RawArguments, Table, Validator, ViaDefault, input, row,
};
use nodecast::catalog::Catalog;
use nodecast::contract::{self, Profile};
use nodecast::decl::{ConfigDecl, FieldDecl, Literal, NodeDecl, NodesetDecl, Source, Widget};
use nodecast::schema;
use nodecast::testing::Client;
use nodecast::wire::Regime;
use nodecast::{Context, Error};
use serde_json::{Value as Json, json};

const HERE: Source = Source { file: "here.rs", line: 7 };

/// What the conformance suite asks a server to keep (`reference.md` 3), over our own names.
const WRITTEN: &str = r##"{
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#addressDef"},
        "contact": {"type": "string", "enum": ["phone", "mail"], "default": "mail"},
        "phone": {"type": "string"}
    },
    "required": ["name"],
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["address"]}]}],
    "if": {"properties": {"contact": {"const": "phone"}}, "required": ["contact"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["address"]},
    "additionalProperties": false
}"##;

const FIELDS: &[FieldDecl] = &[
    FieldDecl::port("name", "", "String", input::<String>()),
    FieldDecl::port("address", "", "Option<Value>", input::<Option<nodecast::Value>>()),
    FieldDecl::config(
        "contact",
        "",
        "String",
        input::<String>(),
        ConfigDecl::new(Widget::Text).default(Literal::Text("mail")),
    ),
    FieldDecl::port("phone", "", "Option<String>", input::<Option<String>>()),
];

#[derive(Default)]
struct Book;

struct Add;

static RUNS: AtomicUsize = AtomicUsize::new(0);

impl Nodeset for Book {
    const TABLE: &'static Table<Self> =
        &Table::new(NodesetDecl::new("book", "", "1.0.0", HERE), &[row::<Self, _, Add>()]);

    fn hooks() -> Hooks<Self> {
        ViaDefault::hooks(&&Probe::new())
    }
}

impl Arguments for Add {
    const DECL: NodeDecl = NodeDecl::new("add", "Adds somebody.", HERE).fields(FIELDS).raw_schema(WRITTEN);

    fn decode(args: &mut Args) -> Result<Self, Invalid> {
        args.take::<String>()?;
        args.take::<Option<nodecast::Value>>()?;
        args.take::<String>()?;
        args.take::<Option<String>>()?;
        Ok(Self)
    }
}

impl Node<Book> for Add {
    type Output = bool;
    type Error = Error;

    async fn run(self, _: &Book, _: &Context) -> Result<bool, Error> {
        RUNS.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    }
}

#[tokio::test]
async fn a_written_schema_is_published_and_checked_as_it_stands() {
    let catalog = Catalog::of::<Book>().unwrap();
    let written: Json = serde_json::from_str(WRITTEN).unwrap();
    for profile in [Profile::Full, Profile::Inline] {
        let published = Json::Object(contract::tools(&catalog, profile)[0].input_schema.clone());
        assert_eq!(published.to_string(), written.to_string(), "{}", profile.as_str());
    }
    let client = Client::<Book>::start(()).await.unwrap();
    let street = json!({"street": "a"});
    for valid in [
        json!({"name": "n", "address": street}),
        json!({"name": "n", "contact": "phone", "phone": "1"}),
        json!({"name": "n", "contact": "mail", "address": {}}),
    ] {
        client.call("add", valid.clone()).await.unwrap_or_else(|error| panic!("{valid}: {error:?}"));
    }
    let runs = RUNS.load(Ordering::Relaxed);
    for (invalid, pointer) in [
        (json!({"name": "n"}), ""),
        (json!({"name": "n", "contact": "phone", "address": street}), "/phone"),
        (json!({"name": "n", "address": {"street": 5}}), "/address/street"),
        (json!({"name": "n", "address": 5}), "/address"),
        // Null stands for "left out" where the schema says so, and this one does not.
        (json!({"name": "n", "address": street, "phone": null}), "/phone"),
        (json!({"name": "n", "address": street, "contact": "pigeon"}), "/contact"),
        (json!({"address": street}), "/name"),
        (json!({"name": "n", "address": street, "zz": 1}), "/zz"),
    ] {
        let error = client.call("add", invalid.clone()).await.unwrap_err();
        assert_eq!(error.stage().as_str(), "schema_validation");
        let pointers: Vec<_> = error.findings().iter().map(|finding| finding.pointer.as_str()).collect();
        assert!(pointers.contains(&pointer), "{invalid}: {error:?}");
        let mut once = pointers.clone();
        once.dedup();
        assert_eq!(once, pointers, "{invalid}: one place is told once");
    }
    assert_eq!(RUNS.load(Ordering::Relaxed), runs, "a refused call has not run");
}

/// In the nested form, the place of a finding is where the argument stood.
#[tokio::test]
async fn a_finding_of_the_whole_points_into_the_body_as_sent() {
    let client = Client::<Book>::start(()).await.unwrap();
    let value = |json: Json| nodecast::Value::from(json);
    let arguments = RawArguments::Split {
        inputs: vec![("name".to_owned(), value(json!("n"))), ("address".to_owned(), value(json!({"city": 1})))],
        config: vec![("contact".to_owned(), value(json!("pigeon")))],
    };
    let cx = Context::new(nodecast::call::Caller { face: "test", regime: Regime::Json, principal: None });
    let error = client.service().call("book__add", arguments, &cx).await.unwrap_err();
    let pointers: Vec<_> = error.findings().iter().map(|finding| finding.pointer.as_str()).collect();
    assert!(pointers.contains(&"/inputs/address/city") && pointers.contains(&"/config/contact"), "{error:?}");
    assert!(error.findings().iter().all(|finding| !finding.detail.contains("`/address")), "{error:?}");
}

/// What a defect says when `WRITTEN` is changed at one place.
fn defect(change: impl FnOnce(&mut Json)) -> String {
    let mut written: Json = serde_json::from_str(WRITTEN).unwrap();
    change(&mut written);
    refused(&written.to_string())
}

fn refused(text: &str) -> String {
    let typed = schema::input(FIELDS).unwrap();
    schema::raw(text, FIELDS, &typed).unwrap_err().to_string()
}

#[test]
fn a_written_schema_is_about_the_fields_of_the_node() {
    let cases: [(String, &str); 11] = [
        (refused("{"), "raw_schema"),
        (refused(r#"{"type": "object", "type": "object"}"#), "twice"),
        (refused(r#"{"type": "string"}"#), "write `\"type\": \"object\"`"),
        (defect(|schema| schema["properties"]["nmae"] = json!({})), "no field `nmae`; did you mean `name`?"),
        (defect(|schema| drop(schema["properties"].as_object_mut().unwrap().remove("phone"))), "`phone`; add it"),
        (defect(|schema| schema["required"] = json!([])), "does not hold `name`"),
        (defect(|schema| schema["additionalProperties"] = json!(true)), "\"additionalProperties\": false"),
        (defect(|schema| schema["properties"]["contact"]["enum"] = json!(["phone"])), "own default"),
        (defect(|schema| schema["properties"]["name"]["type"] = json!("text")), "no JSON Schema 2020-12"),
        (defect(|schema| schema["properties"]["name"]["x-mcp-header"] = json!("Name")), "no `header`"),
        (defect(|schema| schema["$schema"] = json!("http://json-schema.org/draft-07/schema#")), "2020-12"),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

/// The place stands in the error of the start, with the file and the node.
#[test]
fn a_defect_names_the_declaration() {
    #[derive(Default)]
    struct Broken;
    struct Bad;
    impl Nodeset for Broken {
        const TABLE: &'static Table<Self> =
            &Table::new(NodesetDecl::new("broken", "", "1.0.0", HERE), &[row::<Self, _, Bad>()]);

        fn hooks() -> Hooks<Self> {
            ViaDefault::hooks(&&Probe::new())
        }
    }
    impl Arguments for Bad {
        const DECL: NodeDecl = NodeDecl::new("bad", "", HERE).raw_schema(r#"{"type": "object"}"#);

        fn decode(_: &mut Args) -> Result<Self, Invalid> {
            Ok(Self)
        }
    }
    impl Node<Broken> for Bad {
        type Output = ();
        type Error = Error;

        async fn run(self, _: &Broken, _: &Context) -> Result<(), Error> {
            Ok(())
        }
    }
    let error = Catalog::of::<Broken>().unwrap_err();
    assert_eq!(error.kind(), "bad_declaration");
    assert!(error.message().starts_with("here.rs:7: node `bad` of `broken`, `raw_schema`"), "{error}");
}

#[test]
fn t19_no_reference_leads_out() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/schema.json", listener.local_addr().unwrap());
    let said = defect(|schema| schema["properties"]["name"] = json!({"$ref": url}));
    assert!(said.contains("/properties/name/$ref") && said.contains("only a reference into this schema"), "{said}");
    for key in ["$ref", "$dynamicRef", "$id", "$schema"] {
        defect(|schema| schema["properties"]["address"][key] = json!(url));
    }
    defect(|schema| schema["$id"] = json!(url));
    // Whatever slips past that check, the validator itself asks nobody either.
    for foreign in [&url, "file:///etc/hostname", "other.json"] {
        let found = Validator::new(&json!({"type": "object", "properties": {"x": {"$ref": foreign}}}));
        assert!(found.is_err(), "{foreign}");
    }
    assert!(listener.accept().is_err(), "somebody asked the canary");
}

#[test]
fn t19_size_depth_and_work_are_bounded() {
    let wide = json!({"type": "object", "oneOf": vec![json!({}); 1 << 20]}).to_string();
    assert!(refused(&wide).contains("bytes long"), "2^20 branches");

    let deep = (0..40).fold(json!({"type": "string"}), |inner, _| json!({"items": inner}));
    assert!(defect(|schema| schema["properties"]["name"] = deep).contains("deep"));
    let deeper = format!("{}{}", "{\"not\":".repeat(100_000), "}".repeat(100_000));
    assert!(refused(&deeper).contains("raw_schema"));

    // Thirty lines that ask for a billion checks.
    let doubling = |schema: &mut Json| {
        for at in 0..30 {
            let next = json!({"$ref": format!("#/$defs/d{}", at + 1)});
            schema["$defs"][format!("d{at}")] = json!({"allOf": [next, next]});
        }
        schema["$defs"]["d30"] = json!({"type": "string"});
        schema["properties"]["name"] = json!({"$ref": "#/$defs/d0"});
    };
    assert!(defect(doubling).contains("schemas at one place"));

    let circle = |schema: &mut Json| {
        schema["$defs"]["a"] = json!({"allOf": [{"$ref": "#/$defs/b"}]});
        schema["$defs"]["b"] = json!({"not": {"$ref": "#/$defs/a"}});
        schema["properties"]["name"] = json!({"$ref": "#/$defs/a"});
    };
    assert!(defect(circle).contains("no end"));
    let chain = |schema: &mut Json| {
        for at in 0..1000 {
            schema["$defs"][format!("c{at}")] = json!({"$ref": format!("#/$defs/c{}", at + 1)});
        }
        schema["$defs"]["c1000"] = json!({});
        schema["properties"]["name"] = json!({"$ref": "#/$defs/c0"});
    };
    assert!(defect(chain).contains("lead to each other"));
    assert!(
        defect(|schema| schema["properties"]["name"] = json!({"$ref": "#/$defs/nowhere"})).contains("leads nowhere")
    );
}

/// A pattern that a backtracking engine would try for ever.
#[test]
fn t19_a_pattern_ends() {
    let validator = Validator::new(&json!({"type": "string", "pattern": "(a+)+$"})).unwrap();
    let begun = std::time::Instant::now();
    let text = nodecast::Value::from(json!("a".repeat(5000) + "!"));
    assert_eq!(validator.findings(&text).len(), 1);
    assert!(begun.elapsed() < std::time::Duration::from_secs(2));
}

/// A type that goes into the value at each step has an end, and may be written.
#[test]
fn a_recursive_type_may_be_written() {
    let tree = |schema: &mut Json| {
        schema["$defs"]["tree"] =
            json!({"type": "object", "properties": {"kids": {"items": {"$ref": "#/$defs/tree"}}}});
        schema["properties"]["address"] = json!({"$ref": "#/$defs/tree"});
    };
    let mut written: Json = serde_json::from_str(WRITTEN).unwrap();
    tree(&mut written);
    let typed = schema::input(FIELDS).unwrap();
    schema::raw(&written.to_string(), FIELDS, &typed).unwrap();
}
