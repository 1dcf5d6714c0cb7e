//! The spawn alias: our binary in the place of a framework's Python interpreter (`wire.md` 9.2).

use std::process::Command;

use nodecast_tests::Host;
use serde_json::Value as Json;

use crate::HOST;

/// What the host tells that a framework starts in this way.
async fn manifest(arguments: &[&str]) -> Json {
    let host = Host::of(Command::new(HOST).args(arguments).env("PYTHONPATH", "/nowhere")).up().await;
    host.get("/manifest").await.json()
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
        let manifest = manifest(&[&start[..], &[class, "--port", "0", "--mcp-tools", ""]].concat()).await;
        assert_eq!(manifest["name"], nodeset, "{class}");
        // It implies the switch.
        assert!(manifest.get("nodecast").is_none());
    }
    let by_module =
        ["-u", "-m", "app.server.auto_host", "--module", "nodesets.echo", "--class", "EchoNodeSet", "--port", "0"];
    assert_eq!(manifest(&by_module).await["name"], "echo");
}

#[test]
fn a_class_that_nothing_stands_for() {
    let refused = Command::new(HOST)
        .args(["-m", "app.server.auto_host", "--file", "x.py", "--class", "DumyNodeSet"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("DumyNodeSet") && said.contains("did you mean `dummy`?"), "{said}");
}

/// `--nodeset` chooses among those that the class fits, and is not passed over.
#[tokio::test]
async fn a_nodeset_may_be_named_beside_the_class() {
    let start = |arguments: &[&str]| {
        let mut command = Command::new(HOST);
        command.args(["-m", "app.server.auto_host", "--class", "DummyNodeSet", "--port", "0"]).args(arguments);
        command
    };
    let named = Host::of(&mut start(&["--nodeset", "dummy"])).up().await;
    assert_eq!(named.get("/manifest").await.json()["name"], "dummy");
    let refused = start(&["--nodeset", "robot"]).output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("--nodeset robot: the class `DummyNodeSet` stands for `dummy`"), "{said}");
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
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

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
