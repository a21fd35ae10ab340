//! The measuring mode: input that breaks exactly one rule takes effect as if that rule did not exist, and is then
//! refused as always. Input that breaks a second rule is refused and nothing more.
//!
//! A check that claims "nothing of it was served" must fail on such a daemon. Where it holds, the input was wrong in two
//! ways, and the check would not notice a daemon that lets the first of them pass.

use super::io::{ConnectionId, LogLevel, SocketId};
use super::lenient_json::read_as_meant;
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{Rules, SECOND_RULE, StrayAnswer};
use iolite_protocol::contract::{Area, Contract, Kind, Rule};
use iolite_protocol::frame::{AppFrame, ClaimFrame, FirstFrame, FrameError, ResumeFrame};
use iolite_protocol::rpc::RpcRequest;
use serde_json::{Value, json};

impl Core {
    /// A frame in a session broke a rule.
    pub(super) fn waive_in_session(&mut self, socket: SocketId, serial: Serial, text: &str, error: &FrameError) {
        if !self.rules.foundation.waives_one_rule {
            return;
        }
        let Some(id) = self.sessions.get(serial).map(|session| session.id.clone()) else {
            return;
        };
        if error.rule == Rule::HandshakeTypeInSession {
            return self.waive_first(socket, text, error);
        }
        let mut refusal = None;
        for (reading, contract) in self.attempts(text, error) {
            match AppFrame::decode_in_session(&reading, &id, &contract) {
                Ok(AppFrame::Ignored(_)) => {}
                Ok(frame) => return self.as_bent_for(error.rule, |core| core.take_frame(socket, serial, frame)),
                Err(second) => refusal = Some(second),
            }
        }
        self.log_second(error, refusal.as_ref());
    }

    /// The first frame of a socket broke a rule.
    pub(super) fn waive_first(&mut self, socket: SocketId, text: &str, error: &FrameError) {
        if !self.rules.foundation.waives_one_rule {
            return;
        }
        let mut refusal = None;
        for (reading, contract) in self.attempts(text, error) {
            match AppFrame::decode_first(&reading, &contract) {
                Ok(FirstFrame::Ignored(_)) => {}
                Ok(frame) => {
                    let frame = self.with_right_secrets(frame, error.rule);
                    return self.as_bent_for(error.rule, |core| core.take_first(socket, frame));
                }
                Err(second) => refusal = Some(second),
            }
        }
        // What only a session may say, said for one that lives.
        if let Some((serial, frame)) = self.frame_of_named_session(text) {
            return self.take_frame(socket, serial, frame);
        }
        self.log_second(error, refusal.as_ref());
    }

    /// A message broke a rule of the transport, and would say one of these if that rule did not exist.
    pub(super) fn waive_transport(&mut self, socket: SocketId, readings: &[String]) {
        let session = self.sockets.get(&socket).and_then(|found| found.session);
        // How long a message may be is a matter of the transport.
        let contract = self.rules.contract.clone().waive(Rule::FrameBytes);
        for text in readings {
            let id = session.and_then(|serial| Some((serial, self.sessions.get(serial)?.id.clone())));
            let refusal = match id {
                Some((serial, id)) => match AppFrame::decode_in_session(text, &id, &contract) {
                    Ok(frame) => return self.take_frame(socket, serial, frame),
                    Err(error) => error,
                },
                None => match AppFrame::decode_first(text, &contract) {
                    Ok(frame) => return self.take_first(socket, frame),
                    Err(error) => error,
                },
            };
            self.log(LogLevel::Warn, format!("{SECOND_RULE}: framing, then {} ({refusal})", refusal.rule));
        }
    }

    /// A line of an operator was refused. Whether it is served all the same.
    pub(super) fn waive_in_line(&mut self, connection: ConnectionId, line: &[u8]) -> bool {
        if !self.rules.foundation.waives_one_rule {
            return false;
        }
        let bent = Rule::ALL.iter().filter(|rule| rule.area() == Area::Params).map(|rule| (None, self.without(*rule)));
        let strict = line_readings(line).into_iter().map(|reading| (Some(reading), self.rules.contract.clone()));
        let request = bent.chain(strict).find_map(|(reading, contract)| {
            RpcRequest::decode(reading.as_deref().map_or(line, str::as_bytes), &contract).ok()
        });
        let Some(request) = request else {
            self.log(LogLevel::Warn, format!("{SECOND_RULE}: a line of an operator"));
            return false;
        };
        self.take_request(connection, request);
        true
    }

    /// The ways to read a text as if the rule that it breaks did not exist, each with what else it is judged by.
    fn attempts(&self, text: &str, error: &FrameError) -> Vec<(String, Contract)> {
        let strict = readings(text, error).into_iter().map(|reading| (reading, self.rules.contract.clone()));
        strict.chain([(text.to_owned(), self.without(error.rule))]).collect()
    }

    /// The contract without one rule. Where the decoder has to put something in the place of a missing or wrong value,
    /// what it puts there is not judged either.
    fn without(&self, rule: Rule) -> Contract {
        let contract = self.rules.contract.clone().waive(rule);
        if !matches!(rule.kind(), Kind::Present | Kind::Type) {
            return contract;
        }
        let follows =
            |other: &&Rule| other.area() == rule.area() && (rule.field().is_empty() || other.field() == rule.field());
        contract.waive_all(Rule::ALL.iter().filter(follows).copied())
    }

    /// Does something by a table in which what stands in the place of an id or a token fits.
    fn as_bent_for(&mut self, rule: Rule, act: impl FnOnce(&mut Self)) {
        let rules: Rules = self.rules.clone();
        match rule.field() {
            "id" => {
                self.rules.tools.in_flight.stray_answer = StrayAnswer::AnswerOldest;
                self.rules.resources.in_flight.stray_answer = StrayAnswer::AnswerOldest;
                self.rules.tools.progress_own_call = false;
                self.rules.tools.drop_late_progress = false;
            }
            "token" => self.rules.claim.check_token = false,
            "resume_token" => self.rules.session.check_resume_token = false,
            _ => {}
        }
        act(self);
        self.rules = rules;
    }

    /// A claim or resume whose session id is the wrong part of it gets one that fits.
    fn with_right_secrets(&self, frame: FirstFrame, rule: Rule) -> FirstFrame {
        if rule.field() != "session_id" {
            return frame;
        }
        let right = match &frame {
            FirstFrame::Claim(claim) => {
                let links = self.links.pending();
                let fitting = links.filter(|(_, link)| link.token == claim.token()).map(|(id, _)| id).next();
                let claim = fitting.and_then(|id| ClaimFrame::new(id, claim.token(), claim.device().clone()).ok());
                claim.map(FirstFrame::Claim)
            }
            FirstFrame::Resume(resume) => {
                let token = resume.resume_token();
                let fitting = self.sessions.iter().find(|session| session.resume_token == token);
                let resume = fitting.and_then(|session| ResumeFrame::new(&session.id, token).ok());
                resume.map(FirstFrame::Resume)
            }
            FirstFrame::Ignored(_) => None,
        };
        right.unwrap_or(frame)
    }

    fn frame_of_named_session(&self, text: &str) -> Option<(Serial, AppFrame)> {
        let frame: Value = serde_json::from_str(text).ok()?;
        let session = self.sessions.by_id(frame.get("session_id")?.as_str()?)?;
        let frame = AppFrame::decode_in_session(text, &session.id, &self.rules.contract).ok()?;
        Some((session.serial, frame))
    }

    fn log_second(&mut self, first: &FrameError, second: Option<&FrameError>) {
        let then = second.map_or("it says nothing".to_owned(), |second| format!("{} ({second})", second.rule));
        self.log(LogLevel::Warn, format!("{SECOND_RULE}: {}, then {then}", first.rule));
    }
}

/// What a text could have been meant to say, without the one mistake that it makes.
fn readings(text: &str, error: &FrameError) -> Vec<String> {
    if error.rule.area() == Area::Text {
        return read_as_meant(text).iter().map(Value::to_string).collect();
    }
    let Ok(frame) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    let candidates = match error.rule {
        Rule::MessageType => AppFrame::TYPES.iter().map(|kind| with(&frame, "/type", json!(kind))).collect(),
        Rule::FirstFrameType => FIRST_TYPES.iter().map(|kind| with(&frame, "/type", json!(kind))).collect(),
        rule if rule.field() == "operation" => {
            OPERATIONS.iter().map(|operation| with(&frame, "/operation", json!(operation))).collect()
        }
        rule if rule.kind() == Kind::Present => under_other_names(&frame, &error.pointer),
        rule if rule.kind() == Kind::Type => out_of_its_list(&frame, &error.pointer).into_iter().collect(),
        _ => Vec::new(),
    };
    candidates.iter().map(Value::to_string).collect()
}

/// The frame with another value at a place, there or not.
fn with(frame: &Value, pointer: &str, value: Value) -> Value {
    let mut frame = frame.clone();
    if let Some((parent, key)) = pointer.rsplit_once('/')
        && let Some(Value::Object(parent)) = frame.pointer_mut(parent)
    {
        parent.insert(key.to_owned(), value);
    }
    frame
}

/// The frame with each of the values beside the missing one in its place.
fn under_other_names(frame: &Value, pointer: &str) -> Vec<Value> {
    let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
    let Some(Value::Object(members)) = frame.pointer(parent) else {
        return Vec::new();
    };
    let others = members.iter().filter(|(key, _)| !["type", "session_id", "operation", "id"].contains(&key.as_str()));
    others.map(|(_, value)| with(frame, pointer, value.clone())).collect()
}

/// The frame with the one item of a list in the place of the list.
fn out_of_its_list(frame: &Value, pointer: &str) -> Option<Value> {
    match frame.pointer(pointer)?.as_array()?.as_slice() {
        [item] => Some(with(frame, pointer, item.clone())),
        _ => None,
    }
}

/// What a line could have been meant to say: as text, as JSON, as a request.
fn line_readings(line: &[u8]) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(line) else {
        return without_wrong_bytes(line);
    };
    match serde_json::from_str::<Value>(text) {
        Ok(request @ Value::Object(_)) => {
            let method = request.get("method").and_then(|method| method.get(0)).cloned().unwrap_or_default();
            let parts = [("/jsonrpc", json!("2.0")), ("/id", Value::Null), ("/method", method)];
            parts.into_iter().map(|(place, value)| with(&request, place, value).to_string()).collect()
        }
        _ => read_as_meant(text).iter().map(Value::to_string).collect(),
    }
}

/// What bytes say to readers who drop or replace what is no UTF-8.
pub(crate) fn without_wrong_bytes(bytes: &[u8]) -> Vec<String> {
    let dropped = bytes.utf8_chunks().map(|chunk| chunk.valid()).collect();
    vec![dropped, String::from_utf8_lossy(bytes).into_owned()]
}

const FIRST_TYPES: [&str; 2] = [ClaimFrame::TYPE, ResumeFrame::TYPE];

const OPERATIONS: [&str; 2] = ["upsert", "remove"];
