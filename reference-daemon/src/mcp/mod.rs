//! The MCP server: a process of its own that shows the daemon's sessions to one client (sections 7 and 8 of the
//! contract).
//!
//! | question | file |
//! |---|---|
//! | what is shown, under which name, and where does it lead? | [`view`], [`names`], [`naming`], [`schema`], [`contents`], [`outcome`] |
//! | which tools of its own does the server have? | [`built_in`], [`own_tools`] |
//! | what is a client told, and when? | [`changes`], [`conversation`] |
//! | what is a well-formed request? | [`request`], [`revision`] |
//! | how is the daemon followed? | [`mirror`], [`calls`], [`rpc_client`](crate::rpc_client) |
//! | what answers a request? | [`server`], [`handler`] |
//! | what do servers share? | [`kept`]: nothing |
//! | how do lines travel? | [`desk`], [`transport`] |
//!
//! The first four rows are plain values in and out, but for [`own_tools`]; the others do I/O. A second transport would be
//! a second [`transport`] and a conversation per session; a revision without handshake would be a variant of
//! [`revision::Revision`] and a way past the handshake in [`conversation`].

pub mod built_in;
pub mod calls;
pub mod changes;
pub mod contents;
pub mod conversation;
pub mod desk;
pub mod handler;
pub mod kept;
pub mod mirror;
pub mod names;
pub mod naming;
pub mod outcome;
pub mod own_tools;
pub mod progress;
pub mod request;
pub mod revision;
pub mod schema;
pub mod server;
pub mod transport;
pub mod view;

pub use naming::Naming;

use self::conversation::Conversation;
use self::desk::Desk;
use self::handler::Handler;
use self::kept::Kept;
use self::mirror::Mirror;
use self::server::Server;
use self::transport::{Front, read_lines};
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
    let desk = Arc::new(Desk::new(Conversation::new(Arc::clone(&rules))));
    let kept = Kept::beside(&options.control_socket);
    let mut control_socket = options.control_socket;
    let place = match rules.mcp.serves_several {
        true => None,
        false => kept.take_the_place(),
    };
    if !rules.mcp.serves_several && place.is_none() {
        control_socket.set_extension("taken");
    }
    if !rules.mcp_answers.subscriptions_end_with_connection {
        desk.with(|conversation| conversation.subscribe_to(kept.subscriptions()));
    }
    let ending = CancellationToken::new();
    let mirror = Mirror::new(&control_socket, Arc::clone(&rules), Arc::clone(&naming), Arc::clone(&desk));
    let server = Arc::new(Server::new(Arc::clone(&rules), naming, mirror, Arc::clone(&desk), ending.clone()));
    let (pass, passed) = mpsc::channel(PASSED_AT_ONCE);
    let handler = Handler::new(Arc::clone(&server), Arc::clone(&rules));
    let sdk = async {
        let front = Front::new(Arc::clone(&desk), passed);
        match serve_server(handler, front).await {
            Ok(running) => {
                let _ = running.waiting().await;
            }
            Err(error) => tracing::debug!(%error, "the client left before it was initialized"),
        }
    };
    let reading = async {
        read_lines(BufReader::new(input), &desk, pass, &rules.mcp).await;
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
        server.mirror().close().await;
        desk.close();
        std::future::pending::<()>().await;
    };
    let writing = async {
        if !rules.mcp.quiet_stdout {
            output.write_all(GREETING).await?;
        }
        desk.write_to(&mut output).await
    };
    tokio::select! {
        written = writing => {
            if let Err(error) = written {
                tracing::debug!(%error, "the client reads no more");
            }
        }
        () = conversing => {}
        () = server.mirror().keep() => {}
    }
    if !rules.mcp_answers.subscriptions_end_with_connection {
        desk.with(|conversation| kept.leave(conversation.subscriptions()));
    }
    drop(place);
}

/// How many requests the SDK has not looked at yet before the client is made to wait.
const PASSED_AT_ONCE: usize = 64;

/// How long requests that are open when the input ends have to be answered.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// What a server that cannot keep quiet says.
const GREETING: &[u8] = b"iolite mcp: ready\n";

#[cfg(test)]
mod tests;
