//! Who may call and read what (`BRG-POL-01` … `BRG-POL-04`).

use crate::rules::PolicyRules;
use iolite_protocol::descriptor::ToolDescriptor;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One decision of the policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// It goes ahead.
    Allow,
    /// It is refused with `policy_denied`.
    Deny,
    /// Somebody must agree first. This daemon has nobody to ask, so it refuses: `no_consent_channel`.
    Prompt,
}

/// The `policy` part of the configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyConfig {
    /// For tools no other rule names. Default `allow`.
    pub default: Decision,
    /// For tools with `destructiveHint: true`. Default `allow`.
    pub destructive: Decision,
    /// For resource reads. Absent: allowed, whatever `default` says (`BRG-POL-03`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resources: Option<Decision>,
    /// Overrides for single tools, keyed `alias/name`.
    pub tools: BTreeMap<String, Decision>,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self { default: Decision::Allow, destructive: Decision::Allow, resources: None, tools: BTreeMap::new() }
    }
}

impl Decision {
    /// The spelling in configuration and lists.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Prompt => "prompt",
        }
    }
}

impl PolicyConfig {
    /// What holds for calls of a tool: its override, else `destructive` for a destructive one, else the default
    /// (`BRG-POL-01`). `tool` is absent only where a bent rule table judges before it looks the tool up.
    pub(super) fn of_call(
        &self,
        alias: &str,
        name: &str,
        tool: Option<&ToolDescriptor>,
        rules: &PolicyRules,
    ) -> Decision {
        let destructive = tool.is_some_and(ToolDescriptor::is_destructive) && rules.obey_destructive;
        if destructive && !rules.override_first {
            return self.destructive;
        }
        let overriding = match rules.override_by_alias {
            true => self.tools.get(&format!("{alias}/{name}")),
            false => {
                self.tools.iter().find(|(key, _)| key.rsplit('/').next() == Some(name)).map(|(_, decision)| decision)
            }
        };
        match overriding.filter(|_| rules.obey_overrides) {
            Some(decision) => *decision,
            None if destructive => self.destructive,
            None if rules.obey_default => self.default,
            None => Decision::Allow,
        }
    }

    /// What holds for reads: `resources`, else they are allowed; never `destructive` (`BRG-POL-02`, `BRG-POL-03`).
    pub(super) fn of_read(&self, rules: &PolicyRules) -> Decision {
        if !rules.reads_not_destructive {
            return self.destructive;
        }
        match self.resources.filter(|_| rules.obey_resources) {
            Some(decision) => decision,
            None if rules.reads_own_rule => Decision::Allow,
            None => self.default,
        }
    }
}

/// Why `prompt` denies (`BRG-POL-01`).
pub(super) const NO_CONSENT_CHANNEL: &str = "no_consent_channel";

#[cfg(test)]
mod tests {
    use super::*;
    use iolite_protocol::descriptor::ToolAnnotations;

    fn tool(destructive: bool) -> ToolDescriptor {
        ToolDescriptor::new("wipe", "d")
            .unwrap()
            .with_annotations(ToolAnnotations { destructive: Some(destructive), ..ToolAnnotations::default() })
    }

    fn config(json: &str) -> PolicyConfig {
        serde_json::from_str(json).unwrap()
    }

    /// BRG-POL-01
    #[test]
    fn override_then_destructive_then_default() {
        let rules = PolicyRules::default();
        let policy = config(r#"{"default":"deny","destructive":"prompt","tools":{"a/wipe":"allow"}}"#);
        assert_eq!(policy.of_call("a", "wipe", Some(&tool(true)), &rules), Decision::Allow);
        assert_eq!(policy.of_call("b", "wipe", Some(&tool(true)), &rules), Decision::Prompt);
        assert_eq!(policy.of_call("b", "wipe", Some(&tool(false)), &rules), Decision::Deny);
        assert_eq!(PolicyConfig::default().of_call("b", "wipe", Some(&tool(true)), &rules), Decision::Allow);
    }

    /// BRG-POL-02, BRG-POL-03
    #[test]
    fn reads_follow_neither_default_nor_destructive() {
        let rules = PolicyRules::default();
        assert_eq!(config(r#"{"default":"deny","destructive":"deny"}"#).of_read(&rules), Decision::Allow);
        assert_eq!(config(r#"{"resources":"deny"}"#).of_read(&rules), Decision::Deny);
        assert_eq!(config(r#"{"resources":"prompt"}"#).of_read(&rules), Decision::Prompt);
    }

    #[test]
    fn unknown_words_are_refused() {
        assert!(serde_json::from_str::<PolicyConfig>(r#"{"default":"maybe"}"#).is_err());
        assert!(serde_json::from_str::<PolicyConfig>(r#"{"reads":"deny"}"#).is_err());
    }
}
