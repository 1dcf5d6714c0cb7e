//! The panel as nodes of its nodeset, for whoever sees no `/env-panel/…`, such as a model (`wire.md` 8): the rows that
//! `panel_tools` adds.

use std::collections::BTreeMap;

use super::{Panel, PanelCheck, PanelMut, options};
use crate::Error;
use crate::call::{Args, Arguments, Context, Invalid, Node, NodeMut, input, unsaid};
use crate::decl::{FieldDecl, Hints, NodeDecl, PanelDecl, PanelKind, Source};
use crate::wire::{self, Value};

const SOURCE: Source = Source { file: file!(), line: line!() };

/// Says what the panel shows.
#[derive(Debug)]
pub struct ReadPanel;

/// Sets a field.
#[derive(Debug)]
pub struct SetPanel {
    field: String,
    value: Value,
}

/// Takes an action.
#[derive(Debug)]
pub struct ActOnPanel {
    action: String,
    params: Option<BTreeMap<String, Value>>,
}

// Who forgets `#[node]` is not helped by a list of these.
#[diagnostic::do_not_recommend]
impl Arguments for ReadPanel {
    const DECL: NodeDecl = NodeDecl::new("panel_state", "Says what the panel shows.", SOURCE)
        .mcp_only()
        .hints(Hints { read_only: Some(true), ..Hints::NONE });

    fn decode(_: &mut Args) -> Result<Self, Invalid> {
        Ok(Self)
    }
}

#[diagnostic::do_not_recommend]
impl Arguments for SetPanel {
    const DECL: NodeDecl =
        NodeDecl::new("panel_set", "Sets a field of the panel, and says what it shows then.", SOURCE)
            .mcp_only()
            .fields(&[
                FieldDecl::port("field", "Name of the field.", "String", input::<String>()),
                FieldDecl::port("value", "What it is set to.", "Value", input::<Value>()),
            ]);

    fn decode(args: &mut Args) -> Result<Self, Invalid> {
        Ok(Self { field: args.take()?, value: args.take()? })
    }
}

#[diagnostic::do_not_recommend]
impl Arguments for ActOnPanel {
    const DECL: NodeDecl = NodeDecl::new("panel_action", "Takes an action of the panel.", SOURCE).mcp_only().fields(&[
        FieldDecl::port("action", "Name of the action.", "String", input::<String>()),
        FieldDecl::port(
            "params",
            "What it needs to know.",
            "Option<BTreeMap<String, Value>>",
            input::<Option<BTreeMap<String, Value>>>(),
        ),
    ]);

    fn decode(args: &mut Args) -> Result<Self, Invalid> {
        Ok(Self { action: args.take()?, params: args.take()? })
    }
}

impl<S: Panel> Node<S> for ReadPanel {
    type Output = Value;
    type Error = Error;

    async fn run(self, set: &S, cx: &Context) -> Result<Value, Error> {
        wire::to_value(&set.state(cx).await?).map_err(unsaid)
    }
}

impl<S: PanelMut> NodeMut<S> for ReadPanel {
    type Output = Value;
    type Error = Error;

    async fn run(self, set: &mut S, cx: &Context) -> Result<Value, Error> {
        wire::to_value(&set.state(cx).await?).map_err(unsaid)
    }
}

impl<S: Panel> Node<S> for SetPanel {
    type Output = Value;
    type Error = Error;

    async fn run(self, set: &S, cx: &Context) -> Result<Value, Error> {
        self.check(S::PANEL, set.options(&self.field, cx)).await?;
        set.set(&self.field, self.value, cx).await?;
        wire::to_value(&set.state(cx).await?).map_err(unsaid)
    }
}

impl<S: PanelMut> NodeMut<S> for SetPanel {
    type Output = Value;
    type Error = Error;

    async fn run(self, set: &mut S, cx: &Context) -> Result<Value, Error> {
        self.check(S::PANEL, set.options(&self.field, cx)).await?;
        set.set(&self.field, self.value, cx).await?;
        wire::to_value(&set.state(cx).await?).map_err(unsaid)
    }
}

impl SetPanel {
    /// Whether the panel has the field, and the field takes the value.
    async fn check(
        &self,
        panel: PanelDecl,
        asked: impl Future<Output = Result<Vec<(String, String)>, Error>>,
    ) -> Result<(), Error> {
        let check = PanelCheck(&panel);
        let field = check.field(&self.field)?;
        let options = match field.kind {
            PanelKind::Select(_) => options(panel, &self.field, asked).await?,
            PanelKind::Number { .. } | PanelKind::Text { .. } | PanelKind::Slider { .. } => Vec::new(),
        };
        check.takes(field, &self.value, &options)
    }
}

impl<S: Panel> Node<S> for ActOnPanel {
    type Output = Value;
    type Error = Error;

    async fn run(self, set: &S, cx: &Context) -> Result<Value, Error> {
        let declared = PanelCheck(&S::PANEL).action(&self.action)?.side_effect;
        let params = self.params.into_iter().flatten().collect();
        Ok(set.act(&self.action, params, cx).await?.told(cx.containers(), declared).into())
    }
}

impl<S: PanelMut> NodeMut<S> for ActOnPanel {
    type Output = Value;
    type Error = Error;

    async fn run(self, set: &mut S, cx: &Context) -> Result<Value, Error> {
        let declared = PanelCheck(&S::PANEL).action(&self.action)?.side_effect;
        let params = self.params.into_iter().flatten().collect();
        Ok(set.act(&self.action, params, cx).await?.told(cx.containers(), declared).into())
    }
}
