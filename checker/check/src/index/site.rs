//! The site: its files, its contract, and how its host answers. Known before any file is read.

use std::io;
use std::sync::{Arc, OnceLock};

use crate::contract::{Contract, Host, SiteSettings};
use crate::parse::{Format, ReferenceKind, Role, Source};
use crate::resolve::answer::is_error_page_name;
use crate::resolve::live::LiveSite;
use crate::resolve::near::{Near, NearPaths};
use crate::resolve::redirects::Redirects;
use crate::resolve::{Base, Reason, Resolver, Target};
use crate::walk::{FileId, Tree};

/// What every rule may look at, from the first page on.
pub struct Site<'a> {
    /// The files of the export.
    pub tree: &'a Tree,
    /// The contract.
    pub contract: &'a Contract,
    /// Where it lives: what the contract says, and what was taken from the export.
    pub settings: &'a SiteSettings,
    /// Turns references into targets.
    pub resolver: Resolver<'a>,
    formats: Vec<Format>,
    /// Made when the first path is missing.
    near: Arc<OnceLock<NearPaths>>,
}

impl<'a> Site<'a> {
    /// The facts that are known before any page is read.
    pub fn new(
        tree: &'a Tree,
        contract: &'a Contract,
        settings: &'a SiteSettings,
        redirects: Arc<Redirects>,
    ) -> Self {
        let formats = tree.ids().map(|id| Format::of(tree.path(id))).collect();
        let resolver = Resolver::new(tree, settings, redirects);
        Site { tree, contract, settings, resolver, formats, near: Arc::default() }
    }

    /// The same, with what an earlier check of the same paths made ready for suggestions.
    pub(crate) fn with_near(self, near: Arc<OnceLock<NearPaths>>) -> Self {
        Site { near, ..self }
    }

    /// The same as a live site, where it is one.
    pub(crate) fn of_live(self, live: Option<Arc<LiveSite>>) -> Self {
        Site { resolver: self.resolver.of_live(live), ..self }
    }

    /// What the site answered, where it is a live one.
    pub fn live(&self) -> Option<&LiveSite> {
        self.resolver.live()
    }

    /// Whether all of the site is known; of a live one something may have been left out, of which nothing is known.
    pub fn is_whole(&self) -> bool {
        self.live().is_none_or(LiveSite::is_whole)
    }

    /// A file's format.
    pub fn format(&self, file: FileId) -> Format {
        self.formats[file as usize]
    }

    /// What a path that is not there (decoded, no leading `/`) most likely means.
    pub(crate) fn near(&self, path: &[u8]) -> Option<Near> {
        self.near.get_or_init(|| NearPaths::new(self.tree)).to(self.tree, path)
    }

    /// A file's content once more, for what only some rules need; an error where it cannot be read any more.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn source(&self, file: FileId) -> io::Result<Source> {
        std::fs::read(self.tree.disk_path(file)).map(Source::decoded)
    }

    /// A target, or that it is missing where a page answers for a file of another kind: hosts that rewrite every unknown path
    /// to one page say 200, and browsers still have no script.
    pub(crate) fn unless_page(&self, target: Target, kind: ReferenceKind, base: &Base, text: &str) -> Target {
        match target {
            Target::File { file, .. } if kind.role() == Role::Load && self.format(file) == Format::Html => {
                let path = self.resolver.local_path(base, text).unwrap_or_default();
                let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                let is_file = name.contains(&b'.') && Format::of(name) != Format::Html;
                let is_frame = matches!(
                    kind,
                    ReferenceKind::Iframe
                        | ReferenceKind::Frame
                        | ReferenceKind::Portal
                        | ReferenceKind::Object
                        | ReferenceKind::Embed
                );
                if is_file && !is_frame { Target::Missing(Reason::Page) } else { target }
            }
            target => target,
        }
    }

    /// Whether the file is an application's shell, which hosts answer with where no page is prerendered.
    pub fn is_shell(&self, file: FileId) -> bool {
        matches!(
            self.tree.path(file),
            b"200.html" | b"__spa-fallback.html" | b"spa-fallback.html" | b"index.csr.html"
        )
    }

    /// The HTML pages, in the order of paths.
    pub fn pages(&self) -> impl Iterator<Item = FileId> + '_ {
        self.tree.ids().filter(|&id| self.format(id) == Format::Html)
    }

    /// Whether the file is the one that answers unknown paths.
    pub fn is_not_found_page(&self, file: FileId) -> bool {
        self.tree.path(file) == self.settings.not_found_file().as_bytes()
    }

    /// Whether the file says that a path is unknown, for the whole site or for a directory, and so is no page to come to.
    pub fn is_error_page(&self, file: FileId) -> bool {
        self.is_not_found_page(file) || self.is_nested_error_page(file)
    }

    /// Whether the file is a not-found page in a directory, or a second one beside the site's own.
    pub fn is_nested_error_page(&self, file: FileId) -> bool {
        is_error_page_name(self.tree.path(file)) && !self.is_not_found_page(file)
    }

    /// Whether the file answers paths at several depths, so that its own address says nothing.
    pub fn is_served_anywhere(&self, file: FileId) -> bool {
        let is_nearest =
            self.settings.host == Some(Host::CloudflarePages) && self.tree.path(file).ends_with(b"/404.html");
        self.is_not_found_page(file) || is_nearest
    }
}
