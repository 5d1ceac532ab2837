//! Models how a static host answers a path: with a file, a redirect, or nothing, and why. Does no I/O: [`Files`] knows
//! which files exist.
//!
//! The check, the preview and `verify` use it, and tests compare the edge configurations with it.

use sitegate_address::{AddedHtml, INDEX, SitePath};

use crate::hosts::{
    BareFolder, Conventions, Host, TrailingSlash, UNKNOWN_HOST, WithSlash, is_answered_by_platform,
};

/// The default page for unknown paths.
pub const NOT_FOUND: &str = "404.html";

/// Whether a path is that of a not-found page, of the site or of a folder: `404.html` or `404/index.html`.
pub fn is_error_page_name(path: &[u8]) -> bool {
    let path = SitePath::new(path);
    match path.index_folder() {
        Some(folder) => SitePath::new(SitePath::new(folder).folder()).name() == b"404",
        None => path.name() == NOT_FOUND.as_bytes(),
    }
}

const HTML: &[u8] = b".html";

/// The files that an answer is looked up in. Paths are decoded, below the root, with no `/` at either end.
pub trait Files {
    /// The type that represents a file.
    type File;

    /// Returns the file with exactly this path; `None` for a path with an empty or a dot segment.
    fn find(&self, path: &[u8]) -> Option<Self::File>;

    /// Whether a folder has exactly this path.
    fn is_folder(&self, path: &[u8]) -> bool;

    /// Returns the file whose path differs from this one at most in letter case, for a host that ignores case. If several
    /// do, it is the one with the lowercase path, and otherwise the first. Without an own implementation, only files with
    /// lowercase paths are found.
    fn find_in_any_case(&self, path: &[u8]) -> Option<Self::File> {
        self.find(&lowercase(path))
    }
}

/// The files as a host sees them that ignores case.
struct AnyCase<'f, F>(&'f F);

impl<F: Files> Files for AnyCase<'_, F> {
    type File = F::File;

    fn find(&self, path: &[u8]) -> Option<F::File> {
        self.0.find(path).or_else(|| self.0.find_in_any_case(path))
    }

    fn is_folder(&self, path: &[u8]) -> bool {
        self.0.is_folder(path)
    }
}

/// Returns a path in lowercase, as a host that ignores case compares it.
pub fn lowercase(path: &[u8]) -> Vec<u8> {
    match std::str::from_utf8(path) {
        Ok(text) => text.to_lowercase().into_bytes(),
        Err(_) => path.to_ascii_lowercase(),
    }
}

/// The answer of a host to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostAnswer<F> {
    /// A file.
    File {
        /// The file.
        file: F,
        /// The route from the path to the file.
        route: Route,
    },
    /// A redirect. The path buffer then contains the destination.
    Redirect {
        /// HTTP status.
        status: u16,
    },
    /// 404, or an equivalent error.
    Nothing(Reason),
}

/// The route from a path to the file that answers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// The path is the file's name.
    Exact,
    /// The path ends in `/` and the file is the index document of that folder.
    Index,
    /// The path is a folder without `/`; the host redirects to it or serves its index document.
    Directory,
    /// The path contains `%2F`, which is no separator in a URL but is decoded by hosts.
    EncodedSlash,
    /// The host adds `.html` to the path.
    Html,
    /// A line of the redirects file redirects the browser, or the host does because of a `/` after a file name.
    Redirect,
}

/// The reason why a path has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is no such file or folder.
    NoFile,
    /// The folder has no index document.
    NoIndex,
    /// The folder has an index document, but the host does not serve index documents.
    NoIndexOnHost,
    /// The path is a file with a `/` after it.
    FileWithSlash,
    /// The file name has no `.`, and the host treats such a name as a folder.
    TreatedAsFolder,
    /// The host reads the `+` of the path as a space, and no file has that name.
    PlusAsSpace,
    /// The path is on this origin, but not below the base path.
    OutsideBasePath,
    /// The decoded path is not UTF-8.
    NotUtf8,
    /// A redirect or a rewrite serves a page, but a script, a style sheet or an image is required.
    Page,
    /// A live site answers with this error status, other than 404.
    Status(u16),
    /// The inventory of another part of the site does not list it.
    NotInPart,
    /// Redirects form a loop, or there are too many.
    RedirectLoop,
    /// A redirect ends at a path that has no answer.
    BrokenRedirect,
}

/// The properties of a host that determine its answers, apart from the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostProfile {
    host: Option<Host>,
    trailing_slash: TrailingSlash,
    conventions: Conventions,
}

impl HostProfile {
    /// Creates the profile of a host with its settings: its treatment of trailing slashes, and whether it serves
    /// `page.html` for `/page`, if that is not as usual.
    pub fn new(host: Option<Host>, trailing_slash: TrailingSlash, clean_urls: Option<bool>) -> HostProfile {
        let mut conventions = host.map_or(UNKNOWN_HOST, |host| host.facts().conventions);
        conventions.adds_html = clean_urls.unwrap_or(conventions.adds_html);
        if conventions.drops_html_if_clean && clean_urls == Some(true) {
            conventions.drops_html = true;
            conventions.page_with_slash = match host {
                Some(Host::Vercel) => WithSlash::File,
                Some(Host::AzureStaticWebApps) => WithSlash::Redirect,
                _ => conventions.page_with_slash,
            };
        }
        if trailing_slash == TrailingSlash::Always && conventions.adds_html {
            conventions.page_with_slash = WithSlash::Only;
        }
        HostProfile { host, trailing_slash, conventions }
    }

    /// Returns the profile of a host whose treatment of slashes is stated: it redirects to one of the addresses, also if it
    /// serves both without a setting, as Vercel does without `trailingSlash`.
    #[must_use]
    pub fn with_stated_slash(mut self) -> HostProfile {
        if self.conventions.folder == BareFolder::Index && self.keeps_slash() {
            self.conventions.folder = BareFolder::Redirect;
        }
        self
    }

    /// Whether paths that differ only in case are the same.
    pub fn ignores_case(self) -> bool {
        self.conventions.ignores_case
    }

    /// Returns the host's answer to a path: decoded, below the root, without its leading `/`.
    ///
    /// The path is also scratch space, to avoid allocations. After [`HostAnswer::Redirect`] it is the destination.
    pub fn answer<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        match self.exact_answer(path, files) {
            HostAnswer::Nothing(reason) => {
                self.answer_in_any_case(path, files).unwrap_or(HostAnswer::Nothing(reason))
            }
            found => found,
        }
    }

    /// Returns the answer of a host that ignores case to a path that it has not found in its own case; `None` if there is
    /// none in any case. A page is redirected to its lowercase address, other files are served.
    pub(crate) fn answer_in_any_case<E: Files>(
        self,
        path: &mut Vec<u8>,
        files: &E,
    ) -> Option<HostAnswer<E::File>> {
        if !self.conventions.ignores_case {
            return None;
        }
        let mut answered = path.clone();
        let found = self.exact_answer(&mut answered, &AnyCase(files));
        match found {
            HostAnswer::Nothing(_) => return None,
            HostAnswer::Redirect { .. } => *path = lowercase(&answered),
            HostAnswer::File { route, .. } => {
                let is_page = route != Route::Exact || lowercase(path).ends_with(HTML);
                if let Some(address) = self.lowercase_address(path).filter(|_| is_page) {
                    *path = address;
                    return Some(HostAnswer::Redirect { status: self.conventions.status });
                }
            }
        }
        Some(found)
    }

    /// Returns the address to which the host redirects that of a page because of its case.
    pub fn lowercase_address(self, path: &[u8]) -> Option<Vec<u8>> {
        Some(lowercase(path)).filter(|address| self.conventions.ignores_case && address != path)
    }

    /// Returns the answer to a path in its own case, as [`HostProfile::answer`] does. Redirects of the site come before
    /// the answer in another case.
    pub fn exact_answer<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.conventions.merges_slashes {
            merge_slashes(path);
        }
        if path.is_empty() || path.ends_with(b"/") {
            self.answer_folder(path, files)
        } else {
            self.answer_name(path, files)
        }
    }

    /// Whether the host serves index documents for folders.
    pub fn serves_index(self) -> bool {
        self.host != Some(Host::S3Rest)
    }

    /// Whether the host reads `+` in a path as a space, so that only `%2B` names a file with `+`. S3's REST endpoint does
    /// (measured: `+` 403, `%2B` 200). CloudFront does so, too, without the function of `sitegate host-config cloudfront`.
    pub fn reads_plus_as_space(self) -> bool {
        self.host == Some(Host::S3Rest)
    }

    /// Whether the host finds a file whose name is not UTF-8: servers look its bytes up in the file system (measured with
    /// nginx, Apache 2.4 and Caddy 2.6). Names on platforms and in buckets are UTF-8.
    pub fn finds_any_bytes(self) -> bool {
        matches!(self.host, Some(Host::Nginx | Host::Apache | Host::Caddy))
    }

    /// Whether `/dir/` redirects to `/dir`, and not the other way round.
    pub fn strips_slash(self) -> bool {
        // A host without index documents has nothing in front of it that could strip the slash.
        self.trailing_slash == TrailingSlash::Never && self.serves_index()
    }

    /// Whether `/dir/` is answered directly, and not redirected to `/dir`.
    pub fn keeps_slash(self) -> bool {
        self.trailing_slash != TrailingSlash::Never
    }

    /// Whether `/page` serves `page.html`.
    pub fn adds_html(self) -> bool {
        self.conventions.adds_html
    }

    /// Returns the addresses without `.html` at which the host answers with `page.html`, or redirects to one that it
    /// answers with it.
    pub fn added_html(self) -> AddedHtml {
        AddedHtml {
            bare: self.conventions.adds_html,
            slash: self.conventions.page_with_slash != WithSlash::Nothing,
        }
    }

    /// Whether `/page.html` redirects to `/page`, or to `/page/`.
    pub fn drops_html(self) -> bool {
        self.conventions.drops_html
    }

    /// Whether `page.html` is served at `/page/` only.
    pub fn adds_slash_to_pages(self) -> bool {
        self.conventions.page_with_slash == WithSlash::Only
    }

    /// Whether `/dir` is known to redirect to `/dir/`.
    pub fn redirects_folders(self) -> bool {
        self.host.is_some() && !self.strips_slash() && self.conventions.folder != BareFolder::Index
    }

    /// Whether it may serve pages with or without a `/` at the end of their path, without a redirect.
    pub fn serves_both_slashes(self) -> bool {
        self.serves_bare_folders() || self.conventions.page_with_slash == WithSlash::File
    }

    /// Returns the path of a page (below the root) with a `/` more or less than usual, if the host may serve it there.
    pub fn address_with_other_slash(self, path: &[u8]) -> Option<Vec<u8>> {
        match SitePath::new(path).index_folder() {
            Some(folder) if self.serves_bare_folders() => {
                folder.strip_suffix(b"/").filter(|bare| !bare.is_empty()).map(<[u8]>::to_vec)
            }
            None if self.conventions.page_with_slash == WithSlash::File => {
                Some([path.strip_suffix(HTML)?, b"/"].concat())
            }
            _ => None,
        }
    }

    /// Whether it may serve the index document for `/dir`, although `/dir/` has an answer, too. CloudFront does so for
    /// names with a dot.
    fn serves_bare_folders(self) -> bool {
        let serves = self.conventions.folder == BareFolder::Index || self.host == Some(Host::Cloudfront);
        serves && !self.strips_slash()
    }

    /// Whether the platform itself answers a path, such as `/.netlify/functions/mail`: decoded, from the root of the
    /// origin, without its leading `/`.
    #[inline]
    pub fn is_platform(self, path: &[u8]) -> bool {
        is_answered_by_platform(self.host, path)
    }

    /// Returns the file for an unknown path: the nearest `404.html` on Cloudflare Pages ("Serving Pages"), otherwise
    /// that of the whole site.
    pub fn not_found<E: Files>(self, path: &[u8], of_site: &str, files: &E) -> Option<E::File> {
        if self.host == Some(Host::CloudflarePages) {
            let ends = (0..path.len()).rev().filter(|&at| path[at] == b'/');
            let nearest = ends.map(|at| [&path[..=at], NOT_FOUND.as_bytes()].concat());
            if let Some(page) = nearest.into_iter().find_map(|page| files.find(&page)) {
                return Some(page);
            }
        }
        files.find(of_site.as_bytes())
    }

    /// Answers a path that ends in `/`, or the root.
    fn answer_folder<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.strips_slash() && !path.is_empty() {
            if has_empty_segment(path) {
                return HostAnswer::Nothing(Reason::NoFile);
            }
            path.pop();
            return HostAnswer::Redirect { status: 301 };
        }
        let length = path.len();
        path.extend_from_slice(INDEX.as_bytes());
        let index = files.find(path);
        path.truncate(length);
        match index {
            Some(_) if length > 0 && !self.serves_index() => HostAnswer::Nothing(Reason::NoIndexOnHost),
            Some(file) => HostAnswer::File { file, route: Route::Index },
            None => self.answer_slash(path, files),
        }
    }

    /// Answers a path that ends in `/` and has no index document.
    fn answer_slash<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        let bare = path.len().saturating_sub(1);
        let is_folder = files.is_folder(&path[..bare]);
        if is_folder && self.conventions.folder == BareFolder::RedirectFirst {
            return HostAnswer::Nothing(Reason::NoIndex);
        }
        if self.conventions.page_with_slash != WithSlash::Nothing && bare > 0 {
            path.truncate(bare);
            path.extend_from_slice(HTML);
            let page = files.find(path);
            path.truncate(bare);
            match page {
                Some(file)
                    if matches!(self.conventions.page_with_slash, WithSlash::File | WithSlash::Only) =>
                {
                    // The address of the answer has the slash.
                    path.push(b'/');
                    return HostAnswer::File { file, route: Route::Html };
                }
                Some(_) => return HostAnswer::Redirect { status: self.conventions.status },
                None => path.push(b'/'),
            }
        }
        if is_folder {
            return HostAnswer::Nothing(Reason::NoIndex);
        }
        match files.find(&path[..bare]) {
            None => HostAnswer::Nothing(Reason::NoFile),
            Some(_) => HostAnswer::Nothing(Reason::FileWithSlash),
        }
    }

    /// Answers a path that does not end in `/`.
    fn answer_name<E: Files>(self, path: &mut Vec<u8>, files: &E) -> HostAnswer<E::File> {
        if self.treats_as_folder(path) {
            if has_empty_segment(path) {
                return HostAnswer::Nothing(Reason::NoFile);
            }
            path.push(b'/');
            return HostAnswer::Redirect { status: 301 };
        }
        if let Some(file) = files.find(path) {
            if self.conventions.drops_html && self.drop_html(path, files) {
                return HostAnswer::Redirect { status: self.conventions.status };
            }
            return HostAnswer::File { file, route: Route::Exact };
        }
        if self.conventions.folder == BareFolder::RedirectFirst
            && !self.strips_slash()
            && files.is_folder(path)
        {
            return self.add_slash(path);
        }
        let length = path.len();
        if self.conventions.adds_html {
            path.extend_from_slice(HTML);
            let page = files.find(path);
            path.truncate(length);
            if let Some(file) = page {
                if self.adds_slash_to_pages() {
                    return self.add_slash(path);
                }
                return HostAnswer::File { file, route: Route::Html };
            }
        }
        path.push(b'/');
        path.extend_from_slice(INDEX.as_bytes());
        let index = files.find(path);
        path.truncate(length);
        match (index, self.host) {
            (Some(_), _) if !self.serves_index() => HostAnswer::Nothing(Reason::NoIndexOnHost),
            (Some(file), _) if self.strips_slash() || self.conventions.folder == BareFolder::Index => {
                HostAnswer::File { file, route: Route::Directory }
            }
            // `publish` also stores a folder's index document under the folder's name.
            (Some(file), Some(Host::Cloudfront)) => HostAnswer::File { file, route: Route::Exact },
            (Some(_), _) => self.add_slash(path),
            (None, _) if !files.is_folder(path) => HostAnswer::Nothing(Reason::NoFile),
            (None, _) if self.conventions.folder == BareFolder::RedirectAlways && !self.strips_slash() => {
                self.add_slash(path)
            }
            (None, _) => HostAnswer::Nothing(Reason::NoIndex),
        }
    }

    /// Removes `.html` or `index.html` from a path, unless a file has the shorter name, and adds or removes the slash.
    fn drop_html<E: Files>(self, path: &mut Vec<u8>, files: &E) -> bool {
        let without_html =
            || path.strip_suffix(HTML).filter(|bare| !bare.is_empty() && !bare.ends_with(b"/"));
        let Some(bare) = SitePath::new(path.as_slice()).index_folder().or_else(without_html) else {
            return false;
        };
        let bare = bare.len();
        let is_unused = files.find(&path[..bare]).is_none();
        if is_unused {
            path.truncate(bare);
            if self.strips_slash() && path.ends_with(b"/") {
                path.pop();
            } else if self.adds_slash_to_pages() && !path.is_empty() && !path.ends_with(b"/") {
                path.push(b'/');
            }
        }
        is_unused
    }

    fn add_slash<F>(self, path: &mut Vec<u8>) -> HostAnswer<F> {
        path.push(b'/');
        HostAnswer::Redirect { status: self.conventions.status }
    }

    /// Whether the function in front of the bucket, which cannot see the files, treats a name as a folder.
    fn treats_as_folder(self, path: &[u8]) -> bool {
        self.host == Some(Host::Cloudfront)
            && !self.strips_slash()
            && !path.iter().rev().take_while(|&&byte| byte != b'/').any(|&byte| byte == b'.')
    }
}

fn has_empty_segment(path: &[u8]) -> bool {
    path.starts_with(b"/") || memchr::memmem::find(path, b"//").is_some()
}

/// Merges repeated slashes, and removes those at the start.
fn merge_slashes(path: &mut Vec<u8>) {
    if has_empty_segment(path) {
        path.dedup_by(|second, first| *first == b'/' && *second == b'/');
        if path.starts_with(b"/") {
            path.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, HostAnswer, HostProfile, Reason, Route, lowercase};
    use crate::hosts::{Host, TrailingSlash};

    /// `page.html`, `LICENSE`, `docs/index.html`, `v1.2/index.html` and `empty/file.txt`.
    struct SmallSite;

    impl Files for SmallSite {
        type File = ();

        fn find(&self, path: &[u8]) -> Option<()> {
            let files = ["page.html", "LICENSE", "docs/index.html", "v1.2/index.html", "empty/file.txt"];
            files.iter().any(|file| file.as_bytes() == path).then_some(())
        }

        fn is_folder(&self, path: &[u8]) -> bool {
            matches!(path, b"" | b"docs" | b"v1.2" | b"empty")
        }

        fn find_in_any_case(&self, path: &[u8]) -> Option<()> {
            self.find(&lowercase(path)).or_else(|| path.eq_ignore_ascii_case(b"LICENSE").then_some(()))
        }
    }

    const fn file(route: Route) -> HostAnswer<()> {
        HostAnswer::File { file: (), route }
    }

    #[test]
    fn each_host_answers_by_its_own_conventions() {
        use HostAnswer::{Nothing, Redirect};
        use Reason::{FileWithSlash, NoFile, NoIndex, NoIndexOnHost};
        let slash = TrailingSlash::Redirect;
        let never = TrailingSlash::Never;
        for (host, trailing_slash, path, expected, destination) in [
            (None, slash, "docs", Redirect { status: 302 }, "docs/"),
            (None, slash, "docs/", file(Route::Index), ""),
            (None, slash, "page.html/", Nothing(FileWithSlash), ""),
            (None, slash, "empty", Nothing(NoIndex), ""),
            (None, never, "docs", file(Route::Directory), ""),
            (None, never, "docs/", Redirect { status: 301 }, "docs"),
            (None, never, "/example.com/", Nothing(NoFile), ""),
            (Some(Host::Netlify), slash, "page", file(Route::Html), ""),
            (Some(Host::S3Website), slash, "page", Nothing(NoFile), ""),
            (Some(Host::Nginx), slash, "empty", Redirect { status: 301 }, "empty/"),
            (Some(Host::Nginx), slash, "/docs//", file(Route::Index), ""),
            (Some(Host::Cloudfront), slash, "LICENSE", Redirect { status: 301 }, "LICENSE/"),
            (Some(Host::Cloudfront), slash, "LICENSE/", Nothing(FileWithSlash), ""),
            (Some(Host::Cloudfront), slash, "v1.2", file(Route::Exact), ""),
            (Some(Host::Cloudfront), never, "LICENSE", file(Route::Exact), ""),
            (Some(Host::Netlify), slash, "page/", Redirect { status: 301 }, "page"),
            (Some(Host::Netlify), slash, "PAGE", Redirect { status: 301 }, "page"),
            (Some(Host::Netlify), slash, "Page.HTML", Redirect { status: 301 }, "page.html"),
            (Some(Host::Netlify), slash, "Page/", Redirect { status: 301 }, "page"),
            (Some(Host::Netlify), slash, "Docs/", Redirect { status: 301 }, "docs/"),
            (Some(Host::Netlify), slash, "Docs", Redirect { status: 301 }, "docs/"),
            (Some(Host::Netlify), slash, "license", file(Route::Exact), ""),
            (Some(Host::Netlify), slash, "Empty/FILE.txt", file(Route::Exact), ""),
            (Some(Host::Netlify), slash, "Gone", Nothing(NoFile), ""),
            (Some(Host::GithubPages), slash, "Docs/", Nothing(NoFile), ""),
            (Some(Host::CloudflarePages), slash, "page", file(Route::Html), ""),
            (Some(Host::CloudflarePages), slash, "page/", Redirect { status: 308 }, "page"),
            (Some(Host::CloudflarePages), slash, "page.html", Redirect { status: 308 }, "page"),
            (Some(Host::CloudflarePages), slash, "docs/index.html", Redirect { status: 308 }, "docs/"),
            (Some(Host::CloudflarePages), slash, "docs", Redirect { status: 308 }, "docs/"),
            (Some(Host::Vercel), slash, "page", Nothing(NoFile), ""),
            (Some(Host::Vercel), slash, "docs", file(Route::Directory), ""),
            (Some(Host::Vercel), slash, "docs/", file(Route::Index), ""),
            (Some(Host::GitlabPages), slash, "page/", file(Route::Html), ""),
            (Some(Host::GitlabPages), slash, "docs", Redirect { status: 302 }, "docs/"),
            (Some(Host::GitlabPages), slash, "empty", Redirect { status: 302 }, "empty/"),
            (Some(Host::Firebase), slash, "page", Nothing(NoFile), ""),
            (Some(Host::Firebase), slash, "docs", Redirect { status: 301 }, "docs/"),
            (Some(Host::AzureStaticWebApps), slash, "page/", file(Route::Html), ""),
            (Some(Host::AzureStaticWebApps), slash, "docs", file(Route::Directory), ""),
            (Some(Host::Apache), slash, "/docs//", file(Route::Index), ""),
            (Some(Host::Apache), slash, "empty", Redirect { status: 301 }, "empty/"),
            (Some(Host::Caddy), slash, "page.html/", Nothing(FileWithSlash), ""),
            (Some(Host::Caddy), slash, "/docs//", file(Route::Index), ""),
            (Some(Host::Caddy), slash, "docs", Redirect { status: 308 }, "docs/"),
            (Some(Host::Caddy), slash, "empty", Nothing(NoIndex), ""),
            (Some(Host::S3Rest), slash, "docs/", Nothing(NoIndexOnHost), ""),
            (Some(Host::S3Rest), never, "docs", Nothing(NoIndexOnHost), ""),
        ] {
            let mut length = path.as_bytes().to_vec();
            let profile = HostProfile::new(host, trailing_slash, None);
            let found = profile.answer(&mut length, &SmallSite);
            assert_eq!(found, expected, "/{path}, {host:?}, {trailing_slash:?}");
            if matches!(found, Redirect { .. }) {
                assert_eq!(length, destination.as_bytes(), "/{path}, {host:?}, {trailing_slash:?}");
            }
        }
    }
    /// The tables of trailing-slash-guide and of "Configure Azure Static Web Apps", and `files.js` of firebase/superstatic.
    #[test]
    fn hosts_answer_by_the_settings_of_their_files() {
        use HostAnswer::{Nothing, Redirect};
        use TrailingSlash::{Always, Never};
        let slash = TrailingSlash::Redirect;
        let moved = Redirect { status: 308 };
        let permanent = Redirect { status: 301 };
        for (host, is_stated, trailing_slash, path, expected, destination) in [
            (Host::Vercel, false, slash, "page", file(Route::Html), ""),
            (Host::Vercel, false, slash, "page/", file(Route::Html), ""),
            (Host::Vercel, false, slash, "page.html", moved, "page"),
            (Host::Vercel, false, slash, "docs", file(Route::Directory), ""),
            (Host::Vercel, true, Never, "page", file(Route::Html), ""),
            (Host::Vercel, true, Never, "page/", permanent, "page"),
            (Host::Vercel, true, Never, "docs/index.html", moved, "docs"),
            (Host::Vercel, true, Always, "page", moved, "page/"),
            (Host::Vercel, true, Always, "page/", file(Route::Html), ""),
            (Host::Vercel, true, Always, "page.html", moved, "page/"),
            (Host::Vercel, true, Always, "docs", moved, "docs/"),
            (Host::Firebase, false, slash, "page", file(Route::Html), ""),
            (Host::Firebase, false, slash, "page/", Nothing(Reason::NoFile), ""),
            (Host::Firebase, true, Never, "page/", permanent, "page"),
            (Host::Firebase, true, Always, "page", permanent, "page/"),
            (Host::Firebase, true, Always, "page.html", permanent, "page/"),
            (Host::AzureStaticWebApps, true, Always, "page", permanent, "page/"),
            (Host::AzureStaticWebApps, true, Always, "page/", file(Route::Html), ""),
            (Host::AzureStaticWebApps, true, Always, "docs", permanent, "docs/"),
            (Host::AzureStaticWebApps, true, Never, "docs/", permanent, "docs"),
            (Host::AzureStaticWebApps, true, Never, "page.html", permanent, "page"),
            (Host::AzureStaticWebApps, true, slash, "page/", permanent, "page"),
            (Host::AzureStaticWebApps, true, slash, "docs", permanent, "docs/"),
        ] {
            let mut buffer = path.as_bytes().to_vec();
            let profile = HostProfile::new(Some(host), trailing_slash, Some(true));
            let profile = if is_stated { profile.with_stated_slash() } else { profile };
            let found = profile.answer(&mut buffer, &SmallSite);
            assert_eq!(found, expected, "/{path}, {host:?}, {trailing_slash:?}");
            if matches!(found, Redirect { .. }) {
                assert_eq!(buffer, destination.as_bytes(), "/{path}, {host:?}, {trailing_slash:?}");
            }
        }
    }
}
