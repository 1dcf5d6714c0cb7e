//! The host of a library crate: a package of two small files in the target folder that links the crate and serves
//! every nodeset in it. Nothing is added to the user's crate.

use std::fs;
use std::path::Path;

use cargo_metadata::{DependencyKind, Package, Source, TargetKind};
use toml::{Table, Value};

use super::build::{self, Build};
use super::krate::Krate;
use super::program::Program;
use crate::cli::CrateArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// Writes the host of the crate that the command line names, builds it and says where it is.
pub(crate) fn build(args: &CrateArgs, nodesets: &[String]) -> Result<Program, Failure> {
    build_for(&Krate::find(args)?, args, nodesets)
}

/// Under which name a host is built, and where.
pub(crate) struct Place<'a> {
    /// What its name begins with: two hosts of one name would take each other's place.
    pub(crate) name: &'a str,
    /// Where cargo builds.
    pub(crate) target_folder: &'a Path,
}

/// The same for a crate that was found before.
pub(crate) fn build_for(krate: &Krate, args: &CrateArgs, nodesets: &[String]) -> Result<Program, Failure> {
    build_in(krate, args, nodesets, &Place { name: "nodecast-host", target_folder: krate.target_folder() })
}

/// The same in a place of its own.
pub(crate) fn build_in(
    krate: &Krate,
    args: &CrateArgs,
    nodesets: &[String],
    place: &Place<'_>,
) -> Result<Program, Failure> {
    let name = krate.package()?.name.to_string();
    let folder = place.target_folder.join(place.name).join(&name);
    fs::create_dir_all(folder.join("src")).map_err(|error| Failure::file(&folder, error))?;
    write_if_changed(&folder.join("Cargo.toml"), &manifest(krate, args, place)?)?;
    write_if_changed(&folder.join("src").join("main.rs"), &main(krate)?)?;
    follow_lock(&krate.root().join("Cargo.lock"), &folder)?;
    let exe = build::run(&Build {
        krate: &name,
        manifest: &folder.join("Cargo.toml"),
        target_folder: place.target_folder,
        // Cargo reads its configuration and rustup the toolchain from the current folder upwards: the user's, not ours.
        current_folder: krate.root(),
        args,
    })?;
    let kept = Some(folder.join("printed"));
    Ok(Program { exe, nodesets: nodesets.to_vec(), name: Some(name), kept, verbose: args.verbose })
}

/// Whether the host that lies in this place is of this crate, and not of the same crate in another folder.
pub(crate) fn is_of(krate: &Krate, place: &Place<'_>) -> Result<bool, Failure> {
    let name = krate.package()?.name.as_str();
    let path = place.target_folder.join(place.name).join(name).join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(|error| Failure::file(&path, error))?;
    let manifest: Table = manifest.parse().unwrap_or_default();
    let built = manifest.get("dependencies").and_then(|all| all.get(name)?.get("path"));
    Ok(built == Some(&text(&krate.folder()?)?))
}

fn main(krate: &Krate) -> Result<String, Failure> {
    let package = krate.package()?;
    let is_library =
        |target: &&cargo_metadata::Target| target.is_kind(TargetKind::Lib) || target.is_kind(TargetKind::RLib);
    let library = package.targets.iter().find(is_library).ok_or_else(|| {
        let binary = package.targets.iter().find(|target| target.is_kind(TargetKind::Bin));
        let failure = Failure::usage(format!("the crate `{}` has no library to host", package.name));
        match binary {
            Some(binary) => failure.hint(format!(
                "if its binary calls `nodecast::serve`, name that: {}",
                krate.target_folder().join("debug").join(&binary.name).display()
            )),
            None => failure,
        }
    })?;
    let lib = library.name.replace('-', "_");
    // Without `extern crate` the linker would leave the crate out, and its nodesets with it.
    Ok(format!(
        "//! Serves every nodeset of `{}`.\n\nextern crate {lib} as _;\n\n\
         fn main() -> std::process::ExitCode {{\n    nodecast::serve_linked()\n}}\n",
        package.name
    ))
}

fn manifest(krate: &Krate, args: &CrateArgs, place: &Place<'_>) -> Result<String, Failure> {
    let package = krate.package()?;
    let folder = krate.folder()?;
    let mut crate_dependency = Table::new();
    crate_dependency.insert("path".to_owned(), text(&folder)?);
    crate_dependency.insert("features".to_owned(), strings(&args.features));
    crate_dependency.insert("default-features".to_owned(), Value::Boolean(!args.no_default_features));

    let mut dependencies = Table::new();
    dependencies.insert(package.name.to_string(), Value::Table(crate_dependency));
    dependencies.insert("nodecast".to_owned(), Value::Table(nodecast(krate.nodecast()?)?));

    let mut host = Table::new();
    host.insert("name".to_owned(), Value::String(format!("{}-{}", place.name, package.name)));
    host.insert("version".to_owned(), Value::String("0.0.0".to_owned()));
    host.insert("edition".to_owned(), Value::String("2021".to_owned()));
    host.insert("publish".to_owned(), Value::Boolean(false));

    let mut manifest = Table::new();
    manifest.insert("package".to_owned(), Value::Table(host));
    // Of its own, so that it is no member of the user's.
    manifest.insert("workspace".to_owned(), Value::Table(Table::new()));
    manifest.insert("dependencies".to_owned(), Value::Table(dependencies));
    copy_from_root(krate, &mut manifest)?;
    toml::to_string(&manifest)
        .map_err(|error| Failure::new(Exit::Internal, "internal", format!("the host's manifest: {error}")))
}

/// What decides how the user's crate is built and stands in the root manifest alone.
fn copy_from_root(krate: &Krate, manifest: &mut Table) -> Result<(), Failure> {
    let root = krate.root();
    let path = root.join("Cargo.toml");
    let source = fs::read_to_string(&path).map_err(|error| Failure::file(&path, error))?;
    let mut source: Table = source.parse().map_err(|error: toml::de::Error| {
        Failure::new(Exit::Unreachable, "cargo", format!("{}: {error}", path.display()))
    })?;
    if let Some(mut profiles) = source.remove("profile") {
        let built = krate.reached(&[DependencyKind::Normal, DependencyKind::Build]);
        narrow(&mut profiles, &built.iter().map(|package| package.name.as_str()).collect::<Vec<_>>());
        manifest.insert("profile".to_owned(), profiles);
    }
    if let Some(Value::Table(mut patch)) = source.remove("patch") {
        let dependencies = patch.iter_mut().filter_map(|(_, table)| table.as_table_mut()).flat_map(Table::iter_mut);
        for (_, dependency) in dependencies {
            if let Some(Value::String(path)) = dependency.as_table_mut().and_then(|table| table.get_mut("path")) {
                *path = root.join(&*path).to_string_lossy().into_owned();
            }
        }
        manifest.insert("patch".to_owned(), Value::Table(patch));
    }
    if let Some(more) = more_dependencies(&source)
        && let Some(dependencies) = manifest.get_mut("dependencies").and_then(Value::as_table_mut)
    {
        for (name, dependency) in more {
            match dependencies.get_mut(name) {
                // Where it comes from is known; only what it has is said anew.
                Some(own) => add_features(own, dependency),
                None => drop(dependencies.insert(name.clone(), dependency.clone())),
            }
        }
    }
    Ok(())
}

fn add_features(own: &mut Value, more: &Value) {
    let more = more.get("features").and_then(Value::as_array).into_iter().flatten();
    if let Some(features) = own.get_mut("features").and_then(Value::as_array_mut) {
        for feature in more {
            if !features.contains(feature) {
                features.push(feature.clone());
            }
        }
    }
}

/// `[workspace.metadata.nodecast.host-dependencies]`: what else hosts depend on, with the features that the rest of the
/// workspace turns on in them, and those of `nodecast`, so that cargo builds nothing a second time for a host.
fn more_dependencies(root: &Table) -> Option<&Table> {
    let metadata = root.get("workspace")?.get("metadata")?.get("nodecast")?;
    metadata.get("host-dependencies")?.as_table()
}

/// Leaves the settings of packages out that the host is not built with: cargo warns of each, and the user wrote none.
fn narrow(profiles: &mut Value, built: &[&str]) {
    for (_, profile) in profiles.as_table_mut().into_iter().flat_map(Table::iter_mut) {
        if let Some(packages) = profile.get_mut("package").and_then(Value::as_table_mut) {
            // `name@version`, or `*` for all.
            packages.retain(|spec, _| spec == "*" || built.contains(&spec.split('@').next().unwrap_or(spec)));
        }
    }
}

/// The dependency that resolves to exactly this package, so that host and crate share one `nodecast`.
fn nodecast(package: &Package) -> Result<Table, Failure> {
    let mut dependency = match &package.source {
        None => {
            let manifest = package.manifest_path.as_std_path();
            Table::from_iter([("path".to_owned(), text(manifest.parent().unwrap_or(manifest))?)])
        }
        Some(source) => of_source(source, &package.version.to_string())?,
    };
    dependency.insert("features".to_owned(), strings(&["serve".to_owned()]));
    dependency.insert("default-features".to_owned(), Value::Boolean(false));
    Ok(dependency)
}

fn of_source(source: &Source, version: &str) -> Result<Table, Failure> {
    let exact = ("version".to_owned(), Value::String(format!("={version}")));
    if source.is_crates_io() {
        return Ok(Table::from_iter([exact]));
    }
    let of = |key: &str, value: &str| (key.to_owned(), Value::String(value.to_owned()));
    if let Some(index) = source.repr.strip_prefix("registry+").or_else(|| source.repr.strip_prefix("sparse+")) {
        let index = if source.repr.starts_with("sparse+") { source.repr.as_str() } else { index };
        return Ok(Table::from_iter([exact, of("registry-index", index)]));
    }
    let git = source.repr.strip_prefix("git+").ok_or_else(|| {
        Failure::new(Exit::Unreachable, "cargo", format!("`nodecast` comes from an unknown source: {source}"))
    })?;
    // `URL?branch=main#COMMIT`: the reference must be written as the user wrote it, since another spelling of the same
    // commit is another package for cargo; the copied lock file holds the commit.
    let url = git.split('#').next().unwrap_or(git);
    let (url, reference) = url.split_once('?').unwrap_or((url, ""));
    let mut dependency = Table::from_iter([of("git", url)]);
    if let Some((kind @ ("branch" | "tag" | "rev"), value)) = reference.split_once('=') {
        dependency.extend([of(kind, value)]);
    }
    Ok(dependency)
}

fn text(path: &Path) -> Result<Value, Failure> {
    let text = path.to_str().ok_or_else(|| {
        Failure::new(Exit::Unreachable, "cargo", format!("{} is not UTF-8, and a manifest must be", path.display()))
    })?;
    Ok(Value::String(text.to_owned()))
}

fn strings(values: &[String]) -> Value {
    Value::Array(values.iter().cloned().map(Value::String).collect())
}

/// Gives the host the user's lock file whenever that has changed. The copy as it was stands beside it, since cargo adds
/// what serving needs to the host's own.
fn follow_lock(lock: &Path, folder: &Path) -> Result<(), Failure> {
    let Ok(text) = fs::read_to_string(lock) else {
        return Ok(());
    };
    if write_if_changed(&folder.join("Cargo.lock.orig"), &text)? || !folder.join("Cargo.lock").exists() {
        write(&folder.join("Cargo.lock"), &text)?;
    }
    Ok(())
}

/// Writes only a change, so that cargo sees an unchanged file as such; says whether there was one.
fn write_if_changed(path: &Path, text: &str) -> Result<bool, Failure> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(false);
    }
    write(path, text).map(|()| true)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    crate::files::write(path, text.as_bytes()).map_err(|error| Failure::file(path, error))
}

#[cfg(test)]
mod tests {
    use toml::{Table, Value};

    use super::{add_features, more_dependencies, narrow};

    #[test]
    fn settings_of_packages_that_are_not_built_are_left_out() {
        let parsed = |text: &str| Value::Table(text.parse::<Table>().unwrap());
        let mut profiles = parsed(
            "[dev]\ndebug = false\n[dev.package.'*']\nopt-level = 1\n[dev.package.png]\nopt-level = 2\n\
             [dev.package.'image@0.25']\nopt-level = 2\n[dev.package.vision]\nopt-level = 2\n[release]\nlto = true\n",
        );
        narrow(&mut profiles, &["kitchen", "png"]);
        let expected = "[dev]\ndebug = false\n[dev.package.'*']\nopt-level = 1\n[dev.package.png]\nopt-level = 2\n[release]\nlto = true\n";
        assert_eq!(profiles, parsed(expected));
    }

    #[test]
    fn a_workspace_says_what_hosts_depend_on_besides() {
        let root = |text: &str| text.parse::<Table>().unwrap();
        let said =
            root("[workspace.metadata.nodecast.host-dependencies]\ntokio = { version = \"1\", features = [\"fs\"] }\n");
        assert_eq!(more_dependencies(&said).unwrap()["tokio"]["features"][0].as_str(), Some("fs"));
        assert!(more_dependencies(&root("[workspace]\nmembers = []\n")).is_none());
    }

    #[test]
    fn what_hosts_depend_on_anyway_gets_features_and_nothing_else() {
        let table = |text: &str| Value::Table(text.parse::<Table>().unwrap());
        let mut own = table("path = \"/nodecast\"\nfeatures = [\"serve\"]\n");
        add_features(&mut own, &table("version = \"9\"\nfeatures = [\"otel\", \"serve\"]\n"));
        assert_eq!(own, table("path = \"/nodecast\"\nfeatures = [\"serve\", \"otel\"]\n"));
        // No features, as of a version alone.
        add_features(&mut own, &Value::String("1".to_owned()));
        assert_eq!(own["features"].as_array().unwrap().len(), 2);
    }
}
