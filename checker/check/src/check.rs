//! One check, from the folder to the report.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::contract::{Contract, ContractError};
use crate::deployment::Deployment;
use crate::external::ExternalLinks;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::raw_finding::DocumentId;
use crate::report::baseline::BaselineError;
use crate::report::result::CheckResult;
use crate::report::{Report, Summary, baseline, ignores};
use crate::resolve::live::LiveSite;
use crate::resolve::redirects::{self, Redirects};
use crate::rules::ruleset::Ruleset;
use crate::scan::incremental::cache::CachedExport;
use crate::scan::options::ScanOptions;
use crate::scan::{self, progress::Progress};
use crate::seal::CheckedFiles;
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
    /// The baseline of the contract cannot be used.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
}

impl Error {
    fn root(root: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Root { root: root.to_path_buf(), source }
    }
}

/// What is checked.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum CheckTarget<'t> {
    /// The export in a folder.
    Export(&'t Path),
    /// A live site, as far as it was fetched: what it answered counts, and nothing is said of what was not requested. That is
    /// then in [`LiveSite::take_unknown`].
    Live(&'t Arc<LiveSite>),
}

/// Checks exports and live sites against one contract.
pub struct Checker<'c> {
    contract: &'c Contract,
    rules: Ruleset,
    digest: bool,
    progress: Option<&'c Progress>,
    external: Option<&'c dyn ExternalLinks>,
}

impl<'c> Checker<'c> {
    /// Prepares the rules of a contract.
    ///
    /// # Errors
    /// If the contract names an unknown rule or option, or a file that cannot be read.
    pub fn new(contract: &'c Contract) -> Result<Checker<'c>, Error> {
        let rules = Ruleset::new(contract)?;
        Ok(Checker { contract, rules, digest: false, progress: None, external: None })
    }

    /// Whether to hash every file of an export, which a seal needs. Off by default.
    #[must_use]
    pub fn digest(self, digest: bool) -> Checker<'c> {
        Checker { digest, ..self }
    }

    /// Counts files here while they are read, for a progress line.
    #[must_use]
    pub fn progress(self, progress: &'c Progress) -> Checker<'c> {
        Checker { progress: Some(progress), ..self }
    }

    /// Checks external links too: with the answers that these give. Without, the rules about external links are off.
    #[must_use]
    pub fn external(self, links: &'c dyn ExternalLinks) -> Checker<'c> {
        Checker { external: Some(links), ..self }
    }

    /// Checks an export or a live site.
    ///
    /// # Errors
    /// If the folder cannot be listed, or the contract's baseline cannot be used. Files that cannot be read are in
    /// [`Report::unreadable`], and everything else is still checked.
    pub fn check(&self, target: CheckTarget<'_>) -> Result<Report, Error> {
        Ok(self.check_files(target)?.0)
    }

    /// Checks an export, and returns what a seal needs besides the report; [`Checker::digest`] must be on.
    ///
    /// # Errors
    /// Like [`Checker::check`].
    pub fn check_files(&self, target: CheckTarget<'_>) -> Result<(Report, CheckedFiles), Error> {
        Ok(self.run(target)?.into_report(self.contract))
    }

    /// The result of a check before its report is assembled.
    ///
    /// # Errors
    /// Like [`Checker::check`].
    #[doc(hidden)]
    pub fn run(&self, target: CheckTarget<'_>) -> Result<CheckResult, Error> {
        let (tree, live) = match target {
            CheckTarget::Export(root) => (Tree::walk(root).map_err(Error::root(root))?, None),
            CheckTarget::Live(live) => (live.tree(), Some(live)),
        };
        let tree = Arc::new(tree);
        let deployment = Deployment::infer(&tree, self.contract);
        let rules = self.rules.for_check(self.external.is_some(), live.is_some());
        let scan = ScanOptions {
            digest: self.digest && live.is_none(),
            progress: self.progress,
            external: self.external,
            cache: None,
            live,
        };
        judge((tree, deployment), self.contract, &rules, &scan)
    }
}

/// Checks an export again, or for the first time: what is kept of it says what need not be read, and what is read now is kept. It
/// must be of the same root, and of checks by the same contract.
///
/// # Errors
/// Like [`Checker::check`].
pub fn check_again(
    root: &Path,
    contract: &Contract,
    rules: &Ruleset,
    cache: &mut CachedExport,
) -> Result<CheckResult, Error> {
    let found = cache.update(root, contract).map_err(Error::root(root))?;
    judge(found, contract, rules, &ScanOptions { cache: Some(cache.files()), ..ScanOptions::default() })
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
    let site = match options.cache {
        Some(cache) => site.with_near(Arc::clone(&cache.near)),
        None => site,
    };
    let pages = site.pages().count();
    let scanned = scan::scan(&site, rules, options);
    let scan::ScanOutput { mut findings, links, mut unreadable, digests, inbound, scripts, external, .. } =
        scanned;
    let written = scanned.ignores;
    unreadable.extend(options.live.iter().flat_map(|live| live.unreadable.iter().cloned()));
    let is_stopped = external.as_ref().is_some_and(|external| external.is_stopped);
    let stopped = is_stopped.then(|| "other hosts: it was stopped before all had answered".to_owned());
    unreadable.extend(tree.unreadable.iter().cloned().chain(unread_redirects).chain(stopped));
    for finding in &mut findings {
        let location = &mut finding.raw.location;
        if location.document == DocumentId::Contract {
            *location = contract.located(location);
        }
    }
    let mut findings = ignores::rate(&site, rules, findings);
    CheckResult::sort(&mut findings, &tree);
    let ignored =
        ignores::apply(&site, rules, &mut findings, written, unreadable.is_empty() && site.is_whole());
    drop(site);
    let Scripts { read, computed, depths, .. } = scripts;
    let summary = Summary {
        files: tree.len(),
        pages,
        scripts: read,
        links,
        computed,
        ignored: ignored.len(),
        ..Summary::default()
    };
    let mut report = CheckResult {
        tree,
        deployment,
        redirects,
        findings,
        ignored,
        summary,
        live: options.live.cloned(),
        unreadable,
        is_without_pages: false,
        digests,
        inbound,
        depths,
        external,
    };
    report.recount();
    baseline::apply(&mut report, contract, rules)?;
    Ok(report)
}
