//! Parses `[inventory]`, `[permalinks]` and `[[parts]]`: the addresses that the site keeps, and those of other parts.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::inventory::AnchorSet;
use sitegate_address::{AddedHtml, PathPatterns};
use url::Url;

use super::error::Fault;
use super::patterns::path_patterns;
use super::rule_entries::is_stated;
use super::schema::{Paths, Spanned};
use super::url_template::{self, branch};

/// `[inventory]` as parsed from TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawInventory {
    /// Anchors in the inventory: those of headings, terms, sections and figures (`headings`); these and all that a
    /// link of the site uses (`linked`, the default); or `all`.
    anchors: RawAnchors,
    /// Files that are left out, by path or glob.
    #[schemars(with = "Paths")]
    ignore: Vec<Spanned<String>>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
enum RawAnchors {
    #[default]
    Linked,
    Headings,
    All,
}

/// The contents of an inventory of the site.
#[derive(Clone, Debug)]
pub struct InventorySettings {
    /// The anchors.
    pub anchors: AnchorSet,
    /// Files that are left out.
    pub ignore: PathPatterns,
}

impl Default for InventorySettings {
    fn default() -> Self {
        InventorySettings { anchors: AnchorSet::Linked, ignore: PathPatterns::default() }
    }
}

impl RawInventory {
    pub fn build(self) -> Result<InventorySettings, Fault> {
        let anchors = match self.anchors {
            RawAnchors::Linked => AnchorSet::Linked,
            RawAnchors::Headings => AnchorSet::Headings,
            RawAnchors::All => AnchorSet::All,
        };
        Ok(InventorySettings { anchors, ignore: path_patterns(&self.ignore)? })
    }
}

fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Whether a URL is a target of `sitegate publish`, whose releases have inventories.
pub fn is_target(url: &Url) -> bool {
    matches!(url.scheme(), "file" | "s3" | "gs" | "az")
}

/// A file or a URL that has an inventory or a list of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InventorySource {
    /// A file.
    File(PathBuf),
    /// A URL of a file or a target, requested only if the command line allows it. The target in a folder is always read.
    Url(Url),
}

impl InventorySource {
    fn new(text: &str, folder: &Path) -> InventorySource {
        match Url::parse(text) {
            Ok(url) if is_web(&url) || is_target(&url) => InventorySource::Url(url),
            _ => InventorySource::File(folder.join(text)),
        }
    }

    /// Returns the URL, if it is one.
    pub fn url(&self) -> Option<&Url> {
        match self {
            InventorySource::Url(url) => Some(url),
            InventorySource::File(_) => None,
        }
    }

    /// Whether it is a file that does not exist.
    pub(crate) fn is_missing_file(&self) -> bool {
        matches!(self, InventorySource::File(file) if file.try_exists().is_ok_and(|exists| !exists))
    }
}

impl std::fmt::Display for InventorySource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InventorySource::File(file) => write!(f, "{}", file.display()),
            InventorySource::Url(url) => write!(f, "{url}"),
        }
    }
}

/// `[permalinks]` as parsed from TOML.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(inline)]
pub(super) struct RawPermalinks {
    /// Lists of addresses that must not be lost, as files relative to this file, or URLs: inventories, sitemaps, lists
    /// of URLs, CSV exports of search consoles, access logs, and targets of `sitegate publish`, such as `s3://my-site`.
    keep: Vec<Spanned<RawKept>>,
    /// Addresses that may be lost.
    gone: Vec<RawGone>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a path or URL, or { file = \"…\", min-requests = … }")]
enum RawKept {
    Source(String),
    Log(RawLog),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
struct RawLog {
    /// A file or a URL.
    file: String,
    /// Minimum number of 404s of an address in an access log. Default: 10.
    #[serde(default)]
    #[schemars(range(min = 1))]
    min_requests: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
struct RawGone {
    /// Addresses by path or glob, with or without an anchor.
    #[schemars(with = "Paths")]
    paths: Spanned<Vec<Spanned<String>>>,
    /// The reason, required.
    #[schemars(length(min = 1))]
    reason: Spanned<String>,
    /// 410: `sitegate serve` and `sitegate host-config` for nginx, Apache and Caddy answer 410 instead of 404.
    #[schemars(extend("const" = 410))]
    status: Option<Spanned<u16>>,
}

/// The addresses that the site must keep.
#[derive(Clone, Debug, Default)]
pub struct PermalinkSettings {
    /// Lists of the addresses.
    pub keep: Vec<KeptAddresses>,
    /// Addresses that may be lost.
    pub gone: Vec<GoneAddresses>,
}

/// A list of addresses to keep.
#[derive(Clone, Debug)]
pub struct KeptAddresses {
    /// The file or URL.
    pub source: InventorySource,
    /// Minimum number of requests in an access log; 0 for the default.
    pub min_requests: u32,
    /// The entry's span in the contract.
    pub span: Range<usize>,
}

/// Addresses that may be lost.
#[derive(Clone, Debug)]
pub struct GoneAddresses {
    /// The addresses, by pattern.
    pub paths: PathPatterns,
    /// The patterns as written.
    pub patterns: Vec<String>,
    /// The reason.
    pub reason: String,
    /// Whether the host answers 410 instead of 404.
    pub is_410: bool,
}

impl PermalinkSettings {
    /// Returns the patterns of addresses that the host answers with 410 instead of 404.
    pub fn patterns_of_410(&self) -> impl Iterator<Item = &str> {
        let gone = self.gone.iter().filter(|gone| gone.is_410);
        // A pattern with an anchor is about a page that exists.
        gone.flat_map(|gone| &gone.patterns).map(String::as_str).filter(|pattern| !pattern.contains('#'))
    }

    /// Whether the host answers 410 for a decoded path, with a leading slash, that no file has.
    pub fn answers_410(&self, path: &str, html: AddedHtml) -> bool {
        self.gone.iter().any(|gone| gone.is_410 && gone.paths.has_address(path, html))
    }
}

impl RawPermalinks {
    /// `folder` returns the folder of the file that contains an offset.
    pub fn build<'d>(self, folder: impl Fn(usize) -> &'d Path) -> Result<PermalinkSettings, Fault> {
        let keep = self.keep.into_iter().map(|kept| {
            let span = kept.span();
            let (text, min_requests) = match kept.into_inner() {
                RawKept::Source(text) => (text, 0),
                RawKept::Log(RawLog { file, min_requests }) => (file, min_requests),
            };
            let source = InventorySource::new(&text, folder(span.start));
            KeptAddresses { source, min_requests, span }
        });
        let keep = keep.collect();
        let gone = self.gone.into_iter().map(|gone| {
            if !is_stated(gone.reason.get_ref()) {
                return Err((gone.reason.span(), "state why these addresses are gone".into()));
            }
            if let Some(status) = gone.status.as_ref().filter(|status| *status.get_ref() != 410) {
                return Err((status.span(), "`status` must be 410; without it, the host answers 404".into()));
            }
            if gone.paths.get_ref().is_empty() {
                let message =
                    "`gone.paths` is empty, so this entry applies to nothing; list the lost addresses";
                return Err((gone.paths.span(), message.into()));
            }
            let paths = path_patterns(gone.paths.get_ref())?;
            let patterns = gone.paths.into_inner().into_iter().map(Spanned::into_inner).collect();
            let is_410 = gone.status.is_some();
            Ok(GoneAddresses { paths, patterns, reason: gone.reason.into_inner(), is_410 })
        });
        Ok(PermalinkSettings { keep, gone: gone.collect::<Result<_, Fault>>()? })
    }
}

/// The placeholder of the branch in the address of an inventory.
const BRANCH: &str = "{branch}";

const DEFAULT_BRANCH: &str = "main";

/// `[[parts]]` as parsed from TOML.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub(super) struct RawPart {
    /// A path below the origin, such as /blog/, or a URL. It ends with a slash.
    #[schemars(regex(pattern = "^(/|https?://).*/$"))]
    at: Spanned<String>,
    /// A file, relative to this file, or a URL: an inventory of sitegate, objects.inv, site-manifest.json,
    /// xrefmap.yml, or a sitemap. `{branch}` is replaced by the branch of this checkout.
    inventory: Spanned<String>,
    /// The branch whose inventory is used if `{branch}` in `inventory` has none of its own. Default: main.
    default_branch: Option<Spanned<String>>,
    /// A file to use if the inventory at a URL was not requested.
    fallback: Option<Spanned<String>>,
    /// Maximum age of a cached inventory, in days or hours, such as 14d.
    #[schemars(regex(pattern = "^[0-9]+[dh]$"))]
    max_age: Option<Spanned<String>>,
}

/// A part of the site that another repository publishes, or another site with an inventory.
#[derive(Clone, Debug)]
pub struct PartSettings {
    /// Its address as written: a path with a slash at both ends, or a URL.
    pub at: String,
    /// Its origin, if it is not the site's own.
    pub origin: Option<Url>,
    /// Its path, with a slash at both ends.
    pub path: String,
    /// Its inventory; with `{branch}`, that of the branch of this checkout.
    pub inventory: InventorySource,
    /// The inventory of the default branch, to use if the other one cannot be requested.
    pub default_inventory: Option<InventorySource>,
    /// The inventory to use if the other one cannot be requested.
    pub fallback: Option<InventorySource>,
    /// Maximum age of a requested inventory.
    pub max_age: Option<Duration>,
    /// The span of `at` in the contract.
    pub span: Range<usize>,
    /// The span of `inventory` in the contract.
    pub inventory_span: Range<usize>,
}

impl RawPart {
    /// `folder` returns the folder of the file that contains an offset.
    pub fn build<'d>(self, folder: &impl Fn(usize) -> &'d Path) -> Result<PartSettings, Fault> {
        let span = self.at.span();
        let at = self.at.into_inner();
        let url = Url::parse(&at).ok().filter(is_web);
        let path = url.as_ref().map_or(at.as_str(), Url::path).to_owned();
        let is_bare = url.as_ref().is_none_or(|url| url.query().is_none() && url.fragment().is_none());
        if !is_bare || !path.starts_with('/') || !path.ends_with('/') || path.starts_with("//") {
            let message =
                "`at` must be a path with `/` at both ends, such as \"/blog/\", or a URL that ends with `/`";
            return Err((span, message.into()));
        }
        let here = folder(self.inventory.span().start);
        let address = self.inventory.get_ref();
        let has_branch = address.contains(BRANCH);
        if !has_branch && let Some(unused) = &self.default_branch {
            return Err((unused.span(), "`default-branch` needs `{branch}` in `inventory`".into()));
        }
        let default_branch = self.default_branch.as_ref().map_or(DEFAULT_BRANCH, |name| name.get_ref());
        let inventory_span = self.inventory.span();
        let of_branch = |name: &str| {
            let filled = url_template::fill(address, BRANCH, name).filter(|_| has_branch);
            let refused = || (inventory_span.clone(), unsafe_branch(name).into());
            match filled {
                None if has_branch => Err(refused()),
                filled => Ok(InventorySource::new(filled.as_deref().unwrap_or(address), here)),
            }
        };
        let own_branch = has_branch.then(|| branch(here)).flatten().filter(|name| name != default_branch);
        if has_branch && of_branch(default_branch)?.url().is_none() {
            return Err((inventory_span, "`{branch}` needs a URL".into()));
        }
        if has_branch && !url_template::is_below_host(address, BRANCH) {
            let message =
                "`{branch}` must be in the path of the URL: anyone who names a branch would choose the host";
            return Err((inventory_span, message.into()));
        }
        let fallback =
            self.fallback.map(|text| match InventorySource::new(text.get_ref(), folder(text.span().start)) {
                InventorySource::Url(_) => Err((text.span(), "`fallback` must be a file".into())),
                file @ InventorySource::File(_) => Ok(file),
            });
        Ok(PartSettings {
            at,
            path,
            origin: url,
            inventory: of_branch(own_branch.as_deref().unwrap_or(default_branch))?,
            default_inventory: own_branch.is_some().then(|| of_branch(default_branch)).transpose()?,
            fallback: fallback.transpose()?,
            max_age: self.max_age.map(age).transpose()?,
            span,
            inventory_span: self.inventory.span(),
        })
    }
}

/// Returns the message about a branch that could select another file.
fn unsafe_branch(name: &str) -> String {
    format!("`{{branch}}` is `{name}`, whose parts could mean other folders of the URL; rename the branch")
}

/// Parses an age such as `14d` or `12h`.
pub(super) fn age(text: Spanned<String>) -> Result<Duration, Fault> {
    let span = text.span();
    let text = text.into_inner();
    let parsed = text.strip_suffix('d').map(|days| (days, 24)).or_else(|| Some((text.strip_suffix('h')?, 1)));
    let hours =
        parsed.and_then(|(number, hours)| number.parse::<u16>().ok().map(|number| u64::from(number) * hours));
    hours
        .map(Duration::from_hours)
        .ok_or_else(|| (span, "`max-age` must be a number of days or hours, such as \"14d\"".into()))
}
