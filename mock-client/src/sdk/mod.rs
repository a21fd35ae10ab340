//! The stock SDK as a client: the second witness.
//!
//! The server sees a client that many users have; the [`Outcome`](crate::Outcome)s show what such a client understood. That is never a
//! verdict by itself: the SDK forgives some violations and hangs on others. What really travelled is in the transcript,
//! since both pipes are recorded on their way.
//!
//! The SDK's response cache is off, every operation has a timeout, and the revision is always named. Requests of this
//! lane carry what the SDK adds by itself (numeric ids, a progress token each).

mod error;
mod listener;
mod operations;
mod tee;

pub use error::SdkError;
pub use operations::{SdkOpen, SdkSubscription};

use crate::outcome::Notification;
use crate::process::{CommandLine, Grace, Process, Stopped, Unkillable};
use crate::revision::Revision;
use crate::session::Client;
use crate::witness::Witness;
use listener::{Listener, ListenerLog};
use rmcp::RoleClient;
use rmcp::model::{ClientConfig, ProtocolVersion};
use rmcp::service::{ClientCacheConfig, ClientLifecycleMode, ClientServiceExt as _, RunningService};
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use tee::{TeeReader, TeeWriter};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::Instant;

/// How many bytes the SDK is let read in one connection.
pub const MOST_READ: usize = 256 * 1024 * 1024;

/// A client built with the stock SDK, connected and opened. Dropping it kills the server it started.
pub struct SdkClient {
    service: RunningService<RoleClient, Listener>,
    heard: ListenerLog,
    process: Option<Process>,
    patience: Duration,
}

impl SdkClient {
    /// Starts a server and opens a session in `revision` with it. Must be called inside a tokio runtime.
    ///
    /// `patience` bounds the opening, and later each operation.
    ///
    /// # Errors
    ///
    /// [`SdkError`] when the server cannot be started, refuses, or is not understood. The server is gone then.
    pub async fn spawn(
        command: &CommandLine,
        revision: Revision,
        client: Client,
        witness: Witness,
        patience: Duration,
    ) -> Result<Self, SdkError> {
        let (process, pipes) = Process::spawn(command, witness.clone())?;
        let (output, input) = (pipes.stdout, pipes.stdin);
        let mut opened = Self::open(output, input, revision, client, witness, patience).await?;
        opened.process = Some(process);
        Ok(opened)
    }

    /// Opens a session over a pair of byte streams that somebody else opened.
    ///
    /// # Errors
    ///
    /// As for [`spawn`](Self::spawn).
    pub async fn open(
        output: impl AsyncRead + Send + Unpin + 'static,
        input: impl AsyncWrite + Send + Unpin + 'static,
        revision: Revision,
        client: Client,
        witness: Witness,
        patience: Duration,
    ) -> Result<Self, SdkError> {
        let heard = ListenerLog::default();
        let version = version_of(revision);
        let listener = Listener { config: config_of(client, version.clone())?, heard: heard.clone() };
        let lifecycle = match revision.facts().handshake {
            true => ClientLifecycleMode::Initialize,
            false => ClientLifecycleMode::Discover { preferred_versions: vec![version] },
        };
        let streams = (TeeReader::new(output, witness.clone(), MOST_READ), TeeWriter::new(input, witness));
        let opening = listener.serve_with_lifecycle(streams, lifecycle);
        let service = match tokio::time::timeout(patience, opening).await {
            Ok(service) => service?,
            Err(_) => {
                let operation = "opening".into();
                return Err(SdkError::Timeout { operation, patience });
            }
        };
        let disabled = ClientCacheConfig::disabled();
        service.set_response_cache_config(disabled).await;
        Ok(Self { service, heard, process: None, patience })
    }

    /// What the server said about itself in the opening, as the SDK understood it: `protocolVersion`, `capabilities`,
    /// `serverInfo`, `instructions`.
    #[must_use]
    pub fn server(&self) -> Value {
        let info = self.service.peer_info();
        serde_json::to_value(info.as_deref()).unwrap_or_default()
    }

    /// How long each operation waits from now on.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// The server's process, when this client started it.
    #[must_use]
    pub fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }

    /// The next notification of the queue, waiting for it if need be; `None` when the deadline came first.
    ///
    /// Only what the SDK took for a notification is in the queue.
    pub async fn next_notification(&self, deadline: Instant) -> Option<Notification> {
        self.heard.next(deadline).await
    }

    /// All notifications of the queue that are there already.
    #[must_use]
    pub fn drain_notifications(&self) -> Vec<Notification> {
        self.heard.drain()
    }

    /// Lets the SDK close the connection, then ends the server as [`Process::end`] does.
    ///
    /// # Errors
    ///
    /// [`Unkillable`] when the server outlives SIGKILL.
    pub async fn stop(mut self, grace: Grace) -> Result<Option<Stopped>, Unkillable> {
        if let Some(process) = &self.process {
            process.note_input_closed();
        }
        // Whether the SDK closes cleanly does not matter: the process is ended either way.
        let _ = self.service.close_with_timeout(grace.after_stdin).await;
        match &self.process {
            Some(process) => process.end(grace).await.map(Some),
            None => Ok(None),
        }
    }
}

impl fmt::Debug for SdkClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SdkClient")
            .field("process", &self.process)
            .field("closed", &self.service.is_closed())
            .finish_non_exhaustive()
    }
}

fn version_of(revision: Revision) -> ProtocolVersion {
    match revision {
        Revision::V2025_06_18 => ProtocolVersion::V_2025_06_18,
        Revision::V2025_11_25 => ProtocolVersion::V_2025_11_25,
        Revision::V2026_07_28 => ProtocolVersion::V_2026_07_28,
    }
}

fn config_of(client: Client, version: ProtocolVersion) -> Result<ClientConfig, SdkError> {
    let Client { capabilities, info } = client;
    let capabilities =
        serde_json::from_value(capabilities).map_err(|error| SdkError::inexpressible("capabilities", &error))?;
    let info = serde_json::from_value(info).map_err(|error| SdkError::inexpressible("clientInfo", &error))?;
    Ok(ClientConfig::new(capabilities, info).with_protocol_version(version))
}
