//! What a developer waits for: one call from a shell, a reload behind `dev`, and the bytes of a diagnosis.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use bench_harness::{Error, Pipe, cargo, root};
use serde_json::{Value, json};

/// The command line and the fixtures, as they are released.
pub(crate) struct Tools {
    cli: PathBuf,
    cart: PathBuf,
    store: PathBuf,
}

/// The wait for a binary that has not changed for a while, which is no cost of ours.
const STABLE: Duration = Duration::from_millis(500);

impl Tools {
    /// Builds them.
    pub(crate) fn build(folder: &Path) -> Result<Self, Error> {
        let (root, target) = (root()?, folder.join("target"));
        cargo(&root, &target, &["build", "--release", "-p", "codegen-cli", "-p", "cart"])?;
        cargo(&root, &target, &["build", "--release", "-p", "store", "--features", "store/trace"])?;
        let built = |name: &str| target.join("release").join(name);
        Ok(Self { cli: built("codegen-cli"), cart: built("cart"), store: built("store") })
    }

    fn call(&self, binary: &Path, tool: &str, arguments: &str) -> Result<String, Error> {
        let output = Command::new(&self.cli).arg("call").arg(binary).args([tool, arguments]).output()?;
        if !output.status.success() {
            return Err(format!("{tool} {arguments}: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }

    /// The median of fifty calls.
    pub(crate) fn one_call(&self) -> Result<Duration, Error> {
        let mut times = Vec::new();
        for _ in 0..50 {
            let begun = Instant::now();
            self.call(&self.cart, "snapshot", "{}")?;
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        Ok(times.get(times.len() / 2).copied().unwrap_or_default())
    }

    /// From a call after a rebuild to its result, without the wait for the binary to be stable; the median of five.
    pub(crate) fn reload(&self, folder: &Path) -> Result<Duration, Error> {
        let binary = folder.join("rebuilt/cart");
        std::fs::create_dir_all(folder.join("rebuilt"))?;
        let mut bytes = std::fs::read(&self.cart)?;
        let mut replace = || -> Result<(), Error> {
            let next = binary.with_extension("next");
            bytes.push(0);
            std::fs::write(&next, &bytes)?;
            std::fs::set_permissions(&next, std::fs::metadata(&self.cart)?.permissions())?;
            Ok(std::fs::rename(&next, &binary)?)
        };
        replace()?;
        let mut command = Command::new(&self.cli);
        command.arg("dev").arg(&binary);
        let mut dev = Pipe::start(command)?;
        initialize(&mut dev)?;
        let add = json!({ "message": "add_item", "args": { "sku": "a", "unit_price": 1, "quantity": 1 } });
        call(&mut dev, "dispatch", &json!({ "messages": [add, add, add] }))?;
        let mut times = Vec::new();
        for _ in 0..5 {
            replace()?;
            let begun = Instant::now();
            let answer = call(&mut dev, "snapshot", &json!({}))?;
            times.push(begun.elapsed().saturating_sub(STABLE));
            if !answer.contains("3 messages replayed") {
                return Err(format!("no reload: {answer}").into());
            }
        }
        times.sort_unstable();
        Ok(times.get(times.len() / 2).copied().unwrap_or_default())
    }

    /// Requests and bytes of a diagnosis of both faults of the store: by explanations, by messages and snapshots and then
    /// the sources, since those show a wrong value and not why.
    pub(crate) fn diagnosis(&self) -> Result<Vec<(&'static str, usize, usize)>, Error> {
        let messages = |all: Value| json!({ "messages": all });
        let set = |name: &str, field: &str, value: Value| json!({ "message": name, "args": { field: value } });
        let discount = json!([
            set("set_price", "cents", json!(2_000)),
            set("set_discount", "percent", json!(10)),
            set("set_discount", "percent", json!(10.5))
        ]);
        let weight = json!([set("set_price", "cents", json!(2_000)), set("set_weight", "grams", json!(3_000))]);
        let sources = ["fixtures/store/src/lib.rs", "fixtures/store/src/store.rs"];
        let source_bytes: usize =
            sources.iter().map(|file| Ok(std::fs::read(root()?.join(file))?.len())).sum::<Result<usize, Error>>()?;
        let mut explained = 0;
        for (node, sent) in [("total", &discount), ("shipping", &weight)] {
            let asked = json!({ "node": node, "messages": sent }).to_string();
            explained += asked.len() + self.call(&self.store, "explain", &asked)?.len();
        }
        let mut dispatched = 0;
        for sent in [discount, weight] {
            let asked = messages(sent).to_string();
            dispatched += asked.len() + self.call(&self.store, "dispatch", &asked)?.len();
            dispatched += self.call(&self.store, "snapshot", "{}")?.len();
        }
        Ok(vec![
            ("explain", 2, explained),
            ("dispatch and snapshot, which show no cause", 4, dispatched),
            ("dispatch and snapshot, then the sources", 4 + sources.len(), dispatched + source_bytes),
        ])
    }
}

/// The median time of fifty explanations of a value in a graph of two thousand nodes, and how many events the log has.
pub(crate) fn explanation(program: &Path) -> Result<(Duration, u64), Error> {
    let mut app = Pipe::start(Command::new(program))?;
    initialize(&mut app)?;
    call(&mut app, "dispatch", &json!({ "message": "move" }))?;
    // The sources are found once.
    call(&mut app, "explain", &json!({ "node": "sum" }))?;
    let mut times = Vec::new();
    for _ in 0..50 {
        let begun = Instant::now();
        let answer = call(&mut app, "explain", &json!({ "node": "sum" }))?;
        times.push(begun.elapsed());
        if !answer.contains("ran: ") {
            return Err(format!("no explanation: {answer}").into());
        }
    }
    times.sort_unstable();
    let log: Value = serde_json::from_str(&call(&mut app, "trace_lookup", &json!({ "node": "hub" }))?)?;
    let log = log.pointer("/result/content/0/text").and_then(Value::as_str).ok_or("no log")?;
    let events = serde_json::from_str::<Value>(log)?.get("seq").and_then(Value::as_u64).ok_or("no number of events")?;
    Ok((times.get(times.len() / 2).copied().unwrap_or_default(), events))
}

fn initialize(pipe: &mut Pipe) -> Result<(), Error> {
    let client = json!({ "name": "bench", "version": "1" });
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    let message = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
    pipe.exchange(&message.to_string())?;
    pipe.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string())
}

fn call(pipe: &mut Pipe, tool: &str, arguments: &Value) -> Result<String, Error> {
    let params = json!({ "name": tool, "arguments": arguments });
    pipe.exchange(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string())
}
