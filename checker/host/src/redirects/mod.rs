//! Reads the redirects of a site: those of the redirects file, `_redirects`; those of other files of hosts; and those
//! of the contract. Finds the one that answers a path.

mod config_files;
mod index;
mod lines;
pub(crate) mod patterns;
mod redirect;
mod refused;

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::answer::{Files, HostAnswer, HostProfile, Reason};
use crate::hosts::{Host, REDIRECTS_FILE, redirect_limits};
pub use config_files::{AddressSettings, TomlRedirect, address_settings, toml_redirects};
use index::RedirectIndex;
pub use index::redirect_key;
use lines::RedirectLines;
pub use redirect::{Redirect, RedirectOrigin, with_query};
pub use refused::RefusedEntry;

/// Maximum number of redirects to follow before they count as a loop. Google's crawlers follow 10 ("How HTTP status codes
/// affect Google's crawlers"), browsers 20 (Fetch, 4.4).
pub const MAX_HOPS: usize = 10;

/// Returns a place, and those that it redirects to one after the other: at most [`MAX_HOPS`], so that a loop ends. `next`
/// returns the place that another one redirects to.
pub fn follow<P>(start: P, next: impl FnMut(&P) -> Option<P>) -> impl Iterator<Item = P> {
    std::iter::successors(Some(start), next).take(MAX_HOPS + 1)
}

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
    /// The redirects. Those with conditions answer no path: most readers do not get them.
    pub all: Vec<Redirect>,
    /// Lines that are not redirects, and why.
    pub malformed: Vec<(Range<u32>, &'static str)>,
    /// Entries of configuration files that their hosts refuse or lose.
    pub refused: Vec<RefusedEntry>,
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
            redirects = lines::lines_of_bytes(bytes.map_err(unreadable(REDIRECTS_FILE))?, host).into();
        }
        for reader in Host::ALL.into_iter().filter(|reader| host.is_none_or(|host| host == *reader)) {
            let Some((name, bytes)) = reader.config_file().and_then(|name| Some((name, read(name)?))) else {
                continue;
            };
            let (bytes, origin) = (bytes.map_err(unreadable(name))?, RedirectOrigin::File(name));
            let found = config_files::redirects(reader, &bytes, &origin);
            redirects.all.extend(found.ok_or(RedirectsError::Malformed(name))?);
            redirects.refused.extend(refused::refused(reader, &bytes, &origin));
        }
        if let Some((named, content)) = named {
            let (name, origin) = (named.host.config_file().unwrap_or_default(), RedirectOrigin::HostConfig);
            let found = config_files::redirects(named.host, content, &origin);
            redirects.all.extend(found.ok_or(RedirectsError::Malformed(name))?);
            redirects.refused.extend(refused::refused(named.host, content, &origin));
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

    /// Creates permanent redirects from decoded paths or patterns, and their destinations.
    pub fn of_pairs<F: Into<String>, T: Into<String>>(pairs: impl IntoIterator<Item = (F, T)>) -> Redirects {
        Self::of_lines(pairs.into_iter().map(|(from, to)| (from, to, (301, false))))
    }

    /// Creates redirects from decoded paths or patterns, their destinations, and their statuses with whether they are
    /// forced.
    pub fn of_lines<F: Into<String>, T: Into<String>>(
        lines: impl IntoIterator<Item = (F, T, (u16, bool))>,
    ) -> Redirects {
        let redirect = |(from, to, answer): (F, T, (u16, bool))| {
            let redirect = Redirect::new(("", to.into()), answer, 0..0, RedirectOrigin::Contract);
            Redirect { from: from.into(), ..redirect }
        };
        let mut redirects =
            Redirects { all: lines.into_iter().map(redirect).collect(), ..Redirects::default() };
        redirects.build_index();
        redirects
    }

    /// Returns the answer of a site to a path (see [`HostProfile::answer`]). Forced redirects come before files, all
    /// others only apply if the host finds nothing in the case of the path: a redirect from capital letters keeps Netlify
    /// from making them lowercase (JustRelate/scrivito-example-app-js#149).
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
            _ => host.exact_answer(path, files),
        };
        match (found, line) {
            (HostAnswer::Nothing(otherwise), Some((line, Some(to)))) => {
                FirstAnswer::Line { line, to, otherwise }
            }
            (HostAnswer::Nothing(reason), None) => {
                FirstAnswer::Host(host.answer_in_any_case(path, files).unwrap_or(HostAnswer::Nothing(reason)))
            }
            (found, _) => FirstAnswer::Host(found),
        }
    }

    /// Reads the text of a redirects file as a host does.
    pub fn parse(text: &str, host: Option<Host>) -> Redirects {
        lines::lines(text, host).into()
    }

    /// Indexes the redirects. Drops those that overlap too much.
    fn build_index(&mut self) {
        let sources = self
            .all
            .iter()
            .map(|line| (!line.is_conditional()).then_some((line.from.as_str(), line.is_strict)));
        let (index, indexed) = RedirectIndex::new(&sources);
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

    /// Adds the `[[redirects]]` of a contract. They are permanent and come before files, because the edge evaluates
    /// them first.
    pub fn extend(&mut self, contract: &[MovedAddress]) {
        self.all.extend(contract.iter().map(|MovedAddress { from, to, span }| {
            let span = span.start as u32..span.end as u32;
            Redirect::new((from, to.clone()), (301, true), span, RedirectOrigin::Contract)
        }));
        self.build_index();
    }

    /// Returns the first redirect that matches a path (decoded, with a leading `/`), and its destination.
    pub fn find(&self, path: &str) -> Option<(&Redirect, String)> {
        let (redirect, to) = self.first(path)?;
        Some((redirect, to?))
    }

    /// Whether a rewrite serves files at other addresses.
    pub fn has_rewrites(&self) -> bool {
        self.all.iter().any(|line| line.status < 300 && !line.is_conditional())
    }

    /// Returns the redirect before this one that answers all of its requests, so that it never applies. Of several, only
    /// the first is compared.
    pub fn shadowing(&self, redirect: &Redirect) -> Option<&Redirect> {
        // No path has a placeholder's name, so as a path, a source matches only what any segment matches.
        let first = self.all.get(self.index.first(&redirect.from)? as usize)?;
        // A line with conditions is not found itself, but a later one may be. Both are in one list.
        let is_earlier = std::ptr::from_ref(first) < std::ptr::from_ref(redirect);
        (is_earlier && first.covers(redirect)).then_some(first)
    }

    fn first(&self, path: &str) -> Option<(&Redirect, Option<String>)> {
        let redirect = self.all.get(self.index.first(path)? as usize)?;
        Some((redirect, redirect.destination(path)))
    }
}

impl From<RedirectLines> for Redirects {
    fn from(RedirectLines { all, malformed }: RedirectLines) -> Redirects {
        let mut redirects = Redirects { all, malformed, ..Redirects::default() };
        redirects.build_index();
        redirects
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

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
        assert_eq!(to("/q"), None);
        assert_eq!(to("/u/7"), None);
        assert_eq!(to("/a/c"), None);
    }

    #[test]
    fn fills_each_placeholder_once() {
        let to = |from: &str, to: &str, path: &str| {
            Redirects::of_pairs([(from, to)]).find(path).map(|(_, destination)| destination)
        };
        assert_eq!(to("/:a/:ab", "/:ab/:a", "/x/y").as_deref(), Some("/y/x"));
        assert_eq!(to("/:a/:b", "/:b/:a:c", "/:b/x").as_deref(), Some("/x/:b:c"));
        assert_eq!(to("/:a/:a", "/:a", "/x/y").as_deref(), Some("/x"));
        assert_eq!(to("/50%25/*", "/:splat", "/50%25/:splat").as_deref(), Some("/:splat"));
        let (from, path) = ("/:a".repeat(60), "/:a:a".repeat(60));
        assert_eq!(to(&from, "/:a", &path).as_deref(), Some("/:a:a"));
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
        // Cloudflare has no conditions on the query, and no `!`.
        let expected = [line("/a", 302, true), line("/e", 200, false)];
        assert_eq!(read(Host::CloudflarePages), expected);
        assert_eq!(read(Host::GitlabPages), [line("/a", 301, false), line("/e", 200, false)]);
    }

    #[test]
    fn vercel_distinguishes_paths_with_a_slash() {
        let sources = ["/a", "/a/", "/b", "/c/", "/d/:id", "/e/:id/", "/f/:path*"].into_iter().enumerate();
        let entries: Vec<String> = sources
            .map(|(at, source)| format!("{{\"source\": \"{source}\", \"destination\": \"/{}\"}}", at + 1))
            .collect();
        let text = format!("{{\"redirects\": [{}]}}", entries.join(","));
        let read = |name: &str| (name == "vercel.json").then(|| Ok(text.clone().into_bytes()));
        let redirects = Redirects::of_files(read, Some(Host::Vercel), None, &[]).unwrap();
        let to = |path: &str| {
            redirects.find(path).map(|(redirect, to)| {
                assert!(redirect.matches(path), "{path}");
                to
            })
        };
        for (path, expected) in [
            ("/a", Some("/1")),
            ("/a/", Some("/2")),
            ("/b/", None),
            ("/c", None),
            ("/d/x", Some("/5")),
            ("/d/x/", None),
            ("/e/x/", Some("/6")),
            ("/e/x", None),
            ("/f/x/", Some("/7")),
            ("/f/x", Some("/7")),
        ] {
            assert_eq!(to(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn lines_with_conditions_answer_no_path() {
        let file = "/q id=:id /p/:id 301\n/c /d 302 Country=de\n/e /f Language=en,de\n/* /de/:splat 302! Role=x\n\
            /api/* https://api.acme.org/:splat 200! Signed=KEY\n/c /g\n";
        let redirects = Redirects::parse(file, Some(Host::Netlify));
        let is_conditional: Vec<bool> = redirects.all.iter().map(super::Redirect::is_conditional).collect();
        assert_eq!(is_conditional, [true, true, true, true, false, false]);
        let to = |path: &str| redirects.find(path).map(|(redirect, to)| (to, redirect.status));
        assert_eq!((to("/q"), to("/e"), to("/x")), (None, None, None));
        assert_eq!(to("/c"), Some(("/g".to_owned(), 301)));
        assert_eq!(to("/api/x"), Some(("https://api.acme.org/x".to_owned(), 200)));
        assert!(redirects.shadowing(&redirects.all[5]).is_none());
        let on_cloudflare = Redirects::parse(file, Some(Host::CloudflarePages));
        assert_eq!((on_cloudflare.all.len(), on_cloudflare.malformed.len()), (1, 5));
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
    fn an_earlier_line_may_answer_all_requests_of_another() {
        let is_shadowed = |earlier: &str, later: &str| {
            let redirects = Redirects::parse(&format!("{earlier} /x\n{later}\n"), None);
            redirects.shadowing(&redirects.all[1]).is_some()
        };
        for (earlier, later) in [
            ("/*", "/sponsors /y"),
            ("/*", "/a/* /y"),
            ("/:one/:two", "/foo/:bar /y"),
            ("/:one/*", "/foo/* /y"),
            ("/a", "/a /y"),
            ("/a/*", "/a /y"),
        ] {
            assert!(is_shadowed(earlier, later), "{earlier} {later}");
        }
        for (earlier, later) in [
            ("/foo/:bar", "/:one/:two /y"),
            ("/:one/:two", "/foo/* /y"),
            ("/:one", "/* /y"),
            ("/a/*", "/b /y"),
            ("/*", "/a /y 301!"),
            ("/* id=:id", "/a /y"),
        ] {
            assert!(!is_shadowed(earlier, later), "{earlier} {later}");
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
