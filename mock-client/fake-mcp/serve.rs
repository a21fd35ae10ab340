//! What the fake server answers.

use super::{Manners, notification};
use serde_json::{Value, json};

/// Its state: a counter of pages, and the calls that wait.
#[derive(Default)]
pub(super) struct Server {
    pages: u64,
    asked: bool,
    held: Vec<Value>,
}

impl Server {
    /// Everything that is said in answer to one message, in order.
    pub(super) fn handle(&mut self, message: &Value, manners: Manners) -> Vec<Value> {
        let mut said = Vec::new();
        if manners == Manners::Asks && !self.asked {
            self.asked = true;
            said.push(json!({ "jsonrpc": "2.0", "id": "p", "method": "ping" }));
            said.push(json!({ "jsonrpc": "2.0", "id": 900, "method": "roots/list" }));
        }
        let Some(method) = message.get("method").and_then(Value::as_str) else {
            said.push(notification("notifications/got", message.clone()));
            return said;
        };
        let params = message.get("params").cloned().unwrap_or_default();
        let Some(id) = message.get("id") else {
            if method == "notifications/cancelled" {
                said.push(notification("notifications/got_cancel", params));
            }
            return said;
        };
        let modern = params["_meta"].get("io.modelcontextprotocol/protocolVersion").is_some();
        match method {
            "tools/call" if params["name"] == "hold" => {
                self.held.push(id.clone());
                return said;
            }
            "tools/call" if params["name"] == "release" => {
                // Last in, first out: the answers come in another order than the calls.
                while let Some(held) = self.held.pop() {
                    said.push(respond(&held, Ok(text("held")), manners));
                }
            }
            "tools/call" if params["name"] == "progress" => {
                let token = &params["_meta"]["progressToken"];
                let progress = json!({ "progressToken": token, "progress": 1 });
                said.push(notification("notifications/progress", progress));
            }
            "resources/subscribe" => {
                let uri = json!({ "uri": params["uri"] });
                said.push(respond(id, Ok(json!({})), manners));
                said.push(notification("notifications/resources/updated", uri));
                return said;
            }
            "subscriptions/listen" => {
                let meta = json!({ "io.modelcontextprotocol/subscriptionId": id });
                let accepted = json!({ "notifications": params["notifications"], "_meta": meta });
                said.push(notification("notifications/subscriptions/acknowledged", accepted));
                let meta = json!({ "_meta": meta });
                said.push(notification("notifications/tools/list_changed", meta));
                return said;
            }
            _ => {}
        }
        let mut answer = self.answer(method, &params, manners);
        if let (true, Ok(Value::Object(result))) = (modern, &mut answer) {
            result.insert("resultType".into(), "complete".into());
            result.insert("ttlMs".into(), 60_000.into());
            result.insert("cacheScope".into(), "private".into());
        }
        said.push(respond(id, answer.clone(), manners));
        if manners == Manners::Twice {
            said.push(respond(id, answer, manners));
        }
        said
    }

    fn answer(&mut self, method: &str, params: &Value, manners: Manners) -> Result<Value, Value> {
        Ok(match method {
            "initialize" => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": { "tools": { "listChanged": true }, "resources": { "subscribe": true } },
                "serverInfo": { "name": "fake", "version": "0" },
            }),
            "server/discover" => json!({
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": { "listChanged": true } },
            }),
            "ping" => json!({}),
            "tools/list" => self.tools(params, manners),
            "resources/list" => json!({ "resources": [{ "uri": "app://a", "name": "a" }] }),
            "resources/templates/list" => json!({ "resourceTemplates": [] }),
            "resources/unsubscribe" => json!({}),
            "resources/read" if params["uri"] == "app://a" => {
                json!({ "contents": [{ "uri": "app://a", "text": "é\0" }] })
            }
            "resources/read" => {
                let data = json!({ "uri": params["uri"] });
                return Err(json!({ "code": -32002, "message": "not found", "data": data }));
            }
            "tools/call" => {
                let mut result = text("called");
                result["_meta"] = json!({ "params": params });
                result
            }
            other => return Err(json!({ "code": -32601, "message": format!("no {other}") })),
        })
    }

    /// Three pages, the second one behind the empty cursor.
    fn tools(&mut self, params: &Value, manners: Manners) -> Value {
        self.pages += 1;
        let tool = |name: &str| json!({ "name": name, "inputSchema": { "type": "object" } });
        let page = |name: &str, next: Option<String>| {
            let mut page = json!({ "tools": [tool(name)] });
            if let Some(next) = next {
                page["nextCursor"] = next.into();
            }
            page
        };
        match manners {
            Manners::Circular => page("again", Some("same".into())),
            Manners::Endless => page("more", Some(self.pages.to_string())),
            _ => match params.get("cursor").and_then(Value::as_str) {
                None => page("one", Some(String::new())),
                Some("") => page("two", Some("last".into())),
                Some(_) => page("three", None),
            },
        }
    }
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

fn respond(id: &Value, answer: Result<Value, Value>, manners: Manners) -> Value {
    let id = match (manners, id) {
        (Manners::OtherType, Value::String(text)) => serde_json::from_str(text).unwrap_or_default(),
        (Manners::OtherType, other) => other.to_string().into(),
        _ => id.clone(),
    };
    let mut message = json!({ "jsonrpc": "2.0", "id": id });
    match answer {
        Ok(result) => message["result"] = result,
        Err(error) => message["error"] = error,
    }
    if manners == Manners::Malformed {
        message["error"] = json!({ "code": 1, "message": "both" });
    }
    message
}
