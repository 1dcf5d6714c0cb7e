//! `install`: the forms of all clients as snapshots, and what happens to files that are somebody's.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::support::{cli, failed, path, root, run, succeeded};

const CLIENTS: [&str; 6] = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini-cli"];

/// The command line with a home of its own, started in a folder below it.
fn at_home(home: &Path, arguments: &[&str]) -> Command {
    let mut command = cli(&[&["install"], arguments].concat());
    command.current_dir(home).env("HOME", home).env("XDG_CONFIG_HOME", home.join("config"));
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"] {
        command.env_remove(name);
    }
    command
}

fn install(home: &Path, arguments: &[&str]) -> Output {
    at_home(home, arguments).output().unwrap()
}

#[test]
fn each_client_gets_its_own_form() {
    let home = tempfile::tempdir().unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/install"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(&regex(path(home.path())), "~");
    // Where applications keep what they are set to, on Linux and on macOS.
    settings.add_filter("~/(config|Library/Application Support)/", "~/(applications)/");
    for client in CLIENTS {
        let stdio = [client, "--print", "--name", "vision", "--env", "NODECAST_PROFILE=full"];
        let stdio = install(home.path(), &[&stdio[..], &["--", "/opt/nodes/host", "--stdio"]].concat());
        let url = [client, "--print", "--name", "vision", "--token-env", "NODES_TOKEN", "https://nodes.example"];
        let url = install(home.path(), &url);
        // What stands on stderr says where it belongs.
        let text = [stdio, url].map(|output| {
            format!("{}{}", String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
        });
        settings.bind(|| insta::assert_snapshot!(client, text.join("\n")));
    }
    assert!(fs::read_dir(home.path()).unwrap().next().is_none(), "--print writes nothing");
}

/// A path as a filter of insta takes it.
fn regex(path: &str) -> String {
    path.replace('.', "\\.")
}

#[test]
fn a_new_file_is_made_and_a_second_run_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let arguments = ["cursor", "--name", "vision", "http://127.0.0.1:9200"];
    let shown = succeeded(install(home.path(), &arguments));
    let file = home.path().join(".cursor/mcp.json");
    let written = fs::read_to_string(&file).unwrap();
    let expected = json!({"mcpServers": {"vision": {"url": "http://127.0.0.1:9200/mcp"}}});
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), expected);
    assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), expected);
    let again = install(home.path(), &arguments);
    assert!(String::from_utf8_lossy(&again.stderr).contains("stands already in"), "{again:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing was kept, since nothing changed");
}

#[test]
fn what_else_stands_in_a_file_stays_and_the_file_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("config/Code/User/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let before = "{\n  // from work\n  \"servers\": {\n    \"other\": { \"type\": \"http\", \"url\": \"https://o.example\" }\n  }\n}\n";
    fs::write(&file, before).unwrap();
    succeeded(install(home.path(), &["vscode", "--name", "vision", "http://127.0.0.1:9200"]));
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with("{\n  // from work\n  \"servers\": {\n    \"other\": { \"type\""), "{after}");
    assert!(after.contains("\"vision\": {\n      \"type\": \"http\",\n      \"url\""), "{after}");
    assert_eq!(fs::read_to_string(file.with_file_name("mcp.json.bak")).unwrap(), before);

    // Another of that name is not replaced unasked, and what was kept first stays.
    let other = ["vscode", "--name", "vision", "http://127.0.0.1:9300"];
    let taken = failed(install(home.path(), &other), 4);
    assert!(taken.contains("another server called `vision`") && taken.contains("--force"), "{taken}");
    assert_eq!(fs::read_to_string(&file).unwrap(), after);
    succeeded(install(home.path(), &[&other[..], &["--force"]].concat()));
    assert!(fs::read_to_string(&file).unwrap().contains(":9300/mcp"));
    assert_eq!(fs::read_to_string(file.with_file_name("mcp.json.bak")).unwrap(), before);
    assert_eq!(fs::read_to_string(file.with_file_name("mcp.json.bak2")).unwrap(), after);
}

#[test]
fn a_file_that_cannot_be_read_is_left_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join(".codex/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "model = \n").unwrap();
    let error = failed(install(home.path(), &["codex", "--name", "v", "http://127.0.0.1:9200"]), 2);
    assert!(error.contains("config.toml cannot be read") && error.contains("--print"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "model = \n");
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_private_file_stays_private() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let home = tempfile::tempdir().unwrap();
    let real = home.path().join("dotfiles.json");
    fs::write(&real, "{}").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&real, home.path().join(".claude.json")).unwrap();
    succeeded(install(home.path(), &["claude-code", "--name", "v", "http://127.0.0.1:9200"]));
    assert!(fs::symlink_metadata(home.path().join(".claude.json")).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains("127.0.0.1:9200/mcp"));
    for file in [real, home.path().join("dotfiles.json.bak")] {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
    }
}

#[test]
fn a_scope_is_a_file_of_its_own() {
    let home = tempfile::tempdir().unwrap();
    let scoped = |client: &str, scope: &str| {
        install(home.path(), &[client, "--scope", scope, "--name", "v", "http://127.0.0.1:9200"])
    };
    for (client, file) in [
        ("claude-code", ".mcp.json"),
        ("cursor", ".cursor/mcp.json"),
        ("vscode", ".vscode/mcp.json"),
        ("codex", ".codex/config.toml"),
        ("gemini-cli", ".gemini/settings.json"),
    ] {
        succeeded(scoped(client, "project"));
        assert!(home.path().join(file).is_file(), "{client}");
    }
    succeeded(scoped("claude-code", "local"));
    let written: Value = serde_json::from_slice(&fs::read(home.path().join(".claude.json")).unwrap()).unwrap();
    let folder = fs::canonicalize(home.path()).unwrap();
    assert_eq!(written["projects"][path(&folder)]["mcpServers"]["v"]["type"], "http", "{written}");
    for (client, scope) in [("claude-desktop", "project"), ("cursor", "local")] {
        let refused = failed(scoped(client, scope), 2);
        assert!(refused.contains(&format!("has no scope `{scope}`")) && refused.contains("user"), "{refused}");
    }
}

#[test]
fn a_crate_is_served_from_its_own_sources() {
    let printed = |scope: &str, client: &str| -> Value {
        let arguments = ["install", client, "-p", "vision", "--print", "--scope", scope, "--release"];
        serde_json::from_str(&succeeded(run(&arguments))).unwrap()
    };
    let user = &printed("user", "claude-desktop")["mcpServers"]["vision"];
    assert_eq!(user["command"], env!("CARGO_BIN_EXE_codegen-cli"));
    let manifest = root().join("fixtures/vision/Cargo.toml");
    assert_eq!(user["args"], json!(["serve", "--manifest-path", path(&manifest), "--release", "--stdio"]));
    // Others have their own folders and their own codegen-cli.
    let project = &printed("project", "cursor")["mcpServers"]["vision"];
    assert_eq!(project["command"], "codegen-cli");
    assert_eq!(project["args"][2], "${workspaceFolder}/fixtures/vision/Cargo.toml");
    assert_eq!(printed("project", "claude-code")["mcpServers"]["vision"]["args"][2], "fixtures/vision/Cargo.toml");
}

#[test]
fn what_a_client_would_not_take_is_refused_with_the_way_out() {
    let home = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["claude-desktop", "--name", "v", "http://127.0.0.1:9200"], "Customize > Connectors"),
        (&["gemini-cli", "--name", "my_nodes", "http://127.0.0.1:9200"], "without _"),
        (&["cursor", "--name", "my nodes", "http://127.0.0.1:9200"], "letters, digits, - and _"),
        (&["cursor", "http://127.0.0.1:1"], "--name NAME"),
        (&["cursor", "--name", "v", "--env", "A", "--", "host"], "NAME=VALUE"),
        (&["cursor", "--name", "v", "--token-env", "T", "--", "host"], "for a server at a URL"),
        (&["cursor", "--name", "v", "--env", "A=b", "http://127.0.0.1:9200"], "has its own environment"),
    ];
    for (arguments, sentence) in cases {
        let error = failed(install(home.path(), arguments), 2);
        assert!(error.contains(sentence), "{arguments:?}: {error}");
    }
    assert!(fs::read_dir(home.path()).unwrap().next().is_none());
}
