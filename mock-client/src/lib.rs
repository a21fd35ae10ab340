//! MCP clients that can be scripted, and that hide nothing of what a server says.
//!
//! Two lanes speak to a server, and both record every byte through a [`Tap`](iolite_protocol::transcript::Tap):
//!
//! * [`raw`] is our own lane. It can send anything, classifies every line that comes back, keeps them all in order and
//!   waits with deadlines. Verdicts rest on what it saw. [`session`] adds the everyday operations on top of it.
//! * [`sdk`] is a stock client SDK on the same pipes, a second witness: what it makes of a server is what users get.
//!
//! ```no_run
//! # async fn story() -> Result<(), Box<dyn std::error::Error>> {
//! use iolite_mock_client::process::{CommandLine, Grace};
//! use iolite_mock_client::raw::{Limits, RawLane};
//! use iolite_mock_client::revision::Revision;
//! use iolite_mock_client::session::{Answering, Client, Session};
//! use iolite_mock_client::{Witness, within};
//! use std::time::Duration;
//!
//! let command = CommandLine::new("some-daemon").arg("mcp");
//! let lane = RawLane::spawn(&command, Witness::none(), Limits::default())?;
//! let patience = Duration::from_secs(5);
//! let session = Session::new(lane, Revision::V2025_11_25, Client::default(), patience, Answering::Plain);
//! session.open().await?;
//! for resource in session.list_resources().await?.entries {
//!     session.subscribe(resource["uri"].as_str().unwrap_or_default()).await?;
//! }
//! let first = session.next_notification(within(patience)).await?;
//! println!("{} {:?}", first.method, first.params);
//! session.lane().stop(Grace::default()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! Around them: [`process`] starts servers and leaves none behind, [`revision`] is the one table of what the protocol's
//! revisions differ in, and [`profile`] describes kinds of clients as data.

mod lines;
pub mod listing;
pub mod outcome;
pub mod process;
pub mod profile;
pub mod raw;
pub mod revision;
pub mod sdk;
pub mod session;
pub mod witness;

pub use listing::{ListError, Listed, Listing};
pub use outcome::{Notification, Outcome};
pub use witness::Witness;

use std::time::Duration;
use tokio::time::Instant;

/// The moment that lies `patience` from now: what every `deadline` parameter of this crate takes.
///
/// An amount of time beyond what the clock can express counts as one hour.
#[must_use]
pub fn within(patience: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(patience).unwrap_or(now + Duration::from_secs(3_600))
}
