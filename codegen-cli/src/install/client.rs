//! The clients: where each keeps its servers, and how it writes one down.
//!
//! The forms are those of the clients' own documents and commands (`claude mcp add`, `codex mcp add`, `gemini mcp add`);
//! `docs/clients/` cites them, and `scripts/clients/run` compares.

use std::env;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Map, Value, json};

use super::server::Server;
use crate::failure::Failure;

/// A client of MCP servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Client {
    /// Claude Code, the terminal and its editor extensions
    ClaudeCode,
    /// Claude Desktop, the application
    ClaudeDesktop,
    /// Cursor, editor and command line
    Cursor,
    /// Visual Studio Code with GitHub Copilot
    #[value(name = "vscode")]
    VsCode,
    /// Codex: command line, editor extension, application
    Codex,
    /// Gemini CLI
    GeminiCli,
}

/// For whom a server is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// You, in every project
    User,
    /// Whoever checks out the project in the current folder
    Project,
    /// You, in the project in the current folder (Claude Code alone)
    Local,
}

impl Scope {
    fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    /// JSON, with comments where the client takes them.
    Json,
    /// TOML.
    Toml,
}

/// A place in a file.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) file: PathBuf,
    pub(super) syntax: Syntax,
    /// The keys above the server's own name.
    pub(super) keys: Vec<String>,
}

impl Client {
    /// What people call it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Cursor => "Cursor",
            Self::VsCode => "VS Code",
            Self::Codex => "Codex",
            Self::GeminiCli => "Gemini CLI",
        }
    }

    /// What to do for the client to see a new server, and where it shows it.
    pub(super) fn next(self) -> &'static str {
        match self {
            Self::ClaudeCode => "start a new session of Claude Code; `claude mcp list` and /mcp show the server",
            Self::ClaudeDesktop => {
                "quit Claude Desktop and start it again; Settings > Developer shows the server, + > Connectors its tools"
            }
            Self::Cursor => "open Customize > MCPs in Cursor and switch the server on",
            Self::VsCode => "run `MCP: List Servers` in VS Code's command palette and start the server",
            Self::Codex => "start a new session of Codex; `codex mcp list` and /mcp show the server",
            Self::GeminiCli => "start a new session of Gemini CLI; `gemini mcp list` and /mcp show the server",
        }
    }

    /// How a path below the current folder is written in a file that others check out.
    pub(super) fn workspace(self) -> &'static str {
        match self {
            // These start servers in a folder that is not always the project's.
            Self::Cursor | Self::VsCode => "${workspaceFolder}/",
            _ => "",
        }
    }

    /// Where servers of this scope stand.
    pub(super) fn place(self, scope: Scope) -> Result<Place, Failure> {
        let servers = |file: PathBuf, key: &str| Place { file, syntax: Syntax::Json, keys: vec![key.to_owned()] };
        let codex = |file: PathBuf| Place { syntax: Syntax::Toml, ..servers(file, "mcp_servers") };
        Ok(match (self, scope) {
            (Self::ClaudeCode, Scope::User) => servers(claude_code()?, "mcpServers"),
            (Self::ClaudeCode, Scope::Project) => servers(project(".mcp.json")?, "mcpServers"),
            (Self::ClaudeCode, Scope::Local) => {
                let folder = current()?.display().to_string();
                let keys = vec!["projects".to_owned(), folder, "mcpServers".to_owned()];
                Place { keys, ..servers(claude_code()?, "") }
            }
            (Self::ClaudeDesktop, Scope::User) => {
                servers(applications()?.join("Claude").join("claude_desktop_config.json"), "mcpServers")
            }
            (Self::Cursor, Scope::User) => servers(home()?.join(".cursor").join("mcp.json"), "mcpServers"),
            (Self::Cursor, Scope::Project) => servers(project(".cursor/mcp.json")?, "mcpServers"),
            (Self::VsCode, Scope::User) => {
                servers(applications()?.join("Code").join("User").join("mcp.json"), "servers")
            }
            (Self::VsCode, Scope::Project) => servers(project(".vscode/mcp.json")?, "servers"),
            (Self::Codex, Scope::User) => codex(named("CODEX_HOME", ".codex")?.join("config.toml")),
            (Self::Codex, Scope::Project) => codex(project(".codex/config.toml")?),
            (Self::GeminiCli, Scope::User) => {
                servers(named("GEMINI_CLI_HOME", "")?.join(".gemini").join("settings.json"), "mcpServers")
            }
            (Self::GeminiCli, Scope::Project) => servers(project(".gemini/settings.json")?, "mcpServers"),
            (client, scope) => {
                return Err(Failure::usage(format!("{} has no scope `{}`", client.title(), scope.as_str()))
                    .hint(format!("it has {}", client.scopes())));
            }
        })
    }

    fn scopes(self) -> &'static str {
        match self {
            Self::ClaudeCode => "user, project and local",
            Self::ClaudeDesktop => "user alone",
            Self::Cursor | Self::VsCode | Self::Codex | Self::GeminiCli => "user and project",
        }
    }

    /// The server as this client writes it.
    pub(super) fn entry(self, server: &Server) -> Result<Value, Failure> {
        let mut entry = Map::new();
        let mut put = |key: &str, value: Value| drop(entry.insert(key.to_owned(), value));
        match server {
            Server::Stdio { command, args, env } => {
                if matches!(self, Self::ClaudeCode | Self::Cursor | Self::VsCode) {
                    put("type", json!("stdio"));
                }
                put("command", json!(command));
                put("args", json!(args));
                // Claude Code writes it even if nothing is set.
                if !env.is_empty() || self == Self::ClaudeCode {
                    let env = env.iter().map(|(name, value)| (name.clone(), json!(value)));
                    put("env", Value::Object(env.collect()));
                }
            }
            Server::Http { url, token } => {
                if self == Self::ClaudeDesktop {
                    return Err(Failure::usage("Claude Desktop starts the servers of its file, and connects to none")
                        .hint("give a crate (-p CRATE) or a binary, which it starts itself")
                        .hint(
                            "a server at a public https address is added in Claude Desktop: Customize > Connectors",
                        ));
                }
                let bearer = |variable: &str| match self {
                    Self::Cursor | Self::VsCode => format!("Bearer ${{env:{variable}}}"),
                    _ => format!("Bearer ${{{variable}}}"),
                };
                let is_typed = matches!(self, Self::ClaudeCode | Self::VsCode);
                if is_typed {
                    put("type", json!("http"));
                }
                put("url", json!(url));
                if self == Self::GeminiCli {
                    put("type", json!("http"));
                }
                match token {
                    Some(variable) if self == Self::Codex => put("bearer_token_env_var", json!(variable)),
                    Some(variable) => put("headers", json!({ "Authorization": bearer(variable) })),
                    None => {}
                }
            }
        }
        Ok(Value::Object(entry))
    }

    /// Refuses a name that the client does not take; `given` by the user, or found.
    pub(super) fn name(self, name: &str, given: bool) -> Result<String, Failure> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        // Gemini CLI takes what follows the first `_` for the tool.
        let splits = self == Self::GeminiCli && name.contains('_');
        if !name.is_empty() && name.len() <= 64 && name.chars().all(is_plain) && !splits {
            return Ok(name.to_owned());
        }
        if given {
            let rule = if splits { "letters, digits and -, without _" } else { "letters, digits, - and _" };
            return Err(Failure::usage(format!("--name {name}: {} takes up to 64 {rule}", self.title())));
        }
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(64).collect();
        match plain.trim_matches('-') {
            "" => Err(Failure::usage("the server has no name of its own").hint("give it one: --name NAME")),
            plain => Ok(plain.to_owned()),
        }
    }
}

fn claude_code() -> Result<PathBuf, Failure> {
    Ok(named("CLAUDE_CONFIG_DIR", "")?.join(".claude.json"))
}

/// The folder that a variable names, else one in the user's own.
fn named(variable: &str, folder: &str) -> Result<PathBuf, Failure> {
    match env::var_os(variable).filter(|value| !value.is_empty()) {
        Some(value) => Ok(value.into()),
        None => Ok(home()?.join(folder)),
    }
}

fn home() -> Result<PathBuf, Failure> {
    env::home_dir()
        .filter(|home| !home.as_os_str().is_empty())
        .ok_or_else(|| Failure::usage("there is no home folder to write to").hint("set HOME, or use --print"))
}

/// Where applications keep what they are set to.
fn applications() -> Result<PathBuf, Failure> {
    if cfg!(target_os = "macos") {
        return Ok(home()?.join("Library").join("Application Support"));
    }
    if cfg!(windows) {
        return named("APPDATA", "AppData/Roaming");
    }
    named("XDG_CONFIG_HOME", ".config")
}

fn project(file: &str) -> Result<PathBuf, Failure> {
    Ok(current()?.join(file))
}

pub(super) fn current() -> Result<PathBuf, Failure> {
    env::current_dir().map_err(|error| Failure::file(Path::new("."), error))
}
