//! The formats that are read, by the endings of names.

/// The formats that are read for references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HTML, by the name's ending: this is what a page is, everywhere.
    Html,
    /// A style sheet.
    Css,
    /// A drawing.
    Svg,
    /// XML, which may be a sitemap, a feed, an `OpenSearch` description or `browserconfig.xml`.
    Xml,
    /// A web app manifest.
    Manifest,
    /// `feed.json`, or a name like it, which may be a JSON feed.
    JsonFeed,
    /// `robots.txt` at the root.
    Robots,
    /// `security.txt` at the root or in `.well-known`.
    Security,
    /// `_headers` at the root: what hosts send with files.
    Headers,
    /// `llms.txt`: links for language models.
    Llms,
    /// `llms-full.txt`: the text of many pages for them.
    LlmsFull,
    /// Anything else: it counts as a target, and is not looked into.
    Other,
}

impl Format {
    /// The format of a file, by its name's ending in any case.
    pub fn of(path: &[u8]) -> Format {
        let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
        match path {
            b"robots.txt" => return Format::Robots,
            b"security.txt" | b".well-known/security.txt" => return Format::Security,
            b"_headers" => return Format::Headers,
            _ => {}
        }
        match name {
            b"manifest.json" => return Format::Manifest,
            name if name.starts_with(b"feed") && name.ends_with(b".json") => return Format::JsonFeed,
            b"llms.txt" => return Format::Llms,
            b"llms-full.txt" => return Format::LlmsFull,
            _ => {}
        }
        let Some(dot) = name.iter().rposition(|&b| b == b'.') else { return Format::Other };
        let ending = &name[dot + 1..];
        let is = |wanted: &str| ending.eq_ignore_ascii_case(wanted.as_bytes());
        if is("html") || is("htm") || is("xhtml") {
            Format::Html
        } else if is("css") {
            Format::Css
        } else if is("svg") {
            Format::Svg
        } else if is("xml") || is("rss") || is("atom") {
            Format::Xml
        } else if is("webmanifest") {
            Format::Manifest
        } else {
            Format::Other
        }
    }
}
