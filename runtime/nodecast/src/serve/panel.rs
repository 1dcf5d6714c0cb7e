//! `/env-panel/…`: what people see of a nodeset beside a graph, and set and do there (`wire.md` 8). JSON both ways.

use std::sync::Arc;

use axum::extract::{Extension, Request, State};
use axum::response::Response;
use http::StatusCode;
use serde_json::{Value as Json, json};

use super::codec::{decode, not_a_map};
use super::containers::{Segment, in_json, segment};
use super::edge::Principal;
use super::error::{Failure, reply};
use super::face::Face;
use super::server::Hosted;
use super::{body, lease};
use crate::Error;
use crate::call::{Done, Finding, PanelAnswer, PanelAsk, PanelCheck, panel_document, unsaid};
use crate::decl::{PanelDecl, PanelField, PanelKind, SideEffect};
use crate::session::InFlight;
use crate::wire::{Map, Regime, Value};

/// `GET /env-panel/info`.
pub(super) async fn info(State(face): State<Arc<Face>>) -> Response {
    answered(panel(&face).map(|(hosted, panel)| panel_document(hosted.name(), panel)))
}

/// `GET /env-panel/state`.
pub(super) async fn state(State(face): State<Arc<Face>>) -> Response {
    let asked = async {
        let (hosted, _) = panel(&face)?;
        said(ask(&face, hosted, PanelAsk::State).await?)
    };
    answered(asked.await)
}

/// `GET /env-panel/options/{field}`.
pub(super) async fn options(State(face): State<Arc<Face>>, field: Segment) -> Response {
    let field = segment(field);
    let asked = async {
        let (hosted, panel) = panel(&face)?;
        match PanelCheck(panel).field(&field) {
            Ok(field) => said(ask(&face, hosted, PanelAsk::Options(field.name.to_owned())).await?),
            // The reference knows no field that it does not know.
            Err(_) if face.server.options.reference => Ok(json!([])),
            Err(unknown) => Err(unknown.into()),
        }
    };
    answered(asked.await)
}

/// `POST /env-panel/field/{field}`.
pub(super) async fn set(
    State(face): State<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    name: Segment,
    request: Request,
) -> Response {
    let name = segment(name);
    let asked = async {
        let (hosted, panel) = panel(&face)?;
        let (mut sent, _in_flight) = sent(&face, hosted, &principal, request).await?;
        let value = sent.remove("value").unwrap_or_default();
        match PanelCheck(panel).field(&name) {
            Ok(field) => check(&face, hosted, panel, field, &value).await?,
            Err(_) if face.server.options.reference => {}
            Err(unknown) => return Err(unknown.into()),
        }
        said(ask(&face, hosted, PanelAsk::Set(name, value)).await?)
    };
    answered(asked.await)
}

/// `POST /env-panel/action/{action}`.
pub(super) async fn act(
    State(face): State<Arc<Face>>,
    Extension(principal): Extension<Principal>,
    name: Segment,
    request: Request,
) -> Response {
    let name = segment(name);
    let asked = async {
        let (hosted, panel) = panel(&face)?;
        let (mut sent, _in_flight) = sent(&face, hosted, &principal, request).await?;
        let params = match sent.remove("params") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Map(params)) => params,
            Some(_) => return Err(not_a_map("`params`", "/params".to_owned()).into()),
        };
        let declared = match PanelCheck(panel).action(&name) {
            Ok(action) => action.side_effect,
            Err(_) if face.server.options.reference => SideEffect::None,
            Err(unknown) => return Err(unknown.into()),
        };
        match ask(&face, hosted, PanelAsk::Act(name, params)).await? {
            PanelAnswer::Done(done) => {
                Ok(Value::from(done.told(&hosted.containers, declared)).to_json().map_err(unsaid)?)
            }
            other => said(other),
        }
    };
    answered(asked.await)
}

/// The panel of the one nodeset of a face.
fn panel(face: &Face) -> Result<(&Hosted, &PanelDecl), Failure> {
    let found = face.only().and_then(|hosted| Some((hosted, hosted.catalog.panel.as_ref()?)));
    found.ok_or_else(|| {
        Error::refused(vec![Finding {
            kind: crate::call::NOT_FOUND,
            detail: "there is no panel here".to_owned(),
            ..Finding::default()
        }])
        .into()
    })
}

/// What was sent, and what keeps the lease from idling while it is done.
async fn sent(
    face: &Face,
    hosted: &Hosted,
    principal: &Principal,
    request: Request,
) -> Result<(Map, Option<InFlight>), Failure> {
    let options = &face.server.options;
    let (parts, body) = request.into_parts();
    let let_in = || -> Result<_, Failure> {
        face.server.life.admit()?;
        in_json(&parts.headers, options.reference)?;
        lease::gate(hosted, &parts.headers, principal)
    };
    let (pass, body) = body::kept_if(let_in(), &parts.headers, body).await?;
    let bytes = body::read(&face.server.life, &parts.headers, body, ("--max-body", options.max_body)).await?;
    let in_flight = lease::begin(hosted, pass)?;
    Ok((decode(bytes, Regime::Json, options).await?, in_flight))
}

async fn ask(face: &Face, hosted: &Hosted, ask: PanelAsk) -> Result<PanelAnswer, Error> {
    face.server.panel(hosted, ask).await
}

/// Whether a field takes a value; a select may know its options only when it is asked.
async fn check(
    face: &Face,
    hosted: &Hosted,
    panel: &PanelDecl,
    field: &PanelField,
    value: &Value,
) -> Result<(), Error> {
    let options = match field.kind {
        PanelKind::Select(_) => match ask(face, hosted, PanelAsk::Options(field.name.to_owned())).await? {
            PanelAnswer::Options(options) => options,
            PanelAnswer::State(_) | PanelAnswer::Done(_) => Vec::new(),
        },
        PanelKind::Number { .. } | PanelKind::Text { .. } | PanelKind::Slider { .. } => Vec::new(),
    };
    PanelCheck(panel).takes(field, value, &options)
}

fn said(answer: PanelAnswer) -> Result<Json, Failure> {
    Ok(match answer {
        PanelAnswer::State(state) => state.to_json().map_err(unsaid)?,
        PanelAnswer::Options(options) => {
            options.into_iter().map(|(value, label)| json!({ "value": value, "label": label })).collect()
        }
        PanelAnswer::Done(Done { ok, .. }) => json!({ "ok": ok }),
    })
}

fn answered(answer: Result<Json, Failure>) -> Response {
    match answer {
        Ok(answer) => reply(Regime::Json, StatusCode::OK, answer.to_string()),
        Err(failure) => failure.in_regime(Regime::Json),
    }
}
