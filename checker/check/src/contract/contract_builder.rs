//! Builds the contract from its parsed keys.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sitegate_host::Host;
use sitegate_host::redirects::{HostConfigFile, MovedAddress};

use super::contract_files::{self, Documents};
use super::error::{ErrorSource, Fault, KeyError};
use super::headers::RawHeaders;
use super::raw_contract::RawContract;
use super::redirect::RawRedirect;
use super::rule_entries::{RawIgnore, RawOverride, ignore_attributes};
use super::schema::Spanned;
use super::site::{self, RawSite};
use super::{Assertion, BaselineFile, Contract, ContractError, Placed, RuleSetting, SiteSettings};

impl Contract {
    pub(super) fn parse(file: &Path, documents: Documents) -> Result<Contract, ContractError> {
        let table = documents.table()?;
        let key_span = |path: &[&str]| contract_files::key_span(table.get_ref(), path);
        let raw = RawContract::deserialize(toml::Deserializer::from(table.clone()))
            .map_err(|error| documents.toml_error(&error))?;

        let mut raw_site = raw.site;
        let host_config = raw_site.host_config.take();
        let host_config = host_config.map(|name| read_host_config(&name, raw_site.host, &documents));
        let host_config = host_config.transpose()?;
        let site = site(raw_site, &key_span, &documents)?;
        let rules = build_all(raw.rules, &documents, |(id, value)| {
            let name = id.get_ref().clone();
            RuleSetting::build(id, value, |option| key_span(&["rules", &name, option]))
        })?;
        let overrides = build_all(raw.overrides, &documents, RawOverride::build)?;
        let ignores = build_all(raw.ignores, &documents, RawIgnore::build)?;
        let groups = &raw.pages.groups;
        let assertions = build_all(raw.assertions, &documents, |assertion| {
            let folder = documents.folder(assertion.start());
            Assertion::build(assertion, groups, folder, &documents.access)
        })?;
        let headers = build_all(raw.headers, &documents, RawHeaders::build)?;
        let redirects = redirects(raw.redirects, &documents)?;
        let fail = |fault: Fault| documents.fault(fault);
        let inventory = raw.inventory.build().map_err(fail)?;
        let permalinks = raw.permalinks.build(|at| documents.folder(at)).map_err(fail)?;
        let parts = build_all(raw.parts, &documents, |part| part.build(&|at| documents.folder(at)))?;
        let external = raw
            .external
            .build(|at| documents.folder(at), &documents.access)
            .map_err(|fault| documents.fault(fault))?;
        let source_files =
            raw.source.build(|at| documents.folder(at)).map_err(|fault| documents.fault(fault))?;
        let required = raw.pages.required.into_iter().map(Placed::from).collect();
        let baseline = raw.check.baseline.map(|name| {
            let path = documents.folder(name.span().start).join(name.get_ref());
            let content = documents.access.read(&path);
            BaselineFile::of(path, content)
        });
        let ignore_attributes = ignore_attributes(raw.check.ignore_attributes, &raw.check.inline_ignores)
            .map_err(|fault| documents.fault(fault))?;
        let mut referenced_files = documents.referenced_files(table.get_ref());
        referenced_files.extend(host_config.iter().map(|config| config.path.clone()));
        let access = documents.access.clone();
        let (own, bases) = documents.split();
        let source = own.map(|own| own.source).unwrap_or_default();
        let file = Some(file.to_path_buf());
        let mut contract = Contract {
            file,
            source,
            bases,
            baseline,
            inline_ignores: raw.check.inline_ignores,
            ignore_attributes,
            site,
            rules,
            required,
            assertions,
            referenced_files,
            headers,
            overrides,
            ignores,
            host_config,
            redirects,
            inventory,
            permalinks,
            parts,
            review_fail: raw.review.fail,
            external,
            source_files,
            access,
        };
        contract.locate_assertions();
        Ok(contract)
    }

    /// Sets the location of each assertion. Scans each file once.
    fn locate_assertions(&mut self) {
        let mut assertions = std::mem::take(&mut self.assertions);
        let mut order: Vec<&mut Assertion> = assertions.iter_mut().collect();
        order.sort_by_key(|assertion| assertion.span.start);
        let (mut file, mut line, mut counted) = (None, 1, 0);
        for assertion in order {
            let base = self.base_at(assertion.span.start);
            let (source, name, offset) = match base {
                None => (&self.source, self.name(), assertion.span.start),
                Some((_, base)) => {
                    (&base.source, base.name(), contract_files::relative_offset(base, assertion.span.start))
                }
            };
            let here = Some(base.map(|(index, _)| index));
            if file != here {
                (file, line, counted) = (here, 1, 0);
            }
            line += memchr::memchr_iter(b'\n', &source.as_bytes()[counted..offset]).count();
            counted = offset;
            assertion.position = format!("{name}:{line}");
        }
        self.assertions = assertions;
    }
}

/// Builds all entries of a list, or returns the first error.
fn build_all<R, T>(
    raw: impl IntoIterator<Item = R>,
    documents: &Documents,
    build: impl Fn(R) -> Result<T, Fault>,
) -> Result<Vec<T>, ContractError> {
    raw.into_iter().map(|entry| build(entry).map_err(|fault| documents.fault(fault))).collect()
}

fn site(
    raw: RawSite,
    key: &dyn Fn(&[&str]) -> Option<Range<usize>>,
    documents: &Documents,
) -> Result<SiteSettings, ContractError> {
    let origin = raw.origin.map(|setting| {
        let folder = documents.folder(setting.span().start);
        let resolved = setting.get_ref().resolve(folder, &documents.access).map_err(ErrorSource::from);
        let parsed = resolved.and_then(|resolved| Ok(site::origin(&resolved)?));
        parsed.map_err(|error| documents.error(setting.span(), KeyError::new("site.origin", error)))
    });
    if let Some(path) = &raw.base_path
        && !(path.get_ref().starts_with('/') && path.get_ref().ends_with('/'))
    {
        let example = if path.get_ref().is_empty() { "docs" } else { path.get_ref().trim_matches('/') };
        let message = format!("`site.base-path` must start and end with `/`: \"/{example}/\"");
        return Err(documents.error(path.span(), message));
    }
    Ok(SiteSettings {
        root: raw.root.map(|root| documents.folder(root.span().start).join(root.get_ref())),
        origin: origin.transpose()?,
        origin_key: key(&["site", "origin"]).unwrap_or_default(),
        has_base_path: raw.base_path.is_some(),
        contradicted_url: None,
        canonical_host: None,
        base_path: raw.base_path.map_or_else(|| "/".to_owned(), Spanned::into_inner),
        not_found: raw.not_found.map(Placed::from),
        host: raw.host,
        has_trailing_slash: raw.trailing_slash.is_some(),
        trailing_slash: raw.trailing_slash.unwrap_or_default(),
        clean_urls: raw.clean_urls,
    })
}

fn redirects(raw: Vec<RawRedirect>, documents: &Documents) -> Result<Vec<MovedAddress>, ContractError> {
    let mut redirects: Vec<MovedAddress> = Vec::with_capacity(raw.len());
    let mut known = HashSet::with_capacity(raw.len());
    for entry in raw {
        let span = entry.from.span();
        let redirect = entry.build().map_err(|fault| documents.fault(fault))?;
        if !known.insert(redirect.from.clone()) {
            return Err(documents
                .error(span, format!("duplicate redirect: `{}` is already redirected", redirect.from)));
        }
        redirects.push(redirect);
    }
    Ok(redirects)
}

/// Reads the host's configuration file that `site.host-config` names, which has redirects.
///
/// # Errors
/// If its name is not that of a configuration file, if another host reads it, or if it cannot be read.
fn read_host_config(
    name: &Spanned<PathBuf>,
    stated: Option<Host>,
    documents: &Documents,
) -> Result<HostConfigFile, ContractError> {
    let fail = |message: String| documents.error(name.span(), format!("`site.host-config`: {message}"));
    let path = documents.folder(name.span().start).join(name.get_ref());
    let host = path.file_name().and_then(|file| Host::of_config_file(file.to_str()?)).ok_or_else(|| {
        let names: Vec<&str> = Host::ALL.into_iter().filter_map(Host::config_file).collect();
        fail(format!("the file must be named {}", names.join(", ")))
    })?;
    if let Some(stated) = stated.filter(|stated| *stated != host) {
        let (read_by, stated) = (host.name(), stated.name());
        return Err(fail(format!("the host `{read_by}` reads this file, but `site.host` is `{stated}`")));
    }
    let content =
        documents.access.read(&path).map_err(|error| fail(format!("{}: {error}", path.display())))?;
    Ok(HostConfigFile { path, host, content })
}
