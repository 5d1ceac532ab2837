//! Decides which values of data, settings and scripts name a page or a file.

use std::ops::Range;

use sitegate_address::extension::is_one_of;
use sitegate_address::{SitePath, UrlReference};
use sitegate_script::LiteralPlace;

use crate::reference::{Manner, SourceScan};

/// Keys whose values are addresses of the page itself, or earlier ones. An edit would change the page's own address.
#[rustfmt::skip]
const OWN_KEYS: [&str; 36] = [
    "aka", "alias", "aliases", "fallback", "for", "from", "fromPath", "from_path", "gone", "guid", "id",
    "legacy_url", "legacy_urls", "moved_from", "old", "oldPath", "old_path", "old_url", "old_urls", "original",
    "path", "permalink", "previous_url", "previous_urls", "redirect-from", "redirectFrom", "redirect_from",
    "redirects_from", "removed", "rewrites", "route", "slug", "source", "source_url", "title", "uid",
];

/// Keys whose values are shown as text, or name something that is no page.
#[rustfmt::skip]
const PROSE_KEYS: [&str; 22] = [
    "activeMatch", "alt", "author", "authors", "caption", "categories", "category", "date", "description",
    "heading", "keywords", "label", "license", "name", "subtitle", "summary", "tagline", "tags", "text",
    "type", "value", "version",
];

/// Keys of settings, those of the contract among them, whose values are folders, prefixes of all addresses, or layouts.
#[rustfmt::skip]
const FOLDER_KEYS: [&str; 27] = [
    "assetPrefix", "base", "base-path", "basePath", "baseURL", "baseUrl", "base_path", "base_url", "baseurl",
    "docs_dir", "layout", "origin", "outDir", "output", "pathPrefix", "path_prefix", "prefix", "publicPath",
    "root", "routeBasePath", "scope", "site", "siteUrl", "site_url", "srcDir", "template", "theme",
];

/// Keys whose values are references even if they are a plain word.
#[rustfmt::skip]
const LINK_KEYS: [&str; 12] = [
    "doc", "file", "href", "image", "link", "next", "page", "prev", "previous", "src", "to", "url",
];

/// Whether the name of a key says that its value is a link, an image or another file.
pub fn is_link_key(key: &str) -> bool {
    const ENDS: [&str; 8] = ["link", "href", "src", "image", "img", "icon", "logo", "url"];
    /// Words before the end that make it an address which is kept, or of a program.
    const OTHERS: [&str; 10] =
        ["old", "previous_", "legacy", "moved", "original", "source_", "base", "site", "repo", "api"];
    let lower = key.to_ascii_lowercase();
    LINK_KEYS.contains(&key)
        || ENDS.iter().any(|end| lower.ends_with(end)) && !OTHERS.iter().any(|other| lower.starts_with(other))
}

/// Maximum number of keys around a value. Data that people write is not nested more deeply.
const MAX_KEYS: usize = 48;

/// Maximum length of a reference in bytes.
const MAX_LENGTH: usize = 2048;

/// Extensions of files that pages link or show. Only such a value may contain spaces.
#[rustfmt::skip]
const FILE_EXTENSIONS: [&str; 34] = [
    "adoc", "apng", "avif", "css", "csv", "gif", "htm", "html", "ico", "ipynb", "jpeg", "jpg", "js", "json",
    "jsx", "markdown", "md", "mdx", "mjs", "mp3", "mp4", "org", "pdf", "png", "rst", "svg", "ts", "tsx",
    "txt", "webm", "webp", "xml", "yaml", "zip",
];

/// Keys at the top of front matter with addresses of the page itself. In data and settings, they are those of others.
const OWN_KEYS_OF_PAGES: [&str; 2] = ["redirects", "url"];

/// Whether a value below these keys, the outermost first, may be a reference. `is_front_matter`: whether they are those
/// of a page.
pub(crate) fn may_refer<'k>(keys: impl ExactSizeIterator<Item = &'k str>, is_front_matter: bool) -> bool {
    let count = keys.len();
    let mut keys = keys.enumerate();
    count <= MAX_KEYS
        && keys.all(|(depth, key)| {
            let is_own_of_page = is_front_matter && depth == 0 && OWN_KEYS_OF_PAGES.contains(&key);
            let is_last = depth + 1 == count;
            let is_other = is_last && (PROSE_KEYS.contains(&key) || FOLDER_KEYS.contains(&key));
            !(OWN_KEYS.contains(&key) || is_own_of_page || is_other)
        })
}

/// Whether a value under a key is in whole a path or a URL.
pub(crate) fn is_address(value: &str, key: &str) -> bool {
    let is_word = !value.contains(['/', '.']) && !value.starts_with('#');
    let is_number = !value.contains(|c: char| c.is_alphabetic() || matches!(c, '/' | '#'));
    if is_word && !LINK_KEYS.contains(&key) || is_number {
        return false;
    }
    is_literal(value) && (!value.contains(char::is_whitespace) || has_file_extension(value))
}

/// Whether a text is written in full, without expressions, patterns and markup.
pub(crate) fn is_literal(value: &str) -> bool {
    const EXPRESSIONS: [&str; 5] = ["{{", "{%", "<%", "${", "#{"];
    !value.is_empty()
        && value.len() <= MAX_LENGTH
        && value.trim() == value
        && !value.contains(|c: char| c.is_control() || matches!(c, '<' | '>' | '|' | '"' | '`'))
        && !value.contains("**")
        && !EXPRESSIONS.iter().any(|begin| value.contains(begin))
}

/// Whether a text is written as a path or a URL, not as a word or prose.
pub(crate) fn is_path_like(value: &str) -> bool {
    let is_rooted = ["/", "./", "../", "http://", "https://"].iter().any(|start| value.starts_with(start));
    is_literal(value) && !value.contains(char::is_whitespace) && (is_rooted || has_file_extension(value))
}

/// Whether the path of a reference ends with the extension of a page, an image or similar.
fn has_file_extension(value: &str) -> bool {
    let extension = SitePath::new(UrlReference::new(value).path()).extension();
    extension.is_some_and(|extension| is_one_of(extension.as_bytes(), &FILE_EXTENSIONS))
}

/// Returns the range of a text after its byte order mark.
pub(crate) fn without_mark(text: &str) -> Range<usize> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    start..text.len()
}

/// Whether a file has the sidebars of Docusaurus, which name documents by their paths without extensions.
pub(crate) fn is_sidebar(path: &str) -> bool {
    let name = SitePath::new(path).name();
    name.starts_with("sidebars.") || name.ends_with("-sidebars.json")
}

/// Adds a literal of a sidebar if it names a document: an item of a list, or an `id`. Returns whether it does.
pub(crate) fn add_sidebar_id<'t>(
    text: &'t str,
    literal: Range<usize>,
    value: &str,
    place: LiteralPlace<'_>,
    keys: &[String],
    scan: &mut SourceScan<'t>,
) -> bool {
    let key = keys.last().map_or("", String::as_str);
    let is_id = match place {
        LiteralPlace::Item => !matches!(key, "tags" | "keywords"),
        LiteralPlace::Property => key == "id",
        _ => false,
    };
    let is_id = is_id && is_literal(value) && !value.contains(char::is_whitespace);
    if is_id {
        scan.add_decoded(text, literal, value, Manner::Id);
    }
    is_id
}

#[cfg(test)]
mod tests {
    use super::{is_address, may_refer};

    #[test]
    fn keys_of_the_own_page_and_prose_are_no_references() {
        let may = |keys: &str, matter| may_refer(keys.split('.').collect::<Vec<_>>().into_iter(), matter);
        for keys in ["link", "nav.url", "menu.main.url", "title_image", "name.url", "tags.link", "theme.logo"]
        {
            assert!(may(keys, true), "{keys}");
        }
        for keys in [
            "aliases",
            "redirect_from.x",
            "url",
            "nav.title",
            "a.description",
            "from",
            "path.to",
            "theme.base",
            "site.origin",
            "site.base-path",
        ] {
            assert!(!may(keys, true), "{keys}");
        }
        assert!(may("url", false) && may("redirects", false));
        assert!(!may(&["a"; 49].join("."), false));
    }

    #[test]
    fn addresses_are_paths_or_urls_as_a_whole() {
        for value in
            ["/a", "a.md", "#b", "/404", "guide/a b.md", "https://a.b/c?d", "../x", "/new/:splat", "@a/b.md"]
        {
            assert!(is_address(value, ""), "{value}");
        }
        for value in [
            "",
            "setup",
            "see a/b for more",
            "a/{{ b }}",
            "${a}/b",
            "**/*.md",
            "a\nb.md",
            "<a/>",
            " /a",
            "3.14",
        ] {
            assert!(!is_address(value, ""), "{value}");
        }
        assert!(is_address("setup", "to"));
    }
}
