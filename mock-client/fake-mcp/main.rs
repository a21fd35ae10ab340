//! A small MCP server over stdio whose manners the first argument chooses. See [`Manners`] for what there is.

mod serve;

use serde_json::{Value, json};
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::process::{Command, ExitCode, Stdio};

/// How the server behaves. The argument is the name in the comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manners {
    /// `normal`: serves.
    Normal,
    /// `garbage`: one line of every forbidden kind before each answer.
    Garbage,
    /// `flood-bytes`: after the first line, bytes without a newline for ever.
    FloodBytes,
    /// `flood-lines`: after the first line, notifications for ever.
    FloodLines,
    /// `mute`: reads and never answers.
    Mute,
    /// `deaf`: never reads.
    Deaf,
    /// `stubborn`: ignores SIGTERM and the end of its input; says `notifications/ready` first.
    Stubborn,
    /// `polite`: ignores the end of its input, obeys SIGTERM.
    Polite,
    /// `dies`: on the first request, half an answer, then exit code 3.
    Dies,
    /// `other-type`: answers number ids with text and text ids with numbers.
    OtherType,
    /// `twice`: answers everything twice.
    Twice,
    /// `malformed`: answers with both result and error.
    Malformed,
    /// `parent`: leaves a child of its own in its group, and serves.
    Parent,
    /// `circular`: every page of the tools names the same next cursor.
    Circular,
    /// `endless`: every page of the tools names a new next cursor.
    Endless,
    /// `asks`: after the first line, asks for a ping and for roots, and repeats what it got as notifications.
    Asks,
    /// `noisy`: writes a lot to standard error before each answer.
    Noisy,
    /// `reads`: says how many bytes each read of its input brought.
    Reads,
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let manners = match name.as_str() {
        "normal" => Manners::Normal,
        "garbage" => Manners::Garbage,
        "flood-bytes" => Manners::FloodBytes,
        "flood-lines" => Manners::FloodLines,
        "mute" => Manners::Mute,
        "deaf" => Manners::Deaf,
        "stubborn" => Manners::Stubborn,
        "polite" => Manners::Polite,
        "dies" => Manners::Dies,
        "other-type" => Manners::OtherType,
        "twice" => Manners::Twice,
        "malformed" => Manners::Malformed,
        "parent" => Manners::Parent,
        "circular" => Manners::Circular,
        "endless" => Manners::Endless,
        "asks" => Manners::Asks,
        "noisy" => Manners::Noisy,
        "reads" => Manners::Reads,
        other => {
            eprintln!("no such manners: {other:?}");
            return ExitCode::from(64);
        }
    };
    // The client closing its end is how most tests end.
    let _ = run(manners);
    ExitCode::SUCCESS
}

fn run(manners: Manners) -> io::Result<()> {
    match manners {
        Manners::Deaf => forever(),
        Manners::Stubborn => return stubborn(),
        Manners::Reads => return reads(),
        Manners::Parent => {
            let me = std::env::current_exe()?;
            Command::new(me).arg("deaf").stdin(Stdio::null()).spawn()?;
        }
        _ => {}
    }
    let mut server = serve::Server::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match manners {
            Manners::Mute => continue,
            Manners::FloodBytes => loop {
                io::stdout().write_all(&[b'x'; 64 * 1024])?;
            },
            Manners::FloodLines => loop {
                say(&notification("notifications/flood", json!({ "text": "y".repeat(1_000) })))?;
            },
            Manners::Dies => {
                print!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"res");
                io::stdout().flush()?;
                std::process::exit(3);
            }
            Manners::Garbage => garbage()?,
            Manners::Noisy => noise(),
            _ => {}
        }
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            say(&json!({ "jsonrpc": "2.0", "error": { "code": -32700, "message": "no JSON" } }))?;
            continue;
        };
        for answer in server.handle(&message, manners) {
            say(&answer)?;
        }
    }
    if manners == Manners::Polite {
        forever();
    }
    Ok(())
}

fn say(message: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{message}")?;
    out.flush()
}

fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

fn garbage() -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(b"Listening on port 8080\n")?;
    out.write_all(b"\xff\xfe\n")?;
    out.write_all(b"\n")?;
    out.write_all(b"[]\n")?;
    out.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"method\":\"m\"}\n")?;
    out.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}\n")?;
    out.flush()
}

fn noise() {
    for number in 0..20_000 {
        eprintln!("line {number} {}", "z".repeat(100));
    }
    eprintln!("the last line");
}

fn reads() -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match io::stdin().lock().read(&mut buffer)? {
            0 => return Ok(()),
            bytes => say(&notification("notifications/read", json!({ "bytes": bytes })))?,
        }
    }
}

fn stubborn() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let terminate = tokio::signal::unix::SignalKind::terminate();
        let mut terminated = tokio::signal::unix::signal(terminate)?;
        say(&notification("notifications/ready", json!({})))?;
        loop {
            terminated.recv().await;
        }
    })
}

fn forever() -> ! {
    loop {
        std::thread::park();
    }
}
