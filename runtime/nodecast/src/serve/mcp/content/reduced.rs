//! The outputs of a reply, reduced to what a model can read: JSON, with pictures and arrays named and not spelled.

use serde_json::{Map, Value as Json, json};

use super::Keeper;
use super::pictures::{Picture, Source};
use crate::catalog::Field;
use crate::serve::kept::Document;
use crate::wire::{Image, Tensor, Value, WireError, escape};

/// What stands in place of the data.
const OMITTED: &str = "<omitted>";

/// The outputs of one reply on their way.
pub(super) struct Reduced<'a> {
    keeper: Keeper<'a>,
    /// Whether pictures have blocks of their own; where a result has none, they are named like arrays.
    shows_images: bool,
    /// The pictures that have a block, in order.
    pub(super) pictures: Vec<Picture>,
}

/// Where a value stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    port: &'a Field,
    inside: Option<&'a Inside<'a>>,
}

struct Inside<'a> {
    before: Place<'a>,
    token: Token<'a>,
}

#[derive(Clone, Copy)]
enum Token<'a> {
    Key(&'a str),
    Index(usize),
}

impl Place<'_> {
    fn text(&self) -> String {
        match self.inside {
            None => escape(&self.port.name).into_owned(),
            Some(Inside { before, token: Token::Key(key) }) => format!("{}/{}", before.text(), escape(key)),
            Some(Inside { before, token: Token::Index(index) }) => format!("{}/{index}", before.text()),
        }
    }
}

impl<'a> Reduced<'a> {
    pub(super) fn new(keeper: Keeper<'a>, shows_images: bool) -> Self {
        Self { keeper, shows_images, pictures: Vec::new() }
    }

    /// The JSON of a port; none where its blocks say all of it.
    pub(super) fn port(&mut self, port: &Field, value: Value) -> Result<Option<Json>, WireError> {
        let place = Place { port, inside: None };
        match value {
            Value::Image(image) if self.shows_images => {
                self.show(place, image);
                Ok(None)
            }
            // An empty list has no blocks to say so.
            Value::List(items) if !items.is_empty() && &*port.wire_type == "LIST[IMAGE]" => {
                for (index, item) in items.into_iter().enumerate() {
                    let inside = Inside { before: place, token: Token::Index(index) };
                    let Value::Image(image) = item else {
                        let error = WireError::new("bad_output", "an element of the list is no image");
                        return Err(error.under(index));
                    };
                    self.show(Place { port, inside: Some(&inside) }, image);
                }
                Ok(None)
            }
            value => self.value(place, value).map(Some),
        }
    }

    fn value(&mut self, place: Place<'_>, value: Value) -> Result<Json, WireError> {
        match value {
            Value::Text(text) => Ok(Json::String(text)),
            Value::Array(array) => Ok(self.array(array)),
            Value::Image(image) if self.shows_images => {
                self.show(place, image);
                Ok(format!("<image {} of this result>", self.pictures.len()).into())
            }
            Value::Image(image) => self.picture(&image),
            Value::List(items) => items
                .into_iter()
                .enumerate()
                .map(|(index, item)| {
                    let inside = Inside { before: place, token: Token::Index(index) };
                    let place = Place { inside: Some(&inside), ..place };
                    self.value(place, item).map_err(|error| error.under(index))
                })
                .collect(),
            // Leaves and odd keys have one JSON form, which is the codec's to say.
            Value::Map(map) if map.iter().all(|(key, _)| matches!(key, Value::Text(_))) => {
                let mut object = Map::new();
                for (key, value) in map {
                    let Value::Text(key) = key else { continue };
                    let inside = Inside { before: place, token: Token::Key(&key) };
                    let value = self.value(Place { inside: Some(&inside), ..place }, value);
                    let value = value.map_err(|error| error.under(&key))?;
                    object.insert(key, value);
                }
                Ok(Json::Object(object))
            }
            value => value.to_json(),
        }
    }

    fn show(&mut self, place: Place<'_>, image: Image) {
        let full_size = place.port.full_size;
        self.pictures.push(Picture { place: place.text(), source: Source::Pixels(image), full_size });
    }

    fn array(&self, array: Tensor) -> Json {
        let stub = json!({ "__ndarray__": OMITTED, "dtype": array.dtype().name(), "shape": array.shape() });
        self.with_resource(stub, Document::Array(array))
    }

    fn picture(&self, image: &Image) -> Result<Json, WireError> {
        let stub = json!({ "__image__": OMITTED, "width": image.width(), "height": image.height() });
        Ok(self.with_resource(stub, Document::Picture(image.to_png()?)))
    }

    /// Says where the data is, while it is kept.
    fn with_resource(&self, mut stub: Json, document: Document) -> Json {
        if let (Some(address), Some(stub)) = (self.keeper.keep(document), stub.as_object_mut()) {
            stub.insert("resource".to_owned(), address.into());
        }
        stub
    }
}
