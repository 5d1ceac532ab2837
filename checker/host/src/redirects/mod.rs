//! Reads the redirects of a site: those of the redirects file, `_redirects`, with lines of `FROM TO [STATUS]`, as on
//! Netlify and Cloudflare Pages; those of other files of hosts; and those of the contract.

mod config_files;
mod index;
mod patterns;

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use percent_encoding::percent_decode_str;
use sitegate_address::UrlReference;

use crate::answer::{Files, HostAnswer, HostProfile, Reason};
use crate::hosts::{Host, REDIRECTS_FILE, redirect_limits};
use config_files::HostRedirect;
pub use index::redirect_key;
use index::{RedirectIndex, segments};
use patterns::Converted;

/// Maximum number of redirects to follow before they count as a loop.
pub const MAX_HOPS: usize = 10;

/// A permanent redirect of one address, which comes before files: an entry of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedAddress {
    /// The old path, with a leading slash and no trailing slash. The path with a trailing slash is redirected, too.
    pub from: String,
    /// The destination: a path with a leading slash, or a whole URL.
    pub to: String,
    /// The entry's span in the contract, in bytes.
    pub span: Range<usize>,
}

/// A host's configuration file outside of the export.
#[derive(Clone, Debug)]
pub struct HostConfigFile {
    /// The path.
    pub path: PathBuf,
    /// The host that reads it.
    pub host: Host,
    /// The content, which the seal covers.
    pub content: Vec<u8>,
    /// The span of its name in the contract.
    pub span: Range<usize>,
}

/// A redirect of the file or of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The source path; `*` at its end matches any rest, `:name` one segment.
    pub from: String,
    /// The destination: a path, or a URL. `:splat` and `:name` are replaced by the match.
    pub to: String,
    /// The HTTP status; 200 serves the destination at the source path.
    pub status: u16,
    /// Whether it applies even if a file has that path (`301!`).
    pub force: bool,
    /// The location of [`Redirect::to`].
    pub span: Range<u32>,
    /// The file that has it.
    pub origin: RedirectOrigin,
    /// Whether the line has a status.
    has_status: bool,
    /// Whether it has conditions for the query.
    has_query_condition: bool,
}

/// The file that has a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectOrigin {
    /// The contract, or a file that it names: the location is in the contract.
    Contract,
    /// A file at the root of the export, by its name.
    File(&'static str),
}

impl Redirect {
    /// Creates a redirect of a host's configuration file.
    fn of_host(found: HostRedirect, origin: RedirectOrigin) -> Redirect {
        let HostRedirect { converted: Converted { from, to }, status, force, span } = found;
        let from = decoded(&from);
        Redirect { from, to, status, force, span, origin, has_status: true, has_query_condition: false }
    }

    /// Creates a redirect of an entry of the contract or of a host's configuration file.
    pub fn of_entry(from: &str, to: String, status: u16, force: bool) -> Redirect {
        let (span, origin) = (0..0, RedirectOrigin::Contract);
        let from = decoded(from);
        Redirect { from, to, status, force, span, origin, has_status: true, has_query_condition: false }
    }

    /// Whether the destination depends on the path.
    pub fn is_pattern(&self) -> bool {
        self.from.contains('*') || self.from.contains("/:")
    }

    /// Whether its destination is filled with parts of the path, so that it is checked at each link that uses it.
    pub fn has_placeholders(&self) -> bool {
        self.to.contains("/:")
    }

    /// Whether it applies to some requests only, by their query.
    pub fn is_conditional(&self) -> bool {
        self.has_query_condition
    }

    /// Whether it matches a path (decoded, with a leading `/`).
    pub fn matches(&self, path: &str) -> bool {
        let mut rest = segments(path);
        for pattern in segments(&self.from) {
            if pattern == "*" {
                return true;
            }
            let segment = rest.next();
            if segment.is_none_or(|segment| !pattern.starts_with(':') && pattern != segment) {
                return false;
            }
        }
        rest.next().is_none()
    }

    /// Whether it is an HTTP redirect; otherwise it serves the destination itself.
    pub fn is_http_redirect(&self) -> bool {
        (300..400).contains(&self.status)
    }

    /// Whether clients may remember it: 301 or 308.
    pub fn is_permanent(&self) -> bool {
        matches!(self.status, 301 | 308)
    }

    /// Returns the destination for a matching path (decoded, with a leading `/`); `None` if it is too long.
    fn destination(&self, path: &str) -> Option<String> {
        if self.to.len() > MAX_LENGTH {
            return None;
        }
        let mut filled = self.to.clone();
        let mut rest = segments(path);
        for pattern in segments(&self.from) {
            if pattern == "*" {
                let rest: Vec<&str> = rest.collect();
                return replace(&filled, ":splat", &rest.join("/"));
            }
            let segment = rest.next()?;
            if pattern.starts_with(':') {
                filled = replace(&filled, pattern, segment)?;
            }
        }
        Some(filled)
    }
}

/// Maximum length of a destination in bytes. File systems have no longer paths, and each redirect could make it
/// longer.
const MAX_LENGTH: usize = 4096;

/// Replaces a placeholder in a text; `None` if the result is too long.
fn replace(text: &str, placeholder: &str, with: &str) -> Option<String> {
    let times = text.matches(placeholder).count();
    let length = text.len() - times * placeholder.len() + times.saturating_mul(with.len());
    (length <= MAX_LENGTH).then(|| text.replace(placeholder, with))
}

/// The first answer to a path.
#[derive(Debug)]
pub enum FirstAnswer<'r, F> {
    /// The answer of the host itself.
    Host(HostAnswer<F>),
    /// A redirect.
    Line {
        /// The redirect.
        line: &'r Redirect,
        /// Its destination for this path.
        to: String,
        /// The reason why the host itself has no answer.
        otherwise: Reason,
    },
}

/// The redirects of an export cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RedirectsError {
    /// A file cannot be read.
    #[error("{name}: {source}")]
    Unreadable {
        /// Its name.
        name: &'static str,
        /// The error.
        source: std::io::Error,
    },
    /// A configuration file of a host has a syntax error.
    #[error("{0}: it is malformed, so its redirects are unknown")]
    Malformed(&'static str),
}

/// The redirects of a site, in the order they are tried.
#[derive(Clone, Debug, Default)]
pub struct Redirects {
    /// The redirects.
    pub all: Vec<Redirect>,
    /// Lines that are not redirects, and why.
    pub malformed: Vec<(Range<u32>, &'static str)>,
    index: RedirectIndex,
}

impl Redirects {
    /// Reads the redirects of a site: those of its export that the host supports, those of the configuration file that
    /// the contract names, then those of the contract. `read` returns the content of a file at the root of the export,
    /// `named` is the configuration file with its content, `moved` are the redirects of the contract.
    ///
    /// # Errors
    /// If a file cannot be read, or a configuration file is malformed.
    pub fn of_files(
        read: impl Fn(&str) -> Option<io::Result<Vec<u8>>>,
        host: Option<Host>,
        named: Option<(&HostConfigFile, &[u8])>,
        moved: &[MovedAddress],
    ) -> Result<Redirects, RedirectsError> {
        let unreadable = |name| move |source| RedirectsError::Unreadable { name, source };
        let mut redirects = Redirects::default();
        if redirect_limits(host).is_some()
            && let Some(bytes) = read(REDIRECTS_FILE)
        {
            redirects = Redirects::of_bytes(bytes.map_err(unreadable(REDIRECTS_FILE))?, host);
        }
        for reader in Host::ALL.into_iter().filter(|reader| host.is_none_or(|host| host == *reader)) {
            let Some((name, bytes)) = reader.config_file().and_then(|name| Some((name, read(name)?))) else {
                continue;
            };
            let found = config_files::redirects(reader, &bytes.map_err(unreadable(name))?);
            let found = found.ok_or(RedirectsError::Malformed(name))?;
            let origin = RedirectOrigin::File(name);
            redirects.all.extend(found.into_iter().map(|found| Redirect::of_host(found, origin.clone())));
        }
        if let Some((named, content)) = named {
            let name = named.host.config_file().unwrap_or_default();
            let found = config_files::redirects(named.host, content);
            let found = found.ok_or(RedirectsError::Malformed(name))?;
            let span = named.span.start as u32..named.span.end as u32;
            let located = found.into_iter().map(|found| HostRedirect { span: span.clone(), ..found });
            redirects.all.extend(located.map(|one| Redirect::of_host(one, RedirectOrigin::Contract)));
        }
        redirects.extend(moved);
        Ok(redirects)
    }

    /// Creates redirects from a contract only.
    pub fn of_contract(moved: &[MovedAddress]) -> Redirects {
        let mut redirects = Redirects::default();
        redirects.extend(moved);
        redirects
    }

    /// Parses a redirects file of any bytes: a line that is not UTF-8 is malformed.
    fn of_bytes(mut bytes: Vec<u8>, host: Option<Host>) -> Redirects {
        let mut not_utf8 = Vec::new();
        let mut start = 0;
        for line in bytes.split_mut(|byte| *byte == b'\n') {
            let end = start + line.len();
            if std::str::from_utf8(line).is_err() {
                not_utf8.push((start as u32..end as u32, "it is not UTF-8"));
                line.fill(b' ');
            }
            start = end + 1;
        }
        let mut redirects = Redirects::parse(&String::from_utf8_lossy(&bytes), host);
        redirects.malformed.extend(not_utf8);
        redirects
    }

    /// Returns the answer of a site to a path (see [`HostProfile::answer`]). Forced redirects come before files, all
    /// others only apply if the host finds nothing.
    pub fn answer<E: Files>(
        &self,
        host: HostProfile,
        path: &mut Vec<u8>,
        files: &E,
    ) -> FirstAnswer<'_, E::File> {
        if self.all.is_empty() {
            return FirstAnswer::Host(host.answer(path, files));
        }
        let line = self.first(&format!("/{}", String::from_utf8_lossy(path)));
        let found = match &line {
            Some((line, _)) if line.force => HostAnswer::Nothing(Reason::NoFile),
            _ => host.answer(path, files),
        };
        match (found, line) {
            (HostAnswer::Nothing(otherwise), Some((line, Some(to)))) => {
                FirstAnswer::Line { line, to, otherwise }
            }
            (found, _) => FirstAnswer::Host(found),
        }
    }

    /// Parses a redirects file as a host does.
    ///
    /// On Cloudflare Pages redirects come before files, and their default status is 302 ("Redirects" in its
    /// documentation). GitLab Pages ignores redirects that are forced or have query conditions ("GitLab Pages
    /// redirects").
    pub fn parse(source: &str, host: Option<Host>) -> Redirects {
        let mut redirects = Redirects::default();
        // Hosts skip a byte order mark, as white space.
        let lines = source.strip_prefix('\u{feff}').unwrap_or(source);
        let mut start = source.len() - lines.len();
        for line in lines.split('\n') {
            redirects.parse_line(without_comment(line).trim_end(), start);
            start += line.len() + 1;
        }
        match host {
            Some(Host::CloudflarePages) => {
                for redirect in &mut redirects.all {
                    redirect.force = redirect.status != 200;
                    if !redirect.has_status {
                        redirect.status = 302;
                    }
                }
            }
            Some(Host::GitlabPages) => {
                redirects.all.retain(|redirect| !redirect.force && !redirect.has_query_condition);
            }
            _ => {}
        }
        redirects.build_index();
        redirects
    }

    /// Indexes the redirects. Drops those that overlap too much.
    fn build_index(&mut self) {
        let (index, indexed) = RedirectIndex::new(&self.all.iter().map(|redirect| redirect.from.as_str()));
        self.index = index;
        for skipped in self
            .all
            .drain(indexed..)
            .filter(|redirect| redirect.origin == RedirectOrigin::File(REDIRECTS_FILE))
        {
            let why = "too many lines with placeholders match the same paths; this one was not checked";
            self.malformed.push((skipped.span, why));
        }
    }

    fn parse_line(&mut self, line: &str, start: usize) {
        let span_of = |word: &str| {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            at as u32..(at + word.len()) as u32
        };
        let mut words = line.split_ascii_whitespace();
        let Some(from) = words.next() else { return };
        // `key=value` words between the two match the query; only the path counts here.
        let mut before = 0;
        let Some(to) = words.by_ref().inspect(|_| before += 1).find(|word| is_destination(word)) else {
            self.malformed.push((span_of(from), "it has no destination"));
            return;
        };
        if !from.starts_with('/') && !from.contains("://") {
            self.malformed.push((span_of(from), "its source must begin with `/`"));
            return;
        }
        let named = words.next();
        let written = named.unwrap_or("301");
        let (number, force) = written.strip_suffix('!').map_or((written, false), |number| (number, true));
        let Ok(status) = number.parse() else {
            // A condition such as `Country=de`.
            return;
        };
        let redirect = Redirect {
            from: decoded(from),
            to: to.to_owned(),
            status,
            force,
            span: span_of(to),
            origin: RedirectOrigin::File(REDIRECTS_FILE),
            has_status: named.is_some(),
            has_query_condition: before > 1,
        };
        self.all.push(redirect);
    }

    /// Adds the `[[redirects]]` of a contract. They are permanent and come before files, because the edge evaluates
    /// them first.
    pub fn extend(&mut self, contract: &[MovedAddress]) {
        self.all.extend(contract.iter().map(|redirect| Redirect {
            from: redirect.from.clone(),
            to: redirect.to.clone(),
            status: 301,
            force: true,
            span: redirect.span.start as u32..redirect.span.end as u32,
            origin: RedirectOrigin::Contract,
            has_status: true,
            has_query_condition: false,
        }));
        self.build_index();
    }

    /// Returns the first redirect that matches a path (decoded, with a leading `/`), and its destination.
    pub fn find(&self, path: &str) -> Option<(&Redirect, String)> {
        let (redirect, to) = self.first(path)?;
        Some((redirect, to?))
    }

    fn first(&self, path: &str) -> Option<(&Redirect, Option<String>)> {
        let redirect = self.all.get(self.index.first(path)? as usize)?;
        Some((redirect, redirect.destination(path)))
    }
}

/// Returns a source path as requests are matched: decoded. An encoded `*`, `:` or `/` would get another meaning; such a
/// path stays as it is.
fn decoded(from: &str) -> String {
    let special = |path: &str| path.bytes().filter(|byte| b"*:/".contains(byte)).count();
    let decoded = percent_decode_str(from).decode_utf8_lossy();
    if special(&decoded) == special(from) { decoded.into_owned() } else { from.to_owned() }
}

/// Adds the query of a request to the destination of its redirect, unless the destination has one. `query` has its `?`,
/// or is what a server writes instead.
pub fn with_query(to: &str, query: &str) -> String {
    let (page, fragment) = to.split_at(UrlReference::new(to).without_fragment().len());
    let query = if page.contains('?') { "" } else { query };
    format!("{page}{query}{fragment}")
}

fn is_destination(word: &str) -> bool {
    word.starts_with('/') || word.contains("://")
}

/// Returns a line without its comment: a word that begins with `#`. Within a word, `#` begins a fragment.
fn without_comment(line: &str) -> &str {
    let mut marks = line.match_indices('#').map(|(at, _)| &line[..at]);
    marks.find(|before| !before.ends_with(|c: char| !c.is_ascii_whitespace())).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::{Host, Redirects};

    #[test]
    fn fills_splats_and_placeholders() {
        let file = "# old\n/a /b\n/old/* /new/:splat 302\n/u/:id/x /users/:id 200!\n/q id=:id /p 301\n";
        let redirects = Redirects::parse(file, None);
        let to =
            |path: &str| redirects.find(path).map(|(redirect, to)| (to, redirect.status, redirect.force));
        assert_eq!(to("/a"), Some(("/b".to_owned(), 301, false)));
        assert_eq!(to("/a/"), Some(("/b".to_owned(), 301, false)));
        assert_eq!(to("/old/x/y"), Some(("/new/x/y".to_owned(), 302, false)));
        assert_eq!(to("/u/7/x"), Some(("/users/7".to_owned(), 200, true)));
        assert_eq!(to("/q"), Some(("/p".to_owned(), 301, false)));
        assert_eq!(to("/u/7"), None);
        assert_eq!(to("/a/c"), None);
    }

    #[test]
    fn matches_decoded_paths() {
        let redirects =
            Redirects::parse("/gr%C3%B6%C3%9Fe/* /b/:splat\n/a%2Fb /c\n/%2A /d\n/größe2 /e\n", None);
        let to = |path: &str| redirects.find(path).map(|(_, to)| to);
        assert_eq!(to("/größe/x"), Some("/b/x".to_owned()));
        assert_eq!(to("/größe2"), Some("/e".to_owned()));
        assert_eq!((to("/a/b"), to("/x")), (None, None));
    }

    #[test]
    fn skips_a_byte_order_mark() {
        let file = "\u{feff}/a /b\n/c /d\n";
        let redirects = Redirects::parse(file, None);
        let destinations: Vec<&str> = redirects
            .all
            .iter()
            .map(|line| &file[line.span.start as usize..line.span.end as usize])
            .collect();
        assert_eq!(destinations, ["/b", "/d"]);
        assert!(redirects.find("/a").is_some() && redirects.malformed.is_empty());
    }

    #[test]
    fn passes_the_query_on() {
        for (to, query, expected) in [
            ("/a", "", "/a"),
            ("/a#b", "?q=1", "/a?q=1#b"),
            ("/a?x#b", "?q=1", "/a?x#b"),
            ("/a#b?c", "$is_args$args", "/a$is_args$args#b?c"),
        ] {
            assert_eq!(super::with_query(to, query), expected);
        }
    }

    #[test]
    fn each_host_reads_the_file_by_its_own_rules() {
        let file = "/a /b\n/c /d 301!\n/q id=:id /p 302\n/e /f 200\n";
        let read = |host| {
            let lines = Redirects::parse(file, Some(host)).all;
            lines.iter().map(|line| (line.from.clone(), line.status, line.force)).collect::<Vec<_>>()
        };
        let line = |from: &str, status, force| (from.to_owned(), status, force);
        assert_eq!(
            read(Host::CloudflarePages),
            [line("/a", 302, true), line("/c", 301, true), line("/q", 302, true), line("/e", 200, false)]
        );
        assert_eq!(read(Host::GitlabPages), [line("/a", 301, false), line("/e", 200, false)]);
    }

    #[test]
    fn returns_spans_and_malformed_lines() {
        let file = "/a   /b  301\nc /d\n/e\n";
        let redirects = Redirects::parse(file, None);
        let span = &redirects.all[0].span;
        assert_eq!(&file[span.start as usize..span.end as usize], "/b");
        assert_eq!(redirects.malformed.len(), 2);
    }

    /// Returns the destination of the first matching line, by trying one after the other.
    fn first_by_search(redirects: &Redirects, path: &str) -> Option<(String, String)> {
        let line = redirects.all.iter().find(|line| line.matches(path))?;
        Some((line.from.clone(), line.destination(path)?))
    }

    proptest::proptest! {
        #[test]
        fn finds_the_first_matching_line(
            lines in proptest::collection::vec("(/(a|b|:x|:y|\\*)){1,3}/?", 0..12),
            path in "(/(a|b|c)){0,4}/?",
        ) {
            let file: String = lines.iter().flat_map(|from| [from, " /to/:splat/:x/:y\n"]).collect();
            let redirects = Redirects::parse(&file, None);
            let found = redirects.find(&path).map(|(line, to)| (line.from.clone(), to));
            proptest::prop_assert_eq!(found, first_by_search(&redirects, &path));
        }
    }

    #[test]
    fn limits_the_length_of_destinations() {
        let redirects = Redirects::parse("/* /:splat/:splat/:splat/:splat\n", None);
        assert_eq!(redirects.find("/a").map(|(_, to)| to).as_deref(), Some("/a/a/a/a"));
        assert_eq!(redirects.find(&format!("/{}", "a".repeat(2000))), None);
    }

    #[test]
    fn drops_lines_that_overlap_too_much() {
        let lines = (0..1 << 12).map(|bits: u32| {
            let segment = |at: u32| if bits >> at & 1 == 0 { "/a" } else { "/:a" };
            (0..12).map(segment).collect::<String>() + " /b\n"
        });
        let redirects = Redirects::parse(&lines.collect::<String>(), None);
        assert!(redirects.all.len() > 100 && redirects.malformed.len() > 1000);
    }
}
