//! What a crawl needs to know of what it fetches: where a page leads, and which path an export would have it at.

use url::Url;

use crate::parse::{Format, Page, Request, Role, Wanted, read};

/// What media types are read as, by the ending of names that are.
const ENDINGS: [(&str, &str); 9] = [
    ("text/html", "html"),
    ("application/xhtml+xml", "html"),
    ("text/css", "css"),
    ("image/svg+xml", "svg"),
    ("application/xml", "xml"),
    ("text/xml", "xml"),
    ("application/rss+xml", "xml"),
    ("application/atom+xml", "xml"),
    ("application/manifest+json", "webmanifest"),
];

/// An address that a file leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundAddress {
    /// The address, with nothing after its path.
    pub url: Url,
    /// Whether a reader or a machine goes there, and no browser loads it for a page.
    pub is_link: bool,
}

/// The path that an export would have an answer's content at. `address` is the path that was asked for, decoded and below the root.
/// Where the host takes slashes off, as `strips_slash` says, a page without an ending is a directory's.
pub fn file_path(address: &[u8], media_type: &str, strips_slash: bool) -> Box<[u8]> {
    let ending = ENDINGS.iter().find(|(known, _)| *known == media_type).map(|(_, ending)| *ending);
    if address.is_empty() || address.ends_with(b"/") {
        let name = ending.map_or_else(|| "index".to_owned(), |ending| format!("index.{ending}"));
        return [address, name.as_bytes()].concat().into();
    }
    let is_page = ending == Some("html");
    match (ending, Format::of(address)) {
        (None, _) | (Some("html"), Format::Html) => address.into(),
        (Some(_), _) if is_page && strips_slash => [address, b"/index.html"].concat().into(),
        (Some(ending), format) if is_page || format == Format::Other => {
            [address, b".", ending.as_bytes()].concat().into()
        }
        _ => address.into(),
    }
}

/// Whether a file is read for what it leads to, by its path in an export.
pub fn is_read(path: &[u8]) -> bool {
    Format::of(path) != Format::Other
}

/// Whether an address is most likely a page's, by its path: it has the ending of one, or none.
pub fn is_page_address(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    Format::of(path) == Format::Html || !name.contains(&b'.')
}

/// Where a file leads, by http and https: what a reader follows and what a browser loads, but not what forms post to, and no
/// host that is only connected to. `path` is its path in an export, `address` its own address.
pub fn addresses(content: Vec<u8>, path: &[u8], address: &Url) -> Vec<FoundAddress> {
    let mut page = Page::default();
    let request =
        Request { format: Format::of(path), selected: &[], wanted: &Wanted::default(), digest: None };
    if read(&mut page, content, &request).is_err() {
        return Vec::new();
    }
    let facts = &page.facts;
    let base = facts.base.and_then(|href| address.join(facts.text(href)).ok());
    let base =
        base.filter(|base| matches!(base.scheme(), "http" | "https")).unwrap_or_else(|| address.clone());
    let found = facts.references.iter().filter_map(|reference| {
        let kind = reference.kind;
        let text = facts.text(reference.value?);
        // In a style sheet `url(#id)` means an element of the document that uses it.
        let is_none = kind.is_posted() || kind.role() == Role::Connect || text.trim_start().starts_with('#');
        let mut url = base.join(text).ok().filter(|_| !is_none)?;
        url.set_fragment(None);
        url.set_query(None);
        matches!(url.scheme(), "http" | "https").then(|| FoundAddress { url, is_link: kind.role().is_link() })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use url::Url;

    use super::{addresses, file_path};

    #[test]
    fn addresses_have_the_paths_that_an_export_has() {
        let path = |address: &str, media_type: &str| {
            let of = |strips| {
                String::from_utf8(file_path(address.as_bytes(), media_type, strips).into_vec()).unwrap()
            };
            [of(false), of(true)]
        };
        let html = "text/html";
        assert_eq!(path("", html), ["index.html", "index.html"]);
        assert_eq!(path("a/", html), ["a/index.html", "a/index.html"]);
        assert_eq!(path("a", html), ["a.html", "a/index.html"]);
        assert_eq!(path("a.htm", html), ["a.htm", "a.htm"]);
        assert_eq!(path("a.php", html), ["a.php.html", "a.php/index.html"]);
        assert_eq!(path("a.html", "text/plain"), ["a.html", "a.html"]);
        assert_eq!(path("feed/", "application/rss+xml"), ["feed/index.xml", "feed/index.xml"]);
        assert_eq!(path("style", "text/css"), ["style.css", "style.css"]);
        assert_eq!(path("a.xml", "text/css"), ["a.xml", "a.xml"]);
        assert_eq!(path("a/", "image/png"), ["a/index", "a/index"]);
        assert_eq!(path("app.js", "text/javascript"), ["app.js", "app.js"]);
    }

    #[test]
    fn a_page_leads_to_what_is_followed_and_loaded() {
        let page = br#"<!doctype html><base href="/b/"><a href="c?q#f">x</a><a href="mailto:a@b.c">x</a><img src="//cdn.example/i.png">
            <form method=post action=/send></form><link rel=preconnect href="https://x.example"><a href="">x</a>"#;
        let found = addresses(page.to_vec(), b"a.html", &Url::parse("https://acme.example/a.html").unwrap());
        let found: Vec<_> = found.iter().map(|found| (found.url.as_str(), found.is_link)).collect();
        let expected = [
            ("https://acme.example/b/c", true),
            ("https://cdn.example/i.png", false),
            ("https://acme.example/b/", true),
        ];
        assert_eq!(found, expected);
    }
}
