//! A fire list: what a graph engine is to run next, in place of outputs (`wire.md` 7).

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::{Finding, Outputs, Reply, Stage, nearest};
use crate::Error;
use crate::decl::{FieldDecl, OutputShape};
use crate::wire::{self, Map, Value, WireError};

/// The key that makes a reply a fire list.
pub const FIRE_LIST: &str = "__firelist__";

/// What a graph engine is to run next, in place of outputs.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Looks at a scene from all sides.
/// #[nodeset(nodes(Around))]
/// #[derive(Default)]
/// struct Camera;
///
/// /// Takes pictures from several angles and joins them.
/// #[node]
/// struct Around {
///     /// How many.
///     views: u16,
/// }
///
/// impl Node<Camera> for Around {
///     type Output = FireList;
///     type Error = Error;
///
///     async fn run(self, _: &Camera, _: &Context) -> Result<FireList, Error> {
///         let views = (0..self.views).map(|view| {
///             Fire::new("studio__shoot").input("angle", 360.0 / f64::from(self.views) * f64::from(view))
///         });
///         Ok(FireList::new(views).output("views", self.views).aggregate(Aggregator::MergeAll))
///     }
/// }
/// ```
///
/// On `/call` it is the whole reply; over MCP, where nobody fires, the call is an error that says so. A function of the
/// nodeset's own that it names must exist.
#[derive(Clone, Debug, Default)]
pub struct FireList {
    fires: Vec<Fire>,
    outputs: Map,
    aggregator: Option<Aggregator>,
    fault: Option<WireError>,
}

/// One function to run, with its arguments.
#[derive(Clone, Debug)]
pub struct Fire {
    function: String,
    inputs: Map,
    config: Map,
    label: String,
    capture: Option<Vec<String>>,
    fault: Option<WireError>,
}

/// How the outputs of all that was fired become those of the node that fired it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aggregator {
    /// The outputs of the last one.
    PassthroughLast,
    /// The outputs of the one at this place.
    PassthroughIndex(usize),
    /// All outputs together.
    MergeAll,
    /// The outputs of another aggregator under other names: old name → new name.
    Rename(Box<Aggregator>, BTreeMap<String, String>),
}

impl FireList {
    /// Fires these, in order.
    pub fn new(fires: impl IntoIterator<Item = Fire>) -> Self {
        Self { fires: fires.into_iter().collect(), ..Self::default() }
    }

    /// Fires one more.
    #[must_use]
    pub fn fire(mut self, fire: Fire) -> Self {
        self.fires.push(fire);
        self
    }

    /// Sets an output of the node itself.
    #[must_use]
    pub fn output(mut self, port: &str, value: impl Serialize) -> Self {
        insert(&mut self.outputs, &mut self.fault, port, value);
        self
    }

    /// Says how the outputs are put together.
    #[must_use]
    pub fn aggregate(mut self, aggregator: Aggregator) -> Self {
        self.aggregator = Some(aggregator);
        self
    }

    fn into_value(self) -> Result<Value, WireError> {
        let Self { fires, outputs, aggregator, fault } = self;
        if let Some(fault) = fault {
            return Err(fault.under("spawner_outputs"));
        }
        let specs = fires.into_iter().enumerate().map(|(at, fire)| fire.into_value().map_err(|error| error.under(at)));
        let specs = specs.collect::<Result<Vec<_>, _>>().map_err(|error| error.under("specs"))?;
        Ok(object([
            ("specs", specs.into()),
            ("spawner_outputs", outputs.into()),
            ("aggregator", aggregator.map_or_else(|| Map::new().into(), Aggregator::into_value)),
        ]))
    }
}

impl Fire {
    /// A function by its full name, `{nodeset}__{node}`.
    pub fn new(function: impl Into<String>) -> Self {
        Self {
            function: function.into(),
            inputs: Map::new(),
            config: Map::new(),
            label: String::new(),
            capture: None,
            fault: None,
        }
    }

    /// Gives it a value for a port.
    #[must_use]
    pub fn input(mut self, port: &str, value: impl Serialize) -> Self {
        insert(&mut self.inputs, &mut self.fault, port, value);
        self
    }

    /// Gives it a value for a config field.
    #[must_use]
    pub fn config(mut self, field: &str, value: impl Serialize) -> Self {
        insert(&mut self.config, &mut self.fault, field, value);
        self
    }

    /// Names it for people.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// Keeps these outputs of it alone.
    #[must_use]
    pub fn capture(mut self, ports: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.capture = Some(ports.into_iter().map(Into::into).collect());
        self
    }

    fn into_value(self) -> Result<Value, WireError> {
        let Self { function, inputs, config, label, capture, fault } = self;
        if let Some(fault) = fault {
            return Err(fault);
        }
        Ok(object([
            ("node_type", function.into()),
            ("inputs", inputs.into()),
            ("config", config.into()),
            ("label", label.into()),
            ("capture_outputs", capture.map(|ports| ports.into_iter().map(Value::from).collect::<Value>()).into()),
        ]))
    }
}

impl Aggregator {
    fn into_value(self) -> Value {
        match self {
            Self::PassthroughLast => object([("kind", "passthrough_last".into())]),
            Self::PassthroughIndex(index) => object([("kind", "passthrough_index".into()), ("index", index.into())]),
            Self::MergeAll => object([("kind", "merge_all".into())]),
            Self::Rename(inner, names) => {
                let names: Map = names.into_iter().map(|(old, new)| (old, Value::from(new))).collect();
                object([("kind", "rename".into()), ("inner", inner.into_value()), ("map", names.into())])
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl Outputs for FireList {
    const SHAPE: OutputShape = OutputShape::FireList;
    const PORTS: &'static [FieldDecl] = &[];

    fn encode(self, reply: &mut Reply) -> Result<(), Error> {
        let list = self
            .into_value()
            .map_err(|error| Error::refused(vec![error.under(FIRE_LIST).into()]).stage_of(Stage::AdapterExecution))?;
        reply.push(list);
        Ok(())
    }
}

/// The functions that a fire list of the nodeset may name under the nodeset's prefix.
#[derive(Clone, Debug)]
pub struct OwnFunctions {
    /// What stands before `__` in their names; empty for none.
    pub prefix: Cow<'static, str>,
    /// Their full names.
    pub names: Vec<String>,
}

impl OwnFunctions {
    /// What is wrong with the names of a list; those of other nodesets are theirs to know.
    pub(super) fn findings(&self, list: &Value) -> Vec<Finding> {
        let fires = list.get("specs").and_then(Value::as_list).unwrap_or_default().iter().enumerate();
        let named = fires.filter_map(|(at, fire)| Some((at, fire.get("node_type")?.as_text()?)));
        let wrong = named.filter(|(_, name)| self.is_own(name) && !self.names.iter().any(|own| own == name));
        wrong.map(|(at, name)| self.unknown(at, name)).collect()
    }

    fn is_own(&self, name: &str) -> bool {
        match name.split_once("__") {
            Some((prefix, _)) => prefix == self.prefix,
            None => self.prefix.is_empty(),
        }
    }

    fn unknown(&self, at: usize, name: &str) -> Finding {
        let nearest = nearest(name, self.names.iter().map(String::as_str)).map(str::to_owned);
        let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
        Finding {
            kind: "bad_output",
            pointer: format!("/{FIRE_LIST}/specs/{at}/node_type"),
            detail: format!("the node fires `{name}`, and there is no such function{way_out}"),
            known: self.names.clone(),
            nearest,
            ..Finding::default()
        }
    }
}

/// Keeps the first fault for the end, so that a list is built in one expression.
fn insert(map: &mut Map, fault: &mut Option<WireError>, name: &str, value: impl Serialize) {
    match wire::to_value(&value) {
        Ok(value) => drop(map.insert(name, value)),
        Err(error) => drop(fault.get_or_insert(error.under(name))),
    }
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}
