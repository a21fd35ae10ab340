//! The lists of a session.

use super::Session;
use super::error::CallError;
use crate::listing::{ListError, Listed, Listing, PageWalker};
use crate::outcome::Outcome;
use serde_json::{Value, json};

impl Session {
    /// `tools/list`, all pages.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list_tools(&self) -> Result<Listing, ListError<CallError>> {
        self.list(Listed::Tools).await
    }

    /// `resources/list`, all pages.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list_resources(&self) -> Result<Listing, ListError<CallError>> {
        self.list(Listed::Resources).await
    }

    /// `resources/templates/list`, all pages.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list_resource_templates(&self) -> Result<Listing, ListError<CallError>> {
        self.list(Listed::ResourceTemplates).await
    }

    /// Any list, all pages: at most 1,000, and no cursor twice.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list(&self, listed: Listed) -> Result<Listing, ListError<CallError>> {
        let mut follower = PageWalker::new(listed);
        let mut cursor = None;
        loop {
            let outcome = match self.list_page(listed, cursor).await {
                Ok(outcome) => outcome,
                Err(error) => return Err(follower.failed(error)),
            };
            match follower.page(outcome)? {
                Some(next) => cursor = Some(next.into()),
                None => return Ok(follower.finish()),
            }
        }
    }

    /// One page of a list; any JSON may be its cursor, `None` leaves the member out.
    ///
    /// # Errors
    ///
    /// As for [`request`](Self::request).
    pub async fn list_page(&self, listed: Listed, cursor: Option<Value>) -> Result<Outcome, CallError> {
        let params = cursor.map(|cursor| json!({ "cursor": cursor }));
        self.request(listed.method(), params).await
    }
}
