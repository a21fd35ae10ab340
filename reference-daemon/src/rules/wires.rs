//! What becomes of bytes on their way: where lines end, how they are decoded, which of two equal members counts
//! (`MCP-34`, `RPC-14`).

/// Decisions about lines and texts.
#[derive(Clone, Debug, PartialEq)]
pub struct WireRules {
    /// Where lines of agents end (`MCP-34`).
    pub agent_lines: LineEnd,
    /// Where lines of operators end (`MCP-34`).
    pub operator_lines: LineEnd,
    /// Lines of agents are decoded as a whole (`MCP-34`); otherwise in chunks of so many bytes.
    pub agent_chunks: Option<usize>,
    /// Lines of operators are decoded as a whole (`MCP-34`); otherwise in chunks of so many bytes.
    pub operator_chunks: Option<usize>,
    /// What becomes of texts in results for agents (`MCP-34`).
    pub texts_to_agents: TextChange,
    /// Which of two equal members of an operator's request counts for what (`RPC-14`).
    pub doubled: Doubled,
    /// An agent's line with two equal members is refused (`RPC-14`); otherwise both are done.
    pub refuse_doubled_of_agents: bool,
}

/// Where a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    /// At LF.
    LineFeed,
    /// At LF and wherever Unicode has a separator of lines.
    AnySeparator,
    /// At LF and at CR.
    CarriageReturn,
}

/// What becomes of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextChange {
    /// Nothing.
    None,
    /// Separators of lines become blanks.
    SeparatorsToBlanks,
    /// Every end of a line becomes LF.
    NewlinesToLineFeeds,
    /// What is longer than so many bytes is cut.
    CutAt(usize),
    /// A byte order mark is taken away.
    WithoutMark,
    /// Letters beyond the basic plane become U+FFFD.
    BasicPlane,
    /// Control characters are taken away.
    WithoutControls,
}

/// Which of two equal members counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubled {
    /// The last one, for everything.
    Last,
    /// The first is judged, the last is done.
    FirstIsJudged,
    /// The last is done, the first is recorded.
    FirstIsRecorded,
}

impl Default for WireRules {
    fn default() -> Self {
        Self {
            agent_lines: LineEnd::LineFeed,
            operator_lines: LineEnd::LineFeed,
            agent_chunks: None,
            operator_chunks: None,
            texts_to_agents: TextChange::None,
            doubled: Doubled::Last,
            refuse_doubled_of_agents: true,
        }
    }
}
