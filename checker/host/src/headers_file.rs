//! Reads header rules: path patterns, each with header lines. They are in the headers file, `_headers`, as on Netlify
//! and Cloudflare Pages, or in the configuration file of a host: `netlify.toml`, `vercel.json` and `firebase.json`.
//!
//! Entries with conditions, and patterns that `_headers` cannot express, are left out.

use std::ops::Range;

use serde_json::Value;
use sitegate_base::field_lines::fields;
use url::Url;

use crate::hosts::Host;
use crate::redirects::patterns::{of_firebase, of_vercel};

/// The headers that the file sets on the site's origin.
#[derive(Debug, Default)]
pub struct HeadersFile {
    /// The rules, in the order of the file.
    pub rules: Vec<HeaderLines>,
    /// Lines that the host ignores, and why, as a clause.
    pub ignored: Vec<(Range<u32>, &'static str)>,
}

/// The headers of one path pattern.
#[derive(Debug)]
pub struct HeaderLines {
    /// The path pattern: `/assets/*`.
    pub pattern: String,
    /// The location of the pattern.
    pub span: Range<u32>,
    /// The headers that it sets.
    pub lines: Vec<HeaderLine>,
    /// Names of headers whose values from earlier rules are removed (`! Name`, on Cloudflare Pages).
    detached: Vec<String>,
    /// Whether the file states more paths than those of the pattern: `**/*.@(js|css)` of Firebase is read as `/*.js`.
    pub is_partial: bool,
}

/// A header in the file.
#[derive(Debug)]
pub struct HeaderLine {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
    /// The location of the value.
    pub span: Range<u32>,
}

impl HeaderLines {
    /// Creates the headers of a pattern in a file without locations.
    fn new(pattern: &str, lines: Vec<HeaderLine>) -> HeaderLines {
        HeaderLines {
            pattern: pattern.to_owned(),
            span: 0..0,
            lines,
            detached: Vec::new(),
            is_partial: false,
        }
    }

    /// Whether it removes the values of a header that earlier rules set.
    pub fn detaches(&self, name: &str) -> bool {
        self.detached.iter().any(|detached| detached.eq_ignore_ascii_case(name))
    }

    /// Whether it applies to a path, with its leading `/`.
    pub fn applies_to(&self, path: &str) -> bool {
        matches(&self.pattern, path, '/')
    }
}

impl HeaderLine {
    /// Creates a header in a file without locations.
    fn new(name: &str, value: &str) -> HeaderLine {
        HeaderLine { name: name.to_owned(), value: value.to_owned(), span: 0..0 }
    }

    /// Whether it sets this header, in any case.
    pub fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }
}

impl HeadersFile {
    /// Parses the file as the host does: a line is a path if it begins with `/`, and a header otherwise, with or without
    /// white space before it (Netlify's headers-parser, and `parseHeaders` of Cloudflare's wrangler). Rules for other origins
    /// are left out, and so are all rules if the host does not read the file.
    pub fn parse(source: &[u8], host: Option<Host>, origin: Option<&Url>) -> HeadersFile {
        let mut file = HeadersFile::default();
        if host.is_some_and(|host| !host.facts().reads_headers_file) {
            return file;
        }
        // Hosts skip a byte order mark.
        let lines = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
        let mut start = source.len() - lines.len();
        // The rule that gets headers: `None` before the first path, and `Some(None)` if the host or the origin is another.
        let mut open: Option<Option<HeaderLines>> = None;
        let mut patterns = 0;
        for line in lines.split(|&byte| byte == b'\n') {
            let (at, text) = (start + line.len() - line.trim_ascii_start().len(), line.trim_ascii());
            start += line.len() + 1;
            if text.is_empty() || text.starts_with(b"#") {
                continue;
            }
            let span = at as u32..(at + text.len()) as u32;
            let fault = if host == Some(Host::CloudflarePages) && text.len() > CLOUDFLARE_LINE {
                Some("Cloudflare ignores lines of more than 2,000 characters")
            } else if is_path(text, host) {
                file.rules.extend(open.take().flatten());
                patterns += 1;
                let pattern = String::from_utf8_lossy(text).into_owned();
                let fault = if host == Some(Host::CloudflarePages) {
                    cloudflare_fault(&pattern, patterns)
                } else {
                    None
                };
                let path = path_pattern(&pattern, origin).filter(|_| fault.is_none());
                open = Some(
                    path.map(|path| HeaderLines { span: span.clone(), ..HeaderLines::new(&path, vec![]) }),
                );
                fault.filter(|_| patterns <= CLOUDFLARE_PATHS + 1)
            } else {
                match (header(text, at, host), &mut open) {
                    (Err(fault), None | Some(Some(_))) => Some(fault),
                    (Ok(_), None) => Some("the path is missing before the first header"),
                    (_, Some(None)) => None,
                    (Ok(Header::Set(header)), Some(Some(rule))) => {
                        rule.lines.push(header);
                        None
                    }
                    (Ok(Header::Detached(name)), Some(Some(rule))) => {
                        rule.detached.push(name);
                        None
                    }
                }
            };
            file.ignored.extend(fault.map(|fault| (span, fault)));
        }
        file.rules.extend(open.flatten());
        file
    }

    /// Returns all headers: path pattern, name and value. A name after `! ` is removed by its rule.
    pub fn all(&self) -> impl Iterator<Item = (&str, String, &str)> {
        self.rules.iter().flat_map(|rule| {
            let pattern = rule.pattern.as_str();
            let set = rule.lines.iter().map(move |line| (pattern, line.name.clone(), line.value.as_str()));
            set.chain(rule.detached.iter().map(move |name| (pattern, format!("! {name}"), "")))
        })
    }

    /// Whether the file sets a header for any path.
    pub fn sets(&self, name: &str) -> bool {
        self.rules.iter().flat_map(|rule| &rule.lines).any(|line| line.is(name))
    }

    /// Returns the lines that set a header for a file, by the paths that it has. All of them apply.
    pub fn lines(&self, paths: &[String], name: &str) -> Vec<&HeaderLine> {
        let mut found = Vec::new();
        for rule in &self.rules {
            if !paths.iter().any(|path| rule.applies_to(path)) {
                continue;
            }
            if rule.detaches(name) {
                found.clear();
            }
            found.extend(rule.lines.iter().filter(|line| line.is(name)));
        }
        found
    }
}

/// Maximum length of a line on Cloudflare Pages ("Headers" in its documentation, November 2026).
const CLOUDFLARE_LINE: usize = 2_000;

/// Maximum number of paths on Cloudflare Pages.
const CLOUDFLARE_PATHS: usize = 100;

/// A line that is no path.
enum Header {
    Set(HeaderLine),
    /// `! Name`.
    Detached(String),
}

/// Whether a line is a path. Netlify reads a URL as a header `https`, so that the headers after it are for the path before
/// it.
fn is_path(text: &[u8], host: Option<Host>) -> bool {
    text.starts_with(b"/") || host != Some(Host::Netlify) && is_url(text)
}

/// Whether a line begins with a URL.
fn is_url(text: &[u8]) -> bool {
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    memchr::memmem::find(&text[..end], b"://").is_some_and(|at| at > 0)
}

/// Returns why Cloudflare Pages ignores a path, the `number`-th of the file, and the headers after it.
fn cloudflare_fault(pattern: &str, number: usize) -> Option<&'static str> {
    match pattern.matches('*').count() {
        _ if number > CLOUDFLARE_PATHS => {
            Some("Cloudflare reads 100 paths, and drops this one and those after it")
        }
        0 => None,
        1 if !pattern.contains(":splat") => None,
        _ => Some("Cloudflare allows one `*` in a path, and no `:splat` with it"),
    }
}

/// Reads a line that is no path, and begins at `at`.
///
/// # Errors
/// Why hosts ignore it.
fn header(text: &[u8], at: usize, host: Option<Host>) -> Result<Header, &'static str> {
    // Not a header without a space: `Link:<https://cdn.test>`.
    if host == Some(Host::Netlify)
        && [&b"https://"[..], b"http://"].iter().any(|scheme| text.starts_with(scheme))
    {
        return Err("Netlify reads no URLs here, so the headers after it are for the path before it");
    }
    let Some(field) = fields(text).next() else {
        return match text.strip_prefix(b"!") {
            // Netlify has no such lines.
            Some(name) if host != Some(Host::Netlify) => {
                Ok(Header::Detached(String::from_utf8_lossy(name.trim_ascii()).into_owned()))
            }
            _ => Err("a path begins with `/`, and a header has a `:`"),
        };
    };
    if field.name.is_empty() || field.value.is_empty() {
        return Err("a header has a name and a value");
    }
    if field.name.iter().any(u8::is_ascii_whitespace) {
        return Err("the name of a header has no white space");
    }
    let at = at + field.at;
    Ok(Header::Set(HeaderLine {
        name: String::from_utf8_lossy(field.name).into_owned(),
        value: String::from_utf8_lossy(field.value).into_owned(),
        span: at as u32..(at + field.value.len()) as u32,
    }))
}

/// Returns the path of a pattern; `None` if it begins with another host than the origin's. No host matches an unknown
/// origin, because such patterns are usual for previews.
fn path_pattern(pattern: &str, origin: Option<&Url>) -> Option<String> {
    let Some((_, rest)) = pattern.split_once("://") else { return Some(pattern.to_owned()) };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let own = origin.and_then(Url::host_str)?;
    matches(&host.to_ascii_lowercase(), own, '.').then(|| path.to_owned())
}

/// Whether a pattern with `*` and `:placeholder` matches a text. A placeholder ends before the separator.
fn matches(pattern: &str, text: &str, separator: char) -> bool {
    match pattern.find(['*', ':']) {
        None => pattern == text || pattern.trim_end_matches(separator) == text,
        Some(at) => {
            let (before, rest) = pattern.split_at(at);
            let Some(text) = text.strip_prefix(before) else { return false };
            if let Some(rest) = rest.strip_prefix('*') {
                return rest.is_empty()
                    || (0..=text.len())
                        .any(|end| text.is_char_boundary(end) && matches(rest, &text[end..], separator));
            }
            let name = rest[1..].find(separator).map_or(rest.len(), |end| end + 1);
            let segment = text.find(separator).unwrap_or(text.len());
            segment > 0
                && (rest[name..] == text[segment..] || matches(&rest[name..], &text[segment..], separator))
        }
    }
}

/// Returns the headers of a host's configuration file, in the syntax of `_headers`; none if it is malformed. Locations
/// are not known.
pub fn headers_of_config(host: Host, text: &str) -> HeadersFile {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let json = || serde_json::from_str::<Value>(text).unwrap_or_default();
    let rules = match host {
        Host::Netlify => netlify(text),
        Host::Vercel => of_list(&json()["headers"], |source| Some(of_vercel(source, "")?.from)),
        Host::Firebase => {
            let root = json();
            let site = &root["hosting"];
            let site = match site.as_array().map(Vec::as_slice) {
                Some([only]) => only,
                _ => site,
            };
            of_list(&site["headers"], firebase_pattern)
        }
        _ => Vec::new(),
    };
    HeadersFile { rules, ignored: Vec::new() }
}

/// Reads `[[headers]]` of `netlify.toml` ("File-based configuration").
fn netlify(text: &str) -> Vec<HeaderLines> {
    let root: Value = toml::from_str(text).unwrap_or_default();
    let entries = root["headers"].as_array().into_iter().flatten();
    let rule = |entry: &Value| {
        let values = entry["values"].as_object().into_iter().flatten();
        let lines = values.filter_map(|(name, value)| Some(HeaderLine::new(name, value.as_str()?)));
        Some(HeaderLines::new(entry["for"].as_str()?, lines.collect()))
    };
    entries.filter_map(rule).collect()
}

/// Reads the list of Vercel ("Project configuration") and of Firebase ("Configure Hosting behavior"): entries with a
/// source and a list of keys and values.
fn of_list(list: &Value, pattern: impl Fn(&str) -> Option<String>) -> Vec<HeaderLines> {
    let entries = list.as_array().into_iter().flatten();
    let is_plain = |entry: &&Value| entry.get("has").is_none() && entry.get("missing").is_none();
    let rule = |entry: &Value| {
        let source = entry["source"].as_str()?;
        let pattern = pattern(source)?;
        let headers = entry["headers"].as_array().into_iter().flatten();
        let line = |header: &Value| Some(HeaderLine::new(header["key"].as_str()?, header["value"].as_str()?));
        let lines = HeaderLines::new(&pattern, headers.filter_map(line).collect());
        Some(HeaderLines { is_partial: source.contains("@("), ..lines })
    };
    entries.filter(is_plain).filter_map(rule).collect()
}

/// Converts a glob of Firebase. Of names with one of several extensions, as its documentation shows them for caching
/// (`**/*.@(js|css)`), the first is meant.
fn firebase_pattern(source: &str) -> Option<String> {
    if let Some(extensions) = source.trim_start_matches('/').strip_prefix("**/*.") {
        let extensions =
            extensions.strip_prefix("@(").and_then(|list| list.strip_suffix(')')).unwrap_or(extensions);
        let first =
            extensions.split('|').next().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        return first.map(|extension| format!("/*.{extension}"));
    }
    Some(of_firebase(source, "")?.from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::Host;

    /// Returns the values of a header for a path, on a host at `https://acme.org`.
    fn values(file: &str, host: Host, path: &str) -> Vec<String> {
        let origin = Url::parse("https://acme.org").ok();
        let headers = HeadersFile::parse(file.as_bytes(), Some(host), origin.as_ref());
        let lines = headers.lines(&[path.to_owned()], "x-a");
        assert!(lines.iter().all(|line| {
            file[line.span.start as usize..line.span.end as usize] == line.value && headers.sets("X-A")
        }));
        lines.iter().map(|line| line.value.clone()).collect()
    }

    #[test]
    fn reads_headers_by_path() {
        let file = "# x\n/*\n  X-B: b\n  X-A: 1\n/a/:b\n  x-a: img *:80\n";
        assert_eq!(values(file, Host::Netlify, "/a/x"), ["1", "img *:80"]);
        assert_eq!(values(file, Host::CloudflarePages, "/b"), ["1"]);
        assert!(values(file, Host::Nginx, "/b").is_empty());
        assert_eq!(values("\u{feff}/*\n  X-A: 1\n", Host::Netlify, "/b"), ["1"]);
    }

    #[test]
    fn detaches_headers_of_earlier_rules() {
        let file = "/*\n  X-A: 1\n/b/*\n  X-A: 2\n  ! x-a\n/b/c\n  ! X-A\n";
        assert_eq!(values(file, Host::CloudflarePages, "/a"), ["1"]);
        assert_eq!(values(file, Host::CloudflarePages, "/b/"), ["2"]);
        assert!(values(file, Host::CloudflarePages, "/b/c").is_empty());
        assert_eq!(values(file, Host::Netlify, "/b/c"), ["1", "2"]);
    }

    #[test]
    fn leaves_out_rules_for_other_origins() {
        let file = "https://:project.pages.dev/*\n  X-A: 1\nhttps://acme.org/a/*\n  X-A: 2\n\
                    https://*.acme.org/*\n  X-A: 3\nhttps://:name.org/b\n  X-A: 4\n";
        assert_eq!(values(file, Host::CloudflarePages, "/a/x"), ["2"]);
        assert_eq!(values(file, Host::CloudflarePages, "/b"), ["4"]);
        let headers = HeadersFile::parse(file.as_bytes(), None, None);
        assert!(!headers.sets("X-A"));
    }

    #[test]
    fn white_space_before_a_line_does_not_matter() {
        let file = "  /*\nX-A: 1\n\t/a\n  X-B: b\nX-A: 2\n";
        for host in [Host::Netlify, Host::CloudflarePages] {
            assert_eq!(values(file, host, "/a"), ["1", "2"]);
        }
    }

    #[test]
    fn a_url_is_a_header_on_netlify() {
        assert_eq!(values("/*\n  X-A:https://acme.org\n", Host::Netlify, "/a"), ["https://acme.org"]);
        let file = "/*\n  X-B: b\nhttps://acme.pages.dev/*\n  X-A: 1\n";
        assert_eq!(values(file, Host::Netlify, "/a"), ["1"]);
        assert!(values(file, Host::CloudflarePages, "/a").is_empty());
    }

    #[test]
    fn names_ignored_lines() {
        let ignored = |file: &str, host| -> Vec<(String, &'static str)> {
            let headers = HeadersFile::parse(file.as_bytes(), Some(host), None);
            let text = |span: Range<u32>| file[span.start as usize..span.end as usize].to_owned();
            headers.ignored.into_iter().map(|(span, fault)| (text(span), fault)).collect()
        };
        let lines = |file: &str, host| -> Vec<String> {
            ignored(file, host).into_iter().map(|(line, _)| line).collect()
        };
        let file = "X-A: 1\n*.js\n/*\n  X-Frame-Options DENY\n  X-B:\n  X C: 1\n  ! X-D\n/a/*/*\n  X-A: 1\n  nothing\n";
        let common = ["X-A: 1", "*.js", "X-Frame-Options DENY", "X-B:", "X C: 1"];
        assert_eq!(lines(file, Host::CloudflarePages), [&common[..], &["/a/*/*"]].concat());
        assert_eq!(lines(file, Host::Netlify), [&common[..], &["! X-D", "nothing"]].concat());
        let many = (0..102).map(|path| format!("/{path}\n  X-A: 1\n")).collect::<Vec<_>>().concat();
        assert_eq!(lines(&many, Host::CloudflarePages), ["/100"]);
        assert!(lines(&many, Host::Netlify).is_empty());
        let long = format!("/*\n  X-A: {}\n", "a".repeat(2_000));
        assert_eq!(lines(&long, Host::CloudflarePages).len(), 1);
        assert!(values(&long, Host::CloudflarePages, "/a").is_empty());
    }

    #[test]
    fn matches_patterns() {
        for (pattern, path, expected) in [
            ("/*", "/a/b", true),
            ("/a/*", "/b", false),
            ("/a/:b", "/a/x", true),
            ("/a/:b", "/a/x/y", false),
            ("/a/:b/c", "/a/x/c", true),
            ("/*.html", "/x/a.html", true),
            ("/a", "/a", true),
            ("/a/", "/a", true),
        ] {
            assert_eq!(matches(pattern, path, '/'), expected, "{pattern} {path}");
        }
    }

    fn read(host: Host, text: &str) -> Vec<String> {
        let headers = headers_of_config(host, text);
        headers.all().map(|(pattern, name, value)| format!("{pattern} {name}: {value}")).collect()
    }

    #[test]
    fn reads_headers_of_hosts() {
        let toml =
            "[[headers]]\nfor = \"/assets/*\"\n[headers.values]\nCache-Control = \"immutable\"\nX-A = 1\n";
        assert_eq!(read(Host::Netlify, toml), ["/assets/* Cache-Control: immutable"]);
        let list = r#"[{"source": "/assets/(.*)", "headers": [{"key": "X-A", "value": "a"}]},
            {"source": "/b", "has": [], "headers": [{"key": "X-A", "value": "b"}]}, {"source": 1}, 2]"#;
        assert_eq!(read(Host::Vercel, &format!("{{\"headers\": {list}}}")), ["/assets/* X-A: a"]);
        let globs = r#"[{"source": "**/*.@(js|css)", "headers": [{"key": "X-A", "value": "a"}]},
            {"source": "/b/**", "headers": [{"key": "X-A", "value": "b"}]}]"#;
        let expected = ["/*.js X-A: a", "/b/* X-A: b"];
        assert_eq!(read(Host::Firebase, &format!("{{\"hosting\": {{\"headers\": {globs}}}}}")), expected);
        assert_eq!(read(Host::Firebase, &format!("{{\"hosting\": [{{\"headers\": {globs}}}]}}")), expected);
        for host in Host::ALL {
            assert!(read(host, "{[").is_empty());
        }
    }
}
