//! Requirement sets: which promises a revision of the protocol requires. They are frozen: a later revision gets its own.

use crate::scenario::node::{Node, Value};
use include_dir::{Dir, File, include_dir};
use std::collections::BTreeSet;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../fixtures/requirement-sets");

/// One requirement set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementSet {
    /// Its name, e.g. `bridge-v2-resources`.
    pub name: String,
    /// What it stands for.
    pub title: String,
    /// The promises it requires.
    pub requires: BTreeSet<String>,
}

impl RequirementSet {
    /// All sets embedded in this binary, by name.
    ///
    /// # Errors
    /// An embedded file is malformed; a test sees to it that none is.
    pub fn builtin() -> Result<Vec<Self>, String> {
        let mut sets = FILES.files().map(read).collect::<Result<Vec<_>, _>>()?;
        sets.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(sets)
    }

    /// Whether one of these promises is required.
    pub fn counts(&self, promises: &[String]) -> bool {
        promises.iter().any(|promise| self.requires.contains(promise))
    }
}

fn read(file: &File<'_>) -> Result<RequirementSet, String> {
    let path = file.path().display();
    let root = super::embedded(file)?;
    let text = |name: &str| root.member(name).and_then(Node::text).map(str::to_string);
    let Some(Value::List(items)) = root.member("requires").map(|node| &node.value) else {
        return Err(format!("{path}: `requires` is no list"));
    };
    Ok(RequirementSet {
        name: text("set").ok_or_else(|| format!("{path}: `set` is missing"))?,
        title: text("title").ok_or_else(|| format!("{path}: `title` is missing"))?,
        requires: items.iter().filter_map(Node::text).map(str::to_string).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::requirements::Catalogue;

    #[test]
    fn every_set_names_promises_of_the_catalogue() {
        let sets = RequirementSet::builtin().unwrap();
        let names: Vec<_> = sets.iter().map(|set| set.name.as_str()).collect();
        assert_eq!(names, ["bridge-v2", "bridge-v2-resources", "bridge-v2.1", "bridge-v2.1-resources"]);
        for id in sets.iter().flat_map(|set| &set.requires) {
            assert!(Catalogue::builtin().promise(id).is_some(), "{id}");
        }
        for (smaller, larger) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
            assert!(sets[smaller].requires.is_subset(&sets[larger].requires), "{smaller} is part of {larger}");
        }
        assert!(sets[0].counts(&["BRG-SES-01".into()]) && !sets[0].counts(&["BRG-RES-01".into()]));
    }
}
