//! Tests `edits::apply` in repositories: which files are written, that all else is as before, and that `git apply` makes
//! the same of the patch.

#![allow(clippy::unwrap_used, clippy::disallowed_methods)] // tests start Git

mod moves;
mod random_changes;
mod refusals;
mod repository;
mod staging;
