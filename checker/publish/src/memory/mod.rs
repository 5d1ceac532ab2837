//! What a target remembers of the runs before, below its own prefix, and who may write now.

pub mod lock;
pub(crate) mod probe;
pub mod state;
pub mod survey;
