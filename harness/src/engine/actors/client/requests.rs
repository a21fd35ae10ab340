//! Everyday requests.

use super::Client;
use super::lane::{Lane, NoAnswer};
use crate::engine::step_context::StepContext;
use crate::engine::step_outcome::{StepOutcome, StepResult};
use iolite_mock_client::Outcome;
use iolite_mock_client::listing::Listed;
use iolite_mock_client::profile::Pages;
use iolite_mock_client::revision::Subscribing;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use tokio::time::Instant;

/// More pages than any list has.
const PAGES_MAX: usize = 1_000;

impl Client {
    /// Sends a request and gives its result, or `{"error": …}`.
    pub(super) async fn ask(&self, step: &StepContext<'_>, method: &str, params: Option<Value>) -> StepResult {
        let lane = self.lane()?;
        Ok(match lane.request(method, params, step.deadline).await {
            Ok(outcome) => StepOutcome::of(plain(outcome)),
            Err(why) => self.unanswered(&why),
        })
    }

    pub(super) async fn request(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let method = step.needed_text("method")?;
        let open = lane.start(&method, step.value("params")?, step.value("id")?, step.deadline).await;
        let answer = match open {
            Ok(open) => lane.finish(open, step.deadline).await,
            Err(why) => Err(why),
        };
        Ok(match answer {
            Ok(outcome) => StepOutcome::of(plain(outcome)),
            Err(why) => self.unanswered(&why),
        })
    }

    pub(super) async fn list_tools(&self, step: &StepContext<'_>) -> StepResult {
        if let Some(frozen) = self.state().frozen_tools.clone() {
            return Ok(StepOutcome::of(named(frozen, "tools", "name", "names")));
        }
        self.list(step, Listed::Tools, Some(("name", "names"))).await
    }

    pub(super) async fn list_resources(&self, step: &StepContext<'_>) -> StepResult {
        self.list(step, Listed::Resources, Some(("uri", "uris"))).await
    }

    pub(super) async fn list_templates(&self, step: &StepContext<'_>) -> StepResult {
        self.list(step, Listed::ResourceTemplates, None).await
    }

    pub(super) async fn read(&self, step: &StepContext<'_>) -> StepResult {
        let uri = step.needed("uri")?;
        self.ask(step, "resources/read", Some(json!({ "uri": uri }))).await
    }

    pub(super) async fn call(&self, step: &StepContext<'_>) -> StepResult {
        let lane = self.lane()?;
        let (tool, args) = (step.needed("tool")?, step.value("args")?.unwrap_or_else(|| json!({})));
        let answer = match lane.start_call(tool, Some(args), self.progress(step)?, step.deadline).await {
            Ok(open) => lane.finish(open, step.deadline).await,
            Err(why) => Err(why),
        };
        Ok(match answer {
            Ok(outcome) => StepOutcome::of(plain(outcome)),
            Err(why) => self.unanswered(&why),
        })
    }

    pub(super) async fn fallback_list(&self, step: &StepContext<'_>) -> StepResult {
        let tool = format!("{}_list_resources", step.stage.target().knobs.tool_prefix);
        let params = json!({ "name": tool, "arguments": {} });
        let mut result = self.ask(step, "tools/call", Some(params)).await?;
        let failed = result.outcome.get("isError").and_then(Value::as_bool) == Some(true);
        if let (false, Some(structured)) = (failed, result.outcome.get("structuredContent").cloned()) {
            result.outcome = named(structured, "resources", "uri", "uris");
        }
        Ok(result)
    }

    pub(super) async fn fallback_read(&self, step: &StepContext<'_>) -> StepResult {
        let tool = format!("{}_read", step.stage.target().knobs.tool_prefix);
        let params = json!({ "name": tool, "arguments": { "uri": step.needed("uri")? } });
        self.ask(step, "tools/call", Some(params)).await
    }

    pub(super) async fn subscribe(&self, step: &StepContext<'_>) -> StepResult {
        let uri = step.needed("uri")?;
        if self.revision.facts().subscribing == Subscribing::PerUri {
            return self.ask(step, "resources/subscribe", Some(json!({ "uri": uri }))).await;
        }
        let lane = self.lane()?;
        let filter = json!({ "resourceSubscriptions": [uri] });
        Ok(match self.listen(&lane, filter, step.deadline).await {
            Ok((id, outcome)) => {
                if outcome.get("error").is_none() {
                    self.state().streams.entry(key(&uri)).or_default().push(id);
                }
                StepOutcome::of(outcome)
            }
            Err(why) => self.unanswered(&why),
        })
    }

    pub(super) async fn unsubscribe(&self, step: &StepContext<'_>) -> StepResult {
        let uri = step.needed("uri")?;
        if self.revision.facts().subscribing == Subscribing::PerUri {
            return self.ask(step, "resources/unsubscribe", Some(json!({ "uri": uri }))).await;
        }
        let lane = self.lane()?;
        let streams = self.state().streams.remove(&key(&uri)).unwrap_or_default();
        for id in &streams {
            if let Err(why) = lane.cancel(id, None, step.deadline).await {
                return Ok(self.unanswered(&why));
            }
        }
        Ok(StepOutcome::of(json!({ "cancelled": streams })))
    }

    /// Opens a listen stream and waits for its acknowledgement: its id, and the accepted filter or the error.
    pub(super) async fn listen(
        &self,
        lane: &Lane,
        filter: Value,
        deadline: Instant,
    ) -> Result<(Value, Value), NoAnswer> {
        let after = lane.position();
        let open = lane.start("subscriptions/listen", Some(json!({ "notifications": filter })), None, deadline).await?;
        let id = open.id();
        let acknowledged = lane.wait(after, deadline, |heard| {
            heard.method == "notifications/subscriptions/acknowledged"
                && heard
                    .params
                    .as_ref()
                    .is_some_and(|params| params.pointer("/_meta/io.modelcontextprotocol~1subscriptionId") == Some(&id))
        });
        tokio::select! {
            biased;
            acknowledged = acknowledged => {
                let heard = acknowledged?;
                self.state().notification_log.take(heard.place);
                Ok((id.clone(), heard.params.unwrap_or_default()))
            }
            refused = lane.finish(open, deadline) => Ok((id.clone(), plain(refused?))),
        }
    }

    async fn list(&self, step: &StepContext<'_>, listed: Listed, names: Option<(&str, &str)>) -> StepResult {
        let lane = self.lane()?;
        let mut cursor = step.value("cursor")?;
        let one_page = cursor.is_some() || self.profile.pages == Pages::First;
        let mut seen = HashSet::new();
        let mut entries = Vec::new();
        let mut first = None;
        for _ in 0..PAGES_MAX {
            let params = cursor.take().map(|cursor| json!({ "cursor": cursor }));
            let page = match lane.request(listed.method(), params, step.deadline).await {
                Ok(Outcome::Result(page)) => page,
                Ok(refused) => return Ok(StepOutcome::of(plain(refused))),
                Err(why) => return Ok(self.unanswered(&why)),
            };
            let Some(items) = page.get(listed.member()).and_then(Value::as_array) else {
                return Ok(StepOutcome::violated(
                    format!("`{}` of {} is no list", listed.member(), listed.method()),
                    vec![page],
                ));
            };
            entries.extend(items.iter().cloned());
            let next = page.get("nextCursor").filter(|next| !next.is_null()).cloned();
            first.get_or_insert(page);
            match next {
                None => {
                    if let Some(first) = first.as_mut().and_then(Value::as_object_mut) {
                        first.shift_remove("nextCursor");
                    }
                    break;
                }
                Some(_) if one_page => break,
                Some(next) if !seen.insert(next.to_string()) => {
                    let why = format!("{} names the cursor {next} a second time", listed.method());
                    return Ok(StepOutcome::violated(why, Vec::new()));
                }
                Some(next) => cursor = Some(next),
            }
        }
        let mut page = first.unwrap_or_else(|| json!({}));
        page[listed.member()] = Value::Array(entries);
        Ok(StepOutcome::of(match names {
            Some((member, plural)) => named(page, listed.member(), member, plural),
            None => page,
        }))
    }
}

/// The result, or `{"error": …}`.
pub(super) fn plain(outcome: Outcome) -> Value {
    match outcome {
        Outcome::Result(result) => result,
        refused @ Outcome::Error { .. } => refused.to_json(),
    }
}

/// A list with one member of its entries beside it, which most expectations are about.
fn named(list: Value, entries: &str, member: &str, plural: &str) -> Value {
    let items = list.get(entries).and_then(Value::as_array);
    let names =
        items.map(|items| items.iter().map(|item| item.get(member).cloned().unwrap_or_default()).collect::<Value>());
    match (list, names) {
        (Value::Object(members), Some(names)) => {
            let mut all = Map::new();
            all.insert(plural.to_owned(), names);
            all.extend(members);
            Value::Object(all)
        }
        (list, _) => list,
    }
}

fn key(uri: &Value) -> String {
    uri.as_str().map_or_else(|| uri.to_string(), str::to_owned)
}
