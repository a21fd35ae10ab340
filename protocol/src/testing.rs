//! Values for property tests.

use crate::contract::Contract;
use crate::descriptor::{
    Audience, ContentItem, Icon, ResourceAnnotations, ResourceDescriptor, Theme, ToolAnnotations, ToolDescriptor,
};
use crate::error_type::{AppError, AppErrorType};
use crate::frame::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Number, Value};
use std::num::NonZeroU64;

/// Any JSON value of modest size, with the numbers that JSON readers disagree about left out.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from),
        any::<f64>().prop_filter("finite", |float| float.is_finite()).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::Array), json_object_of(inner).prop_map(Value::Object),]
    })
}

/// Any JSON object of modest size.
pub(crate) fn any_object() -> impl Strategy<Value = Map<String, Value>> {
    json_object_of(any_json())
}

fn json_object_of(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    vec((".{0,6}", values), 0..4).prop_map(|pairs| pairs.into_iter().collect())
}

/// A tool, with any of its optional fields.
pub(crate) fn any_tool() -> impl Strategy<Value = ToolDescriptor> {
    let annotations = (any::<Option<bool>>(), any::<Option<bool>>(), any::<Option<bool>>())
        .prop_map(|(read_only, destructive, idempotent)| ToolAnnotations { read_only, destructive, idempotent });
    let schema = || option::of(any_object());
    let base =
        ("[a-zA-Z0-9_-]{1,64}", ".{1,40}", schema(), schema(), option::of(annotations), any::<Option<NonZeroU64>>());
    base.prop_map(|(name, description, input, output, annotations, timeout)| {
        let mut tool = ToolDescriptor::new(&name, &description).unwrap();
        if let Some(schema) = input {
            tool = tool.with_input_schema(schema);
        }
        if let Some(schema) = output {
            tool = tool.with_output_schema(schema);
        }
        if let Some(annotations) = annotations {
            tool = tool.with_annotations(annotations);
        }
        if let Some(timeout) = timeout {
            tool = tool.with_timeout_ms(timeout);
        }
        tool
    })
}

/// A resource, with any of its optional fields.
pub(crate) fn any_resource() -> impl Strategy<Value = ResourceDescriptor> {
    let audience =
        prop_oneof![Just(vec![]), Just(vec![Audience::User]), Just(vec![Audience::User, Audience::Assistant])];
    let annotations = (audience, 0.0..=1.0_f64, prop_oneof![Just("2025-01-12"), Just("2025-01-12T15:00:58Z")])
        .prop_map(|(audience, priority, last_modified)| {
            let annotations = ResourceAnnotations::default().with_audience(&audience);
            annotations.with_priority(priority).unwrap().with_last_modified(last_modified).unwrap()
        });
    let icon = (option::of(Just("image/png")), option::of(vec("[0-9]{1,3}x[0-9]{1,3}", 0..3)), any::<bool>()).prop_map(
        |(mime_type, sizes, dark)| {
            let mut icon = Icon::new("https://example.com/i.png").unwrap();
            icon = icon.with_theme(if dark { Theme::Dark } else { Theme::Light });
            if let Some(mime_type) = mime_type {
                icon = icon.with_mime_type(mime_type).unwrap();
            }
            match sizes {
                Some(sizes) => icon.with_sizes(sizes),
                None => icon,
            }
        },
    );
    let base = ("[a-z][a-z0-9+.-]{0,5}:(//)?[a-z0-9/]{0,20}", "[a-zA-Z0-9_-]{1,64}", ".{1,40}");
    let more = (
        option::of("[a-z]{1,5}/[a-z+.]{1,5}"),
        option::of(".{1,20}"),
        option::of(0..=9_007_199_254_740_991_u64),
        option::of(annotations),
        option::of(vec(icon, 0..3)),
    );
    (base, more).prop_filter_map("a uri", |((uri, name, description), (mime_type, title, size, annotations, icons))| {
        let mut resource = ResourceDescriptor::new(&uri, &name, &description).ok()?;
        if let Some(mime_type) = mime_type {
            resource = resource.with_mime_type(&mime_type).ok()?;
        }
        if let Some(title) = title {
            resource = resource.with_title(&title).ok()?;
        }
        if let Some(size) = size {
            resource = resource.with_size(size).ok()?;
        }
        if let Some(annotations) = annotations {
            resource = resource.with_annotations(annotations);
        }
        if let Some(icons) = icons {
            resource = resource.with_icons(icons);
        }
        Some(resource)
    })
}

/// A content item of either kind.
pub(crate) fn any_content() -> impl Strategy<Value = ContentItem> {
    let body = prop_oneof![
        "(?s).{0,40}".prop_map(ContentItem::text),
        vec(any::<u8>(), 0..40).prop_map(|bytes| ContentItem::blob(&bytes)),
    ];
    (body, option::of(".{0,10}"), option::of(".{0,10}")).prop_map(|(mut item, uri, mime_type)| {
        if let Some(uri) = uri {
            item = item.with_uri(uri);
        }
        if let Some(mime_type) = mime_type {
            item = item.with_mime_type(mime_type);
        }
        item
    })
}

/// An app's error.
pub(crate) fn any_app_error() -> impl Strategy<Value = AppError> {
    (select(AppErrorType::ALL), ".{1,30}", option::of(any_json())).prop_map(|(kind, message, details)| {
        let error = AppError::new(kind, message).unwrap();
        match details {
            Some(details) => error.with_details(details),
            None => error,
        }
    })
}

/// A frame of an app in session `session_id`.
pub(crate) fn any_app_frame(session_id: &'static str) -> impl Strategy<Value = AppFrame> {
    let s = session_id;
    let number =
        || prop_oneof![any::<i32>().prop_map(Number::from), (0.0..1.0_f64).prop_map(|f| Number::from_f64(f).unwrap())];
    prop_oneof![
        vec(any_tool(), 0..4)
            .prop_filter_map("unique", move |tools| ToolSnapshot::new(s, tools).ok())
            .prop_map(AppFrame::ToolSnapshot),
        any_tool().prop_map(move |tool| AppFrame::ToolDelta(ToolDelta::upsert(s, tool))),
        ".{1,30}".prop_map(move |name| AppFrame::ToolDelta(ToolDelta::remove(s, &name).unwrap())),
        (".{0,20}", any_json()).prop_map(move |(id, result)| AppFrame::ToolResult(ToolResult::new(s, &id, result))),
        (".{0,20}", any_app_error())
            .prop_map(move |(id, error)| AppFrame::ToolError(ToolErrorFrame::new(s, &id, error))),
        (".{0,20}", option::of(number()), option::of(".{0,20}")).prop_map(move |(id, progress, message)| {
            AppFrame::ToolCallProgress(ToolCallProgress::new(s, &id, progress, message.as_deref()))
        }),
        (".{1,20}", option::of(any_json()), number())
            .prop_map(move |(name, payload, ts)| { AppFrame::Event(AppEvent::new(s, &name, payload, ts).unwrap()) }),
        vec(any_resource(), 0..4)
            .prop_filter_map("unique", move |resources| ResourceSnapshot::new(s, resources).ok())
            .prop_map(AppFrame::ResourceSnapshot),
        any_resource().prop_map(move |resource| AppFrame::ResourceDelta(ResourceDelta::upsert(s, resource))),
        ".{1,30}".prop_map(move |name| AppFrame::ResourceDelta(ResourceDelta::remove(s, &name).unwrap())),
        (".{0,20}", vec(any_content(), 0..4))
            .prop_map(move |(id, contents)| { AppFrame::ResourceResult(ResourceResult::new(s, &id, contents)) }),
        (".{0,20}", any_app_error())
            .prop_map(move |(id, error)| AppFrame::ResourceError(ResourceErrorFrame::new(s, &id, error))),
    ]
}

/// A claim or a resume.
pub(crate) fn any_first_frame() -> impl Strategy<Value = FirstFrame> {
    let part = || option::of(".{0,20}");
    let device = (part(), part(), part()).prop_map(|(manufacturer, model, os)| {
        Device::new(manufacturer.as_deref(), model.as_deref(), os.as_deref()).unwrap()
    });
    prop_oneof![
        (".{1,40}", ".{1,40}", device)
            .prop_map(|(id, token, device)| FirstFrame::Claim(ClaimFrame::new(&id, &token, device).unwrap())),
        (".{1,40}", ".{1,40}").prop_map(|(id, token)| FirstFrame::Resume(ResumeFrame::new(&id, &token).unwrap())),
    ]
}

/// A frame of a daemon.
pub(crate) fn any_daemon_frame() -> impl Strategy<Value = DaemonFrame> {
    let contract = Contract::default;
    prop_oneof![
        (".{1,20}", ".{1,20}", ".{1,20}", 1..100_u32, 0..100_u32).prop_map(
            move |(id, alias, token, keepalive, grace)| {
                DaemonFrame::SessionAck(SessionAck::new(&id, &alias, &token, keepalive, grace, &contract()).unwrap())
            }
        ),
        (".{1,20}", ".{1,20}", "[a-zA-Z0-9_-]{1,64}", any_object()).prop_map(move |(session, id, name, args)| {
            DaemonFrame::ToolCall(ToolCall::new(&session, &id, &name, args, &contract()).unwrap())
        }),
        (".{1,20}", ".{1,20}", ".{1,20}").prop_map(move |(session, id, reason)| {
            DaemonFrame::ToolCancel(ToolCancel::new(&session, &id, &reason, &contract()).unwrap())
        }),
        (".{1,20}", ".{1,20}", any_resource()).prop_map(move |(session, id, resource)| {
            let read = ResourceRead::new(&session, &id, resource.name(), resource.uri(), &contract());
            DaemonFrame::ResourceRead(read.unwrap())
        }),
    ]
}
