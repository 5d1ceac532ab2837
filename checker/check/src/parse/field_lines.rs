//! Parses files of lines: `robots.txt`, `security.txt`, the links in the `_headers` of hosts, and playlists of HTTP
//! Live Streaming.

use std::ops::Range;

use sitegate_address::robots::{IgnoredLine, RobotsFile};
use sitegate_base::field_lines::{Field, fields};

use super::page::Page;
use super::page_metadata::NoteKind;
use super::reference_kind::ReferenceKind;
use super::source::Source;
use super::well_known::security_expiry;
use crate::csp;

/// Fields of `security.txt` that contain URLs (RFC 9116, 2.5; CSAF 2.0, 7.1.8).
const SECURITY_URL_FIELDS: [&[u8]; 7] =
    [b"acknowledgments", b"canonical", b"contact", b"csaf", b"encryption", b"hiring", b"policy"];

/// Calls `parse` with the source of a page, and adds the references that it finds.
fn find_references(
    page: &mut Page,
    parse: impl FnOnce(&Source, &mut dyn FnMut(ReferenceKind, &[u8], usize)),
) {
    let Page { source, facts, .. } = page;
    parse(source, &mut |kind, address, at| {
        facts.push_text(kind, &String::from_utf8_lossy(address), at as u32..(at + address.len()) as u32);
    });
}

/// Parses the sitemaps in [`Page::source`] (RFC 9309 allows them; sitemaps.org defines them).
pub fn parse_robots(page: &mut Page) {
    let robots = RobotsFile::read(&page.source);
    find_references(page, |source, found| {
        for span in &robots.sitemaps {
            found(ReferenceKind::RobotsSitemap, &source[span.clone()], span.start);
        }
    });
    let mut add = |kind, span: Range<usize>| page.facts.note(kind, span.start as u32..span.end as u32);
    if let Some(all) = robots.disallows_all() {
        add(NoteKind::HidesSite(all.joined_to.map(str::to_owned)), all.span);
    }
    for IgnoredLine { reason, span } in &robots.ignored {
        add(NoteKind::IgnoredRobots(*reason), span.clone());
    }
    let mut rules = robots.groups.iter().flat_map(|group| &group.rules);
    if let Some(rule) = rules.find(|rule| !rule.allows) {
        add(NoteKind::DisallowedPath, rule.span.clone());
    }
}

/// Parses the URLs in a `security.txt` (RFC 9116).
pub(super) fn parse_security(page: &mut Page) {
    find_references(page, |source, found| {
        for field in fields(source) {
            if SECURITY_URL_FIELDS.iter().any(|name| field.name.eq_ignore_ascii_case(name)) {
                found(ReferenceKind::SecurityField, field.value, field.at);
            }
        }
    });
    let canonicals: Vec<_> = fields(&page.source).filter(|field| field.is("canonical")).collect();
    if let Some(first) = canonicals.first() {
        let urls = canonicals.iter().map(|field| String::from_utf8_lossy(field.value).into_owned()).collect();
        page.facts.note(NoteKind::SecurityCanonicals(urls), span(first));
    }
    let fields = fields(&page.source).map(|field| (field.name, field.value, span(&field)));
    let (faults, expiry) = security_expiry(fields);
    page.facts.malformed.extend(faults);
    if let Some((time, span)) = expiry {
        page.facts.note(NoteKind::Expires(time), span);
    }
}

/// Returns the location of a field's value.
fn span(field: &Field<'_>) -> Range<u32> {
    field.at as u32..(field.at + field.value.len()) as u32
}

/// Parses the links in a `_headers` file, as Netlify and Cloudflare Pages send them with pages and early hints.
/// Skips URLs that are relative to a page or depend on its path.
pub(super) fn parse_headers(page: &mut Page) {
    let is_policy =
        |field: &Field<'_>| [csp::HEADER, csp::REPORT_ONLY_HEADER].iter().any(|name| field.is(name));
    for field in fields(&page.source).filter(|field| field.is_indented && is_policy(field)) {
        for part in csp::ignored_parts(&String::from_utf8_lossy(field.value)) {
            page.facts.note(NoteKind::PolicyPart(part), span(&field));
        }
    }
    find_references(page, |source, found| {
        for field in fields(source).filter(|field| field.is_indented && field.is("link")) {
            for (address, kind) in links(field.value) {
                let text = &field.value[address.clone()];
                let has_placeholder = memchr::memmem::find(text, b":splat").is_some();
                let is_relative = !text.starts_with(b"/") && memchr::memmem::find(text, b"://").is_none();
                if !has_placeholder && !is_relative {
                    found(kind, text, field.at + address.start);
                }
            }
        }
    });
}

/// Returns the links of a `Link` header (RFC 8288, 3): the range of each URL, and its kind.
fn links(value: &[u8]) -> Vec<(Range<usize>, ReferenceKind)> {
    let mut links = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &value[at..]) {
        let start = at + open + 1;
        let Some(address_length) = memchr::memchr(b'>', &value[start..]) else { break };
        let address = start..start + address_length;
        at = address.end + 1;
        let parameters = &value[at..];
        let mut is_quoted = false;
        let ends = |byte: &u8| {
            is_quoted ^= *byte == b'"';
            *byte == b',' && !is_quoted
        };
        let length = parameters.iter().position(ends).unwrap_or(parameters.len());
        links.push((address, kind_of(&parameters[..length])));
        at += length;
    }
    links
}

/// Returns the kind of a link, by the `rel` among its parameters.
fn kind_of(parameters: &[u8]) -> ReferenceKind {
    let parameters = String::from_utf8_lossy(parameters).to_ascii_lowercase();
    let rel = parameters
        .split(';')
        .find_map(|parameter| parameter.trim().strip_prefix("rel")?.trim().strip_prefix('='));
    let has = |words: &[&str]| {
        rel.is_some_and(|rel| {
            rel.trim().trim_matches('"').split_ascii_whitespace().any(|word| words.contains(&word))
        })
    };
    if has(&["preload", "modulepreload", "stylesheet", "icon", "manifest"]) {
        ReferenceKind::HeaderLoad
    } else if has(&["preconnect", "dns-prefetch"]) {
        ReferenceKind::HeaderConnect
    } else {
        ReferenceKind::HeaderLink
    }
}

/// Parses [`Page::source`] as a playlist of HTTP Live Streaming (RFC 8216): lines without `#` are URIs, and tags have
/// others as `URI="…"`.
pub(super) fn parse_playlist(page: &mut Page) {
    let Page { source, facts, .. } = page;
    let text = String::from_utf8_lossy(source);
    // Offsets in a file that is not UTF-8 would change by decoding, and the standard requires UTF-8.
    if text.len() != source.len() || !text.trim_start_matches('\u{feff}').starts_with("#EXTM3U") {
        return;
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let uri = match line.trim() {
            "" => None,
            tag if tag.starts_with("#EXT") => uri_attribute(line),
            comment if comment.starts_with('#') => None,
            uri => Some(uri),
        };
        // A template of the server names no file.
        if let Some(uri) = uri.filter(|uri| !uri.contains('{')) {
            let at = start + (uri.as_ptr() as usize - line.as_ptr() as usize);
            facts.push_text(ReferenceKind::PlaylistFile, uri, at as u32..(at + uri.len()) as u32);
        }
        start += line.len();
    }
}

/// Returns the attribute `URI` of a tag (RFC 8216, 4.2).
fn uri_attribute(tag: &str) -> Option<&str> {
    let at = tag.find(":URI=\"").or_else(|| tag.find(",URI=\""))? + ":URI=\"".len();
    let uri = tag[at..].split('"').next()?;
    (!uri.is_empty()).then_some(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, parse: fn(&mut Page)) -> Vec<(String, ReferenceKind)> {
        let mut page = Page::new(Source::Text(text.into()));
        parse(&mut page);
        let references = page.facts.references.iter();
        let found = references.map(|reference| {
            let written = &text[reference.span.start as usize..reference.span.end as usize];
            assert_eq!(reference.value.map(|value| page.str(value)), Some(written));
            (written.to_owned(), reference.kind)
        });
        found.collect()
    }

    #[test]
    fn finds_only_sitemaps_in_robots_txt() {
        let text = "User-agent: *\nDisallow: /x\nsitemap:  /sitemap.xml # all\r\n#Sitemap: /no.xml\n";
        assert_eq!(found(text, parse_robots), [("/sitemap.xml".to_owned(), ReferenceKind::RobotsSitemap)]);
    }

    #[test]
    fn finds_urls_in_security_txt() {
        let text = "# Policy: /no\nHash: SHA256\nContact: mailto:a@b.example\nExpires: 2030-01-01T00:00:00Z\r\nPOLICY: /policy/#x\r\n";
        let found: Vec<_> = found(text, parse_security).into_iter().map(|(text, _)| text).collect();
        assert_eq!(found, ["mailto:a@b.example", "/policy/#x"]);
    }

    #[test]
    fn classifies_links_in_headers_by_rel() {
        let text = "/*\n  Link: </a.css>; rel=preload; as=style, </b,c>; title=\"x, y\"; rel=\"next up\"\n  link: <https://x.example>;rel = preconnect\n  Link: <relative.css>; rel=preload\n  Link: </y/:splat>; rel=next\nLink: </no>\n  X-Link: </no>\n";
        assert_eq!(
            found(text, parse_headers),
            [
                ("/a.css".to_owned(), ReferenceKind::HeaderLoad),
                ("/b,c".to_owned(), ReferenceKind::HeaderLink),
                ("https://x.example".to_owned(), ReferenceKind::HeaderConnect),
            ]
        );
    }
}
