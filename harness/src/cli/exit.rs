//! Exit codes of the `iolite` command. They never change.

/// Everything ran and nothing was found.
pub const OK: u8 = 0;
/// There are findings: a promise was broken, or something could not be verified.
pub const FINDINGS: u8 = 1;
/// The input was not understood: arguments, a scenario, a target file.
pub const INPUT: u8 = 2;
/// The daemon under test would not start.
pub const TARGET: u8 = 3;
/// Our own fault.
pub const OWN_FAULT: u8 = 4;
