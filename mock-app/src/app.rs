//! The app: it claims a session, keeps two registries, answers, and can be driven step by step or frame by frame.
//!
//! Two apps have one surface, [`AppApi`]: [`App`] lives, [`NoopApp`] does nothing (BRG-APP-04). [`App`] has more on
//! top, for driving: it opens and drops sockets, takes what arrives, answers requests in any order, and hands out
//! each [`Connection`] for frames that no app should send.
//!
//! ```no_run
//! # async fn example(link: iolite_protocol::bootstrap::Link, pin: iolite_mock_app::tls::Pin)
//! # -> Result<(), Box<dyn std::error::Error>> {
//! use iolite_mock_app::app::{Answer, App, AppApi, AppConfig, Registration, Serving};
//! use iolite_mock_app::tls::Trust;
//! use serde_json::json;
//!
//! let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(5);
//! let app = App::new(AppConfig::named("phone"));
//! app.register_resource(Registration::new(
//!     json!({ "uri": "app://cart", "name": "cart", "description": "The cart" }),
//! ));
//! app.set_serving(Serving::Manual);
//! let ack = app.claim(&link, Trust::Pinned(pin), deadline).await?;
//! println!("{} is {}", ack.session_id(), ack.alias());
//!
//! let read = app.take_read(Some("cart"), deadline).await?;
//! app.answer(read.id(), Answer::text("empty")).await?;
//! # Ok(())
//! # }
//! ```

mod answering;
mod api;
mod config;
mod connection;
mod driving;
mod inbox;
mod kind;
mod live;
mod noop;
mod pump;
mod registry;
mod requests;
mod script;
mod stamp;
mod state;
#[cfg(test)]
mod tests;
mod warning;

pub use answering::AnswerError;
pub use api::{AppApi, Handle, Status};
pub use config::{AppConfig, Serving, StartError, Target};
pub use connection::{Closing, Connection};
pub use inbox::{Incoming, WaitError};
pub use kind::Kind;
pub use live::App;
pub use noop::NoopApp;
pub use registry::Registration;
pub use requests::OpenRequest;
pub use script::{Answer, Gate, OnCancel, Script, Step};
pub use stamp::{Stamp, Subject};
pub use state::Session;
pub use warning::Warning;
