//! Records markup that browsers do not read as it is written: misnested elements, metadata that falls out of the head,
//! and constructs that are incomplete at the end of a page. Elements that the parser adds matter only in parts of a
//! prerendered page that a framework hydrates: its script expects the elements there that it wrote.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

use crate::parse::facts::{MARK, MisnestedEffect, MisnestedMarkup, Unclosed, UnclosedPart};
use crate::parse::html_text::decode_references;
use sitegate_html::attributes::{attribute_value, attributes};
use sitegate_html::element::{Name, Namespace};
use sitegate_html::key::key;
use sitegate_html::misnesting::{Misnested, find_head_end_without_scripts, find_misnested, written_name};
use sitegate_html::nesting_filter::NestingFilter;
use sitegate_html::raw_text::starts_with_name;
use sitegate_html::scan::ends_name;
use sitegate_html::tag_reader::ReadTag;
use sitegate_html::templates::InertContent;
use sitegate_html::tokenizer::{self, Construct};

/// Returns the misnested markup of a page.
pub(super) fn misnested_markup(text: &[u8], filter: &NestingFilter<'_>) -> Vec<MisnestedMarkup> {
    let mut found = markup_of_browsers(text, filter);
    let of_previews = |tag: &Range<usize>| metadata_name(text, tag).or_else(|| preview_name(text, tag));
    let head = filter.head_with_noscript();
    let without_scripts = head.and_then(|head| find_head_end_without_scripts(head, of_previews));
    let is_unknown =
        |fault: &Misnested| found.iter().all(|known| known.span.start as usize != fault.cause.start);
    if let Some(Misnested { mut how, cause, .. }) = without_scripts.filter(is_unknown) {
        sort_names(&mut how);
        let (element, parent) = (shown_name(text, &cause), "noscript".into());
        let span = cause.start as u32..cause.end as u32;
        found.push(MisnestedMarkup { effect: how, element, parent, framework: None, span });
    }
    found
}

/// Returns the name of an element by its start tag.
fn shown_name(text: &[u8], tag: &Range<usize>) -> Box<str> {
    String::from_utf8_lossy(written_name(text, tag)).to_ascii_lowercase().into_boxed_str()
}

/// Sorts the names of the metadata that is lost, and removes repeated ones.
fn sort_names(effect: &mut MisnestedEffect) {
    if let MisnestedEffect::HeadEnds(names) | MisnestedEffect::HeadEndsWithoutScripts(names) = effect {
        names.sort_unstable();
        names.dedup();
    }
}

/// Returns the markup that browsers nest in another way. Reads the nesting only if the filter has doubts, or if a framework hydrates
/// parts of it.
fn markup_of_browsers(text: &[u8], filter: &NestingFilter<'_>) -> Vec<MisnestedMarkup> {
    let is_faulty = filter.is_doubtful() || !filter.found().is_empty();
    // An element that the parser adds matters to frameworks only, and each of them needs a script, or one with its data.
    let has_script = || memchr::memmem::find(text, b"<script").is_some();
    let may_matter = is_faulty || filter.adds_elements() && has_script();
    if !may_matter {
        return Vec::new();
    }
    let hydration = Hydration::of_page(text);
    let metadata = |tag: &Range<usize>| metadata_name(text, tag);
    let found = if filter.is_doubtful() || hydration.is_possible() {
        find_misnested(text, |tag| hydration.is_border(text, tag), metadata)
    } else {
        filter.found().to_vec()
    };
    let describe = |Misnested { how: mut effect, cause, parent, marked }: Misnested| {
        let framework = marked.and_then(|border| hydration.framework(text, &border));
        // In other parts the tag may be omitted.
        if matches!(effect, MisnestedEffect::ParentAdded(_)) && framework.is_none() {
            return None;
        }
        sort_names(&mut effect);
        let (mut element, parent) = (shown_name(text, &cause), shown_name(text, &parent));
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
    let (element, end) = (written_name(text, tag), tokenizer::name_end(text, tag));
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

/// Returns the name of what programs without scripts read in the head besides: link previews, and those that follow the
/// base of a page.
fn preview_name(text: &[u8], tag: &Range<usize>) -> Option<&'static str> {
    const PROPERTIES: [&str; 5] = ["og:description", "og:image", "og:title", "og:url", "twitter:card"];
    let (element, end) = (written_name(text, tag), tokenizer::name_end(text, tag));
    if element.eq_ignore_ascii_case(b"meta") {
        let value = |name: &[u8]| attribute_value(text, end, name);
        let property = value(b"property").or_else(|| value(b"name"))?.trim_ascii();
        return PROPERTIES.into_iter().find(|known| property.eq_ignore_ascii_case(known.as_bytes()));
    }
    ["base", "title"].into_iter().find(|name| element.eq_ignore_ascii_case(name.as_bytes()))
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
    let length = tag.iter().position(|byte| ends_name(*byte)).unwrap_or(tag.len());
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

/// Texts in inline scripts of pages that are hydrated as a whole. Verified with Next.js 15 (app router), Remix 2, React
/// Router 7, `TanStack` Start 1, `SvelteKit` 2 and `SolidStart` 1.
const WHOLE_PAGES: [(&[u8], &str); 6] = [
    (b"__next_f", "React"),
    (b"__remixContext", "React"),
    (b"__reactRouterContext", "React"),
    (b"$_TSR", "React"),
    (b"__sveltekit_", "Svelte"),
    (b"_$HY", "Solid"),
];

/// Ids of elements that only these frameworks hydrate.
const ROOT_IDS: [(&[u8], &str); 6] = [
    (b"__next", "React"),
    (b"___gatsby", "React"),
    (b"__docusaurus", "React"),
    (b"react-root", "React"),
    (b"__nuxt", "Vue"),
    (b"svelte", "Svelte"),
];

/// Attributes of elements that are hydrated. Those of React 17, Vue 2 and 3, Solid and Angular.
const ROOT_ATTRIBUTES: [(&[u8], &str); 5] = [
    (b"data-reactroot", "React"),
    (b"data-server-rendered", "Vue"),
    (b"data-v-app", "Vue"),
    (b"data-hk", "Solid"),
    // With `=` it is no part of a word. Angular writes a value.
    (b"ngh=", "Angular"),
];

/// Attributes of scripts that are modules.
const MODULES: [&[u8]; 2] = [b"type=\"module\"", b"type=module"];

/// The element around a part of a page that Astro hydrates.
const ISLAND: &[u8] = b"astro-island";

/// All marks of pages that may be hydrated.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let roots = WHOLE_PAGES.iter().chain(&ROOT_IDS).chain(&ROOT_ATTRIBUTES).map(|(mark, _)| *mark);
    let marks = roots.chain(MODULES).chain([ISLAND]);
    let marks: Vec<String> = marks.map(|mark| regex::escape(&String::from_utf8_lossy(mark))).collect();
    Regex::new(&format!("(?-u:{})", marks.join("|"))).ok()
});

/// How the parts of a page are hydrated.
pub(super) struct Hydration {
    /// The framework that hydrates the whole page.
    whole_page: Option<&'static str>,
    /// Whether `id=root` is the root of an application: the page loads a module.
    has_module: bool,
    /// Whether the page has comments with which Vue marks fragments and missing elements.
    has_vue_marks: bool,
    /// Whether something on the page may be hydrated.
    is_possible: bool,
}

impl Hydration {
    /// Looks for the marks of frameworks on a page.
    pub(super) fn of_page(text: &[u8]) -> Hydration {
        // Most pages have none, and this one search takes as long as that for two or three of them.
        if MARKS.as_ref().is_some_and(|marks| !marks.is_match(text)) {
            return Hydration {
                whole_page: None,
                has_module: false,
                has_vue_marks: false,
                is_possible: false,
            };
        }
        let has = |mark: &[u8]| memmem::find(text, mark).is_some();
        let marks = WHOLE_PAGES
            .iter()
            .find(|(mark, _)| memmem::find_iter(text, mark).any(|at| is_in_script(text, at)));
        let has_module = MODULES.iter().any(|mark| has(mark));
        let whole_page = marks.map(|(_, framework)| *framework);
        let is_marked = || {
            let has_root = ROOT_IDS.iter().any(|(id, _)| has_value(text, id));
            has_root || ROOT_ATTRIBUTES.iter().any(|(mark, _)| has(mark)) || has(ISLAND)
        };
        Hydration {
            whole_page,
            has_module,
            has_vue_marks: has(b"<!--]-->") || has(b"<!---->"),
            is_possible: whole_page.is_some() || has_module || is_marked(),
        }
    }

    /// Whether something on the page may be hydrated.
    pub(super) fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// Whether another framework, or none, hydrates the content of an element than the content around it.
    pub(super) fn is_border(&self, text: &[u8], tag: &Range<usize>) -> bool {
        if !self.is_possible {
            return false;
        }
        self.framework(text, tag).is_some() || written_name(text, tag).eq_ignore_ascii_case(b"astro-slot")
    }

    /// Returns the framework that hydrates the content of an element.
    pub(super) fn framework(&self, text: &[u8], tag: &Range<usize>) -> Option<&'static str> {
        let (name, end) = (written_name(text, tag), tokenizer::name_end(text, tag));
        if name.eq_ignore_ascii_case(b"body") {
            return self.whole_page;
        }
        if name.eq_ignore_ascii_case(ISLAND) {
            let is_hydrated = attribute_value(text, end, b"client") != Some(b"only");
            return is_hydrated.then_some("its island's framework");
        }
        attributes(text, end).find_map(|own| {
            let written = &text[own.name];
            if written.eq_ignore_ascii_case(b"id") {
                return self.framework_of_id(own.value.map_or(b"", |value| &text[value]));
            }
            let is_named =
                |mark: &[u8]| written.eq_ignore_ascii_case(mark.strip_suffix(b"=").unwrap_or(mark));
            let root = ROOT_ATTRIBUTES.iter().find(|(mark, _)| is_named(mark));
            root.map(|(_, framework)| *framework)
        })
    }

    /// Returns the framework that hydrates the element with an id.
    fn framework_of_id(&self, id: &[u8]) -> Option<&'static str> {
        match id {
            // The template of Vite with React, and of Create React App.
            b"root" if self.has_module => Some("React"),
            b"app" if self.has_module && self.has_vue_marks => Some("Vue"),
            id => ROOT_IDS.iter().find(|(root, _)| *root == id).map(|(_, framework)| *framework),
        }
    }
}

/// Whether a text may be the whole value of an attribute. Documentation of Python has `__next__` in its text.
fn has_value(text: &[u8], value: &[u8]) -> bool {
    memmem::find_iter(text, value).any(|at| {
        let before = at.checked_sub(1).map(|before| text[before]);
        let after = text.get(at + value.len());
        let is_end = |byte: &u8| matches!(byte, b'"' | b'\'' | b'>' | b'/') || byte.is_ascii_whitespace();
        // Before a value without quotes, there may be space.
        before.is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'=') || byte.is_ascii_whitespace())
            && after.is_some_and(is_end)
    })
}

/// Whether an offset is in the text of a script.
fn is_in_script(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    memmem::rfind(before, b"<script")
        .is_some_and(|start| memmem::find(&before[start..], b"</script").is_none())
}
