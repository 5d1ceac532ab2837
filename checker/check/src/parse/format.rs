//! Determines the format of a file by its name.

use sitegate_address::SitePath;
use sitegate_address::extension::is_page_extension;

use sitegate_html::syntax::PageSyntax;

use super::well_known::is_well_known_json;

/// The formats that are parsed for references.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// HTML, by the extension.
    Html,
    /// A style sheet.
    Css,
    /// An SVG.
    Svg,
    /// XML, which may be a sitemap, or a feed.
    Xml,
    /// A web app manifest.
    Manifest,
    /// `feed.json`, or a name like it, which may be a JSON feed.
    JsonFeed,
    /// `search_index.json`: the index of a search of `MkDocs`. Only its settings are parsed.
    MkDocsIndex,
    /// `pagefind-entry.json`: the languages of a search by Pagefind.
    PagefindEntry,
    /// `robots.txt` at the root.
    Robots,
    /// `security.txt` at the root or in `.well-known`.
    Security,
    /// `_headers` at the root: response headers of some hosts.
    Headers,
    /// JSON in `.well-known` that programs read.
    WellKnownJson,
    /// `llms.txt`: links for language models.
    Llms,
    /// `llms-full.txt`: the text of many pages for language models.
    LlmsFull,
    /// A playlist of HTTP Live Streaming, `.m3u8`.
    Playlist,
    /// A 3D scene, `.gltf`.
    Gltf,
    /// `mf-manifest.json`: the files of a federated application.
    FederationManifest,
    /// Any other format: a link target that is not parsed.
    Other,
}

/// The formats of files that are no pages, by their extensions.
const BY_EXTENSION: [(&[u8], Format); 8] = [
    (b"css", Format::Css),
    (b"svg", Format::Svg),
    (b"xml", Format::Xml),
    (b"rss", Format::Xml),
    (b"atom", Format::Xml),
    (b"webmanifest", Format::Manifest),
    (b"m3u8", Format::Playlist),
    (b"gltf", Format::Gltf),
];

impl Format {
    /// Returns the format of a file, by its name in any case.
    pub fn of(path: &[u8]) -> Format {
        let site_path = SitePath::new(path);
        match path {
            b"robots.txt" => return Format::Robots,
            b"security.txt" | b".well-known/security.txt" => return Format::Security,
            b"_headers" => return Format::Headers,
            path if is_well_known_json(path) => return Format::WellKnownJson,
            _ => {}
        }
        match site_path.name() {
            b"manifest.json" => return Format::Manifest,
            name if name.starts_with(b"feed") && name.ends_with(b".json") => return Format::JsonFeed,
            b"search_index.json" => return Format::MkDocsIndex,
            b"pagefind-entry.json" => return Format::PagefindEntry,
            b"mf-manifest.json" => return Format::FederationManifest,
            b"llms.txt" => return Format::Llms,
            b"llms-full.txt" => return Format::LlmsFull,
            _ => {}
        }
        // The protocol of sitemaps is the only XML that is published compressed (sitemaps.org, "Sitemap file
        // requirements").
        if path.ends_with(b".xml.gz") {
            return Format::Xml;
        }
        let Some(extension) = site_path.extension() else { return Format::Other };
        if is_page_extension(extension) {
            return Format::Html;
        }
        let known = BY_EXTENSION.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
        known.map_or(Format::Other, |(_, format)| *format)
    }
}

/// Returns the syntax of a page, by its extension: hosts send `.xhtml` as `application/xhtml+xml`, which browsers read by
/// their parser of XML. They read `.html` as HTML, even after an XML declaration.
pub fn syntax_of(path: &[u8]) -> PageSyntax {
    let is_xml =
        SitePath::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case(b"xhtml"));
    if is_xml { PageSyntax::Xml } else { PageSyntax::Html }
}
