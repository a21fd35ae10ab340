//! Putting calls and reads in flight: the checks, in the contract's order, then the frame (`BRG-TOL-07`, `-09`,
//! `-12`, `BRG-RES-06`, `BRG-RPC-03`, `-04`).

use super::completion::{Completion, depth};
use super::connections::RequestRef;
use super::in_flight::{AppRequest, PendingRequest, RequestKind};
use super::io::Timer;
use super::policy::{Decision, NO_CONSENT_CHANNEL};
use super::sessions::Serial;
use super::state::Core;
use crate::rules::{AuditLeak, CheckOrder, Doubled, InFlightRules, NO_REASON, OnLoss, Recipient, is_due};
use iolite_protocol::descriptor::{ResourceDescriptor, ToolDescriptor};
use iolite_protocol::event::EventKind;
use iolite_protocol::frame::{DaemonFrame, ResourceRead, ToolCall};
use iolite_protocol::rpc::{ResourcesRead, ToolsCall};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

impl Core {
    /// `tools.call`: params were checked; then selector, state, registry, policy, send.
    pub(super) fn tools_call(&mut self, origin: RequestRef, call: ToolsCall) {
        let selector = call.selector.as_deref();
        let Some(request) = self.app_request(RequestKind::Call, origin, selector, &call.name, call.caller) else {
            return;
        };
        let serial = request.session;
        let args = Value::Object(call.args);
        let request = AppRequest {
            args_sha256: self.rules.audit.calls_with_hash.then(|| match self.rules.wires.doubled {
                Doubled::FirstIsRecorded => self.args_hash(&call.name, &self.recorded_args().unwrap_or_default()),
                Doubled::Last | Doubled::FirstIsJudged => self.args_hash(&call.name, &args),
            }),
            leaked: (self.rules.audit.leak == AuditLeak::Arguments).then(|| args.clone()),
            ..request
        };
        let tool = self.sessions.get(serial).and_then(|session| session.tools.find(&call.name));
        let known = tool.is_some();
        let own_timeout = tool.and_then(ToolDescriptor::timeout_ms);
        let policy = &self.config.policy;
        let (alias, name) = match self.rules.wires.doubled {
            Doubled::FirstIsJudged => self.judged(&request.alias, &request.name),
            Doubled::Last | Doubled::FirstIsRecorded => (request.alias.clone(), request.name.clone()),
        };
        let decision = policy.of_call(&alias, &name, tool, &self.rules.policy);
        if let Err(completion) = self.admit(&request, known, decision) {
            if !self.rules.refusals.untold_calls {
                let data = json!({ "callId": "refused", "tool": request.name });
                let origin = request.origin.clone();
                self.emit_for_request(EventKind::ToolCallStarted, request.session, data, Some(&origin));
            }
            if matches!(completion, Completion::Denied(_)) && !self.rules.policy.deny_before_sending {
                self.send_denied(&request, &args);
            }
            return self.finish(request, completion, None);
        }
        let longest = self.rules.times.longest_deadline_ms;
        if call.timeout_ms.zip(longest).is_some_and(|(asked, longest)| asked.get() > longest) {
            let refused = Completion::invalid("the deadline is too far away".to_owned());
            return self.finish(request, refused, None);
        }
        let obeyed = own_timeout.filter(|_| self.rules.tools.obey_tool_timeout);
        let deadline = self.deadline_ms(RequestKind::Call, call.timeout_ms.map(Into::into), obeyed);
        let args = super::alterations::value(args, self.rules.tools.arguments);
        let draft = Draft { content: Content::Call(args), mime_type: None, deadline };
        self.send_to_app(request, draft);
    }

    /// `resources.read`: params were checked; then selector, state, registry, policy, send.
    pub(super) fn resources_read(&mut self, origin: RequestRef, read: ResourcesRead) {
        let selector = read.selector.as_deref();
        let Some(request) = self.app_request(RequestKind::Read, origin, selector, &read.name, read.caller) else {
            return;
        };
        let serial = request.session;
        let request = AppRequest {
            args_sha256: match self.rules.audit.reads_without_hash {
                true => None,
                false => Some(self.args_hash(&read.name, &json!({}))),
            },
            ..request
        };
        let session = self.sessions.get(serial);
        let found = session.and_then(|session| {
            let current = session.resources.find(&read.name);
            current.or_else(|| session.resources.find_removed(&read.name))
        });
        let found: Option<(String, Option<String>)> = found.map(|resource| {
            let mime_type = resource.mime_type().map(str::to_owned);
            (resource.uri().to_owned(), mime_type)
        });
        let decision = self.config.policy.of_read(&self.rules.policy);
        if let Err(completion) = self.admit(&request, found.is_some(), decision) {
            return self.finish(request, completion, None);
        }
        let kept = session_contents(self, serial, &read.name);
        if let Some(contents) = kept {
            let id = self.random_text(12);
            return self.finish(request, Completion::Success(contents), Some(&id));
        }
        if self.rules.foundation.invented_contents {
            let id = self.random_text(12);
            return self.finish(request, Completion::Success(json!([])), Some(&id));
        }
        let deadline = self.deadline_ms(RequestKind::Read, read.timeout_ms.map(Into::into), None);
        let (uri, mime_type) = found.unwrap_or_else(|| (format!("unregistered:{}", read.name), None));
        let uri = match self.rules.resources.descriptor_uri {
            true => uri,
            false => format!("cordierite://{}/{}", request.alias, read.name),
        };
        let draft = Draft { content: Content::Read(uri), mime_type, deadline };
        self.send_to_app(request, draft);
    }

    /// What is asked of which session. A caller that means none is answered here (`BRG-RPC-01`).
    fn app_request(
        &mut self,
        kind: RequestKind,
        origin: RequestRef,
        selector: Option<&str>,
        name: &str,
        caller: Option<String>,
    ) -> Option<AppRequest> {
        let serial = match self.select(selector) {
            Ok(serial) => serial,
            Err(error) => {
                self.answer(&origin, Err(error));
                return None;
            }
        };
        let session = self.sessions.get(serial)?;
        Some(AppRequest {
            kind,
            origin,
            session: serial,
            session_id: session.id.clone(),
            alias: session.alias.clone(),
            name: name.to_owned(),
            args_sha256: None,
            leaked: None,
            caller: caller.unwrap_or_else(|| "rpc".to_owned()),
            started: self.now,
        })
    }

    /// Lower-case hex SHA-256 of the arguments' JSON text, members in the order they came.
    fn args_hash(&self, name: &str, args: &Value) -> String {
        let rules = &self.rules.audit;
        let text = match (rules.true_hash, rules.hash_without_tool) {
            (true, true) => args.to_string(),
            (true, false) => format!("{name}{args}"),
            (false, _) => String::new(),
        };
        Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the request may go out: what the session, the registry and the policy say to it.
    fn admit(&mut self, request: &AppRequest, known: bool, decision: Decision) -> Result<(), Completion> {
        let (foundation, policy) = (&self.rules.foundation, &self.rules.policy);
        let (count, failing, exempt) = match request.kind {
            RequestKind::Call => (&mut self.counts.calls, foundation.failing_calls, policy.exempt_caller),
            RequestKind::Read => (&mut self.counts.reads, foundation.failing_reads, policy.exempt_reader),
        };
        *count += 1;
        if is_due(failing, *count) {
            return Err(Completion::failed("internal_error", NO_REASON.to_owned()));
        }
        let decision = match exempt == Some(request.caller.as_str()) {
            true => Decision::Allow,
            false => decision,
        };
        for check in checks(self.rules.rpc.order) {
            match check {
                Check::State => self.check_state(request)?,
                Check::Registry => self.check_registry(request, known)?,
                Check::Policy => self.check_policy(request, decision)?,
            }
        }
        Ok(())
    }

    fn check_state(&self, request: &AppRequest) -> Result<(), Completion> {
        let rules = self.in_flight_rules(request.kind);
        let active = self.sessions.get(request.session).is_some_and(|session| session.is_active());
        match active || !rules.refuse_suspended {
            true => Ok(()),
            false => Err(Completion::failed(
                rules.suspended_type,
                format!("{} is suspended: its app has no connection", request.alias),
            )),
        }
    }

    fn check_registry(&self, request: &AppRequest, known: bool) -> Result<(), Completion> {
        let rules = self.in_flight_rules(request.kind);
        let what = match request.kind {
            RequestKind::Call => "tool",
            RequestKind::Read => "resource",
        };
        match known || !rules.refuse_unknown {
            true => Ok(()),
            false => Err(Completion::failed(
                rules.unknown_type,
                format!("{} has no {what} {:?}", request.alias, request.name),
            )),
        }
    }

    fn check_policy(&self, request: &AppRequest, decision: Decision) -> Result<(), Completion> {
        let what = format!("{}/{}", request.alias, request.name);
        match decision {
            Decision::Allow => Ok(()),
            Decision::Prompt if !self.rules.policy.prompt_denies => Ok(()),
            Decision::Prompt if self.rules.policy.prompt_reason => Err(Completion::Denied(Some(format!(
                "{what} needs consent, and nobody can be asked: {NO_CONSENT_CHANNEL}"
            )))),
            Decision::Prompt | Decision::Deny => Err(Completion::Denied(None)),
        }
    }

    /// A denied call reaches the app all the same. Only a bent rule table asks for it.
    fn send_denied(&mut self, request: &AppRequest, args: &Value) {
        let id = self.random_text(12);
        let draft = Draft { content: Content::Call(args.clone()), mime_type: None, deadline: 0 };
        if let Ok(text) = self.frame_text(request, request.session, &id, &draft) {
            self.send_to(request.session, text);
        }
    }

    /// Sends the frame and waits for the answer; a frame the protocol does not allow is refused (`BRG-CON-18`).
    fn send_to_app(&mut self, request: AppRequest, draft: Draft) {
        let rules = self.in_flight_rules(request.kind).clone();
        let target = match rules.recipient {
            Recipient::Owner => Some(request.session),
            Recipient::First => self.active().next(),
            Recipient::Last => self.active().next_back(),
        };
        let target = target.unwrap_or(request.session);
        if self.is_too_much(&request) {
            let refused = Completion::failed("internal_error", "too much is open".to_owned());
            return self.finish(request, refused, None);
        }
        let id = match (rules.fresh_id, self.rules.texts.call_ids) {
            (false, _) => format!("id-{}", request.name),
            (true, Some(number)) if request.kind == RequestKind::Call => {
                format!("id-{}", self.counts.calls % number.max(1))
            }
            (true, _) => self.random_text(12),
        };
        let text = match self.frame_text(&request, target, &id, &draft) {
            Ok(text) => text,
            Err(completion) => return self.finish(request, completion, None),
        };
        let serial = self.next_serial();
        if rules.keep_deadline {
            self.set_timer(Timer::Deadline(serial), draft.deadline);
        }
        if request.kind == RequestKind::Call {
            let data = json!({ "callId": id, "tool": request.name });
            let origin = request.origin.clone();
            self.emit_for_request(EventKind::ToolCallStarted, request.session, data, Some(&origin));
        }
        if rules.broadcast {
            self.broadcast(&request, target, &id, &draft);
        }
        let is_covered = |pending: &PendingRequest| {
            let equal = pending.request.kind == request.kind && pending.request.name == request.name;
            let other = pending.request.origin.connection != request.origin.connection;
            equal && (!rules.send_equal || (other && !rules.send_for_each_caller))
        };
        let all_are_sent = rules.send_equal && rules.send_for_each_caller;
        let is_lost = request.kind == RequestKind::Read && is_due(self.rules.foundation.lost_reads, self.counts.reads);
        let is_lost = is_lost || self.rules.texts.unsent_from.is_some_and(|from| text.len() >= from);
        let is_sent = !is_lost && (all_are_sent || !self.in_flight.of_target(target).any(is_covered));
        let times = match rules.send_once {
            _ if !is_sent => 0,
            true => 1,
            false => 2,
        };
        for _ in 0..times {
            self.send_to(target, text.clone());
        }
        let repeats = rules.on_loss == OnLoss::SendAgain || !rules.refuse_suspended;
        self.in_flight.insert(PendingRequest {
            serial,
            id,
            target,
            request,
            text: repeats.then_some(text),
            mime_type: draft.mime_type,
            progressed: false,
        });
    }

    /// Whether so much is open that a bent rule table takes no more.
    fn is_too_much(&self, request: &AppRequest) -> bool {
        let (most, open) = match request.kind {
            RequestKind::Call => (self.rules.texts.open_calls, self.in_flight.of_target(request.session).count()),
            RequestKind::Read => (self.rules.texts.open_reads, self.in_flight.len()),
        };
        most.is_some_and(|most| open >= most)
    }

    fn frame_text(
        &mut self,
        request: &AppRequest,
        target: Serial,
        id: &str,
        draft: &Draft,
    ) -> Result<String, Completion> {
        let session_id = match self.in_flight_rules(request.kind).own_session_id {
            true => self.sessions.get(target).map(|session| session.id.clone()).unwrap_or_default(),
            false => self.random_text(12),
        };
        let contract = &self.rules.contract;
        let frame = match &draft.content {
            Content::Call(args) => {
                // Deeper arguments make a frame that a reader of frames may refuse.
                if depth(args) >= contract.limits.json_depth {
                    return Err(Completion::invalid("the arguments are nested too deeply".to_owned()));
                }
                let args = args.as_object().cloned().unwrap_or_else(Map::new);
                ToolCall::new(&session_id, id, &request.name, args, contract).map(DaemonFrame::ToolCall)
            }
            Content::Read(uri) => {
                ResourceRead::new(&session_id, id, &request.name, uri, contract).map(DaemonFrame::ResourceRead)
            }
        };
        // A name or URI no frame may carry belongs to nothing registered.
        let frame = frame.map_err(|error| {
            let rules = self.in_flight_rules(request.kind);
            Completion::failed(rules.unknown_type, error.to_string())
        })?;
        let mut frame = frame.to_json();
        if request.kind == RequestKind::Read && !self.rules.resources.no_input {
            frame["args"] = json!({});
        }
        self.within_limit(frame.to_string())
    }

    fn broadcast(&mut self, request: &AppRequest, target: Serial, id: &str, draft: &Draft) {
        let others: Vec<Serial> =
            self.sessions.iter().map(|session| session.serial).filter(|serial| *serial != target).collect();
        for other in others {
            if let Ok(text) = self.frame_text(request, other, id, draft) {
                self.send_to(other, text);
            }
        }
    }

    /// Reads a resource nobody asked for. Only a bent rule table wants that.
    pub(super) fn read_unasked(&mut self, serial: Serial, resource: &ResourceDescriptor) {
        let Some(session_id) = self.sessions.get(serial).map(|session| session.id.clone()) else {
            return;
        };
        let id = self.random_text(12);
        let contract = &self.rules.contract;
        let frame = ResourceRead::new(&session_id, &id, resource.name(), resource.uri(), contract);
        if let Ok(frame) = frame {
            self.send_to(serial, DaemonFrame::ResourceRead(frame).encode());
        }
    }

    /// Active sessions in claim order.
    fn active(&self) -> impl DoubleEndedIterator<Item = Serial> {
        self.sessions.iter().filter(|session| session.is_active()).map(|session| session.serial)
    }

    /// `timeoutMs`, else the tool's own, else the default, clamped (`BRG-TOL-09`, `BRG-RES-11`).
    fn deadline_ms(&self, kind: RequestKind, caller: Option<u64>, own: Option<u64>) -> u64 {
        let caller = caller.filter(|_| self.in_flight_rules(kind).obey_caller_timeout);
        let times = &self.rules.times;
        let caller = caller.map(|ms| times.caller_deadline.count(ms));
        let own = own.map(|ms| times.tool_deadline.count(ms));
        self.rules.contract.limits.deadline_ms(caller, own)
    }

    pub(super) fn in_flight_rules(&self, kind: RequestKind) -> &InFlightRules {
        match kind {
            RequestKind::Call => &self.rules.tools.in_flight,
            RequestKind::Read => &self.rules.resources.in_flight,
        }
    }
}

fn session_contents(core: &Core, serial: Serial, name: &str) -> Option<Value> {
    core.sessions.get(serial)?.kept_contents.get(name).cloned()
}

/// What is to be sent.
struct Draft {
    content: Content,
    mime_type: Option<String>,
    deadline: u64,
}

enum Content {
    /// The arguments.
    Call(Value),
    /// The URI.
    Read(String),
}

#[derive(Clone, Copy)]
enum Check {
    State,
    Registry,
    Policy,
}

fn checks(order: CheckOrder) -> [Check; 3] {
    match order {
        CheckOrder::StateRegistryPolicy => [Check::State, Check::Registry, Check::Policy],
        CheckOrder::RegistryStatePolicy => [Check::Registry, Check::State, Check::Policy],
        CheckOrder::StatePolicyRegistry => [Check::State, Check::Policy, Check::Registry],
        CheckOrder::PolicyStateRegistry => [Check::Policy, Check::State, Check::Registry],
    }
}
