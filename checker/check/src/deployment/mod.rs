//! Where a site lives, from what its export says: origin, base path, host and how pages are addressed, as far as the
//! contract leaves them open and the export is of one mind.
//!
//! It looks at a bounded part of the export (see [`sample`]), so that it costs the same for every size, and takes only
//! what at least two thirds of what is said agree on. What was taken is told with its evidence, and the contract
//! overrules it.

mod host;
mod links;
mod page_urls;
mod sample;
mod statements;

use sitegate_base::sanitize::visible;

use crate::contract::{Contract, SiteSettings, TrailingSlash};
use crate::walk::{FileId, Tree};
use links::OwnLinks;
use sample::Sample;
use statements::Statements;

/// A setting that was taken from the export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredSetting {
    /// Its key in the contract's `[site]`.
    pub key: &'static str,
    /// Its value, as the contract would write it, without quotes.
    pub value: String,
    /// What says so.
    pub evidence: String,
}

/// Where a site lives.
#[derive(Clone, Debug, Default)]
pub struct Deployment {
    /// What the contract says, and what was taken.
    pub settings: SiteSettings,
    /// What was taken, in the order of the contract's keys.
    pub inferred: Vec<InferredSetting>,
}

impl Deployment {
    /// Where the site of an export lives. What cannot be read says nothing here; the check reports it.
    pub fn infer(tree: &Tree, contract: &Contract) -> Deployment {
        let mut found = Deployment { settings: contract.site.clone(), inferred: Vec::new() };
        let is_settled = contract.site.origin.is_some()
            && contract.site.has_base_path
            && contract.site.host.is_some()
            && contract.site.has_trailing_slash;
        if is_settled || tree.is_empty() {
            return found;
        }
        let sample = Sample::read(tree);
        let links = OwnLinks::of(&sample, tree);
        let statements = Statements::of(&sample, tree);
        found.place(&statements, &links, tree);
        // A host that the contract names says by itself how it answers.
        if contract.site.host.is_none() {
            found.host(&sample, tree);
            found.clean_urls(&links, tree);
        }
        found.trailing_slash(&statements, &sample, tree);
        found
    }

    /// The files of an export that say where it lives.
    pub(crate) fn sampled_files(tree: &Tree) -> Vec<FileId> {
        Sample::files(tree)
    }

    /// Notes what was taken.
    fn take(&mut self, key: &'static str, value: impl Into<String>, evidence: String) {
        let value = value.into();
        tracing::info!("inferred site.{key} = {}: {}", visible(&value), visible(&evidence));
        self.inferred.push(InferredSetting { key, value, evidence });
    }

    /// Takes the origin and the base path. Links that share a prefix are what browsers follow, so they decide the path;
    /// an origin whose addresses have another path is then not sure, and neither is one whose path links contradict.
    fn place(&mut self, statements: &Statements, links: &OwnLinks, tree: &Tree) {
        let given = self.settings.origin.clone();
        let linked = links.prefix().filter(|_| !self.settings.has_base_path);
        let path = linked.as_ref().map(|(path, _)| path.clone());
        let path = path.or_else(|| self.settings.has_base_path.then(|| self.settings.base_path.clone()));
        let said = statements.agreed(given.as_ref(), tree).filter(|said| match &path {
            Some(path) => said.base_path == *path,
            None => said.base_path == "/" || !links.contradict(&said.base_path, tree),
        });
        if let Some(said) = &said
            && given.is_none()
            && links.are_whole(&said.origin, &said.base_path, tree)
        {
            self.settings.origin = Some(said.origin.clone());
            self.take("origin", said.origin.as_str().trim_end_matches('/'), said.evidence.clone());
        }
        let known = self.settings.origin.is_some();
        let stated =
            said.filter(|said| known && said.base_path != "/").map(|said| (said.base_path, said.evidence));
        if let Some((path, evidence)) = linked.or(stated)
            && !self.settings.has_base_path
        {
            self.settings.base_path.clone_from(&path);
            self.take("base-path", path, evidence);
        }
    }

    /// Takes the host.
    fn host(&mut self, sample: &Sample, tree: &Tree) {
        if let Some((host, evidence)) = host::find(sample, self.settings.origin.as_ref(), tree) {
            self.settings.host = Some(host);
            self.take("host", host.name(), evidence);
        }
    }

    /// Takes that pages are addressed without `.html`, where the host does not see to that by itself.
    fn clean_urls(&mut self, links: &OwnLinks, tree: &Tree) {
        if self.settings.clean_urls.is_none()
            && !self.settings.host.is_some_and(host::adds_html)
            && let Some(evidence) = page_urls::clean(links, &self.settings.base_path, tree)
        {
            self.settings.clean_urls = Some(true);
            self.take("clean-urls", "true", evidence);
        }
    }

    /// Takes that addresses of directories have no slash at their end. A host that is known to add one keeps it.
    fn trailing_slash(&mut self, statements: &Statements, sample: &Sample, tree: &Tree) {
        if !self.settings.has_trailing_slash
            && !self.settings.host.is_some_and(host::adds_slash)
            && let Some(evidence) = page_urls::without_slash(statements, sample, &self.settings, tree)
        {
            self.settings.trailing_slash = TrailingSlash::Never;
            self.take("trailing-slash", "never", evidence);
        }
    }
}
