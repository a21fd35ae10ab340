//! One row for every field rule of the contract.

use super::{Area, Kind};
use crate::close::Close;
use std::fmt;

macro_rules! rules {
    ($($variant:ident: $area:ident, $field:literal, $kind:ident, $text:literal;)+) => {
        /// A field rule: the smallest thing that a frame, a descriptor or a parameter can get wrong.
        ///
        /// The order of the variants is the order of the contract's text, not of judgement.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $(#[doc = concat!("The rule that ", $text, ".")] $variant,)+
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The rule's name: the variant's.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),+ }
            }

            /// Where the rule holds.
            pub fn area(self) -> Area {
                match self { $(Self::$variant => Area::$area),+ }
            }

            /// The key that the rule is about, in wire spelling; empty when it is about the whole object.
            pub fn field(self) -> &'static str {
                match self { $(Self::$variant => $field),+ }
            }

            /// What sort of rule it is.
            pub fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind),+ }
            }

            /// What the contract asks, in words, with the contract's own numbers.
            pub fn explanation(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}

rules! {
    // The text of a frame.
    Utf8: Text, "", Encoding, "a frame is UTF-8";
    FrameBytes: Text, "", Length, "a frame is at most 262,144 bytes";
    JsonSyntax: Text, "", Syntax, "a frame is one JSON value and nothing else";
    JsonDepth: Text, "", Range, "a frame nests no deeper than 128 levels";
    JsonNumber: Text, "", Range, "a number in a frame is one that a JSON reader can hold";
    LoneSurrogate: Text, "", Encoding, "an escaped surrogate comes in a pair";
    DuplicateKey: Text, "", Unique, "an object holds no key twice";
    JsonObject: Text, "", Type, "a frame is a JSON object";
    UnknownKey: Text, "", Unknown,
        "an object holds only keys that the contract names (bent contracts only: the contract tolerates others)";

    // The first frame.
    FirstFrameType: FirstFrame, "type", Value, "the first frame is `session_claim` or `session_resume`";
    ClaimVersionPresent: Claim, "protocol_version", Present, "a claim's `protocol_version` is present";
    ClaimVersionValue: Claim, "protocol_version", Value, "a claim's `protocol_version` is the number 2";
    ClaimSessionIdPresent: Claim, "session_id", Present, "a claim's `session_id` is present";
    ClaimSessionIdType: Claim, "session_id", Type, "a claim's `session_id` is a string";
    ClaimSessionIdLength: Claim, "session_id", Length, "a claim's `session_id` is 1 to 128 characters long";
    ClaimTokenPresent: Claim, "token", Present, "a claim's `token` is present";
    ClaimTokenType: Claim, "token", Type, "a claim's `token` is a string";
    ClaimTokenLength: Claim, "token", Length, "a claim's `token` is 1 to 128 characters long";
    ClaimDeviceManufacturerType: Claim, "device_manufacturer", Type, "a claim's `device_manufacturer` is a string";
    ClaimDeviceManufacturerLength: Claim, "device_manufacturer", Length,
        "a claim's `device_manufacturer` is at most 256 characters long";
    ClaimDeviceModelType: Claim, "device_model", Type, "a claim's `device_model` is a string";
    ClaimDeviceModelLength: Claim, "device_model", Length, "a claim's `device_model` is at most 256 characters long";
    ClaimDeviceOsType: Claim, "device_os", Type, "a claim's `device_os` is a string";
    ClaimDeviceOsLength: Claim, "device_os", Length, "a claim's `device_os` is at most 256 characters long";
    ResumeVersionPresent: Resume, "protocol_version", Present, "a resume's `protocol_version` is present";
    ResumeVersionValue: Resume, "protocol_version", Value, "a resume's `protocol_version` is the number 2";
    ResumeSessionIdPresent: Resume, "session_id", Present, "a resume's `session_id` is present";
    ResumeSessionIdType: Resume, "session_id", Type, "a resume's `session_id` is a string";
    ResumeSessionIdLength: Resume, "session_id", Length, "a resume's `session_id` is 1 to 128 characters long";
    ResumeTokenPresent: Resume, "resume_token", Present, "a resume's `resume_token` is present";
    ResumeTokenType: Resume, "resume_token", Type, "a resume's `resume_token` is a string";
    ResumeTokenLength: Resume, "resume_token", Length, "a resume's `resume_token` is 1 to 128 characters long";

    // The envelope of every frame after the claim, in the order of judgement.
    MessageType: Envelope, "type", Value, "`type` is one that apps send";
    DaemonTypeFromApp: Envelope, "type", Value, "`type` is none that only daemons send";
    HandshakeTypeInSession: Envelope, "type", Value, "`type` is no claim or resume once the socket has a session";
    SessionIdPresent: Envelope, "session_id", Present, "`session_id` is present";
    SessionIdMatch: Envelope, "session_id", Value, "`session_id` is the socket's own session";

    // The tool registry frames.
    ToolsPresent: ToolSnapshot, "tools", Present, "a tool snapshot's `tools` is present";
    ToolsType: ToolSnapshot, "tools", Type, "a tool snapshot's `tools` is an array";
    DuplicateToolName: ToolSnapshot, "tools", Unique, "no two tools of a snapshot have one name";
    ToolOperationPresent: ToolDelta, "operation", Present, "a tool delta's `operation` is present";
    ToolOperationType: ToolDelta, "operation", Type, "a tool delta's `operation` is a string";
    ToolOperationValue: ToolDelta, "operation", Value, "a tool delta's `operation` is `upsert` or `remove`";
    ToolUpsertPresent: ToolDelta, "tool", Present, "an upsert's `tool` is present";
    ToolRemoveNamePresent: ToolDelta, "name", Present, "a removal's `name` is present";
    ToolRemoveNameType: ToolDelta, "name", Type, "a removal's `name` is a string";
    ToolRemoveNameLength: ToolDelta, "name", Length, "a removal's `name` is 1 to 4,096 characters long";

    // The tool descriptor.
    ToolObject: Tool, "", Type, "a tool is an object";
    ToolNamePresent: Tool, "name", Present, "a tool's `name` is present";
    ToolNameType: Tool, "name", Type, "a tool's `name` is a string";
    ToolNameLength: Tool, "name", Length, "a tool's `name` is 1 to 64 characters long";
    ToolNamePattern: Tool, "name", Pattern, "a tool's `name` holds only letters, digits, `_` and `-` of ASCII";
    ToolDescriptionPresent: Tool, "description", Present, "a tool's `description` is present";
    ToolDescriptionType: Tool, "description", Type, "a tool's `description` is a string";
    ToolDescriptionLength: Tool, "description", Length, "a tool's `description` is 1 to 4,096 characters long";
    ToolInputSchemaType: Tool, "input_schema", Type, "a tool's `input_schema` is an object";
    ToolOutputSchemaType: Tool, "output_schema", Type, "a tool's `output_schema` is an object";
    ToolAnnotationsType: Tool, "annotations", Type, "a tool's `annotations` is an object";
    ToolAnnotationsUnknownKey: ToolAnnotations, "", Unknown,
        "a tool's `annotations` holds the three hints and nothing else";
    ToolReadOnlyHintType: ToolAnnotations, "readOnlyHint", Type, "`readOnlyHint` is a boolean";
    ToolDestructiveHintType: ToolAnnotations, "destructiveHint", Type, "`destructiveHint` is a boolean";
    ToolIdempotentHintType: ToolAnnotations, "idempotentHint", Type, "`idempotentHint` is a boolean";
    ToolTimeoutType: Tool, "timeout_ms", Type, "a tool's `timeout_ms` is an integer";
    ToolTimeoutPositive: Tool, "timeout_ms", Range, "a tool's `timeout_ms` is greater than 0";

    // The answers to a call.
    ToolResultIdPresent: ToolResult, "id", Present, "a result's `id` is present";
    ToolResultIdType: ToolResult, "id", Type, "a result's `id` is a string";
    ToolResultPresent: ToolResult, "result", Present, "a tool result has the key `result`";
    ToolErrorIdPresent: ToolError, "id", Present, "an error's `id` is present";
    ToolErrorIdType: ToolError, "id", Type, "an error's `id` is a string";
    ToolErrorPresent: ToolError, "error", Present, "a tool error's `error` is present";
    ErrorObject: AppError, "", Type, "an error is an object";
    ErrorTypePresent: AppError, "type", Present, "an error's `type` is present";
    ErrorTypeType: AppError, "type", Type, "an error's `type` is a string";
    ErrorTypeKnown: AppError, "type", Value, "an error's `type` is one of the app error types";
    ErrorMessagePresent: AppError, "message", Present, "an error's `message` is present";
    ErrorMessageType: AppError, "message", Type, "an error's `message` is a string";
    ErrorMessageLength: AppError, "message", Length, "an error's `message` is 1 to 4,096 characters long";
    ProgressIdPresent: Progress, "id", Present, "a progress report's `id` is present";
    ProgressIdType: Progress, "id", Type, "a progress report's `id` is a string";
    ProgressValueType: Progress, "progress", Type, "`progress` is a number";
    ProgressMessageType: Progress, "message", Type, "a progress report's `message` is a string";

    // The events.
    EventNamePresent: Event, "name", Present, "an event's `name` is present";
    EventNameType: Event, "name", Type, "an event's `name` is a string";
    EventNameLength: Event, "name", Length, "an event's `name` is 1 to 4,096 characters long";
    EventTsPresent: Event, "ts", Present, "an event's `ts` is present";
    EventTsType: Event, "ts", Type, "an event's `ts` is a number";

    // The resource registry frames.
    ResourcesPresent: ResourceSnapshot, "resources", Present, "a resource snapshot's `resources` is present";
    ResourcesType: ResourceSnapshot, "resources", Type, "a resource snapshot's `resources` is an array";
    DuplicateResourceName: ResourceSnapshot, "resources", Unique, "no two resources of a snapshot have one name";
    DuplicateResourceUri: ResourceSnapshot, "resources", Unique, "no two resources of a snapshot have one uri";
    ResourceOperationPresent: ResourceDelta, "operation", Present, "a resource delta's `operation` is present";
    ResourceOperationType: ResourceDelta, "operation", Type, "a resource delta's `operation` is a string";
    ResourceOperationValue: ResourceDelta, "operation", Value,
        "a resource delta's `operation` is `upsert` or `remove`";
    ResourceUpsertPresent: ResourceDelta, "resource", Present, "an upsert's `resource` is present";
    ResourceRemoveNamePresent: ResourceDelta, "name", Present, "a removal's `name` is present";
    ResourceRemoveNameType: ResourceDelta, "name", Type, "a removal's `name` is a string";
    ResourceRemoveNameLength: ResourceDelta, "name", Length, "a removal's `name` is 1 to 4,096 characters long";

    // The resource descriptor.
    ResourceObject: Resource, "", Type, "a resource is an object";
    ResourceUriPresent: Resource, "uri", Present, "a resource's `uri` is present";
    ResourceUriType: Resource, "uri", Type, "a resource's `uri` is a string";
    ResourceUriLength: Resource, "uri", Length, "a resource's `uri` is 1 to 2,048 characters long";
    ResourceUriAscii: Resource, "uri", Encoding, "a resource's `uri` is ASCII";
    ResourceUriAbsolute: Resource, "uri", Syntax, "a resource's `uri` is a URI of RFC 3986 with a scheme";
    ResourceNamePresent: Resource, "name", Present, "a resource's `name` is present";
    ResourceNameType: Resource, "name", Type, "a resource's `name` is a string";
    ResourceNameLength: Resource, "name", Length, "a resource's `name` is 1 to 64 characters long";
    ResourceNamePattern: Resource, "name", Pattern,
        "a resource's `name` holds only letters, digits, `_` and `-` of ASCII";
    ResourceDescriptionPresent: Resource, "description", Present, "a resource's `description` is present";
    ResourceDescriptionType: Resource, "description", Type, "a resource's `description` is a string";
    ResourceDescriptionLength: Resource, "description", Length,
        "a resource's `description` is 1 to 4,096 characters long";
    ResourceMimeTypeType: Resource, "mime_type", Type, "a resource's `mime_type` is a string";
    ResourceMimeTypeLength: Resource, "mime_type", Length, "a resource's `mime_type` is at most 255 characters long";
    ResourceMimeTypeSyntax: Resource, "mime_type", Syntax, "a resource's `mime_type` has the form `type/subtype`";
    ResourceTitleType: Resource, "title", Type, "a resource's `title` is a string";
    ResourceTitleLength: Resource, "title", Length, "a resource's `title` is 1 to 256 characters long";
    ResourceSizeType: Resource, "size", Type, "a resource's `size` is an integer";
    ResourceSizeRange: Resource, "size", Range, "a resource's `size` is from 0 to 2^53 - 1";
    ResourceAnnotationsType: Resource, "annotations", Type, "a resource's `annotations` is an object";
    ResourceAnnotationsUnknownKey: ResourceAnnotations, "", Unknown,
        "a resource's `annotations` holds `audience`, `priority`, `last_modified` and nothing else";
    AudienceType: ResourceAnnotations, "audience", Type, "`audience` is an array of strings";
    AudienceValue: ResourceAnnotations, "audience", Value, "`audience` holds only `user` and `assistant`";
    PriorityType: ResourceAnnotations, "priority", Type, "`priority` is a number";
    PriorityRange: ResourceAnnotations, "priority", Range, "`priority` is from 0 to 1";
    LastModifiedType: ResourceAnnotations, "last_modified", Type, "`last_modified` is a string";
    LastModifiedSyntax: ResourceAnnotations, "last_modified", Syntax, "`last_modified` is a date or time of ISO 8601";
    IconsType: Resource, "icons", Type, "a resource's `icons` is an array";
    IconObject: Icon, "", Type, "an icon is an object";
    IconSrcPresent: Icon, "src", Present, "an icon's `src` is present";
    IconSrcType: Icon, "src", Type, "an icon's `src` is a string";
    IconSrcScheme: Icon, "src", Syntax, "an icon's `src` is an http, https or data URI";
    IconMimeTypeType: Icon, "mime_type", Type, "an icon's `mime_type` is a string";
    IconMimeTypeSyntax: Icon, "mime_type", Syntax, "an icon's `mime_type` has the form `type/subtype`";
    IconSizesType: Icon, "sizes", Type, "an icon's `sizes` is an array of strings";
    IconThemeType: Icon, "theme", Type, "an icon's `theme` is a string";
    IconThemeValue: Icon, "theme", Value, "an icon's `theme` is `light` or `dark`";

    // The answers to a read.
    ResourceResultIdPresent: ResourceResult, "id", Present, "a result's `id` is present";
    ResourceResultIdType: ResourceResult, "id", Type, "a result's `id` is a string";
    ContentsPresent: ResourceResult, "contents", Present, "a resource result's `contents` is present";
    ContentsType: ResourceResult, "contents", Type, "a resource result's `contents` is an array";
    ContentObject: Content, "", Type, "a content item is an object";
    ContentUriType: Content, "uri", Type, "a content item's `uri` is a string";
    ContentMimeTypeType: Content, "mime_type", Type, "a content item's `mime_type` is a string";
    ContentTextType: Content, "text", Type, "a content item's `text` is a string";
    ContentBlobType: Content, "blob", Type, "a content item's `blob` is a string";
    ContentTextOrBlob: Content, "text", Present, "a content item has `text` or `blob`";
    ContentExactlyOne: Content, "blob", Exclusive, "a content item does not have both `text` and `blob`";
    BlobBase64: Content, "blob", Encoding, "a content item's `blob` is standard base64 with padding";
    ResourceErrorIdPresent: ResourceError, "id", Present, "an error's `id` is present";
    ResourceErrorIdType: ResourceError, "id", Type, "an error's `id` is a string";
    ResourceErrorPresent: ResourceError, "error", Present, "a resource error's `error` is present";

    // The frames of the daemon (BRG-CON-18).
    DaemonMessageType: DaemonEnvelope, "type", Value, "`type` is one that daemons send";
    DaemonSessionId: DaemonEnvelope, "session_id", Length,
        "the daemon's `session_id` is a string of 1 to 128 characters";
    AckStatus: SessionAck, "status", Value, "an ack's `status` is `ok`";
    AckAlias: SessionAck, "alias", Length, "an ack's `alias` is a string of 1 to 128 characters";
    AckResumeToken: SessionAck, "resume_token", Length, "an ack's `resume_token` is a string of 1 to 128 characters";
    AckKeepalive: SessionAck, "keepalive_interval_s", Range,
        "an ack's `keepalive_interval_s` is a number greater than 0";
    AckGrace: SessionAck, "grace_s", Range, "an ack's `grace_s` is a number not less than 0";
    ToolCallId: ToolCall, "id", Length, "a call's `id` is a string of 1 to 128 characters";
    ToolCallName: ToolCall, "name", Pattern, "a call's `name` is a tool name";
    ToolCallArgs: ToolCall, "args", Type, "a call's `args` is an object";
    ToolCancelId: ToolCancel, "id", Length, "a cancellation's `id` is a string of 1 to 128 characters";
    ToolCancelReason: ToolCancel, "reason", Length,
        "a cancellation's `reason` is a string of 1 to 4,096 characters";
    ResourceReadId: ResourceRead, "id", Length, "a read's `id` is a string of 1 to 128 characters";
    ResourceReadName: ResourceRead, "name", Pattern, "a read's `name` is a resource name";
    ResourceReadUri: ResourceRead, "uri", Syntax, "a read's `uri` is a resource uri";
    ResourceReadInput: ResourceRead, "", Unknown,
        "a read carries no input: no `args`, `arguments`, `params` or `input`";

    // The parameters of the control RPC (BRG-RPC-11).
    ParamsObject: Params, "", Type, "`params` is an object";
    ParamNull: Params, "", Type, "a parameter that may be absent is not `null` instead";
    ParamSelectorType: Params, "selector", Type, "a selector is a string";
    ParamTtlPositive: Params, "ttlSeconds", Range, "`ttlSeconds` is an integer greater than 0";
    ParamAddressOverride: Params, "addressOverride", Syntax, "`addressOverride` is an IP address";
    ParamNamePresent: Params, "name", Present, "`name` is present";
    ParamNameType: Params, "name", Type, "`name` is a string";
    ParamArgsObject: Params, "args", Type, "`args` is an object";
    ParamTimeoutPositive: Params, "timeoutMs", Range, "`timeoutMs` is an integer greater than 0";
    ParamCallerType: Params, "caller", Type, "`caller` is a string";
    ParamCallIdPresent: Params, "callId", Present, "`callId` is present";
    ParamCallIdType: Params, "callId", Type, "`callId` is a string";
    ParamReasonType: Params, "reason", Type, "`reason` is a string";
    ParamReasonLength: Params, "reason", Length, "`reason` has 1 to 4,096 characters";
    ParamKindsType: Params, "kinds", Type, "`kinds` is an array of strings";
    ParamKindKnown: Params, "kinds", Value, "`kinds` holds only kinds of event";
    ParamSinceType: Params, "since", Range, "`since` is an integer not less than 0";
    ParamLimitPositive: Params, "limit", Range, "`limit` is an integer greater than 0";
}

impl Rule {
    /// The rule of this [name](Self::name).
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    /// What a violation does to the socket it came from. `None` for rules of the control RPC, where it is an
    /// `invalid_request` instead. (A frame of the daemon that breaks a rule is the daemon's fault; a careful app
    /// would close 1008 `invalid_message`.)
    pub fn close(self) -> Option<Close> {
        match self {
            Self::Utf8 => return Some(Close::INVALID_UTF8),
            Self::FrameBytes => return Some(Close::MESSAGE_TOO_BIG),
            Self::SessionIdPresent | Self::SessionIdMatch => return Some(Close::SESSION_MISMATCH),
            Self::UnknownKey => return Some(Close::INVALID_MESSAGE),
            _ => (),
        }
        Some(match self.area() {
            Area::Text => Close::INVALID_JSON,
            Area::FirstFrame | Area::Claim | Area::Resume => Close::EXPECTED_CLAIM_OR_RESUME,
            Area::Envelope => Close::UNKNOWN_MESSAGE_TYPE,
            Area::ToolSnapshot
            | Area::ToolDelta
            | Area::Tool
            | Area::ToolAnnotations
            | Area::ResourceSnapshot
            | Area::ResourceDelta
            | Area::Resource
            | Area::ResourceAnnotations
            | Area::Icon => Close::INVALID_REGISTRY,
            Area::ToolResult
            | Area::ToolError
            | Area::AppError
            | Area::Progress
            | Area::Event
            | Area::ResourceResult
            | Area::Content
            | Area::ResourceError
            | Area::DaemonEnvelope
            | Area::SessionAck
            | Area::ToolCall
            | Area::ToolCancel
            | Area::ResourceRead => Close::INVALID_MESSAGE,
            Area::Params => return None,
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

crate::serialized_as_text!(Rule);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive() {
        for &rule in Rule::ALL {
            assert_eq!(Rule::parse(rule.name()), Some(rule));
        }
    }

    #[test]
    fn only_parameters_have_no_close() {
        for &rule in Rule::ALL {
            assert_eq!(rule.close().is_none(), rule.area() == Area::Params, "{rule}");
        }
    }
}
