//! Finds the segments of a path that name a language or a version, and the numbers of series. Below different
//! languages and versions, sites have the same structure.

use crate::site_path::{INDEX, SitePath};
use sitegate_base::language_tag::{self, LANGUAGES};

/// Names of versions that change over time.
const MOVING_VERSIONS: [&str; 16] = [
    "beta", "canary", "current", "dev", "devel", "develop", "edge", "head", "latest", "main", "master",
    "nightly", "preview", "stable", "trunk", "unstable",
];

/// Returns the folders of a path that name a language or a version, in order.
pub fn language_and_version_folders(path: &str) -> impl Iterator<Item = &str> {
    SitePath::new(path).folders().filter(|segment| is_language(segment) || is_version(segment))
}

/// Returns the first page of a numbered series, as [`SitePath::page`] does: `blog` for `blog/page/2/index.html` and
/// `blog/index3.html`, and for itself.
pub fn first_of_series(path: &str) -> String {
    let names = path.split('/').map(|name| name.replace(|c: char| c.is_ascii_digit(), ""));
    let names = names.filter(|name| !matches!(&**name, "" | "page" | INDEX));
    names.collect::<Vec<_>>().join("/")
}

/// Whether a segment is a language code with an optional script or region: `de`, `pt-br`, `zh_Hans`, `es-419`.
pub fn is_language(segment: &str) -> bool {
    let (language, rest) = segment.split_once(['-', '_']).map_or((segment, None), |(a, b)| (a, Some(b)));
    // Sites also name languages by the codes of their countries: `cn`, `jp`, `us`.
    let is_mistaken = || language_tag::fault(language).is_some_and(|fault| fault.correction.is_some());
    let is_code = || {
        LANGUAGES.split_ascii_whitespace().any(|code| code.eq_ignore_ascii_case(language)) || is_mistaken()
    };
    language.len() == 2
        && is_code()
        && rest.is_none_or(|rest| {
            (2..=4).contains(&rest.len()) && rest.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}

/// Whether a segment is a version: `v2`, `3.11`, `1.x`, `v2.0.0-rc.1`, `release-1.4`, `latest`.
fn is_version(segment: &str) -> bool {
    if MOVING_VERSIONS.iter().any(|name| segment.eq_ignore_ascii_case(name)) {
        return true;
    }
    let number = ["release-", "version-", "v"].iter().find_map(|prefix| segment.strip_prefix(prefix));
    let (core, _) =
        number.unwrap_or(segment).split_once(['-', '+']).unwrap_or((number.unwrap_or(segment), ""));
    let parts: Vec<&str> = core.split('.').collect();
    let is_part =
        |part: &&str| *part == "x" || (!part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    parts.iter().all(is_part) && parts[0] != "x" && (number.is_some() || parts.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::{first_of_series, language_and_version_folders};

    #[test]
    fn recognizes_languages_and_versions() {
        let of = |path| language_and_version_folders(path).collect::<Vec<_>>().join(" ");
        assert_eq!(of("docs/v1.2/de/install.html"), "v1.2 de");
        assert_eq!(
            of("pt-br/3.11/es-419/zh_Hans/1.x/latest/v2.0.0-rc.1/x"),
            "pt-br 3.11 es-419 zh_Hans 1.x latest v2.0.0-rc.1"
        );
        for path in ["blog/index.html", "blog/page/2/index.html", "blog/index3.html", "blog/4/index.html"] {
            assert_eq!(first_of_series(path), "blog");
        }
        assert_eq!(first_of_series("author/x2.html"), "author/x.html");
        assert_eq!(of("2024/07/go/js/guide/x/v/news-1/de.html"), "");
        assert_eq!(of("cn/uk-UA/de-/en-u/en-latin/x"), "cn uk-UA");
    }
}
