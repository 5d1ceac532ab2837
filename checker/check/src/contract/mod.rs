//! Parses the contract, `sitegate.toml`: the site, the rules' levels, and the requirements.
//!
//! Parsing is strict: an unknown key, a bad selector or a value of the wrong type is an error with file, line and key.
//! Rule names are only stored here; the ruleset checks them. This module reads no file of the export.

pub mod access;
pub mod addresses;
pub mod assertion;
pub mod baseline_file;
mod branch;
mod contract_files;
pub mod error;
pub mod external_settings;
pub mod headers;
mod host_config_file;
pub mod ignore_entries;
pub mod inline_ignores;
pub mod page_lists;
pub mod pattern;
pub mod reason;
pub mod redirect;
pub mod rule_setting;
pub(crate) mod serde_message;
pub mod setting;
pub mod site;
pub mod source_settings;
mod url_template;

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;
use sitegate_host::Host;
use sitegate_host::redirects::{HostConfigFile, MovedAddress, Redirects, RedirectsError};
use sitegate_review::CauseKind;
use toml::Spanned;

use crate::csp::HEADER;
use crate::raw_finding::{DocumentId, Location, Severity};
use access::Access;
use addresses::{RawInventory, RawPart, RawPermalinks};
use assertion::RawAssertion;
use contract_files::Documents;
use error::{ErrorSource, Fault, KeyError};
use external_settings::RawExternal;
use headers::RawHeaders;
use host_config_file::read_host_config;
use ignore_entries::{RawIgnore, RawOverride};
use page_lists::Groups;
use redirect::RawRedirect;
use site::RawSite;
use source_settings::RawSource;

pub use access::Permissions;
pub use addresses::{InventorySettings, InventorySource, PartSettings, PermalinkSettings, is_target};
pub use assertion::Assertion;
pub use baseline_file::BaselineFile;
pub use contract_files::{CONTRACT_FILE, ContractFile, OUTPUT_KIND};
pub use error::ContractError;
pub use external_settings::{ExternalSettings, HostPace};
pub use headers::HeaderRule;
pub use ignore_entries::{ContractIgnore, Override};
pub use inline_ignores::InlineIgnores;
pub use redirect::is_redirectable;
pub use rule_setting::RuleSetting;
pub use setting::Placed;
pub use site::SiteSettings;
pub use source_settings::SourceSettings;

/// `[pages]`: required pages, and groups of pages.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawPages {
    required: Vec<Spanned<String>>,
    groups: Groups,
}

/// `[check]`: options of the check.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct RawCheck {
    baseline: Option<Spanned<PathBuf>>,
    inline_ignores: InlineIgnores,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct RawContract {
    /// Parsed by [`contract_files`]. Listed here so that the key is known.
    #[serde(rename = "extends")]
    _extends: serde::de::IgnoredAny,
    site: RawSite,
    check: RawCheck,
    external: RawExternal,
    source: RawSource,
    rules: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    pages: RawPages,
    #[serde(rename = "assert")]
    assertions: Vec<RawAssertion>,
    headers: Vec<RawHeaders>,
    #[serde(rename = "override")]
    overrides: Vec<RawOverride>,
    #[serde(rename = "ignore")]
    ignores: Vec<RawIgnore>,
    redirects: Vec<RawRedirect>,
    inventory: RawInventory,
    permalinks: RawPermalinks,
    parts: Vec<RawPart>,
    review: RawReview,
}

/// `[review]` as parsed from TOML.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawReview {
    fail: Vec<CauseKind>,
}

/// A parsed contract, `sitegate.toml`: the site, its rules, and the requirements for its pages.
///
/// [`Contract::load`] reads a file. [`Contract::defaults`] returns the contract for sites without one.
#[non_exhaustive]
pub struct Contract {
    /// The file, if any.
    #[doc(hidden)]
    pub file: Option<PathBuf>,
    /// The contract's text, for reports that point into it.
    #[doc(hidden)]
    pub source: String,
    /// The base contracts, for reports that point into them ([`DocumentId::Base`]).
    #[doc(hidden)]
    pub bases: Vec<ContractFile>,
    /// The baseline, if the contract names one.
    #[doc(hidden)]
    pub baseline: Option<BaselineFile>,
    /// The ignores that pages may contain.
    #[doc(hidden)]
    pub inline_ignores: InlineIgnores,
    /// The site's settings.
    #[doc(hidden)]
    pub site: SiteSettings,
    /// The rules' settings, by rule name.
    #[doc(hidden)]
    pub rules: Vec<RuleSetting>,
    /// Required pages.
    #[doc(hidden)]
    pub required: Vec<Placed>,
    /// Assertions about pages.
    #[doc(hidden)]
    pub assertions: Vec<Assertion>,
    /// Other files that values come from.
    #[doc(hidden)]
    pub referenced_files: Vec<PathBuf>,
    /// Response headers by path; later entries win.
    #[doc(hidden)]
    pub headers: Vec<HeaderRule>,
    /// Levels by path; later entries win.
    #[doc(hidden)]
    pub overrides: Vec<Override>,
    /// Ignored findings, by pattern.
    #[doc(hidden)]
    pub ignores: Vec<ContractIgnore>,
    /// The host's configuration file, if the contract names one.
    #[doc(hidden)]
    pub host_config: Option<HostConfigFile>,
    /// Redirects of moved URLs.
    #[doc(hidden)]
    pub redirects: Vec<MovedAddress>,
    /// The contents of an inventory of the site.
    #[doc(hidden)]
    pub inventory: InventorySettings,
    /// The addresses that the site must keep.
    #[doc(hidden)]
    pub permalinks: PermalinkSettings,
    /// The parts of the site that other repositories publish.
    #[doc(hidden)]
    pub parts: Vec<PartSettings>,
    /// The kinds of causes that fail a review.
    #[doc(hidden)]
    pub review_fail: Vec<CauseKind>,
    /// Settings of external link checks.
    #[doc(hidden)]
    pub external: ExternalSettings,
    /// The authored files.
    #[doc(hidden)]
    pub source_files: SourceSettings,
    /// The files and variables that the contract can use.
    access: Access,
}

impl Contract {
    /// Returns the default contract: every rule at its default level.
    pub fn defaults() -> Contract {
        Contract {
            file: None,
            source: String::new(),
            bases: Vec::new(),
            baseline: None,
            inline_ignores: InlineIgnores::default(),
            site: SiteSettings::default(),
            rules: Vec::new(),
            required: Vec::new(),
            assertions: Vec::new(),
            referenced_files: Vec::new(),
            headers: Vec::new(),
            overrides: Vec::new(),
            ignores: Vec::new(),
            host_config: None,
            redirects: Vec::new(),
            inventory: InventorySettings::default(),
            permalinks: PermalinkSettings::default(),
            parts: Vec::new(),
            review_fail: Vec::new(),
            external: ExternalSettings::default(),
            source_files: SourceSettings::default(),
            access: Access::default(),
        }
    }

    /// Reads a contract. It can use the files of its repository (the nearest folder above it that has a `.git`, or
    /// else its own folder), but no environment variables.
    ///
    /// # Errors
    /// When the file cannot be read, or anything in it is unknown, malformed or contradictory.
    pub fn load(file: &Path) -> Result<Contract, ContractError> {
        Contract::load_with(file, &Permissions::default())
    }

    /// Reads a contract that can use more folders, and environment variables.
    ///
    /// # Errors
    /// As [`Contract::load`].
    pub fn load_with(file: &Path, permissions: &Permissions) -> Result<Contract, ContractError> {
        Contract::parse(file, Documents::read(file, permissions)?)
    }

    /// Parses a contract from text instead of its file. Paths are relative to the file's folder.
    ///
    /// # Errors
    /// As [`Contract::load`].
    pub fn from_text(
        file: &Path,
        source: String,
        permissions: &Permissions,
    ) -> Result<Contract, ContractError> {
        Contract::parse(file, Documents::with_text(file, source, permissions)?)
    }

    fn parse(file: &Path, documents: Documents) -> Result<Contract, ContractError> {
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

    /// Returns the content security policies of the headers.
    #[doc(hidden)]
    pub fn policies(&self) -> impl Iterator<Item = &str> {
        self.headers.iter().filter_map(|rule| Some(rule.header(HEADER)?.1))
    }

    /// Reads the redirects of the site: those of an export that the host supports, then those of the contract. `find`
    /// returns the path of a file at the root of the export.
    ///
    /// # Errors
    /// If a file cannot be read, or a configuration file is malformed.
    #[doc(hidden)]
    pub fn read_redirects(
        &self,
        find: impl Fn(&str) -> Option<PathBuf>,
        host: Option<Host>,
    ) -> Result<Redirects, RedirectsError> {
        let named = self.host_config.as_ref().map(|named| (named, named.content.as_slice()));
        Redirects::of_files(|name| find(name).map(fs::read), host, named, &self.redirects)
    }

    /// Returns the bytes that a seal covers besides the export: the contract, its bases, the baseline, and the host's
    /// configuration file, each prefixed by its length. A contract of one file is only its text.
    ///
    /// The seal covers the baseline because its findings may go live.
    #[doc(hidden)]
    pub fn sealed_bytes(&self) -> Vec<u8> {
        let mut bytes = self.source.clone().into_bytes();
        let bases = self.bases.iter().map(|base| base.source.as_bytes());
        let baseline = self.baseline.as_ref().map(BaselineFile::bytes);
        let host_config = self.host_config.as_ref().map(|config| config.content.as_slice());
        for more in bases.chain(baseline).chain(host_config) {
            bytes.extend_from_slice(format!("\0{}\0", more.len()).as_bytes());
            bytes.extend_from_slice(more);
        }
        bytes
    }

    /// Returns the response headers that the contract sets for a file, by its path with a leading slash.
    #[doc(hidden)]
    pub fn headers_for(&self, path: &str) -> BTreeMap<&str, &str> {
        headers::headers_for(&self.headers, path)
    }

    /// Returns the value of one header for a file, by its path with a leading slash and its name in any case.
    #[doc(hidden)]
    pub fn header_for(&self, path: &str, name: &str) -> Option<&str> {
        let mut matching = self.headers.iter().rev().filter(|rule| rule.is_about(path));
        matching.find_map(|rule| rule.header(name)).map(|(_, value)| value)
    }

    /// Whether the contract turns a rule off, on the whole site.
    pub(crate) fn turns_off(&self, rule: &str) -> bool {
        self.rules.iter().any(|setting| setting.id.value == rule && setting.level == Some(Severity::Off))
    }

    /// Returns the contract's name for messages.
    #[doc(hidden)]
    pub fn name(&self) -> String {
        self.file.as_ref().map_or_else(|| CONTRACT_FILE.to_owned(), |file| file.display().to_string())
    }

    fn base_at(&self, offset: usize) -> Option<(usize, &ContractFile)> {
        contract_files::document_at(&self.bases, offset)
    }

    /// Converts a location in the contract to a location in one of its files.
    pub(crate) fn located(&self, location: &Location) -> Location {
        let offset = location.span.start as usize;
        match self.base_at(offset) {
            None => location.clone(),
            Some((index, base)) => {
                let start = contract_files::relative_offset(base, offset) as u32;
                let end = start + (location.span.end - location.span.start);
                Location { document: DocumentId::Base(index as u16), span: start..end }
            }
        }
    }

    /// Returns an error at a span of the contract.
    #[doc(hidden)]
    pub fn error(
        &self,
        span: Range<usize>,
        reason: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> ContractError {
        match self.base_at(span.start) {
            None => {
                let file = self.file.as_deref().unwrap_or(Path::new(""));
                ContractError::at(file, &self.source, span, reason)
            }
            Some((_, base)) => {
                let relative = |offset| contract_files::relative_offset(base, offset);
                let span = relative(span.start)..relative(span.end.max(span.start));
                ContractError::at(&base.file, &base.source, span, reason)
            }
        }
    }

    /// Reads a file that the contract names.
    ///
    /// # Errors
    /// When the file cannot be read, or the contract is not allowed to read it.
    #[doc(hidden)]
    pub fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        self.access.read(file)
    }

    /// Checks that the contract is allowed to read a folder.
    ///
    /// # Errors
    /// When it is not, or the folder does not exist.
    #[doc(hidden)]
    pub fn check_access(&self, folder: &Path) -> io::Result<()> {
        self.access.real_path(folder).map(drop)
    }

    /// Returns the export's folder, if the contract names it.
    ///
    /// # Errors
    /// When the contract is not allowed to read it.
    #[doc(hidden)]
    pub fn root(&self) -> io::Result<Option<PathBuf>> {
        let Some(root) = &self.site.root else { return Ok(None) };
        match self.access.real_path(root) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(error),
            // A missing folder is reported when it is listed.
            _ => Ok(Some(root.clone())),
        }
    }

    /// Resolves a path that is written at this offset.
    pub(crate) fn beside(&self, offset: usize, path: &Path) -> PathBuf {
        let own = self.file.as_deref();
        let file = self.base_at(offset).map_or(own, |(_, base)| Some(&base.file));
        file.and_then(Path::parent).unwrap_or(Path::new("")).join(path)
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
