//! How much following the graph may take: an export can make it more than there are scripts, by giving each of them another meaning on
//! each page.

use std::cell::Cell;

/// Steps that are left.
pub(super) struct Steps {
    left: Cell<usize>,
    is_cut: Cell<bool>,
}

impl Default for Steps {
    fn default() -> Self {
        Steps { left: Cell::new(Steps::MOST), is_cut: Cell::new(false) }
    }
}

impl Steps {
    /// Where there are 10,000 scripts, these are 5,000 for each.
    const MOST: usize = 50_000_000;

    /// What a script weighs that is asked for, in a place where names mean something of their own.
    pub const NODE: usize = 20;

    /// What an address weighs that is looked up.
    pub const ADDRESS: usize = 10;

    /// What a script weighs that others of its bundle are asked about.
    pub const BUNDLED: usize = 20;

    /// Takes some; whether there were so many.
    pub fn take(&self, steps: usize) -> bool {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        self.is_cut.set(self.is_cut.get() || left.is_none());
        left.is_some()
    }

    /// Why not everything was followed, where that is so.
    pub fn cut(&self) -> Option<&'static str> {
        let why = "scripts ask for each other in too many ways, so that not all of them were followed";
        self.is_cut.get().then_some(why)
    }
}
