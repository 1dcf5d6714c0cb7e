//! The calls of resources and prompts, and their completion, by the same path as those of nodes.

use std::sync::Arc;

use super::service::disagree;
use super::template::Template;
use super::{Argument, Catalog, Completion, Prompt, Resource, Service};
use crate::Error;
use crate::call::{
    Context, FieldChecks, Finding, InputCheck, NOT_FOUND, Offer, Partial, RawArguments, Reply, ReplyCheck, Signature,
    Stage, Target, complete, invoke, nearest_named,
};
use crate::schema;

/// How what is offered beside nodes is found and checked.
#[derive(Debug)]
pub(super) struct Offered {
    resources: Vec<(Template, Arc<Signature>)>,
    prompts: Vec<Arc<Signature>>,
}

impl Offered {
    /// Fails with type `bad_declaration` when a template is none, or a schema cannot be checked against.
    pub(super) fn new(catalog: &Catalog, checks: &mut FieldChecks) -> Result<Self, Error> {
        let resources = catalog.resources.iter().map(|resource| -> Result<_, Error> {
            let template = Template::new(&resource.uri)
                .map_err(|problem| defect(&format!("resource `{}`: its URI: {problem}", resource.full_name)))?;
            let mut fields: Vec<&str> = resource.arguments.iter().map(|argument| &*argument.name).collect();
            let mut variables: Vec<&str> = template.variables().collect();
            fields.sort_unstable();
            variables.sort_unstable();
            if fields != variables {
                let problem = "the variables of its URI are not its arguments";
                return Err(defect(&format!("resource `{}`: {problem}", resource.full_name)));
            }
            Ok((template, Arc::new(signature(catalog, &resource.full_name, &resource.arguments, checks)?)))
        });
        let resources = resources.collect::<Result<_, _>>()?;
        let prompts = catalog.prompts.iter();
        let prompts =
            prompts.map(|prompt| signature(catalog, &prompt.full_name, &prompt.arguments, checks).map(Arc::new));
        Ok(Self { resources, prompts: prompts.collect::<Result<_, _>>()? })
    }
}

/// What is completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// A variable of the template with this text.
    Resource(&'a str),
    /// An argument of the prompt of this full name.
    Prompt(&'a str),
}

impl Catalog {
    /// The prompt of this full name, with its place in the list.
    pub fn prompt(&self, full_name: &str) -> Option<(usize, &Prompt)> {
        self.prompts.iter().enumerate().find(|(_, prompt)| prompt.full_name == full_name)
    }

    /// The argument that is completed, and what it belongs to.
    pub fn completed(&self, reference: Reference<'_>, argument: &str) -> Option<(Offer, &str, usize, &Argument)> {
        let (offer, name, arguments) = match reference {
            Reference::Resource(uri) => {
                let (index, resource) = self
                    .resources
                    .iter()
                    .enumerate()
                    .find(|(_, resource)| resource.is_template() && resource.uri == uri)?;
                (Offer::Resource(index), &*resource.full_name, &resource.arguments)
            }
            Reference::Prompt(name) => {
                let (index, prompt) = self.prompt(name)?;
                (Offer::Prompt(index), &*prompt.full_name, &prompt.arguments)
            }
        };
        let (index, argument) = arguments.iter().enumerate().find(|(_, known)| known.name == argument)?;
        Some((offer, name, index, argument))
    }
}

impl Service {
    /// Whether there is a resource of this URI; a URI that a template makes may still lead nowhere.
    pub fn has_resource(&self, uri: &str) -> bool {
        self.resource(uri).is_some()
    }

    /// Whether a document of this URI can be watched.
    pub fn can_watch(&self, uri: &str) -> bool {
        self.resource(uri)
            .is_some_and(|(index, values)| values.is_empty() || self.runner.leads(Offer::Resource(index), uri))
    }

    /// Reads a resource by its URI, and lets the face make its answer of the reply.
    ///
    /// A URI that is none of this catalog's is an error of type `not_found`.
    pub async fn read_as<T: Send + 'static>(
        &self,
        uri: &str,
        cx: &Context,
        dress: impl FnOnce(&Resource, Reply) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let Some((index, values)) = self.resource(uri) else {
            return Err(Error::not_found(format!("`{}` has no resource `{uri}`", self.catalog.name)));
        };
        let found = self.catalog.resources.get(index).zip(self.offered.resources.get(index));
        let (resource, (_, signature)) = found.ok_or_else(|| defect("the catalog and its templates disagree"))?;
        let target = Target::Offer(Offer::Resource(index));
        let arguments = Ok(RawArguments::Spelled(values));
        let catalog = self.catalog.clone();
        let dress = move |reply| match catalog.resources.get(index) {
            Some(resource) => dress(resource, reply),
            None => Err(disagree()),
        };
        invoke(&resource.full_name, signature, (self.runner.as_ref(), target), arguments, cx, dress).await
    }

    /// Makes the messages of a prompt, by its full name, and lets the face make its answer of the reply.
    ///
    /// An unknown name is an error of type `not_found`.
    pub async fn prompt_as<T: Send + 'static>(
        &self,
        prompt: &str,
        arguments: Result<RawArguments, Error>,
        cx: &Context,
        dress: impl FnOnce(&Prompt, Reply) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let found = self.catalog.prompt(prompt);
        let found = found.and_then(|(index, found)| Some((index, found, self.offered.prompts.get(index)?)));
        let Some((index, found, signature)) = found else {
            let known: Vec<String> = self.catalog.prompts.iter().map(|prompt| prompt.full_name.to_string()).collect();
            let detail = format!("`{}` has no prompt `{prompt}`", self.catalog.name);
            return Err(unknown(detail, prompt, known));
        };
        let target = Target::Offer(Offer::Prompt(index));
        let catalog = self.catalog.clone();
        let dress = move |reply| match catalog.prompts.get(index) {
            Some(prompt) => dress(prompt, reply),
            None => Err(disagree()),
        };
        invoke(&found.full_name, signature, (self.runner.as_ref(), target), arguments, cx, dress).await
    }

    /// What an argument could become, the likeliest first.
    ///
    /// An argument that is not completed has no values; an unknown one is an error of type `not_found`.
    pub async fn complete(
        &self,
        reference: Reference<'_>,
        partial: &Partial,
        cx: &Context,
    ) -> Result<Vec<String>, Error> {
        let Some((offer, name, index, argument)) = self.catalog.completed(reference, partial.argument()) else {
            let what = match reference {
                Reference::Resource(uri) => format!("template `{uri}` with a variable"),
                Reference::Prompt(name) => format!("prompt `{name}` with an argument"),
            };
            return Err(Error::not_found(format!("`{}` has no {what} `{}`", self.catalog.name, partial.argument())));
        };
        match &argument.completion {
            Completion::None => Ok(Vec::new()),
            Completion::Known(values) => Ok(partial.matching(values)),
            Completion::Asked => complete(name, (self.runner.as_ref(), offer, index), partial, cx).await,
        }
    }

    /// The resource of a URI and the values of its variables; one without variables before a template.
    fn resource(&self, uri: &str) -> Option<(usize, Vec<(String, String)>)> {
        let mut found = None;
        for (index, (template, _)) in self.offered.resources.iter().enumerate() {
            match template.values(uri) {
                Some(values) if values.is_empty() => return Some((index, values)),
                Some(values) if found.is_none() => found = Some((index, values)),
                Some(_) | None => {}
            }
        }
        found
    }
}

fn unknown(detail: String, name: &str, known: Vec<String>) -> Error {
    let nearest = nearest_named(name, known.iter().map(String::as_str)).map(str::to_owned);
    let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    Error::refused(vec![Finding {
        kind: NOT_FOUND,
        detail: format!("{detail}{way_out}"),
        known,
        nearest,
        ..Finding::default()
    }])
}

fn signature(
    catalog: &Catalog,
    owner: &str,
    arguments: &[Argument],
    checks: &mut FieldChecks,
) -> Result<Signature, Error> {
    let inputs = arguments.iter().map(|argument| {
        let Argument { name, checked, checked_text, optional, .. } = argument;
        let check = checks
            .of(checked, checked_text.as_ref())
            .map_err(|problem| defect(&format!("`{owner}`, argument `{name}`: {problem}")))?;
        let expected = schema::expected(checked);
        Ok::<_, Error>(InputCheck {
            name: name.clone(),
            config: false,
            optional: *optional,
            default: None,
            expected,
            coerce: false,
            check,
        })
    });
    let inputs = inputs.collect::<Result<_, _>>()?;
    Ok(Signature { inputs, whole: None, outputs: ReplyCheck::Made, show_errors: catalog.show_errors, lenient: None })
}

fn defect(sentence: &str) -> Error {
    Error::at(Stage::InternalRuntime, "bad_declaration", sentence)
}
