//! What the reference implementation writes in JSON (`golden_mapping_vectors.json`, `serialize_value`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nodecast::prelude::*;
use nodecast::wire::Map;
use serde_json::Value as Json;

use super::{Host, JSON};

/// Gives what the vectors hold.
#[nodeset(name = "vectors", nodes(All))]
#[derive(Default)]
struct Vectors;

#[node]
struct All;

/// One port a vector, in their order; a text on an IMAGE port cannot be declared.
#[derive(Outputs)]
struct Written {
    image: Image,
    any: Tensor,
    #[port(wire = "LIST[IMAGE]")]
    not_a_list: Tensor,
    images: Vec<Image>,
    depth: Depth,
    no_image: Option<Image>,
    #[port(wire = "ACTION")]
    action: i64,
    boolean: bool,
    nested: Value,
}

impl Node<Vectors> for All {
    type Output = Written;
    type Error = Error;

    async fn run(self, _: &Vectors, _: &Context) -> Result<Written, Error> {
        let pixels: Vec<u8> = (0..12).collect();
        let image = Image::rgb8(2, 2, pixels.clone())?;
        let any = Tensor::from_elements([2, 2, 3], &pixels)?;
        let a: Value = [Value::from(1), Value::from(2.5)].into_iter().collect();
        let b = vec![Value::from(Tensor::from_elements([1, 1, 3], &[0_u8, 1, 2])?)];
        Ok(Written {
            image: image.clone(),
            not_a_list: any.clone(),
            any,
            images: vec![image],
            depth: Depth::new(2, 1, &[0.5, 1.5])?,
            no_image: None,
            action: 5,
            boolean: true,
            nested: Map::from_iter([("a", a), ("b", b.into())]).into(),
        })
    }
}

#[tokio::test]
async fn serialize_value() {
    let path = nodecast_tests::here("vectors/golden_mapping_vectors.json");
    let vectors: Json = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let vectors = vectors["serialize_value"].as_array().unwrap().iter();
    let host = Host::start::<Vectors>().await;
    let (status, answer) = host.call("vectors__all", JSON, Vec::new()).await;
    assert_eq!(status, 200, "{answer}");
    let written: Vec<(&String, &Json)> = answer["outputs"].as_object().unwrap().iter().collect();
    let vectors: Vec<&Json> = vectors.filter(|vector| vector["value"] != "str").map(|vector| &vector["json"]).collect();
    assert_eq!(written.len(), vectors.len());
    for ((port, written), expected) in written.into_iter().zip(vectors) {
        match (port.as_str(), written, expected) {
            // Compressed in another way, so by their pixels.
            ("image", Json::String(written), Json::String(expected)) => {
                let pixels = |text: &str| Image::decode(&STANDARD.decode(text).unwrap()).unwrap();
                assert_eq!(pixels(written), pixels(expected));
            }
            _ => assert_eq!(written, expected, "{port}"),
        }
    }
}
