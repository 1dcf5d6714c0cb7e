//! The other forms of numbers in JSON: `as_string` and `nan = "null"` (`wire.md` 4).

use nodecast::call::{FieldCheck, input};
use nodecast::decl::{ConfigDecl, FieldDecl, Literal, Widget};
use nodecast::prelude::*;
use nodecast::schema;
use nodecast::wire::Regime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::REGIMES;

/// A published and a checked schema in a form, and the check that a call makes.
struct Formed {
    published: Json,
    check: FieldCheck,
}

fn formed(field: &FieldDecl) -> Formed {
    let contract = schema::input(std::slice::from_ref(field)).unwrap();
    let fields = &contract.fields[0];
    let check = FieldCheck::new(&fields.checked, fields.checked_json.as_ref()).unwrap();
    Formed { published: schema::inline(&contract.published)["properties"]["x"].clone(), check }
}

fn text<T: nodecast::call::Input>() -> Formed {
    formed(&FieldDecl::port("x", "", "T", input::<T>()).as_string())
}

fn nan<T: nodecast::call::Input>() -> Formed {
    formed(&FieldDecl::port("x", "", "T", input::<T>()).nan_as_null())
}

impl Formed {
    /// What a value becomes that passes the check, or the kind of the first finding.
    fn read(&self, value: impl Into<Value>, regime: Regime) -> Result<Value, &'static str> {
        let mut value = value.into();
        if let Some(finding) = self.check.findings(&value, regime).first() {
            return Err(finding.kind);
        }
        self.check.read(&mut value, regime);
        Ok(value)
    }

    fn decode<T: serde::de::DeserializeOwned>(&self, json: Json) -> T {
        let read = self.read(json, Regime::Json).unwrap();
        nodecast::wire::from_value(read).unwrap()
    }
}

#[test]
fn integers_are_decimal_text_of_just_their_range() {
    let formed = text::<i8>();
    assert_eq!(
        formed.published,
        json!({"type": "string", "pattern": formed.published["pattern"]}),
        "nothing but a text and its pattern"
    );
    let published = jsonschema::validator_for(&formed.published).unwrap();
    for number in -300..=300_i64 {
        let fits = (-128..=127).contains(&number);
        assert_eq!(published.is_valid(&number.to_string().into()), fits, "{number}");
        let read = formed.read(number.to_string(), Regime::Json);
        assert_eq!(read.ok(), fits.then(|| number.into()), "{number}");
        // In msgpack the number itself, and the text too.
        for sent in [Value::from(number), number.to_string().into()] {
            assert_eq!(formed.read(sent, Regime::Msgpack).ok(), fits.then(|| number.into()), "{number}");
        }
    }
    for wrong in ["+1", "01", "-0", "", " 1", "1.0", "1e1", "x"] {
        assert!(!published.is_valid(&wrong.into()), "{wrong:?}");
        for regime in REGIMES {
            assert_eq!(formed.read(wrong, regime), Err("wrong_type"), "{wrong:?}");
        }
    }
    assert_eq!(formed.read(5, Regime::Json), Err("wrong_type"), "a number is none in JSON");
}

#[test]
fn all_of_64_bits_and_of_128() {
    for number in [i64::MIN, -1, 0, i64::MAX] {
        assert_eq!(text::<i64>().decode::<i64>(json!(number.to_string())), number);
    }
    assert_eq!(text::<u64>().decode::<u64>(json!(u64::MAX.to_string())), u64::MAX);
    assert_eq!(text::<u64>().read("18446744073709551616", Regime::Json), Err("wrong_type"));
    let wide = text::<i128>();
    for number in [i128::MIN, i128::from(i64::MIN) - 1, -1, 0, i128::from(u64::MAX), i128::MAX] {
        assert_eq!(wide.decode::<i128>(json!(number.to_string())), number);
        let sent = nodecast::wire::to_value(&number).unwrap();
        let read = wide.read(sent, Regime::Msgpack).unwrap();
        assert_eq!(nodecast::wire::from_value_in::<i128>(read, Regime::Msgpack).unwrap(), number);
    }
    assert_eq!(text::<u128>().decode::<u128>(json!(u128::MAX.to_string())), u128::MAX);
    assert_eq!(text::<u128>().read(-1, Regime::Msgpack), Err("out_of_range"));
    assert_eq!(text::<u128>().read("-1", Regime::Json), Err("wrong_type"));
}

#[test]
fn b11_integers_of_128_bits_need_their_form() {
    #[derive(Deserialize, JsonSchema)]
    struct Deep {
        #[expect(dead_code, reason = "never decoded")]
        wide: Vec<u128>,
    }
    for field in
        [FieldDecl::port("x", "", "i128", input::<i128>()), FieldDecl::port("x", "", "Deep", input::<Option<Deep>>())]
    {
        let defect = schema::input(&[field]).unwrap_err();
        assert!(defect.to_string().contains("as_string"), "{defect}");
        assert!(schema::input(&[field.as_string()]).is_ok());
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Inner {
    id: i64,
    name: String,
    share: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Flat {
    q: String,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tagged {
    Round { radius: u32 },
    Square { side: u32, label: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Id(u8),
    Name(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Tree {
    size: u64,
    kids: Vec<Tree>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
enum External {
    Nothing,
    Count(i16),
    Pair(u8, String),
}

/// What is written in JSON is read back, and says its integers as text at every depth.
fn round_trips<T>(value: &T, expected: &Json)
where
    T: nodecast::call::Input + Serialize + PartialEq + std::fmt::Debug,
{
    let formed = text::<T>();
    let published = jsonschema::validator_for(&formed.published);
    // A recursive type refers to what stands beside the field.
    if let Ok(published) = published {
        assert!(published.is_valid(expected), "{expected} by {}", formed.published);
    }
    assert_eq!(formed.decode::<T>(expected.clone()), *value, "{expected}");
    let sent = nodecast::wire::to_value(value).unwrap();
    let read = formed.read(sent, Regime::Msgpack).unwrap();
    assert_eq!(nodecast::wire::from_value_in::<T>(read, Regime::Msgpack).unwrap(), *value);
}

#[test]
fn the_form_holds_at_every_depth() {
    let inner = || Inner { id: -7, name: "12".into(), share: 0.5 };
    let inner_json = json!({"id": "-7", "name": "12", "share": 0.5});
    round_trips(&inner(), &inner_json);
    round_trips(&Some(vec![inner()]), &json!([inner_json]));
    round_trips(&std::collections::BTreeMap::from([(3_u8, 5_i64)]), &json!({"3": "5"}));
    round_trips(&std::collections::BTreeMap::from([("a".to_owned(), (1_u8, 2_i8))]), &json!({"a": ["1", "2"]}));
    round_trips(&[1_u16, 2], &json!(["1", "2"]));
    // Text that looks like a number stays text where text is declared.
    let flat = Flat { q: "5".into(), inner: inner() };
    round_trips(&flat, &json!({"q": "5", "id": "-7", "name": "12", "share": 0.5}));
    round_trips(&Tagged::Square { side: 4, label: "9".into() }, &json!({"kind": "Square", "side": "4", "label": "9"}));
    round_trips(&Tagged::Round { radius: 4 }, &json!({"kind": "Round", "radius": "4"}));
    round_trips(&vec![Untagged::Id(200), Untagged::Name("300".into())], &json!(["200", "300"]));
    round_trips(&External::Count(-3), &json!({"Count": "-3"}));
    round_trips(&External::Pair(1, "1".into()), &json!({"Pair": ["1", "1"]}));
    round_trips(&External::Nothing, &json!("Nothing"));
    let tree = Tree { size: u64::MAX, kids: vec![Tree { size: 0, kids: Vec::new() }] };
    round_trips(&tree, &json!({"size": "18446744073709551615", "kids": [{"size": "0", "kids": []}]}));
    round_trips(&DiscreteAction::Index(3), &json!("3"));
    round_trips(&DiscreteAction::Name("up".into()), &json!("up"));
    round_trips(&std::num::NonZeroU8::new(9).unwrap(), &json!("9"));
    assert!(text::<std::num::NonZeroI8>().read("0", Regime::Json).is_err());
}

#[test]
fn an_array_and_a_value_keep_their_numbers() {
    for published in [text::<Tensor>().published, text::<Depth>().published] {
        assert_eq!(published["properties"]["shape"]["items"]["type"], json!("integer"));
    }
    assert_eq!(text::<Value>().published, formed(&FieldDecl::port("x", "", "T", input::<Value>())).published);
    assert_eq!(nan::<Value>().published, text::<Value>().published);
    let array = Tensor::from_elements([2], &[1_i64, 2]).unwrap();
    assert_eq!(text::<Tensor>().read(array.clone(), Regime::Json), Ok(array.into()));
}

#[test]
fn what_is_not_finite_is_null_and_back() {
    let formed = nan::<Vec<f64>>();
    assert_eq!(formed.published["items"]["type"], json!(["number", "null"]));
    let read: Vec<f64> = formed.decode(json!([1.5, null, 2]));
    assert!(read[1].is_nan());
    assert_eq!([read[0], read[2]].map(f64::to_bits), [1.5, 2.0].map(f64::to_bits));
    assert_eq!(formed.read(vec![Value::Null], Regime::Msgpack), Err("wrong_type"), "kept as it is in msgpack");
    let read = formed.read(vec![Value::from(f64::INFINITY)], Regime::Msgpack).unwrap();
    assert_eq!(read, vec![Value::from(f64::INFINITY)].into());
    // The null of an option is its `None`.
    assert_eq!(nan::<Vec<Option<f64>>>().decode::<Vec<Option<f64>>>(json!([null, 1])), [None, Some(1.0)]);
    let share = nan::<Flat>().decode::<Flat>(json!({"q": "", "id": 1, "name": "", "share": null})).inner.share;
    assert!(share.is_nan());
    assert!(nan::<f32>().decode::<f32>(json!(null)).is_nan());
}

#[test]
fn definitions_keep_their_forms_apart() {
    let plain = FieldDecl::port("plain", "", "Tree", input::<Tree>());
    let text = FieldDecl::port("text", "", "Tree", input::<Tree>()).as_string();
    let contract = schema::input(&[plain, text]).unwrap();
    let published = jsonschema::validator_for(&contract.published).unwrap();
    let accepts = |plain: Json, text: Json| {
        let tree = |size: &Json| json!({"size": size, "kids": [{"size": size, "kids": []}]});
        published.is_valid(&json!({"plain": tree(&plain), "text": tree(&text)}))
    };
    assert!(accepts(json!(1), json!("1")), "{}", contract.published);
    assert!(!accepts(json!("1"), json!("1")) && !accepts(json!(1), json!(1)));
    assert!(!contract.published.to_string().contains("x-"), "our own marks stay with us: {}", contract.published);
}

#[test]
fn bounds_of_a_widget_count() {
    let config = ConfigDecl::new(Widget::Slider { min: 10.0, max: 200.0, step: Some(5.0) }).default(Literal::Int(15));
    let field = FieldDecl::config("x", "How many.", "i64", input::<i64>(), config).as_string();
    let formed = formed(&field);
    assert_eq!(formed.published["default"], json!("15"));
    assert_eq!(formed.published["description"], json!("How many. In steps of 5."));
    for (number, fits) in [(9, false), (10, true), (200, true), (201, false)] {
        assert_eq!(formed.read(number.to_string(), Regime::Json).is_ok(), fits, "{number}");
        assert_eq!(formed.read(number, Regime::Msgpack).is_ok(), fits, "{number}");
        assert_eq!(formed.read(number.to_string(), Regime::Msgpack).is_ok(), fits, "{number}");
    }
}

#[test]
fn a_refusal_says_which_text_is_wanted() {
    let formed = text::<u8>();
    let finding = &formed.check.findings(&300.into(), Regime::Json)[0];
    assert_eq!(finding.expected.as_deref(), Some("the decimal text of an integer from 0 to 255"));
    let finding = &formed.check.findings(&"300".into(), Regime::Json)[0];
    assert_eq!(finding.detail, "`` must be the decimal text of an integer from 0 to 255, got the text \"300\"");
    let finding = &formed.check.findings(&300.into(), Regime::Msgpack)[0];
    assert_eq!(finding.expected.as_deref(), Some("an integer from 0 to 255"));
}
