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
    /// XML, which may be a sitemap or a feed.
    Xml,
    /// A web app manifest.
    Manifest,
    /// `robots.txt` at the root.
    Robots,
    /// Anything else: it counts as a target, and is not looked into.
    Other,
}

impl Format {
    /// The format of a file, by its name's ending in any case.
    pub fn of(path: &[u8]) -> Format {
        let name = path.rsplit(|&b| b == b'/').next().unwrap_or(path);
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
        } else if is("webmanifest") || name == b"manifest.json" {
            Format::Manifest
        } else if path == b"robots.txt" {
            Format::Robots
        } else {
            Format::Other
        }
    }
}
