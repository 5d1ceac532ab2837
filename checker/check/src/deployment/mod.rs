//! Infers the deployment of a site from its export: origin, base path, host and URL style. The contract overrides it.
//!
//! It reads a bounded part of the export (see [`sample`]), so its cost does not depend on the export's size. It infers
//! a setting only if at least two thirds of the evidence agree. Reports show each inferred setting with its evidence.

mod conventions;
pub(crate) mod likely_root;
mod links;
mod sample;
mod statements;

use sitegate_base::sanitize::visible;

use crate::contract::{Contract, SiteSettings};
use crate::walk::{FileId, Tree};
pub use conventions::host_of_domain;
use likely_root::is_inside_export;
use links::OwnLinks;
use sample::Sample;
use sitegate_host::TrailingSlash;
use sitegate_host::redirects::address_settings;
use statements::Statements;

/// A setting that was inferred from the export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredSetting {
    /// Key in the contract's `[site]`.
    pub key: &'static str,
    /// Value as the contract would write it, without quotes.
    pub value: String,
    /// Evidence for the value.
    pub evidence: String,
}

/// The deployment of a site: its settings, given and inferred.
#[derive(Clone, Debug, Default)]
pub struct Deployment {
    /// Settings of the contract, completed by the inferred ones.
    pub settings: SiteSettings,
    /// Inferred settings, in the order of the contract's keys.
    pub inferred: Vec<InferredSetting>,
}

impl Deployment {
    /// Infers the deployment of an export. Ignores files that cannot be read; the check reports them.
    pub fn infer(tree: &Tree, contract: &Contract) -> Deployment {
        let mut deployment = Deployment { settings: contract.site.clone(), inferred: Vec::new() };
        let is_settled = contract.site.origin.is_some()
            && contract.site.has_base_path
            && contract.site.host.is_some()
            && contract.site.has_trailing_slash;
        if tree.is_empty() {
            return deployment;
        }
        if is_settled {
            deployment.read_address_settings(contract, tree);
            return deployment;
        }
        let sample = Sample::read(tree);
        let links = OwnLinks::collect(&sample, tree);
        let statements = Statements::collect(&sample, tree);
        deployment.infer_origin_and_base_path(&statements, &links, tree);
        if contract.site.host.is_none()
            && let Some(config) = &contract.host_config
        {
            deployment.settings.host = Some(config.host);
            deployment.record("host", config.host.name(), "site.host-config".to_owned());
        } else if contract.site.host.is_none() {
            deployment.infer_host(&sample, tree);
        }
        deployment.read_address_settings(contract, tree);
        // If the contract names the host, its URL style is known.
        if contract.site.host.is_none() {
            deployment.infer_clean_urls(&links, tree);
        }
        deployment.infer_trailing_slash(&statements, &sample, tree);
        deployment
    }

    /// Returns the files that the deployment is inferred from.
    pub(crate) fn sampled_files(tree: &Tree) -> Vec<FileId> {
        Sample::files(tree)
    }

    /// Records an inferred setting.
    fn record(&mut self, key: &'static str, value: impl Into<String>, evidence: String) {
        let value = value.into();
        tracing::info!("inferred site.{key} = {}: {}", visible(&value), visible(&evidence));
        self.inferred.push(InferredSetting { key, value, evidence });
    }

    /// Infers the origin and the base path. Links that share a prefix decide the base path, because browsers follow
    /// them.
    /// The origin is not inferred if its URLs have another base path, or if links contradict it.
    fn infer_origin_and_base_path(&mut self, statements: &Statements, links: &OwnLinks, tree: &Tree) {
        let given = self.settings.origin.clone();
        let linked = if self.settings.has_base_path { None } else { links.base_path() };
        let linked = linked.filter(|(path, _)| !is_inside_export(links, path, tree));
        let path = linked.as_ref().map(|(path, _)| path.clone());
        let path = path.or_else(|| self.settings.has_base_path.then(|| self.settings.base_path.clone()));
        let stated = statements.infer(given.as_ref(), tree);
        let contradiction = stated.as_ref().filter(|stated| path.is_none() && stated.base_path != "/");
        let contradiction = contradiction.and_then(|url| {
            let rooted = links.contradict_base_path(&url.base_path, tree)?;
            Some((format!("{}{}", url.origin, url.base_path.trim_start_matches('/')), rooted))
        });
        let stated = stated.filter(|stated| match &path {
            Some(path) => stated.base_path == *path,
            None => contradiction.is_none(),
        });
        if given.is_none() && stated.is_none() {
            self.settings.canonical_host = statements.contradicted_canonical_host().map(str::to_owned);
        }
        self.settings.contradicted_url = contradiction.filter(|_| given.is_none());
        if let Some(stated) = &stated
            && given.is_none()
            && links.cover_most_of_site(&stated.origin, &stated.base_path, tree)
        {
            self.settings.origin = Some(stated.origin.clone());
            self.record("origin", stated.origin.as_str().trim_end_matches('/'), stated.evidence.clone());
        }
        let known = self.settings.origin.is_some();
        let stated = stated
            .filter(|stated| known && stated.base_path != "/")
            .map(|stated| (stated.base_path, stated.evidence));
        if let Some((base_path, evidence)) = linked.or(stated)
            && !self.settings.has_base_path
        {
            self.settings.base_path.clone_from(&base_path);
            self.record("base-path", base_path, evidence);
        }
    }

    /// Infers the host.
    fn infer_host(&mut self, sample: &Sample, tree: &Tree) {
        if let Some((host, evidence)) = conventions::infer_host(sample, self.settings.origin.as_ref(), tree) {
            self.settings.host = Some(host);
            self.record("host", host.name(), evidence);
        }
    }

    /// Reads what the host's configuration file says of addresses. The contract comes before it.
    ///
    /// Without `cleanUrls` the links decide: builders of frameworks on Vercel serve clean addresses without it, too.
    fn read_address_settings(&mut self, contract: &Contract, tree: &Tree) {
        let Some(host) = self.settings.host else { return };
        let is_settled = self.settings.clean_urls.is_some()
            && self.settings.has_trailing_slash
            && self.settings.trailing_slash == TrailingSlash::Never;
        if is_settled {
            return;
        }
        let Some((name, content)) = conventions::config_file(host, contract, tree) else { return };
        let found = address_settings(host, &content);
        if let Some(clean) = found.clean_urls.filter(|_| self.settings.clean_urls.is_none()) {
            self.settings.clean_urls = Some(clean);
            self.record("clean-urls", clean.to_string(), name.to_owned());
        }
        let Some(slash) = found.trailing_slash else { return };
        if !self.settings.has_trailing_slash {
            (self.settings.trailing_slash, self.settings.has_trailing_slash) = (slash, true);
            let value = if slash == TrailingSlash::Never { "never" } else { "redirect" };
            self.record("trailing-slash", value, name.to_owned());
        } else if slash == TrailingSlash::Always && self.settings.trailing_slash != TrailingSlash::Never {
            // The contract says the same of folders, and cannot say it of pages.
            self.settings.trailing_slash = slash;
        }
    }

    /// Infers that page URLs have no `.html`, unless the host adds it anyway.
    fn infer_clean_urls(&mut self, links: &OwnLinks, tree: &Tree) {
        if self.settings.clean_urls.is_none()
            && !self.settings.host.is_some_and(conventions::adds_html)
            && let Some(evidence) = conventions::clean_urls_evidence(links, &self.settings.base_path, tree)
        {
            self.settings.clean_urls = Some(true);
            // All hosts but these add `.html`, or have a setting for it.
            let warning = "; S3 and CloudFront do not serve such links";
            let warning = if self.settings.host.is_none() { warning } else { "" };
            self.record("clean-urls", "true", format!("{evidence}{warning}"));
        }
    }

    /// Infers that URLs of folders have no trailing slash, unless the host adds one.
    fn infer_trailing_slash(&mut self, statements: &Statements, sample: &Sample, tree: &Tree) {
        if !self.settings.has_trailing_slash
            && !self.settings.host.is_some_and(conventions::adds_slash)
            && let Some(evidence) = conventions::no_slash_evidence(statements, sample, &self.settings, tree)
        {
            self.settings.trailing_slash = TrailingSlash::Never;
            self.record("trailing-slash", "never", evidence);
        }
    }
}
