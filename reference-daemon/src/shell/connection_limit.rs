//! How many connections a listener serves, and a way to wait until one of them ends.

use std::io::ErrorKind;
use std::sync::Arc;
use tokio::sync::Notify;

/// Counts the permits held.
#[derive(Clone, Debug, Default)]
pub struct ConnectionLimit {
    freed: Arc<Notify>,
    permits: Arc<()>,
}

/// One open connection; no longer counted once dropped.
#[derive(Debug)]
pub struct ConnectionPermit {
    freed: Arc<Notify>,
    _taken: Arc<()>,
}

impl ConnectionLimit {
    /// A permit for one more connection.
    pub fn permit(&self) -> ConnectionPermit {
        ConnectionPermit { freed: Arc::clone(&self.freed), _taken: Arc::clone(&self.permits) }
    }

    /// Connections open now.
    pub fn open(&self) -> usize {
        Arc::strong_count(&self.permits) - 1
    }

    /// Waits after a failed `accept` until another one can succeed: at once when the peer was the reason; else the
    /// system is out of descriptors, most likely, and nothing changes before a connection ends.
    pub async fn wait_after_failure(&self, error: ErrorKind) {
        let peers_fault =
            matches!(error, ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted);
        if !peers_fault {
            self.freed.notified().await;
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn after_a_failed_accept_an_ended_connection_is_waited_for() {
        let limit = ConnectionLimit::default();
        let permit = limit.permit();
        assert_eq!(limit.open(), 1);
        limit.wait_after_failure(ErrorKind::ConnectionAborted).await;
        let waiting = tokio::spawn({
            let limit = limit.clone();
            async move { limit.wait_after_failure(ErrorKind::Other).await }
        });
        drop(permit);
        waiting.await.unwrap();
    }
}
