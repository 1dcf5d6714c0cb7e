//! A crate of a thousand nodes: how long the contract workflow takes there (`contract.md` 7).

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Scratch, Server, path, succeeded};

const HEAD: &str = "\
//! A thousand nodes.

use nodecast::prelude::*;

/// Has many nodes.
#[nodeset(name = \"many\", nodes(";

const NODE: &str = "

/// Does the Nth of many things to a text, and counts what it did.
#[node(read_only)]
pub struct ActNTH {
    /// Text to act on.
    text: String,
    /// Parts to leave alone.
    but: Option<Vec<String>>,
    /// How often.
    #[config(slider(min = 1, max = 20, step = 1), default = 2)]
    times: u32,
    /// In which way.
    #[config(select(\"plain\", \"loud\", \"soft\"), default = \"plain\")]
    way: String,
}

/// What became of it.
#[derive(Outputs)]
pub struct DoneNTH {
    /// The text.
    text: String,
    /// How many parts were changed.
    changed: u32,
}

impl Node<Many> for ActNTH {
    type Output = DoneNTH;
    type Error = Error;

    async fn run(self, _: &Many, _: &Context) -> Result<DoneNTH, Error> {
        let but = self.but.unwrap_or_default();
        Ok(DoneNTH { changed: self.times + but.len() as u32, text: self.text + &self.way })
    }
}
";

/// The shortest of three runs: what the machine does beside it is not ours.
fn shortest(mut act: impl FnMut()) -> Duration {
    let mut once = || {
        let begun = Instant::now();
        act();
        begun.elapsed()
    };
    [once(), once(), once()].into_iter().min().unwrap()
}

#[test]
#[ignore = "builds a crate of a thousand nodes, which takes minutes; .ci/full runs it with the command line as it is installed"]
fn the_contract_of_a_thousand_nodes_is_there_within_a_second() {
    let mut source = HEAD.to_owned();
    (0..1000).for_each(|nth| write!(source, "Act{nth}, ").unwrap());
    source.push_str("))]\n#[derive(Default)]\npub struct Many;\n");
    (0..1000).for_each(|nth| source.push_str(&NODE.replace("NTH", &nth.to_string())));
    let krate = Scratch::new("thousand", &source);
    succeeded(krate.run(&["snapshot"]));

    let inspected = shortest(|| assert!(succeeded(krate.run(&["inspect", "--json"])).len() > 500_000));
    let target = Path::new(env!("CARGO_BIN_EXE_codegen-cli")).ancestors().nth(2).unwrap();
    let cargo = |verb: &str| {
        let mut cargo = Command::new("cargo");
        cargo.args([verb, "--offline", "--quiet"]).current_dir(krate.folder()).env("CARGO_TARGET_DIR", target);
        assert!(cargo.stderr(Stdio::null()).status().unwrap().success());
    };
    cargo("check");
    let unchanged = shortest(|| cargo("check"));
    // Beside a baseline, as one is kept by commit.
    let baseline = krate.folder().join("contract.json");
    std::fs::write(&baseline, succeeded(krate.run(&["inspect", "--projection", "contract"]))).unwrap();
    let check = ["check", "--baseline", path(&baseline)];
    let checked = shortest(|| assert_eq!(krate.run(&check).status.code(), Some(0)));
    let host = target.join("debug/nodecast-host-thousand");
    let print = |what: &str| {
        shortest(|| {
            let printed = Command::new(&host).env("NODECAST_PRINT", what).output().unwrap();
            assert!(printed.status.success());
        })
    };
    let [listed, contract, review] = ["mcp", "contract", "review"].map(print);
    let started = shortest(|| {
        let mut serve = Command::new(&host);
        serve.args(["--port", "0"]);
        drop(Server::start(serve));
    });
    println!(
        "inspect {inspected:?}; check {checked:?}, cargo check {unchanged:?}; the host prints its tools in {listed:?}, its \
         contract in {contract:?}, all that is reviewed in {review:?}, and listens after {started:?}"
    );
    assert!(inspected < Duration::from_secs(1), "{inspected:?}");
    assert!(checked < unchanged + Duration::from_millis(500), "{checked:?} beside {unchanged:?}");
}
