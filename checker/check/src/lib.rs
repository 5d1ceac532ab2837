//! Checks the export of a static site against a contract, without network access.
//!
//! A [`Contract`] describes the site and sets the rules. A [`Checker`] checks an export or a fetched live site
//! ([`CheckTarget`]). [`write()`] renders the [`Report`] in any [`OutputFormat`] without reading another file. A report
//! saved as JSON can be read back with [`Report::from_json`].
//!
//! ```
//! use sitegate_check::{CheckTarget, Checker, Contract};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let export = tempfile::tempdir()?;
//! std::fs::write(export.path().join("index.html"), "<!doctype html><a href=\"/gone/\">Prices</a>")?;
//!
//! let contract = Contract::defaults();
//! let report = Checker::new(&contract)?.check(CheckTarget::Export(export.path()))?;
//! for finding in &report.findings {
//!     println!("{}:{}: {}: {}", finding.path(), finding.line, finding.severity, finding.message);
//! }
//! assert!(report.findings.iter().any(|finding| &*finding.rule == "broken-link"));
//! # Ok(())
//! # }
//! ```
//!
//! # External links
//!
//! This crate sends no requests. [`Checker::external`] takes an [`ExternalLinks`], which collects the URLs during a
//! check and returns the answers of their hosts.
//!
//! # Seals
//!
//! A [`Seal`] is a checksum list of the exact files that passed: [`Checker::check_files`], then [`CheckedFiles::seal`].
//!
//! # Stages
//!
//! Each stage is a module:
//! `walk → parse → resolve → index → rules → ignore and baseline → source mapping → report → renderer → seal`.

mod assemble;
mod auto_hashes;
mod check;
mod contract;
mod csp;
mod deployment;
mod external;
mod generator;
mod index;
mod init;
mod output;
mod page_facts;
mod page_moves;
mod parse;
mod project;
mod raw_finding;
mod redirect_edits;
mod redirect_proposals;
mod report;
mod resolve;
mod rules;
mod scan;
mod seal;
mod source_map;
mod walk;

pub use check::{CheckTarget, Checker, Error};
pub use contract::{Contract, ContractError};
pub use external::{ExternalAnswer, ExternalAnswers, ExternalLinks, ExternalVerdict, HostTime};
pub use output::{OutputFormat, RenderOptions, write};
pub use raw_finding::{Category, Certainty, RuleInfo, Severity};
pub use report::baseline::BaselineError;
pub use report::causes::Grouping;
pub use report::excerpt::Snippet;
pub use report::external_hosts::{ExternalHost, ExternalHosts, HostCounts};
pub use report::finding::{
    CommonCause, Document, Finding, Fix, IgnoreSummary, IgnoredFinding, SourceEdit, SourcePlace, Span,
    WrittenSource,
};
pub use report::read::LoadError;
pub use report::{InboundLinks, InferredValue, LinkedPage, Report, Summary, Tool, Verdict};
pub use resolve::live::LiveSite;
pub use rules::rules;
pub use scan::options::Progress;
pub use seal::{CheckedFiles, Seal, SealError, SealedFile};

/// Items for the other crates and the tests of this project. They may change in any release.
#[doc(hidden)]
pub mod internal {
    pub use crate::check::check_again;
    pub use crate::report::FileDigest;
    pub use crate::rules::ruleset::Ruleset;
    pub use crate::scan::incremental::cache::CachedExport;

    pub mod auto_hashes {
        pub use crate::auto_hashes::*;
    }
    pub mod contract {
        pub use crate::contract::*;
    }
    pub mod csp {
        pub use crate::csp::*;
    }
    pub mod deployment {
        pub use crate::deployment::*;
    }
    pub mod raw_finding {
        pub use crate::raw_finding::*;
    }
    pub mod external {
        pub use crate::external::*;
    }
    pub mod index {
        pub use crate::index::*;
    }
    pub mod init {
        pub use crate::init::*;
    }
    pub mod output {
        pub use crate::output::*;
    }
    pub mod page_facts {
        pub use crate::page_facts::*;
    }
    pub mod redirect_edits {
        pub use crate::redirect_edits::*;
    }
    pub mod page_moves {
        pub use crate::page_moves::*;
    }
    pub mod parse {
        pub use crate::parse::*;
    }
    pub mod project {
        pub use crate::project::*;
    }
    pub mod redirect_proposals {
        pub use crate::redirect_proposals::*;
    }
    pub mod report {
        pub use crate::report::*;
    }
    pub mod resolve {
        pub use crate::resolve::*;
    }
    pub mod rules {
        pub use crate::rules::*;
    }
    pub mod seal {
        pub use crate::seal::*;
    }
    pub mod source_map {
        pub use crate::source_map::*;
    }
    pub mod walk {
        pub use crate::walk::*;
    }
}
