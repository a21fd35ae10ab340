//! The one task that owns the core. All other tasks send it events; the outputs of the core are carried out in order.

use super::audit_log::AuditLog;
use super::clock::Clock;
use super::console::{Command, Console};
use super::outbox::Outbox;
use super::timers::{Due, Timers};
use super::websocket::frame::{self, close_frame, server_frame};
use crate::core::Core;
use crate::core::io::{ConnectionId, Input, LogLevel, Now, Output, SocketId};
use crate::rules::Rules;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// What the other tasks send to the engine.
#[derive(Debug)]
pub enum Event {
    /// A TCP connection was accepted; its handshakes are still to come.
    Connecting {
        /// The socket.
        socket: SocketId,
        /// Where to write to it.
        outbox: Outbox,
    },
    /// Its TLS and WebSocket handshakes are complete.
    Connected {
        /// The socket.
        socket: SocketId,
    },
    /// A control connection was accepted.
    Control {
        /// The connection.
        connection: ConnectionId,
        /// Where to write to it.
        outbox: Outbox,
    },
    /// A socket ends for a reason of the WebSocket protocol's own: its peer has closed it, or broken the framing. The
    /// frame is what it is answered with, unless a close was decided on before.
    ProtocolClose {
        /// The socket.
        socket: SocketId,
        /// The close frame.
        close_frame: Vec<u8>,
    },
    /// An input for the core. Those of a socket or connection that has ended are ignored.
    Input(Input),
    /// End in good order: a signal arrived.
    Shutdown,
    /// Exit at once, without closing anything. Only a bent rule table asks for it.
    Die,
}

/// Why the engine has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The core asked to stop: everything before that was carried out.
    Stopped,
    /// A bent rule table asked for a sudden death.
    Died,
}

/// The core and everything it acts upon.
pub struct Engine {
    core: Core,
    rules: Arc<Rules>,
    clock: Clock,
    timers: Timers,
    sockets: HashMap<SocketId, Socket>,
    connections: HashMap<ConnectionId, Outbox>,
    audit: AuditLog,
    ended: Option<End>,
}

struct Socket {
    outbox: Outbox,
    /// Whether the core knows of it.
    open: bool,
}

impl Engine {
    /// An engine without connections.
    pub fn new(core: Core, rules: Arc<Rules>, clock: Clock, audit: AuditLog) -> Self {
        Self {
            core,
            rules,
            clock,
            timers: Timers::default(),
            sockets: HashMap::new(),
            connections: HashMap::new(),
            audit,
            ended: None,
        }
    }

    /// The ids of the sessions that live, in claim order.
    pub fn session_ids(&self) -> Vec<String> {
        self.core.session_ids()
    }

    /// Runs until the core stops. Afterwards no connection is held any more: what is queued is written by their tasks.
    pub async fn run(&mut self, mut events: mpsc::Receiver<Event>, console: &mut Console) -> End {
        let mut listens = matches!(self.clock, Clock::Manual(_));
        loop {
            if let Some(end) = self.ended {
                self.release_connections();
                return end;
            }
            let wait = self.timers.next_due().and_then(|at| self.clock.until(at));
            tokio::select! {
                Some(event) = events.recv() => self.take(event).await,
                () = sleep_until(Instant::now() + wait.unwrap_or_default()), if wait.is_some() => {
                    self.fire_until(self.clock.now()).await;
                }
                line = console.line(), if listens => match line.as_deref().map(Command::read) {
                    Some(Ok(Some(Command::Advance(ms)))) => self.advance(ms, &mut events, console).await,
                    Some(Ok(None)) => {}
                    Some(Err(error)) => tracing::warn!("{error}"),
                    None => {
                        listens = false;
                        self.step(Input::Shutdown).await;
                    }
                },
            }
        }
    }

    /// Moves a manual clock. What had arrived before is handled first. `advanced` is printed only after everything due
    /// has happened and was written, as far as peers read it.
    async fn advance(&mut self, ms: u64, events: &mut mpsc::Receiver<Event>, console: &mut Console) {
        self.settle(events).await;
        let target = Now { unix_ms: self.clock.now().unix_ms.saturating_add(ms) };
        self.fire_until(target).await;
        self.clock.move_to(target);
        self.settle(events).await;
        console.say_advanced(ms);
    }

    /// Handles events until no task produces any more. Each yield lets the runtime poll the system for I/O and run
    /// every task that is ready.
    async fn settle(&mut self, events: &mut mpsc::Receiver<Event>) {
        let mut quiet = 0;
        while quiet < QUIET_TURNS && self.ended.is_none() {
            tokio::task::yield_now().await;
            quiet += 1;
            while let Ok(event) = events.try_recv() {
                quiet = 0;
                self.take(event).await;
            }
        }
    }

    /// Fires what is due until then, each timer at its own time.
    async fn fire_until(&mut self, until: Now) {
        while let Some((at, due)) = self.timers.take_due(until) {
            self.clock.move_to(at);
            match due {
                Due::Core(timer) => self.step(Input::TimerFired { timer }).await,
                Due::Handshake(socket) => {
                    if let Some(socket) = self.sockets.remove(&socket) {
                        socket.outbox.abort();
                    }
                }
            }
            if self.ended.is_some() {
                return;
            }
        }
    }

    async fn take(&mut self, event: Event) {
        if self.ended.is_some() {
            return;
        }
        match event {
            Event::Connecting { socket, outbox } => {
                let now = self.clock.now().unix_ms;
                let at = Now { unix_ms: now.saturating_add(self.rules.contract.limits.pre_claim_ms) };
                self.timers.set(Due::Handshake(socket), at);
                self.sockets.insert(socket, Socket { outbox, open: false });
            }
            Event::Connected { socket } => {
                self.timers.cancel(Due::Handshake(socket));
                let keeps_out = !self.rules.shell.accepts_while_behind;
                if keeps_out && self.sockets.values().any(|socket| socket.outbox.is_behind()) {
                    return;
                }
                if let Some(entry) = self.sockets.get_mut(&socket) {
                    entry.open = true;
                    self.step(Input::SocketOpened { socket }).await;
                }
            }
            Event::Control { connection, outbox } => {
                self.connections.insert(connection, outbox);
                self.step(Input::RpcOpened { connection }).await;
            }
            Event::ProtocolClose { socket, close_frame } => {
                if let Some(entry) = self.sockets.remove(&socket) {
                    entry.outbox.send_last(close_frame);
                    self.step(Input::SocketClosed { socket }).await;
                }
            }
            Event::Input(Input::SocketClosed { socket }) => {
                self.timers.cancel(Due::Handshake(socket));
                // The core forgets a socket that it has closed; only one with bent rules cares about its end.
                if self.sockets.remove(&socket).is_none_or(|entry| entry.open) {
                    self.step(Input::SocketClosed { socket }).await;
                }
            }
            Event::Input(Input::RpcClosed { connection }) => {
                if self.connections.remove(&connection).is_some() {
                    self.step(Input::RpcClosed { connection }).await;
                }
            }
            Event::Input(Input::RpcLineTooLong { .. }) if self.rules.shell.long_line_ends_all => {
                let mut all: Vec<ConnectionId> = self.connections.keys().copied().collect();
                all.sort();
                for connection in all {
                    self.step(Input::RpcLineTooLong { connection }).await;
                }
            }
            Event::Input(input) => self.step(input).await,
            Event::Shutdown => self.step(Input::Shutdown).await,
            Event::Die => self.ended = Some(End::Died),
        }
    }

    /// One turn of the core, and whatever follows from carrying it out.
    async fn step(&mut self, input: Input) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            if let (Input::SocketText { socket, text }, false) = (&input, self.rules.shell.hide_tokens) {
                tracing::error!(socket = socket.0, "received {text}");
            }
            let outputs = self.core.handle(self.clock.now(), input);
            let stopping = outputs.contains(&Output::Stop);
            for output in outputs {
                if let Some(consequence) = self.carry_out(output, stopping).await {
                    inputs.push_back(consequence);
                }
            }
        }
    }

    async fn carry_out(&mut self, output: Output, stopping: bool) -> Option<Input> {
        match output {
            Output::SendText { socket, text } => {
                if !self.rules.shell.hide_tokens {
                    tracing::error!(socket = socket.0, "sent {text}");
                }
                return self.write(socket, server_frame(frame::TEXT, text.as_bytes())).await;
            }
            Output::SendPing { socket } => {
                return self.write(socket, server_frame(frame::PING, b"")).await;
            }
            Output::Close { socket, close } => {
                if let Some(entry) = self.sockets.remove(&socket) {
                    if stopping && !self.rules.shell.shutdown_closes_sockets {
                        entry.outbox.abort();
                    } else if self.rules.shell.close_is_last {
                        entry.outbox.send_last(close_frame(close.code.0, close.reason.as_str()));
                    } else {
                        let _overflown = entry.outbox.send(close_frame(close.code.0, close.reason.as_str()));
                        entry.outbox.send_last(server_frame(frame::PING, b""));
                    }
                }
            }
            Output::Drop { socket } => {
                if let Some(entry) = self.sockets.remove(&socket) {
                    entry.outbox.abort();
                }
            }
            Output::RpcSend { connection, line } => return self.answer(connection, line),
            Output::RpcEnd { connection } => {
                if let Some(outbox) = self.connections.remove(&connection) {
                    outbox.finish();
                }
            }
            Output::SetTimer { timer, at } => self.timers.set(Due::Core(timer), at),
            Output::CancelTimer { timer } => self.timers.cancel(Due::Core(timer)),
            Output::Audit(record) => {
                if let Err(error) = self.audit.append(&record) {
                    tracing::error!("an audit record is lost: {error}");
                }
            }
            Output::Log { level: LogLevel::Debug, message } => tracing::debug!("{message}"),
            Output::Log { level: LogLevel::Info, message } => tracing::info!("{message}"),
            Output::Log { level: LogLevel::Warn, message } => tracing::warn!("{message}"),
            Output::Stop => self.ended = Some(End::Stopped),
        }
        None
    }

    async fn write(&mut self, socket: SocketId, frame: Vec<u8>) -> Option<Input> {
        let outbox = &self.sockets.get(&socket)?.outbox;
        if outbox.send(frame).is_err() {
            tracing::warn!(socket = socket.0, "an app does not read what is sent to it; its socket is cut");
            outbox.abort();
            self.sockets.remove(&socket);
            return Some(Input::SocketClosed { socket });
        }
        if self.rules.shell.slow_reader_holds_all {
            outbox.drained().await;
        }
        None
    }

    fn answer(&mut self, connection: ConnectionId, line: String) -> Option<Input> {
        let outbox = self.connections.get(&connection)?;
        if outbox.send((line + "\n").into_bytes()).is_err() {
            tracing::warn!(connection = connection.0, "an operator does not read what is sent to it; it is cut off");
            outbox.abort();
            self.connections.remove(&connection);
            return Some(Input::RpcClosed { connection });
        }
        None
    }

    /// Ends every connection: control connections still write what is queued, sockets that the core has not closed are
    /// dropped.
    fn release_connections(&mut self) {
        for (_, socket) in self.sockets.drain() {
            socket.outbox.abort();
        }
        for (_, outbox) in self.connections.drain() {
            outbox.finish();
        }
    }
}

/// Turns of the runtime without news after which nothing is taken to be on its way. Data takes one turn from the system
/// to its reader and one from there to the engine; the rest is for chains of them.
const QUIET_TURNS: u32 = 32;
