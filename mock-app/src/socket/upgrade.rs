//! The HTTP upgrade to a WebSocket, kept apart from any WebSocket library so that not one byte behind it is lost.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use std::net::SocketAddr;
use std::str::FromStr;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio_tungstenite::tungstenite::handshake::{client::generate_key, derive_accept_key};

/// Why a connection did not become a WebSocket.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// The connection failed or ended before the answer was complete.
    #[error("the connection failed during the upgrade: {0}")]
    Io(#[from] std::io::Error),
    /// The answer's head is longer than 16 KiB.
    #[error("the answer to the upgrade is longer than {MAX_HEAD} bytes")]
    TooLong,
    /// The answer is no HTTP response.
    #[error("the answer to the upgrade is no HTTP response: {head:?}")]
    NoHttp {
        /// What came instead.
        head: String,
    },
    /// The daemon answered with another status than 101.
    #[error("the daemon refused the upgrade with status {status}")]
    Refused {
        /// The status.
        status: StatusCode,
        /// The answer's head.
        head: String,
    },
    /// Status 101, but a header is missing or wrong (RFC 6455 §4.1).
    #[error("the daemon's upgrade answer has no right `{header}` header")]
    WrongHeader {
        /// The header.
        header: HeaderName,
        /// The answer's head.
        head: String,
    },
}

/// Upgrades `stream`; returns the bytes that came right behind the answer.
pub(super) async fn upgrade<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    address: SocketAddr,
    path: &str,
    extra_headers: &[(String, String)],
) -> Result<Vec<u8>, UpgradeError> {
    let key = generate_key();
    let mut request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
    );
    for (name, value) in extra_headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    stream.write_all(request.as_bytes()).await?;
    stream.flush().await?;

    let (head, behind) = read_head(stream).await?;
    judge(&head, &key)?;
    Ok(behind)
}

async fn read_head<S: AsyncRead + Unpin>(stream: &mut S) -> Result<(String, Vec<u8>), UpgradeError> {
    let mut bytes = Vec::new();
    loop {
        if let Some(end) = find(&bytes, END_OF_HEAD) {
            let behind = bytes.split_off(end + END_OF_HEAD.len());
            return Ok((String::from_utf8_lossy(&bytes).into_owned(), behind));
        }
        if bytes.len() > MAX_HEAD {
            return Err(UpgradeError::TooLong);
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
        }
    }
}

fn judge(head: &str, key: &str) -> Result<(), UpgradeError> {
    let no_http = || UpgradeError::NoHttp { head: head.to_owned() };
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.strip_prefix("HTTP/1.1 "))
        .and_then(|line| StatusCode::from_str(line.get(..3)?).ok())
        .ok_or_else(no_http)?;
    if status != StatusCode::SWITCHING_PROTOCOLS {
        let head = head.to_owned();
        return Err(UpgradeError::Refused { status, head });
    }
    let mut headers = HeaderMap::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(no_http)?;
        let name = HeaderName::from_str(name).map_err(|_| no_http())?;
        let value = HeaderValue::from_str(value.trim()).map_err(|_| no_http())?;
        headers.append(name, value);
    }
    let has_word = |name: &HeaderName, word: &str| {
        headers
            .get_all(name)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .any(|value| value.trim().eq_ignore_ascii_case(word))
    };
    let accepted = headers
        .get(header::SEC_WEBSOCKET_ACCEPT)
        .is_some_and(|value| value == derive_accept_key(key.as_bytes()).as_str());
    let checks = [
        (header::UPGRADE, has_word(&header::UPGRADE, "websocket")),
        (header::CONNECTION, has_word(&header::CONNECTION, "upgrade")),
        (header::SEC_WEBSOCKET_ACCEPT, accepted),
        (header::SEC_WEBSOCKET_EXTENSIONS, !headers.contains_key(header::SEC_WEBSOCKET_EXTENSIONS)),
    ];
    match checks.into_iter().find(|(_, right)| !right) {
        None => Ok(()),
        Some((header, _)) => Err(UpgradeError::WrongHeader { header, head: head.to_owned() }),
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|at| at == wanted)
}

const MAX_HEAD: usize = 16 * 1024;
const END_OF_HEAD: &[u8] = b"\r\n\r\n";

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
    const GOOD: &str = "HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\n\
        Connection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";

    #[test]
    fn the_rfcs_own_example_is_accepted() {
        judge(GOOD, KEY).unwrap();
    }

    #[test]
    fn wrong_answers_are_told_apart() {
        let with = |from: &str, to: &str| judge(&GOOD.replace(from, to), KEY).unwrap_err();
        assert!(matches!(
            with("101 Switching Protocols", "404 Not Found"),
            UpgradeError::Refused { status, .. } if status == StatusCode::NOT_FOUND
        ));
        for (from, to, wrong) in [
            ("WebSocket", "h2c", header::UPGRADE),
            ("keep-alive, Upgrade", "close", header::CONNECTION),
            ("s3p", "x3p", header::SEC_WEBSOCKET_ACCEPT),
            (
                "upgrade: WebSocket",
                "upgrade: WebSocket\r\nSec-WebSocket-Extensions: permessage-deflate",
                header::SEC_WEBSOCKET_EXTENSIONS,
            ),
        ] {
            let error = with(from, to);
            assert!(matches!(&error, UpgradeError::WrongHeader { header, .. } if *header == wrong), "{error}");
        }
        assert!(matches!(judge("SSH-2.0-x\r\n\r\n", KEY), Err(UpgradeError::NoHttp { .. })));
    }

    #[tokio::test]
    async fn bytes_behind_the_answer_are_kept_and_heads_are_bounded() {
        let mut stream: &[u8] = b"HTTP/1.1 101 x\r\n\r\n\x89\x00";
        let (head, behind) = read_head(&mut stream).await.unwrap();
        assert_eq!(head, "HTTP/1.1 101 x\r\n\r\n");
        assert_eq!(behind, [0x89, 0]);

        let endless = vec![b'x'; 3 * MAX_HEAD];
        assert!(matches!(read_head(&mut endless.as_slice()).await, Err(UpgradeError::TooLong)));
        assert!(matches!(read_head(&mut &b"HTTP"[..]).await, Err(UpgradeError::Io(_))));
    }
}
