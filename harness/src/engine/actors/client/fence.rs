//! What a fence needs of a client.

use super::Client;
use super::lane::Heard;
use crate::engine::step_outcome::StepError;
use iolite_mock_client::Outcome;
use iolite_mock_client::revision::Subscribing;
use serde_json::{Value, json};
use tokio::time::Instant;

impl Client {
    /// Its name.
    pub(in crate::engine) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is connected and its handshake is over.
    pub(in crate::engine) fn is_ready(&self) -> bool {
        let ready = self.state().ready;
        let lane = self.lane_slot().clone();
        ready && lane.is_some_and(|lane| lane.process().is_none_or(|process| process.exit().is_none()))
    }

    /// Whether it hears of changes of a list: `tools` or `resources`.
    pub(in crate::engine) fn hears_changes(&self, list: &str) -> bool {
        let state = self.state();
        let declared = state
            .server
            .as_ref()
            .and_then(|server| server.pointer(&format!("/capabilities/{list}/listChanged"))?.as_bool());
        let asked = state.listens.get(format!("{list}ListChanged")).and_then(Value::as_bool).unwrap_or(false);
        state.ready && declared.unwrap_or(false) && (self.revision.facts().unasked_list_changes || asked)
    }

    /// Whether it can subscribe to resources.
    pub(in crate::engine) fn can_subscribe(&self) -> bool {
        let state = self.state();
        let server = state.server.as_ref();
        let subscribe = server.and_then(|server| server.pointer("/capabilities/resources/subscribe")?.as_bool());
        subscribe.unwrap_or(false)
    }

    /// The place behind everything that it has heard.
    pub(in crate::engine) fn position(&self) -> Result<u64, StepError> {
        Ok(self.lane()?.position())
    }

    /// A round trip through its server to the daemon and back.
    pub(in crate::engine) async fn round_trip(&self, deadline: Instant) -> Result<(), StepError> {
        let answer = self.lane()?.request("tools/list", None, deadline).await;
        answer.map(drop).map_err(|why| StepError::Unmet(why.to_string()))
    }

    /// Subscribes for a fence; what ends it again is given back.
    pub(in crate::engine) async fn fence_subscribe(&self, uri: &str, deadline: Instant) -> Result<Value, StepError> {
        let lane = self.lane()?;
        if self.revision.facts().subscribing == Subscribing::Listening {
            let filter = json!({ "resourceSubscriptions": [uri] });
            let listening = self.listen(&lane, filter, deadline).await;
            let (id, outcome) = listening.map_err(|why| StepError::Unmet(why.to_string()))?;
            return match outcome.get("error") {
                None => Ok(id),
                Some(error) => Err(StepError::Unmet(format!("the fence could not listen: {error}"))),
            };
        }
        match lane.request("resources/subscribe", Some(json!({ "uri": uri })), deadline).await {
            Ok(Outcome::Result(_)) => Ok(Value::Null),
            Ok(refused) => {
                Err(StepError::Unmet(format!("the fence could not subscribe to {uri}: {}", refused.to_json())))
            }
            Err(why) => Err(StepError::Unmet(why.to_string())),
        }
    }

    /// Ends a fence's subscription.
    pub(in crate::engine) async fn fence_unsubscribe(&self, uri: &str, handle: &Value, deadline: Instant) {
        let Ok(lane) = self.lane() else { return };
        // A fence that has done its work may fail to tidy up: the resource goes anyway.
        if handle.is_null() {
            let _ = lane.request("resources/unsubscribe", Some(json!({ "uri": uri })), deadline).await;
        } else {
            let _ = lane.cancel(handle, None, deadline).await;
        }
    }

    /// Waits for a notification behind a place that a fence must have made, and takes it out of the scenario.
    pub(in crate::engine) async fn fence_heard(
        &self,
        after: u64,
        deadline: Instant,
        wanted: impl Fn(&str, Option<&Value>) -> bool,
    ) -> Result<u64, StepError> {
        let lane = self.lane()?;
        let notification_log = self.state().notification_log.clone();
        let heard: Heard = lane
            .wait(after, deadline, |heard| {
                notification_log.is_from_scenario(heard.place) && wanted(&heard.method, heard.params.as_ref())
            })
            .await
            .map_err(|why| StepError::Unmet(why.to_string()))?;
        self.state().notification_log.claim(heard.place);
        Ok(heard.place)
    }
}
