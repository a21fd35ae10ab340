//! Spellings and round trips. The rules one by one: `contract::cases`.

use super::*;
use crate::contract::Contract;
use crate::testing::{any_content, any_json, any_resource, any_tool};
use proptest::prelude::*;
use serde_json::{Value, json};

fn full() -> Value {
    json!({
        "icons": [{ "src": "https://x/i.png", "mime_type": "image/png", "sizes": ["any"], "theme": "light", "x": 1 }],
        "name": "cart", "uri": "app://cart", "description": "The cart", "mime_type": "application/json",
        "title": "Cart", "size": 3, "secret": "never shown",
        "annotations": { "audience": ["user"], "priority": 1, "last_modified": "2025-01-12" },
    })
}

#[test]
fn unknown_keys_are_dropped_and_the_order_is_the_contracts() {
    let resource = ResourceDescriptor::decode(&full(), &Contract::default()).unwrap();
    let expected = concat!(
        r#"{"uri":"app://cart","name":"cart","description":"The cart","mime_type":"application/json","title":"Cart","#,
        r#""size":3,"annotations":{"audience":["user"],"priority":1,"last_modified":"2025-01-12"},"#,
        r#""icons":[{"src":"https://x/i.png","mime_type":"image/png","sizes":["any"],"theme":"light"}]}"#
    );
    assert_eq!(resource.to_json().to_string(), expected);
}

#[test]
fn mcp_spells_in_camel_case_and_knows_icons_or_not() {
    let resource = ResourceDescriptor::decode(&full(), &Contract::default()).unwrap();
    let mut expected = json!({
        "uri": "app://cart", "name": "cart", "description": "The cart", "mimeType": "application/json", "title": "Cart",
        "size": 3, "annotations": { "audience": ["user"], "priority": 1, "lastModified": "2025-01-12" },
        "icons": [{ "src": "https://x/i.png", "mimeType": "image/png", "sizes": ["any"], "theme": "light" }],
    });
    assert_eq!(resource.to_mcp(true), expected);
    expected.as_object_mut().unwrap().shift_remove("icons");
    assert_eq!(resource.to_mcp(false), expected);
}

#[test]
fn absent_fields_stay_absent() {
    let resource = ResourceDescriptor::new("a:b", "a", "d").unwrap();
    let expected = json!({ "uri": "a:b", "name": "a", "description": "d" });
    assert_eq!((resource.to_json(), resource.to_mcp(true)), (expected.clone(), expected));
    let tool = ToolDescriptor::new("a", "d").unwrap();
    assert_eq!(tool.to_json(), json!({ "name": "a", "description": "d" }));
    assert!(!tool.is_destructive());
}

#[test]
fn an_item_passes_only_an_absolute_uri_through() {
    let requested = "cordierite://pixel-8/cart";
    let uri = |item: ContentItem| item.to_mcp(requested)["uri"].clone();
    assert_eq!(uri(ContentItem::text("t")), requested);
    assert_eq!(uri(ContentItem::text("t").with_uri("cart/1")), requested);
    assert_eq!(uri(ContentItem::text("t").with_uri("app://cart/1")), "app://cart/1");
    let item = ContentItem::blob(&[0, 1]).with_mime_type("image/png");
    assert_eq!(item.to_mcp(requested), json!({ "uri": requested, "mimeType": "image/png", "blob": "AAE=" }));
    assert_eq!(item.to_json(), json!({ "mime_type": "image/png", "blob": "AAE=" }));
}

#[test]
fn constructors_keep_the_rules() {
    assert!(ToolDescriptor::new("a b", "d").is_err());
    assert!(ResourceDescriptor::new("cart", "a", "d").is_err());
    let resource = || ResourceDescriptor::new("a:b", "a", "d").unwrap();
    assert!(resource().with_mime_type("json").is_err());
    assert!(resource().with_title("").is_err());
    assert!(resource().with_size(1 << 53).is_err());
    assert!(ResourceAnnotations::default().with_priority(f64::NAN).is_err());
    assert!(ResourceAnnotations::default().with_priority(1.5).is_err());
    assert!(ResourceAnnotations::default().with_last_modified("now").is_err());
    assert!(Icon::new("i.png").is_err());
    assert!(Icon::new("https://x").unwrap().with_mime_type("png").is_err());
}

proptest! {
    #[test]
    fn descriptors_survive(tool in any_tool(), resource in any_resource(), item in any_content()) {
        let contract = Contract::default();
        prop_assert_eq!(ToolDescriptor::decode(&tool.to_json(), &contract).unwrap(), tool);
        prop_assert_eq!(ResourceDescriptor::decode(&resource.to_json(), &contract).unwrap(), resource);
        prop_assert_eq!(ContentItem::decode(&item.to_json(), &contract).unwrap(), item);
    }

    #[test]
    fn bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert_eq!(ContentItem::blob(&bytes).bytes(), Some(bytes));
    }

    #[test]
    fn decoders_never_panic(value in any_json()) {
        let contract = Contract::default();
        let _ = ToolDescriptor::decode(&value, &contract);
        let _ = ResourceDescriptor::decode(&value, &contract);
        let _ = ContentItem::decode(&value, &contract);
    }
}
