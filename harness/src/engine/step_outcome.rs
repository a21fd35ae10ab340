//! What a step brought.

use serde_json::{Map, Value, json};

/// What came of a verb: its outcome, and for assertion verbs the verb's own judgement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepOutcome {
    /// The result, or `{"error": {code, message, data}}` when the daemon refused.
    pub outcome: Value,
    /// Why the verb's own claim does not hold; `None` when it holds or the verb claims nothing.
    pub violated: Option<String>,
    /// Everything that arrived at the actor while the step waited, oldest first.
    pub arrived: Vec<Value>,
    /// The actor cannot go on: after a violation the case ends here.
    pub gone: bool,
}

/// Why a step could not be carried out at all. None of these says anything about the daemon.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The scenario, or iolite itself, is at fault.
    #[error("{0}")]
    Broken(String),
    /// Something this step needs is not there.
    #[error("{0}")]
    Unmet(String),
    /// The target does not offer what this step needs.
    #[error("{0}")]
    NotApplicable(String),
}

impl StepError {
    /// The same, with the place where it happened.
    pub fn at(self, place: &str) -> Self {
        let told = |why: String| if why.starts_with(place) { why } else { format!("{place}: {why}") };
        match self {
            Self::Broken(why) => Self::Broken(told(why)),
            Self::Unmet(why) => Self::Unmet(told(why)),
            Self::NotApplicable(why) => Self::NotApplicable(told(why)),
        }
    }
}

/// What a verb gives back.
pub type StepResult = Result<StepOutcome, StepError>;

impl StepOutcome {
    /// It worked, with this result.
    pub fn of(outcome: impl Into<Value>) -> Self {
        Self { outcome: outcome.into(), ..Self::default() }
    }

    /// It worked and there is nothing to say.
    pub fn nothing() -> Self {
        Self::of(json!({}))
    }

    /// The daemon refused, or the wire did. `kind` is the error's `data.type`.
    pub fn error(kind: &str, message: impl Into<String>, data: Map<String, Value>) -> Self {
        let mut members = Map::new();
        members.insert("type".into(), kind.into());
        members.extend(data);
        Self::of(json!({ "error": { "code": kind, "message": message.into(), "data": members } }))
    }

    /// The claim does not hold.
    pub fn violated(why: impl Into<String>, arrived: Vec<Value>) -> Self {
        Self { outcome: Value::Null, violated: Some(why.into()), arrived, gone: false }
    }

    /// The same, at an actor that is gone.
    pub fn gone(mut self) -> Self {
        self.gone = true;
        self
    }

    /// The same, with what arrived.
    pub fn arrived(mut self, arrived: Vec<Value>) -> Self {
        self.arrived = arrived;
        self
    }

    /// The error's text, when the outcome is an error.
    pub fn refusal(&self) -> Option<String> {
        let error = self.outcome.as_object().filter(|members| members.len() == 1)?.get("error")?;
        let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
        let kind = error
            .pointer("/data/type")
            .or_else(|| error.get("code"))
            .map(|kind| kind.as_str().map_or_else(|| kind.to_string(), str::to_owned));
        Some(match kind {
            Some(kind) if message.is_empty() => kind,
            Some(kind) => format!("{kind}: {message}"),
            None => message.to_owned(),
        })
    }
}

/// The beginning of a long text, and how long the whole is.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max).collect();
    format!("{kept}… ({} bytes)", text.len())
}

/// `1 frame`, `2 frames`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_outcome_is_told_from_a_result_that_has_an_error_member() {
        let refused = StepOutcome::error("closed", "the daemon closed", Map::new());
        assert_eq!(refused.refusal().as_deref(), Some("closed: the daemon closed"));
        assert_eq!(StepOutcome::of(json!({ "error": {}, "exit": 1 })).refusal(), None);
        let rpc =
            StepOutcome::of(json!({ "error": { "code": -32000, "message": "m", "data": { "type": "no_session" } } }));
        assert_eq!(rpc.refusal().as_deref(), Some("no_session: m"));
    }

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(shortened("äöü", 2), "äö… (6 bytes)");
        assert_eq!(shortened("äöü", 3), "äöü");
    }
}
