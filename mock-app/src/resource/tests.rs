//! The facts of the field's resource API, by their numbers.

use super::*;
use crate::app::Registration;
use serde_json::{Map, Value, json};

fn reader(uri: String, _context: ReadContext) -> Result<ReadResult, ReaderFailure> {
    Ok(ReadResult::of([Content::text(&uri, "")]))
}

fn definition(uri: &str) -> ResourceDefinition {
    ResourceDefinition::builder(uri, "a name").reader(reader).build().unwrap()
}

fn manifest(metadata: Value) -> ResourceDefinition {
    let Value::Object(metadata) = metadata else { panic!("a manifest is an object") };
    ResourceDefinition::from_json(metadata).reader(reader).build().unwrap()
}

/// What registering the metadata, with the given keys over a right base, says.
fn verdict(keys: Value) -> Result<Value, MetadataError> {
    let mut metadata = json!({ "uri": "test://a", "name": "a" });
    for (key, value) in keys.as_object().unwrap() {
        metadata[key] = value.clone();
    }
    match ResourceRegistry::register([manifest(metadata)]) {
        Ok(registry) => Ok(registry.listing(Revision::Modern).remove(0)),
        Err(RegistrationError::Metadata { error, .. }) => Err(error),
        Err(other) => panic!("{other}"),
    }
}

async fn read(result: Value) -> Result<Value, ReadError> {
    let definition = ResourceDefinition::builder("test://a", "a")
        .mime_type("text/x")
        .reader(move |_, _| Ok(ReadResult::raw(result.clone())))
        .build()
        .unwrap();
    let registry = ResourceRegistry::register([definition]).unwrap();
    registry.read("test://a", ReadContext::default()).await
}

#[test]
fn tg_01_a_changed_copy_leaves_the_definition_as_it_was() {
    let original = definition("test://a");
    let changed = original.to_builder().title("new").reader(reader).build().unwrap();
    let registry = ResourceRegistry::register([original]).unwrap();
    assert!(registry.listing(Revision::Modern)[0].get("title").is_none());
    assert_eq!(changed.metadata()["title"], "new");
}

#[test]
fn tg_03_a_definition_needs_a_reader() {
    assert_eq!(ResourceDefinition::builder("test://a", "a").build().unwrap_err(), NoReader);
}

#[test]
fn tg_04_tg_16_metadata_is_judged_at_registration_not_before() {
    let wrong = manifest(json!({ "uri": "no-scheme", "name": "" }));
    let error = ResourceRegistry::register([definition("test://a"), wrong]).unwrap_err();
    assert!(matches!(error, RegistrationError::Metadata { index: 1, error: MetadataError::Uri { .. } }));
}

#[test]
fn tg_05_registration_copies() {
    let mut metadata: Map<String, Value> = Map::new();
    metadata.insert("uri".into(), "test://a".into());
    metadata.insert("name".into(), "a".into());
    metadata.insert("_meta".into(), json!({ "list": [1] }));
    let made = ResourceDefinition::from_json(metadata.clone()).reader(reader).build().unwrap();
    let registry = ResourceRegistry::register([made]).unwrap();
    let before = registry.listing(Revision::Modern);
    metadata["_meta"]["list"] = json!([2]);
    assert_eq!(registry.listing(Revision::Modern), before);
}

#[tokio::test]
async fn tg_06_tg_30_only_reads_read_and_each_reads_once() {
    let a = definition("test://a");
    let options = ServerOptions::new(vec![]).resources(vec![a.clone()]);
    let server = ResourceServer::new(options).unwrap();
    server.capabilities();
    for _ in 0..3 {
        server.list(Revision::Legacy).unwrap();
        server.list(Revision::Modern).unwrap();
    }
    assert_eq!(a.reads(), 0);
    for expected in 1..=3 {
        let params = json!({ "uri": "test://a" });
        server.read(&params, ReadContext::default()).await.unwrap();
        assert_eq!(a.reads(), expected);
    }
}

#[test]
fn tg_07_uris_are_absolute() {
    for uri in ["https://x/y", "test://a", "urn:x:y", "file:///a"] {
        verdict(json!({ "uri": uri })).unwrap();
    }
    for uri in ["", "a/b", "/a", "//h/p", "?q", " test://a", "test://a "] {
        let error = verdict(json!({ "uri": uri })).unwrap_err();
        assert!(matches!(error, MetadataError::Uri { .. }), "{uri:?}: {error}");
    }
    assert!(verdict(json!({ "uri": 7 })).is_err());
    let missing = ResourceRegistry::register([manifest(json!({ "name": "a" }))]);
    assert!(missing.is_err());
}

#[tokio::test]
async fn tg_08_only_the_identical_uri_reads_and_near_twins_are_two() {
    let registered = "http://h/a%41/é";
    let twins = [
        "HTTP://h/a%41/é",
        "http://H/a%41/é",
        "http://h/a%41/é/",
        "http://h/aA/é",
        "http://h:80/a%41/é",
        "http://h/a%41/é#f",
        "http://h/a%41/é?q",
        "http://h/./a%41/é",
        "http://h/a%41/e\u{301}",
    ];
    let registry = ResourceRegistry::register([definition(registered)]).unwrap();
    for twin in twins.into_iter().chain([" http://h/a%41/é", "http://h/a%41/é "]) {
        let error = registry.read(twin, ReadContext::default()).await.unwrap_err();
        assert!(matches!(error, ReadError::UnknownUri { .. }), "{twin:?}");
    }
    registry.read(registered, ReadContext::default()).await.unwrap();
    let all = twins.into_iter().chain([registered]).map(definition);
    let registry = ResourceRegistry::register(all).unwrap();
    for twin in twins {
        let result = registry.read(twin, ReadContext::default()).await.unwrap();
        assert_eq!(result["contents"][0]["uri"], twin);
    }
}

#[test]
fn tg_09_names_are_not_empty() {
    for name in [json!(""), json!(7), json!(null)] {
        assert!(matches!(verdict(json!({ "name": name })), Err(MetadataError::Name { .. })));
    }
    assert!(ResourceRegistry::register([manifest(json!({ "uri": "test://a" }))]).is_err());
}

#[test]
fn tg_10_display_strings_appear_verbatim_or_not_at_all() {
    let entry = verdict(json!({})).unwrap();
    assert_eq!(entry, json!({ "uri": "test://a", "name": "a" }));
    for key in ["title", "description", "mimeType"] {
        assert_eq!(verdict(json!({ key: " é " })).unwrap()[key], " é ");
        for wrong in [json!(1), json!(null)] {
            assert!(matches!(verdict(json!({ key: wrong })), Err(MetadataError::Text { .. })));
        }
    }
}

#[test]
fn tg_11_annotations() {
    let right = json!({
        "audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2025-01-12T15:00:58Z",
    });
    assert_eq!(verdict(json!({ "annotations": right })).unwrap()["annotations"], right);
    for priority in [0, 1] {
        verdict(json!({ "annotations": { "priority": priority } })).unwrap();
    }
    for wrong in [
        json!([]),
        json!({ "audience": ["robot"] }),
        json!({ "audience": "user" }),
        json!({ "priority": 1.1 }),
        json!({ "priority": -0.1 }),
        json!({ "priority": "1" }),
        json!({ "lastModified": 7 }),
        json!({ "lastModified": "yesterday" }),
    ] {
        let error = verdict(json!({ "annotations": wrong })).unwrap_err();
        assert!(matches!(error, MetadataError::Annotations { .. }), "{error}");
    }
    for priority in [f64::NAN, f64::INFINITY] {
        let made = ResourceDefinition::builder("test://a", "a")
            .priority(priority)
            .audience(&["user"])
            .last_modified("2025-01-12")
            .reader(reader)
            .build()
            .unwrap();
        assert!(ResourceRegistry::register([made]).is_err());
    }
}

#[test]
fn tg_12_sizes_are_safe_integers() {
    for size in [json!(0), json!(9_007_199_254_740_991_u64)] {
        assert_eq!(verdict(json!({ "size": size })).unwrap()["size"], size);
    }
    for size in [json!(-1), json!(1.5), json!(9_007_199_254_740_992_u64), json!("3"), json!(null)] {
        assert!(matches!(verdict(json!({ "size": size })), Err(MetadataError::Size { .. })));
    }
}

#[test]
fn tg_13_icons_are_shown_to_the_modern_revision_only() {
    let icons = json!([{ "src": "https://x/i.png", "sizes": ["48x48"] }]);
    let made = ResourceDefinition::builder("test://a", "a").icons(icons.clone()).reader(reader).build().unwrap();
    let registry = ResourceRegistry::register([made]).unwrap();
    assert_eq!(registry.listing(Revision::Modern)[0]["icons"], icons);
    assert!(registry.listing(Revision::Legacy)[0].get("icons").is_none());
    for wrong in [json!({}), json!([{}]), json!([{ "src": 1 }])] {
        assert!(matches!(verdict(json!({ "icons": wrong })), Err(MetadataError::Icons { .. })));
    }
}

#[test]
fn tg_14_meta_is_listed_in_both_revisions() {
    let meta = json!({ "x/y": { "deep": [1, null, "é"] } });
    let made = ResourceDefinition::builder("test://a", "a").meta(meta.clone()).reader(reader).build().unwrap();
    let registry = ResourceRegistry::register([made]).unwrap();
    for revision in [Revision::Legacy, Revision::Modern] {
        assert_eq!(registry.listing(revision)[0]["_meta"], meta);
    }
    assert!(matches!(verdict(json!({ "_meta": 1 })), Err(MetadataError::Meta { .. })));
}

#[test]
fn tg_15_uris_are_unique_names_need_not_be() {
    let error =
        ResourceRegistry::register([definition("test://a"), manifest(json!({ "uri": "test://a", "name": "other" }))])
            .unwrap_err();
    let uri = "test://a".to_owned();
    assert_eq!(error, RegistrationError::DuplicateUri { index: 1, uri });
    ResourceRegistry::register([definition("test://a"), definition("test://b")]).unwrap();
}

#[test]
fn tg_19_tg_20_the_option_makes_the_capability() {
    let none = ResourceServer::new(ServerOptions::new(vec![])).unwrap();
    assert!(none.capabilities().get("resources").is_none());
    let refused = none.list(Revision::Modern).unwrap_err();
    assert_eq!((refused.clone(), refused.code(Revision::Modern)), (ReadError::NoCapability, -32601));

    let empty = ResourceServer::new(ServerOptions::new(vec![]).resources(vec![])).unwrap();
    assert_eq!(empty.capabilities()["resources"], json!({}));
    assert_eq!(empty.list(Revision::Legacy).unwrap(), json!({ "resources": [] }));
    assert!(empty.tools().is_empty());
}

#[test]
fn tg_21_the_list_is_static_and_in_order() {
    let uris = ["test://c", "test://a", "test://b"];
    let registry = ResourceRegistry::register(uris.map(definition)).unwrap();
    let first = registry.listing(Revision::Modern);
    assert_eq!(first.iter().map(|entry| &entry["uri"]).collect::<Vec<_>>(), uris);
    assert_eq!(registry.clone().listing(Revision::Modern), first);
}

#[tokio::test]
async fn tg_31_the_reader_gets_the_uri_and_the_context() {
    let echo = ResourceDefinition::builder("test://a", "a")
        .async_reader(|uri, context| async move {
            let text = format!(
                "{uri} {} {} {}",
                context.caller().unwrap_or("nobody"),
                context.meta()["k"],
                context.is_cancelled()
            );
            Ok(ReadResult::of([Content::text(&uri, &text)]))
        })
        .build()
        .unwrap();
    let registry = ResourceRegistry::register([echo]).unwrap();
    let cancellation = Cancellation::default();
    let mut meta = Map::new();
    meta.insert("k".into(), 1.into());
    let context = ReadContext::default().with_caller("ada").with_meta(meta).with_cancellation(&cancellation);
    let result = registry.read("test://a", context.clone()).await.unwrap();
    assert_eq!(result["contents"][0]["text"], "test://a ada 1 false");
    cancellation.cancel();
    context.cancelled().await;
    let result = registry.read("test://a", context).await.unwrap();
    assert_eq!(result["contents"][0]["text"], "test://a ada 1 true");
}

#[tokio::test]
async fn tg_32_sync_and_async_readers_give_the_same() {
    let result = || Ok(ReadResult::of([Content::text("test://a", "x").mime_type("text/plain")]));
    let builder = || ResourceDefinition::builder("test://a", "a");
    let sync = builder().reader(move |_, _| result()).build().unwrap();
    let later = builder()
        .async_reader(move |_, _| async move {
            tokio::task::yield_now().await;
            result()
        })
        .build()
        .unwrap();
    let mut results = Vec::new();
    for definition in [sync, later] {
        let registry = ResourceRegistry::register([definition]).unwrap();
        results.push(registry.read("test://a", ReadContext::default()).await.unwrap());
    }
    assert_eq!(results[0], results[1]);
}

#[tokio::test]
async fn tg_33_tg_35_invalid_results_are_internal_errors_and_nothing_else() {
    let good = json!({ "uri": "test://a", "text": "x" });
    let cases = [
        (json!(null), ResultError::NoContents),
        (json!([]), ResultError::NoContents),
        (json!({}), ResultError::NoContents),
        (json!({ "contents": {} }), ResultError::NoContents),
        (json!({ "contents": [good, []] }), ResultError::NoObject { index: 1 }),
        (json!({ "contents": [{ "text": "x" }] }), ResultError::Uri { index: 0 }),
        (json!({ "contents": [{ "uri": "a", "text": "x" }] }), ResultError::Uri { index: 0 }),
        (json!({ "contents": [{ "uri": 1, "text": "x" }] }), ResultError::Uri { index: 0 }),
        (json!({ "contents": [good, { "uri": "test://a" }] }), ResultError::Neither { index: 1 }),
        (json!({ "contents": [{ "uri": "test://a", "text": "x", "blob": "" }] }), ResultError::Both { index: 0 }),
        (json!({ "contents": [{ "uri": "test://a", "text": null }] }), ResultError::NoString { index: 0, key: "text" }),
        (
            json!({ "contents": [{ "uri": "test://a", "blob": [1, 2] }] }),
            ResultError::NoString { index: 0, key: "blob" },
        ),
        (
            json!({ "contents": [{ "uri": "test://a", "text": "", "mimeType": 1 }] }),
            ResultError::NoString { index: 0, key: "mimeType" },
        ),
        (json!({ "contents": [{ "uri": "test://a", "blob": "no base64" }] }), ResultError::Base64 { index: 0 }),
        (json!({ "contents": [{ "uri": "test://a", "blob": "AA" }] }), ResultError::Base64 { index: 0 }),
        (json!({ "contents": [{ "uri": "test://a", "text": "", "_meta": 1 }] }), ResultError::EntryMeta { index: 0 }),
        (json!({ "contents": [], "_meta": [] }), ResultError::Meta),
    ];
    for (result, expected) in cases {
        let error = read(result.clone()).await.unwrap_err();
        assert_eq!(error, ReadError::Result(expected), "{result}");
        assert_eq!(error.code(Revision::Legacy), -32603);
    }
}

#[tokio::test]
async fn tg_34_tg_37_nothing_is_filled_in_and_order_is_kept() {
    let contents = json!([
        { "uri": "other://z", "text": "" },
        { "uri": "test://a", "mimeType": "a/b", "blob": "AA==", "_meta": { "k": 1 } },
    ]);
    let result = read(json!({ "contents": contents, "_meta": { "r": 1 } })).await.unwrap();
    assert_eq!(result, json!({ "contents": contents, "_meta": { "r": 1 } }));
}

#[tokio::test]
async fn tg_35_blobs_pass_through_byte_for_byte() {
    use base64::{Engine, engine::general_purpose::STANDARD};
    let all: Vec<u8> = (0..=255).collect();
    for bytes in [&[][..], &[1], &[1, 2], &[1, 2, 3], &all, &vec![7; 1 << 20]] {
        let blob = STANDARD.encode(bytes);
        let entry = json!([{ "uri": "test://a", "blob": blob }]);
        let result = read(json!({ "contents": entry })).await.unwrap();
        assert_eq!(result["contents"][0]["blob"], blob);
    }
}

#[tokio::test]
async fn tg_36_empty_is_not_unknown() {
    assert_eq!(read(json!({ "contents": [] })).await.unwrap(), json!({ "contents": [] }));
    let registry = ResourceRegistry::register([]).unwrap();
    let error = registry.read("test://a", ReadContext::default()).await.unwrap_err();
    assert_eq!(error.code(Revision::Legacy), -32002);
    assert_eq!(error.code(Revision::Modern), -32602);
    assert_eq!(error.to_json(Revision::Modern)["data"]["uri"], "test://a");
    let server = ResourceServer::new(ServerOptions::new(vec![]).resources(vec![])).unwrap();
    for params in [json!({}), json!({ "uri": 1 }), json!(null)] {
        let error = server.read(&params, ReadContext::default()).await.unwrap_err();
        assert_eq!(error.code(Revision::Legacy), -32602);
    }
}

#[tokio::test]
async fn tg_38_result_metadata_is_kept() {
    let result = ReadResult::of([Content::text("test://a", "x").meta(json!({ "e": 1 }))]).meta(json!({ "r": 2 }));
    let converted = result.validate().unwrap();
    assert_eq!(converted["_meta"], json!({ "r": 2 }));
    assert_eq!(converted["contents"][0]["_meta"], json!({ "e": 1 }));
}

#[tokio::test]
async fn tg_39_converted_results_do_not_change_with_what_the_reader_holds() {
    let held = std::sync::Arc::new(std::sync::Mutex::new("one".to_owned()));
    let shared = held.clone();
    let made = ResourceDefinition::builder("test://a", "a")
        .reader(move |uri, _| Ok(ReadResult::of([Content::text(&uri, &shared.lock().unwrap())])))
        .build()
        .unwrap();
    let registry = ResourceRegistry::register([made]).unwrap();
    let first = registry.read("test://a", ReadContext::default()).await.unwrap();
    *held.lock().unwrap() = "two".to_owned();
    assert_eq!(first["contents"][0]["text"], "one");
    let second = registry.read("test://a", ReadContext::default()).await.unwrap();
    assert_eq!(second["contents"][0]["text"], "two");
}

#[tokio::test]
async fn tg_40_a_direct_read_is_not_validated() {
    let wrong = json!({ "contents": 7 });
    let result = wrong.clone();
    let made = ResourceDefinition::builder("no uri", "")
        .reader(move |_, _| Ok(ReadResult::raw(result.clone())))
        .build()
        .unwrap();
    let read = made.read("anything", ReadContext::default()).await.unwrap();
    assert_eq!(*read.as_json(), wrong);
    assert_eq!(made.reads(), 1);
}

#[tokio::test]
async fn tg_41_what_fails_inside_a_reader_stays_inside() {
    let made = ResourceDefinition::builder("test://a", "a")
        .reader(|_, context| match context.caller() {
            Some("panic") => panic!("secret panic"),
            Some(_) => Err(ReaderFailure("secret at /home/x".into())),
            None => Ok(ReadResult::of([])),
        })
        .build()
        .unwrap();
    let registry = ResourceRegistry::register([made]).unwrap();
    for caller in ["fail", "panic"] {
        let context = ReadContext::default().with_caller(caller);
        let error = registry.read("test://a", context).await.unwrap_err();
        let shown = error.to_json(Revision::Modern);
        assert_eq!(shown["code"], -32603);
        assert!(!shown.to_string().contains("secret"), "{shown}");
    }
    registry.read("test://a", ReadContext::default()).await.unwrap();
}

#[test]
fn a_definition_becomes_a_bridge_registration_in_wire_spelling() {
    let made = ResourceDefinition::builder("app://cart", "cart")
        .description("The cart")
        .mime_type("text/plain")
        .last_modified("2025-01-12")
        .icons(json!([{ "src": "https://x/i.png", "mimeType": "image/png" }]))
        .meta(json!({ "k": 1 }))
        .reader(reader)
        .build()
        .unwrap();
    let registration = Registration::of_definition(&made).unwrap();
    assert_eq!(
        registration.descriptor,
        json!({
            "uri": "app://cart",
            "name": "cart",
            "description": "The cart",
            "mime_type": "text/plain",
            "annotations": { "last_modified": "2025-01-12" },
            "icons": [{ "src": "https://x/i.png", "mime_type": "image/png" }],
        })
    );
    let nameless = definition("app://cart");
    assert!(matches!(Registration::of_definition(&nameless), Err(NotForTheBridge::Descriptor(_))));
}
