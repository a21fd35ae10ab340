//! The parameters of each method, typed.
//!
//! A parameter that may be absent is not `null` instead (BRG-RPC-11). Parameters that the contract does not name are
//! tolerated, as keys of frames are.

use super::Method;
use super::invalid_param::InvalidParam;
use super::param_reader::ParamReader;
use crate::contract::{Contract, Rule};
use crate::event::EventKind;
use serde_json::{Map, Value, json};
use std::net::IpAddr;
use std::num::NonZeroU64;

/// A method together with its parameters.
#[derive(Clone, Debug, PartialEq)]
pub enum Params {
    /// `daemon.status`.
    DaemonStatus,
    /// `daemon.shutdown`.
    DaemonShutdown,
    /// `link.create`.
    LinkCreate(LinkCreate),
    /// `sessions.list`.
    SessionsList,
    /// `sessions.describe`.
    SessionsDescribe(Selected),
    /// `sessions.revoke`.
    SessionsRevoke(Selected),
    /// `tools.list`.
    ToolsList(Selected),
    /// `tools.call`.
    ToolsCall(ToolsCall),
    /// `tools.cancel`.
    ToolsCancel(ToolsCancel),
    /// `events.subscribe`.
    EventsSubscribe(EventsSubscribe),
    /// `events.since`.
    EventsSince(EventsSince),
    /// `resources.list`.
    ResourcesList(Selected),
    /// `resources.read`.
    ResourcesRead(ResourcesRead),
}

/// `{selector?}`: a session id or alias; absent means the only live session (BRG-RPC-01).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// Session id or alias.
    pub selector: Option<String>,
}

/// `{ttlSeconds?, addressOverride?}` (BRG-LNK-03).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkCreate {
    /// How long the link lives, in seconds; absent: as configured.
    pub ttl_seconds: Option<NonZeroU64>,
    /// The address to advertise; absent: as configured.
    pub address_override: Option<IpAddr>,
}

/// `{selector?, name, args?, timeoutMs?, caller?}`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolsCall {
    /// Session id or alias.
    pub selector: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments; absent ones are an empty object.
    pub args: Map<String, Value>,
    /// The caller's deadline, in milliseconds, before clamping (BRG-TOL-09).
    pub timeout_ms: Option<NonZeroU64>,
    /// Who calls, for the audit (BRG-AUD-01).
    pub caller: Option<String>,
}

/// `{callId, selector?, reason?}` (BRG-TOL-13, BRG-TOL-19).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolsCancel {
    /// Session id or alias.
    pub selector: Option<String>,
    /// The call.
    pub call_id: String,
    /// Why, as the app is told it.
    pub reason: Option<String>,
}

/// `{sessionSelector?, kinds?}` (BRG-RPC-06).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventsSubscribe {
    /// Session id or alias; absent: every session, and the daemon itself.
    pub session_selector: Option<String>,
    /// The kinds that are wanted; absent: all. An empty list wants none.
    pub kinds: Option<Vec<EventKind>>,
}

/// `{selector?, since?, kinds?, limit?}` (BRG-RPC-07).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventsSince {
    /// Session id or alias.
    pub selector: Option<String>,
    /// The cursor of the page before; absent or 0: from the oldest event kept.
    pub since: Option<u64>,
    /// The kinds that are wanted; absent: all. An empty list wants none.
    pub kinds: Option<Vec<EventKind>>,
    /// The most events to return; absent: all.
    pub limit: Option<NonZeroU64>,
}

/// `{selector?, name, timeoutMs?, caller?}` (BRG-RPC-03).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourcesRead {
    /// Session id or alias.
    pub selector: Option<String>,
    /// The resource's name.
    pub name: String,
    /// The caller's deadline, in milliseconds, before clamping (BRG-RES-11).
    pub timeout_ms: Option<NonZeroU64>,
    /// Who reads, for the audit (BRG-AUD-02).
    pub caller: Option<String>,
}

impl Params {
    /// Reads the parameters of `method`: an object, or nothing where every parameter may be absent.
    ///
    /// # Errors
    /// The first parameter of the wrong shape.
    ///
    /// ```
    /// use iolite_protocol::contract::Contract;
    /// use iolite_protocol::rpc::{Method, Params};
    ///
    /// let params = serde_json::json!({ "selector": null, "name": "cart" });
    /// let error = Params::decode(Method::ResourcesRead, Some(&params), &Contract::default()).unwrap_err();
    /// assert_eq!(error.parameter, "selector");
    /// ```
    pub fn decode(method: Method, params: Option<&Value>, contract: &Contract) -> Result<Self, InvalidParam> {
        let read = ParamReader::new(params, contract)?;
        Ok(match method {
            Method::DaemonStatus => Self::DaemonStatus,
            Method::DaemonShutdown => Self::DaemonShutdown,
            Method::LinkCreate => Self::LinkCreate(LinkCreate {
                ttl_seconds: read.positive("ttlSeconds", Rule::ParamTtlPositive)?,
                address_override: read.address("addressOverride")?,
            }),
            Method::SessionsList => Self::SessionsList,
            Method::SessionsDescribe => Self::SessionsDescribe(selected(&read)?),
            Method::SessionsRevoke => Self::SessionsRevoke(selected(&read)?),
            Method::ToolsList => Self::ToolsList(selected(&read)?),
            Method::ToolsCall => Self::ToolsCall(ToolsCall {
                selector: read.selector("selector")?,
                name: read.required_text("name", Rule::ParamNamePresent, Rule::ParamNameType)?,
                args: read.args()?,
                timeout_ms: read.positive("timeoutMs", Rule::ParamTimeoutPositive)?,
                caller: read.text("caller", Rule::ParamCallerType)?,
            }),
            Method::ToolsCancel => Self::ToolsCancel(ToolsCancel {
                selector: read.selector("selector")?,
                call_id: read.required_text("callId", Rule::ParamCallIdPresent, Rule::ParamCallIdType)?,
                reason: read.reason()?,
            }),
            Method::EventsSubscribe => Self::EventsSubscribe(EventsSubscribe {
                session_selector: read.selector("sessionSelector")?,
                kinds: read.kinds()?,
            }),
            Method::EventsSince => Self::EventsSince(EventsSince {
                selector: read.selector("selector")?,
                since: read.since()?,
                kinds: read.kinds()?,
                limit: read.positive("limit", Rule::ParamLimitPositive)?,
            }),
            Method::ResourcesList => Self::ResourcesList(selected(&read)?),
            Method::ResourcesRead => Self::ResourcesRead(ResourcesRead {
                selector: read.selector("selector")?,
                name: read.required_text("name", Rule::ParamNamePresent, Rule::ParamNameType)?,
                timeout_ms: read.positive("timeoutMs", Rule::ParamTimeoutPositive)?,
                caller: read.text("caller", Rule::ParamCallerType)?,
            }),
        })
    }

    /// The method.
    pub fn method(&self) -> Method {
        match self {
            Self::DaemonStatus => Method::DaemonStatus,
            Self::DaemonShutdown => Method::DaemonShutdown,
            Self::LinkCreate(_) => Method::LinkCreate,
            Self::SessionsList => Method::SessionsList,
            Self::SessionsDescribe(_) => Method::SessionsDescribe,
            Self::SessionsRevoke(_) => Method::SessionsRevoke,
            Self::ToolsList(_) => Method::ToolsList,
            Self::ToolsCall(_) => Method::ToolsCall,
            Self::ToolsCancel(_) => Method::ToolsCancel,
            Self::EventsSubscribe(_) => Method::EventsSubscribe,
            Self::EventsSince(_) => Method::EventsSince,
            Self::ResourcesList(_) => Method::ResourcesList,
            Self::ResourcesRead(_) => Method::ResourcesRead,
        }
    }

    /// The wire form: an object, absent parameters left out.
    pub fn to_json(&self) -> Value {
        let pairs = match self {
            Self::DaemonStatus | Self::DaemonShutdown | Self::SessionsList => vec![],
            Self::LinkCreate(link) => vec![
                ("ttlSeconds", link.ttl_seconds.map(|seconds| json!(seconds))),
                ("addressOverride", link.address_override.map(|address| json!(address.to_string()))),
            ],
            Self::SessionsDescribe(selected)
            | Self::SessionsRevoke(selected)
            | Self::ToolsList(selected)
            | Self::ResourcesList(selected) => vec![("selector", text(&selected.selector))],
            Self::ToolsCall(call) => vec![
                ("selector", text(&call.selector)),
                ("name", Some(json!(call.name))),
                ("args", Some(Value::Object(call.args.clone()))),
                ("timeoutMs", call.timeout_ms.map(|milliseconds| json!(milliseconds))),
                ("caller", text(&call.caller)),
            ],
            Self::ToolsCancel(cancel) => vec![
                ("selector", text(&cancel.selector)),
                ("callId", Some(json!(cancel.call_id))),
                ("reason", text(&cancel.reason)),
            ],
            Self::EventsSubscribe(subscribe) => {
                vec![("sessionSelector", text(&subscribe.session_selector)), ("kinds", kinds(&subscribe.kinds))]
            }
            Self::EventsSince(since) => vec![
                ("selector", text(&since.selector)),
                ("since", since.since.map(|cursor| json!(cursor))),
                ("kinds", kinds(&since.kinds)),
                ("limit", since.limit.map(|limit| json!(limit))),
            ],
            Self::ResourcesRead(read) => vec![
                ("selector", text(&read.selector)),
                ("name", Some(json!(read.name))),
                ("timeoutMs", read.timeout_ms.map(|milliseconds| json!(milliseconds))),
                ("caller", text(&read.caller)),
            ],
        };
        pairs.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect()
    }
}

fn selected(read: &ParamReader<'_>) -> Result<Selected, InvalidParam> {
    Ok(Selected { selector: read.selector("selector")? })
}

fn text(text: &Option<String>) -> Option<Value> {
    text.as_deref().map(Value::from)
}

fn kinds(kinds: &Option<Vec<EventKind>>) -> Option<Value> {
    kinds.as_ref().map(|kinds| kinds.iter().map(|kind| kind.as_str()).collect())
}
