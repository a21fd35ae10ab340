//! Progress values as MCP wants them (`BRG-TOL-14`).

use serde_json::{Number, Value};

/// The value to show, and the same for comparison with the next one; `None` when there is nothing to tell.
///
/// MCP wants every value above the last. What an app gives passes as it is where that holds. Where it does not, or
/// where the app gave none, the next larger number stands in if there is a message to pass on. `strict` is the
/// contract.
pub fn next_value(last: Option<f64>, given: Option<&Number>, has_message: bool, strict: bool) -> Option<(Value, f64)> {
    let given = given.and_then(|number| Some((Value::Number(number.clone()), number.as_f64()?)));
    match (given, last) {
        (Some((shown, value)), last) if !strict || last.is_none_or(|last| value > last) => Some((shown, value)),
        (_, Some(last)) if has_message => {
            let value = last.next_up();
            Some((value.into(), value))
        }
        (None, None) => Some((0.into(), 0.0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn next(last: Option<f64>, given: Value, has_message: bool) -> Option<Value> {
        let given = given.as_number().cloned();
        next_value(last, given.as_ref(), has_message, true).map(|(shown, _)| shown)
    }

    #[test]
    fn what_increases_passes_as_it_is() {
        assert_eq!(next(None, json!(0), false), Some(json!(0)));
        assert_eq!(next(Some(0.5), json!(1), false), Some(json!(1)));
        assert_eq!(next(Some(-2.0), json!(-1.5), false), Some(json!(-1.5)));
    }

    #[test]
    fn what_does_not_increase_passes_its_message_only() {
        assert_eq!(next(Some(0.5), json!(0.5), false), None);
        assert_eq!(next(Some(0.5), json!(null), false), None);
        let shown = next(Some(0.5), json!(0.25), true).and_then(|value| value.as_f64());
        assert!(shown.is_some_and(|shown| shown > 0.5));
        assert_eq!(next(None, json!(null), true), Some(json!(0)));
    }
}
