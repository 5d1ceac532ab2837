//! The state that a target stores below its own prefix, and the lease that protects it.

pub(crate) mod foreign;
pub(crate) mod keys;
pub mod known_edge;
pub(crate) mod lease;
pub mod pending;
pub(crate) mod probe;
pub(crate) mod rivals;
pub(crate) mod snapshot;
pub mod state;
