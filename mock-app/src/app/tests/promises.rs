//! BRG-APP-01 to BRG-APP-05, on the wire.

use super::*;

fn short(frames: &[Value]) -> Vec<String> {
    frames
        .iter()
        .map(|frame| {
            let entry = frame.get("tool").or(frame.get("resource")).unwrap_or(frame);
            let part = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let kind = part(&frame["type"]);
            let kind = kind.trim_end_matches("_registry_delta");
            format!("{kind} {} {}", part(&frame["operation"]), part(&entry["name"]))
        })
        .collect()
}

/// BRG-APP-01
#[tokio::test]
async fn a_handle_removes_its_own_registration_only() {
    let mut pair = Pair::active(|_| ()).await;
    let old = pair.app.register_resource(resource("cart"));
    let mut other = resource("cart");
    other.descriptor["description"] = "another".into();
    let new = pair.app.register_resource(other);
    assert_eq!(short(&pair.sent_so_far().await), ["resource upsert cart", "resource upsert cart"]);
    assert!(matches!(
        &pair.app.take_warnings()[..],
        [Warning::Overwritten { kind: Kind::Resource, name }] if name == "cart"
    ));
    assert!(!old.remove());
    assert!(!old.set_enabled(false));
    assert!(pair.sent_so_far().await.is_empty());
    assert!(new.remove());
    assert!(!new.remove());
    assert_eq!(short(&pair.sent_so_far().await), ["resource remove cart"]);
    assert!(pair.app.take_warnings().is_empty());
}

/// BRG-APP-01
#[tokio::test]
async fn a_uri_that_moves_warns() {
    let mut pair = Pair::active(|app| {
        app.register_resource(resource("cart"));
    })
    .await;
    let mut basket = resource("basket");
    basket.descriptor["uri"] = "app://cart".into();
    pair.app.register_resource(basket);
    assert!(matches!(&pair.app.take_warnings()[..], [Warning::UriTaken { .. }]));
    assert_eq!(short(&pair.sent_so_far().await), ["resource remove cart", "resource upsert basket"]);
}

/// BRG-APP-02
#[tokio::test]
async fn switching_a_definition_is_one_delta() {
    let mut handle = None;
    let mut pair = Pair::active(|app| handle = Some(app.register_tool(tool("t").disabled()))).await;
    let handle = handle.unwrap();
    assert!(pair.app.listed(Kind::Tool).is_empty());
    for (enabled, expected) in [(true, &["tool upsert t"][..]), (true, &[]), (false, &["tool remove t"])] {
        assert!(handle.set_enabled(enabled));
        assert_eq!(short(&pair.sent_so_far().await), expected);
    }
}

/// BRG-APP-03
#[tokio::test]
async fn snapshots_follow_acknowledgements_and_deltas_lie_between() {
    let mut pair = Pair::active(|app| {
        app.register_tool(tool("t"));
        app.register_resource(resource("a"));
    })
    .await;
    assert!(pair.sent_so_far().await.is_empty());
    let b = pair.app.register_resource(resource("b"));
    assert_eq!(short(&pair.sent_so_far().await), ["resource upsert b"]);
    pair.app.register_resource(resource("b"));
    b.set_enabled(true);
    assert!(pair.sent_so_far().await.is_empty(), "nothing changed");

    pair.app.end(crate::socket::HowToEnd::Reset).await;
    pair.app.register_resource(resource("c"));
    pair.app.unregister(Kind::Resource, "a");
    pair.resume("token-2").await;
    let (tools, resources) = pair.read_snapshots().await;
    assert_eq!(tools, json!([tool("t").descriptor]));
    assert_eq!(resources, json!([resource("b").descriptor, resource("c").descriptor]));
    assert!(pair.sent_so_far().await.is_empty());
    pair.app.unregister_all();
    assert_eq!(short(&pair.sent_so_far().await), ["tool remove t", "resource remove b", "resource remove c"]);
}

/// BRG-APP-03, its opposite on demand.
#[tokio::test]
async fn an_app_can_hold_its_snapshots_back() {
    let app = App::new(AppConfig::named("phone"));
    app.set_announcing(false);
    app.register_tool(tool("t"));
    let daemon = FakeDaemon::start().await;
    let link = link(&daemon);
    let serve = async {
        let mut peer = daemon.accept().await;
        peer.read_json().await;
        peer.send_json(ack("token-1")).await;
        peer
    };
    let (acked, peer) = tokio::join!(app.claim(&link, Trust::AnyKey, soon()), serve);
    acked.unwrap();
    let mut pair = Pair { app, daemon, peer };
    pair.app.register_tool(tool("u"));
    assert!(pair.sent_so_far().await.is_empty());
    pair.app.announce();
    let (tools, _) = pair.read_snapshots().await;
    assert_eq!(tools.as_array().unwrap().len(), 2);
}

/// BRG-APP-04
#[tokio::test]
async fn the_inert_app_takes_everything_and_does_nothing() {
    let daemon = FakeDaemon::start().await;
    let app: &dyn AppApi = &NoopApp;
    let definition = crate::resource::ResourceDefinition::builder("app://a", "a")
        .description("d")
        .reader(|_, _| Ok(crate::resource::ReadResult::of([])))
        .build()
        .unwrap();
    let handles = [
        app.register_tool(tool("t")),
        app.register_resource(resource("r")),
        app.register_resource(Registration::of_definition(&definition).unwrap()),
    ];
    for handle in handles {
        assert!(!handle.set_enabled(false));
        assert!(!handle.remove());
    }
    let joined = app.join(&link(&daemon), Trust::AnyKey, soon()).await;
    assert_eq!(joined.unwrap(), Status::Inert);
    assert_eq!(app.rejoin(soon()).await.unwrap(), Status::Inert);
    app.leave().await;
    assert!(!app.post_event("e", None));
    assert!(app.take_warnings().is_empty());
    assert_eq!(app.status(), Status::Inert);
    assert_eq!(definition.reads(), 0);

    // The fence: had the inert app connected, its connection would come first.
    let live = App::new(AppConfig::named("phone"));
    let target = Target::of_link(&link(&daemon), Trust::AnyKey);
    let (opened, mut peer) = tokio::join!(live.open(target, soon()), daemon.accept());
    opened.unwrap().send_json(&json!("live")).await.unwrap();
    assert_eq!(peer.read_json().await, "live");
}

/// BRG-APP-04: the same calls on the live app.
#[tokio::test]
async fn the_live_app_serves_the_same_trait() {
    let app = App::new(AppConfig::named("phone"));
    let api: &dyn AppApi = &app;
    api.register_tool(tool("t"));
    assert_eq!(api.status(), Status::Idle);
    let daemon = FakeDaemon::start().await;
    let link = link(&daemon);
    let serve = async {
        let mut peer = daemon.accept().await;
        peer.read_json().await;
        peer.send_json(ack("token-1")).await;
        peer
    };
    let trust = Trust::Pinned(daemon.pin());
    let (joined, mut peer) = tokio::join!(api.join(&link, trust, soon()), serve);
    assert_eq!(joined.unwrap(), Status::Active);
    let leave = async {
        api.leave().await;
        assert_eq!(api.status(), Status::Connected, "until the daemon has closed, too");
    };
    let (_, (frames, close)) = tokio::join!(leave, peer.read_to_close());
    assert_eq!(frames.len(), 2);
    assert_eq!(close, 1000u16.to_be_bytes());
}

/// BRG-APP-05
#[tokio::test]
async fn events_are_dropped_with_a_warning_while_not_active() {
    let app = App::new(AppConfig::named("phone"));
    assert!(!app.post_event("early", None));
    assert_eq!(app.take_warnings(), [Warning::EventDropped { name: "early".into() }]);

    let mut pair = Pair::active(|_| ()).await;
    assert!(pair.app.post_event("tick", Some(json!(null))));
    assert!(pair.app.mark_stale("cart"));
    let sent = pair.sent_so_far().await;
    assert_eq!(sent[0]["type"], "event");
    assert_eq!(sent[0]["payload"], json!(null));
    assert!(sent[0]["ts"].is_u64());
    assert_eq!(sent[1]["name"], "resource_updated");
    assert_eq!(sent[1]["payload"], json!({ "name": "cart" }));

    pair.app.end(crate::socket::HowToEnd::Reset).await;
    assert!(!pair.app.post_event("late", None));
    assert_eq!(pair.app.take_warnings().len(), 1);
}
