//! The daemon as the MCP server sees it: a view that is brought up to date before anything is answered from it.
//!
//! Events only mark what is out of date. Whoever needs the view asks the daemon for its sessions first: when that
//! answer is there, every event sent before it has been noted (see [`rpc_client`](crate::rpc_client)), so exactly what
//! changed is read again, and the client is told of what it can see of that before it gets its answer (`BRG-MCP-14`).

use super::call_tracker::CallTracker;
use super::changes::{Pending, tell};
use super::naming::Naming;
use super::shared_conversation::SharedConversation;
use super::view::{Session, View, read_resources, read_tools};
use crate::rpc_client::{Event, Observer, QUICK, ReconnectingClient, RpcClient, RpcClientError};
use crate::rules::Rules;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, watch};

/// The view of one daemon for one client, and how it is kept up to date.
pub struct DaemonView {
    rules: Arc<Rules>,
    naming: Arc<Naming>,
    connection: ReconnectingClient,
    events: Arc<EventSink>,
    conversation: Arc<SharedConversation>,
    view: Mutex<Arc<View>>,
    turn: tokio::sync::Mutex<()>,
}

impl DaemonView {
    /// A view of the daemon behind the control socket at `path`. It connects when first needed.
    pub fn new(path: &Path, rules: Arc<Rules>, naming: Arc<Naming>, conversation: Arc<SharedConversation>) -> Self {
        let events = Arc::new(EventSink {
            pending: Mutex::default(),
            dirty: Notify::new(),
            happened: watch::Sender::new(0),
            over: Mutex::default(),
            calls: Arc::new(CallTracker::new(rules.mcp.no_progress_after_answer)),
            conversation: Arc::clone(&conversation),
        });
        let connection = ReconnectingClient::new(path, EVENTS, Arc::clone(&events) as Arc<dyn Observer>);
        let connection = match rules.mcp.reconnect {
            true => connection,
            false => connection.without_reconnect(),
        };
        let conduct = &rules.mcp_conduct;
        let connection = connection.at_most(conduct.reconnects, conduct.event_subscriptions);
        let view = View::empty(Arc::clone(&rules), Arc::clone(&naming));
        Self {
            rules,
            naming,
            connection,
            events,
            conversation,
            view: Mutex::new(Arc::new(view)),
            turn: tokio::sync::Mutex::new(()),
        }
    }

    /// The calls open at the daemon.
    pub fn calls(&self) -> &Arc<CallTracker> {
        &self.events.calls
    }

    /// The connection to the daemon.
    ///
    /// # Errors
    ///
    /// The daemon is not there.
    pub async fn client(&self) -> Result<Arc<RpcClient>, RpcClientError> {
        self.connection.client().await
    }

    /// The view as it is now at the daemon, the client told of what changed.
    ///
    /// # Errors
    ///
    /// The daemon is not there, or does not answer.
    pub async fn current(&self) -> Result<Arc<View>, RpcClientError> {
        let _turn = self.turn.lock().await;
        let client = self.connection.client().await?;
        let before = std::mem::take(&mut *self.events.pending());
        let summaries = match client.call("sessions.list", json!({}), QUICK).await {
            Ok(summaries) => summaries,
            Err(error) => {
                self.events.pending().put_back(before);
                return Err(error);
            }
        };
        let mut pending = std::mem::take(&mut *self.events.pending());
        // What was noted meanwhile may have happened after the answer was given.
        let again = pending.again();
        pending.put_back(before);
        let old = self.view();
        if pending.is_empty() && *old.summaries() == summaries {
            return Ok(old);
        }
        match self.read(&client, &old, summaries, &pending).await {
            Ok(new) => {
                let new = Arc::new(new);
                *self.view.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&new);
                self.conversation.with(|conversation| {
                    tell(conversation, &old, &new, &pending, &self.naming, &self.rules);
                });
                if !again.is_empty() {
                    self.events.pending().put_back(again);
                    self.events.wake();
                }
                Ok(new)
            }
            Err(error) => {
                self.events.pending().put_back(pending);
                Err(error)
            }
        }
    }

    /// Brings the view up to date if anything is known to have changed, so that the client hears of it first. What
    /// cannot be read now is read later.
    pub async fn catch_up(&self) {
        // A refresh that is under way has taken the events already; what it finds is told before it ends.
        drop(self.turn.lock().await);
        if !self.events.pending().is_empty() {
            // Whoever needs the view learns of a failure; nobody does here.
            let _ = self.current().await;
        }
    }

    /// Keeps the view up to date and the connection standing for as long as it is polled.
    pub async fn maintain(&self) {
        let follow = async {
            loop {
                self.events.dirty.notified().await;
                self.catch_up().await;
            }
        };
        tokio::join!(follow, self.connection.maintain());
    }

    /// Ends the connection, which cancels its open calls at the daemon (`BRG-TOL-17`).
    pub async fn close(&self) {
        self.connection.close().await;
    }

    /// Counts everything that happens: events, and the daemon coming and going.
    pub fn happened(&self) -> watch::Receiver<u64> {
        self.events.happened.subscribe()
    }

    /// Whether the session, or the link that would have become one, is known to be over.
    pub fn is_over(&self, session: &str) -> bool {
        self.events.over().contains(session)
    }

    fn view(&self) -> Arc<View> {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&view)
    }

    async fn read(
        &self,
        client: &RpcClient,
        old: &View,
        summaries: Value,
        pending: &Pending,
    ) -> Result<View, RpcClientError> {
        let live: Vec<Summary> =
            entries(&summaries, "sessions").as_array().into_iter().flatten().filter_map(Summary::read).collect();
        let sessions = live.into_iter().map(|summary| async {
            match self.read_session(client, old, summary, pending).await {
                Ok(session) => Ok(Some(session)),
                // It ended between the two answers; the event that says so has been noted by now.
                Err(error) if error.error_type() == "unknown_session" => Ok(None),
                Err(error) => Err(error),
            }
        });
        let sessions: Result<Vec<_>, _> = join_all(sessions).await.into_iter().collect();
        Ok(View::new(
            Arc::clone(&self.rules),
            Arc::clone(&self.naming),
            summaries,
            sessions?.into_iter().flatten().collect(),
        ))
    }

    async fn read_session(
        &self,
        client: &RpcClient,
        old: &View,
        summary: Summary,
        pending: &Pending,
    ) -> Result<Session, RpcClientError> {
        let known = old.session(&summary.id).filter(|_| !pending.everything);
        let list = async |method: &str, key: &str| {
            let selector = json!({"selector": summary.id});
            let result = client.call(method, selector, QUICK).await?;
            Ok(entries(&result, key).clone())
        };
        let tools = async {
            match known.filter(|_| !pending.tools.contains(&summary.id)) {
                Some(known) => Ok(Arc::clone(&known.tools)),
                None => Ok(read_tools(&list("tools.list", "tools").await?, &self.rules)),
            }
        };
        let resources = async {
            match known.filter(|_| !pending.resources.contains(&summary.id)) {
                Some(known) => Ok(Arc::clone(&known.resources)),
                None => {
                    let entries = list("resources.list", "resources").await?;
                    Ok(read_resources(&entries, &self.rules))
                }
            }
        };
        let (tools, resources) = tokio::try_join!(tools, resources)?;
        Ok(Session {
            id: summary.id.clone(),
            alias: summary.alias.clone(),
            suspended: summary.suspended,
            tools,
            resources,
        })
    }
}

/// What happened at the daemon and is not shown yet.
struct EventSink {
    pending: Mutex<Pending>,
    dirty: Notify,
    happened: watch::Sender<u64>,
    over: Mutex<BTreeSet<String>>,
    calls: Arc<CallTracker>,
    conversation: Arc<SharedConversation>,
}

impl EventSink {
    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn over(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        self.dirty.notify_one();
        self.happened.send_modify(|count| *count += 1);
    }
}

impl Observer for EventSink {
    fn event(&self, event: Event) {
        if event.kind.starts_with("tool_call_") {
            if let Some(progress) = self.calls.note(&event) {
                self.conversation.with(|conversation| {
                    let message = progress.message.as_deref();
                    conversation.progress(progress.number, progress.value.as_ref(), message);
                });
            }
            return;
        }
        let ends = ["link_expired", "session_revoked", "session_expired"];
        if let (Some(session), true) = (&event.session_id, ends.contains(&event.kind.as_str())) {
            self.over().insert(session.clone());
        }
        self.pending().note(&event);
        self.wake();
    }

    fn connected(&self) {
        self.pending().everything = true;
        self.wake();
    }

    fn disconnected(&self) {
        self.happened.send_modify(|count| *count += 1);
    }
}

/// What the view needs to know of a session's summary.
struct Summary {
    id: String,
    alias: String,
    suspended: bool,
}

impl Summary {
    /// `None` for a session that is not live.
    fn read(summary: &Value) -> Option<Self> {
        let text = |key: &str| summary.get(key)?.as_str();
        let suspended = match text("state")? {
            "active" => false,
            "suspended" => true,
            _ => return None,
        };
        Some(Self { id: text("sessionId")?.to_owned(), alias: text("alias")?.to_owned(), suspended })
    }
}

/// A list result's entries: under their key, or bare.
fn entries<'a>(result: &'a Value, key: &str) -> &'a Value {
    result.get(key).unwrap_or(result)
}

/// Every kind this server listens to.
const EVENTS: &[&str] = &[
    "link_expired",
    "session_claimed",
    "session_suspended",
    "session_resumed",
    "session_revoked",
    "session_expired",
    "tools_changed",
    "resources_changed",
    "app_event",
    "tool_call_started",
    "tool_call_progress",
    "tool_call_finished",
];
