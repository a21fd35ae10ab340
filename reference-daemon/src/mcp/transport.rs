//! Where the SDK meets the wire: lines are read into the [`Conversation`](super::conversation::Conversation), and what
//! it lets pass reaches the SDK as typed messages; the SDK's answers go back through it.

use super::request::INVALID_PARAMS;
use super::shared_conversation::SharedConversation;
use crate::rules::McpRules;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::future::{Future, ready};
use std::sync::Arc;
use tokio::io::{AsyncBufRead, AsyncBufReadExt};
use tokio::sync::mpsc;

/// The SDK's end of one connection.
pub struct SdkTransport {
    conversation: Arc<SharedConversation>,
    passed: mpsc::Receiver<ClientJsonRpcMessage>,
}

impl SdkTransport {
    /// The SDK's end of a connection whose requests come out of `passed`.
    pub fn new(conversation: Arc<SharedConversation>, passed: mpsc::Receiver<ClientJsonRpcMessage>) -> Self {
        Self { conversation, passed }
    }
}

impl Transport<RoleServer> for SdkTransport {
    type Error = Infallible;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let (id, outcome) = match item {
            JsonRpcMessage::Response(response) => (Some(response.id), as_json(&response.result)),
            JsonRpcMessage::Error(error) => (error.id, as_json(&error.error).and_then(Err)),
            // This server's own notifications do not go through the SDK, and it asks for nothing.
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => (None, Ok(Value::Null)),
        };
        if let Some(number) = id.and_then(number) {
            self.conversation.with(|conversation| conversation.answer(number, outcome));
        }
        ready(Ok(()))
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.passed.recv()
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.passed.close();
        Ok(())
    }
}

/// Reads lines until the input ends, is broken, or nobody takes what passes.
pub async fn read_lines(
    mut input: impl AsyncBufRead + Unpin,
    conversation: &SharedConversation,
    passed: mpsc::Sender<ClientJsonRpcMessage>,
    rules: &McpRules,
) {
    let mut line = Vec::new();
    let mut dropping = false;
    loop {
        let Ok(chunk) = input.fill_buf().await else {
            return;
        };
        if chunk.is_empty() {
            // What is left has no newline, so it is no message.
            return;
        }
        let newline = chunk.iter().position(|byte| *byte == b'\n');
        let used = newline.map_or(chunk.len(), |at| at + 1);
        if !dropping {
            line.extend_from_slice(&chunk[..newline.unwrap_or(used)]);
            if line.len() > rules.line_max {
                dropping = true;
                line = Vec::new();
                conversation.with(|conversation| conversation.line_too_long(rules.line_max));
            }
        }
        input.consume(used);
        if newline.is_none() && rules.lines_in_pieces {
            continue;
        }
        let dropped = std::mem::take(&mut dropping);
        if !dropped && !pass(&line, conversation, &passed).await {
            return;
        }
        line.clear();
    }
}

/// Passes one line on. False when the connection cannot go on.
async fn pass(line: &[u8], conversation: &SharedConversation, passed: &mpsc::Sender<ClientJsonRpcMessage>) -> bool {
    for message in conversation.with(|conversation| conversation.take_line(line)) {
        let number = message.get("id").and_then(Value::as_u64);
        match serde_json::from_value(message) {
            Ok(message) => {
                if passed.send(message).await.is_err() {
                    return false;
                }
            }
            Err(error) => {
                let error = json!({"code": INVALID_PARAMS, "message": error.to_string()});
                if let Some(number) = number {
                    conversation.with(|conversation| conversation.answer(number, Err(error)));
                }
            }
        }
    }
    !conversation.with(|conversation| conversation.is_broken())
}

/// The number the conversation gave a request.
pub fn number(id: RequestId) -> Option<u64> {
    match id {
        RequestId::Number(number) => u64::try_from(number).ok(),
        RequestId::String(_) => None,
    }
}

fn as_json(value: &impl serde::Serialize) -> Result<Value, Value> {
    serde_json::to_value(value)
        .map_err(|error| json!({"code": super::request::INTERNAL_ERROR, "message": error.to_string()}))
}
