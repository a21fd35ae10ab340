//! What an app is made with, where it connects to, who answers, and how a start can fail.

use super::inbox::WaitError;
use crate::socket::{ConnectError, ConnectionGone, SocketOptions};
use crate::tls::Trust;
use iolite_protocol::bootstrap::Link;
use iolite_protocol::contract::Contract;
use iolite_protocol::transcript::Tap;
use serde_json::{Map, Value};
use std::net::SocketAddr;

/// What an app is made with.
#[derive(Clone, Debug)]
pub struct AppConfig {
    /// The app's name in the scenario's cast: the actor in the transcript, and in stamps.
    pub name: String,
    /// The device fields of its claims (`device_manufacturer`, `device_model`, `device_os`), as they are sent.
    pub device: Map<String, Value>,
    /// Where its traffic is recorded.
    pub tap: Tap,
    /// What it holds the daemon's frames against.
    pub contract: Contract,
    /// How its sockets are opened.
    pub socket: SocketOptions,
}

impl AppConfig {
    /// An app of this name, with nothing else set.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            device: Map::new(),
            tap: Tap::none(),
            contract: Contract::default(),
            socket: SocketOptions::default(),
        }
    }

    /// The same with this device model; the alias is made from it (BRG-SES-05).
    pub fn with_model(mut self, model: &str) -> Self {
        self.device.insert("device_model".to_owned(), model.into());
        self
    }

    /// The same with traffic recorded to `tap`.
    pub fn with_tap(mut self, tap: Tap) -> Self {
        self.tap = tap;
        self
    }
}

/// Where a daemon listens and how it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The address.
    pub address: SocketAddr,
    /// Which keys are trusted.
    pub trust: Trust,
}

impl Target {
    /// The daemon that a link points to.
    pub fn of_link(link: &Link, trust: Trust) -> Self {
        let endpoint = link.endpoint();
        Self { address: SocketAddr::new(endpoint.address(), endpoint.port()), trust }
    }
}

/// Who answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Serving {
    /// The registrations' scripts.
    #[default]
    Scripted,
    /// The driver: requests stay open until [`App::answer`](super::App::answer), and nothing is answered by itself.
    Manual,
}

/// Why a claim or resume did not make the app active.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No socket.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The socket was gone before the frame was sent.
    #[error(transparent)]
    ConnectionGone(#[from] ConnectionGone),
    /// The daemon closed instead of acknowledging.
    #[error("the daemon closed: {code:?} {reason:?}")]
    Refused {
        /// The close code; absent when the close frame had no body.
        code: Option<u16>,
        /// The reason.
        reason: String,
    },
    /// Neither an acknowledgement nor a close came.
    #[error(transparent)]
    NoAnswer(#[from] WaitError),
    /// There is no session to resume: nothing was claimed or adopted before.
    #[error("there is no session to resume")]
    NoSession,
}
