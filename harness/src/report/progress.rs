//! What is shown while a run goes on: one line at the bottom of a terminal, nothing anywhere else.

use crate::engine::RunEvent;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A progress line on standard error. Clones are the same line.
#[derive(Clone, Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// A line for one run. Nothing is drawn when standard error is no terminal, or when `quiet`.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// Shows what happened.
    pub fn show(&self, event: &RunEvent) {
        match event {
            RunEvent::Planned { runs } => self.0.set_length(*runs as u64),
            RunEvent::Started { run, .. } => self.0.set_message(run.clone()),
            RunEvent::Finished { .. } => self.0.inc(1),
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }
}
