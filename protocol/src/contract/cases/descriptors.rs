//! Rows about descriptors and content items. Each descriptor is tried in a snapshot and in an upsert.

use super::bases::{self, Base};
use super::{Case, Edit, Rule, ascii, case, long, set};
use serde_json::{Value, json};

/// A rule, the key below the descriptor, what breaks it and what does not.
type Row = (Rule, &'static str, Edit, Edit);

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (base, place) in [(bases::tools as fn() -> Base, "/tools/0"), (bases::tool_upsert, "/tool")] {
        cases.extend(tools().into_iter().map(|row| placed(base, place, row)));
    }
    for (base, place) in [(bases::resources as fn() -> Base, "/resources/0"), (bases::resource_upsert, "/resource")] {
        cases.extend(resources().into_iter().map(|row| placed(base, place, row)));
    }
    cases.extend(contents().into_iter().map(|row| placed(bases::resource_result, "/contents", row)));
    cases.extend(twice());
    cases
}

fn placed(base: fn() -> Base, place: &str, (rule, key, bad, good): Row) -> Case {
    case(rule, base(), &format!("{place}{key}"), bad, good)
}

fn tools() -> Vec<Row> {
    vec![
        (Rule::ToolObject, "", set("add_item"), set(json!({ "name": "a", "description": "d" }))),
        (Rule::ToolNamePresent, "/name", Edit::Drop, set("a")),
        (Rule::ToolNameType, "/name", set(1), set("1")),
        (Rule::ToolNameLength, "/name", set(""), set("a")),
        (Rule::ToolNameLength, "/name", ascii(65), ascii(64)),
        (Rule::ToolNamePattern, "/name", set("a b"), set("a_b-C9")),
        (Rule::ToolNamePattern, "/name", set("é"), set("e")),
        (Rule::ToolNamePattern, "/name", set("a\n"), set("__proto__")),
        (Rule::ToolDescriptionPresent, "/description", Edit::Drop, set("d")),
        (Rule::ToolDescriptionType, "/description", set(json!({})), set("{}")),
        (Rule::ToolDescriptionLength, "/description", set(""), set(" ")),
        (Rule::ToolDescriptionLength, "/description", long(4_097), long(4_096)),
        (Rule::ToolInputSchemaType, "/input_schema", set(true), set(json!({}))),
        (Rule::ToolInputSchemaType, "/input_schema", set(json!([])), Edit::Drop),
        (Rule::ToolOutputSchemaType, "/output_schema", set("object"), Edit::Drop),
        (Rule::ToolAnnotationsType, "/annotations", set(json!([])), set(json!({}))),
        (Rule::ToolAnnotationsUnknownKey, "/annotations/title", set("Add"), Edit::Drop),
        (Rule::ToolAnnotationsUnknownKey, "/annotations/openWorldHint", set(true), Edit::Drop),
        (Rule::ToolReadOnlyHintType, "/annotations/readOnlyHint", set("true"), set(true)),
        (Rule::ToolDestructiveHintType, "/annotations/destructiveHint", set(0), set(false)),
        (Rule::ToolIdempotentHintType, "/annotations/idempotentHint", set(1), Edit::Drop),
        (Rule::ToolTimeoutType, "/timeout_ms", set("5000"), set(5_000)),
        (Rule::ToolTimeoutType, "/timeout_ms", set(0.5), set(1.0)),
        (Rule::ToolTimeoutPositive, "/timeout_ms", set(0), set(1)),
        (Rule::ToolTimeoutPositive, "/timeout_ms", set(-5), set(1e30)),
    ]
}

fn resources() -> Vec<Row> {
    let uri = |characters: usize| set(format!("app:{}", "a".repeat(characters - 4)));
    let mime = |characters: usize| set(format!("a/{}", "b".repeat(characters - 2)));
    vec![
        (Rule::ResourceObject, "", set(1), set(json!({ "uri": "a:b", "name": "a", "description": "d" }))),
        (Rule::ResourceUriPresent, "/uri", Edit::Drop, set("app://x")),
        (Rule::ResourceUriType, "/uri", set(7), set("seven:7")),
        (Rule::ResourceUriLength, "/uri", set(""), set("a:")),
        (Rule::ResourceUriLength, "/uri", uri(2_049), uri(2_048)),
        (Rule::ResourceUriAscii, "/uri", set("app://é"), set("app://%C3%A9")),
        (Rule::ResourceUriAbsolute, "/uri", set("cart"), set("app:cart")),
        (Rule::ResourceUriAbsolute, "/uri", set("//host/cart"), set("x://host/cart")),
        (Rule::ResourceUriAbsolute, "/uri", set("app://a b"), set("app://a%20b")),
        (Rule::ResourceUriAbsolute, "/uri", set("1app:x"), set("a1pp:x#fragment")),
        (Rule::ResourceNamePresent, "/name", Edit::Drop, set("a")),
        (Rule::ResourceNameType, "/name", set(true), set("true")),
        (Rule::ResourceNameLength, "/name", set(""), set("a")),
        (Rule::ResourceNameLength, "/name", ascii(65), ascii(64)),
        (Rule::ResourceNamePattern, "/name", set("a/b"), set("a__b")),
        (Rule::ResourceDescriptionPresent, "/description", Edit::Drop, set("d")),
        (Rule::ResourceDescriptionType, "/description", set(1), set("1")),
        (Rule::ResourceDescriptionLength, "/description", set(""), set("d")),
        (Rule::ResourceDescriptionLength, "/description", long(4_097), long(4_096)),
        (Rule::ResourceMimeTypeType, "/mime_type", set(json!(["a/b"])), Edit::Drop),
        (Rule::ResourceMimeTypeLength, "/mime_type", mime(256), mime(255)),
        (Rule::ResourceMimeTypeSyntax, "/mime_type", set("json"), set("application/json")),
        (Rule::ResourceMimeTypeSyntax, "/mime_type", set(""), set("text/plain; charset=utf-8")),
        (Rule::ResourceTitleType, "/title", set(1), Edit::Drop),
        (Rule::ResourceTitleLength, "/title", set(""), set("t")),
        (Rule::ResourceTitleLength, "/title", long(257), long(256)),
        (Rule::ResourceSizeType, "/size", set("12"), set(12)),
        (Rule::ResourceSizeType, "/size", set(1.5), set(2.0)),
        (Rule::ResourceSizeRange, "/size", set(-1), set(0)),
        (Rule::ResourceSizeRange, "/size", set(9_007_199_254_740_992_u64), set(9_007_199_254_740_991_u64)),
        (Rule::ResourceSizeRange, "/size", set(1e300), Edit::Drop),
        (Rule::ResourceAnnotationsType, "/annotations", set("user"), set(json!({}))),
        (Rule::ResourceAnnotationsUnknownKey, "/annotations/lastModified", set("2025-01-12"), Edit::Drop),
        (Rule::AudienceType, "/annotations/audience", set("user"), set(json!(["user", "assistant"]))),
        (Rule::AudienceType, "/annotations/audience/0", set(1), set("assistant")),
        (Rule::AudienceValue, "/annotations/audience/0", set("robot"), set("user")),
        (Rule::PriorityType, "/annotations/priority", set("0.5"), Edit::Drop),
        (Rule::PriorityRange, "/annotations/priority", set(1.1), set(1)),
        (Rule::PriorityRange, "/annotations/priority", set(-0.1), set(0)),
        (Rule::LastModifiedType, "/annotations/last_modified", set(1_736_694_058), Edit::Drop),
        (Rule::LastModifiedSyntax, "/annotations/last_modified", set("yesterday"), set("2025-01-12")),
        (Rule::IconsType, "/icons", set(json!({})), set(json!([]))),
        (Rule::IconObject, "/icons/0", set("https://x/i.png"), set(json!({ "src": "https://x/i.png" }))),
        (Rule::IconSrcPresent, "/icons/0/src", Edit::Drop, set("http://x/i.png")),
        (Rule::IconSrcType, "/icons/0/src", set(json!({})), set("data:image/png;base64,AA==")),
        (Rule::IconSrcScheme, "/icons/0/src", set("file:///i.png"), set("https://x")),
        (Rule::IconSrcScheme, "/icons/0/src", set("javascript:alert(1)"), set("data:,")),
        (Rule::IconSrcScheme, "/icons/0/src", set("i.png"), set("https://x/i.png")),
        (Rule::IconMimeTypeType, "/icons/0/mime_type", set(1), Edit::Drop),
        (Rule::IconMimeTypeSyntax, "/icons/0/mime_type", set("png"), set("image/svg+xml")),
        (Rule::IconSizesType, "/icons/0/sizes", set("48x48"), set(json!(["any"]))),
        (Rule::IconSizesType, "/icons/0/sizes/0", set(48), set("48x48")),
        (Rule::IconThemeType, "/icons/0/theme", set(0), Edit::Drop),
        (Rule::IconThemeValue, "/icons/0/theme", set("Dark"), set("light")),
    ]
}

fn contents() -> Vec<Row> {
    vec![
        (Rule::ContentObject, "/0", set("text"), set(json!({ "text": "t" }))),
        (Rule::ContentUriType, "/0/uri", set(1), Edit::Drop),
        (Rule::ContentMimeTypeType, "/0/mime_type", set(1), Edit::Drop),
        (Rule::ContentTextType, "/0/text", set(1), set("\0")),
        (Rule::ContentBlobType, "/1/blob", set(json!([0, 1])), set("")),
        (Rule::ContentTextOrBlob, "/0/text", Edit::Drop, set("t")),
        (Rule::ContentExactlyOne, "/0/blob", set("AAE="), Edit::Drop),
        (Rule::BlobBase64, "/1/blob", set("AAE"), set("AAE=")),
        (Rule::BlobBase64, "/1/blob", set("-_-_"), set("+/+/")),
        (Rule::BlobBase64, "/1/blob", set("AA E="), set("AAAA")),
    ]
}

/// Two elements that share what must not be shared.
fn twice() -> Vec<Case> {
    let pair = |mut second: Value, first: Value, name: &str, uri: Option<&str>| {
        second["name"] = name.into();
        if let Some(uri) = uri {
            second["uri"] = uri.into();
        }
        set(json!([first, second]))
    };
    let tool = |name: &str| pair(bases::tool(), bases::tool(), name, None);
    let resource = |name: &str, uri: &str| pair(bases::resource(), bases::resource(), name, Some(uri));
    let row = |rule, base: Base, pointer, at: &str, bad, good| Case {
        at: at.to_owned(),
        ..case(rule, base, pointer, bad, good)
    };
    vec![
        row(Rule::DuplicateToolName, bases::tools(), "/tools", "/tools/1/name", tool("add_item"), tool("Add_item")),
        row(
            Rule::DuplicateResourceName,
            bases::resources(),
            "/resources",
            "/resources/1/name",
            resource("cart", "app://other"),
            resource("other", "app://other"),
        ),
        row(
            Rule::DuplicateResourceUri,
            bases::resources(),
            "/resources",
            "/resources/1/uri",
            resource("other", "app://cart"),
            resource("other", "app://CART"),
        ),
    ]
}
