//! The state that a target stores below its own prefix, and the lease that protects it.

pub(crate) mod conditional_writes;
pub(crate) mod lease;
pub mod pending;
pub(crate) mod snapshot;
pub mod state;
