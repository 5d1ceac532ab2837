//! What a target remembers of the runs before, below its own prefix, and who may write now. The export's
//! files never enter here.

pub(crate) mod lock;
pub mod pending;
pub(crate) mod probe;
pub mod state;
pub(crate) mod survey;
