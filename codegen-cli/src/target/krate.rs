//! The user's crate as cargo sees it: where it lies, what it depends on, where it is built.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, NodeDep, Package, PackageId};

use serde::Deserialize;

use crate::cli::CrateArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// A crate, and the workspace around it.
#[derive(Debug)]
pub(crate) struct Krate {
    metadata: Metadata,
    id: PackageId,
}

/// How a crate wants its contract kept: `[package.metadata.nodecast]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Settings {
    /// The folder of its snapshots, from the crate's; `snapshots` if not said.
    pub(crate) snapshots: Option<String>,
    /// Whether what was deprecated for a minor version or more may be removed.
    pub(crate) removes_deprecated: bool,
    /// `node/rule` → why the linter lets it pass; `*` for every node.
    pub(crate) allow: BTreeMap<String, String>,
}

impl Krate {
    /// Asks cargo about the crate that the command line names.
    pub(crate) fn find(args: &CrateArgs) -> Result<Self, Failure> {
        let mut command = MetadataCommand::new();
        if let Some(manifest) = &args.manifest_path {
            command.manifest_path(manifest);
        }
        if !args.features.is_empty() {
            let of_package = |feature: &String| match &args.package {
                Some(package) if !feature.contains('/') => format!("{package}/{feature}"),
                _ => feature.clone(),
            };
            command.features(CargoOpt::SomeFeatures(args.features.iter().map(of_package).collect()));
        }
        if args.offline {
            command.other_options(vec!["--offline".to_owned()]);
        }
        let metadata = command.exec().map_err(unreadable)?;
        let id = choose(&metadata, args)?.id.clone();
        Ok(Self { metadata, id })
    }

    /// The package.
    pub(crate) fn package(&self) -> Result<&Package, Failure> {
        self.metadata
            .packages
            .iter()
            .find(|package| package.id == self.id)
            .ok_or_else(|| Failure::new(Exit::Internal, "internal", "cargo lists no such package"))
    }

    /// What `[package.metadata.nodecast]` says.
    pub(crate) fn settings(&self) -> Result<Settings, Failure> {
        let package = self.package()?;
        let table = package.metadata.get("nodecast").cloned().unwrap_or_else(|| serde_json::json!({}));
        serde_json::from_value(table)
            .map_err(|error| Failure::usage(format!("{}: [package.metadata.nodecast]: {error}", package.manifest_path)))
    }

    /// Folder of the crate.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        let manifest = self.package()?.manifest_path.as_std_path();
        Ok(manifest.parent().unwrap_or(manifest).to_owned())
    }

    /// Root of its workspace: where its Cargo.lock, its profiles and cargo's configuration lie.
    pub(crate) fn root(&self) -> &Path {
        self.metadata.workspace_root.as_std_path()
    }

    /// Where cargo builds.
    pub(crate) fn target_folder(&self) -> &Path {
        self.metadata.target_directory.as_std_path()
    }

    /// The `nodecast` that the crate is built with, its own dependency before one of its dependencies'.
    pub(crate) fn nodecast(&self) -> Result<&Package, Failure> {
        let linked = self.reached(&[DependencyKind::Normal]);
        if let Some(found) = linked.into_iter().find(|package| package.name.as_str() == "nodecast") {
            return Ok(found);
        }
        let name = &self.package()?.name;
        Err(Failure::new(Exit::Unreachable, "no_nodeset", format!("the crate `{name}` does not depend on `nodecast`"))
            .hint(format!("cargo add nodecast -p {name}")))
    }

    /// The crate and all that it reaches through dependencies of these kinds, the nearest first.
    pub(crate) fn reached(&self, kinds: &[DependencyKind]) -> Vec<&Package> {
        let mut reached = Vec::new();
        let mut queue = VecDeque::from([&self.id]);
        let mut seen = BTreeSet::new();
        while let Some(id) = queue.pop_front() {
            if !seen.insert(id) {
                continue;
            }
            reached.extend(self.metadata.packages.iter().find(|package| package.id == *id));
            let nodes = self.metadata.resolve.iter().flat_map(|resolve| &resolve.nodes);
            let dependencies = nodes.filter(|node| node.id == *id).flat_map(|node| &node.deps);
            let counts = |dependency: &&NodeDep| dependency.dep_kinds.iter().any(|kind| kinds.contains(&kind.kind));
            queue.extend(dependencies.filter(counts).map(|dependency| &dependency.pkg));
        }
        reached
    }
}

fn choose<'a>(metadata: &'a Metadata, args: &CrateArgs) -> Result<&'a Package, Failure> {
    let members = metadata.workspace_packages();
    if let Some(name) = &args.package {
        return members.iter().find(|member| member.name.as_str() == name).copied().ok_or_else(|| {
            let known: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            let failure = Failure::usage(format!("the workspace has no crate `{name}`")).detail("known", known.clone());
            match nodecast::call::nearest(name, known.iter().copied()) {
                Some(near) => failure.hint(format!("there is `{near}`")).detail("nearest", near),
                None => failure.hint(format!("its crates: {}", known.join(", "))),
            }
        });
    }
    // `--manifest-path` names a manifest, else the nearest one above the current folder counts, as for cargo.
    let manifest = args.manifest_path.clone().map_or_else(nearest_manifest, Ok)?;
    let manifest = std::fs::canonicalize(&manifest).map_err(|error| Failure::file(&manifest, error))?;
    let same = |member: &&&Package| std::fs::canonicalize(&member.manifest_path).is_ok_and(|path| path == manifest);
    if let [only] = members.as_slice() {
        return Ok(only);
    }
    members.iter().find(same).copied().ok_or_else(|| {
        let uses_nodecast = |member: &&&Package| member.dependencies.iter().any(|used| used.name == "nodecast");
        let known: Vec<&str> = members.iter().filter(uses_nodecast).map(|member| member.name.as_str()).collect();
        Failure::usage(format!("{} is a workspace of several crates", manifest.display()))
            .hint(format!("choose one with -p: {}", known.join(", ")))
            .detail("known", known)
    })
}

fn nearest_manifest() -> Result<PathBuf, Failure> {
    let folder = std::env::current_dir().map_err(|error| Failure::file(Path::new("."), error))?;
    folder
        .ancestors()
        .map(|folder| folder.join("Cargo.toml"))
        .find(|manifest| manifest.is_file())
        .ok_or_else(|| Failure::usage("no Cargo.toml here or above"))
}

fn unreadable(error: cargo_metadata::Error) -> Failure {
    match error {
        cargo_metadata::Error::CargoMetadata { stderr } if stderr.contains("could not find `Cargo.toml`") => {
            Failure::usage("there is no crate here")
                .hint("name a target: -p CRATE in a workspace, --manifest-path, a binary's path or a URL")
        }
        cargo_metadata::Error::CargoMetadata { stderr } => {
            Failure::new(Exit::Unreachable, "cargo", "cargo cannot read the crate").quoting(stderr)
        }
        error => Failure::new(Exit::Unreachable, "cargo", format!("cargo cannot be asked about the crate: {error}")),
    }
}
