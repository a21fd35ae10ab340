//! How a socket is opened, and how far.

/// How a socket is opened and how it behaves at first.
#[derive(Clone, Debug)]
pub struct SocketOptions {
    /// How far the connection goes.
    pub stage: Stage,
    /// The path that is asked for in the upgrade.
    pub path: String,
    /// Headers sent with the upgrade besides the usual ones, exactly as given.
    pub headers: Vec<(String, String)>,
    /// Whether pings are answered (see [`SocketSender::answer_pings`](crate::socket::SocketSender::answer_pings)).
    pub answer_pings: bool,
    /// Whether a close frame is answered (see [`SocketSender::answer_close`](crate::socket::SocketSender::answer_close)).
    pub answer_close: bool,
    /// How many bytes may wait to be taken before reading stops with [`Ended::Flood`](crate::socket::Ended::Flood). No frame may be longer either.
    pub backlog_limit: usize,
}

impl Default for SocketOptions {
    fn default() -> Self {
        Self {
            stage: Stage::WebSocket,
            path: "/".to_owned(),
            headers: Vec::new(),
            answer_pings: true,
            answer_close: true,
            backlog_limit: 64 * 1024 * 1024,
        }
    }
}

/// How far a connection goes before it is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// TCP only: what is sent goes out in clear.
    Tcp,
    /// TLS, but no upgrade.
    Tls,
    /// A WebSocket.
    WebSocket,
}
