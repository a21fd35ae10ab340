use super::*;

fn decode(text: &str) -> Result<Config, ConfigError> {
    Config::decode(text.as_bytes(), Path::new("config.json"))
}

fn message(text: &str) -> String {
    decode(text).unwrap_err().to_string()
}

#[test]
fn nothing_set_is_the_default() {
    assert_eq!(decode("{}").unwrap(), Config::default());
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(Config::load(&dir.path().join("config.json")).unwrap(), Config::default());
    assert!(matches!(Config::load(dir.path()), Err(ConfigError::Unreadable { .. })));
}

#[test]
fn every_key_is_read() {
    let config = decode(
        r#"{"wssPort":4433,"bindIp":"0.0.0.0","advertisedIp":"::1","graceSeconds":1,"keepaliveIntervalSeconds":2,
            "linkTtlSeconds":3,"eventBufferSize":4,"scheme":"my-app","toolPrefix":"br_1","uriScheme":"br",
            "policy":{"default":"deny","destructive":"prompt","resources":"allow","tools":{"a/b":"allow"}}}"#,
    )
    .unwrap();
    assert_eq!(
        config,
        Config {
            wss_port: 4433,
            bind_ip: Some(Ipv4Addr::UNSPECIFIED.into()),
            advertised_ip: Ipv6Addr::LOCALHOST.into(),
            grace_s: 1,
            keepalive_interval_s: 2,
            link_ttl_s: 3,
            event_buffer_size: 4,
            policy: PolicyConfig {
                default: Decision::Deny,
                destructive: Decision::Prompt,
                resources: Some(Decision::Allow),
                tools: BTreeMap::from([("a/b".to_owned(), Decision::Allow)]),
            },
            scheme: "my-app".to_owned(),
            tool_prefix: "br_1".to_owned(),
            uri_scheme: "br".to_owned(),
            page_size: None,
        }
    );
}

#[test]
fn the_listener_stays_local_unless_told_otherwise() {
    assert_eq!(Config::default().listen_ip(), IpAddr::from([127, 0, 0, 1]));
    assert_eq!(decode(r#"{"advertisedIp":"::1"}"#).unwrap().listen_ip(), IpAddr::from(Ipv6Addr::LOCALHOST));
    assert_eq!(decode(r#"{"advertisedIp":"10.1.2.3"}"#).unwrap().listen_ip(), IpAddr::from([0, 0, 0, 0]));
}

#[test]
fn mistakes_name_file_key_and_what_was_expected() {
    assert_eq!(
        message(r#"{"wssPort":65536}"#),
        "config.json: \"wssPort\" must be an integer from 0 to 65535, not 65536"
    );
    assert_eq!(
        message(r#"{"policy":{"tools":{"a/b":true}}}"#),
        "config.json: \"policy.tools.a/b\" must be \"allow\", \"deny\" or \"prompt\", not true"
    );
    assert_eq!(message("[]"), "config.json: \"\" must be an object, not []");
    assert!(message(r#"{"graceSecond":1}"#).contains("unknown key \"graceSecond\", did you mean \"graceSeconds\"?"));
    assert!(message(r#"{"policy":{"defualt":"deny"}}"#).contains("\"policy.defualt\", did you mean \"default\"?"));
    for wrong in ["1.5", "-1", "\"60\"", "null", "0"] {
        assert!(message(&format!("{{\"graceSeconds\":{wrong}}}")).contains("\"graceSeconds\" must be an integer"));
    }
    assert!(message(r#"{"advertisedIp":"localhost"}"#).contains("\"advertisedIp\" must be an IPv4"));
    assert!(message(r#"{"scheme":"My App"}"#).contains("\"scheme\" must be a URI scheme"));
    assert!(message("{\n  \"wssPort\": 1,\n  \"wssPort\": 2 }").starts_with("config.json:3:3: "));
}
