//! The gate a static site must pass before it goes live.
//!
//! One flow, one direction: [`walk`] lists the files of an export, [`parse`] reads each HTML page and style
//! sheet once, in parallel, [`href`] finds where every reference leads, [`index`] joins what pages define
//! and use, [`rules`] turn that into diagnostics, [`exceptions`] and [`baseline`] take out what is allowed or
//! known, [`output`] prints the rest. A clean result is worth a seal,
//! and [`publish`] accepts nothing else.

mod check;
pub mod contract;
pub mod diagnostic;
pub mod files;
pub mod hashed_name;
pub mod hex;
pub mod index;
pub mod init;
mod nearest;
pub mod output;
pub mod parse;
pub mod report;
pub mod resolve;
pub mod rules;
mod scan;
pub mod schema;
pub mod seal;
pub mod walk;

/// The program's name, as reports and seals give it.
pub const PROGRAM: &str = "sitegate";

pub use check::{Options, check};
pub use report::FileDigest;
pub use scan::progress::Progress;
