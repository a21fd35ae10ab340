//! The inert app (BRG-APP-04).

use super::api::{AppApi, Handle, Status};
use super::config::StartError;
use super::kind::Kind;
use super::registry::Registration;
use super::warning::Warning;
use crate::tls::Trust;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use iolite_protocol::bootstrap::Link;
use serde_json::Value;
use std::future::ready;
use tokio::time::Instant;

/// An app with the same surface as [`App`](super::App) that never reads, connects, registers, posts or warns.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoopApp;

impl AppApi for NoopApp {
    fn register_tool(&self, _registration: Registration) -> Handle {
        Handle::inert(Kind::Tool)
    }

    fn register_resource(&self, _registration: Registration) -> Handle {
        Handle::inert(Kind::Resource)
    }

    fn post_event(&self, _name: &str, _payload: Option<Value>) -> bool {
        false
    }

    fn status(&self) -> Status {
        Status::Inert
    }

    fn take_warnings(&self) -> Vec<Warning> {
        Vec::new()
    }

    fn join<'a>(
        &'a self,
        _link: &'a Link,
        _trust: Trust,
        _deadline: Instant,
    ) -> BoxFuture<'a, Result<Status, StartError>> {
        ready(Ok(Status::Inert)).boxed()
    }

    fn rejoin(&self, _deadline: Instant) -> BoxFuture<'_, Result<Status, StartError>> {
        ready(Ok(Status::Inert)).boxed()
    }

    fn leave(&self) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }
}
