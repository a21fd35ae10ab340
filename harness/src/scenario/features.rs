//! What needs which feature of a target.
//!
//! Verbs and their parameters say it in their own tables. What is left are words: in frames, methods, kinds of events,
//! names of the bridge's own tools, members of results, and the command line.

/// A word that needs a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign {
    /// Where it counts.
    pub place: Place,
    /// The word.
    pub word: &'static str,
    /// The feature that a target must claim.
    pub feature: &'static str,
}

/// Where a word counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Anywhere in a text of arguments and expectations.
    Text,
    /// In a text of an expectation.
    Expected,
    /// As the name of a member of an expectation or of a configuration.
    Member,
    /// As a command of the command line.
    Command,
    /// As the name of one of the bridge's own tools, behind the target's prefix.
    OwnTool,
    /// As the beginning of an exposed URI, behind the target's scheme.
    Uri,
}

impl Place {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Text => "in a text",
            Self::Expected => "in a text of an expectation",
            Self::Member => "as a member of an expectation or a configuration",
            Self::Command => "as a command",
            Self::OwnTool => "as a tool of the bridge's own",
            Self::Uri => "as the beginning of a URI",
        }
    }
}

/// Everything that is no verb and needs a feature.
pub const SIGNS: &[Sign] = &[
    sign(Place::Text, "tool_registry_", "tools"),
    sign(Place::Text, "tool_call", "tools"),
    sign(Place::Text, "tool_result", "tools"),
    sign(Place::Text, "tool_error", "tools"),
    sign(Place::Text, "tool_cancel", "tools"),
    sign(Place::Text, "tools_changed", "tools"),
    sign(Place::Text, "tools.list", "tools"),
    sign(Place::Text, "tools.call", "tools"),
    sign(Place::Text, "tools.cancel", "tools"),
    sign(Place::Text, "tools/", "tools"),
    sign(Place::Member, "toolCount", "tools"),
    sign(Place::Command, "tools", "tools"),
    sign(Place::Command, "invoke", "tools"),
    sign(Place::Text, "resource_registry_", "resources"),
    sign(Place::Text, "resource_read", "resources"),
    sign(Place::Text, "resource_result", "resources"),
    sign(Place::Text, "resource_error", "resources"),
    sign(Place::Text, "resources_changed", "resources"),
    sign(Place::Text, "resources.list", "resources"),
    sign(Place::Text, "resources.read", "resources"),
    sign(Place::Text, "resources/list", "resources"),
    sign(Place::Text, "resources/read", "resources"),
    sign(Place::Text, "resources/subscribe", "resources"),
    sign(Place::Text, "resources/unsubscribe", "resources"),
    sign(Place::Text, "resources/templates", "resources"),
    sign(Place::Text, "resources/updated", "resources"),
    sign(Place::Uri, "${target.scheme}://", "resources"),
    sign(Place::Member, "resources", "resources"),
    sign(Place::Member, "resourceCount", "resources"),
    sign(Place::Command, "resources", "resources"),
    sign(Place::Command, "read", "resources"),
    sign(Place::OwnTool, "list_resources", "fallback"),
    sign(Place::OwnTool, "read", "fallback"),
    sign(Place::Text, "events.subscribe", "events"),
    sign(Place::Text, "events.since", "events"),
    sign(Place::OwnTool, "events", "events"),
    sign(Place::OwnTool, "wait_for_event", "events"),
    sign(Place::Command, "events", "events"),
    sign(Place::Command, "mcp", "mcp"),
    sign(Place::Member, "policy", "policy"),
    sign(Place::Expected, "policy_denied", "policy"),
    sign(Place::Expected, "no_consent_channel", "policy"),
];

/// The one URI that a daemon without resources serves, too: the list of its sessions.
pub const SESSIONS_URI: &str = "${target.scheme}://sessions";

const fn sign(place: Place, word: &'static str, feature: &'static str) -> Sign {
    Sign { place, word, feature }
}

impl Sign {
    /// Whether a text holds it, of an expectation or of arguments.
    pub fn is_in(&self, text: &str, expected: bool) -> bool {
        match self.place {
            Place::Text => text.contains(self.word),
            Place::Expected => expected && text.contains(self.word),
            Place::Uri => text.contains(self.word) && text != SESSIONS_URI,
            Place::OwnTool => {
                let name = text.strip_prefix("${target.prefix}_").or_else(|| text.strip_prefix("cordierite_"));
                name == Some(self.word)
            }
            Place::Member | Place::Command => false,
        }
    }

    /// Whether the name of a member is it.
    pub fn is_member(&self, name: &str) -> bool {
        self.place == Place::Member && name == self.word
    }

    /// Whether the command of a command line is it.
    pub fn is_command(&self, word: &str) -> bool {
        self.place == Place::Command && word == self.word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::FEATURES;

    fn features(holds: impl Fn(&Sign) -> bool) -> Vec<&'static str> {
        SIGNS.iter().filter(|sign| holds(sign)).map(|sign| sign.feature).collect()
    }

    #[test]
    fn every_feature_is_one_that_a_target_can_claim() {
        for sign in SIGNS {
            assert!(FEATURES.contains(&sign.feature), "{sign:?}");
        }
    }

    #[test]
    fn words_count_where_they_mean_something() {
        assert_eq!(features(|sign| sign.is_in("notifications/resources/list_changed", false)), ["resources"]);
        assert_eq!(features(|sign| sign.is_in("${target.scheme}://${phone.alias}/cart", false)), ["resources"]);
        assert_eq!(features(|sign| sign.is_in("${target.scheme}://sessions", false)), <[&str; 0]>::default());
        assert_eq!(features(|sign| sign.is_in("${target.prefix}_read", false)), ["fallback"]);
        assert_eq!(features(|sign| sign.is_in("my_read", false)), <[&str; 0]>::default());
        assert_eq!(features(|sign| sign.is_member("resourceCount")), ["resources"]);
        assert_eq!(features(|sign| sign.is_command("read")), ["resources"]);
        assert_eq!(features(|sign| sign.is_in("read", false)), <[&str; 0]>::default());
    }
}
