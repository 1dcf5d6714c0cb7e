//! The spawn alias: our binary in the place of a framework's Python interpreter (`wire.md` 9.2).

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::HOST;

struct Spawned(Child, String);

impl Drop for Spawned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(arguments: &[&str], variables: &[(&str, &str)]) -> Spawned {
    let mut child = Command::new(HOST)
        .args(arguments)
        .envs(variables.iter().copied())
        .env("PYTHONPATH", "/nowhere")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("listening on ").expect("the first line says where").to_owned();
    Spawned(child, url)
}

async fn manifest(spawned: &Spawned) -> Json {
    let client = nodecast_tests::http().build().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !client.get(format!("{}/health", spawned.1)).send().await.is_ok_and(|answer| answer.status() == 200) {
        assert!(Instant::now() < deadline);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    client.get(format!("{}/manifest", spawned.1)).send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn a_framework_finds_its_server() {
    let start = ["-m", "app.server.auto_host", "--file", "workspace/nodesets/x.py", "--class"];
    for (class, nodeset) in [
        ("DummyNodeSet", "dummy"),
        ("Dummy", "dummy"),
        ("DummyEnvNodeSet", "dummy_env"),
        ("dummy_envStubNodeSet", "dummy_env"),
        ("RobotNodeSet", "robot"),
        ("OwnerNodeSet", "owner"),
    ] {
        let spawned = spawn(&[&start[..], &[class, "--port", "0", "--mcp-tools", ""]].concat(), &[]);
        let manifest = manifest(&spawned).await;
        assert_eq!(manifest["name"], nodeset, "{class}");
        // It implies the switch.
        assert!(manifest.get("nodecast").is_none());
    }
    let by_module =
        ["-u", "-m", "app.server.auto_host", "--module", "nodesets.echo", "--class", "EchoNodeSet", "--port", "0"];
    assert_eq!(manifest(&spawn(&by_module, &[])).await["name"], "echo");
}

#[test]
fn a_class_that_nothing_stands_for() {
    let refused = Command::new(HOST)
        .args(["-m", "app.server.auto_host", "--file", "x.py", "--class", "DumyNodeSet"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("DumyNodeSet"), "{said}");
}

#[test]
fn two_executors_are_one_too_many() {
    let refused = Command::new(HOST)
        .args(["-m", "app.server.auto_host", "--class", "Robot", "--port", "0"])
        .envs([("ONE_EXECUTOR_URL", "http://127.0.0.1:1"), ("OTHER_EXECUTOR_URL", "http://127.0.0.1:2")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("ONE_EXECUTOR_URL, OTHER_EXECUTOR_URL"), "{said}");
}

/// A host of a framework that has crashed is nobody's.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn it_ends_with_whoever_started_it() {
    // The shell is the parent: it says the host's id and address, and ends.
    let script = format!("{HOST} --nodeset dummy --port 0 --die-with-parent 2>/dev/null & echo $!; sleep 1");
    let mut shell = Command::new("sh").args(["-c", &script]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
    let pid = lines.next().unwrap().unwrap();
    // Whoever inherits it may be slow to take note of its end.
    let stat = format!("/proc/{pid}/stat");
    let alive = || std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "));
    assert!(lines.next().unwrap().unwrap().starts_with("listening on "));
    assert!(alive());
    shell.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    while alive() {
        assert!(Instant::now() < deadline, "it outlived its parent");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
