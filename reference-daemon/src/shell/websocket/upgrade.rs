//! The HTTP request that opens a WebSocket (RFC 6455 §4.2).

use crate::rules::NoUpgrade;
use http_head::{Request, create_response, write_response};
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_tungstenite::tungstenite::handshake::machine::TryParse;
use tokio_tungstenite::tungstenite::handshake::server as http_head;
use tokio_util::sync::CancellationToken;

/// Largest request head that is read, in bytes.
pub const HEAD_BYTES: usize = 16 * 1024;

/// Why a connection did not become a WebSocket.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// The stream failed or ended.
    #[error("the connection ended before its request was complete: {0}")]
    Stream(#[from] io::Error),
    /// The request's head does not end within [`HEAD_BYTES`]. It was answered with 431.
    #[error("the request's head is over {HEAD_BYTES} bytes")]
    TooLong,
    /// The request is no HTTP, or asks for no WebSocket. It was answered with 400.
    #[error("no WebSocket request: {0}")]
    Refused(String),
}

/// Reads the request and answers it. Gives what the peer sent behind it: the beginning of its first frames.
///
/// # Errors
/// The connection is of no further use then.
pub async fn upgrade<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    no_upgrade: NoUpgrade,
    late: &CancellationToken,
) -> Result<Vec<u8>, UpgradeError> {
    let mut head = Vec::new();
    loop {
        match Request::try_parse(&head) {
            Ok(Some((size, request))) => match create_response(&request) {
                Ok(response) => {
                    let mut answer = Vec::new();
                    write_response(&mut answer, &response).map_err(|error| UpgradeError::Refused(error.to_string()))?;
                    stream.write_all(&answer).await?;
                    stream.flush().await?;
                    return Ok(head.split_off(size));
                }
                Err(error) => return refuse(stream, no_upgrade, "400 Bad Request", error.to_string()).await,
            },
            Ok(None) if head.len() >= HEAD_BYTES => {
                let why = UpgradeError::TooLong.to_string();
                let _refused = refuse(stream, no_upgrade, "431 Request Header Fields Too Large", why).await;
                return Err(UpgradeError::TooLong);
            }
            Ok(None) => {}
            Err(error) => return refuse(stream, no_upgrade, "400 Bad Request", error.to_string()).await,
        }
        let read = tokio::select! {
            read = stream.read_buf(&mut head) => read?,
            () = late.cancelled() => {
                let why = "the request did not come to its end in time".to_owned();
                return refuse(stream, no_upgrade, "408 Request Timeout", why).await;
            }
        };
        if read == 0 {
            let why = "the request has no end".to_owned();
            return refuse(stream, no_upgrade, "400 Bad Request", why).await;
        }
    }
}

async fn refuse<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    no_upgrade: NoUpgrade,
    status: &str,
    why: String,
) -> Result<Vec<u8>, UpgradeError> {
    let status = match no_upgrade {
        NoUpgrade::Silent => return Err(UpgradeError::Refused(why)),
        NoUpgrade::Welcomed => "200 OK",
        NoUpgrade::Refused | NoUpgrade::LeftOpen => status,
    };
    let answer = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nSec-WebSocket-Version: 13\r\nContent-Type: text/plain\r\n\
         Content-Length: {}\r\n\r\n{why}",
        why.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.flush().await?;
    if no_upgrade == NoUpgrade::LeftOpen {
        // Until the peer has had enough.
        while stream.read(&mut [0; 256]).await? > 0 {}
    }
    stream.shutdown().await?;
    Err(UpgradeError::Refused(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &str = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n\
                           Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    async fn ask(request: &str) -> (Result<Vec<u8>, UpgradeError>, String) {
        let (mut near, mut far) = tokio::io::duplex(64 * 1024);
        far.write_all(request.as_bytes()).await.unwrap();
        let result = upgrade(&mut near, NoUpgrade::Refused, &CancellationToken::new()).await;
        drop(near);
        let mut answer = String::new();
        far.read_to_string(&mut answer).await.unwrap();
        (result, answer)
    }

    #[tokio::test]
    async fn a_right_request_is_answered_and_what_follows_is_kept() {
        let (result, answer) = ask(&format!("{REQUEST}early")).await;
        assert_eq!(result.unwrap(), b"early");
        assert!(answer.starts_with("HTTP/1.1 101 "), "{answer}");
        assert!(answer.to_ascii_lowercase().contains("sec-websocket-accept: s3pplmbitxaq9kygzzhzrbk+xoo="));
    }

    #[tokio::test]
    async fn anything_else_is_refused() {
        for wrong in [
            REQUEST.replace("GET", "POST"),
            REQUEST.replace("Version: 13", "Version: 8"),
            REQUEST.replace("Upgrade: WebSocket\r\n", ""),
            "\u{0}\u{1}\r\n\r\n".to_owned(),
        ] {
            let (result, answer) = ask(&wrong).await;
            assert!(matches!(result, Err(UpgradeError::Refused(_))), "{wrong}");
            assert!(answer.starts_with("HTTP/1.1 400 "), "{answer}");
        }
        let endless = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(HEAD_BYTES));
        assert!(matches!(ask(&endless).await.0, Err(UpgradeError::TooLong)));
    }
}
