//! Whole command lines against a control socket that answers one thing.

use super::*;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread::JoinHandle;

struct Finished {
    code: u8,
    out: Vec<u8>,
    err: String,
}

impl Finished {
    fn envelope(&self) -> Value {
        let text = std::str::from_utf8(&self.out).unwrap();
        assert_eq!(text.matches('\n').count(), 1, "{text}");
        serde_json::from_str(text).unwrap()
    }
}

fn run_words(words: &[&str], state_dir: &Path) -> Finished {
    let mut args: Vec<OsString> = words.iter().map(OsString::from).collect();
    args.extend(["--state-dir".into(), state_dir.into()]);
    run_args(&args)
}

fn run_args(args: &[OsString]) -> Finished {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal { out: &mut out, err: &mut err, is_terminal: false };
    let code = run("iolite daemon", args, &mut terminal);
    Finished { code, out, err: String::from_utf8(err).unwrap() }
}

/// Answers one request with this result or error, and gives the request.
fn daemon(folder: &Path, answer: Value) -> JoinHandle<Value> {
    let listener = UnixListener::bind(folder.join("control.sock")).unwrap();
    std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut line = String::new();
        BufReader::new(&stream).read_line(&mut line).unwrap();
        let request: Value = serde_json::from_str(&line).unwrap();
        let mut message = json!({"jsonrpc": "2.0", "id": request["id"]});
        for (key, value) in answer.as_object().unwrap() {
            message[key] = value.clone();
        }
        writeln!(&stream, "{message}").unwrap();
        request
    })
}

fn exchange(words: &[&str], answer: Value) -> (Finished, Value) {
    let folder = tempfile::tempdir().unwrap();
    let daemon = daemon(folder.path(), answer);
    let run_args = run_words(words, folder.path());
    (run_args, daemon.join().unwrap())
}

#[test]
fn wrong_usage_is_64_with_the_envelope_where_json_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["nonsense"][..], &["read"], &["link", "--ttl", "0"], &["daemon", "walk"], &[]] {
        let plain = run_words(words, folder.path());
        assert_eq!((plain.code, plain.out.is_empty()), (64, true), "{words:?}");
        assert!(!plain.err.contains("panicked") && !plain.err.contains("error: error:"));
        let with_json = run_words(&[words, &["--json"]].concat(), folder.path());
        assert_eq!((with_json.code, with_json.err.as_str()), (64, ""), "{words:?}");
        let envelope = with_json.envelope();
        assert_eq!((&envelope["ok"], &envelope["error"]["type"]), (&json!(false), &json!("usage_error")));
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;
        let garbage = OsString::from_vec(vec![0xff, 0xfe]);
        assert_eq!(run_args(&[garbage, "--json".into()]).code, 64);
    }
}

#[test]
fn help_is_no_failure() {
    let help = run_args(&["--help".into()]);
    assert_eq!(help.code, 0);
    assert!(String::from_utf8(help.out).unwrap().contains("resources"));
}

#[test]
fn no_daemon_is_70() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["ls"][..], &["read", "x"], &["daemon", "status"], &["daemon", "stop"]] {
        let run_args = run_words(&[words, &["--json"]].concat(), folder.path());
        assert_eq!(run_args.code, 70, "{words:?}");
        assert_eq!(run_args.envelope()["error"]["type"], "daemon_unreachable");
    }
}

#[test]
fn a_result_stands_in_the_envelope_as_the_daemon_gave_it() {
    let resources = json!({"resources": [{"name": "cart", "policy": "allow"}]});
    let (run_args, request) = exchange(&["resources", "a", "--json"], json!({"result": resources}));
    assert_eq!(run_args.code, 0);
    let envelope = run_args.envelope();
    assert_eq!(envelope["ok"], true);
    assert_eq!(envelope["data"], resources);
    assert_eq!(envelope["meta"]["command"], "resources");
    assert_eq!(request["params"], json!({"selector": "a"}));
}

#[test]
fn failures_keep_their_type_and_have_their_exit_code() {
    for (kind, code) in [("no_session", 71), ("tool_timeout", 72), ("policy_denied", 77), ("invalid_request", 65)] {
        let error = json!({"error": {"code": -32000, "message": "m", "data": {"type": kind, "details": {"a": 1}}}});
        let (with_json, _) = exchange(&["invoke", "t", "--json"], error.clone());
        assert_eq!(with_json.code, code);
        assert_eq!(with_json.envelope()["error"], json!({"type": kind, "message": "m", "details": {"a": 1}}));
        let (plain, _) = exchange(&["invoke", "t"], error);
        assert_eq!((plain.code, plain.out.is_empty()), (code, true));
        assert_eq!(plain.err, format!("error: {kind}: m\ndetails: {{\"a\":1}}\n"));
    }
}

#[test]
fn read_prints_nothing_but_the_content() {
    let contents = json!({"result": {"contents": [{"text": "é\n"}, {"blob": "/wA="}], "readId": "r"}});
    let (run_args, request) = exchange(&["read", "a", "cart"], contents);
    assert_eq!((run_args.code, run_args.out), (0, b"\xc3\xa9\n\xff\0".to_vec()));
    assert_eq!(request["params"], json!({"selector": "a", "name": "cart", "caller": "cli"}));
}

#[test]
fn a_configuration_that_cannot_be_understood_is_65() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.json"), "{").unwrap();
    for words in [&["ls"][..], &["mcp"], &["daemon", "run"]] {
        let run_args = run_words(&[words, &["--json"]].concat(), folder.path());
        assert_eq!(run_args.code, 65, "{words:?}");
        assert_eq!(run_args.envelope()["error"]["type"], "validation_error");
    }
}

#[test]
fn keygen_makes_a_key_once() {
    let folder = tempfile::tempdir().unwrap();
    let first = run_words(&["keygen", "--json"], folder.path());
    assert_eq!(first.code, 0);
    let pin = first.envelope()["data"]["pin"].clone();
    assert!(pin.as_str().unwrap().starts_with("sha256/"));
    assert_eq!(run_words(&["keygen", "--json"], folder.path()).code, 64);
    let second = run_words(&["keygen", "--force", "--json"], folder.path());
    assert_ne!(second.envelope()["data"]["pin"], pin);
}
