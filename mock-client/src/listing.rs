//! Lists, followed page by page to their end, with a guard against those that have none.

use crate::outcome::Outcome;
use serde_json::Value;
use std::collections::HashSet;

/// The lists a server can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Listed {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
}

impl Listed {
    /// The method that asks for it.
    #[must_use]
    pub fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::ResourceTemplates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    /// The member of the result that holds the entries.
    #[must_use]
    pub fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::ResourceTemplates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }
}

/// A list that was followed to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    /// The entries of all pages, in order, as they stood on the wire. Nothing is merged or dropped.
    pub entries: Vec<Value>,
    /// The results they came in, one per page.
    pub pages: Vec<Value>,
}

/// A list could not be followed to its end. `E` is what a lane reports when a page gets no answer at all.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ListError<E: std::error::Error + 'static> {
    /// A page has no outcome.
    #[error("page {} of {method} has no answer: {source}", pages.len() + 1)]
    Call {
        /// The list's method.
        method: String,
        /// What went wrong.
        source: Box<E>,
        /// The results of the pages before.
        pages: Vec<Value>,
    },
    /// A page was answered with an error.
    #[error("page {} of {method} was refused: {}", pages.len() + 1, outcome.to_json())]
    Refused {
        /// The list's method.
        method: String,
        /// The error.
        outcome: Box<Outcome>,
        /// The results of the pages before.
        pages: Vec<Value>,
    },
    /// A page does not hold an array of entries, or its `nextCursor` is no string.
    #[error("page {} of {method} is no page: {why}", pages.len())]
    NotAPage {
        /// The list's method.
        method: String,
        /// What is wrong with it.
        why: String,
        /// The results of all pages, the broken one last.
        pages: Vec<Value>,
    },
    /// A page names a cursor that an earlier page named: following it would never end.
    #[error("page {} of {method} names the cursor {cursor:?} a second time", pages.len())]
    RepeatedCursor {
        /// The list's method.
        method: String,
        /// The cursor.
        cursor: String,
        /// The results of all pages so far.
        pages: Vec<Value>,
    },
    /// There are more pages than the guard allows.
    #[error("{method} goes on after {limit} pages (next cursor {cursor:?})")]
    TooManyPages {
        /// The list's method.
        method: String,
        /// The guard that was in force.
        limit: usize,
        /// The cursor that was not followed.
        cursor: String,
        /// The results of all pages so far.
        pages: Vec<Value>,
    },
}

/// Follows one list. Knows nothing of how a page is fetched, so both lanes share the guard.
#[derive(Debug)]
pub(crate) struct PageWalker {
    listed: Listed,
    seen: HashSet<String>,
    listing: Listing,
}

/// More pages than any list of this harness has.
pub(crate) const MOST_PAGES: usize = 1_000;

impl PageWalker {
    pub(crate) fn new(listed: Listed) -> Self {
        Self { listed, seen: HashSet::new(), listing: Listing::default() }
    }

    /// Takes one page. `Ok(Some(cursor))`: there is another one.
    pub(crate) fn page<E: std::error::Error>(&mut self, outcome: Outcome) -> Result<Option<String>, ListError<E>> {
        let method = self.listed.method().to_owned();
        let page = match outcome {
            Outcome::Result(page) => page,
            outcome @ Outcome::Error { .. } => {
                let pages = self.take_pages();
                return Err(ListError::Refused { method, outcome: Box::new(outcome), pages });
            }
        };
        let entries = page.get(self.listed.member()).cloned();
        let cursor = page.get("nextCursor").cloned();
        self.listing.pages.push(page);
        let Some(Value::Array(entries)) = entries else {
            let why = format!("`{}` is no array", self.listed.member());
            let pages = self.take_pages();
            return Err(ListError::NotAPage { method, why, pages });
        };
        self.listing.entries.extend(entries);
        let cursor = match cursor {
            // Null is no cursor a schema knows; every client stops there.
            None | Some(Value::Null) => return Ok(None),
            // The empty string is a cursor like any other.
            Some(Value::String(cursor)) => cursor,
            Some(other) => {
                let why = format!("`nextCursor` is {other}");
                let pages = self.take_pages();
                return Err(ListError::NotAPage { method, why, pages });
            }
        };
        if !self.seen.insert(cursor.clone()) {
            let pages = self.take_pages();
            return Err(ListError::RepeatedCursor { method, cursor, pages });
        }
        if self.listing.pages.len() >= MOST_PAGES {
            let pages = self.take_pages();
            return Err(ListError::TooManyPages { method, limit: MOST_PAGES, cursor, pages });
        }
        Ok(Some(cursor))
    }

    pub(crate) fn failed<E: std::error::Error>(mut self, source: E) -> ListError<E> {
        ListError::Call { method: self.listed.method().into(), source: Box::new(source), pages: self.take_pages() }
    }

    pub(crate) fn finish(self) -> Listing {
        self.listing
    }

    fn take_pages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.listing.pages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Page = Result<Option<String>, ListError<std::fmt::Error>>;

    fn page(cursor: Value) -> Outcome {
        Outcome::Result(json!({ "tools": [{ "name": "t" }], "nextCursor": cursor }))
    }

    #[test]
    fn the_empty_cursor_is_followed_and_null_ends() {
        let mut follower = PageWalker::new(Listed::Tools);
        let next: Page = follower.page(page(json!("")));
        assert_eq!(next.unwrap(), Some("".into()));
        let next: Page = follower.page(page(Value::Null));
        assert_eq!(next.unwrap(), None);
        assert_eq!(follower.finish().entries.len(), 2);
    }

    #[test]
    fn a_repeated_cursor_is_an_error_that_names_it() {
        let mut follower = PageWalker::new(Listed::Tools);
        for cursor in ["a", "b"] {
            let next: Page = follower.page(page(json!(cursor)));
            next.unwrap();
        }
        let again: Page = follower.page(page(json!("a")));
        let error = again.unwrap_err();
        assert!(matches!(&error, ListError::RepeatedCursor { cursor, pages, .. } if cursor == "a" && pages.len() == 3));
    }

    #[test]
    fn a_list_without_end_is_left_at_the_guard() {
        let mut follower = PageWalker::new(Listed::Tools);
        for number in 1..MOST_PAGES {
            let next: Page = follower.page(page(json!(number.to_string())));
            assert!(next.is_ok());
        }
        let last: Page = follower.page(page(json!("last")));
        let error = last.unwrap_err();
        assert!(matches!(error, ListError::TooManyPages { limit: MOST_PAGES, .. }));
    }

    #[test]
    fn what_is_no_page_is_an_error() {
        for (broken, named) in [
            (json!({}), "tools"),
            (json!({ "tools": {} }), "tools"),
            (json!({ "tools": [], "nextCursor": 1 }), "nextCursor"),
        ] {
            let mut follower = PageWalker::new(Listed::Tools);
            let next: Page = follower.page(Outcome::Result(broken));
            let error = next.unwrap_err();
            assert!(matches!(&error, ListError::NotAPage { why, .. } if why.contains(named)));
        }
    }
}
