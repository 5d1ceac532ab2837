//! Provides what is needed of a fetched file: for a crawl the URLs in it, and the path that an export would have; for links to
//! an external page the fragments that it defines.

use std::collections::HashSet;

use encoding_rs::{Encoding, UTF_8};
use memchr::memmem;
use url::Url;

use crate::parse::anchors::hash;
use crate::parse::{
    ContentNeeds, Facts, Format, Page, ParseOptions, ReferenceKind, Role, file_encoding, read, syntax_of,
};
use crate::resolve::fragment;
use crate::resolve::target::{is_route, is_settings};
use sitegate_address::SitePath;
use sitegate_base::host_name;
use sitegate_html::syntax::PageSyntax;

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
    Format::of(path) == Format::Html || SitePath::new(path).extension().is_none()
}

/// Returns the http and https URLs in a file that readers follow or browsers load. Skips form targets and hosts that
/// are only connected to. `path` is its path in an export, `address` its own URL. Returns each URL once, at most `max`.
pub fn found_urls(content: Vec<u8>, path: &[u8], address: &Url, max: usize) -> Vec<FoundUrl> {
    let Some(facts) = facts_of(content, path, Format::of(path)) else { return Vec::new() };
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

/// Parses a file; `None` if it cannot be parsed. Of its path, only the syntax of pages counts.
fn facts_of(content: Vec<u8>, path: &[u8], format: Format) -> Option<Facts> {
    let mut page = Page::default();
    let needs = ContentNeeds::default();
    let path = if syntax_of(path) == PageSyntax::Xml { path } else { b"" };
    let options = ParseOptions { path, format, selected: &[], needs: &needs, digest: None };
    read(&mut page, content, &options).ok()?;
    Some(page.facts)
}

/// The fragments that a page defines.
#[derive(Clone, Debug, Default)]
pub struct PageFragments {
    /// Sorted hashes of ids and names.
    defined: Box<[u64]>,
    /// Whether scripts write the page, so that its ids are unknown.
    is_written_by_scripts: bool,
    /// Whether the page runs scripts, which may read settings in the fragment.
    has_scripts: bool,
    /// Whether the page has another encoding than UTF-8, so that ids with other characters than ASCII are unknown.
    is_encoded: bool,
}

impl PageFragments {
    /// Reads a page. One that cannot be read defines no fragments. `prefix` is what some hosts add to the ids of user
    /// content and remove again by a script; an id may follow it anywhere in the page, also in the data of a script.
    pub fn read(page: Vec<u8>, prefix: Option<&str>) -> PageFragments {
        let written = prefix.map(|prefix| words_after(&page, prefix.as_bytes())).unwrap_or_default();
        let is_encoded = std::str::from_utf8(&page).is_err();
        let Some(facts) = facts_of(page, b"", Format::Html) else { return PageFragments::default() };
        let Facts { anchors, references, scripts, .. } = facts;
        let mut defined: Vec<u64> = anchors.into_iter().chain(written).collect();
        defined.sort_unstable();
        // Real pages have at least one link.
        let has_links = references
            .iter()
            .any(|reference| matches!(reference.kind, ReferenceKind::A | ReferenceKind::APing));
        let has_scripts = !scripts.is_empty();
        PageFragments {
            defined: defined.into(),
            is_written_by_scripts: !has_links && has_scripts,
            has_scripts,
            is_encoded,
        }
    }

    /// Whether the page defines a fragment, as written after `#`: an id, a name, the top, or nothing in particular.
    /// Returns true if scripts write the page.
    pub fn defines(&self, written: &str) -> bool {
        let reference = format!("#{written}");
        let Some(parsed) = fragment(&reference) else { return true };
        let has = |id: &str| self.defined.binary_search(&hash(id.as_bytes())).is_ok();
        self.is_written_by_scripts
            || self.has_scripts && is_settings(&parsed.decoded)
            || self.is_encoded && !parsed.decoded.is_ascii()
            || has(&parsed.raw)
            || has(&parsed.decoded)
            || parsed.is_top()
    }
}

/// Returns hashes of the words after a prefix.
fn words_after(page: &[u8], prefix: &[u8]) -> Vec<u64> {
    let is_id_byte = |byte: &u8| !byte.is_ascii_whitespace() && !b"\"'\\<>&".contains(byte);
    let word = |at: usize| {
        let rest = &page[at + prefix.len()..];
        &rest[..rest.iter().position(|byte| !is_id_byte(byte)).unwrap_or(rest.len())]
    };
    memmem::find_iter(page, prefix).map(|at| hash(word(at))).collect()
}

/// Whether a fragment, as written after `#`, can be checked: it is not empty, not only a text directive (`#:~:text=`),
/// and not a route for a script of the page (`#/`, `#!`).
pub fn is_checkable_fragment(written: &str) -> bool {
    !written.is_empty() && !is_route(written) && !written.starts_with(":~:")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{PageFragments, exported_path, found_urls, is_checkable_fragment, page_in_utf8};
    use url::Url;

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

    #[test]
    fn defines_ids_and_names_like_pages_of_the_export() {
        let page = PageFragments::read(
            b"<!doctype html><p id=one><a name='two words'>x</a><template><i id=inert></i></template>"
                .to_vec(),
            None,
        );
        let reached =
            ["one", "two%20words", "", "top", "TOP", ":~:text=x", "one:~:text=x", "three", "One", "inert"];
        assert_eq!(
            reached.map(|fragment| page.defines(fragment)),
            [true, true, true, true, true, true, true, false, false, false]
        );
    }

    #[test]
    fn finds_ids_after_a_prefix_anywhere() {
        let page =
            br##"<!doctype html><a href=/>x</a><h2 id=user-content-one>One</h2><script type=application/json>
            {"text":"<h2 id=\"user-content-two\">Two</h2><a href=\"#user-content-three\u0022"}</script>"##;
        let (with, without) = (
            PageFragments::read(page.to_vec(), Some("user-content-")),
            PageFragments::read(page.to_vec(), None),
        );
        let reached = ["one", "two", "three", "user-content-one", "four"];
        assert_eq!(reached.map(|fragment| with.defines(fragment)), [true, true, true, true, false]);
        assert_eq!(reached.map(|fragment| without.defines(fragment)), [false, false, false, true, false]);
    }

    #[test]
    fn ids_in_an_unknown_encoding_may_be_any_but_ascii() {
        let latin =
            PageFragments::read(b"<!doctype html><a href=/>x</a><h2 id=gr\xF6\xDFe>x</h2>".to_vec(), None);
        assert!(latin.defines("gr%C3%B6%C3%9Fe") && !latin.defines("size"));
        let utf8 = PageFragments::read("<!doctype html><a href=/>ü</a>".into(), None);
        assert!(!utf8.defines("gr%C3%B6%C3%9Fe"));
    }

    #[test]
    fn pages_of_scripts_define_every_fragment() {
        let shell = b"<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
        assert!(PageFragments::read(shell.to_vec(), None).defines("made-later"));
        let page = b"<!doctype html><title>Page</title><a href=/>Home</a><script src=/menu.js></script>";
        assert!(!PageFragments::read(page.to_vec(), None).defines("made-later"));
        assert!(PageFragments::read(page.to_vec(), None).defines("gid=0"));
        let still = b"<!doctype html><title>Page</title><h1 id=a>Words</h1>";
        assert!(!PageFragments::read(still.to_vec(), None).defines("made-later"));
        assert!(!PageFragments::read(still.to_vec(), None).defines("gid=0"));
    }

    #[test]
    fn routes_and_text_directives_are_not_checkable() {
        for (fragment, is) in [
            ("", false),
            ("/users", false),
            ("!/a", false),
            (":~:text=x", false),
            ("a:~:text=x", true),
            ("a/b", true),
        ] {
            assert_eq!(is_checkable_fragment(fragment), is, "{fragment}");
        }
    }
}
