//! What a client is to start or to connect to, read from the target that the command line names.

use std::path::{Path, PathBuf};

use super::client::{Client, Scope, current};
use crate::cli::{Install, TargetArgs};
use crate::failure::Failure;
use crate::output;
use crate::target::krate::Krate;
use crate::target::{Remote, Target, host};

/// A server as a client sees it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Server {
    /// One that the client starts.
    Stdio { command: String, args: Vec<String>, env: Vec<(String, String)> },
    /// One that runs; the token stands in a variable of the client's environment, so that no file holds it.
    Http { url: String, token: Option<String> },
}

/// A server and the name that it goes by, if it has one.
pub(super) struct Found {
    pub(super) server: Server,
    pub(super) name: Option<String>,
}

/// Reads the target; a crate is built, so that its first start in the client is fast and works.
pub(super) async fn find(verb: &Install) -> Result<Found, Failure> {
    if let [command, args @ ..] = verb.started.as_slice() {
        let server = Server::Stdio { command: command.clone(), args: args.to_vec(), env: env(verb)? };
        return Ok(Found { server, name: None });
    }
    match verb.target.as_deref() {
        Some(url) if url.starts_with("http://") || url.starts_with("https://") => remote(verb, url).await,
        Some(path) => binary(verb, path),
        None => krate(verb),
    }
}

async fn remote(verb: &Install, url: &str) -> Result<Found, Failure> {
    if !verb.env.is_empty() {
        return Err(Failure::usage(
            "--env is for a server that the client starts; one at a URL has its own environment",
        ));
    }
    let token = verb.token_env.as_ref().and_then(|variable| std::env::var(variable).ok());
    let at = Remote::new(url, token)?;
    // The name of one of ours; a host says it to anybody.
    let name = match &verb.name {
        Some(_) => None,
        None => at.document("health").await.ok().and_then(|text| {
            let name = output::json(&text).ok()?.get("name")?.as_str()?.to_owned();
            Some(name)
        }),
    };
    Ok(Found { server: Server::Http { url: at.mcp(), token: verb.token_env.clone() }, name })
}

fn binary(verb: &Install, path: &str) -> Result<Found, Failure> {
    let at = TargetArgs { krate: verb.krate.clone(), nodeset: verb.nodeset.clone(), ..TargetArgs::default() };
    let Target::Program(program) = Target::resolve(Some(path), &at)? else {
        return Err(Failure::usage(format!("{path} is a document, not a server")));
    };
    let stem = program.exe.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = stem.strip_prefix("nodecast-host-").unwrap_or(&stem).to_owned();
    // Whether it is a host shows now, not in the client.
    program.print(crate::cli::Projection::Policy, None)?;
    let mut args = vec!["--stdio".to_owned()];
    args.extend(verb.nodeset.iter().map(|nodeset| format!("--nodeset={nodeset}")));
    let command = portable(&program.exe, verb.scope, verb.client)?;
    Ok(Found { server: Server::Stdio { command, args, env: env(verb)? }, name: Some(name) })
}

fn krate(verb: &Install) -> Result<Found, Failure> {
    let krate = Krate::find(&verb.krate)?;
    let package = krate.package()?;
    if !verb.print {
        let program = host::build(&verb.krate, &verb.nodeset)?;
        program.print(crate::cli::Projection::Policy, None)?;
    }
    let manifest = portable(package.manifest_path.as_std_path(), verb.scope, verb.client)?;
    let mut args = vec!["serve".to_owned(), "--manifest-path".to_owned(), manifest];
    for (flag, given) in [("--no-default-features", verb.krate.no_default_features), ("--release", verb.krate.release)]
    {
        args.extend(given.then(|| flag.to_owned()));
    }
    if !verb.krate.features.is_empty() {
        args.push(format!("--features={}", verb.krate.features.join(",")));
    }
    args.extend(verb.nodeset.iter().map(|nodeset| format!("--nodeset={nodeset}")));
    args.push("--stdio".to_owned());
    let server = Server::Stdio { command: this_program(verb.scope)?, args, env: env(verb)? };
    Ok(Found { server, name: Some(package.name.to_string()) })
}

/// How this program is called: by its path, since clients seldom have a shell's PATH; by its name in what others check
/// out.
fn this_program(scope: Scope) -> Result<String, Failure> {
    if scope == Scope::Project {
        return Ok("codegen-cli".to_owned());
    }
    let path = std::env::current_exe().map_err(|error| Failure::file(Path::new("codegen-cli"), error))?;
    Ok(path.display().to_string())
}

/// A path that holds on this machine, or in every checkout of the project.
fn portable(path: &Path, scope: Scope, client: Client) -> Result<String, Failure> {
    if scope != Scope::Project {
        return Ok(path.display().to_string());
    }
    match path.strip_prefix(current()?) {
        Ok(below) => {
            let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            Ok(format!("{}{}", client.workspace(), PathBuf::from(parts.join("/")).display()))
        }
        Err(_) => Err(Failure::usage(format!("{} is not in the current folder", path.display())).hint(
            "--scope project is for what others check out too; start in the project's folder, or use --scope user",
        )),
    }
}

fn env(verb: &Install) -> Result<Vec<(String, String)>, Failure> {
    let pairs = verb.env.iter().map(|pair| match pair.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::usage(format!("--env {pair}: expected NAME=VALUE"))),
    });
    if verb.token_env.is_some() {
        return Err(Failure::usage(
            "--token-env is for a server at a URL; one that the client starts asks for no token",
        ));
    }
    pairs.collect()
}
