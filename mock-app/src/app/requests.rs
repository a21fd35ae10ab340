//! The requests that wait for an answer.

use super::connection::WeakConnection;
use super::kind::Kind;
use super::script::OnCancel;
use serde_json::Value;
use tokio::task::AbortHandle;

/// A request that has no answer yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenRequest {
    /// The call's or read's id.
    pub id: String,
    /// A call of a tool, or a read of a resource.
    pub kind: Kind,
    /// The tool's or resource's name.
    pub name: String,
    /// The number of the connection it came on.
    pub connection: u32,
}

/// A `tool_call` or `resource_read` as it arrived.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) kind: Kind,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) connection: WeakConnection,
    pub(super) connection_number: u32,
    pub(super) frame: Value,
}

/// The open requests, oldest first.
#[derive(Debug, Default)]
pub(super) struct Requests(Vec<Open>);

/// One of them.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) request: Request,
    /// What the script that answers does about a cancel; `None` when the driver answers.
    pub(super) on_cancel: Option<OnCancel>,
    pub(super) script: Option<AbortHandle>,
}

impl Requests {
    pub(super) fn list(&self) -> Vec<OpenRequest> {
        let open = |open: &Open| OpenRequest {
            id: open.request.id.clone(),
            kind: open.request.kind,
            name: open.request.name.clone(),
            connection: open.request.connection_number,
        };
        self.0.iter().map(open).collect()
    }

    pub(super) fn push(&mut self, open: Open) {
        self.0.push(open);
    }

    /// The newest request with this id: a daemon that uses an id twice must not hide the second request.
    pub(super) fn find(&self, id: &str) -> Option<&Open> {
        self.0.iter().rfind(|open| open.request.id == id)
    }

    /// The same, to be changed.
    pub(super) fn find_mut(&mut self, id: &str) -> Option<&mut Open> {
        self.0.iter_mut().rfind(|open| open.request.id == id)
    }

    pub(super) fn take(&mut self, id: &str) -> Option<Open> {
        let at = self.0.iter().rposition(|open| open.request.id == id)?;
        Some(self.0.remove(at))
    }
}
