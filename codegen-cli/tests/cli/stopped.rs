//! How the command line ends where it is stopped, and at words that only Unix can give it.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{SLOW, cli, failed, path, run, succeeded, wait_for};

#[test]
fn a_server_does_not_outlive_who_started_it() {
    let folder = tempfile::tempdir().unwrap();
    let noted = folder.path().join("pid");
    // Neither answers nor looks at its input; notes its id when whoever started it listens to signals.
    let command = format!("sh -c 'sleep 0.5; echo $$ > {0}.new; mv {0}.new {0}; exec sleep 60'", path(&noted));
    let ended = || {
        let pid = fs::read_to_string(&noted).unwrap();
        fs::remove_file(&noted).unwrap();
        let begun = Instant::now();
        // Of what has ended and nobody has waited for there is still the folder, without a command line.
        while fs::read(format!("/proc/{}/cmdline", pid.trim())).is_ok_and(|words| !words.is_empty()) {
            assert!(begun.elapsed() < Duration::from_secs(10), "{pid} still runs");
            thread::sleep(Duration::from_millis(20));
        }
    };
    for verb in [["list"].as_slice(), &["call", "wait"], &["call", "--list"]] {
        let arguments = [verb, &["--json", "--command", &command]].concat();
        let started = cli(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&noted);
        Command::new("kill").args(["-INT", &started.id().to_string()]).status().unwrap();
        let error = failed(started.wait_with_output().unwrap(), 130);
        assert_eq!(serde_json::from_str::<Value>(&error).unwrap()["type"], "interrupted", "{error}");
        ended();
    }
    let error = failed(run(&["call", "wait", "--timeout", "2", "--command", &command]), 3);
    assert!(error.contains("did not answer in time"), "{error}");
    ended();
    // Answers, but does not end with its input.
    let script = folder.path().join("server.sh");
    fs::write(&script, format!("echo $$ > \"$1/pid\"\n{SLOW}\nexec sleep 60\n")).unwrap();
    let command = format!("sh {} {}", path(&script), path(folder.path()));
    let text = succeeded(run(&["list", "--command", &command]));
    assert!(text.contains("wait"), "{text}");
    ended();
}

#[test]
fn an_argument_that_is_no_text_is_a_mistake() {
    let word = OsStr::from_bytes(b"\xff");
    let error = failed(cli(&["list"]).arg(word).output().unwrap(), 2);
    assert!(error.starts_with("error: invalid UTF-8"), "{error}");
    let error = failed(cli(&["list", "--json"]).arg(word).output().unwrap(), 2);
    assert_eq!(serde_json::from_str::<Value>(&error).unwrap()["type"], "usage", "{error}");
}
