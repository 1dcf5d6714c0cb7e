//! Rust type, wire type, schema (`wire.md` 1.1): the strict column, and a decoder that takes just what it says.

use nodecast::call::{FieldCheck, Input, input};
use nodecast::decl::FieldDecl;
use nodecast::prelude::*;
use nodecast::schema;
use nodecast::wire::{DType, Regime, from_value_in, to_value};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::REGIMES;

/// The wire type and the schema as published in profile `full`.
fn published<T: Input>() -> (String, Json) {
    let contract = schema::input(&[FieldDecl::port("x", "", "T", input::<T>())]).unwrap();
    (contract.fields[0].wire_type.clone(), contract.published["properties"]["x"].clone())
}

/// What a call makes of a value: the Rust value, or the kind of the first finding. Schema and decoder must agree.
fn call<T: Input>(value: impl Into<Value>, regime: Regime) -> Result<T, &'static str> {
    let contract = schema::input(&[FieldDecl::port("x", "", "T", input::<T>())]).unwrap();
    let check = FieldCheck::new(&contract.fields[0].checked, None).unwrap();
    let value = value.into();
    let finding = check.findings(&value, regime).first().map(|finding| finding.kind);
    match (finding, from_value_in::<T>(value.clone(), regime)) {
        (None, Ok(decoded)) => Ok(decoded),
        (Some(kind), Err(_)) => Err(kind),
        (finding, decoded) => panic!("{value}: the schema says {finding:?}, the decoder {:?}", decoded.err()),
    }
}

/// The same value again through both regimes.
fn round_trips<T: Input + Serialize + PartialEq + std::fmt::Debug>(value: &T) {
    for regime in REGIMES {
        assert_eq!(&call::<T>(to_value(value).unwrap(), regime).unwrap(), value);
    }
}

#[test]
fn a_discrete_action_is_an_integer_or_text() {
    let (wire_type, schema) = published::<DiscreteAction>();
    assert_eq!(wire_type, "DISCRETE_ACTION");
    let range = 9_007_199_254_740_991_i64;
    let integer = json!({"type": "integer", "minimum": -range, "maximum": range});
    assert_eq!(schema, json!({"anyOf": [integer, {"type": "string"}]}));
    round_trips(&DiscreteAction::Index(-4));
    round_trips(&DiscreteAction::from("up"));
    for regime in REGIMES {
        assert_eq!(call::<DiscreteAction>(5.0, regime), Ok(DiscreteAction::Index(5)));
        for wrong in [Value::from(5.5), true.into(), Value::Null, Vec::<Value>::new().into()] {
            assert_eq!(call::<DiscreteAction>(wrong, regime), Err("wrong_type"));
        }
    }
}

fn numbers(count: usize) -> Json {
    json!({"type": "array", "items": {"type": "number"}, "minItems": count, "maxItems": count})
}

/// A schema without its descriptions.
fn bare(mut schema: Json) -> Json {
    if let Some(members) = schema.as_object_mut() {
        members.remove("description");
        for property in members.get_mut("properties").and_then(Json::as_object_mut).into_iter().flatten() {
            property.1.as_object_mut().unwrap().remove("description");
        }
    }
    schema
}

#[test]
fn a_pose_is_a_position_and_a_quaternion() {
    let (wire_type, schema) = published::<Pose>();
    assert_eq!(wire_type, "POSE");
    let expected = json!({
        "type": "object",
        "properties": {"position": numbers(3), "orientation": numbers(4)},
        "required": ["position", "orientation"],
        "additionalProperties": false,
    });
    assert_eq!(bare(schema), expected);
    round_trips(&Pose { position: [1.0, 2.0, 3.5], ..Pose::default() });
    for regime in REGIMES {
        let short = json!({"position": [0, 0], "orientation": [0, 0, 0, 1]});
        assert_eq!(call::<Pose>(short, regime), Err("out_of_range"));
        let more = json!({"position": [0, 0, 0], "orientation": [0, 0, 0, 1], "frame": "hand"});
        assert_eq!(call::<Pose>(more, regime), Err("unknown_field"));
        assert_eq!(call::<Pose>(json!([[0, 0, 0], [0, 0, 0, 1]]), regime), Err("wrong_type"));
    }
}

#[test]
fn a_control_may_hold_joints() {
    let (wire_type, schema) = published::<Control>();
    assert_eq!(wire_type, "CONTROL");
    let expected = json!({
        "type": "object",
        "properties": {
            "pos": numbers(3),
            "rot": numbers(3),
            "gripper": {"type": "number"},
            "joint_position": {"type": ["array", "null"], "items": {"type": "number"}},
        },
        "required": ["pos", "rot", "gripper"],
        "additionalProperties": false,
    });
    assert_eq!(bare(schema), expected);
    let control = Control { pos: [0.0; 3], rot: [1.0; 3], gripper: 0.5, joint_position: None };
    round_trips(&control);
    assert_eq!(to_value(&control).unwrap().get("joint_position"), None);
    round_trips(&Control { joint_position: Some(vec![0.1, 0.2]), ..control });
}

#[test]
fn metrics_are_numbers_by_name() {
    let (wire_type, schema) = published::<Metrics>();
    assert_eq!(wire_type, "METRICS");
    assert_eq!(schema, json!({"type": "object", "additionalProperties": {"type": "number"}}));
    round_trips(&Metrics::from_iter([("loss", 0.25), ("accuracy", 1.0)]));
    for regime in REGIMES {
        assert_eq!(call::<Metrics>(json!({"loss": "low"}), regime), Err("wrong_type"));
    }
}

fn marker(dtype: &str, rank: usize) -> Json {
    json!({
        "type": "object",
        "properties": {
            "__ndarray__": {"type": "string", "contentEncoding": "base64"},
            "dtype": {"type": "string", "const": dtype},
            "shape": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0},
                "maxItems": rank,
                "minItems": rank,
            },
        },
        "required": ["__ndarray__", "dtype", "shape"],
        "additionalProperties": false,
    })
}

#[test]
fn a_depth_picture_is_two_dimensions_of_float32() {
    assert_eq!(published::<Depth>(), ("DEPTH".to_owned(), marker("float32", 2)));
    assert_eq!(published::<Option<Depth>>().0, "DEPTH");
    let depth = Depth::new(3, 2, &[0.0, 0.5, 1.0, 1.5, 2.0, 2.5]).unwrap();
    assert_eq!((depth.width(), depth.height(), depth.as_array().shape()), (3, 2, &[2, 3][..]));
    round_trips(&depth);
    assert!(Depth::new(2, 2, &[0.0]).is_err());
    for regime in REGIMES {
        for wrong in [
            Tensor::from_elements([2], &[0_f32; 2]).unwrap(),
            Tensor::from_elements([1, 2], &[0_f64; 2]).unwrap(),
            Tensor::from_elements([1, 1, 2], &[0_f32; 2]).unwrap(),
        ] {
            assert_eq!(call::<Depth>(wrong, regime), Err("bad_array"));
        }
    }
    // What is declared and what came are both told, where the schema did not see it first.
    let error = Depth::try_from(Tensor::from_elements([2], &[0_i16; 2]).unwrap()).unwrap_err();
    assert_eq!(error.detail, "expected an array of dtype `float32` with 2 dimensions, got `int16` with shape [2]");
}

#[test]
fn arrays_of_ndarray_are_of_their_element_type_and_rank() {
    use ndarray::{Ix1, Ix2, IxDyn, array};
    assert_eq!(published::<Array<i16, Ix2>>(), ("ANY".to_owned(), marker("int16", 2)));
    let (_, any_rank) = published::<Array<bool, IxDyn>>();
    assert_eq!(any_rank["properties"]["shape"]["maxItems"], json!(32));
    assert_eq!(any_rank["properties"]["shape"].get("minItems"), None);
    round_trips(&Array::from(array![[1_i16, 2, 3], [4, 5, 6]]));
    round_trips(&Array::from(array![true, false].into_dyn()));
    // A view leaves as the array that it shows, in C order.
    let turned = Array::from(array![[1_u8, 2, 3], [4, 5, 6]].reversed_axes());
    let sent = to_value(&turned).unwrap();
    assert_eq!(
        (sent.as_array().unwrap().shape(), &**sent.as_array().unwrap().data()),
        (&[3, 2][..], &[1, 4, 2, 5, 3, 6][..])
    );
    round_trips(&turned);
    for regime in REGIMES {
        let wrong = Tensor::from_elements([1], &[1_f32]).unwrap();
        assert_eq!(call::<Array<f64, Ix1>>(wrong.clone(), regime).unwrap_err(), "bad_array");
        assert_eq!(call::<Array<f32, Ix2>>(wrong.clone(), regime).unwrap_err(), "bad_array");
        assert!(call::<Array<f32, Ix1>>(wrong, regime).is_ok());
    }
    // At any depth of a type, as the others.
    let within =
        call::<Vec<Array<f32, Ix1>>>(vec![Value::from(Tensor::from_elements([1], &[1_f32]).unwrap())], Regime::Json);
    assert_eq!(within.unwrap()[0][0].to_bits(), 1_f32.to_bits());
}

#[test]
fn what_is_text_has_the_wire_type_of_text() {
    assert_eq!(published::<char>(), ("TEXT".to_owned(), json!({"type": "string", "minLength": 1, "maxLength": 1})));
    assert_eq!(published::<std::path::PathBuf>(), ("TEXT".to_owned(), json!({"type": "string"})));
    for regime in REGIMES {
        assert_eq!(call::<char>("ä", regime), Ok('ä'));
        assert_eq!(call::<char>("ab", regime), Err("out_of_range"));
        assert_eq!(call::<char>("", regime), Err("out_of_range"));
        assert_eq!(call::<std::path::PathBuf>("/a/b", regime), Ok("/a/b".into()));
    }
}

// As the types of the date-time crates say it.
#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
struct Moment(#[schemars(extend("format" = "date-time"))] String);

#[test]
fn a_date_time_is_text_of_its_format() {
    assert_eq!(published::<Moment>(), ("TEXT".to_owned(), json!({"$ref": "#/$defs/Moment"})));
    for regime in REGIMES {
        assert!(call::<Moment>("2026-11-30T02:00:00Z", regime).is_ok());
    }
    let contract = schema::input(&[FieldDecl::port("x", "", "Moment", input::<Moment>())]).unwrap();
    let inlined = schema::inline(&contract.published);
    assert_eq!(inlined["properties"]["x"], json!({"type": "string", "format": "date-time"}));
}

#[test]
fn a_picture_of_floats_saturates() {
    let image = Image::from_f32(2, 1, &[300.0, -7.0, 43.6, 255.0, f32::NAN, f32::INFINITY]).unwrap();
    assert_eq!(**image.pixels(), [255, 0, 44, 255, 0, 255]);
    let image = Image::from_unit_f32(2, 1, &[1.5, -0.1, 0.5, 1.0, f32::NAN, f32::NEG_INFINITY]).unwrap();
    assert_eq!(**image.pixels(), [255, 0, 128, 255, 0, 0]);
    assert_eq!(DType::UInt8, image.to_array().unwrap().dtype());
}
