//! A daemon in a task of the test, in a state folder of its own.

use super::app::App;
use super::operator::Operator;
use super::within;
use crate::shell::{ClockChoice, Console, Options, ShellError, StateDir, run_with};
use serde_json::Value;
use std::io::Write;
use tempfile::TempDir;
use tokio::io::{AsyncWriteExt as _, DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub struct Daemon {
    pub dir: StateDir,
    pub ready: Value,
    _root: TempDir,
    lines: DuplexStream,
    said: mpsc::UnboundedReceiver<Vec<u8>>,
    task: JoinHandle<Result<u8, ShellError>>,
}

impl Daemon {
    /// Starts one with a manual clock.
    pub async fn start() -> Self {
        Self::start_with(|_| {}).await
    }

    pub async fn start_with(edit: impl FnOnce(&mut Options)) -> Self {
        Self::try_start(tempfile::tempdir().unwrap(), edit).await.unwrap()
    }

    pub async fn try_start(root: TempDir, edit: impl FnOnce(&mut Options)) -> Result<Self, ShellError> {
        let dir = StateDir::at(root.path().join("state"));
        let mut options = Options { clock: ClockChoice::Manual, ..Options::new(dir.clone()) };
        edit(&mut options);
        let (lines, commands) = duplex(4096);
        let (out, mut said) = mpsc::unbounded_channel();
        let mut task = tokio::spawn(run_with(options, Console::new(Box::new(commands), Box::new(OutputChannel(out)))));
        tokio::select! {
            biased;
            Some(line) = within(said.recv()) => {
                let ready: Value = serde_json::from_slice(&line).unwrap();
                assert_eq!(ready["event"], "ready");
                Ok(Self { dir, ready, _root: root, lines, said, task })
            }
            ended = &mut task => Err(ended.unwrap().expect_err("it ended before it was ready")),
        }
    }

    pub fn port(&self) -> u16 {
        self.ready["wss_port"].as_u64().unwrap() as u16
    }

    pub async fn app(&self) -> App {
        App::connect(self.port()).await
    }

    pub async fn operator(&self) -> Operator {
        Operator::connect(&self.dir.control_socket()).await
    }

    /// A claimed app; gives its session id too.
    pub async fn claimed(&self) -> (App, String) {
        let (session_id, claim) = self.operator().await.claim().await;
        let mut app = self.app().await;
        app.send_text(&claim).await;
        assert_eq!(app.json().await["type"], "session_ack");
        (app, session_id)
    }

    pub async fn advance(&mut self, ms: u64) {
        self.say(&format!("advance {ms}")).await;
        let said: Value = serde_json::from_slice(&within(self.said.recv()).await.unwrap()).unwrap();
        assert_eq!(said, serde_json::json!({ "event": "advanced", "ms": ms }));
    }

    pub async fn say(&mut self, line: &str) {
        self.lines.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    /// Ends its standard input and gives its exit code.
    pub async fn stop(self) -> u8 {
        drop(self.lines);
        let code = within(self.task).await.unwrap().unwrap();
        assert!(!self.dir.control_socket().exists());
        assert!(!self.dir.pid_file().exists());
        code
    }

    /// Waits until it ends by itself.
    pub async fn ended(self) -> (u8, StateDir, TempDir) {
        (within(self.task).await.unwrap().unwrap(), self.dir, self._root)
    }
}

struct OutputChannel(mpsc::UnboundedSender<Vec<u8>>);

impl Write for OutputChannel {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _unread = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
