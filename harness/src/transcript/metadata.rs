//! What the watchers need to know about a run besides its transcript.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What the engine knows and the wire does not say. Kept beside the transcript, so that it can be judged again later.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunMetadata {
    /// Id of this run: `<scenario>[@<each>]`. Watchers' check ids begin with it.
    pub run: String,
    /// Name of the target.
    pub target: String,
    /// URI scheme of exposed resources.
    pub scheme: String,
    /// Prefix of the bridge's own tools, without the underscore.
    pub prefix: String,
    /// What the target claims.
    pub features: BTreeSet<String>,
    /// Every MCP connection.
    pub clients: Vec<ClientMetadata>,
    /// Every app, by its actor's name.
    pub apps: BTreeMap<String, AppMetadata>,
    /// Tokens and resume tokens that were seen. They may travel on the app wire and in links only (BRG-SES-12).
    pub secrets: BTreeSet<String>,
    /// How each daemon process ended, oldest first.
    pub daemons: Vec<DaemonMetadata>,
    /// Names of events, tools and resources that begin with this are the engine's fences, not the scenario's.
    pub fence_prefix: String,
}

/// One MCP connection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientMetadata {
    /// Name of the actor.
    pub actor: String,
    /// Which of its connections, as in the transcript.
    pub connection: u32,
    /// Revision in force; `None` when the handshake did not get that far.
    pub revision: Option<String>,
    /// Name of the client profile.
    pub profile: String,
    /// Bytes were written that are no well-formed MCP on purpose: the client's side is not to be judged.
    pub raw: bool,
}

/// One app.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppMetadata {
    /// Its sessions, oldest first.
    pub sessions: Vec<String>,
    /// The aliases it was given, oldest first.
    pub aliases: Vec<String>,
}

/// The life of one daemon process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonMetadata {
    /// The scenario asked for its end.
    pub asked: bool,
    /// It was found dead although nobody had asked.
    pub died: bool,
}
