//! The crates that are compared: the same tools, once as nodes and once as rmcp tools.

/// Who declares the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Nodes of a nodeset.
    Nodecast,
    /// Methods with `#[tool]`.
    Rmcp,
}

/// What a tool takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Shape {
    /// Three scalars.
    Scalars,
    /// Three scalars, and a struct of its own with three more.
    Nested,
}

/// What the crate is built to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Be called in the process.
    Library,
    /// Serve over HTTP.
    Server,
}

/// The tools of one pair of crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tools {
    /// What each takes.
    pub(crate) shape: Shape,
    /// How many there are.
    pub(crate) count: usize,
}

/// One generated package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Who declares the tools.
    pub(crate) side: Side,
    /// Which tools.
    pub(crate) tools: Tools,
    /// What it is built to do.
    pub(crate) reach: Reach,
}

impl Side {
    /// Both, in the order of the table.
    pub(crate) const ALL: [Self; 2] = [Self::Nodecast, Self::Rmcp];

    /// As shown.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Nodecast => "nodecast",
            Self::Rmcp => "rmcp",
        }
    }
}

impl Shape {
    /// As shown.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scalars => "scalars",
            Self::Nested => "nested",
        }
    }
}

impl Package {
    /// Its name.
    pub(crate) fn name(self) -> String {
        let Self { side, tools: Tools { shape, count }, reach } = self;
        let served = if reach == Reach::Server { "-served" } else { "" };
        format!("{}-{}-{count}{served}", side.name(), shape.name())
    }

    /// Its manifest; `nodecast` is the path of our runtime.
    pub(crate) fn manifest(self, nodecast: &str) -> String {
        let dependencies = match (self.side, self.reach) {
            (Side::Nodecast, Reach::Library) => format!("nodecast = {{ path = {nodecast:?} }}\n{DERIVES}"),
            (Side::Nodecast, Reach::Server) => {
                format!("nodecast = {{ path = {nodecast:?}, features = [\"serve\"] }}\n{DERIVES}")
            }
            (Side::Rmcp, Reach::Library) => rmcp(&["server", "macros"]),
            (Side::Rmcp, Reach::Server) => {
                let features = ["server", "macros", "transport-streamable-http-server", "transport-io"];
                format!("axum = \"0.8\"\ntokio = {{ version = \"1\", features = [\"full\"] }}\n{}", rmcp(&features))
            }
        };
        format!("[package]\nname = \"{}\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}", self.name())
    }

    /// Its one file; `edit` changes the body of the first tool.
    pub(crate) fn source(self, edit: usize) -> String {
        let Self { side, tools: Tools { shape, count }, reach: _ } = self;
        match side {
            Side::Nodecast => ours(shape, count, edit),
            Side::Rmcp => peer(shape, count, edit),
        }
    }
}

/// What a struct of the user's own needs on either side.
const DERIVES: &str = "schemars = \"1\"\nserde = { version = \"1\", features = [\"derive\"] }\n";

fn rmcp(features: &[&str]) -> String {
    format!("rmcp = {{ version = \"3.11\", default-features = false, features = {features:?} }}\n{DERIVES}")
}

fn ours(shape: Shape, nodes: usize, edit: usize) -> String {
    let listed: Vec<_> = (0..nodes).map(|index| format!("Tool{index}")).collect();
    let mut text = format!(
        "use nodecast::prelude::*;\n\n\
         /// A hundred ways to measure a text.\n\
         #[nodeset(name = \"bench\", nodes({}))]\n\
         #[derive(Default)]\n\
         pub struct Bench;\n\n\
         // A table that nothing names is never compiled.\n\
         pub fn table() -> &'static nodecast::call::Table<Bench> {{ <Bench as nodecast::Nodeset>::TABLE }}\n",
        listed.join(", ")
    );
    if shape == Shape::Nested {
        text.push_str("use schemars::JsonSchema;\nuse serde::Deserialize;\n");
    }
    each(&mut text, nodes, edit, &shaped(shape, OURS));
    text
}

const OURS: &str = "
/// Measures a text in way @.
#[node(read_only)]
pub struct Tool@ {
    /// How often to repeat it.
    count: i64,
    /// By how much to scale.
    factor: f64,
    /// The text.
    text: String,%field%
}
%type%
#[derive(Outputs)]
pub struct Result@ {
    /// Length in bytes.
    length: i64,
    /// Scaled length.
    scaled: f64,
    /// The text, marked.
    marked: String,
}

impl Node<Bench> for Tool@ {
    type Output = Result@;
    type Error = Error;

    async fn run(self, _: &Bench, _: &Context) -> Result<Result@, Error> {
        let length = self.count + self.text.len() as i64 + $%self%;
        Ok(Result@ { length, scaled: self.factor * length as f64, marked: self.text })
    }
}
";

fn peer(shape: Shape, nodes: usize, edit: usize) -> String {
    let mut text = "use rmcp::handler::server::router::tool::ToolRouter;\n\
        use rmcp::handler::server::wrapper::Parameters;\n\
        use rmcp::{ErrorData, Json, tool, tool_router};\n\
        use schemars::JsonSchema;\n\
        use serde::{Deserialize, Serialize};\n\n\
        /// A hundred ways to measure a text.\n\
        #[derive(Clone, Default)]\n\
        pub struct Bench;\n\n\
        pub fn router() -> ToolRouter<Bench> { Bench::tool_router() }\n"
        .to_owned();
    each(&mut text, nodes, edit, &shaped(shape, PEER_TYPES));
    text.push_str("\n#[tool_router]\nimpl Bench {");
    each(&mut text, nodes, edit, &shaped(shape, PEER_METHOD));
    text.push_str("}\n");
    text
}

const PEER_TYPES: &str = "
#[derive(Deserialize, JsonSchema)]
pub struct Tool@ {
    /// How often to repeat it.
    count: i64,
    /// By how much to scale.
    factor: f64,
    /// The text.
    text: String,%field%
}
%type%
#[derive(Serialize, JsonSchema)]
pub struct Result@ {
    /// Length in bytes.
    length: i64,
    /// Scaled length.
    scaled: f64,
    /// The text, marked.
    marked: String,
}
";

const PEER_METHOD: &str = "
    /// Measures a text in way @.
    #[tool(annotations(read_only_hint = true))]
    pub async fn tool@(&self, Parameters(tool): Parameters<Tool@>) -> Result<Json<Result@>, ErrorData> {
        let length = tool.count + tool.text.len() as i64 + $%tool%;
        Ok(Json(Result@ { length, scaled: tool.factor * length as f64, marked: tool.text }))
    }
";

/// The template with what the shape adds to it.
fn shaped(shape: Shape, template: &str) -> String {
    let (field, ty, part) = match shape {
        Shape::Scalars => ("", "", ""),
        Shape::Nested => (NESTED_FIELD, NESTED_TYPE, ".region.left"),
    };
    let part = |of: &str| if part.is_empty() { String::new() } else { format!(" + {of}{part}") };
    template
        .replace("%field%", field)
        .replace("%type%", ty)
        .replace("%self%", &part("self"))
        .replace("%tool%", &part("tool"))
}

const NESTED_FIELD: &str = "
    /// Where to look.
    region: Region@,";

const NESTED_TYPE: &str = "
#[derive(Deserialize, JsonSchema)]
pub struct Region@ {
    /// First column.
    pub left: i64,
    /// Share of the width.
    pub share: f64,
    /// Its name.
    pub name: String,
}
";

/// Writes the template once a tool: `@` is its number, `$` a constant in its body.
fn each(text: &mut String, nodes: usize, edit: usize, template: &str) {
    for index in 0..nodes {
        let constant = if index == 0 { edit } else { index };
        text.push_str(&template.replace('@', &index.to_string()).replace('$', &constant.to_string()));
    }
}
