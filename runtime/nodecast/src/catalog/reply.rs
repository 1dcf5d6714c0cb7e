//! A reply as one body, which faces that carry whole bodies share (`wire.md` 2.4 and 7).

use super::Entry;
use crate::Error;
use crate::call::{FIRE_LIST, Reply, unsaid};
use crate::decl::OutputShape;
use crate::wire::{Map, Regime, Value, WireError};

impl Entry {
    /// The body of a reply: an object whose one member holds the outputs by port, or the fire list.
    ///
    /// Fails where the reply tells of a failure.
    pub fn body(&self, reply: Reply, regime: Regime) -> Result<Value, Error> {
        let values = reply.succeeded()?.into_values();
        let body: Map = match self.shape {
            OutputShape::FireList => [FIRE_LIST].into_iter().zip(values).collect(),
            OutputShape::Ports | OutputShape::Content => {
                let mut outputs = Map::with_capacity(values.len());
                for (port, value) in self.outputs.iter().zip(values) {
                    let value = match value {
                        Value::List(items) if regime == Regime::Json && &*port.wire_type == "LIST[IMAGE]" => {
                            as_arrays(items).map_err(|error| unsaid(error.under(&port.name).under("outputs")))?
                        }
                        value => value,
                    };
                    outputs.push(&*port.name, value);
                }
                [("outputs", Value::Map(outputs))].into_iter().collect()
            }
        };
        Ok(body.into())
    }
}

/// In a list, clients of `/call` read pictures as marked arrays alone (`wire.md` 4.3).
fn as_arrays(items: Vec<Value>) -> Result<Value, WireError> {
    let arrays = items.into_iter().enumerate().map(|(at, item)| match item {
        Value::Image(image) => image.to_array().map(Value::Array).map_err(|error| error.under(at)),
        item => Ok(item),
    });
    arrays.collect::<Result<Vec<_>, _>>().map(Value::List)
}
