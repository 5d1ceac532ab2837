//! Holds a static site's export to a contract: bytes in, report out. Nothing here speaks to a network or waits for
//! anything but the disk.
//!
//! One flow, one direction, a layer a step. [`walk`] lists the files of the export, and [`deployment`] looks where it lives. [`parse`] makes facts of each
//! file's bytes, in parallel. [`resolve`] says where each reference leads on the site's host. [`index`] joins the facts
//! of all files. [`rules`] turn facts and index into findings. [`report`] weighs and sorts them, takes out what is
//! excused or known, and gives the verdict; [`source_map`] looks where they were written; [`output`] prints it. Only a pass is worth a [`seal`].
//!
//! ```no_run
//! use std::path::Path;
//! use sitegate_check::contract::Contract;
//! use sitegate_check::{CheckTarget, Checker};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let contract = Contract::load(Path::new("sitegate.toml"))?;
//! let report = Checker::new(&contract)?.check(CheckTarget::Export(Path::new("dist")))?;
//! println!("{} errors", report.summary.errors);
//! # Ok(())
//! # }
//! ```

mod assemble;
mod check;
pub mod contract;
pub mod deployment;
pub mod diagnostic;
pub mod external;
mod generator;
pub mod index;
pub mod init;
pub mod output;
pub mod parse;
pub mod project;
pub mod report;
pub mod resolve;
pub mod rules;
mod scan;
pub mod seal;
pub mod source_map;
pub mod walk;

pub use check::{CheckTarget, Checker, Error, check_again};
pub use report::FileDigest;
pub use rules::ruleset::Ruleset;
pub use scan::kept::KeptExport;
pub use scan::progress::Progress;
