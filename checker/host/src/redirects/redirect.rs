//! Represents a redirect or a rewrite: its source, its destination, and the paths that it matches.

use std::borrow::Cow;
use std::ops::Range;

use sitegate_address::percent::decode_lossy;
use sitegate_address::{SitePath, UrlReference};

use super::index::segments;
use crate::hosts::Host;

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
    /// Whether a `/` at the end of a path must be in its source, too, and the other way round.
    pub(super) is_strict: bool,
    /// Whether it has conditions for the query, or for the reader.
    pub(super) has_conditions: bool,
}

/// The file that has a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectOrigin {
    /// The contract.
    Contract,
    /// The host's configuration file that the contract names.
    HostConfig,
    /// A file at the root of the export, by its name.
    File(&'static str),
}

impl Redirect {
    /// Creates a redirect of a file or of the contract, which applies to any query. `from` may be percent-encoded.
    pub(super) fn new(
        (from, to): (&str, String),
        (status, force): (u16, bool),
        span: Range<u32>,
        origin: RedirectOrigin,
    ) -> Redirect {
        Redirect {
            from: decoded(from),
            to,
            status,
            force,
            span,
            origin,
            is_strict: false,
            has_conditions: false,
        }
    }

    /// Whether the destination depends on the path.
    pub fn is_pattern(&self) -> bool {
        self.from.contains('*') || self.from.contains("/:")
    }

    /// Whether the path of its destination is filled with parts of the path, so that it is checked at each link that uses
    /// it.
    pub fn has_placeholders(&self) -> bool {
        self.to.contains("/:") || self.fills(UrlReference::new(self.to.as_str()).path())
    }

    /// Whether the fragment of its destination is filled with parts of the path.
    pub fn has_filled_fragment(&self) -> bool {
        UrlReference::new(self.to.as_str()).fragment().is_some_and(|fragment| self.fills(fragment))
    }

    /// Whether a part of the destination has one of its placeholders.
    fn fills(&self, part: &str) -> bool {
        segments(&self.from).any(|pattern| match pattern {
            "*" => part.contains(":splat"),
            name => name.len() > 1 && name.starts_with(':') && part.contains(name),
        })
    }

    /// Whether it applies to some requests only, by their query or their reader.
    pub fn is_conditional(&self) -> bool {
        self.has_conditions
    }

    /// Whether it matches a path (decoded, with a leading `/`).
    pub fn matches(&self, path: &str) -> bool {
        let is_whole = self.is_strict && !self.from.ends_with('*');
        if is_whole && path.ends_with('/') != self.from.ends_with('/') {
            return false;
        }
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

    /// Whether it answers every request that another one matches.
    pub(super) fn covers(&self, other: &Redirect) -> bool {
        if self.has_conditions || other.force && !self.force {
            return false;
        }
        let mut rest = segments(&other.from);
        for pattern in segments(&self.from) {
            if pattern == "*" {
                return true;
            }
            let is_covered = match rest.next() {
                None | Some("*") => false,
                Some(segment) => pattern.starts_with(':') || pattern == segment,
            };
            if !is_covered {
                return false;
            }
        }
        rest.next().is_none()
    }

    /// Whether it is an HTTP redirect; otherwise it serves the destination itself.
    pub fn is_http_redirect(&self) -> bool {
        (300..400).contains(&self.status)
    }

    /// Whether every path that it matches is redirected to itself. Netlify ignores a slash at the end, so there a
    /// rule cannot add or remove it ("Redirect options" in its documentation; dnsimple/dnsimple-support#2134).
    pub fn returns_to_its_source(&self, host: Option<Host>) -> bool {
        let source = self.from.replace('*', ":splat");
        let is_same = match host {
            Some(Host::Netlify) => segments(&source).eq(segments(&self.to)),
            _ => source == self.to,
        };
        self.is_http_redirect() && is_same
    }

    /// Whether clients may remember it: 301 or 308.
    pub fn is_permanent(&self) -> bool {
        matches!(self.status, 301 | 308)
    }

    /// Whether it may serve a file, by its path below the root, at addresses in other folders. One whose destination ends
    /// with a placeholder does not count: it serves the files next to a page there, too.
    pub fn may_serve(&self, path: &[u8]) -> bool {
        let is_rewrite = self.status < 300 && !self.has_conditions;
        let to = UrlReference::new(self.to.as_str()).path();
        if !is_rewrite || segments(to).last().is_some_and(|last| last.starts_with(':')) {
            return false;
        }
        let (to, path) = (decode_lossy(to), String::from_utf8_lossy(path));
        let is_index = |of: &str| SitePath::new(of).is_index();
        let path =
            if is_index(&path) && !is_index(&to) { SitePath::new(&*path).without_index() } else { &*path };
        let mut rest = segments(path).peekable();
        for pattern in segments(&to) {
            // Any number of segments.
            if pattern.starts_with(":splat") {
                return true;
            }
            let Some(segment) = rest.next() else { return false };
            let is_page = rest.peek().is_none() && segment.strip_suffix(".html") == Some(pattern);
            if !pattern.starts_with(':') && pattern != segment && !is_page {
                return false;
            }
        }
        rest.next().is_none()
    }

    /// Returns the destination for a matching path (decoded, with a leading `/`); `None` if it is too long.
    pub(super) fn destination(&self, path: &str) -> Option<String> {
        if self.to.len() > MAX_LENGTH {
            return None;
        }
        let mut values: Vec<(&str, Cow<'_, str>)> = Vec::new();
        let mut rest = segments(path);
        for pattern in segments(&self.from) {
            if pattern == "*" {
                let rest: Vec<&str> = rest.collect();
                values.push((":splat", rest.join("/").into()));
                break;
            }
            let segment = rest.next()?;
            if pattern.len() > 1 && pattern.starts_with(':') {
                values.push((pattern, segment.into()));
            }
        }
        fill(&self.to, &values)
    }
}

/// Maximum length of a destination in bytes. File systems have no longer paths, and each redirect could make it
/// longer.
const MAX_LENGTH: usize = 4096;

/// Replaces the placeholders of a destination; `None` if the result is too long. Each is replaced once, so that values
/// that look like placeholders stay as they are, and `:ab` is not `:a` with a `b`.
fn fill(to: &str, values: &[(&str, Cow<'_, str>)]) -> Option<String> {
    let mut filled = String::with_capacity(to.len());
    let mut rest = to;
    while let Some(at) = rest.find(':') {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let matching = values.iter().rev().filter(|(name, _)| rest.starts_with(name));
        let longest = matching.max_by_key(|(name, _)| name.len());
        let (name, value) = longest.map_or((":", ":"), |(name, value)| (*name, &**value));
        filled.push_str(value);
        rest = &rest[name.len()..];
        if filled.len() > MAX_LENGTH {
            return None;
        }
    }
    filled.push_str(rest);
    (filled.len() <= MAX_LENGTH).then_some(filled)
}

/// Returns a source path as requests are matched: decoded. An encoded `*`, `:` or `/` would get another meaning; such a
/// path stays as it is.
fn decoded(from: &str) -> String {
    let special = |path: &str| path.bytes().filter(|byte| b"*:/".contains(byte)).count();
    let decoded = decode_lossy(from);
    if special(&decoded) == special(from) { decoded.into_owned() } else { from.to_owned() }
}

/// Adds the query of a request to the destination of its redirect, unless the destination has one. `query` has its `?`,
/// or is what a server writes instead.
pub fn with_query(to: &str, query: &str) -> String {
    let (page, fragment) = to.split_at(UrlReference::new(to).without_fragment().len());
    let query = if page.contains('?') { "" } else { query };
    format!("{page}{query}{fragment}")
}
