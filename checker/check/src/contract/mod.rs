//! Parses the contract, `sitegate.toml`: the site, the rules' levels, and the requirements.
//!
//! Parsing is strict: an unknown key, a bad selector or a value of the wrong type is an error with file, line and key.
//! Rule names are only stored here; the ruleset checks them. This module reads no file of the export.

pub mod access;
pub mod addresses;
pub mod assertion;
mod contract_builder;
mod contract_files;
pub mod error;
pub mod external_settings;
pub mod headers;
pub mod patterns;
pub(crate) mod raw_contract;
pub mod redirect;
pub mod rule_entries;
pub(crate) mod schema;
pub mod setting;
pub mod site;
pub mod source_settings;
mod url_template;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use sitegate_host::Host;
use sitegate_host::redirects::{HostConfigFile, MovedAddress, Redirects, RedirectsError};
use sitegate_review::CauseKind;

use crate::csp::HEADER;
use crate::raw_finding::{DocumentId, Location, Severity};
use access::Access;
use contract_files::Documents;

pub use access::Permissions;
pub use addresses::{InventorySettings, InventorySource, PartSettings, PermalinkSettings, is_target};
pub use assertion::Assertion;
pub use contract_files::{BaselineFile, CONTRACT_FILE, ContractFile, OUTPUT_KIND};
pub use error::ContractError;
pub use external_settings::{ExternalSettings, HostPace};
pub use headers::HeaderRule;
pub use redirect::is_redirectable;
pub use rule_entries::InlineIgnores;
pub use rule_entries::{ContractIgnore, Override, RuleSetting};
pub use setting::Placed;
pub use site::SiteSettings;
pub use source_settings::SourceSettings;

/// A parsed contract, `sitegate.toml`: the site, its rules, and the requirements for its pages.
///
/// [`Contract::load`] reads a file. [`Contract::defaults`] returns the contract for sites without one.
#[derive(Default)]
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
    /// Attributes and classes of other checkers that ignore all findings in their element, in lowercase.
    #[doc(hidden)]
    pub ignore_attributes: Vec<String>,
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
        Contract::default()
    }

    /// Returns the value of an environment variable that the command line allows the contract to read, if it is set.
    pub fn allowed_variable(&self, name: &str) -> Option<String> {
        self.access.variable(name).ok().flatten()
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

    /// Returns the response headers that the contract sets for a file, by its path below the root.
    #[doc(hidden)]
    pub fn headers_for(&self, path: &str) -> BTreeMap<&str, &str> {
        headers::headers_for(&self.headers, path, self.site.host_profile().added_html())
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
