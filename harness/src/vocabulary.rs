//! What scenario files may refer to: promises, features and client profiles that are built in.

use crate::requirements::Catalogue;
use crate::scenario::load::LoadContext;
use crate::target::FEATURES;
use std::collections::BTreeSet;

/// Everything a scenario file may refer to.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    promises: BTreeSet<String>,
    features: BTreeSet<String>,
    profiles: BTreeSet<String>,
}

impl Vocabulary {
    /// Everything built in.
    pub fn builtin() -> Self {
        let profiles = iolite_mock_client::profile::Profile::built_in();
        Self {
            promises: Catalogue::builtin().promises().map(|promise| promise.id.clone()).collect(),
            features: FEATURES.iter().map(ToString::to_string).collect(),
            profiles: profiles.into_iter().map(|profile| profile.name).collect(),
        }
    }

    /// For the loader.
    pub fn context(&self) -> LoadContext<'_> {
        LoadContext {
            promises: Some(&self.promises),
            bugs: None,
            features: Some(&self.features),
            profiles: Some(&self.profiles),
        }
    }
}
