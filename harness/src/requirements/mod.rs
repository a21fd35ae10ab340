//! The requirement catalogue: every promise of the contract, embedded from `fixtures/requirements/`.

pub mod sets;

use crate::scenario::mistake::Problem;
use crate::scenario::model::Level;
use crate::scenario::node::{Node, Source, Value};
use crate::scenario::{spelling, yaml};
use include_dir::{Dir, File, include_dir};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../fixtures/requirements");

static BUILTIN: LazyLock<Catalogue> = LazyLock::new(|| match read(&FILES) {
    Ok(catalogue) => catalogue,
    Err(message) => unreachable!("the embedded catalogue is tested: {message}"),
});

/// Order in which the groups are shown: that of the contract's chapters.
const GROUPS: &[&str] = &["LNK", "CON", "SES", "TOL", "RES", "RPC", "MCP", "FBK", "POL", "AUD", "CLI", "APP"];

/// One promise of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Promise {
    /// Stable id, e.g. `BRG-RES-05`.
    pub id: String,
    /// Group, e.g. `RES`.
    pub group: String,
    /// How binding it is.
    pub level: Level,
    /// Where it comes from.
    pub origin: Origin,
    /// The promise in plain words.
    pub statement: String,
    /// Why no black-box check can prove it, when that is so.
    pub unchecked: Option<String>,
}

/// Where a promise comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The published protocol.
    Published,
    /// The proposal of the resource extension.
    Seed,
    /// A decision taken where both are silent.
    Decided,
}

impl Origin {
    /// The origin in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Published => "the published protocol",
            Self::Seed => "the proposal of the resource extension",
            Self::Decided => "a decision of this project, where both are silent",
        }
    }
}

/// All promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    promises: BTreeMap<String, Promise>,
    titles: BTreeMap<String, String>,
}

impl Catalogue {
    /// The catalogue embedded in this binary.
    pub fn builtin() -> &'static Self {
        &BUILTIN
    }

    /// A promise by its id.
    pub fn promise(&self, id: &str) -> Option<&Promise> {
        self.promises.get(id)
    }

    /// All promises: in the order of the contract's chapters, then by number.
    pub fn promises(&self) -> impl Iterator<Item = &Promise> {
        GROUPS.iter().flat_map(|group| self.promises.values().filter(move |promise| promise.group == *group))
    }

    /// What a group is about, e.g. `Session` for `SES`.
    pub fn title(&self, group: &str) -> Option<&str> {
        self.titles.get(group).map(String::as_str)
    }

    /// The most similar id, for messages.
    pub fn nearest(&self, wrong: &str) -> Option<&str> {
        spelling::nearest(wrong, self.promises.keys().map(String::as_str))
    }

    /// The level of every promise, by its id.
    pub fn levels(&self) -> BTreeMap<String, Level> {
        self.promises.values().map(|promise| (promise.id.clone(), promise.level)).collect()
    }

    /// How binding a set of promises is: the strongest of their levels.
    pub fn level<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> Level {
        ids.into_iter().filter_map(|id| self.promise(id)).map(|promise| promise.level).max().unwrap_or(Level::Must)
    }
}

fn read(files: &Dir<'_>) -> Result<Catalogue, String> {
    let mut catalogue = Catalogue::default();
    for file in files.files() {
        let root = embedded(file)?;
        group(&root, &mut catalogue).map_err(|message| format!("{}: {message}", file.path().display()))?;
    }
    Ok(catalogue)
}

/// The content of an embedded YAML file.
fn embedded(file: &File<'_>) -> Result<Node, String> {
    let path = file.path().display().to_string();
    let text = file.contents_utf8().ok_or_else(|| format!("{path} is no UTF-8"))?;
    let mut problems: Vec<Problem> = Vec::new();
    let root = yaml::read(&Source::new(path.clone(), text), &mut problems).filter(|_| problems.is_empty());
    root.ok_or_else(|| format!("{path} is no valid YAML: {problems:?}"))
}

fn group(root: &Node, catalogue: &mut Catalogue) -> Result<(), String> {
    let group = required(root, "group")?;
    catalogue.titles.insert(group.clone(), required(root, "title")?);
    let Some(Value::List(items)) = root.member("promises").map(|node| &node.value) else {
        return Err("`promises` is no list".into());
    };
    for item in items {
        let promise = promise(item, &group)?;
        if let Some(twin) = catalogue.promises.insert(promise.id.clone(), promise) {
            return Err(format!("{} stands there twice", twin.id));
        }
    }
    Ok(())
}

fn promise(item: &Node, group: &str) -> Result<Promise, String> {
    let id = required(item, "id")?;
    if !id.starts_with(&format!("BRG-{group}-")) {
        return Err(format!("{id} is no id of the group {group}"));
    }
    Ok(Promise {
        level: match required(item, "level")?.as_str() {
            "M" => Level::Must,
            "S" => Level::Should,
            "O" => Level::Option,
            other => return Err(format!("{id}: `{other}` is no level")),
        },
        origin: match required(item, "origin")?.as_str() {
            "up" => Origin::Published,
            "seed" => Origin::Seed,
            "dsn" => Origin::Decided,
            other => return Err(format!("{id}: `{other}` is no origin")),
        },
        statement: required(item, "statement")?,
        unchecked: item.member("unchecked").and_then(Node::text).map(str::to_string),
        group: group.to_string(),
        id,
    })
}

fn required(node: &Node, name: &str) -> Result<String, String> {
    node.member(name).and_then(Node::text).map(str::to_string).ok_or_else(|| format!("`{name}` is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_catalogue_is_whole() {
        let catalogue = read(&FILES).unwrap();
        assert_eq!(catalogue.promises().count(), catalogue.promises.len(), "a group is missing from GROUPS");
        assert!(catalogue.promises.len() >= 138);
        let promise = catalogue.promise("BRG-CON-13").unwrap();
        assert_eq!((promise.level, promise.origin), (Level::Should, Origin::Decided));
        assert_eq!(catalogue.nearest("BRG-RES-5"), Some("BRG-RES-05"));
        assert_eq!(catalogue.level(["BRG-CON-13", "BRG-CON-12"]), Level::Must);
    }
}
