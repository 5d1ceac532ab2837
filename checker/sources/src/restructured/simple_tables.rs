//! Simple tables.
