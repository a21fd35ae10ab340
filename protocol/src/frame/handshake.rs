//! The first frame of a connection: claim or resume.

use super::{FrameError, envelope};
use crate::contract::{Contract, Rule};
use crate::fields::{Fields, check_text, integer};
use serde_json::{Map, Value, json};
use std::fmt;

/// What a connection may begin with (BRG-CON-03).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FirstFrame {
    /// `session_claim`.
    Claim(ClaimFrame),
    /// `session_resume`.
    Resume(ResumeFrame),
    /// Something else, which only a bent contract lets through; its `type`, if it has one.
    Ignored(Option<String>),
}

impl FirstFrame {
    pub(super) fn decode(text: &str, contract: &Contract) -> Result<Self, FrameError> {
        let object = envelope::object(text, contract)?;
        match envelope::type_of(&object) {
            Some(ClaimFrame::TYPE) => ClaimFrame::decode(&object, contract).map(Self::Claim),
            Some(ResumeFrame::TYPE) => ResumeFrame::decode(&object, contract).map(Self::Resume),
            _ if contract.applies(Rule::FirstFrameType) => {
                Err(envelope::wrong_type_name(Rule::FirstFrameType, &object))
            }
            other => Ok(Self::Ignored(other.map(str::to_owned))),
        }
    }

    /// The frame's text on the wire. An ignored frame has only its `type`.
    pub fn encode(&self) -> String {
        match self {
            Self::Claim(frame) => frame.to_json().to_string(),
            Self::Resume(frame) => frame.to_json().to_string(),
            Self::Ignored(kind) => json!({ "type": kind }).to_string(),
        }
    }
}

/// The device that an app says it runs on. Any of it may be absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Device {
    manufacturer: Option<String>,
    model: Option<String>,
    os: Option<String>,
}

impl Device {
    /// A device.
    ///
    /// # Errors
    /// One of the three is longer than 256 characters.
    pub fn new(manufacturer: Option<&str>, model: Option<&str>, os: Option<&str>) -> Result<Self, FrameError> {
        let limit = Contract::default().limits.device_field_max;
        for (text, rule, pointer) in [
            (manufacturer, Rule::ClaimDeviceManufacturerLength, "/device_manufacturer"),
            (model, Rule::ClaimDeviceModelLength, "/device_model"),
            (os, Rule::ClaimDeviceOsLength, "/device_os"),
        ] {
            check_text(text.unwrap_or_default(), rule, 0, limit, pointer)?;
        }
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Ok(Self { manufacturer: owned(manufacturer), model: owned(model), os: owned(os) })
    }

    /// Who made it.
    pub fn manufacturer(&self) -> Option<&str> {
        self.manufacturer.as_deref()
    }

    /// Which model it is; the alias is made of it (BRG-SES-05).
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Its operating system.
    pub fn os(&self) -> Option<&str> {
        self.os.as_deref()
    }

    /// As a session summary shows it: `{manufacturer?, model?, os?}`.
    pub fn to_json(&self) -> Value {
        self.parts().into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::from(text?)))).collect()
    }

    fn parts(&self) -> [(&'static str, Option<&str>); 3] {
        [("manufacturer", self.manufacturer()), ("model", self.model()), ("os", self.os())]
    }
}

/// `session_claim`: an app takes the session of a link (BRG-SES-01).
#[derive(Clone, PartialEq, Eq)]
pub struct ClaimFrame {
    session_id: String,
    token: String,
    device: Device,
}

impl ClaimFrame {
    /// The frame's `type`.
    pub const TYPE: &str = "session_claim";

    /// A claim.
    ///
    /// # Errors
    /// `session_id` or `token` is not 1 to 128 characters long.
    pub fn new(session_id: &str, token: &str, device: Device) -> Result<Self, FrameError> {
        let limits = Contract::default().limits;
        check_text(session_id, Rule::ClaimSessionIdLength, 1, limits.session_id_max, "/session_id")?;
        check_text(token, Rule::ClaimTokenLength, 1, limits.token_max, "/token")?;
        Ok(Self { session_id: session_id.to_owned(), token: token.to_owned(), device })
    }

    fn decode(object: &Map<String, Value>, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::new(object, "", contract, Rule::FirstFrameType);
        version(&fields, contract, Rule::ClaimVersionPresent, Rule::ClaimVersionValue)?;
        let session_id = fields.required_text("session_id", Rule::ClaimSessionIdPresent, Rule::ClaimSessionIdType)?;
        fields.length(&session_id, "session_id", Rule::ClaimSessionIdLength, 1, limits.session_id_max)?;
        let token = fields.required_text("token", Rule::ClaimTokenPresent, Rule::ClaimTokenType)?;
        fields.length(&token, "token", Rule::ClaimTokenLength, 1, limits.token_max)?;
        let part = |key: &str, kind: Rule, length: Rule| -> Result<Option<String>, FrameError> {
            let text = fields.optional_text(key, kind)?;
            fields.length(text.as_deref().unwrap_or_default(), key, length, 0, limits.device_field_max)?;
            Ok(text)
        };
        let device = Device {
            manufacturer: part(
                "device_manufacturer",
                Rule::ClaimDeviceManufacturerType,
                Rule::ClaimDeviceManufacturerLength,
            )?,
            model: part("device_model", Rule::ClaimDeviceModelType, Rule::ClaimDeviceModelLength)?,
            os: part("device_os", Rule::ClaimDeviceOsType, Rule::ClaimDeviceOsLength)?,
        };
        fields.nothing_else(&[
            "type",
            "protocol_version",
            "session_id",
            "token",
            "device_manufacturer",
            "device_model",
            "device_os",
        ])?;
        Ok(Self { session_id, token, device })
    }

    /// The session that is claimed.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The link's token. It is never shown anywhere (BRG-SES-12).
    pub fn token(&self) -> &str {
        &self.token
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "type": Self::TYPE,
            "protocol_version": Contract::default().limits.protocol_version,
            "session_id": self.session_id,
            "token": self.token,
        });
        for (key, text) in self.device.parts() {
            if let Some(text) = text {
                object[format!("device_{key}")] = text.into();
            }
        }
        object
    }
}

impl fmt::Debug for ClaimFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClaimFrame")
            .field("session_id", &self.session_id)
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

/// `session_resume`: an app comes back to its session (BRG-SES-08).
#[derive(Clone, PartialEq, Eq)]
pub struct ResumeFrame {
    session_id: String,
    resume_token: String,
}

impl ResumeFrame {
    /// The frame's `type`.
    pub const TYPE: &str = "session_resume";

    /// A resume.
    ///
    /// # Errors
    /// `session_id` or `resume_token` is not 1 to 128 characters long.
    pub fn new(session_id: &str, resume_token: &str) -> Result<Self, FrameError> {
        let limits = Contract::default().limits;
        check_text(session_id, Rule::ResumeSessionIdLength, 1, limits.session_id_max, "/session_id")?;
        check_text(resume_token, Rule::ResumeTokenLength, 1, limits.token_max, "/resume_token")?;
        Ok(Self { session_id: session_id.to_owned(), resume_token: resume_token.to_owned() })
    }

    fn decode(object: &Map<String, Value>, contract: &Contract) -> Result<Self, FrameError> {
        let limits = &contract.limits;
        let fields = Fields::new(object, "", contract, Rule::FirstFrameType);
        version(&fields, contract, Rule::ResumeVersionPresent, Rule::ResumeVersionValue)?;
        let session_id = fields.required_text("session_id", Rule::ResumeSessionIdPresent, Rule::ResumeSessionIdType)?;
        fields.length(&session_id, "session_id", Rule::ResumeSessionIdLength, 1, limits.session_id_max)?;
        let resume_token = fields.required_text("resume_token", Rule::ResumeTokenPresent, Rule::ResumeTokenType)?;
        fields.length(&resume_token, "resume_token", Rule::ResumeTokenLength, 1, limits.token_max)?;
        fields.nothing_else(&["type", "protocol_version", "session_id", "resume_token"])?;
        Ok(Self { session_id, resume_token })
    }

    /// The session that is resumed.
    pub fn session_id(&self) -> &str {
        &self.session_id
    }

    /// The token of the last ack. It is never shown anywhere (BRG-SES-12).
    pub fn resume_token(&self) -> &str {
        &self.resume_token
    }

    /// The wire form.
    pub fn to_json(&self) -> Value {
        json!({
            "type": Self::TYPE,
            "protocol_version": Contract::default().limits.protocol_version,
            "session_id": self.session_id,
            "resume_token": self.resume_token,
        })
    }
}

impl fmt::Debug for ResumeFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResumeFrame").field("session_id", &self.session_id).finish_non_exhaustive()
    }
}

fn version(fields: &Fields<'_>, contract: &Contract, present: Rule, right: Rule) -> Result<(), FrameError> {
    let Some(value) = fields.any("protocol_version") else {
        return fields.missing(present, "protocol_version");
    };
    if integer(value) != Some(i128::from(contract.limits.protocol_version)) {
        return fields.broken(right, "protocol_version", format!("this is {value}"));
    }
    Ok(())
}
