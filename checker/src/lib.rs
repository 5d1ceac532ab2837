//! The gate a static site must pass before it goes live.
//!
//! One flow, one direction: [`walk`] lists the files of an export, [`parse`] reads each HTML page and style
//! sheet once, in parallel, [`href`] finds where every reference leads, [`index`] joins what pages define
//! and use, [`rules`] turn that into diagnostics, [`exceptions`] and [`baseline`] take out what is allowed or
//! known, [`output`] prints the rest. A clean result is worth a seal,
//! and [`publish`] accepts nothing else.

pub mod baseline;
pub mod compression;
pub mod config;
pub mod contract;
pub mod diagnostic;
pub mod edge;
pub mod exceptions;
pub mod facts;
pub mod href;
pub mod index;
pub mod init;
pub mod output;
pub mod parse;
pub mod publish;
pub mod redirects;
pub mod rules;
mod scan;
pub mod serve;
mod suggest;
pub mod walk;
pub mod watch;

use std::path::Path;

use config::{Config, Host};
use diagnostic::{Place, Report, Summary};
use index::Site;
use redirects::Redirects;
use walk::Tree;

pub use scan::{FileDigest, Progress};

/// How a check is to be run.
#[derive(Default)]
pub struct Options<'p> {
    /// Whether to hash every file for a seal.
    pub digest: bool,
    /// Where to count files for a progress line.
    pub progress: Option<&'p Progress>,
}

/// Checks the export in `root` against a contract.
///
/// # Errors
/// When `root` cannot be listed. What cannot be read further down is in [`Report::unread`], so that
/// everything else is still checked.
pub fn check(root: &Path, config: &Config, options: &Options<'_>) -> Result<Report, String> {
    let tree = Tree::walk(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let own = Progress::default();
    let redirects = read_redirects(&tree, config)?;
    let site = Site::new(&tree, config, redirects.clone());
    let pages = site.pages().count();
    let scanned = scan::scan(&site, options.digest, options.progress.unwrap_or(&own));
    let scan::Scan { mut diagnostics, links, mut unread, notes, digests, inbound } = scanned;
    unread.extend(tree.unread.iter().cloned());
    for diagnostic in &mut diagnostics {
        if diagnostic.location.place == Place::Contract {
            diagnostic.location = config.located(&diagnostic.location);
        }
    }
    exceptions::weigh(&site, &mut diagnostics);
    Report::sort(&mut diagnostics, &tree);
    let ignored = exceptions::apply(&site, &mut diagnostics, notes, unread.is_empty());
    drop(site);
    let summary = Summary { files: tree.len(), pages, links, ignored, ..Summary::default() };
    let mut report = Report { tree, redirects, diagnostics, summary, unread, digests, inbound };
    report.recount();
    baseline::apply(&mut report, config)?;
    Ok(report)
}

/// Reads the redirects file, where there is one and the host obeys it, and adds those of the contract.
fn read_redirects(tree: &Tree, config: &Config) -> Result<Redirects, String> {
    let obeyed = matches!(config.site.host, None | Some(Host::Netlify));
    let mut redirects = match tree.find(redirects::FILE_NAME.as_bytes()).filter(|_| obeyed) {
        None => Redirects::default(),
        Some(file) => std::fs::read_to_string(tree.disk_path(file))
            .map(|source| Redirects::parse(&source))
            .map_err(|error| format!("{}: {error}", redirects::FILE_NAME))?,
    };
    redirects.extend(&config.redirects);
    Ok(redirects)
}
