//! Reading the parameters of a request one by one.

use super::invalid_param::InvalidParam;
use crate::clipped::clipped;
use crate::contract::{Contract, Rule, mend};
use crate::event::EventKind;
use crate::fields::{integer, kind_of};
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::num::NonZeroU64;

/// The parameters of a request, and the contract that they are read by.
pub(super) struct ParamReader<'a> {
    object: Option<&'a Map<String, Value>>,
    contract: &'a Contract,
}

impl<'a> ParamReader<'a> {
    pub(super) fn new(params: Option<&'a Value>, contract: &'a Contract) -> Result<Self, InvalidParam> {
        let reader = Self { object: params.and_then(Value::as_object), contract };
        match params {
            None | Some(Value::Object(_)) => (),
            Some(other) => reader.broken(Rule::ParamsObject, "params", format!("this is {}", kind_of(other)))?,
        }
        Ok(reader)
    }

    /// The value of `key`. `null` breaks a rule of its own; where that is waived, it counts as absent.
    fn any(&self, key: &str) -> Result<Option<&'a Value>, InvalidParam> {
        match self.object.and_then(|object| object.get(key)) {
            Some(Value::Null) => self.broken(Rule::ParamNull, key, "this is null".into()).map(|()| None),
            other => Ok(other),
        }
    }

    pub(super) fn text(&self, key: &str, rule: Rule) -> Result<Option<String>, InvalidParam> {
        match self.any(key)? {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => self.broken(rule, key, format!("this is {}", kind_of(other))).map(|()| None),
        }
    }

    pub(super) fn required_text(&self, key: &str, present: Rule, kind: Rule) -> Result<String, InvalidParam> {
        match self.object.and_then(|object| object.get(key)) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(other) => self.broken(kind, key, format!("this is {}", kind_of(other))).map(|()| other.to_string()),
            None => self.broken(present, key, "it is missing".into()).map(|()| String::new()),
        }
    }

    /// The `reason` of a cancellation: 1 to 4,096 characters (BRG-TOL-19).
    pub(super) fn reason(&self) -> Result<Option<String>, InvalidParam> {
        let Some(reason) = self.text("reason", Rule::ParamReasonType)? else {
            return Ok(None);
        };
        let length = reason.chars().count();
        if length == 0 || length > self.contract.limits.reason_max {
            self.broken(Rule::ParamReasonLength, "reason", format!("this has {length}"))?;
        }
        Ok(Some(reason))
    }

    pub(super) fn selector(&self, key: &str) -> Result<Option<String>, InvalidParam> {
        self.text(key, Rule::ParamSelectorType)
    }

    pub(super) fn positive(&self, key: &str, rule: Rule) -> Result<Option<NonZeroU64>, InvalidParam> {
        let Some(value) = self.any(key)? else {
            return Ok(None);
        };
        match integer(value).or_else(|| mend::number(value, &self.contract.mends)) {
            Some(number @ 1..) => Ok(Some(NonZeroU64::new(saturated(number)).unwrap_or(NonZeroU64::MAX))),
            _ => self.broken(rule, key, format!("this is {value}")).map(|()| None),
        }
    }

    pub(super) fn since(&self) -> Result<Option<u64>, InvalidParam> {
        let Some(value) = self.any("since")? else {
            return Ok(None);
        };
        match integer(value) {
            Some(number @ 0..) => Ok(Some(saturated(number))),
            _ => self.broken(Rule::ParamSinceType, "since", format!("this is {value}")).map(|()| None),
        }
    }

    pub(super) fn address(&self, key: &str) -> Result<Option<IpAddr>, InvalidParam> {
        let Some(value) = self.any(key)? else {
            return Ok(None);
        };
        let text = value.as_str();
        match text.and_then(|text| text.parse().ok().or_else(|| mend::address(text, &self.contract.mends))) {
            Some(address) => Ok(Some(address)),
            None => self.broken(Rule::ParamAddressOverride, key, format!("this is {value}")).map(|()| None),
        }
    }

    pub(super) fn args(&self) -> Result<Map<String, Value>, InvalidParam> {
        match self.object.and_then(|object| object.get("args")) {
            None => Ok(Map::new()),
            Some(Value::Object(args)) => Ok(args.clone()),
            Some(other) => {
                let found = format!("this is {}", kind_of(other));
                self.broken(Rule::ParamArgsObject, "args", found).map(|()| Map::new())
            }
        }
    }

    pub(super) fn kinds(&self) -> Result<Option<Vec<EventKind>>, InvalidParam> {
        let Some(value) = self.any("kinds")? else {
            return Ok(None);
        };
        let Some(items) = value.as_array().filter(|items| items.iter().all(Value::is_string)) else {
            return self.broken(Rule::ParamKindsType, "kinds", format!("this is {value}")).map(|()| None);
        };
        let mut kinds = Vec::with_capacity(items.len());
        for item in items {
            match item.as_str().and_then(EventKind::parse) {
                Some(kind) => kinds.push(kind),
                None => self.broken(Rule::ParamKindKnown, "kinds", format!("this holds {item}"))?,
            }
        }
        Ok(Some(kinds))
    }

    fn broken(&self, rule: Rule, parameter: &str, found: String) -> Result<(), InvalidParam> {
        if !self.contract.applies(rule) {
            return Ok(());
        }
        Err(InvalidParam {
            parameter: parameter.to_owned(),
            rule,
            why: format!("{}; {}", rule.explanation(), clipped(&found)),
        })
    }
}

fn saturated(number: i128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
