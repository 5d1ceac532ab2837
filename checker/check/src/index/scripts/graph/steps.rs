//! Limits the work of following the graph. An export could otherwise make it unbounded, by giving each script another
//! meaning on each page.

use std::cell::Cell;

/// The remaining steps.
pub(super) struct Steps {
    remaining: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl Default for Steps {
    fn default() -> Self {
        Steps { remaining: Cell::new(Steps::LIMIT), is_exceeded: Cell::new(false) }
    }
}

impl Steps {
    /// Maximum number of steps. With 10,000 scripts these are 5,000 for each.
    const LIMIT: usize = 50_000_000;

    /// Steps to add a script to a realm.
    pub const NODE: usize = 20;

    /// Steps to resolve a URL.
    pub const ADDRESS: usize = 10;

    /// Steps to compare a script with the others of its bundle.
    pub const BUNDLED: usize = 20;

    /// Spends some steps. Returns false if there are not enough.
    pub fn spend(&self, steps: usize) -> bool {
        let remaining = self.remaining.get().checked_sub(steps);
        self.remaining.set(remaining.unwrap_or(0));
        self.is_exceeded.set(self.is_exceeded.get() || remaining.is_none());
        remaining.is_some()
    }

    /// Returns a message if the limit was reached.
    pub fn limit_message(&self) -> Option<&'static str> {
        let message = "scripts load each other in too many ways; not all of them were followed";
        self.is_exceeded.get().then_some(message)
    }
}
