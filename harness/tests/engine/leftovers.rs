//! Daemons that leave processes behind: they are told and ended, and nobody else is touched.

use super::{breaches, reference, run, scenario};
use iolite::engine::RunOptions;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

const STORY: &str = r#"
scenario: A daemon is asked how it is
requires: [BRG-RPC-01]
steps:
  - operator.rpc: { method: daemon.status, expect: { $type: object }, check: it answers }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_helper_in_another_session_is_told_and_ended() {
    let folder = tempfile::tempdir().unwrap();
    let id_file = folder.path().join("id");
    let mut target = (*reference()).clone();
    let script = format!(
        "setsid sh -c 'echo $$ > {0}; exec tail -f /dev/null' </dev/null >/dev/null 2>&1 &\n\
         while ! test -s {0}; do :; done\nexec \"$@\"",
        id_file.display()
    );
    target.daemon.command.splice(0..0, ["sh", "-c", &script, "sh"].map(str::to_owned));
    // Looks the same and belongs to somebody else.
    let mut stranger = Command::new("tail").args(["-f", "/dev/null"]).stdin(Stdio::null()).spawn().unwrap();
    let result = run(Arc::new(target), RunOptions::default(), vec![scenario("left", STORY)]).await;
    assert_eq!(breaches(&result), Vec::<String>::new());
    let [told] = result.left_behind.as_slice() else { panic!("{:?}", result.left_behind) };
    let id = std::fs::read_to_string(&id_file).unwrap();
    assert!(told.contains("left") && told.contains("tail -f") && told.contains(id.trim()), "{told}");
    let status = std::fs::read_to_string(Path::new("/proc").join(id.trim()).join("cmdline")).unwrap_or_default();
    assert!(status.is_empty(), "it is still there: {status}");
    assert!(stranger.try_wait().unwrap().is_none());
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_tidies_up_leaves_nothing_to_tell() {
    let result = run(reference(), RunOptions::default(), vec![scenario("left", STORY)]).await;
    assert_eq!(result.left_behind, Vec::<String>::new());
}
