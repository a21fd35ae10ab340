//! The MCP server: a process of its own that shows the daemon's sessions to one client (sections 7 and 8 of the
//! contract).
//!
//! | question | file |
//! |---|---|
//! | what is shown, under which name, and where does it lead? | [`view`], [`tool_names`], [`naming`], [`schema`], [`contents`], [`tool_results`] |
//! | which tools of its own does the server have? | [`built_in`], [`built_in_calls`] |
//! | what is a client told, and when? | [`changes`], [`conversation`], [`open_requests`], [`outgoing_queue`] |
//! | what is a well-formed request? | [`request`], [`revision`] |
//! | how is the daemon followed? | [`daemon_view`], [`call_tracker`], [`rpc_client`](crate::rpc_client) |
//! | what answers a request? | [`server`], [`handler`] |
//! | what do servers share? | [`shared_state`]: nothing |
//! | how do lines travel? | [`shared_conversation`], [`transport`] |
//!
//! The first four rows are plain values in and out, but for [`built_in_calls`]; the others do I/O. A second transport
//! would be a second [`transport`] and a conversation per session; a revision without handshake would be a variant of
//! [`revision::Revision`] and a way past the handshake in [`conversation`].

pub mod built_in;
pub mod built_in_calls;
pub mod call_tracker;
pub mod changes;
pub mod contents;
pub mod conversation;
pub mod daemon_view;
pub mod handler;
pub mod naming;
pub mod open_requests;
pub mod outgoing_queue;
pub mod paging;
pub mod progress;
pub mod protocol_error;
pub mod request;
pub mod revision;
pub mod schema;
pub mod schema_change;
pub mod server;
pub mod shared_conversation;
pub mod shared_state;
pub mod tool_names;
pub mod tool_results;
pub mod transport;
pub mod view;

pub use naming::Naming;

use self::conversation::Conversation;
use self::daemon_view::DaemonView;
use self::handler::Handler;
use self::server::Server;
use self::shared_conversation::SharedConversation;
use self::shared_state::SharedState;
use self::transport::{SdkTransport, read_lines};
use crate::rules::Rules;
use rmcp::service::serve_server;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// How to serve a client.
#[derive(Clone, Debug)]
pub struct Options {
    /// The daemon's control socket. The daemon need not be there (`BRG-MCP-26`).
    pub control_socket: PathBuf,
    /// Names the operator chose.
    pub naming: Naming,
    /// The rules to follow.
    pub rules: Rules,
}

/// Serves one client on a pair of byte streams until its input ends or nobody reads the output (`BRG-MCP-24`). Requests
/// that wait for an app then are given up, which cancels them at the app (`BRG-TOL-17`).
pub async fn serve(input: impl AsyncRead + Unpin, mut output: impl AsyncWrite + Unpin, options: Options) {
    let rules = Arc::new(options.rules);
    let naming = Arc::new(options.naming);
    let conversation = Arc::new(SharedConversation::new(Conversation::new(Arc::clone(&rules))));
    let kept = SharedState::beside(&options.control_socket);
    let mut control_socket = options.control_socket;
    let lock = match rules.mcp.serves_several {
        true => None,
        false => kept.take_lock(),
    };
    if !rules.mcp.serves_several && lock.is_none() {
        control_socket.set_extension("taken");
    }
    if !rules.mcp_answers.subscriptions_end_with_connection {
        conversation.with(|conversation| conversation.subscribe_to(kept.subscriptions()));
    }
    let ending = CancellationToken::new();
    let daemon = DaemonView::new(&control_socket, Arc::clone(&rules), Arc::clone(&naming), Arc::clone(&conversation));
    let server = Arc::new(Server::new(Arc::clone(&rules), naming, daemon, Arc::clone(&conversation), ending.clone()));
    let (pass, passed) = mpsc::channel(REQUEST_QUEUE);
    let handler = Handler::new(Arc::clone(&server), Arc::clone(&rules));
    let sdk = async {
        let transport = SdkTransport::new(Arc::clone(&conversation), passed);
        match serve_server(handler, transport).await {
            Ok(running) => {
                let _ = running.waiting().await;
            }
            Err(error) => tracing::debug!(%error, "the client left before it was initialized"),
        }
    };
    let reading = async {
        read_lines(BufReader::new(input), &conversation, pass, &rules.mcp).await;
        ending.cancel();
        if !rules.mcp.end_with_stdin {
            std::future::pending::<()>().await;
        }
    };
    let conversing = async {
        let served = async { tokio::join!(reading, sdk) };
        tokio::pin!(served);
        tokio::select! {
            _ = &mut served => {}
            () = ending.cancelled(), if rules.mcp.end_with_stdin => {
                // Short requests are still answered; what does not end in time is not worth waiting for.
                let _ = timeout(LAST_ANSWERS, &mut served).await;
            }
        }
        server.daemon().close().await;
        conversation.close();
        std::future::pending::<()>().await;
    };
    let writing = async {
        if !rules.mcp.quiet_stdout {
            output.write_all(GREETING).await?;
        }
        conversation.write_to(&mut output).await
    };
    tokio::select! {
        written = writing => {
            if let Err(error) = written {
                tracing::debug!(%error, "the client reads no more");
            }
        }
        () = conversing => {}
        () = server.daemon().maintain() => {}
    }
    if !rules.mcp_answers.subscriptions_end_with_connection {
        conversation.with(|conversation| kept.leave(conversation.subscriptions()));
    }
    drop(lock);
}

/// How many requests the SDK has not looked at yet before the client is made to wait.
const REQUEST_QUEUE: usize = 64;

/// How long requests that are open when the input ends have to be answered.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// What a faulty server prints before any message.
const GREETING: &[u8] = b"iolite mcp: ready\n";

#[cfg(test)]
mod tests;
