//! The daemon as a whole, through its listeners. No test waits for time to pass: clocks are manual, and every wait is
//! for something that must come.

mod app;
mod daemon;
mod operator;

mod control_rpc;
mod lifecycle;
mod start;
mod websocket;

use std::future::Future;
use std::time::Duration;

/// Waits for something that must come. The deadline is for a broken daemon only.
async fn within<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(30), future).await.expect("what must come has not come")
}
