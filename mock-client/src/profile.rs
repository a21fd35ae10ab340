//! Kinds of clients, as data.
//!
//! Real clients differ in what they know and in how often they look. A profile says which of the usual habits a client
//! has; whoever plays the client asks it what to do ([`opening`](Profile::opening), [`reaction`](Profile::reaction)) and
//! carries that out on either lane. Scenarios may go beyond a profile at any time.

use crate::revision::{RevisionTraits, Subscribing};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One kind of client.
///
/// ```toml
/// name = "frozen"
/// about = "Lists once and never again"
/// lane = "raw"
/// knows = ["tools"]
/// pages = "first"
/// refreshes = false
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// What scenarios call it.
    pub name: String,
    /// One sentence for people.
    #[serde(default)]
    pub about: String,
    /// Which lane it speaks through.
    #[serde(default)]
    pub lane: Lane,
    /// The parts of the protocol it has any use for. What is not in here it never asks for and never looks at.
    #[serde(default = "all_features")]
    pub knows: Vec<Feature>,
    /// How far it follows a list.
    #[serde(default)]
    pub pages: Pages,
    /// Lists again when a `list_changed` says so. Otherwise it keeps its first list for good.
    #[serde(default = "yes")]
    pub refreshes: bool,
    /// Requests it sends right after the opening whatever the capabilities say, in this order, to see what happens.
    #[serde(default)]
    pub probes: Vec<String>,
    /// `capabilities` in the opening.
    #[serde(default = "empty_object")]
    pub capabilities: Value,
    /// `clientInfo` in the opening; named after the profile when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_info: Option<Value>,
}

/// The lane a client speaks through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Our own, see [`session`](crate::session).
    #[default]
    Raw,
    /// The stock SDK, see [`sdk`](crate::sdk).
    Sdk,
}

/// A part of the protocol that a client can know or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feature {
    /// Tools: list and call.
    Tools,
    /// Resources: list, read, subscribe.
    Resources,
}

impl Feature {
    fn list_method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
        }
    }

    fn change_notification(self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Resources => "notifications/resources/list_changed",
        }
    }
}

/// How far a client follows a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pages {
    /// To its end.
    #[default]
    All,
    /// It takes the first page for everything.
    First,
}

impl Profile {
    /// Knows everything, follows every list to its end, lists again on every change.
    #[must_use]
    pub fn resources() -> Self {
        Self {
            name: "resources".into(),
            about: "Knows tools and resources, and refreshes what it listed".into(),
            lane: Lane::Raw,
            knows: all_features(),
            pages: Pages::All,
            refreshes: true,
            probes: Vec::new(),
            capabilities: empty_object(),
            client_info: None,
        }
    }

    /// Has never heard of resources, and takes the first page of the tools for all of them.
    #[must_use]
    pub fn tools_only() -> Self {
        Self {
            name: "tools_only".into(),
            about: "Knows tools only, and of them the first page".into(),
            knows: vec![Feature::Tools],
            pages: Pages::First,
            ..Self::resources()
        }
    }

    /// Like [`tools_only`](Self::tools_only), and never lists again.
    #[must_use]
    pub fn frozen() -> Self {
        Self {
            name: "frozen".into(),
            about: "Lists the tools once, at the start, and never again".into(),
            refreshes: false,
            ..Self::tools_only()
        }
    }

    /// Like [`resources`](Self::resources), and asks for everything optional before it looks at the capabilities.
    #[must_use]
    pub fn prober() -> Self {
        let probes = ["ping", "resources/list", "resources/templates/list", "prompts/list", "tools/list"];
        Self {
            name: "prober".into(),
            about: "Tries optional methods whatever the capabilities say".into(),
            probes: probes.map(String::from).into(),
            ..Self::resources()
        }
    }

    /// Like [`resources`](Self::resources), through the stock SDK.
    #[must_use]
    pub fn sdk() -> Self {
        Self {
            name: "sdk".into(),
            about: "A client built with the stock SDK".into(),
            lane: Lane::Sdk,
            ..Self::resources()
        }
    }

    /// The profiles that are always there.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        vec![Self::resources(), Self::tools_only(), Self::frozen(), Self::prober(), Self::sdk()]
    }

    /// The built-in profile with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::built_in().into_iter().find(|profile| profile.name == name)
    }

    /// Whether it has any use for a part of the protocol.
    #[must_use]
    pub fn knows(&self, feature: Feature) -> bool {
        self.knows.contains(&feature)
    }

    /// `clientInfo`.
    #[must_use]
    pub fn client_info(&self) -> Value {
        let named = || json!({ "name": format!("iolite-{}", self.name), "version": env!("CARGO_PKG_VERSION") });
        self.client_info.clone().unwrap_or_else(named)
    }

    /// What this client asks for right after the opening, in order: its probes, then the lists of what it knows and the
    /// server declared.
    #[must_use]
    pub fn opening(&self, server_capabilities: &Value) -> Vec<Ask> {
        let probes = self.probes.iter().map(|method| Ask { method: method.clone(), probe: true });
        let declared = |feature: &&Feature| {
            let capability = match feature {
                Feature::Tools => "tools",
                Feature::Resources => "resources",
            };
            server_capabilities.get(capability).is_some()
        };
        let lists = self
            .knows
            .iter()
            .filter(declared)
            .map(|feature| Ask { method: feature.list_method().into(), probe: false });
        probes.chain(lists).collect()
    }

    /// The list this client fetches again when a notification arrives, if any.
    #[must_use]
    pub fn reaction(&self, notification: &str) -> Option<&'static str> {
        let changed = |feature: &&Feature| feature.change_notification() == notification;
        let feature = self.knows.iter().find(changed)?;
        self.refreshes.then(|| feature.list_method())
    }

    /// The filter this client listens with where notifications have to be asked for; `None` where they come by
    /// themselves, and for a client that would not react to any.
    #[must_use]
    pub fn listen_filter(&self, facts: &RevisionTraits) -> Option<Value> {
        if facts.subscribing == Subscribing::PerUri || !self.refreshes {
            return None;
        }
        let mut filter = serde_json::Map::new();
        for feature in &self.knows {
            let key = match feature {
                Feature::Tools => "toolsListChanged",
                Feature::Resources => "resourcesListChanged",
            };
            filter.insert(key.into(), true.into());
        }
        (!filter.is_empty()).then(|| filter.into())
    }
}

/// A request that a profile sends by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The method; it needs no params.
    pub method: String,
    /// Sent whatever the capabilities say: an error is as good an answer as any, only silence is not.
    pub probe: bool,
}

fn all_features() -> Vec<Feature> {
    vec![Feature::Tools, Feature::Resources]
}

fn empty_object() -> Value {
    json!({})
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revision::Revision;

    fn methods(profile: &Profile, capabilities: &Value) -> Vec<String> {
        let asks = profile.opening(capabilities);
        asks.into_iter().map(|ask| ask.method).collect()
    }

    #[test]
    fn a_profile_survives_being_written_and_read() {
        for profile in Profile::built_in() {
            let text = serde_json::to_string(&profile).unwrap();
            assert_eq!(serde_json::from_str::<Profile>(&text).unwrap(), profile);
            assert_eq!(Profile::named(&profile.name), Some(profile));
        }
        assert_eq!(Profile::named("no such"), None);
    }

    #[test]
    fn what_is_not_said_is_the_resources_client() {
        let profile: Profile = serde_json::from_value(json!({ "name": "resources" })).unwrap();
        let expected = Profile { about: String::new(), ..Profile::resources() };
        assert_eq!(profile, expected);
        let unknown = json!({ "name": "x", "refresh": true });
        let error = serde_json::from_value::<Profile>(unknown).unwrap_err();
        assert!(error.to_string().contains("refresh"), "{error}");
    }

    #[test]
    fn each_kind_asks_for_what_it_knows() {
        let all = json!({ "tools": {}, "resources": {} });
        assert_eq!(methods(&Profile::resources(), &all), ["tools/list", "resources/list"]);
        assert_eq!(methods(&Profile::resources(), &json!({ "tools": {} })), ["tools/list"]);
        assert_eq!(methods(&Profile::tools_only(), &all), ["tools/list"]);
        let probed = methods(&Profile::prober(), &json!({}));
        assert!(probed.iter().any(|method| method == "resources/list"));
    }

    #[test]
    fn each_kind_reacts_as_it_is_said_to() {
        let tools = "notifications/tools/list_changed";
        let resources = "notifications/resources/list_changed";
        assert_eq!(Profile::resources().reaction(resources), Some("resources/list"));
        assert_eq!(Profile::tools_only().reaction(resources), None);
        assert_eq!(Profile::tools_only().reaction(tools), Some("tools/list"));
        assert_eq!(Profile::frozen().reaction(tools), None);
    }

    #[test]
    fn only_a_client_that_reacts_listens() {
        let facts = Revision::V2026_07_28.facts();
        assert_eq!(Profile::tools_only().listen_filter(facts), Some(json!({ "toolsListChanged": true })));
        assert_eq!(Profile::frozen().listen_filter(facts), None);
        let legacy = Revision::V2025_06_18.facts();
        assert_eq!(Profile::resources().listen_filter(legacy), None);
    }
}
