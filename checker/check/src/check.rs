//! One check, from the folder to the report.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::contract::{Contract, ContractError};
use crate::deployment::Deployment;
use crate::diagnostic::Place;
use crate::external::World;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::report::result::CheckResult;
use crate::report::{Summary, baseline, exceptions};
use crate::resolve::live::LiveSite;
use crate::resolve::redirects::{self, Redirects};
use crate::rules::ruleset::Ruleset;
use crate::scan::kept::KeptExport;
use crate::scan::options::ScanOptions;
use crate::scan::{self, progress::Progress};
use crate::walk::Tree;

/// Why a check could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The contract cannot be used.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The folder of the export cannot be listed.
    #[error("{}: {source}", root.display())]
    Root {
        /// The folder.
        root: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The baseline of the contract cannot be used; the message says why, and what to do.
    #[error("{0}")]
    Baseline(String),
}

impl Error {
    fn root(root: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Root { root: root.to_path_buf(), source }
    }
}

/// How a check is to be run.
#[derive(Default)]
pub struct Options<'p> {
    /// Whether to hash every file for a seal.
    pub digest: bool,
    /// Where to count files for a progress line.
    pub progress: Option<&'p Progress>,
    /// Who asks other hosts; without, nothing that leads there is looked at.
    pub world: Option<&'p dyn World>,
}

/// Checks the export in `root` against a contract, whose rules are `rules`.
///
/// # Errors
/// When `root` cannot be listed. What cannot be read further down is in [`CheckResult::unread`], so that
/// everything else is still checked.
pub fn check(
    root: &Path,
    contract: &Contract,
    rules: &Ruleset,
    options: &Options<'_>,
) -> Result<CheckResult, Error> {
    let tree = Arc::new(Tree::walk(root).map_err(Error::root(root))?);
    let deployment = Deployment::infer(&tree, contract);
    let scan = ScanOptions {
        digest: options.digest,
        progress: options.progress,
        world: options.world,
        kept: None,
        live: None,
    };
    judge((tree, deployment), contract, rules, &scan)
}

/// Checks a live site as it was fetched, by the rules of an export: what it answered counts, and of what was not asked nothing is
/// said. What would have to be asked for more is then in [`LiveSite::take_unknown`].
///
/// # Errors
/// Like [`check`].
pub fn check_live(
    live: &Arc<LiveSite>,
    contract: &Contract,
    rules: &Ruleset,
    options: &Options<'_>,
) -> Result<CheckResult, Error> {
    let tree = Arc::new(live.tree());
    let deployment = Deployment::infer(&tree, contract);
    let scan = ScanOptions {
        progress: options.progress,
        world: options.world,
        live: Some(live),
        ..ScanOptions::default()
    };
    judge((tree, deployment), contract, rules, &scan)
}

/// Checks an export again, or for the first time: what is kept of it says what need not be read, and what is read now is kept. It
/// must be of the same root, and of checks by the same contract.
///
/// # Errors
/// Like [`check`].
pub fn check_again(
    root: &Path,
    contract: &Contract,
    rules: &Ruleset,
    kept: &mut KeptExport,
) -> Result<CheckResult, Error> {
    let found = kept.update(root, contract).map_err(Error::root(root))?;
    judge(found, contract, rules, &ScanOptions { kept: Some(kept.files()), ..ScanOptions::default() })
}

fn judge(
    (tree, deployment): (Arc<Tree>, Deployment),
    contract: &Contract,
    rules: &Ruleset,
    options: &ScanOptions<'_>,
) -> Result<CheckResult, Error> {
    let file = tree.find(redirects::FILE_NAME.as_bytes()).map(|file| tree.disk_path(file));
    // What a live site serves under this name is a file as any other.
    let file = file.filter(|_| options.live.is_none());
    let redirects = Redirects::read(file.as_deref(), deployment.settings.host, &contract.redirects);
    let (redirects, unread_redirects) = match redirects {
        Ok(redirects) => (redirects, None),
        Err(error) => (Redirects::of_contract(&contract.redirects), Some(error.to_string())),
    };
    let redirects = Arc::new(redirects);
    let site = Site::new(&tree, contract, &deployment.settings, Arc::clone(&redirects));
    let site = site.of_live(options.live.cloned());
    let site = match options.kept {
        Some(kept) => site.with_near(Arc::clone(&kept.near)),
        None => site,
    };
    let pages = site.pages().count();
    let scanned = scan::scan(&site, rules, options);
    let scan::Scan { mut diagnostics, links, mut unread, digests, inbound, scripts, elsewhere, .. } = scanned;
    let written = scanned.exceptions;
    unread.extend(options.live.iter().flat_map(|live| live.unread.iter().cloned()));
    let is_stopped = elsewhere.as_ref().is_some_and(|elsewhere| elsewhere.is_stopped);
    let stopped = is_stopped.then(|| "other hosts: it was stopped before all had answered".to_owned());
    unread.extend(tree.unread.iter().cloned().chain(unread_redirects).chain(stopped));
    for diagnostic in &mut diagnostics {
        if diagnostic.location.place == Place::Contract {
            diagnostic.location = contract.located(&diagnostic.location);
        }
    }
    exceptions::weigh(&site, rules, &mut diagnostics);
    CheckResult::sort(&mut diagnostics, &tree);
    let excused =
        exceptions::apply(&site, rules, &mut diagnostics, written, unread.is_empty() && site.is_whole());
    drop(site);
    let Scripts { read, computed, depths, .. } = scripts;
    let summary = Summary {
        files: tree.len(),
        pages,
        scripts: read,
        links,
        computed,
        ignored: excused.len(),
        ..Summary::default()
    };
    let mut report = CheckResult {
        tree,
        deployment,
        redirects,
        diagnostics,
        excused,
        summary,
        live: options.live.cloned(),
        unread,
        is_without_pages: false,
        digests,
        inbound,
        depths,
        elsewhere,
    };
    report.recount();
    baseline::apply(&mut report, contract, rules).map_err(Error::Baseline)?;
    Ok(report)
}
