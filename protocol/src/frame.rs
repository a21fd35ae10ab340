//! The frames of the bridge protocol: one JSON object per WebSocket text message.
//!
//! Apps send a [`FirstFrame`] and then [`AppFrame`]s; daemons send [`DaemonFrame`]s. Decoding says which rule a frame
//! breaks and what that does to its socket.

mod ack;
mod app;
mod call;
mod daemon;
mod envelope;
mod error;
mod error_frame;
mod event;
mod handshake;
mod read;
mod registry;
mod resource;
mod texts;
mod tool;

pub use ack::SessionAck;
pub use app::AppFrame;
pub use call::{ToolCall, ToolCancel};
pub use daemon::DaemonFrame;
pub use error::FrameError;
pub use error_frame::{ErrorFrame, ErrorFrameRules, Fallible, ResourceErrorFrame, ToolErrorFrame};
pub use event::AppEvent;
pub use handshake::{ClaimFrame, Device, FirstFrame, ResumeFrame};
pub use read::ResourceRead;
pub use registry::{
    Change, Delta, Registered, RegistryRules, ResourceDelta, ResourceSnapshot, Snapshot, ToolDelta, ToolSnapshot,
};
pub use resource::ResourceResult;
pub use tool::{ToolCallProgress, ToolResult};

#[cfg(test)]
mod tests;
