//! What is told to a caller whose value does not fit.

use nodecast::prelude::*;
use nodecast::testing::Client;
use nodecast::wire::{Regime, json};

use super::{REGIMES, object, only};

/// Takes what callers get wrong.
#[nodeset(name = "takes", nodes(Picture, Count))]
#[derive(Default)]
struct Takes;

#[node]
struct Picture {
    image: Image,
    mask: Option<Image>,
}

impl Node<Takes> for Picture {
    type Output = Image;
    type Error = Error;

    async fn run(self, _: &Takes, _: &Context) -> Result<Image, Error> {
        Ok(self.mask.unwrap_or(self.image))
    }
}

#[node]
struct Count {
    count: u8,
    text: Option<String>,
}

impl Node<Takes> for Count {
    type Output = u8;
    type Error = Error;

    async fn run(self, _: &Takes, _: &Context) -> Result<u8, Error> {
        Ok(self.count + u8::from(self.text.is_some()))
    }
}

#[tokio::test]
async fn a_wrong_picture_is_told_what_a_picture_is() {
    let client = Client::<Takes>::start(()).await.unwrap();
    for regime in REGIMES {
        let array = Tensor::from_elements([2, 3], &[0_f32; 6]).unwrap();
        let refused = client.call_with("picture", object([("image", array.into())]), regime).await.unwrap_err();
        let finding = only(&refused);
        assert_eq!((finding.kind, &*finding.pointer), ("bad_image", "/image"));
        assert!(finding.detail.contains("PNG") && finding.detail.contains("H×W×3"), "{}", finding.detail);

        let image = Image::rgb8(1, 1, [0; 3]).unwrap();
        let arguments = object([("image", image.into()), ("mask", 7.into())]);
        let finding = only(&client.call_with("picture", arguments, regime).await.unwrap_err());
        assert_eq!((finding.kind, &*finding.pointer), ("bad_image", "/mask"));
        assert!(finding.detail.contains("PNG"), "{}", finding.detail);
    }
}

/// `wire.md` 4: a foreign extension type is `wrong_type` where a type is declared.
#[tokio::test]
async fn a_foreign_extension_type_is_refused_at_the_port() {
    let client = Client::<Takes>::start(()).await.unwrap();
    for (node, port) in [("picture", "image"), ("count", "count")] {
        let arguments = object([(port, Value::Ext(42, Bytes::from([0])))]);
        let finding = only(&client.call_with(node, arguments, Regime::Msgpack).await.unwrap_err());
        assert_eq!((finding.kind, finding.pointer), ("wrong_type", format!("/{port}")));
        assert!(finding.detail.ends_with("got an extension type"), "{}", finding.detail);
    }
}

#[tokio::test]
async fn b35_a_zero_with_a_sign_is_shown_as_it_was_sent() {
    let client = Client::<Takes>::start(()).await.unwrap();
    let sent = json::decode(b"-0").unwrap();
    let reply = client.call_with("count", object([("count", sent.clone())]), Regime::Json).await.unwrap();
    assert_eq!(reply, object([("result", 0.into())]));
    let arguments = object([("count", 1.into()), ("text", sent)]);
    let finding = only(&client.call_with("count", arguments, Regime::Json).await.unwrap_err());
    assert!(finding.detail.ends_with("got -0"), "{}", finding.detail);
}
