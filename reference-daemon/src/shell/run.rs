//! From start to end: what is opened in which order, and how it is tidied up.

use super::audit_log::AuditLog;
use super::clock::{Clock, ClockChoice};
use super::config::{Config, ConfigError};
use super::console::Console;
use super::control::Control;
use super::engine::{End, Engine, Event};
use super::error::ShellError;
use super::identity::Identity;
use super::listener::{Listener, ListenerContext};
use super::options::Options;
use super::pid_file::PidFile;
use crate::core::Core;
use crate::core::io::{CoreConfig, Entropy};
use crate::rules::{Rules, ShellRules};
use rand::RngCore as _;
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long closes and last answers may take at shutdown. After it connections are dropped as they are.
pub const SHUTDOWN_PATIENCE: Duration = Duration::from_secs(1);

/// Exit code of the sudden death that a bent rule table asks for.
pub const SUDDEN_DEATH: u8 = 101;

/// Runs the daemon on the process's standard input, output and signals until it is told to end; gives its exit code.
/// Logs go to standard error.
///
/// Meant for a current-thread runtime: a manual clock's `advance` relies on it to know that nothing is on its way.
///
/// # Errors
/// Whatever keeps it from starting. Nothing is left behind then that was not there before, except the state folder, its
/// key and what they need.
pub async fn run(options: Options) -> Result<u8, ShellError> {
    super::log::init();
    let console = Console::of_process(options.clock == ClockChoice::Manual);
    run_with(options, console).await
}

/// [`run`] with other lines than standard input and output.
///
/// # Errors
/// As [`run`].
pub async fn run_with(options: Options, mut console: Console) -> Result<u8, ShellError> {
    let dir = options.state_dir.clone();
    let rules = Arc::new(options.rules.clone());
    dir.prepare(&rules.shell)?;
    let pid_file = PidFile::take(&dir, &rules.shell)?;
    let parts = match Parts::open(&options, &rules) {
        Ok(parts) => parts,
        Err(error) => {
            remove_pid_file(pid_file);
            return Err(error);
        }
    };
    let Parts { control, listener, identity, core_config } = parts;
    let socket_path = control.path().to_owned();

    let (events, received) = mpsc::channel(EVENTS);
    let context = ListenerContext { events, tasks: TaskTracker::new(), ending: CancellationToken::new() };
    if let Err(error) = listen_for_signals(&rules.shell, &context) {
        remove_socket(&socket_path);
        remove_pid_file(pid_file);
        return Err(error);
    }
    raise_descriptor_limit();
    let wss_port = listener.address().port();
    tokio::spawn(listener.accept(identity, Arc::clone(&rules), context.clone()));
    tokio::spawn(control.accept(Arc::clone(&rules), context.clone()));

    let clock = Clock::start(options.clock);
    let audit = AuditLog::new(dir.audit(), &rules.shell);
    let core = Core::new(core_config, options.rules, Box::new(SystemEntropy));
    let mut engine = Engine::new(core, Arc::clone(&rules), clock, audit);
    console.say_ready(&socket_path, wss_port, dir.path());
    let end = engine.run(received, &mut console).await;

    if end == End::Died {
        return Ok(SUDDEN_DEATH);
    }
    if !rules.session.restart_forgets
        && let Err(error) = std::fs::write(dir.sessions(), engine.session_ids().join("\n"))
    {
        tracing::warn!("cannot remember the sessions: {error}");
    }
    context.ending.cancel();
    if rules.shell.shutdown_removes_socket {
        remove_socket(&socket_path);
    }
    context.tasks.close();
    if timeout(SHUTDOWN_PATIENCE, context.tasks.wait()).await.is_err() {
        tracing::info!(open = context.tasks.len(), "some peers did not answer the close in time");
    }
    if rules.shell.shutdown_removes_pid {
        remove_pid_file(pid_file);
    }
    Ok(rules.shell.shutdown_exit_code)
}

/// What must be there before anybody can connect.
struct Parts {
    control: Control,
    listener: Listener,
    identity: Identity,
    core_config: CoreConfig,
}

impl Parts {
    /// Opens everything that can fail because of something an operator must change. The control socket is the last: a
    /// client that finds it finds a daemon that serves.
    fn open(options: &Options, rules: &Rules) -> Result<Self, ShellError> {
        let dir = &options.state_dir;
        let config = match rules.shell.read_config {
            true => Config::load(&dir.config())?,
            false => Config::default(),
        };
        if rules.shell.longest_grace_s.is_some_and(|longest| config.grace_s > longest) {
            return Err(ConfigError::Unreadable { path: dir.config(), why: "the grace is too long".to_owned() }.into());
        }
        let listen_ip = config.listen_ip();
        let used_before = dir.key().exists();
        let left_behind = match rules.session.restart_forgets {
            true => Vec::new(),
            false => std::fs::read_to_string(dir.sessions()).unwrap_or_default().lines().map(str::to_owned).collect(),
        };
        let identity = Identity::load(dir, &[config.advertised_ip, listen_ip], &rules.shell)?;
        let port = options.wss_port.unwrap_or(config.wss_port);
        let listener = Listener::bind(SocketAddr::new(listen_ip, port))?;
        let control = Control::bind(dir, rules)?;
        let core_config = CoreConfig {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            pid: std::process::id(),
            advertised_ip: config.advertised_ip,
            wss_port: listener.address().port(),
            pin: identity.pin.clone(),
            pinned_keys: vec![identity.pin.clone()],
            scheme: config.scheme,
            grace_s: config.grace_s,
            keepalive_interval_s: config.keepalive_interval_s,
            link_ttl_s: config.link_ttl_s,
            event_buffer_size: config.event_buffer_size,
            policy: config.policy,
            used_before,
            left_behind,
        };
        Ok(Self { control, listener, identity, core_config })
    }
}

/// SIGTERM and SIGINT end the daemon in good order (BRG-CON-14). A signal that the rules leave alone keeps the system's
/// own effect.
fn listen_for_signals(rules: &ShellRules, context: &ListenerContext) -> Result<(), ShellError> {
    let kinds = [(SignalKind::terminate(), rules.obey_sigterm), (SignalKind::interrupt(), rules.obey_sigint)];
    for (kind, _) in kinds.into_iter().filter(|(_, obeyed)| *obeyed) {
        let mut signals = signal(kind).map_err(ShellError::Signals)?;
        let events = context.events.clone();
        tokio::spawn(async move {
            while signals.recv().await.is_some() {
                if events.send(Event::Shutdown).await.is_err() {
                    return;
                }
            }
        });
    }
    Ok(())
}

/// Asks for as many descriptors as the system lets us have: there is no cap on sessions (BRG-SES-11).
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::debug!(%error, "the limit of open files stays as it is");
    }
}

fn remove_socket(path: &Path) {
    // Only a bent rule table makes it a link to a socket elsewhere.
    if let Ok(elsewhere) = std::fs::read_link(path) {
        remove_socket(&elsewhere);
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!("cannot remove {}: {error}", path.display());
        }
        _ => {}
    }
}

fn remove_pid_file(pid_file: PidFile) {
    if let Err(error) = pid_file.remove() {
        tracing::warn!("cannot remove the pid file: {error}");
    }
}

/// The operating system's random numbers.
struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&mut self, bytes: &mut [u8]) {
        rand::rng().fill_bytes(bytes);
    }
}

/// Events that may wait for the engine. Whoever has one more waits, and so does its peer.
const EVENTS: usize = 256;
