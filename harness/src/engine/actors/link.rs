//! Bootstrap links: minted by the daemon, read by our own decoder.

use crate::engine::stage::Stage;
use crate::engine::step_outcome::StepError;
use iolite_mock_app::tls::Pin;
use iolite_protocol::bootstrap;
use serde_json::{Map, Value, json};
use std::net::SocketAddr;

/// A link as an app holds it.
#[derive(Clone, Debug)]
pub(in crate::engine::actors) struct Link {
    /// The token as it stands in the claim frame.
    pub(in crate::engine::actors) token: String,
    /// The session id.
    pub(in crate::engine::actors) session_id: String,
    /// Where the daemon listens.
    pub(in crate::engine::actors) address: SocketAddr,
    /// The key it must show.
    pub(in crate::engine::actors) pin: Option<Pin>,
    minted: Map<String, Value>,
}

/// A freshly minted link: what the daemon answered, and `decoded` beside it.
pub(in crate::engine::actors) struct Minted;

impl Minted {
    /// Asks the daemon for a link on the harness's own connection (or in the target's own way).
    pub(in crate::engine::actors) async fn by(stage: &Stage) -> Result<Value, StepError> {
        let answer = match stage.link_command().await {
            None => stage.rpc("link.create", Some(json!({}))).await?,
            Some(command) => {
                let output = tokio::time::timeout_at(stage.pace().deadline(None), crate::target::run(&command, &[]));
                let output = output.await.map_err(|_| StepError::Unmet("the link command did not end".into()))?;
                let output = output.map_err(|error| StepError::Unmet(format!("the link command: {error}")))?;
                let printed: Value = serde_json::from_slice(&output.stdout)
                    .map_err(|error| StepError::Unmet(format!("the link command printed no JSON: {error}")))?;
                printed.get("data").cloned().unwrap_or(printed)
            }
        };
        if let Some(error) = answer.get("error") {
            return Err(StepError::Unmet(format!("the daemon minted no link: {error}")));
        }
        let minted = with_decoded(answer);
        if let Some(id) = minted.get("sessionId").and_then(Value::as_str) {
            stage.note_link(id);
        }
        Ok(minted)
    }
}

/// An answer to `link.create` with what our own decoder reads in its payload, or why it reads nothing.
pub(in crate::engine::actors) fn with_decoded(mut answer: Value) -> Value {
    let payload = answer.get("deepLinkPayload").and_then(Value::as_str).map(payload_of);
    if let (Some(payload), Some(members)) = (payload, answer.as_object_mut()) {
        match decoded(&payload) {
            Ok(decoded) => members.insert("decoded".into(), decoded),
            Err(why) => members.insert("undecodable".into(), why.into()),
        };
    }
    answer
}

impl Link {
    /// The link in the outcome of an operator's `link`, or in a bare payload.
    pub(in crate::engine::actors) fn read(value: &Value) -> Result<Self, StepError> {
        let (payload, pin, minted) = match value {
            Value::String(payload) => (payload_of(payload), None, Map::new()),
            Value::Object(members) => {
                // A command line may name it after the whole link that it is part of.
                let payload = members.get("deepLinkPayload").or_else(|| members.get("deepLink"));
                let Some(payload) = payload.and_then(Value::as_str) else {
                    return Err(StepError::Unmet(format!("there is no link in {value}")));
                };
                let pin = members.get("pin").and_then(Value::as_str);
                (payload_of(payload), pin.map(str::to_owned), members.clone())
            }
            other => {
                return Err(StepError::Broken(format!("a link is a payload or the outcome of `link`, not {other}")));
            }
        };
        let unreadable = |why: String| StepError::Unmet(format!("the daemon's link cannot be read: {why}"));
        let decoded = decoded(&payload).map_err(unreadable)?;
        let text = |pointer: &str| decoded.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
        let port = decoded.pointer("/endpoint/port").and_then(Value::as_u64).and_then(|port| u16::try_from(port).ok());
        let address = text("/endpoint/address").parse().map_err(|_| unreadable("its address".into()))?;
        let pin = match pin {
            Some(pin) => Some(pin.parse().map_err(|error| unreadable(format!("its pin {pin:?}: {error}")))?),
            None => None,
        };
        Ok(Self {
            token: text("/token"),
            session_id: text("/sessionId"),
            address: SocketAddr::new(address, port.unwrap_or_default()),
            pin,
            minted,
        })
    }

    /// What templates see.
    pub(in crate::engine::actors) fn to_json(&self) -> Value {
        let mut members = self.minted.clone();
        members.insert("session_id".into(), self.session_id.clone().into());
        members.insert("token".into(), self.token.clone().into());
        members.insert("address".into(), self.address.ip().to_string().into());
        members.insert("port".into(), self.address.port().into());
        Value::Object(members)
    }
}

fn decoded(payload: &str) -> Result<Value, String> {
    let link = bootstrap::Link::decode(payload).map_err(|error| error.to_string())?;
    let address = link.endpoint().address();
    Ok(json!({
        "sessionId": link.session_id(),
        "token": link.token_text(),
        "endpoint": {
            "family": if address.is_ipv4() { "ipv4" } else { "ipv6" },
            "address": address.to_string(),
            "port": link.endpoint().port(),
        },
        "expiresAt": link.expires_at(),
    }))
}

/// The payload itself, also when a whole deep link was given.
fn payload_of(text: &str) -> String {
    let query = text.split_once("cordierite=").map(|(_, rest)| rest.split('&').next().unwrap_or_default());
    query.unwrap_or(text).to_owned()
}
