//! `events.subscribe` and `events.since` (`BRG-RPC-06`, `BRG-RPC-07`).

use crate::core::event_log::Filter;
use crate::core::io::ConnectionId;
use crate::core::state::Core;
use crate::rules::LostEvents;
use iolite_protocol::rpc::{EventsSince, EventsSubscribe, RpcError};
use serde_json::{Value, json};

impl Core {
    /// From now on the connection gets the events it asked for, and no others: a second subscription takes the place
    /// of the first. The selector may also be the id of a pending link, so that a claim can be waited for.
    pub(super) fn subscribe(&mut self, connection: ConnectionId, params: EventsSubscribe) -> Result<Value, RpcError> {
        let session_id = match params.session_selector {
            Some(id) if self.links.is_pending(&id) => Some(id),
            Some(selector) => {
                let serial = self.select(Some(&selector))?;
                self.not_while_suspended(serial, self.rules.recovery.suspended_is_unheard)?;
                self.sessions.get(serial).map(|session| session.id.clone())
            }
            None => None,
        };
        let filter = Filter { session_id, kinds: params.kinds.map(|kinds| kinds.into_iter().collect()) };
        if let Some(found) = self.connections.get_mut(&connection) {
            found.filter = Some(filter);
        }
        Ok(json!({ "subscribed": true }))
    }

    /// What a session's events were, the oldest first.
    pub(super) fn events_since(&mut self, params: EventsSince) -> Result<Value, RpcError> {
        let session_id = self.session_of_events(params.selector.as_deref())?;
        let kinds = params.kinds.map(|kinds| kinds.into_iter().collect());
        let limit = params.limit.map_or(usize::MAX, |limit| usize::try_from(limit.get()).unwrap_or(usize::MAX));
        let page = self.events.since(&session_id, params.since, kinds.as_ref(), limit, &self.rules.rpc);
        if params.limit.is_some() && !self.rules.rpc.pages_stay {
            self.events.forget_until(&session_id, page.cursor);
        }
        let mut answer = json!({ "events": page.events, "cursor": page.cursor });
        let told = match self.rules.refusals.lost_events {
            LostEvents::WhenLost => page.lost,
            LostEvents::Never => false,
            LostEvents::Always => true,
            LostEvents::WithoutLimit => page.lost && params.limit.is_none(),
        };
        if told {
            answer["lost"] = true.into();
        }
        Ok(answer)
    }

    fn session_of_events(&self, selector: Option<&str>) -> Result<String, RpcError> {
        if let Some(id) = selector
            && !self.rules.rpc.events_end_with_session
            && self.events.knows(id)
        {
            return Ok(id.to_owned());
        }
        let serial = self.select(selector)?;
        self.not_while_suspended(serial, self.rules.recovery.suspended_has_no_events)?;
        Ok(self.sessions.get(serial).map(|session| session.id.clone()).unwrap_or_default())
    }
}
