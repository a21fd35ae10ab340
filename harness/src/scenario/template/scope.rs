//! Where the values behind templates come from.

use super::path::{MissingPath, Path};
use serde_json::Value;

/// Where the values behind templates come from.
pub trait Scope {
    /// The value at a path.
    ///
    /// Values of `case` and `each` are given as the author wrote them: templates and generators in them are resolved
    /// afterwards by whoever asked.
    ///
    /// # Errors
    ///
    /// [`MissingPath`] when there is nothing; [`Path::find_in`] makes one with the nearest spelling.
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath>;
}

/// Roots are the members of the map.
impl Scope for serde_json::Map<String, Value> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        match self.get(path.root()) {
            Some(value) => path.find_in(value).cloned(),
            None => Err(MissingPath::root(path, self.keys().map(String::as_str))),
        }
    }
}

/// A scope with one more name in it.
pub struct Bound<'a> {
    /// The name.
    pub name: &'a str,
    /// What it stands for.
    pub value: Value,
    /// Everything else.
    pub outer: &'a dyn Scope,
}

impl Scope for Bound<'_> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        if path.root() == self.name { path.find_in(&self.value).cloned() } else { self.outer.lookup(path) }
    }
}
