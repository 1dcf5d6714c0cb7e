//! A reply as one body, which faces that carry whole bodies share (`wire.md` 2.4 and 7).

use super::Entry;
use crate::Error;
use crate::call::{FIRE_LIST, Reply, unsaid};
use crate::decl::OutputShape;
use crate::wire::{Layout, Regime, Value, WireError};

impl Entry {
    /// The body of a reply: an object whose one member holds the outputs by port, or the fire list.
    ///
    /// Fails where the reply tells of a failure.
    pub fn body(&self, reply: Reply, regime: Regime) -> Result<Value, Error> {
        self.write(reply, regime, None, |body| Ok(body.into()))
    }

    /// Lets `write` write that body where its values lie, with a preview of the containers beside the outputs.
    pub fn write<T>(
        &self,
        reply: Reply,
        regime: Regime,
        containers: Option<&Value>,
        write: impl FnOnce(Layout<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut values = reply.succeeded()?.into_values();
        if self.shape == OutputShape::FireList {
            let members: Vec<_> = [FIRE_LIST].into_iter().zip(values.iter().map(Layout::Value)).collect();
            return write(Layout::Object(&members));
        }
        if regime == Regime::Json {
            for (port, value) in self.outputs.iter().zip(&mut values) {
                if let Value::List(items) = value
                    && &*port.wire_type == "LIST[IMAGE]"
                {
                    as_arrays(items).map_err(|error| unsaid(error.under(&port.name).under("outputs")))?;
                }
            }
        }
        let ports = self.outputs.iter().zip(&values);
        let outputs: Vec<_> = ports.map(|(port, value)| (&*port.name, Layout::Value(value))).collect();
        let outputs = ("outputs", Layout::Object(&outputs));
        match containers {
            None => write(Layout::Object(&[outputs])),
            Some(preview) => write(Layout::Object(&[outputs, ("containers", Layout::Value(preview))])),
        }
    }
}

/// In a list, clients of `/call` read pictures as marked arrays alone (`wire.md` 4.3).
fn as_arrays(items: &mut [Value]) -> Result<(), WireError> {
    for (at, item) in items.iter_mut().enumerate() {
        if let Value::Image(image) = item {
            *item = Value::Array(image.to_array().map_err(|error| error.under(at))?);
        }
    }
    Ok(())
}
