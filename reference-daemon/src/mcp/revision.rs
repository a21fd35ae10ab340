//! The protocol revisions this server speaks, and what differs between them.

use crate::rules::RevisionAnswer;
use std::fmt;

/// A revision with a handshake. A later one without handshake would be a variant more, and an answer more in each
/// method below: nothing else in this folder asks for the revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2025-06-18: knows no icons.
    R20250618,
    /// 2025-11-25.
    R20251125,
}

impl Revision {
    /// The one offered to clients that ask for anything unknown.
    pub const LATEST: Self = Self::R20251125;

    /// All of them, oldest first.
    pub const ALL: [Self; 2] = [Self::R20250618, Self::R20251125];

    /// What `initialize` is answered with: the revision asked for where it is spoken here, else [`Self::LATEST`].
    pub fn negotiate(asked: &str, answer: RevisionAnswer) -> &str {
        let spoken = Self::parse(asked).map(Self::as_str);
        match answer {
            RevisionAnswer::Spoken => spoken.unwrap_or(Self::LATEST.as_str()),
            RevisionAnswer::Asked => asked,
            RevisionAnswer::Latest => Self::LATEST.as_str(),
            RevisionAnswer::Unspoken => spoken.unwrap_or(UNSPOKEN),
        }
    }

    /// The revision with this date.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|revision| revision.as_str() == text)
    }

    /// The date, as it travels.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::R20250618 => "2025-06-18",
            Self::R20251125 => "2025-11-25",
        }
    }

    /// Whether resource entries may carry icons (`BRG-MCP-03`).
    pub fn knows_icons(self) -> bool {
        self >= Self::R20251125
    }

    /// Code of the error for an unknown resource (`BRG-MCP-10`).
    pub fn not_found_code(self) -> i32 {
        match self {
            Self::R20250618 | Self::R20251125 => -32002,
        }
    }

    /// The code of the other era for the same, which no client of this revision expects.
    pub fn foreign_not_found_code(self) -> i32 {
        match self {
            Self::R20250618 | Self::R20251125 => -32602,
        }
    }
}

/// A date like that of a revision, and of none.
const UNSPOKEN: &str = "2024-01-01";

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_spoken_is_answered_with_the_latest() {
        for asked in ["2026-07-28", "2024-11-05", "2099-01-01", "", "2025-6-18"] {
            assert_eq!(Revision::negotiate(asked, RevisionAnswer::Spoken), Revision::LATEST.as_str(), "{asked}");
        }
        for revision in Revision::ALL {
            assert_eq!(Revision::negotiate(revision.as_str(), RevisionAnswer::Spoken), revision.as_str());
        }
    }
}
