//! Texts with one rule for everything about them, as frames of daemons have them.

use super::FrameError;
use crate::contract::Rule;
use crate::fields::Fields;
use crate::syntax::is_name;

/// A text of 1 to `max` characters, with one rule for all of that.
pub(super) fn text(fields: &Fields<'_>, key: &str, rule: Rule, max: usize) -> Result<String, FrameError> {
    let text = fields.required_text(key, rule, rule)?;
    fields.length(&text, key, rule, 1, max)?;
    Ok(text)
}

/// The `name` of a tool or resource.
pub(super) fn name(fields: &Fields<'_>, rule: Rule, max: usize) -> Result<String, FrameError> {
    let name = text(fields, "name", rule, max)?;
    if !is_name(&name) {
        fields.broken(rule, "name", format!("this one is {name:?}"))?;
    }
    Ok(name)
}
