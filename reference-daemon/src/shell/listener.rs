//! The wss listener: TCP, TLS, the WebSocket upgrade, each socket in a task of its own.

use super::connection_limit::ConnectionLimit;
use super::engine::Event;
use super::error::ShellError;
use super::identity::Identity;
use super::outbox::{OutboxReceiver, outbox};
use super::websocket::peer::{Peer, PeerRules};
use super::websocket::upgrade::upgrade;
use crate::core::io::{Input, SocketId};
use crate::rules::{NoUpgrade, Rules};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, oneshot};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// A bound listener that does not accept yet.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

/// Where accepted connections go, and how the listener is told to end.
#[derive(Clone, Debug)]
pub struct ListenerContext {
    /// The engine's channel.
    pub events: mpsc::Sender<Event>,
    /// Counts the tasks that serve connections.
    pub tasks: TaskTracker,
    /// Cancelled when nothing more is to be accepted.
    pub ending: CancellationToken,
}

impl Listener {
    /// Binds to the address; port 0 takes any free one.
    ///
    /// # Errors
    /// [`ShellError::PortInUse`], or [`ShellError::Listen`] with the system's reason.
    pub fn bind(address: SocketAddr) -> Result<Self, ShellError> {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
        let listener = socket.and_then(|socket| {
            // So that a restart need not wait for connections of the last run to be forgotten.
            socket.set_reuseaddr(true)?;
            socket.bind(address)?;
            socket.listen(1024)
        });
        let listener = listener.map_err(|source| match source.kind() {
            ErrorKind::AddrInUse => ShellError::PortInUse { address },
            _ => ShellError::Listen { address, source },
        })?;
        let address = listener.local_addr().map_err(|source| ShellError::Listen { address, source })?;
        Ok(Self { listener, address })
    }

    /// The address it listens on, with the port it got.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Accepts until told to end. A peer that stalls in its handshake delays nobody: the engine's timer drops it.
    pub async fn accept(self, identity: Identity, rules: Arc<Rules>, context: ListenerContext) {
        let acceptor = TlsAcceptor::from(identity.tls);
        let peer_rules = PeerRules::of(&rules);
        let limit = ConnectionLimit::default();
        let mut last_socket = 0;
        loop {
            let accepted = tokio::select! {
                () = context.ending.cancelled() => return,
                accepted = self.listener.accept() => accepted,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    tokio::select! {
                        () = context.ending.cancelled() => return,
                        () = limit.wait_after_failure(error.kind()) => continue,
                    }
                }
            };
            if rules.shell.socket_cap.is_some_and(|cap| limit.open() >= cap) {
                continue;
            }
            last_socket += 1;
            let socket = SocketId(last_socket);
            let (near, outgoing) = outbox();
            if context.events.send(Event::Connecting { socket, outbox: near.clone() }).await.is_err() {
                return;
            }
            let peer = Peer { socket, rules: peer_rules, outbox: near, events: context.events.clone() };
            let (handshake_done, handshake) = oneshot::channel();
            let no_upgrade = rules.shell.no_upgrade;
            let (acceptor, permit) = (acceptor.clone(), limit.permit());
            context.tasks.spawn(async move {
                serve(peer, stream, acceptor, outgoing, no_upgrade, handshake_done).await;
                drop(permit);
            });
            if rules.shell.handshakes_queue {
                tokio::select! {
                    () = context.ending.cancelled() => return,
                    _ = handshake => {}
                }
            }
        }
    }
}

/// Serves one connection and tells the engine of its end, however it came.
async fn serve(
    peer: Peer,
    stream: TcpStream,
    acceptor: TlsAcceptor,
    mut outgoing: OutboxReceiver,
    no_upgrade: NoUpgrade,
    handshake_done: oneshot::Sender<()>,
) {
    let socket = peer.socket;
    let abort = outgoing.shutdown.abort.clone();
    let served = async {
        // Frames are small and somebody waits for each of them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(socket = socket.0, %error, "cannot turn off write coalescing");
        }
        let accepted = tokio::select! {
            () = abort.cancelled() => return,
            accepted = acceptor.accept(stream) => accepted,
        };
        let mut tls = match accepted {
            Ok(tls) => tls,
            Err(error) => return tracing::debug!(socket = socket.0, %error, "no TLS"),
        };
        // A request that is late is answered, too: that is why the abort is left to it (BRG-CON-19).
        let early = match upgrade(&mut tls, no_upgrade, &abort).await {
            Ok(early) => early,
            Err(error) => return tracing::debug!(socket = socket.0, %error, "no WebSocket"),
        };
        // Whoever waited for the handshake may have ended.
        let _unheard = handshake_done.send(());
        if peer.events.send(Event::Connected { socket }).await.is_ok() {
            tokio::select! {
                () = abort.cancelled() => {}
                () = peer.serve(tls, early, &mut outgoing) => {}
            }
        }
    };
    served.await;
    // The engine has ended when nobody takes it.
    let _ended = peer.events.send(Event::Input(Input::SocketClosed { socket })).await;
}
