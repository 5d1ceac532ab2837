//! Runs one check, from the folder to the result.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::contract::{Contract, ContractError};
use crate::deployment::Deployment;
use crate::external::ExternalLinks;
use crate::index::scripts::Scripts;
use crate::index::site::Site;
use crate::raw_finding::{Category, DocumentId, Severity};
use crate::report::baseline::BaselineError;
use crate::report::document_names::is_git_ignored;
use crate::report::result::CheckResult;
use crate::report::{Report, Summary, baseline, ignores};
use crate::resolve::inventories::{FetchedInventories, Inventories};
use crate::resolve::live::LiveSite;
use crate::rules::empty_export;
use crate::rules::ruleset::Ruleset;
use crate::scan;
use crate::scan::cache::CachedExport;
use crate::scan::options::{Progress, ScanOptions};
use crate::seal::CheckedFiles;
use crate::walk::Tree;
use sitegate_host::redirects::Redirects;

/// An error that keeps a check from running.
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
        /// The reason.
        source: io::Error,
    },
    /// The baseline of the contract cannot be used.
    #[error(transparent)]
    Baseline(#[from] BaselineError),
}

impl Error {
    pub(crate) fn root(root: &Path) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::Root { root: root.to_path_buf(), source }
    }
}

/// The site to check.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum CheckTarget<'t> {
    /// The export in a folder.
    Export(&'t Path),
    /// A live site, by its fetched responses. URLs that have not been requested get no finding;
    /// [`LiveSite::take_unknown`] returns them.
    Live(&'t Arc<LiveSite>),
}

/// Checks exports and live sites against one contract.
pub struct Checker<'c> {
    contract: &'c Contract,
    rules: Ruleset,
    digest: bool,
    inventory: bool,
    progress: Option<&'c Progress>,
    external: Option<&'c dyn ExternalLinks>,
}

impl<'c> Checker<'c> {
    /// Prepares the rules of a contract.
    ///
    /// # Errors
    /// If the contract names an unknown rule or option, or a file that cannot be read.
    pub fn new(contract: &'c Contract) -> Result<Checker<'c>, Error> {
        Checker::with_inventories(contract, &FetchedInventories::default())
    }

    /// Prepares the rules of a contract, with the inventories that it names as URLs.
    ///
    /// # Errors
    /// As [`Checker::new`].
    #[doc(hidden)]
    pub fn with_inventories(
        contract: &'c Contract,
        fetched: &FetchedInventories,
    ) -> Result<Checker<'c>, Error> {
        let rules = Ruleset::with_inventories(contract, fetched)?;
        Ok(Checker { contract, rules, digest: false, inventory: false, progress: None, external: None })
    }

    /// Returns the inventories that the contract names.
    pub(crate) fn into_inventories(self) -> Inventories {
        self.rules.inventories
    }

    /// Sets whether to list the addresses of the site. Off by default.
    #[doc(hidden)]
    #[must_use]
    pub fn inventory(self, inventory: bool) -> Checker<'c> {
        Checker { inventory, ..self }
    }

    /// Sets whether to hash every file of an export, which a seal needs. Off by default. A hidden site is then an error.
    #[must_use]
    pub fn digest(self, digest: bool) -> Checker<'c> {
        let rules = if digest { self.rules.for_seal() } else { self.rules };
        Checker { rules, digest, ..self }
    }

    /// Sets the counter to update while files are read, for a progress line.
    #[must_use]
    pub fn progress(self, progress: &'c Progress) -> Checker<'c> {
        Checker { progress: Some(progress), ..self }
    }

    /// Checks external links too, by the answers of `links`. Without it, the rules about external links are off.
    #[must_use]
    pub fn external(self, links: &'c dyn ExternalLinks) -> Checker<'c> {
        Checker { external: Some(links), ..self }
    }

    /// Checks an export or a live site.
    ///
    /// # Errors
    /// If the folder cannot be listed, or the contract's baseline cannot be used. Unreadable files are no
    /// error: they are in [`Report::unreadable`], and everything else is checked.
    pub fn check(&self, target: CheckTarget<'_>) -> Result<Report, Error> {
        Ok(self.check_files(target)?.0)
    }

    /// Checks an export, and returns the report with the files that it covers, which can be sealed if
    /// [`Checker::digest`] is on.
    ///
    /// # Errors
    /// Like [`Checker::check`].
    pub fn check_files(&self, target: CheckTarget<'_>) -> Result<(Report, CheckedFiles), Error> {
        Ok(self.run(target)?.into_report(self.contract))
    }

    /// Runs a check without assembling its report.
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
        let rules = self.rules.for_check(self.external, live.is_some());
        let scan = ScanOptions {
            digest: self.digest && live.is_none(),
            inventory: self.inventory,
            progress: self.progress,
            external: self.external,
            cache: None,
            live,
        };
        check_tree(tree, deployment, self.contract, &rules, &scan)
    }
}

/// Checks an export, and reads only the files that have changed since the cached check. Updates the cache. All checks
/// with one cache must have the same root and the same contract.
///
/// # Errors
/// Like [`Checker::check`].
pub fn check_again(
    root: &Path,
    contract: &Contract,
    rules: &Ruleset,
    cache: &mut CachedExport,
) -> Result<CheckResult, Error> {
    let (tree, deployment) = cache.update(root, contract).map_err(Error::root(root))?;
    let options = ScanOptions { cache: Some(cache.files()), ..ScanOptions::default() };
    check_tree(tree, deployment, contract, rules, &options)
}

fn check_tree(
    tree: Arc<Tree>,
    deployment: Deployment,
    contract: &Contract,
    rules: &Ruleset,
    options: &ScanOptions<'_>,
) -> Result<CheckResult, Error> {
    // On a live site, a file of such a name has no effect.
    let find = |name: &str| match options.live {
        None => tree.find(name.as_bytes()).map(|file| tree.disk_path(file)),
        Some(_) => None,
    };
    let host = deployment.settings.host;
    let (redirects, redirects_error) = match contract.read_redirects(find, host) {
        Ok(redirects) => (redirects, None),
        Err(error) => (Redirects::of_contract(&contract.redirects), Some(error.to_string())),
    };
    let redirects = Arc::new(redirects);
    let is_editable =
        options.live.is_none() && (!contract.source_files.is_empty() || !is_git_ignored(tree.root()));
    let mut site = Site::new(&tree, contract, &deployment.settings, Arc::clone(&redirects))
        .with_live_site(options.live.cloned())
        .with_inventories(&rules.inventories);
    site.is_editable = is_editable;
    if let Some(cache) = options.cache {
        site.suggestions = Arc::clone(&cache.near);
    }
    let pages = site.pages().count();
    let scan::ScanOutput {
        mut findings,
        links,
        mut unreadable,
        ignores: inline_ignores,
        digests,
        inbound,
        scripts,
        external,
        inventory,
    } = scan::scan(&site, rules, options);
    unreadable.extend(options.live.iter().flat_map(|live| live.unreadable.iter().cloned()));
    unreadable.extend(tree.unreadable.iter().cloned().chain(redirects_error));
    if external.as_ref().is_some_and(|external| external.stopped) {
        unreadable.push("external links: stopped before all hosts had answered".to_owned());
    }
    for finding in &mut findings {
        let location = &mut finding.location;
        if location.document == DocumentId::Contract {
            *location = contract.located(location);
        }
    }
    let mut findings = ignores::rate(&site, rules, findings);
    CheckResult::sort(&mut findings, &tree);
    let is_complete = unreadable.is_empty() && site.is_whole();
    let ignored = ignores::apply(&site, rules, &mut findings, inline_ignores, is_complete);
    if findings
        .iter()
        .any(|found| found.severity == Severity::Error && found.rule.id == empty_export::INFO.id)
    {
        // Without pages, every requirement fails for the same reason.
        findings.retain(|found| found.rule.category != Category::Contract);
    }
    drop(site);
    let inventory = inventory
        .and_then(|made| made.map_err(|error| unreadable.push(format!("the inventory: {error}"))).ok());
    let Scripts { read, computed, depths, .. } = scripts;
    let summary = Summary {
        files: tree.len(),
        pages,
        scripts: read,
        links,
        computed: computed.len(),
        ignored: ignored.len(),
        ..Summary::default()
    };
    let mut result = CheckResult {
        tree,
        deployment,
        redirects,
        findings,
        ignored,
        summary,
        is_editable,
        live: options.live.cloned(),
        unreadable,
        is_without_pages: false,
        digests,
        inbound,
        depths,
        computed,
        external,
        inventory,
    };
    result.recount();
    baseline::apply(&mut result, contract, rules)?;
    Ok(result)
}
