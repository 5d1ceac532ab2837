//! Represents the site: its files, its contract, and its host. It is complete before any file is read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use sitegate_address::{AddedHtml, PathPatterns, SitePath};

use crate::contract::headers::{header_for, headers_for, hides_from_search};
use crate::contract::{Contract, SiteSettings};
use crate::parse::{Format, Page, ReferenceKind, Role, Source};
use crate::resolve::inventories::{Inventories, Permalinks, StaleInventory};
use crate::resolve::live::LiveSite;
use crate::resolve::parts::{Part, PartAnswer};
use crate::resolve::suggestion::{Suggestion, SuggestionIndex};
use crate::resolve::{Base, Reason, Resolver, Route, Target};
use crate::walk::{FileId, Tree};
use sitegate_address::percent::escape_path;
use sitegate_address::robots::RobotsFile;
use sitegate_host::answer::{NOT_FOUND, is_error_page_name};
use sitegate_host::headers_file::{HeaderLine, HeadersFile, headers_of_config};
use sitegate_host::redirects::Redirects;
use sitegate_host::{HEADERS_FILE, Host};

/// The header with directives for search engines.
const ROBOTS_HEADER: &str = "X-Robots-Tag";

/// The place of a host's configuration file.
#[derive(Clone, Debug)]
pub(crate) enum ConfigPlace {
    /// In the export.
    Export(FileId),
    /// Outside of it: the contract names it.
    Named,
}

/// The site as rules see it, before any file is read.
pub struct Site<'a> {
    /// The files of the export.
    pub tree: &'a Tree,
    /// The contract.
    pub contract: &'a Contract,
    /// The deployment: settings of the contract, and inferred ones.
    pub settings: &'a SiteSettings,
    /// Resolves references to targets.
    pub resolver: Resolver<'a>,
    /// The addresses that the site must keep.
    pub(crate) permalinks: Arc<Vec<Permalinks>>,
    /// Inventories that are missing or old.
    pub(crate) stale_inventories: Arc<Vec<StaleInventory>>,
    /// Whether fixes of findings can be used: the contract names sources, or people write the export. By default they can.
    pub(crate) is_editable: bool,
    /// The time of the check in seconds since 1970.
    pub(crate) now: i64,
    formats: Vec<Format>,
    /// Built when the first path is missing. Checks of the same paths share it.
    pub(crate) suggestions: Arc<OnceLock<SuggestionIndex>>,
    /// Read when the first header is compared.
    headers_file: OnceLock<io::Result<HeadersFile>>,
    /// Read when the first page of a sitemap is compared.
    robots_file: OnceLock<RobotsFile>,
}

/// Name of the file with rules for crawlers, at the root of an origin.
pub(crate) const ROBOTS_FILE: &str = "robots.txt";

/// The place that sets a header which keeps search engines out of a page.
pub(crate) enum HidingHeader {
    /// The contract.
    Contract,
    /// This value in the headers file.
    HeadersFile(Range<u32>),
}

/// Returns the time of the clock in seconds since 1970.
fn seconds_since_1970() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.ok().and_then(|since| i64::try_from(since.as_secs()).ok()).unwrap_or(0)
}

impl<'a> Site<'a> {
    /// Creates the site.
    pub fn new(
        tree: &'a Tree,
        contract: &'a Contract,
        settings: &'a SiteSettings,
        redirects: Arc<Redirects>,
    ) -> Self {
        let formats = tree.ids().into_par_iter().map(|id| Format::of(tree.path(id))).collect();
        let resolver = Resolver::new(tree, settings, redirects);
        Site {
            tree,
            contract,
            settings,
            resolver,
            formats,
            permalinks: Arc::default(),
            stale_inventories: Arc::default(),
            is_editable: true,
            now: seconds_since_1970(),
            suggestions: Arc::default(),
            headers_file: OnceLock::new(),
            robots_file: OnceLock::new(),
        }
    }

    /// Uses the answers of a live site, if it is one.
    pub(crate) fn with_live_site(self, live: Option<Arc<LiveSite>>) -> Self {
        Site { resolver: self.resolver.with_live_site(live), ..self }
    }

    /// Uses the inventories of other sites and releases.
    pub(crate) fn with_inventories(self, inventories: &Inventories) -> Self {
        let resolver = self.resolver.with_parts(Arc::clone(&inventories.parts));
        let (permalinks, stale_inventories) =
            (Arc::clone(&inventories.permalinks), Arc::clone(&inventories.stale));
        Site { resolver, permalinks, stale_inventories, ..self }
    }

    /// Returns the answer of the part that a reference points to, with that part and the decoded path; `None` if no part
    /// has the URL.
    pub(crate) fn part_answer(&self, base: &Base, text: &str) -> Option<(&Part, PartAnswer<'_>, String)> {
        let url = base.join(text).filter(|url| matches!(url.scheme(), "http" | "https"))?;
        let (part, path) = self.resolver.parts().of_url(&url, self.resolver.is_own(&url))?;
        Some((part, part.answer(&path, self.resolver.host().adds_html()), path))
    }

    /// Returns the address in another part that a reference points to, as an inventory has it.
    pub(crate) fn part_address(&self, base: &Base, text: &str) -> Option<String> {
        let url = base.join(text)?;
        self.resolver.parts().address(&url, self.resolver.is_own(&url))
    }

    /// Returns the live site, if it is one.
    pub fn live(&self) -> Option<&LiveSite> {
        self.resolver.live()
    }

    /// Whether all of the site is known; a crawl of a live site may be incomplete.
    pub fn is_whole(&self) -> bool {
        self.live().is_none_or(LiveSite::is_whole)
    }

    /// Returns the format of a file.
    pub fn format(&self, file: FileId) -> Format {
        self.formats[file as usize]
    }

    fn suggestions(&self) -> &SuggestionIndex {
        self.suggestions.get_or_init(|| SuggestionIndex::new(self.tree))
    }

    /// Whether a file of the export may have the last name of a reference.
    pub(crate) fn has_name(&self, reference: &str) -> bool {
        self.suggestions().has_name(reference)
    }

    /// Returns the files of the export with this name, in any folder.
    pub(crate) fn files_named(&self, name: &str) -> Vec<FileId> {
        self.suggestions().files_named(self.tree, name)
    }

    /// Returns a suggestion for a path that does not exist (decoded, no leading `/`).
    pub(crate) fn suggest(&self, path: &[u8]) -> Option<Suggestion> {
        self.suggestions().suggest(self.tree, path)
    }

    /// Reads a file's content again, for rules that need it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn source(&self, file: FileId) -> io::Result<Source> {
        let bytes = std::fs::read(self.tree.disk_path(file))?;
        Ok(Source::of_file(self.tree.path(file), bytes))
    }

    /// Returns a page, to be parsed.
    pub(crate) fn page(&self, file: FileId) -> io::Result<Page> {
        let bytes = std::fs::read(self.tree.disk_path(file))?;
        Ok(Page::of_file(self.tree.path(file), bytes))
    }

    /// Returns the page that the host serves for unknown paths with status 200, because the export has no not-found page.
    pub(crate) fn home_page_fallback(&self) -> Option<FileId> {
        let falls_back = self.settings.host.is_some_and(|host| host.facts().falls_back_to_home_page);
        let has_page = || self.tree.find(NOT_FOUND.as_bytes()).is_some();
        self.tree.home().filter(|_| falls_back && !has_page())
    }

    /// Returns the size of a file in bytes; 0 if it cannot be read.
    pub(crate) fn stored_size(&self, file: FileId) -> u64 {
        std::fs::metadata(self.tree.disk_path(file)).map_or(0, |found| found.len())
    }

    /// Returns the target, or reports it as missing if a page is served for a file of another kind.
    /// Hosts that rewrite every unknown path to one page answer with 200, but browsers still get no script.
    pub(crate) fn reject_fallback_page(
        &self,
        target: Target,
        kind: ReferenceKind,
        base: &Base,
        text: &str,
    ) -> Target {
        match target {
            Target::File { file, .. } if kind.role() == Role::Load && self.format(file) == Format::Html => {
                let path = self.resolver.local_path(base, text).unwrap_or_default();
                let name = SitePath::new(&*path).name();
                let is_file = name.contains(&b'.') && Format::of(name) != Format::Html;
                let is_frame = matches!(
                    kind,
                    ReferenceKind::Iframe
                        | ReferenceKind::Frame
                        | ReferenceKind::Object
                        | ReferenceKind::Embed
                );
                if is_file && !is_frame { Target::Missing(Reason::Page) } else { target }
            }
            target => target,
        }
    }

    /// Whether the file is the shell of an application, which hosts serve for paths without a prerendered page.
    pub fn is_shell(&self, file: FileId) -> bool {
        matches!(
            self.tree.path(file),
            b"200.html" | b"__spa-fallback.html" | b"spa-fallback.html" | b"index.csr.html"
        )
    }

    /// Returns the HTML pages, in the order of paths.
    pub fn pages(&self) -> impl Iterator<Item = FileId> + '_ {
        self.tree.ids().filter(|&id| self.format(id) == Format::Html)
    }

    /// Whether a page answers a decoded path, without a redirect of the contract or of a file.
    pub(crate) fn has_page(&self, path: &str) -> bool {
        let target = self.resolver.resolve(&self.resolver.root(), &escape_path(path), &mut Vec::new());
        matches!(target, Target::File { file, route } if self.format(file) == Format::Html && route != Route::Redirect)
    }

    /// Returns the addresses without `.html` at which the host answers with `page.html`.
    pub(crate) fn added_html(&self) -> AddedHtml {
        self.resolver.host().added_html()
    }

    /// Returns whether patterns of the contract match a file.
    pub(crate) fn matches(&self, patterns: &PathPatterns, file: FileId) -> bool {
        patterns.has_file(self.tree.path(file), self.added_html())
    }

    /// Returns the response headers that the contract sets for a file.
    pub(crate) fn headers_for(&self, file: FileId) -> BTreeMap<&str, &str> {
        headers_for(&self.contract.headers, &self.tree.display(file), self.added_html())
    }

    /// Returns the value of one header that the contract sets for a file, by its name in any case.
    pub(crate) fn header_for(&self, file: FileId, name: &str) -> Option<&str> {
        header_for(&self.contract.headers, (&self.tree.display(file), self.added_html()), name)
    }

    /// Returns the place that sets a header which keeps search engines out of a page.
    pub(crate) fn hiding_header(&self, file: FileId) -> Option<HidingHeader> {
        let of_contract = self.header_for(file, ROBOTS_HEADER);
        if of_contract.is_some_and(hides_from_search) {
            return Some(HidingHeader::Contract);
        }
        let lines = self.headers_file_lines(file, ROBOTS_HEADER);
        let line = lines.into_iter().find(|line| hides_from_search(&line.value))?;
        Some(HidingHeader::HeadersFile(line.span.clone()))
    }

    /// Returns the robots.txt of the origin; an empty one if the export has none, or is only a part of the origin.
    pub(crate) fn robots_file(&self) -> &RobotsFile {
        self.robots_file.get_or_init(|| {
            let file = self.tree.find(ROBOTS_FILE.as_bytes()).filter(|_| self.settings.base_path == "/");
            let source = file.and_then(|file| self.source(file).ok());
            source.map_or_else(RobotsFile::default, |source| RobotsFile::read(&source))
        })
    }

    /// Returns the headers file of the export; an empty one if there is none, or on a live site.
    pub(crate) fn headers_file(&self) -> &io::Result<HeadersFile> {
        self.headers_file.get_or_init(|| match self.tree.find(HEADERS_FILE.as_bytes()) {
            Some(file) if self.live().is_none() => self
                .source(file)
                .map(|source| HeadersFile::parse(&source, self.settings.host, self.settings.origin.as_ref())),
            _ => Ok(HeadersFile::default()),
        })
    }

    /// Returns the headers in the host's configuration file, in the export or outside of it, with its location. On Vercel,
    /// none if a rewrite has exceptions, which redirects cannot express: usually they except the folder of the headers.
    pub(crate) fn config_headers(&self) -> Option<(ConfigPlace, HeadersFile)> {
        let host = self.settings.host?;
        let (place, source) = self.config_file()?;
        let text = std::str::from_utf8(&source).ok().filter(|text| !text.contains("(?!"))?;
        Some((place, headers_of_config(host, text)))
    }

    /// Whether the host's configuration file says what the host does with a slash at the end of a path.
    pub(crate) fn configures_slashes(&self) -> bool {
        let has_key = |source: &[u8]| memchr::memmem::find(source, b"\"trailingSlash\"").is_some();
        self.config_file().is_some_and(|(_, source)| has_key(&source))
    }

    /// Returns the host's configuration file, in the export or outside of it, with its location.
    fn config_file(&self) -> Option<(ConfigPlace, Cow<'_, [u8]>)> {
        let host = self.settings.host.filter(|_| self.live().is_none())?;
        let own = host.config_file().and_then(|name| self.tree.find(name.as_bytes()));
        if let Some(file) = own {
            return Some((ConfigPlace::Export(file), Cow::Owned(self.source(file).ok()?.to_vec())));
        }
        let named = self.contract.host_config.as_ref().filter(|named| named.host == host)?;
        Some((ConfigPlace::Named, Cow::Borrowed(named.content.as_slice())))
    }

    /// Returns the lines of the headers file that set a header for a file.
    pub(crate) fn headers_file_lines(&self, file: FileId, name: &str) -> Vec<&HeaderLine> {
        match self.headers_file() {
            Ok(headers) if headers.sets(name) => headers.lines(&self.header_paths(file), name),
            _ => Vec::new(),
        }
    }

    /// Returns the paths of a file that the headers file may name: its address, and its own path, unless the host
    /// redirects that. Cloudflare Pages redirects `/a.html` to `/a`, where a rule for `/*.html` does not apply
    /// (cloudflare/workers-sdk#5546).
    pub(crate) fn header_paths(&self, file: FileId) -> Vec<String> {
        let path = self.tree.display(file);
        let address = self.resolver.address(&path);
        let is_redirected = self.resolver.host().drops_html() && path.ends_with(".html");
        let own = (!is_redirected).then(|| format!("/{path}"));
        let bare = address.strip_suffix('/').map(str::to_owned);
        own.into_iter().chain(bare).chain([address]).collect()
    }

    /// Whether the contract lists a decoded path, or a path with an anchor, as gone.
    pub(crate) fn may_be_gone(&self, address: &str) -> bool {
        let html = self.added_html();
        self.contract.permalinks.gone.iter().any(|gone| gone.paths.has_address(address, html))
    }

    /// Whether the file is served for unknown paths.
    pub fn is_not_found_page(&self, file: FileId) -> bool {
        self.tree.path(file) == self.settings.not_found_file().as_bytes()
    }

    /// Whether the file is a not-found page, of the site or of a folder. Readers do not navigate to it.
    pub fn is_error_page(&self, file: FileId) -> bool {
        self.is_not_found_page(file) || self.is_nested_error_page(file)
    }

    /// Whether the file is a not-found page in a folder, or a second one of the site.
    pub fn is_nested_error_page(&self, file: FileId) -> bool {
        is_error_page_name(self.tree.path(file)) && !self.is_not_found_page(file)
    }

    /// Whether the file is served at paths of several depths, so that its own URL is not known.
    pub fn is_served_anywhere(&self, file: FileId) -> bool {
        let is_nearest =
            self.settings.host == Some(Host::CloudflarePages) && self.tree.path(file).ends_with(b"/404.html");
        self.is_not_found_page(file) || is_nearest
    }
}
