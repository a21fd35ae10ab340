//! The operations, named as on a [`Session`](crate::session::Session).

use super::SdkClient;
use super::error::{SdkError, outcome_of};
use super::listener::ListenerLog;
use crate::listing::{ListError, Listed, Listing, PageWalker};
use crate::outcome::Outcome;
use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, ClientRequest, NumberOrString,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError, Subscription};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// A request the SDK has sent and whose answer nobody waits for yet.
pub struct SdkOpen {
    method: String,
    handle: RequestHandle<RoleClient>,
}

impl SdkOpen {
    /// Its id, chosen by the SDK.
    #[must_use]
    pub fn id(&self) -> Value {
        self.handle.id.clone().into_json_value()
    }

    /// Its progress token, chosen by the SDK.
    #[must_use]
    pub fn token(&self) -> Value {
        self.handle.progress_token.0.clone().into_json_value()
    }
}

/// An acknowledged `subscriptions/listen`. Its notifications go into the client's queue. Dropping it cancels it.
#[derive(Debug)]
pub struct SdkSubscription {
    /// The listen request's id.
    pub id: Value,
    /// The accepted filter.
    pub acknowledged: Value,
    cancel: oneshot::Sender<()>,
    ended: tokio::task::JoinHandle<Result<(), SdkError>>,
}

impl SdkSubscription {
    /// Cancels it, and waits until the SDK has said so to the server.
    ///
    /// # Errors
    ///
    /// What the SDK found wrong with the stream.
    pub async fn cancel(self) -> Result<(), SdkError> {
        // A subscription that has ended already has nobody to tell.
        let _ = self.cancel.send(());
        match self.ended.await {
            Ok(end) => end,
            Err(_) => Ok(()),
        }
    }
}

impl SdkClient {
    /// `tools/list`, all pages.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list_tools(&self) -> Result<Listing, ListError<SdkError>> {
        self.list(Listed::Tools).await
    }

    /// `resources/list`, all pages.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list_resources(&self) -> Result<Listing, ListError<SdkError>> {
        self.list(Listed::Resources).await
    }

    /// `resources/templates/list`, all pages.
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list_resource_templates(&self) -> Result<Listing, ListError<SdkError>> {
        self.list(Listed::ResourceTemplates).await
    }

    /// Any list, all pages: at most 1,000, and no cursor twice (the SDK's own loop has no such guard).
    ///
    /// # Errors
    ///
    /// [`ListError`]; it carries the pages that did come.
    pub async fn list(&self, listed: Listed) -> Result<Listing, ListError<SdkError>> {
        let mut follower = PageWalker::new(listed);
        let mut cursor = None;
        loop {
            let outcome = match self.list_page(listed, cursor).await {
                Ok(outcome) => outcome,
                Err(error) => return Err(follower.failed(error)),
            };
            match follower.page(outcome)? {
                Some(next) => cursor = Some(next),
                None => return Ok(follower.finish()),
            }
        }
    }

    /// One page of a list.
    ///
    /// # Errors
    ///
    /// [`SdkError`] when there is no answer the SDK understands.
    pub async fn list_page(&self, listed: Listed, cursor: Option<String>) -> Result<Outcome, SdkError> {
        let params = cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
        let peer = self.service.peer();
        let method = listed.method();
        match listed {
            Listed::Tools => self.patiently(method, peer.list_tools(params)).await,
            Listed::Resources => self.patiently(method, peer.list_resources(params)).await,
            Listed::Prompts => self.patiently(method, peer.list_prompts(params)).await,
            Listed::ResourceTemplates => {
                let page = peer.list_resource_templates(params);
                self.patiently(method, page).await
            }
        }
    }

    /// `resources/read`.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page).
    pub async fn read(&self, uri: &str) -> Result<Outcome, SdkError> {
        let params = ReadResourceRequestParams::new(uri);
        let reading = async {
            match self.service.peer().read_resource_once(params).await? {
                ReadResourceResponse::Complete(result) => json_of(result),
                ReadResourceResponse::InputRequired(result) => json_of(result),
                _ => Err(ServiceError::UnexpectedResponse),
            }
        };
        self.patiently("resources/read", reading).await
    }

    /// `resources/subscribe`.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page).
    pub async fn subscribe(&self, uri: &str) -> Result<Outcome, SdkError> {
        #[expect(deprecated, reason = "it is what this revision's clients call")]
        let subscribing = self.service.peer().subscribe(SubscribeRequestParams::new(uri));
        let empty = async { subscribing.await.map(|()| json!({})) };
        self.patiently("resources/subscribe", empty).await
    }

    /// `resources/unsubscribe`.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page).
    pub async fn unsubscribe(&self, uri: &str) -> Result<Outcome, SdkError> {
        #[expect(deprecated, reason = "it is what this revision's clients call")]
        let unsubscribing = self.service.peer().unsubscribe(UnsubscribeRequestParams::new(uri));
        let empty = async { unsubscribing.await.map(|()| json!({})) };
        self.patiently("resources/unsubscribe", empty).await
    }

    /// `subscriptions/listen`; returns once the server has acknowledged it.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page); [`SdkError::Inexpressible`] when `filter` is none.
    pub async fn listen(&self, filter: Value) -> Result<SdkSubscription, SdkError> {
        let filter: SubscriptionFilter =
            serde_json::from_value(filter).map_err(|error| SdkError::inexpressible("the filter", &error))?;
        let listening = self.service.peer().listen(filter);
        let operation = "subscriptions/listen";
        let subscription = match tokio::time::timeout(self.patience, listening).await {
            Ok(Ok(subscription)) => subscription,
            Ok(Err(error)) => return Err(refused(operation, error)),
            Err(_) => return Err(self.timed_out(operation)),
        };
        let (cancel, cancelled) = oneshot::channel();
        Ok(SdkSubscription {
            id: subscription.id().clone().into_json_value(),
            acknowledged: serde_json::to_value(subscription.acknowledged()).unwrap_or_default(),
            cancel,
            ended: tokio::spawn(forward(subscription, self.heard.clone(), cancelled)),
        })
    }

    /// `tools/call`. The SDK chooses a progress token of its own.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page); [`SdkError::Inexpressible`] when `arguments` is no object.
    pub async fn call(&self, tool: &str, arguments: Option<Value>) -> Result<Outcome, SdkError> {
        let mut params = CallToolRequestParams::new(tool.to_owned());
        if let Some(arguments) = arguments {
            let arguments =
                serde_json::from_value(arguments).map_err(|error| SdkError::inexpressible("the arguments", &error))?;
            params = params.with_arguments(arguments);
        }
        let calling = async {
            match self.service.peer().call_tool_once(params).await? {
                CallToolResponse::Complete(result) => json_of(result),
                CallToolResponse::InputRequired(result) => json_of(result),
                CallToolResponse::Task(result) => json_of(result),
                _ => Err(ServiceError::UnexpectedResponse),
            }
        };
        self.patiently("tools/call", calling).await
    }

    /// `ping`.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page).
    pub async fn ping(&self) -> Result<Outcome, SdkError> {
        self.request("ping", None).await
    }

    /// Any request the SDK can express.
    ///
    /// # Errors
    ///
    /// As for [`start`](Self::start) and [`finish`](Self::finish).
    pub async fn request(&self, method: &str, params: Option<Value>) -> Result<Outcome, SdkError> {
        let open = self.start(method, params).await?;
        self.finish(open).await
    }

    /// Sends any request the SDK can express; [`finish`](Self::finish) waits for its answer. The client's patience
    /// starts with `finish`.
    ///
    /// # Errors
    ///
    /// [`SdkError`] when it cannot be sent.
    pub async fn start(&self, method: &str, params: Option<Value>) -> Result<SdkOpen, SdkError> {
        let mut request = json!({ "method": method });
        if let (Some(params), Some(request)) = (params, request.as_object_mut()) {
            request.insert("params".into(), params);
        }
        let request: ClientRequest =
            serde_json::from_value(request).map_err(|error| SdkError::inexpressible("the request", &error))?;
        let options = PeerRequestOptions::with_timeout(self.patience);
        let sending = self.service.peer().send_cancellable_request(request, options);
        match tokio::time::timeout(self.patience, sending).await {
            Ok(Ok(handle)) => Ok(SdkOpen { method: method.into(), handle }),
            Ok(Err(error)) => Err(refused(method, error)),
            Err(_) => Err(self.timed_out(method)),
        }
    }

    /// Waits for the answer to an open request. When it does not come, the SDK cancels the request. An answer of another
    /// method's type passes here, other than in the operations with a name.
    ///
    /// # Errors
    ///
    /// As for [`list_page`](Self::list_page).
    pub async fn finish(&self, open: SdkOpen) -> Result<Outcome, SdkError> {
        match open.handle.await_response().await {
            Ok(result) => result_of(&open.method, &result),
            Err(error) => outcome_of(&open.method, error),
        }
    }

    /// Sends `notifications/cancelled` for a request.
    ///
    /// # Errors
    ///
    /// [`SdkError::Inexpressible`] when the id is neither a string nor an integer; else as for [`start`](Self::start).
    pub async fn cancel(&self, id: &Value, reason: Option<&str>) -> Result<(), SdkError> {
        let id: NumberOrString =
            serde_json::from_value(id.clone()).map_err(|error| SdkError::inexpressible("the request id", &error))?;
        let params = json!({ "requestId": id, "reason": reason });
        let params: CancelledNotificationParam =
            serde_json::from_value(params).map_err(|error| SdkError::inexpressible("the cancellation", &error))?;
        let operation = "notifications/cancelled";
        let notifying = self.service.peer().notify_cancelled(params);
        match tokio::time::timeout(self.patience, notifying).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(refused(operation, error)),
            Err(_) => Err(self.timed_out(operation)),
        }
    }

    async fn patiently<T: Serialize>(
        &self,
        operation: &str,
        working: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<Outcome, SdkError> {
        match tokio::time::timeout(self.patience, working).await {
            Ok(Ok(result)) => result_of(operation, &result),
            Ok(Err(error)) => outcome_of(operation, error),
            Err(_) => Err(self.timed_out(operation)),
        }
    }

    fn timed_out(&self, operation: &str) -> SdkError {
        SdkError::Timeout { operation: operation.into(), patience: self.patience }
    }
}

async fn forward(
    mut subscription: Subscription,
    heard: ListenerLog,
    mut cancelled: oneshot::Receiver<()>,
) -> Result<(), SdkError> {
    let operation = "subscriptions/listen";
    loop {
        tokio::select! {
            next = subscription.next() => match next {
                Ok(Some(notification)) => heard.push(&notification, Value::Null),
                Ok(None) => return Ok(()),
                Err(error) => return Err(refused(operation, error)),
            },
            _ = &mut cancelled => {
                let cancelling = subscription.cancel().await;
                return cancelling.map_err(|error| refused(operation, error));
            }
        }
    }
}

fn json_of(result: impl Serialize) -> Result<Value, ServiceError> {
    serde_json::to_value(result).map_err(|_| ServiceError::UnexpectedResponse)
}

fn result_of(operation: &str, result: &impl Serialize) -> Result<Outcome, SdkError> {
    let unexpected = |_| SdkError::Unexpected { operation: operation.into() };
    let value = serde_json::to_value(result).map_err(unexpected)?;
    Ok(Outcome::Result(value))
}

fn refused(operation: &str, error: ServiceError) -> SdkError {
    match outcome_of(operation, error) {
        Ok(outcome) => SdkError::Refused(outcome),
        Err(error) => error,
    }
}
