//! One socket of an app: it is read all the time, and what comes is answered as its responder says.

use super::received::{Received, ReceivedKind};
use super::responder::Responder;
use crate::engine::log::Log;
use crate::engine::step_outcome::StepError;
use iolite_mock_app::socket::{
    ConnectError, ConnectionRecorder, RawFrame, Socket, SocketEvents, SocketOptions, SocketSender, Stage,
};
use iolite_mock_app::tls::{Pin, Trust};
use iolite_protocol::transcript::Tap;
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// An open (or ended) socket. Dropping it ends the connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) number: u32,
    pub(super) sender: SocketSender,
    pub(super) pin: Option<Pin>,
    pump: JoinHandle<()>,
}

/// Who opens the socket, and where what arrives goes.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    pub(super) actor: String,
    pub(super) tap: Tap,
    pub(super) log: Log<Received>,
    pub(super) responder: Arc<Responder>,
}

impl Connection {
    /// Opens a WebSocket, or a connection that stops at an earlier stage. The pin is the key the daemon must show; without
    /// one any key will do.
    pub(super) async fn open(
        owner: &Owner,
        number: u32,
        (address, pin): (SocketAddr, Option<Pin>),
        stage: Stage,
        deadline: Instant,
    ) -> Result<Self, ConnectError> {
        let trust = pin.map_or(Trust::AnyKey, Trust::Pinned);
        let scribe = ConnectionRecorder::new(owner.tap.clone(), &owner.actor, number);
        let options =
            SocketOptions { stage, answer_pings: !owner.responder.silent_pings(), ..SocketOptions::default() };
        let socket = Socket::connect(address, trust, &options, scribe, deadline).await?;
        let pin = socket.presented_pin();
        let (sender, events) = socket.split();
        let pump = tokio::spawn(pump(number, events, sender.clone(), owner.log.clone(), Arc::clone(&owner.responder)));
        Ok(Self { number, sender, pin, pump })
    }

    /// Sends frames as one write.
    pub(super) async fn send(&self, frames: Vec<RawFrame>, deadline: Instant) -> Result<(), StepError> {
        match timeout_at(deadline, self.sender.send_all(frames)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(gone)) => Err(StepError::Unmet(gone.to_string())),
            Err(_) => Err(StepError::Unmet("the daemon does not read what the app sends".into())),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.pump.abort();
    }
}

async fn pump(
    number: u32,
    mut events: SocketEvents,
    sender: SocketSender,
    log: Log<Received>,
    responder: Arc<Responder>,
) {
    loop {
        let mut received = Received::of(number, events.next().await);
        let ended = matches!(received.what, ReceivedKind::Ended { .. });
        let answers = received.what.frame().map(|frame| responder.answers(frame)).unwrap_or_default();
        received.served = answers.served;
        log.push(received);
        for frame in answers.frames {
            sender.queue(text(&frame));
        }
        if ended {
            return;
        }
    }
}

/// A text frame with compact JSON.
pub(super) fn text(value: &Value) -> RawFrame {
    RawFrame::text(value.to_string())
}
