//! Which session a request means (`BRG-RPC-01`).

use crate::core::sessions::{Serial, Session};
use crate::core::state::Core;
use crate::rules::Several;
use iolite_protocol::rpc::RpcError;

impl Core {
    /// By session id or alias; without a selector, the only live session.
    pub(in crate::core) fn select(&self, selector: Option<&str>) -> Result<Serial, RpcError> {
        match selector {
            Some(selector) => self.find(selector).map(|session| session.serial).ok_or_else(|| {
                self.typed(self.rules.rpc.unknown_session_type, format!("there is no session {selector:?}"))
            }),
            None => self.only_session(),
        }
    }

    fn find(&self, selector: &str) -> Option<&Session> {
        let rules = &self.rules.rpc;
        let exact = self
            .sessions
            .by_id(selector)
            .or_else(|| self.sessions.by_alias(selector).filter(|_| rules.select_by_alias));
        if rules.exact_selector {
            return exact;
        }
        exact.or_else(|| self.sessions.iter().find(|session| session.alias.starts_with(selector)))
    }

    fn only_session(&self) -> Result<Serial, RpcError> {
        let rules = &self.rules.rpc;
        let mut sessions = self.sessions.iter().map(|session| session.serial);
        match (sessions.next(), sessions.next_back(), rules.several) {
            (None, _, _) => Err(self.typed(rules.no_session_type, "there is no live session".to_owned())),
            (Some(only), None, _) => Ok(only),
            (Some(first), Some(_), Several::First) => Ok(first),
            (Some(_), Some(last), Several::Last) => Ok(last),
            (Some(_), Some(_), Several::Ambiguous) => Err(self.ambiguous()),
        }
    }

    fn ambiguous(&self) -> RpcError {
        let aliases: Vec<&str> = self.sessions.iter().map(|session| session.alias.as_str()).collect();
        let message = match self.rules.rpc.name_aliases {
            true => format!("there are several live sessions, choose one: {}", aliases.join(", ")),
            false => "there are several live sessions".to_owned(),
        };
        self.typed("ambiguous_session", message)
    }
}
