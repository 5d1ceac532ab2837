//! Grid tables.
