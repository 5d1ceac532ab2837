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
mod file_digest;
mod generator;
mod index;
mod init;
mod migration;
mod output;
mod page_facts;
mod page_moves;
#[cfg(not(fuzzing))]
mod parse;
// The targets of cargo-fuzz parse files without a check.
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod parse;
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

// The check.
pub use check::{CheckTarget, Checker, Error, check_again};
pub use report::changes::PreviousFindings;
pub use report::result::CheckResult;
pub use rules::ruleset::Ruleset;
pub use rules::{find_rule, rules, suggest_rule};
pub use scan::cache::CachedExport;
pub use scan::options::Progress;
pub use walk::{StoredFile, Tree};

// The contract.
pub use auto_hashes::{has_auto_hashes, has_hashes_per_page, resolve_auto_hashes};
pub use contract::headers::{UnlikeHeader, headers_for, unlike_headers};
pub use contract::{
    BaselineFile, CONTRACT_FILE, Contract, ContractError, ExternalSettings, HeaderRule, HostPace,
    InventorySource, OUTPUT_KIND, Permissions, SiteSettings, is_target,
};
pub use deployment::Deployment;
pub use init::{DraftError, check_draft, draft_contract, find_exports, findings_by_rule};
pub use migration::{MigratedContract, MigrationError, migrate, migrated_options};
pub use project::Project;
pub use rules::contract_schema::contract_schema;

// The report.
pub use output::report_schema;
pub use output::{OutputFormat, RenderOptions, ignored_note, write};
pub use raw_finding::{Category, Certainty, DocumentId, RawFinding, RuleInfo, Severity};
pub use report::baseline::CheckScope;
pub use report::baseline::{BaselineError, KeyCounts};
pub use report::baseline_writer::{left_out_of_baseline, prepare_baseline, prune_baseline, write_baseline};
pub use report::excerpt::Snippet;
pub use report::finding::{
    CommonCause, Document, Finding, Fix, IgnoreSummary, IgnoredFinding, SourceEdit, SourcePlace, Span,
    WrittenSource,
};
pub use report::locator::FindingLocator;
pub use report::{InboundLinks, InferredValue, LinkedPage, LoadError, Report, Summary, Tool, Verdict};

// Sources of findings, moves of pages, and redirects.
pub use page_moves::{MoveError, MovePlan, plan_move};
pub use redirect_edits::{
    ChangedRedirect, FoundFile, NoRedirectsFile, RedirectEdit, RedirectEditError, RedirectSite,
    RedirectsFile, RefusedRedirect, edit_redirects, entries_to_add, hiding_redirects,
};
pub use redirect_proposals::{Before, MovedAnchor, RedirectProposal, RedirectProposals, propose_redirects};
pub use source_map::{SourceHistory, SourceRename};

// External links, live sites, and inventories: what a crate with a network sends and gets.
pub use external::{
    ExternalAnswer, ExternalAnswers, ExternalHost, ExternalHosts, ExternalLinks, ExternalVerdict, HostCounts,
    HostTime,
};
pub use parse::Format;
pub use parse::fetched::{
    FoundUrl, PageFragments, exported_path, found_urls, is_checkable_fragment, is_page_path,
    is_read_for_urls, page_in_utf8,
};
pub use resolve::inventories::{FetchedInventories, FetchedInventory};
pub use resolve::live::{LiveAnswer, LiveFile, LiveSite, SecondAddress, ServerBehavior, UnknownPathAnswer};
pub use resolve::{Resolver, Target};

// Seals, and facts of pages for reviews.
pub use file_digest::FileDigest;
pub use page_facts::{Export, collect_export, collect_exports, collect_live};
pub use seal::{CheckedFiles, Seal, SealError, SealedCommit, SealedFile, contract_digest, tree_digest};

// Tests of the parser and of its facts, which are no part of the interface.
#[cfg(test)]
#[path = "../tests/parsing/mod.rs"]
mod parsing_tests;
