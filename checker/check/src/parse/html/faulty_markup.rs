//! Records markup that browsers do not read as it is written: misnested elements, metadata that falls out of the head,
//! and constructs that are incomplete at the end of a page.

use std::ops::Range;

use super::hydration::Hydration;
use crate::parse::facts::{MARK, MisnestedEffect, MisnestedMarkup, Unclosed, UnclosedPart};
use crate::parse::html_text::decode_references;
use sitegate_html::attributes::attribute_value;
use sitegate_html::element::{Name, Namespace};
use sitegate_html::key::key;
use sitegate_html::misnesting::{Misnested, Misnesting, find_misnested, written_name};
use sitegate_html::nesting_filter::NestingFilter;
use sitegate_html::tag_reader::ReadTag;
use sitegate_html::templates::InertContent;
use sitegate_html::tokenizer::Construct;

/// Returns the misnested markup of a page. Reads its nesting only if the filter has doubts, or if a framework hydrates
/// parts of it.
pub(super) fn misnested_markup(text: &[u8], filter: &NestingFilter<'_>) -> Vec<MisnestedMarkup> {
    let is_faulty = filter.is_doubtful() || !filter.found().is_empty();
    // An element that the parser adds matters to frameworks only, and each of them needs a script, or one with its data.
    let has_script = || memchr::memmem::find(text, b"<script").is_some();
    let may_matter = is_faulty || filter.adds_elements() && has_script();
    if !may_matter {
        return Vec::new();
    }
    let hydration = Hydration::of_page(text);
    let is_metadata = |tag: &Range<usize>| metadata_name(text, tag).is_some();
    let found = if filter.is_doubtful() || hydration.is_possible() {
        find_misnested(text, |tag| hydration.is_border(text, tag), is_metadata)
    } else {
        filter.found().to_vec()
    };
    let describe = |Misnested { how, cause, parent, marked }: Misnested| {
        let name = |tag: &Range<usize>| {
            String::from_utf8_lossy(written_name(text, tag)).to_ascii_lowercase().into_boxed_str()
        };
        let framework = marked.and_then(|border| hydration.framework(text, &border));
        let effect = match how {
            Misnesting::ClosesParent => MisnestedEffect::ClosesParent,
            Misnesting::TagIgnored => MisnestedEffect::TagIgnored,
            Misnesting::LeavesTable => MisnestedEffect::LeavesTable,
            Misnesting::FormEnds => MisnestedEffect::FormEnds,
            // In other parts the tag may be omitted.
            Misnesting::ParentAdded(_) if framework.is_none() => return None,
            Misnesting::ParentAdded(added) => MisnestedEffect::ParentAdded(added.as_str()),
            Misnesting::HeadEnds(lost) => {
                let mut names: Vec<_> = lost.iter().filter_map(|tag| metadata_name(text, tag)).collect();
                names.sort_unstable();
                names.dedup();
                MisnestedEffect::HeadEnds(names)
            }
        };
        let (mut element, parent) = (name(&cause), name(&parent));
        if cause.is_empty() && text[cause.start..].starts_with(MARK.as_bytes()) {
            element = MARK.into();
        }
        let span = cause.start as u32..cause.end as u32;
        Some(MisnestedMarkup { effect, element, parent, framework, span })
    };
    found.into_iter().filter_map(describe).collect()
}

/// Returns the name of metadata that counts in the head only: Google ignores it after an element that is no metadata.
/// See <https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata>.
fn metadata_name(text: &[u8], tag: &Range<usize>) -> Option<&'static str> {
    let element = written_name(text, tag);
    let end = tag.start + 1 + element.len();
    let value = |name: &[u8]| {
        let value = String::from_utf8_lossy(attribute_value(text, end, name)?);
        Some(decode_references(&value).trim().to_ascii_lowercase())
    };
    if element.eq_ignore_ascii_case(b"link") {
        let rel = value(b"rel")?;
        let has = |word| rel.split_ascii_whitespace().any(|other| other == word);
        return match () {
            () if has("canonical") => Some("canonical"),
            () if has("alternate") && value(b"hreflang").is_some() => Some("hreflang"),
            () => None,
        };
    }
    if !element.eq_ignore_ascii_case(b"meta") {
        return None;
    }
    match value(b"name")?.as_str() {
        "description" => Some("description"),
        "robots" | "googlebot" => Some("robots"),
        _ => None,
    }
}

/// Returns the unclosed part of a page, if readers lose content by it.
pub(super) fn unclosed(text: &[u8], (construct, start): &(Construct, usize)) -> Option<Unclosed> {
    let start = *start;
    let (part, span) = match construct {
        Construct::StartTag => (UnclosedPart::Tag, start..name_end(text, start + 1)),
        Construct::EndTag => {
            let end = text[start..].trim_ascii_end();
            let is_last = [&b"</html"[..], b"</body"]
                .iter()
                .any(|last| last.get(..end.len()).is_some_and(|last| last.eq_ignore_ascii_case(end)));
            if is_last {
                return None;
            }
            (UnclosedPart::Tag, start..name_end(text, start + 2))
        }
        Construct::Comment => {
            let contains_tag = memchr::memchr_iter(b'<', &text[start + 1..])
                .any(|at| text.get(start + at + 2).is_some_and(u8::is_ascii_alphabetic));
            if !contains_tag {
                return None;
            }
            let end = (start + 4).min(text.len());
            let is_comment = text[start..].starts_with(b"<!--");
            (if is_comment { UnclosedPart::Comment } else { UnclosedPart::Tag }, start..end)
        }
        Construct::Element(name) => {
            let tag = memchr::memchr(b'>', &text[name.end..]).map_or(text.len(), |at| name.end + at + 1);
            if has_no_content(&text[tag..]) {
                return None;
            }
            let element = String::from_utf8_lossy(&text[name.clone()]).to_ascii_lowercase();
            (UnclosedPart::Element(element.into()), start..tag)
        }
    };
    Some(Unclosed { part, span: bytes(span), lost: (text.len() - start) as u32 })
}

/// Returns an element that its author closed with `/>`, which HTML ignores, if readers lose what follows.
pub(super) fn unclosed_by_slash(text: &[u8], tag: &ReadTag) -> Option<Unclosed> {
    if tag.namespace != Namespace::Html {
        return None;
    }
    let name = &text[tag.name_range.clone()];
    let begins = |rest: &[u8], at: usize| starts_with_name(&rest[at + 1..], name);
    let ends =
        |rest: &[u8], at: usize| rest[at..].starts_with(b"</") && starts_with_name(&rest[at + 2..], name);
    let shown_name = || String::from_utf8_lossy(name).to_ascii_lowercase().into();
    let after = &text[tag.range.end..];
    let (part, end) = match (&tag.raw, tag.name) {
        // One that takes all the rest of the page is found at its end. The end tag may be its own, too.
        (Some(content), _) if content.end < text.len() => {
            let content_text = &text[content.clone()];
            if !memchr::memchr_iter(b'<', content_text).any(|at| begins(content_text, at)) {
                return None;
            }
            (UnclosedPart::Slash(shown_name()), content.end)
        }
        (None, Name::Video | Name::Audio | Name::Object) => {
            let next = memchr::memchr_iter(b'<', after).find(|&at| begins(after, at) || ends(after, at));
            let has_own_end = next.is_some_and(|at| ends(after, at));
            // The end of an element around it also ends it, but an `object` stays open.
            let rest = without_hidden(after);
            let is_ended = tag.name != Name::Object
                && (rest.starts_with(b"</") || may_end_parent(&text[..tag.range.start], rest));
            if has_own_end || is_ended || has_no_content(rest) {
                return None;
            }
            (UnclosedPart::Fallback(shown_name()), text.len())
        }
        _ => return None,
    };
    Some(Unclosed { part, span: bytes(tag.range.clone()), lost: (end - tag.range.start) as u32 })
}

/// Returns a template that is open at the end of a page.
pub(super) fn unclosed_template(text: &[u8], template: InertContent) -> Option<Unclosed> {
    let InertContent { tag, .. } = template;
    let lost = (text.len() - tag.start) as u32;
    let has_content = !has_no_content(&text[tag.end..]);
    has_content.then(|| Unclosed { part: UnclosedPart::Template, span: bytes(tag), lost })
}

/// Whether a text begins with a name of an element, in any case.
fn starts_with_name(text: &[u8], name: &[u8]) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    text.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
        && text.get(name.len()).is_none_or(is_end)
}

fn bytes(range: Range<usize>) -> Range<u32> {
    range.start as u32..range.end as u32
}

/// Returns the end of a tag's name.
fn name_end(text: &[u8], start: usize) -> usize {
    start + text[start..].iter().take_while(|b| b.is_ascii_alphanumeric()).count()
}

/// Returns a text without its beginning that readers do not see: white space, comments, scripts, line breaks, and parts of a
/// media element.
fn without_hidden(mut text: &[u8]) -> &[u8] {
    const HIDDEN: [&[u8]; 6] = [b"br", b"source", b"track", b"wbr", b"link", b"meta"];
    loop {
        text = text.trim_ascii_start();
        let after =
            |end: &[u8]| memchr::memmem::find(text, end).map_or(&b""[..], |at| &text[at + end.len()..]);
        text = match text.strip_prefix(b"<") {
            Some(tag) if tag.starts_with(b"!--") => after(b"-->"),
            Some(tag) if starts_with_name(tag, b"script") => after(b"</script>"),
            Some(tag) if HIDDEN.iter().any(|name| starts_with_name(tag, name)) => after(b">"),
            _ => return text,
        };
    }
}

/// Whether a text begins with a tag that may end an element around the text before, as `<li>` ends an `<li>`, and blocks a
/// `<p>`. The medium in that element ends with it (HTML, 13.2.6.4.7).
fn may_end_parent(before: &[u8], text: &[u8]) -> bool {
    let Some(tag) = text.strip_prefix(b"<") else { return false };
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/');
    let length = tag.iter().position(is_end).unwrap_or(tag.len());
    let name = Name::from_key(key(&tag[..length]));
    let ends_item = matches!(
        name,
        Name::Li
            | Name::Dt
            | Name::Dd
            | Name::Td
            | Name::Th
            | Name::Tr
            | Name::Tbody
            | Name::Thead
            | Name::Tfoot
            | Name::Caption
            | Name::Option
            | Name::Optgroup
    );
    let has_open_paragraph = || {
        let mut starts =
            memchr::memchr_iter(b'<', before).filter(|&at| starts_with_name(&before[at + 1..], b"p"));
        let end = memchr::memmem::rfind(before, b"</p");
        starts.next_back().is_some_and(|start| end.is_none_or(|end| end < start))
    };
    ends_item || name.ends_paragraph() && has_open_paragraph()
}

/// Whether the text contains only white space and end tags.
fn has_no_content(mut text: &[u8]) -> bool {
    loop {
        text = text.trim_ascii_start();
        match text {
            [] => return true,
            [b'<', b'/', ..] => match memchr::memchr(b'>', text) {
                Some(end) => text = &text[end + 1..],
                None => return true,
            },
            _ => return false,
        }
    }
}
