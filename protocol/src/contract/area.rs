//! How rules are sorted: by the part of the protocol they belong to, and by what sort of rule they are.

/// The part of the protocol that a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// Any frame, before its fields are looked at.
    Text,
    /// The first frame of a connection.
    FirstFrame,
    /// `session_claim`.
    Claim,
    /// `session_resume`.
    Resume,
    /// Any frame of an app after the claim.
    Envelope,
    /// `tool_registry_snapshot`.
    ToolSnapshot,
    /// `tool_registry_delta`.
    ToolDelta,
    /// A tool descriptor.
    Tool,
    /// The `annotations` of a tool descriptor.
    ToolAnnotations,
    /// `tool_result`.
    ToolResult,
    /// `tool_error`.
    ToolError,
    /// The error object of `tool_error` and `resource_error`.
    AppError,
    /// `tool_call_progress`.
    Progress,
    /// `event`.
    Event,
    /// `resource_registry_snapshot`.
    ResourceSnapshot,
    /// `resource_registry_delta`.
    ResourceDelta,
    /// A resource descriptor.
    Resource,
    /// The `annotations` of a resource descriptor.
    ResourceAnnotations,
    /// One of the `icons` of a resource descriptor.
    Icon,
    /// `resource_result`.
    ResourceResult,
    /// One of the `contents` of a resource result.
    Content,
    /// `resource_error`.
    ResourceError,
    /// Any frame of a daemon.
    DaemonEnvelope,
    /// `session_ack`.
    SessionAck,
    /// `tool_call`.
    ToolCall,
    /// `tool_cancel`.
    ToolCancel,
    /// `resource_read`.
    ResourceRead,
    /// The parameters of a control RPC request.
    Params,
}

/// The sort of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A required key is there.
    Present,
    /// The value has the right JSON type. `null` has the wrong type wherever any other type is asked for, also for
    /// keys that may be absent: the contract says "optional", not "nullable".
    Type,
    /// A text is neither too short nor too long.
    Length,
    /// A text consists of the characters allowed.
    Pattern,
    /// A text follows a grammar.
    Syntax,
    /// A text or number is one of those listed.
    Value,
    /// A number lies within bounds.
    Range,
    /// Nothing is there twice.
    Unique,
    /// Two keys do not occur together.
    Exclusive,
    /// Bytes or text are encoded as asked.
    Encoding,
    /// Nothing is there that was not asked for.
    Unknown,
}
