//! Provides what a crawl needs to know about a fetched file: the URLs in it, and the path that an export would have.

use std::collections::HashSet;

use encoding_rs::{Encoding, UTF_8};
use sitegate_base::host_name;
use sitegate_html::syntax::PageSyntax;
use url::Url;

use crate::parse::{ContentNeeds, Format, Page, ParseOptions, Role, file_encoding, read, syntax_of};

/// File extensions by media type.
const EXTENSIONS: [(&str, &str); 9] = [
    ("text/html", "html"),
    ("application/xhtml+xml", "xhtml"),
    ("text/css", "css"),
    ("image/svg+xml", "svg"),
    ("application/xml", "xml"),
    ("text/xml", "xml"),
    ("application/rss+xml", "xml"),
    ("application/atom+xml", "xml"),
    ("application/manifest+json", "webmanifest"),
];

/// A URL in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FoundUrl {
    /// The URL, without query and fragment.
    pub url: Url,
    /// Whether a reader or a machine follows it; otherwise browsers load it for a page.
    pub is_link: bool,
}

/// Returns the path that an export would have for a response. `address` is the requested path, decoded and below the
/// root. With `strips_slash` a page without an extension is the page of a folder.
pub fn exported_path(address: &[u8], media_type: &str, strips_slash: bool) -> Box<[u8]> {
    let extension =
        EXTENSIONS.iter().find(|(known, _)| *known == media_type).map(|(_, extension)| *extension);
    if address.is_empty() || address.ends_with(b"/") {
        let name = extension.map_or_else(|| "index".to_owned(), |extension| format!("index.{extension}"));
        return [address, name.as_bytes()].concat().into();
    }
    let is_page = matches!(extension, Some("html" | "xhtml"));
    // Browsers choose the parser of a page by its media type, and the check by the extension.
    let has_own_syntax = (syntax_of(address) == PageSyntax::Xml) == (extension == Some("xhtml"));
    match (extension, Format::of(address)) {
        (None, _) => address.into(),
        (_, Format::Html) if is_page && has_own_syntax => address.into(),
        (Some("xhtml"), _) if strips_slash => [address, b"/index.xhtml"].concat().into(),
        (Some(_), _) if is_page && strips_slash => [address, b"/index.html"].concat().into(),
        (Some(extension), format) if is_page || format == Format::Other => {
            [address, b".", extension.as_bytes()].concat().into()
        }
        _ => address.into(),
    }
}

/// Returns a page in UTF-8, with a byte order mark, if its response names another encoding than the page: that of the
/// response has precedence (HTML, 13.2.3.2). `path` is its path in an export.
pub fn page_in_utf8(content: &[u8], path: &[u8], content_type: &str) -> Option<Vec<u8>> {
    const BOM: &[u8] = "\u{feff}".as_bytes();
    if Format::of(path) != Format::Html || Encoding::for_bom(content).is_some() {
        return None;
    }
    let parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, label) = parameters.into_iter().find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    let encoding = Encoding::for_label(label.trim().trim_matches(['"', '\'']).as_bytes())?;
    // Without a declaration, a page is read as UTF-8.
    if file_encoding(Format::Html, syntax_of(path), content).unwrap_or(UTF_8) == encoding {
        return None;
    }
    if encoding == UTF_8 {
        return Some([BOM, content].concat());
    }
    let (text, is_damaged) = encoding.decode_without_bom_handling(content);
    (!is_damaged).then(|| [BOM, text.as_bytes()].concat())
}

/// Whether a file is parsed for URLs, by its path in an export.
pub fn is_read_for_urls(path: &[u8]) -> bool {
    Format::of(path) != Format::Other
}

/// Whether a path is most likely a page: it has the extension of a page, or none.
pub fn is_page_path(path: &[u8]) -> bool {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    Format::of(path) == Format::Html || !name.contains(&b'.')
}

/// Returns the http and https URLs in a file that readers follow or browsers load. Skips form targets and hosts that
/// are only connected to. `path` is its path in an export, `address` its own URL. Returns each URL once, at most `max`.
pub fn found_urls(content: Vec<u8>, path: &[u8], address: &Url, max: usize) -> Vec<FoundUrl> {
    let mut page = Page::default();
    let options = ParseOptions {
        // Only the syntax of pages depends on it.
        path: if syntax_of(path) == PageSyntax::Xml { path } else { b"" },
        format: Format::of(path),
        selected: &[],
        needs: &ContentNeeds::default(),
        digest: None,
    };
    if read(&mut page, content, &options).is_err() {
        return Vec::new();
    }
    let facts = &page.facts;
    let base = facts.base.and_then(|href| host_name::join(address, facts.text(href)).ok());
    let base =
        base.filter(|base| matches!(base.scheme(), "http" | "https")).unwrap_or_else(|| address.clone());
    let found = facts.references.iter().filter_map(|reference| {
        let kind = reference.kind;
        let text = facts.text(reference.value?);
        // In a style sheet `url(#id)` is an element of the document that uses it.
        let is_skipped =
            kind.is_posted() || kind.role() == Role::Connect || text.trim_start().starts_with('#');
        let mut url = if is_skipped { None } else { host_name::join(&base, text).ok() }?;
        url.set_fragment(None);
        url.set_query(None);
        matches!(url.scheme(), "http" | "https").then(|| FoundUrl { url, is_link: kind.role().is_link() })
    });
    let mut known = HashSet::new();
    found.filter(|found| known.insert(found.clone())).take(max).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use url::Url;

    use super::{exported_path, found_urls, page_in_utf8};

    #[test]
    fn returns_the_path_of_an_export() {
        let path = |address: &str, media_type: &str| {
            let for_host = |strips| {
                String::from_utf8(exported_path(address.as_bytes(), media_type, strips).into_vec()).unwrap()
            };
            [for_host(false), for_host(true)]
        };
        let html = "text/html";
        assert_eq!(path("", html), ["index.html", "index.html"]);
        assert_eq!(path("a/", html), ["a/index.html", "a/index.html"]);
        assert_eq!(path("a", html), ["a.html", "a/index.html"]);
        assert_eq!(path("a.htm", html), ["a.htm", "a.htm"]);
        assert_eq!(path("a.php", html), ["a.php.html", "a.php/index.html"]);
        let xhtml = "application/xhtml+xml";
        assert_eq!(path("", xhtml), ["index.xhtml", "index.xhtml"]);
        assert_eq!(path("a", xhtml), ["a.xhtml", "a/index.xhtml"]);
        assert_eq!(path("a.xhtml", xhtml), ["a.xhtml", "a.xhtml"]);
        assert_eq!(path("a.html", xhtml), ["a.html.xhtml", "a.html/index.xhtml"]);
        assert_eq!(path("a.xhtml", html), ["a.xhtml.html", "a.xhtml/index.html"]);
        assert_eq!(path("a.html", "text/plain"), ["a.html", "a.html"]);
        assert_eq!(path("feed/", "application/rss+xml"), ["feed/index.xml", "feed/index.xml"]);
        assert_eq!(path("style", "text/css"), ["style.css", "style.css"]);
        assert_eq!(path("a.xml", "text/css"), ["a.xml", "a.xml"]);
        assert_eq!(path("a/", "image/png"), ["a/index", "a/index"]);
        assert_eq!(path("app.js", "text/javascript"), ["app.js", "app.js"]);
    }

    #[test]
    fn the_response_decides_the_encoding_of_a_page() {
        let utf8 = |content: &[u8], content_type: &str| page_in_utf8(content, b"a.html", content_type);
        let marked = |text: &str| Some(format!("\u{feff}{text}").into_bytes());
        let declared = b"<meta charset=utf-8>\xE9";
        for latin in
            ["text/html; charset=iso-8859-1", "text/html;CHARSET='Latin1'", "text/html; x=y; charset=l1"]
        {
            assert_eq!(utf8(declared, latin), marked("<meta charset=utf-8>\u{e9}"), "{latin}");
        }
        assert_eq!(utf8("\u{e9}".as_bytes(), "text/html; charset=utf-8"), None);
        let other = "<meta charset=latin1>\u{e9}";
        assert_eq!(utf8(other.as_bytes(), "text/html; charset=UTF-8"), marked(other));
        assert_eq!(utf8(b"a\0b\0", "text/html; charset=utf-16le"), marked("ab"));
        for content_type in ["text/html", "text/html; charset=unknown", "text/html; charset=utf-8"] {
            assert_eq!(utf8(declared, content_type), None, "{content_type}");
        }
        assert_eq!(utf8(b"\xEF\xBB\xBFa", "text/html; charset=iso-8859-1"), None);
        assert_eq!(page_in_utf8(b"\xE9", b"a.css", "text/css; charset=iso-8859-1"), None);
    }

    #[test]
    fn returns_links_and_loaded_files() {
        let page = br#"<!doctype html><base href="/b/"><a href="c?q#f">x</a><a href="mailto:a@b.c">x</a><img src="//cdn.example/i.png">
            <form method=post action=/send></form><link rel=preconnect href="https://x.example"><a href="">x</a>"#;
        let found =
            found_urls(page.to_vec(), b"a.html", &Url::parse("https://acme.example/a.html").unwrap(), 3);
        let found: Vec<_> = found.iter().map(|found| (found.url.as_str(), found.is_link)).collect();
        let expected = [
            ("https://acme.example/b/c", true),
            ("https://cdn.example/i.png", false),
            ("https://acme.example/b/", true),
        ];
        assert_eq!(found, expected);
    }
}
