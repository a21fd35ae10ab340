//! Reading a scenario's values and matchers with the names of one world.

use super::outcome::Fault;
use super::world::{Locals, World};
use crate::scenario::matcher::{Matcher, MatcherError};
use crate::scenario::node::Node;
use crate::scenario::template::{self, MissingPath, Path, Reason, ResolveError, Resolved, Scope};
use serde_json::Value;

/// The names of one world and the loops around one step.
struct WorldScope<'a> {
    world: &'a World,
    locals: &'a Locals,
}

impl Scope for WorldScope<'_> {
    fn lookup(&self, path: &Path) -> Result<Value, MissingPath> {
        self.world.at(path, self.locals).unwrap_or_else(|| {
            let roots = self.world.roots(self.locals);
            Err(MissingPath::root(path, roots.iter().map(String::as_str)))
        })
    }
}

/// A node's value: templates filled in, generators run.
pub(super) fn evaluate(node: &Node, world: &World, locals: &Locals) -> Result<Value, Fault> {
    template::resolve_json(node, &WorldScope { world, locals }).map_err(|error| fault(&error, world))
}

/// A node's value where bytes may stand in it.
pub(super) fn resolved(node: &Node, world: &World, locals: &Locals) -> Result<Resolved, Fault> {
    template::resolve(node, &WorldScope { world, locals }).map_err(|error| fault(&error, world))
}

/// A node's bytes: bytes, or the UTF-8 of a string; anything else is written as JSON.
pub(super) fn bytes(node: &Node, world: &World, locals: &Locals) -> Result<Vec<u8>, Fault> {
    bytes_of(resolved(node, world, locals)?)
}

/// The bytes of a value that was resolved.
pub(super) fn bytes_of(resolved: Resolved) -> Result<Vec<u8>, Fault> {
    match resolved.as_bytes() {
        Some(bytes) => Ok(bytes.to_vec()),
        None => match resolved.into_json() {
            Ok(value) => Ok(value.to_string().into_bytes()),
            Err(error) => Err(Fault::Broken(error.to_string())),
        },
    }
}

/// A matcher, ready to be held against values.
pub(super) fn matcher(node: &Node, world: &World, locals: &Locals) -> Result<Matcher, Fault> {
    Matcher::compile(node, &WorldScope { world, locals }).map_err(|error| match &error {
        MatcherError::Resolve(error) => fault(error, world),
        other => Fault::Broken(other.to_string()),
    })
}

/// A value that cannot be resolved: our fault, unless a step that brought nothing was to name what is missing, or the
/// daemon never gave an actor what the template asks for.
fn fault(error: &ResolveError, world: &World) -> Fault {
    if let Reason::Missing(missing) = &error.reason {
        let root: String = missing.path.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
        if let Some(why) = world.missing(&root) {
            return Fault::Unmet(format!("`{}` is not there: {why}", missing.path));
        }
        if world.actors.contains_key(&root) || world.was_bound(&root) {
            return Fault::Unmet(error.to_string());
        }
    }
    Fault::Broken(error.to_string())
}
