//! The gate a static site must pass before it goes live.
//!
//! One flow, one direction: [`walk`] lists the files of an export, [`parse`] reads each of them once, in parallel,
//! into facts, [`resolve`] finds where every reference leads, [`index`] joins what the files say, [`rules`] turn that
//! into diagnostics, [`report`] takes out what is excused or known, [`output`] prints the rest. A clean result is
//! worth a [`seal`], and nothing is published without one.
//!
//! No network and no async code ever enters here.

mod check;
pub mod contract;
pub mod diagnostic;
pub mod hex;
mod host_name;
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

pub use check::{Options, check};
pub use report::FileDigest;
pub use rules::ruleset::Ruleset;
pub use scan::progress::Progress;
