//! The one table of decisions a daemon could take differently. [`Rules::default`] is the contract.
//!
//! Wherever the contract decides, the daemon asks this table, so that a fault need only change it. Which changes there
//! are stands in [`crate::faults`]; nothing here, and nothing else in the daemon, knows of them.

pub mod audit;
pub mod cancel;
pub mod claim;
pub mod cli;
pub mod connection;
pub mod fallback;
pub mod foundation;
pub mod in_flight;
pub mod link;
pub mod mcp;
pub mod mcp_answers;
pub mod mcp_conduct;
pub mod mcp_lists;
pub mod mcp_own_tools;
pub mod mcp_paging;
pub mod mcp_schemas;
pub mod policy;
pub mod recovery;
pub mod refusals;
pub mod registry;
pub mod resources;
pub mod rpc;
pub mod session;
pub mod shell;
pub mod texts;
pub mod times;
pub mod tools;
pub mod wires;

pub use audit::*;
pub use cancel::*;
pub use claim::*;
pub use cli::*;
pub use connection::*;
pub use fallback::*;
pub use foundation::*;
pub use in_flight::*;
pub use link::*;
pub use mcp::*;
pub use mcp_answers::*;
pub use mcp_conduct::*;
pub use mcp_lists::*;
pub use mcp_own_tools::*;
pub use mcp_paging::*;
pub use mcp_schemas::*;
pub use policy::*;
pub use recovery::*;
pub use refusals::*;
pub use registry::*;
pub use resources::*;
pub use rpc::*;
pub use session::*;
pub use shell::*;
pub use texts::*;
pub use times::*;
pub use tools::*;
pub use wires::*;

use iolite_protocol::contract::Contract;

/// Every decision, by area.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Rules {
    /// Limits and field rules of everything that travels, shared with the protocol's decoders.
    pub contract: Contract,
    /// Bootstrap links (`LNK`).
    pub link: LinkRules,
    /// Sockets and frames (`CON`).
    pub connection: ConnectionRules,
    /// Claims, the time of links, aliases (`SES`).
    pub claim: ClaimRules,
    /// Losses, resumes, replacements, ends (`SES`).
    pub session: SessionRules,
    /// What a session's past changes (`SES-18`, `SES-19`).
    pub recovery: RecoveryRules,
    /// Long times (`LNK-07`).
    pub times: TimeRules,
    /// Tool registry and calls (`TOL`).
    pub tools: ToolRules,
    /// Resource registry and reads (`RES`).
    pub resources: ResourceRules,
    /// Cancelling (`TOL-18`, `TOL-19`).
    pub cancel: CancelRules,
    /// Long texts, and much at once.
    pub texts: TextRules,
    /// Control RPC and events (`RPC`).
    pub rpc: RpcRules,
    /// Policy (`POL`).
    pub policy: PolicyRules,
    /// Audit (`AUD`).
    pub audit: AuditRules,
    /// The MCP server's connection (`MCP`).
    pub mcp: McpRules,
    /// What it lists, and what it announces (`MCP`).
    pub mcp_lists: McpListRules,
    /// What calls, reads and subscriptions give (`MCP`).
    pub mcp_answers: McpAnswerRules,
    /// Its own tools: links, events, waits (`MCP`).
    pub mcp_own_tools: OwnToolRules,
    /// The pages of its lists (`MCP`).
    pub mcp_paging: PagingRules,
    /// The schemas it lists (`MCP`).
    pub mcp_schemas: SchemaRules,
    /// How it bears up (`MCP`).
    pub mcp_conduct: McpConductRules,
    /// What refused requests leave behind (`RPC`).
    pub refusals: RefusalRules,
    /// Lines, texts and doubled members on every wire (`MCP-34`, `RPC-14`).
    pub wires: WireRules,
    /// The two tools for tools-only clients (`FBK`).
    pub fallback: FallbackRules,
    /// The command line (`CLI`).
    pub cli: CliRules,
    /// What everything stands on.
    pub foundation: FoundationRules,
    /// Files, modes, process (`RPC-10`, `CON-14`, `SES-13`).
    pub shell: ShellRules,
}
