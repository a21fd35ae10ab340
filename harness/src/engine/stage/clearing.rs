//! Clearing up between the cases of a table.

use super::Stage;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::PoisonError;

impl Stage {
    /// Ends all sessions but these and discards all links minted here, so that the next case finds a daemon as the first
    /// one did.
    pub(in crate::engine) async fn clear(&self, kept: &BTreeSet<String>) -> Result<(), String> {
        if !self.is_running() {
            return Err("the daemon is not running".into());
        }
        let mut ours = std::mem::take(&mut *self.links.lock().unwrap_or_else(PoisonError::into_inner));
        ours.retain(|id| !kept.contains(id));
        // One round trip for both. A daemon that answers the list first shows what is about to go.
        let mut requests = revocations(&ours);
        requests.push(("sessions.list", Some(json!({}))));
        let left = others(self.ask_all(requests).await?, kept)?;
        if left.is_empty() {
            return Ok(());
        }
        // Claimed with links that were minted elsewhere, or listed too early.
        self.ask_all(revocations(&left)).await?;
        match others(self.ask_all(vec![("sessions.list", Some(json!({})))]).await?, kept)? {
            left if left.is_empty() => Ok(()),
            _ => Err("sessions were still listed after they had been revoked".into()),
        }
    }

    async fn ask_all(&self, requests: Vec<(&str, Option<Value>)>) -> Result<Vec<Value>, String> {
        self.rpc_together(requests, self.pace.deadline(None)).await.map_err(|error| error.to_string())
    }
}

/// Requests that end these sessions and links. One that is gone already is as good as revoked.
fn revocations(ids: &BTreeSet<String>) -> Vec<(&'static str, Option<Value>)> {
    ids.iter().map(|id| ("sessions.revoke", Some(json!({ "selector": id })))).collect()
}

/// The sessions that the last of these answers lists besides those that are to be.
fn others(answers: Vec<Value>, kept: &BTreeSet<String>) -> Result<BTreeSet<String>, String> {
    let listed = answers.into_iter().next_back().unwrap_or_default();
    let live = sessions(&listed).ok_or_else(|| format!("sessions.list gave {listed}"))?;
    if let Some(lost) = kept.iter().find(|id| !live.contains(*id)) {
        return Err(format!("session {lost}, which was to stay, is not listed any more"));
    }
    Ok(live.into_iter().filter(|id| !kept.contains(id)).collect())
}

fn sessions(listed: &Value) -> Option<BTreeSet<String>> {
    let sessions = listed.get("sessions").unwrap_or(listed).as_array()?;
    let id = |session: &Value| session.get("sessionId").and_then(Value::as_str).map(str::to_owned);
    sessions.iter().map(id).collect()
}
