//! The two crates that are compared: the same tools, once as nodes and once as rmcp tools.

/// Who declares the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// Nodes of a nodeset.
    Nodecast,
    /// Methods with `#[tool]`.
    Rmcp,
}

/// What the crate is built to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Be called in the process.
    Library,
    /// Serve over HTTP.
    Server,
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

    /// The name of the package.
    pub(crate) fn package(self, reach: Reach) -> &'static str {
        match (self, reach) {
            (Self::Nodecast, Reach::Library) => "ours",
            (Self::Nodecast, Reach::Server) => "ours-served",
            (Self::Rmcp, Reach::Library) => "peer",
            (Self::Rmcp, Reach::Server) => "peer-served",
        }
    }

    /// The package's manifest; `nodecast` is the path of our runtime.
    pub(crate) fn manifest(self, reach: Reach, nodecast: &str) -> String {
        let dependencies = match (self, reach) {
            (Self::Nodecast, Reach::Library) => format!("nodecast = {{ path = {nodecast:?} }}\n"),
            (Self::Nodecast, Reach::Server) => {
                format!("nodecast = {{ path = {nodecast:?}, features = [\"serve\"] }}\n")
            }
            (Self::Rmcp, Reach::Library) => rmcp(&["server", "macros"]),
            (Self::Rmcp, Reach::Server) => {
                let features = ["server", "macros", "transport-streamable-http-server", "transport-io"];
                format!("axum = \"0.8\"\ntokio = {{ version = \"1\", features = [\"full\"] }}\n{}", rmcp(&features))
            }
        };
        let name = self.package(reach);
        format!("[package]\nname = \"{name}\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}")
    }

    /// The package's one file, with `nodes` tools; `edit` changes the body of the first.
    pub(crate) fn source(self, nodes: usize, edit: usize) -> String {
        match self {
            Self::Nodecast => ours(nodes, edit),
            Self::Rmcp => peer(nodes, edit),
        }
    }
}

fn rmcp(features: &[&str]) -> String {
    format!(
        "rmcp = {{ version = \"3.11\", default-features = false, features = {features:?} }}\n\
         schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\n"
    )
}

fn ours(nodes: usize, edit: usize) -> String {
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
    each(&mut text, nodes, edit, OURS);
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
    text: String,
}

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
        let length = self.count + self.text.len() as i64 + $;
        Ok(Result@ { length, scaled: self.factor * length as f64, marked: self.text })
    }
}
";

fn peer(nodes: usize, edit: usize) -> String {
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
    each(&mut text, nodes, edit, PEER_TYPES);
    text.push_str("\n#[tool_router]\nimpl Bench {");
    each(&mut text, nodes, edit, PEER_METHOD);
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
    text: String,
}

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
        let length = tool.count + tool.text.len() as i64 + $;
        Ok(Json(Result@ { length, scaled: tool.factor * length as f64, marked: tool.text }))
    }
";

/// Writes the template once a tool: `@` is its number, `$` a constant in its body.
fn each(text: &mut String, nodes: usize, edit: usize, template: &str) {
    for index in 0..nodes {
        let constant = if index == 0 { edit } else { index };
        text.push_str(&template.replace('@', &index.to_string()).replace('$', &constant.to_string()));
    }
}
