//! A host as a process: what it prints, how it is told to stop, and with which code it ends (`wire.md` 9.1).

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::host::{self, Built, Host, HostError, program};
use super::listen::{Listener, Told};
use super::log::Log;
use super::options::Options;
use super::stdout::Protocol;
use super::{alias, parent, print, settings, stdio};
use crate::call::End;
use crate::catalog::Linked;
use crate::wire::Value;

/// Calls that were cancelled have this long to answer.
pub(super) const LAST_ANSWERS: Duration = Duration::from_millis(300);
/// Connections have this long to write what is left.
const LAST_BYTES: Duration = Duration::from_millis(200);
/// The executor has this long to hear of the last events.
const LAST_EVENTS: Duration = Duration::from_millis(300);
/// `stop()` of all nodesets together.
const STOP: Duration = Duration::from_secs(1);
/// After all of these, a thread ends the process whatever blocks the workers.
const SLACK: Duration = Duration::from_millis(100);
/// Stopped without a clean `stop()`.
const UNCLEAN: u8 = 5;

/// Serves linked nodesets as the command line says.
pub(super) async fn command_line(mut nodesets: Vec<Linked>) -> ExitCode {
    parent::note();
    nodesets.sort_by_key(|nodeset| nodeset.name);
    if let Some(code) = print(&nodesets) {
        return code;
    }
    let (options, class) = match alias::command_line(env!("CARGO_PKG_VERSION")) {
        Ok(options) => options,
        Err(code) => return ExitCode::from(code),
    };
    let events = match host::events(&options) {
        Ok(events) => events,
        Err(problem) => return report(&HostError::Usage(problem)),
    };
    let log = Log::begin(&options, &service(&nodesets, &options), events.clone());
    match configured(nodesets, options, class) {
        Ok(configured) => host(configured.events(events), log).await.unwrap_or_else(|error| report(&error)),
        Err(error) => report(&error),
    }
}

/// Runs a host where no runtime is yet.
pub(super) fn with_runtime(host: impl Future<Output = ExitCode>) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return report(&HostError::Runtime(error)),
    };
    let code = runtime.block_on(host);
    // A node that still blocks a thread has been given its time.
    runtime.shutdown_background();
    code
}

/// Prints what `NODECAST_PRINT` asks for, if it is set; then nothing else is to be done.
pub(super) fn print(nodesets: &[Linked]) -> Option<ExitCode> {
    let asked = std::env::var_os(print::VARIABLE).filter(|asked| !asked.is_empty())?;
    let text = Options::from_env().map_err(HostError::Usage).and_then(|options| {
        let chosen = choose(nodesets.to_vec(), &options.nodesets)?;
        print::text(&asked.to_string_lossy(), &chosen, &options)
    });
    Some(match text {
        Ok(text) => {
            // A reader that hangs up has had enough.
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => report(&error),
    })
}

/// Runs a host from its binding to its end.
pub(super) async fn host(host: Host, log: Log) -> Result<ExitCode, HostError> {
    Box::pin(live(host.build()?, log)).await
}

async fn live(built: Built, log: Log) -> Result<ExitCode, HostError> {
    let options = &built.server.options;
    // Before anything of a nodeset runs, which may print.
    let protocol = if options.stdio { Some(Protocol::claim().map_err(HostError::Stdout)?) } else { None };
    let close = CancellationToken::new();
    let listener = if options.stdio && options.port.is_none() { None } else { Some(bind(&built).await?) };
    let front = Arc::new(built.front(&close));
    // Who reads that it listens may end it at once.
    let (signal, hangup) = (signal(), hangup());
    let listening = listener.map(|listener| {
        let line = format!("listening on http://{}\n", listener.address());
        // Standard output belongs to MCP where MCP is spoken on it.
        let _ = if options.stdio {
            std::io::stderr().write_all(line.as_bytes())
        } else {
            std::io::stdout().write_all(line.as_bytes())
        };
        let (options, told) =
            (options.clone(), Told { drain: built.server.life.draining().clone(), close: close.clone() });
        let traffic = built.server.metrics.traffic.clone();
        tokio::spawn(async move { listener.serve(front, &options, traffic, told).await })
    });
    let with_parent = options.die_with_parent;
    let mut signals = tokio::spawn(async move {
        tokio::select! {
            () = signal => {}
            () = hangup => {}
            () = parent::gone(), if with_parent => tracing::info!("the process that started this one has ended"),
        }
    });
    let started = tokio::select! {
        started = built.start() => started,
        _ = &mut signals => return Ok(end(&built, listening, &close, &log).await),
    };
    if let Err(error) = started {
        close.cancel();
        return Err(error);
    }
    built.server.life.ready();
    let Some(protocol) = protocol else {
        let _ = signals.await;
        return Ok(end(&built, listening, &close, &log).await);
    };
    let mut client = std::pin::pin!(stdio::serve(&built, protocol, close.clone()));
    tokio::select! {
        () = &mut client => return Ok(end(&built, listening, &close, &log).await),
        _ = &mut signals => {}
    }
    // The client's running calls have the grace period too, and their answers a way out.
    let last = tokio::time::timeout(options.grace + LAST_ANSWERS + LAST_BYTES, client);
    let (_, code) = tokio::join!(last, end(&built, listening, &close, &log));
    Ok(code)
}

async fn bind(built: &Built) -> Result<Listener, HostError> {
    let address = built.address()?;
    Listener::bind(address).await.map_err(|error| HostError::Bind { address, error })
}

/// The orderly end: running calls, their last answers, the connections, `stop()` and beside it the last spans.
async fn end(
    built: &Built,
    listening: Option<tokio::task::JoinHandle<()>>,
    close: &CancellationToken,
    log: &Log,
) -> ExitCode {
    let (life, grace) = (&built.server.life, built.server.options.grace);
    let latest = Instant::now() + whole(grace) - SLACK / 2;
    life.drain();
    // Whoever waits for changes hears that there will be no more.
    built.server.nodesets.iter().for_each(|hosted| hosted.changes.close());
    tracing::info!(in_flight = life.in_flight(), "stopping");
    end_in_time(grace);
    life.drained(grace, LAST_ANSWERS).await;
    close.cancel();
    if let Some(listening) = listening {
        let _ = tokio::time::timeout(LAST_BYTES, listening).await;
    }
    // All calls have ended, so their spans have; a collector that does not answer takes no time from a nodeset.
    let (stopped, ()) = tokio::join!(tokio::time::timeout(STOP, built.stop()), log.end());
    let code = match stopped {
        Ok(End::Stopped) => ExitCode::SUCCESS,
        Ok(End::Abandoned) => {
            tracing::error!("a blocking node outlasted its cancellation; let it look at `Context::is_cancelled`");
            ExitCode::from(UNCLEAN)
        }
        Err(_) => {
            tracing::error!("a nodeset did not stop in time");
            ExitCode::from(UNCLEAN)
        }
    };
    if let Some(events) = &built.server.events {
        let _ = tokio::time::timeout_at(latest.min(Instant::now() + LAST_EVENTS), events.flush()).await;
    }
    code
}

/// The longest that an orderly end takes.
fn whole(grace: Duration) -> Duration {
    grace + LAST_ANSWERS + LAST_BYTES + STOP + SLACK
}

/// Ends the process when its own end takes too long, or at a second signal.
fn end_in_time(grace: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(whole(grace));
        std::process::exit(i32::from(UNCLEAN));
    });
    tokio::spawn(async {
        signal().await;
        std::process::exit(i32::from(UNCLEAN));
    });
}

/// Waits for SIGTERM or SIGINT, which from the call on end the process no more by themselves.
fn signal() -> impl Future<Output = ()> + Send {
    #[cfg(unix)]
    let both = {
        use tokio::signal::unix::{SignalKind, signal};
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    };
    async move {
        #[cfg(unix)]
        if let (Ok(mut terminate), Ok(mut interrupt)) = both {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
        let _ = tokio::signal::ctrl_c().await;
    }
}

/// Waits until the terminal that the host was started from is closed.
///
/// A shell and the system may both say so, so it is no second signal that ends the process at once. Whoever started the
/// host with `nohup` wants it to live on; only Linux tells, so it is left as it is elsewhere.
fn hangup() -> impl Future<Output = ()> + Send {
    #[cfg(target_os = "linux")]
    let hangup = {
        use tokio::signal::unix::{SignalKind, signal};
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        hears_hangups(&status).then(|| signal(SignalKind::hangup()).ok()).flatten()
    };
    async move {
        #[cfg(target_os = "linux")]
        if let Some(mut hangup) = hangup {
            hangup.recv().await;
            return;
        }
        std::future::pending::<()>().await;
    }
}

/// Whether a process of this status does not ignore SIGHUP, which is the first bit of the mask.
#[cfg(target_os = "linux")]
fn hears_hangups(status: &str) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 0)
}

/// What traces call the whole: its name, else the nodeset if there is one alone, else the program.
pub(super) fn service(nodesets: &[Linked], options: &Options) -> String {
    let only = match (options.nodesets.as_slice(), nodesets) {
        ([named], _) => Some(named.clone()),
        ([], [only]) => Some(only.name.to_owned()),
        _ => None,
    };
    options.name.clone().or(only).unwrap_or_else(program)
}

fn configured(nodesets: Vec<Linked>, options: Options, class: Option<String>) -> Result<Host, HostError> {
    let all = nodesets.clone();
    let chosen = choose(nodesets, &options.nodesets)?;
    let chosen = match class {
        Some(class) => vec![alias::of_class(&all, &class, &options.nodesets)?],
        None => chosen,
    };
    let names: Vec<_> = chosen.iter().map(|nodeset| nodeset.name).collect();
    let linked: Vec<_> = all.iter().map(|nodeset| nodeset.name).collect();
    settings::check(&names, &linked, &options).map_err(HostError::Usage)?;
    let mut host = Host::new();
    for nodeset in chosen {
        let of = |error| HostError::Declaration { nodeset: nodeset.name.to_owned(), error };
        let known = (nodeset.settings)().map_err(of)?;
        let settings = settings::read(nodeset.name, names.len() > 1, known.schema(), &options, std::env::vars_os());
        host = host.linked(nodeset, Value::from(settings.map_err(HostError::Usage)?));
    }
    Ok(host.options(options))
}

/// The nodesets that were named, in the order of the binary; all where none was.
fn choose(nodesets: Vec<Linked>, named: &[String]) -> Result<Vec<Linked>, HostError> {
    for name in named {
        if !nodesets.iter().any(|nodeset| nodeset.name == name) {
            let known: Vec<_> = nodesets.iter().map(|nodeset| nodeset.name).collect();
            let hint = match crate::call::nearest(name, known.iter().copied()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; there are: {}", known.join(", ")),
            };
            return Err(HostError::NoNodeset(format!("there is no nodeset `{name}`{hint}")));
        }
    }
    if named.is_empty() {
        return Ok(nodesets);
    }
    Ok(nodesets.into_iter().filter(|nodeset| named.iter().any(|name| name == nodeset.name)).collect())
}

/// One line that says why, and the code that says it to programs.
pub(super) fn report(error: &HostError) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "error: {error}");
    ExitCode::from(error.exit_code())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::hears_hangups;

    #[test]
    fn who_is_started_to_outlive_its_terminal_hears_no_hangup() {
        assert!(hears_hangups("Name:\thost\nSigBlk:\t0000000000000001\nSigIgn:\t0000000000001000\n"));
        assert!(!hears_hangups("SigIgn:\t0000000000001001\n"));
        assert!(!hears_hangups(""));
    }
}
