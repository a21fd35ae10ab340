//! The daemon itself, and the links it mints.

use super::fields::Shape;
use super::{ShapeError, Timestamp};
use crate::bootstrap::{Endpoint, Pin};
use serde_json::{Map, Value, json};
use std::net::IpAddr;

/// The result of `daemon.status`. The contract names `pinnedKeys` only (BRG-LNK-04); what else a daemon tells is kept
/// in `more`.
#[derive(Clone, Debug, PartialEq)]
pub struct DaemonStatus {
    /// The pins of the keys that the daemon's TLS certificate may have.
    pub pinned_keys: Vec<Pin>,
    /// All other keys, verbatim.
    pub more: Map<String, Value>,
}

impl DaemonStatus {
    /// Reads a status.
    ///
    /// # Errors
    /// `pinnedKeys` is no array of pins.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        let shape = Shape::of(value, "")?;
        let pins = shape.array("pinnedKeys")?.iter().map(|pin| pin.as_str().and_then(|text| Pin::parse(text).ok()));
        let pinned_keys = pins.collect::<Option<_>>();
        let mut more: Map<String, Value> = value.as_object().cloned().unwrap_or_default();
        more.shift_remove("pinnedKeys");
        Ok(Self { pinned_keys: pinned_keys.ok_or_else(|| shape.wrong("pinnedKeys", "`pinnedKeys` holds pins"))?, more })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let mut object = self.more.clone();
        object.insert("pinnedKeys".into(), self.pinned_keys.iter().map(Pin::to_string).collect());
        Value::Object(object)
    }
}

/// The result of `link.create`: `{sessionId, deepLinkPayload, endpoint: {family, address, port}, expiresAt, pin}`
/// (BRG-LNK-01). `family` is `ipv4` or `ipv6`; `expiresAt` is ISO 8601, as all times are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkCreated {
    /// The session that may be claimed.
    pub session_id: String,
    /// The payload of the link; it holds the token, so it is not to be shown anywhere else (BRG-SES-12).
    pub deep_link_payload: String,
    /// Where the daemon listens.
    pub endpoint: Endpoint,
    /// When the link ends, to the second.
    pub expires_at: Timestamp,
    /// The pin of the daemon's key.
    pub pin: Pin,
}

impl LinkCreated {
    /// Reads a result. `family` may be spelled `ipv4`, `IPv4` or `4` (6 likewise) and `expiresAt` as unix seconds too:
    /// the contract gives neither a form.
    ///
    /// # Errors
    /// A part is missing or has the wrong type, or the family is not the address's.
    pub fn decode(value: &Value) -> Result<Self, ShapeError> {
        let shape = Shape::of(value, "")?;
        let pin = Pin::parse(&shape.text("pin")?);
        Ok(Self {
            session_id: shape.text("sessionId")?,
            deep_link_payload: shape.text("deepLinkPayload")?,
            endpoint: endpoint(&Shape::of(shape.required("endpoint")?, "/endpoint")?)?,
            expires_at: shape.time("expiresAt")?,
            pin: pin.map_err(|_| shape.wrong("pin", "`pin` is `sha256/` and base64"))?,
        })
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let address = self.endpoint.address();
        json!({
            "sessionId": self.session_id,
            "deepLinkPayload": self.deep_link_payload,
            "endpoint": {
                "family": family(address),
                "address": address.to_string(),
                "port": self.endpoint.port(),
            },
            "expiresAt": self.expires_at.to_json(),
            "pin": self.pin.to_string(),
        })
    }
}

fn endpoint(shape: &Shape<'_>) -> Result<Endpoint, ShapeError> {
    let address: Option<IpAddr> = shape.text("address")?.parse().ok();
    let address = address.ok_or_else(|| shape.wrong("address", "`address` is an IP address"))?;
    let said = match shape.required("family")? {
        Value::String(text) => text.to_ascii_lowercase(),
        Value::Number(number) => format!("ipv{number}"),
        _ => String::new(),
    };
    if said != family(address) {
        return Err(shape.wrong("family", "`family` is the address's"));
    }
    let port = u16::try_from(shape.count("port")?).ok().and_then(|port| Endpoint::new(address, port).ok());
    port.ok_or_else(|| shape.wrong("port", "`port` is from 1 to 65535"))
}

fn family(address: IpAddr) -> &'static str {
    if address.is_ipv4() { "ipv4" } else { "ipv6" }
}
