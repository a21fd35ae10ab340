//! Moves what arrives on a connection into its inbox, and lets the app react on the way.

use super::answering;
use super::config::Serving;
use super::connection::WeakConnection;
use super::inbox::{Inbox, Incoming};
use super::kind::Kind;
use super::requests::Request;
use super::state::{Session, Shared};
use crate::socket::{Ended, Event, HowToEnd, SocketEvents};
use iolite_protocol::frame::{DaemonFrame, SessionAck};
use std::sync::{Arc, Weak};

/// Starts the task for one connection. It keeps neither the app nor the connection alive.
pub(super) fn start(
    app: Weak<Shared>,
    connection: WeakConnection,
    number: u32,
    inbox: Arc<Inbox>,
    events: SocketEvents,
) {
    let pump = Pump { app, connection, number, inbox };
    tokio::spawn(pump.run(events));
}

struct Pump {
    app: Weak<Shared>,
    connection: WeakConnection,
    number: u32,
    inbox: Arc<Inbox>,
}

impl Pump {
    async fn run(self, mut events: SocketEvents) {
        loop {
            let event = events.next().await;
            let over = matches!(event, Event::Ended(_));
            let incoming = self.read(event);
            if !self.inbox.push(incoming) {
                self.give_up().await;
                return;
            }
            if over {
                return;
            }
        }
    }

    /// Reacts to one event before anybody can see it: who waits for an acknowledgement finds the app active.
    fn read(&self, event: Event) -> Incoming {
        let mut incoming = Incoming { seq: 0, connection: self.number, event, frame: None, json: None, served: false };
        let app = self.app.upgrade();
        match &incoming.event {
            Event::Text(text) => {
                incoming.json = serde_json::from_str(text).ok();
                if let Some(app) = &app {
                    let frame = DaemonFrame::decode(text, &app.config.contract);
                    if let Ok(frame) = &frame {
                        incoming.served = self.react(app, frame);
                    }
                    incoming.frame = Some(frame);
                }
            }
            Event::Close { .. } | Event::Ended(_) => {
                if let Some(app) = &app {
                    self.lose(app);
                }
            }
            _ => {}
        }
        incoming
    }

    /// Says whether a script takes care of the frame.
    fn react(&self, app: &Arc<Shared>, frame: &DaemonFrame) -> bool {
        match frame {
            DaemonFrame::SessionAck(ack) => {
                self.acknowledge(app, ack);
                false
            }
            DaemonFrame::ToolCall(call) => self.serve(app, Kind::Tool, call.id(), call.name(), frame),
            DaemonFrame::ResourceRead(read) => self.serve(app, Kind::Resource, read.id(), read.name(), frame),
            DaemonFrame::ToolCancel(cancel) => answering::cancel(app, cancel.id()),
        }
    }

    fn acknowledge(&self, app: &Shared, ack: &SessionAck) {
        let mut state = app.state();
        if !self.is_current(&state) {
            return;
        }
        state.session = Some(Session::from(ack));
        state.active = true;
        if state.announcing {
            state.announce();
        }
    }

    fn lose(&self, app: &Shared) {
        let mut state = app.state();
        if self.is_current(&state) {
            state.stand_down();
        }
    }

    fn is_current(&self, state: &super::state::State) -> bool {
        state.current().is_some_and(|connection| connection.number() == self.number)
    }

    fn serve(&self, app: &Arc<Shared>, kind: Kind, id: &str, name: &str, frame: &DaemonFrame) -> bool {
        let request = Request {
            kind,
            id: id.to_owned(),
            name: name.to_owned(),
            connection: self.connection.clone(),
            connection_number: self.number,
            frame: frame.to_json(),
        };
        let (scripted, script) = {
            let mut state = app.state();
            let script = state.registry(kind).serve(name);
            (state.serving == Serving::Scripted, script)
        };
        answering::begin(app, request, script, scripted);
        scripted
    }

    /// More arrived than the driver takes.
    async fn give_up(&self) {
        if let Some(connection) = self.connection.upgrade() {
            connection.end(HowToEnd::Drop).await;
        }
        if let Some(app) = self.app.upgrade() {
            self.lose(&app);
        }
        self.inbox.push(Incoming {
            seq: 0,
            connection: self.number,
            event: Event::Ended(Ended::Flood { limit: self.inbox.limit() }),
            frame: None,
            json: None,
            served: false,
        });
    }
}
