//! A catalog with what runs it: the one way into a call for every face.

use std::sync::Arc;

use super::offered::Offered;
use super::{Catalog, Entry, Field, Names};
use crate::Error;
use crate::call::{
    Context, Dropped, FieldCheck, FieldChecks, InputCheck, OutputCheck, OwnFunctions, PanelAnswer, PanelAsk,
    RawArguments, Reply, ReplyCheck, Runner, Signature, Stage, Target, Validator, aside, invoke, nearest_named,
};
use crate::decl::OutputShape;
use crate::schema::{self, SchemaSource};
use crate::wire::{self, Regime, Value};

/// A served catalog. Cheap to clone.
#[derive(Clone)]
pub struct Service {
    pub(super) catalog: Arc<Catalog>,
    names: Arc<Names>,
    signatures: Arc<[Arc<Signature>]>,
    pub(super) offered: Arc<Offered>,
    pub(super) runner: Arc<dyn Runner>,
}

impl Service {
    /// Serves `catalog` through `runner`, which runs the entry at an index of the list.
    ///
    /// Fails with type `bad_declaration` when a schema cannot be checked against, or a default breaks its own.
    pub fn new(catalog: Arc<Catalog>, runner: Arc<dyn Runner>) -> Result<Self, Error> {
        let mut checks = FieldChecks::default();
        let signatures = catalog.entries.iter().map(|entry| signature(&catalog, entry, &mut checks).map(Arc::new));
        let signatures = signatures.collect::<Result<_, _>>()?;
        let offered = Arc::new(Offered::new(&catalog, &mut checks)?);
        let names = Arc::new(Names::of(&catalog));
        Ok(Self { catalog, names, signatures, offered, runner })
    }

    /// Drops arguments that are not declared, and takes text of config fields for the number or the bool that it spells:
    /// graphs of the reference implementation rely on both (`wire.md` 9.3).
    #[must_use]
    pub fn lenient(mut self) -> Self {
        // Nobody has a clone yet; to whoever had, nothing would change.
        let signatures = Arc::get_mut(&mut self.signatures).into_iter().flatten().filter_map(Arc::get_mut);
        for (entry, signature) in self.catalog.entries.iter().zip(signatures) {
            signature.lenient = Some(Dropped::default());
            let fields = entry.inputs.iter().filter(|field| !field.is_label());
            for (field, input) in fields.zip(&mut signature.inputs).filter(|(_, input)| input.config) {
                input.coerce |= !schema::takes_text(field.checked_json.as_ref().unwrap_or(&field.checked));
            }
        }
        self
    }

    /// What is served.
    pub fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// What runs it.
    pub fn runner(&self) -> &Arc<dyn Runner> {
        &self.runner
    }

    /// Calls an entry by its full name: checks the arguments, runs it, checks the reply.
    ///
    /// Every failure is an [`Error`] with its stage, an unknown name (`unknown_function`) and a panic of the node
    /// included.
    pub async fn call(&self, function: &str, arguments: RawArguments, cx: &Context) -> Result<Reply, Error> {
        self.call_as(function, Ok(arguments), cx, |_, reply| reply.succeeded()).await
    }

    /// The same with a first and a last step of the face: what it read of the message, and what it makes of the reply. A
    /// failure of either is the call's.
    pub async fn call_as<T: Send + 'static>(
        &self,
        function: &str,
        arguments: Result<RawArguments, Error>,
        cx: &Context,
        dress: impl FnOnce(&Entry, Reply) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let found = self.names.place(function);
        let found = found.and_then(|index| Some((index, self.signatures.get(index)?)));
        let Some((index, signature)) = found else { return Err(self.unknown(function)) };
        let catalog = self.catalog.clone();
        let dress = move |reply| match catalog.entries.get(index) {
            Some(entry) => dress(entry, reply),
            None => Err(disagree()),
        };
        invoke(function, signature, (self.runner.as_ref(), Target::Node(index)), arguments, cx, dress).await
    }

    /// Asks the panel of the nodeset.
    pub async fn panel(&self, ask: PanelAsk, cx: &Context) -> Result<PanelAnswer, Error> {
        aside(&self.catalog.name, self.runner.as_ref(), ask, cx).await
    }

    fn unknown(&self, function: &str) -> Error {
        let known: Vec<String> = self.catalog.entries.iter().map(|entry| entry.full_name.to_string()).collect();
        let nearest = nearest_named(function, known.iter().map(String::as_str)).map(str::to_owned);
        let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
        Error::refused(vec![crate::call::Finding {
            kind: "unknown_function",
            detail: format!("`{}` has no node `{function}`{way_out}", self.catalog.name),
            known,
            nearest,
            ..Default::default()
        }])
    }
}

pub(super) fn signature(catalog: &Catalog, entry: &Entry, checks: &mut FieldChecks) -> Result<Signature, Error> {
    let inputs = entry.inputs.iter().filter(|field| !field.is_label()).map(|field| {
        let check = checks.of(&field.checked, field.checked_json.as_ref());
        let check = check.map_err(|problem| defect(entry, field, &problem))?;
        let (name, config, optional) = (field.name.clone(), field.config.is_some(), field.optional);
        let in_json = field.checked_json.as_ref().unwrap_or(&field.checked);
        let (expected, coerce) = (schema::expected(in_json), catalog.coerce && !schema::takes_text(in_json));
        let default = default(entry, field, &check)?;
        Ok::<_, Error>(InputCheck { name, config, optional, coerce, default, expected, check })
    });
    let outputs = entry.outputs.iter().map(|field| {
        let validator = Validator::new(&field.checked).map_err(|problem| defect(entry, field, &problem))?;
        Ok::<_, Error>(OutputCheck { name: field.name.clone(), form: field.form, validator })
    });
    let outputs = match entry.shape {
        OutputShape::Ports | OutputShape::Content => ReplyCheck::Ports(outputs.collect::<Result<_, Error>>()?),
        OutputShape::FireList => ReplyCheck::FireList(OwnFunctions {
            prefix: catalog.prefix.clone(),
            names: catalog.functions().map(|entry| entry.full_name.to_string()).collect(),
        }),
    };
    let whole = match entry.schema_source {
        SchemaSource::Types => None,
        SchemaSource::Hand => Some(Validator::new(&entry.input_schema).map_err(|problem| {
            let sentence = format!("node `{}`: {problem}", entry.full_name);
            Error::at(Stage::InternalRuntime, "bad_declaration", sentence)
        })?),
    };
    let inputs = inputs.collect::<Result<_, Error>>()?;
    Ok(Signature { inputs, whole, outputs, show_errors: catalog.show_errors, lenient: None })
}

/// The default as a node gets it; it stands in the declaration as JSON carries it.
fn default(entry: &Entry, field: &Field, check: &FieldCheck) -> Result<Option<Value>, Error> {
    let Some(default) = field.config.as_ref().and_then(|config| config.default.as_ref()) else { return Ok(None) };
    let mut default = wire::to_value(default).map_err(|error| defect(entry, field, &error.detail))?;
    if let Some(finding) = check.findings(&default, Regime::Json).into_iter().next() {
        let problem = format!("the default breaks the field's own schema: {}", finding.detail);
        return Err(defect(entry, field, &problem));
    }
    check.read(&mut default, Regime::Json);
    Ok(Some(default))
}

/// Places in one list of the catalog are places in the other, so this is out of reach.
pub(super) fn disagree() -> Error {
    Error::at(Stage::InternalRuntime, "defect", "the catalog and its signatures disagree")
}

fn defect(entry: &Entry, field: &Field, problem: &str) -> Error {
    let sentence = format!("node `{}`, field `{}`: {problem}", entry.full_name, field.name);
    Error::at(Stage::InternalRuntime, "bad_declaration", sentence)
}
