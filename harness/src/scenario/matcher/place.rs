//! Where in a value a check is; written out only when there is something to tell.

use std::fmt;

/// A place, as a chain that ends at the value as a whole.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    above: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Whole,
    Member(&'a str),
    Index(usize),
    Parsed,
    Pointer(&'a str),
}

impl<'a> Place<'a> {
    pub(super) const WHOLE: Self = Self { above: None, step: Step::Whole };

    pub(super) fn member(&'a self, name: &'a str) -> Self {
        Self { above: Some(self), step: Step::Member(name) }
    }

    pub(super) fn index(&'a self, index: usize) -> Self {
        Self { above: Some(self), step: Step::Index(index) }
    }

    /// Inside the JSON that a text holds.
    pub(super) fn parsed(&'a self) -> Self {
        Self { above: Some(self), step: Step::Parsed }
    }

    /// Further down by a pointer that somebody else has written.
    pub(super) fn pointer(&'a self, pointer: &'a str) -> Self {
        Self { above: Some(self), step: Step::Pointer(pointer) }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(above) = self.above {
            above.fmt(formatter)?;
        }
        match self.step {
            Step::Whole => Ok(()),
            Step::Member(name) => write!(formatter, "/{}", name.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => write!(formatter, "/{index}"),
            Step::Parsed => formatter.write_str(" (parsed)"),
            Step::Pointer(pointer) => formatter.write_str(pointer),
        }
    }
}
