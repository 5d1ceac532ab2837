//! Collects references in the items of a feed: HTML that readers show outside of its page, so each relative URL needs
//! a base.

use std::borrow::Cow;

use sitegate_address::{SitePath, UrlReference};

use super::facts::Facts;
use super::html::parse_html;
use super::mapped_text::MappedText;
use super::page::Page;
use super::page_metadata::NoteKind;
use super::reference::{Reference, is_relative};
use super::reference_kind::ReferenceKind;
use super::source::Source;

/// The base of URLs in an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum ContentBase<'b> {
    /// The URL in an `xml:base`.
    Named(&'b str),
    /// The item's own page. Feed readers use it, the feed's home page or the feed itself, but all are on one site.
    Item(&'b str),
    /// Unknown.
    Unknown,
}

impl ContentBase<'_> {
    /// Whether feed readers resolve a URL of the content against different addresses, or not at all.
    fn leaves_relative(self, address: &str) -> bool {
        let is_inside = matches!(address.trim().chars().next(), None | Some('#'));
        !is_inside && !matches!(self, ContentBase::Named(_)) && is_relative(address)
    }

    /// Joins a URL with the base; `None` if feed readers disagree about its base.
    fn join(self, address: &str) -> Option<Cow<'_, str>> {
        let trimmed = address.trim();
        let is_absolute = trimmed.starts_with("//") || has_scheme(trimmed);
        match self {
            _ if is_absolute => Some(Cow::Borrowed(address)),
            // A fragment of the item itself.
            _ if trimmed.is_empty() || trimmed.starts_with('#') => None,
            ContentBase::Named(base) => Some(join(base, trimmed)),
            _ if !trimmed.starts_with('/') => None,
            ContentBase::Item(base) => Some(join(base, trimmed)),
            ContentBase::Unknown => Some(Cow::Borrowed(address)),
        }
    }
}

/// Whether a reference begins with a scheme (RFC 3986, 3.1).
fn has_scheme(reference: &str) -> bool {
    let end = reference.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c));
    end.is_some_and(|end| end > 0 && reference[end..].starts_with(':'))
}

/// Joins a base and a relative reference to one reference. Dot segments are not resolved.
pub(super) fn join<'r>(base: &str, reference: &'r str) -> Cow<'r, str> {
    if reference.starts_with("//") || has_scheme(reference) {
        return Cow::Borrowed(reference);
    }
    let base = UrlReference::new(base.trim());
    let whole = base.path();
    let authority = match whole.find("//").filter(|at| *at == 0 || whole[..*at].ends_with(':')) {
        Some(at) => whole[at + 2..].find('/').map_or(whole.len(), |end| at + 2 + end),
        None => 0,
    };
    let (authority, path) = whole.split_at(authority);
    let prefix = if reference.is_empty() || reference.starts_with('#') {
        base.without_fragment()
    } else if reference.starts_with('?') {
        whole
    } else if reference.starts_with('/') {
        authority
    } else if path.is_empty() && !authority.is_empty() {
        return Cow::Owned(format!("{authority}/{reference}"));
    } else {
        &whole[..authority.len() + SitePath::new(path).folder_with_slash().len()]
    };
    if prefix.is_empty() { Cow::Borrowed(reference) } else { Cow::Owned(format!("{prefix}{reference}")) }
}

/// Adds the references of an item's HTML.
pub(super) fn add(facts: &mut Facts, content: &MappedText, base: ContentBase<'_>) {
    if memchr::memchr(b'<', content.text.as_bytes()).is_none() {
        return;
    }
    let mut page = Page::new(Source::Text(content.text.clone()));
    // Without selectors, parsing cannot fail.
    let _ = parse_html(&mut page, &[]);
    for Reference { kind, value, span } in &page.facts.references {
        let Some((kind, address)) = kind_in_feed(*kind).zip(value.map(|value| page.str(value))) else {
            continue;
        };
        if base.leaves_relative(address) {
            facts.note(NoteKind::RelativeContent, content.source(span));
        }
        if let Some(address) = base.join(address) {
            facts.push_text(kind, &address, content.source(span));
        }
    }
}

/// Returns the kind of a reference in a feed's content; `None` for elements that feed readers remove.
fn kind_in_feed(kind: ReferenceKind) -> Option<ReferenceKind> {
    use ReferenceKind as Kind;
    match kind {
        Kind::A | Kind::Area => Some(Kind::FeedContentLink),
        Kind::Audio
        | Kind::Img
        | Kind::ImgSrcset
        | Kind::Poster
        | Kind::Source
        | Kind::SourceSrcset
        | Kind::SvgImage
        | Kind::Video => Some(Kind::FeedContentMedia),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{ContentBase, Cow, join};

    #[test]
    fn joins_urls_like_the_url_standard() {
        for base in [
            "https://x.example/a/b/?q#f",
            "https://x.example",
            "https://x.example/a/b.html#f",
            "//x.example/a/",
            "/a/b/c",
            "/",
        ] {
            for reference in
                ["d.png", "../d", "/d?x", "//y.example/d", "?q=/", "#g", "", "http://y.example/", "./a:b"]
            {
                let document = url::Url::parse("https://x.example/feeds/rss.xml");
                let expected =
                    document.clone().and_then(|url| url.join(base)).and_then(|url| url.join(reference));
                let found = document.and_then(|url| url.join(&join(base, reference)));
                assert_eq!(found, expected, "{reference} on {base}");
            }
        }
    }

    #[test]
    fn skips_urls_without_a_common_base() {
        let joined = |base: ContentBase<'_>, address| base.join(address).map(Cow::into_owned);
        assert_eq!(joined(ContentBase::Named("https://x/a/"), "b.png"), Some("https://x/a/b.png".to_owned()));
        assert_eq!(joined(ContentBase::Named("https://x/a/"), "#note"), None);
        assert_eq!(joined(ContentBase::Item("https://x/a/"), "b.png"), None);
        assert_eq!(joined(ContentBase::Item("https://x/a/"), "/b.png"), Some("https://x/b.png".to_owned()));
        assert_eq!(joined(ContentBase::Unknown, "b.png"), None);
        assert_eq!(joined(ContentBase::Unknown, "/b.png"), Some("/b.png".to_owned()));
    }
}
