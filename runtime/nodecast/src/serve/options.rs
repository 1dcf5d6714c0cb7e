//! What can be set about a host: the command line of a served binary, its `NODECAST_…` variables, and the same as a struct.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{BoolishValueParser, PossibleValue};
use clap::{Args, CommandFactory, FromArgMatches, Parser, ValueEnum};

use super::variables;
use crate::catalog::MAX_KEYS;
use crate::contract::Profile;
use crate::wire::MAX_IMAGE_PIXELS;

const EXAMPLES: &str = "\
Examples:
  serve everything on http://127.0.0.1:9200
      host
  one nodeset on a free port, with a setting of its own
      host --nodeset model_sam --port 0 --set device=cpu
  as an MCP server that a client starts
      host --stdio
  reachable from other machines
      host --host 0.0.0.0 --token-file token.txt --allow-host models.example

Every flag but --set has a variable NODECAST_…, such as NODECAST_PORT; the flag wins, and an empty variable is none.
Exit codes: 0 stopped in order, 1 no such nodeset, 2 bad arguments, 3 a nodeset did not start,
4 the port is taken, 5 stopped without a clean stop.";

/// How a host serves. [`Options::default`] is what an empty command line means.
#[derive(Clone, Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is one switch of the command line, and they are independent")]
pub struct Options {
    /// Nodesets to serve; all by default
    #[arg(
        long = "nodeset",
        value_name = "NAME",
        env = "NODECAST_NODESET",
        value_delimiter = ',',
        value_parser = item,
        help_heading = "What"
    )]
    pub nodesets: Vec<String>,
    /// Name of the whole where several nodesets are served
    #[arg(long, env = "NODECAST_NAME", help_heading = "What")]
    pub name: Option<String>,
    /// Tools to publish over MCP: full names, or what follows their last `__`; all by default
    #[arg(long, value_name = "LIST", env = "NODECAST_MCP_TOOLS", help_heading = "What")]
    pub mcp_tools: Option<String>,
    /// Serve no MCP
    #[arg(long, env = "NODECAST_NO_MCP", value_parser = BoolishValueParser::new(), help_heading = "What")]
    pub no_mcp: bool,
    /// Let rmcp answer plain MCP requests too, which costs more and changes no answer
    #[arg(long, env = "NODECAST_NO_DIRECT_LANE", value_parser = BoolishValueParser::new(), help_heading = "What")]
    pub no_direct_lane: bool,
    /// What clients of MCP are shown of the contract; calls are checked against the whole of it
    #[arg(long, value_enum, env = "NODECAST_PROFILE", default_value_t = Options::default().profile, help_heading = "What")]
    pub profile: Profile,
    /// Serve as the Python reference implementation does, for graphs that rely on it
    #[arg(long, env = "NODECAST_REFERENCE", value_parser = BoolishValueParser::new(), help_heading = "What")]
    pub reference: bool,
    /// JSON file with the settings of the nodesets: one's own, or an object nodeset → settings where several are served
    #[arg(long, value_name = "FILE", env = "NODECAST_SETTINGS", help_heading = "What")]
    pub settings: Option<PathBuf>,
    /// One setting, such as device=cpu (or `model_sam.device=cpu` where several nodesets are served); repeatable
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = "What")]
    pub set: Vec<String>,

    /// Address to listen on, or `localhost`
    #[arg(long, env = "NODECAST_HOST", default_value_t = Options::default().host, value_parser = address, help_heading = "Where")]
    pub host: IpAddr,
    /// Port to listen on; 0 takes a free one [default: 9200]
    #[arg(long, env = "NODECAST_PORT", help_heading = "Where")]
    pub port: Option<u16>,
    /// Speak MCP on standard input and output; a port is opened only if one is named
    #[arg(long, env = "NODECAST_STDIO", value_parser = BoolishValueParser::new(), help_heading = "Where")]
    pub stdio: bool,
    /// Address of the graph engine that hosts this, which lends containers and is told of what goes wrong
    #[arg(long, value_name = "URL", env = "NODECAST_EXECUTOR_URL", help_heading = "Where")]
    pub executor_url: Option<String>,

    /// File with the token that callers must send as `Authorization: Bearer …`
    #[arg(long, value_name = "FILE", env = "NODECAST_TOKEN_FILE", help_heading = "Who")]
    pub token_file: Option<PathBuf>,
    /// Listen on an address that others reach without asking for a token
    #[arg(long, env = "NODECAST_UNSAFE_NO_AUTH", value_parser = BoolishValueParser::new(), help_heading = "Who")]
    pub unsafe_no_auth: bool,
    /// Further names that callers may use for this host, such as models.example or models.example:9200
    #[arg(long, value_name = "HOST", env = "NODECAST_ALLOW_HOST", value_delimiter = ',', value_parser = item, help_heading = "Who")]
    pub allow_host: Vec<String>,
    /// Web origins that may call, such as `https://app.example`
    #[arg(long, value_name = "ORIGIN", env = "NODECAST_ALLOW_ORIGIN", value_delimiter = ',', value_parser = item, help_heading = "Who")]
    pub allow_origin: Vec<String>,

    /// Largest body of a call
    #[arg(long, value_name = "SIZE", env = "NODECAST_MAX_BODY", default_value = "64MiB", value_parser = size, help_heading = "Limits")]
    pub max_body: usize,
    /// Largest reply of a call
    #[arg(long, value_name = "SIZE", env = "NODECAST_MAX_REPLY", default_value = "256MiB", value_parser = size, help_heading = "Limits")]
    pub max_reply: usize,
    /// Largest body of an MCP message
    #[arg(long, value_name = "SIZE", env = "NODECAST_MAX_MCP_BODY", default_value = "4MiB", value_parser = size, help_heading = "Limits")]
    pub max_mcp_body: usize,
    /// Calls that run at once; more are answered with 503
    #[arg(long, value_name = "N", env = "NODECAST_MAX_IN_FLIGHT", default_value_t = Options::default().max_in_flight, help_heading = "Limits")]
    pub max_in_flight: usize,
    /// Keys that a state of a container may have; more are refused
    #[arg(long, value_name = "N", env = "NODECAST_MAX_KEYS", default_value_t = Options::default().max_keys, help_heading = "Limits")]
    pub max_keys: usize,
    /// Pixels of a picture that is read; larger ones are refused before they are decoded
    #[arg(long, value_name = "N", env = "NODECAST_MAX_IMAGE_PIXELS", default_value_t = Options::default().max_image_pixels, help_heading = "Limits")]
    pub max_image_pixels: u64,
    /// Connections at once; more wait
    #[arg(long, value_name = "N", env = "NODECAST_MAX_CONNECTIONS", default_value_t = Options::default().max_connections, help_heading = "Limits")]
    pub max_connections: usize,
    /// Time for the headers of a request
    #[arg(long, value_name = "TIME", env = "NODECAST_HEADER_TIMEOUT", default_value = "10s", value_parser = duration, help_heading = "Limits")]
    pub header_timeout: Duration,
    /// A connection whose peer reads nothing for so long is closed
    #[arg(long, value_name = "TIME", env = "NODECAST_WRITE_TIMEOUT", default_value = "30s", value_parser = duration, help_heading = "Limits")]
    pub write_timeout: Duration,
    /// MCP sessions of one path at once, where nodesets keep them; more are answered with 503
    #[arg(long, value_name = "N", env = "NODECAST_MAX_SESSIONS", default_value_t = Options::default().max_sessions, help_heading = "Limits")]
    pub max_sessions: usize,
    /// A session or a lease ends when idle for so long
    #[arg(long, value_name = "TIME", env = "NODECAST_IDLE_TIMEOUT", default_value = "600s", value_parser = duration, help_heading = "Limits")]
    pub idle_timeout: Duration,
    /// Longest call [default: none]
    #[arg(long, value_name = "TIME", env = "NODECAST_CALL_TIMEOUT", value_parser = duration, help_heading = "Limits")]
    pub call_timeout: Option<Duration>,
    /// Time that running calls get when the host is told to stop
    #[arg(long, value_name = "TIME", env = "NODECAST_GRACE", default_value = "3s", value_parser = duration, help_heading = "Limits")]
    pub grace: Duration,

    /// Stop when the process that started this one ends
    #[arg(long, env = "NODECAST_DIE_WITH_PARENT", value_parser = BoolishValueParser::new(), help_heading = "Process")]
    pub die_with_parent: bool,
    /// Form of the log on standard error; `RUST_LOG` says what is in it
    #[arg(long, value_enum, env = "NODECAST_LOG", default_value_t = Options::default().log, help_heading = "Process")]
    pub log: LogFormat,
}

/// The form of the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

impl ValueEnum for Profile {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.as_str()).help(self.about()))
    }
}

/// The longest time of an option.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The port where none is named.
pub(super) const DEFAULT_PORT: u16 = 9200;

impl Default for Options {
    fn default() -> Self {
        Self {
            nodesets: Vec::new(),
            name: None,
            mcp_tools: None,
            no_mcp: false,
            no_direct_lane: false,
            profile: Profile::default(),
            reference: false,
            settings: None,
            set: Vec::new(),
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            stdio: false,
            executor_url: None,
            token_file: None,
            unsafe_no_auth: false,
            allow_host: Vec::new(),
            allow_origin: Vec::new(),
            max_body: 64 << 20,
            max_reply: 256 << 20,
            max_mcp_body: 4 << 20,
            max_in_flight: 1024,
            max_keys: MAX_KEYS,
            max_image_pixels: MAX_IMAGE_PIXELS,
            max_connections: 1024,
            max_sessions: 1024,
            header_timeout: Duration::from_secs(10),
            write_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(600),
            call_timeout: None,
            grace: Duration::from_secs(3),
            die_with_parent: false,
            log: LogFormat::Text,
        }
    }
}

/// The whole command line of a served binary.
#[derive(Debug, Parser)]
#[command(about = "Serves nodesets over HTTP and MCP.", after_help = EXAMPLES)]
struct CommandLine {
    #[command(flatten)]
    options: Options,
}

impl Options {
    /// Reads the process's arguments and variables; prints help or what is wrong with them, and gives the exit code.
    pub fn from_command_line(version: &'static str) -> Result<Self, u8> {
        let command = CommandLine::command().version(version);
        let arguments: Vec<OsString> = std::env::args_os().collect();
        let matches = variables::matches(command, &arguments);
        let parsed = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
        parsed.map(|line| line.options).map_err(|error| {
            // A closed pipe behind `--help` is no failure of ours.
            let _ = error.print();
            u8::try_from(error.exit_code()).unwrap_or(2)
        })
    }

    /// Refuses limits under which nothing could be served, and a name that is none.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Err("--name is empty; leave it out, or say how the whole is called".to_owned());
        }
        let counts = [
            ("--max-body", self.max_body),
            ("--max-reply", self.max_reply),
            ("--max-mcp-body", self.max_mcp_body),
            ("--max-in-flight", self.max_in_flight),
            ("--max-connections", self.max_connections),
            ("--max-sessions", self.max_sessions),
        ];
        if let Some((flag, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(format!("{flag} 0: nothing could be served; expected at least 1"));
        }
        let times = [
            ("--header-timeout", Some(self.header_timeout)),
            ("--write-timeout", Some(self.write_timeout)),
            ("--idle-timeout", Some(self.idle_timeout)),
            ("--call-timeout", self.call_timeout),
        ];
        match times.into_iter().find(|(_, time)| time.is_some_and(|time| time.is_zero())) {
            Some((flag, _)) => Err(format!("{flag} 0: nothing would be in time; expected more, such as 500ms")),
            None => Ok(()),
        }
    }

    /// Reads the variables alone, for a host whose `main` has arguments of its own.
    pub fn from_env() -> Result<Self, String> {
        let matches = variables::matches(CommandLine::command(), &[OsString::from("host")]);
        let line = matches.and_then(|matches| CommandLine::from_arg_matches(&matches));
        line.map(|line| line.options).map_err(|error| error.to_string())
    }
}

/// One of a list, which people write with spaces behind its commas.
#[allow(clippy::unnecessary_wraps, reason = "clap asks for a result")]
fn item(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(text.trim().to_owned())
}

/// An address; `localhost` is the IPv4 one, where clients of graph frameworks look.
fn address(text: &str) -> Result<IpAddr, String> {
    match text.trim() {
        name if name.eq_ignore_ascii_case("localhost") => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        address => address.trim_matches(['[', ']']).parse().map_err(|_| {
            "expected an address of this machine such as 127.0.0.1, ::1 or 0.0.0.0, or `localhost`".to_owned()
        }),
    }
}

/// `300`, `300B`, `64KiB`, `64MiB`, `1GiB`.
fn size(text: &str) -> Result<usize, String> {
    let (number, shift) = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("B", 0)]
        .into_iter()
        .find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)))
        .unwrap_or((text, 0));
    let number: usize = number.trim().parse().map_err(|_| "expected a size such as 65536, 64KiB or 4MiB".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_owned())
}

/// `10`, `1.5`, `10s`, `500ms`, `5m`; a bare number is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, factor) = [("ms", 0.001), ("s", 1.0), ("m", 60.0)]
        .into_iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))
        .unwrap_or((text, 1.0));
    let expected = || "expected a time such as 10, 1.5s, 500ms or 5m".to_owned();
    let number: f64 = number.trim().parse().map_err(|_| expected())?;
    let time = Duration::try_from_secs_f64(number * factor).map_err(|_| expected())?;
    // Beyond, clocks overflow.
    if time > LONGEST { Err("at most 365 days".to_owned()) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use clap::{ArgAction, Command};

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        CommandLine::command().debug_assert();
    }

    #[test]
    fn an_empty_command_line_is_the_default() {
        let parsed = CommandLine::try_parse_from(["host"]).unwrap().options;
        assert_eq!(format!("{parsed:?}"), format!("{:?}", Options::default()));
    }

    #[test]
    fn the_book_has_every_flag_with_its_default_and_its_variable() {
        let page = include_str!("../../../../docs/hosting.md");
        for flag in Options::augment_args(Command::new("")).get_arguments() {
            let Some(long) = flag.get_long() else { continue };
            let is_its = |line: &&str| {
                let rest = line.strip_prefix("| `--").and_then(|rest| rest.strip_prefix(long));
                rest.is_some_and(|rest| rest.starts_with([' ', '`']))
            };
            let row = page.lines().find(is_its).expect(long);
            if let ([default], false) = (flag.get_default_values(), matches!(flag.get_action(), ArgAction::SetTrue)) {
                assert_eq!(row.split('|').nth(2).map(str::trim), default.to_str(), "--{long}");
            }
            let variable = format!("NODECAST_{}", long.to_uppercase().replace('-', "_"));
            assert_eq!(flag.get_env(), (long != "set").then_some(OsStr::new(&variable)), "--{long}");
        }
    }

    #[test]
    fn addresses() {
        assert_eq!(address("localhost"), Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert_eq!(address("[::1]"), address("::1"));
        assert!(address("example.com").is_err());
    }

    #[test]
    fn limits_under_which_nothing_is_served_are_refused() {
        assert_eq!(Options::default().check(), Ok(()));
        let none = Options { max_in_flight: 0, ..Options::default() };
        assert!(none.check().unwrap_err().starts_with("--max-in-flight 0"));
        let none = Options { call_timeout: Some(Duration::ZERO), ..Options::default() };
        assert!(none.check().unwrap_err().starts_with("--call-timeout 0"));
        let at_once = Options { grace: Duration::ZERO, ..Options::default() };
        assert_eq!(at_once.check(), Ok(()));
    }

    #[test]
    fn an_empty_name_is_refused() {
        let nameless = Options { name: Some(" ".to_owned()), ..Options::default() };
        assert!(nameless.check().unwrap_err().starts_with("--name is empty"));
    }

    #[test]
    fn items_of_lists_are_trimmed() {
        let lists = ["host", "--nodeset=echo, owner", "--allow-origin=http://a , http://b", "--allow-host=a, b"];
        let options = CommandLine::try_parse_from(lists).unwrap().options;
        assert_eq!(options.nodesets, ["echo", "owner"]);
        assert_eq!(options.allow_origin, ["http://a", "http://b"]);
        assert_eq!(options.allow_host, ["a", "b"]);
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(size("64MiB"), Ok(64 << 20));
        assert_eq!(size("12"), Ok(12));
        assert!(size("12 parsecs").is_err());
        assert!(size("99999999999GiB").is_err());
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(duration("1e12").is_err());
        assert!(duration("-1s").is_err());
        assert!(duration("soon").is_err());
    }
}
