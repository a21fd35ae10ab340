//! What a read returns (`BRG-MCP-09`).

use super::view::ShownResource;
use crate::rules::ContentUri;
use crate::rules::Rules;
use iolite_protocol::descriptor::ContentItem;
use serde_json::{Value, json};

/// Maps the `contents` of `resources.read` to those of MCP: an item's own absolute URI passes through, every other item
/// has the URI that was asked for; types, texts and blobs stay as they are.
///
/// # Errors
///
/// What is wrong with the daemon's answer.
pub fn app_contents(
    contents: &Value,
    requested: &str,
    resource: &ShownResource,
    rules: &Rules,
) -> Result<Vec<Value>, String> {
    let base = match rules.mcp_answers.content_uri {
        ContentUri::Requested => requested,
        ContentUri::Inner => resource.descriptor.uri(),
    };
    let Some(items) = contents.as_array() else {
        return Err("contents is no array".to_owned());
    };
    items
        .iter()
        .map(|item| {
            let item = ContentItem::decode(item, &rules.contract).map_err(|error| error.to_string())?;
            let mut shown = item.to_mcp(base);
            if !rules.mcp_answers.keep_item_uri {
                shown["uri"] = base.into();
            }
            Ok(shown)
        })
        .collect()
}

/// The contents of the sessions resource: the result of `sessions.list` as JSON text (`BRG-MCP-25`).
pub fn sessions_contents(summaries: &Value, uri: &str) -> Vec<Value> {
    vec![json!({"uri": uri, "mimeType": "application/json", "text": summaries.to_string()})]
}

/// The items as the fallback tool returns them: the same (`BRG-FBK-04`).
pub fn fallback_contents(mut items: Vec<Value>, rules: &Rules) -> Vec<Value> {
    if !rules.fallback.all_items {
        items.truncate(1);
    }
    if !rules.fallback.keep_blobs {
        for item in items.iter_mut().filter_map(Value::as_object_mut) {
            item.shift_remove("blob");
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use iolite_protocol::descriptor::ResourceDescriptor;

    fn resource() -> ShownResource {
        ShownResource {
            uri: "cordierite://a/cart".to_owned(),
            session: "s".to_owned(),
            descriptor: ResourceDescriptor::new("app://cart", "cart", "d")
                .and_then(|resource| resource.with_mime_type("application/json"))
                .unwrap(),
        }
    }

    fn mapped(contents: Value, rules: &Rules) -> Result<Vec<Value>, String> {
        app_contents(&contents, "cordierite://a/cart", &resource(), rules)
    }

    #[test]
    fn items_keep_order_type_text_and_blob() {
        let contents = json!([
            {"text": "é\u{0}"},
            {"text": "", "mime_type": "text/plain"},
            {"blob": "AP+ACg==", "uri": "app://part/2"},
            {"text": "x", "uri": "relative"}
        ]);
        assert_eq!(
            mapped(contents, &Rules::default()).unwrap(),
            [
                json!({"uri": "cordierite://a/cart", "text": "é\u{0}"}),
                json!({"uri": "cordierite://a/cart", "mimeType": "text/plain", "text": ""}),
                json!({"uri": "app://part/2", "blob": "AP+ACg=="}),
                json!({"uri": "cordierite://a/cart", "text": "x"}),
            ]
        );
        assert_eq!(mapped(json!([]), &Rules::default()).unwrap(), [] as [Value; 0]);
    }

    #[test]
    fn what_is_no_contents_is_never_half_mapped() {
        for contents in [json!(null), json!({}), json!([{"text": "a"}, {"text": "b", "blob": ""}]), json!([{}])] {
            assert!(mapped(contents.clone(), &Rules::default()).is_err(), "{contents}");
        }
    }

    #[test]
    fn bent_rules_show() {
        let mut rules = Rules::default();
        rules.mcp_answers.content_uri = ContentUri::Inner;
        assert_eq!(mapped(json!([{"text": ""}]), &rules).unwrap()[0]["uri"], "app://cart");
        rules.mcp_answers.keep_item_uri = false;
        let own = json!([{"text": "", "uri": "app://own"}]);
        assert_eq!(mapped(own, &rules).unwrap()[0]["uri"], "app://cart");
        rules.fallback.all_items = false;
        rules.fallback.keep_blobs = false;
        let items = vec![json!({"uri": "u", "blob": ""}), json!({"uri": "u", "text": ""})];
        assert_eq!(fallback_contents(items, &rules), [json!({"uri": "u"})]);
    }
}
