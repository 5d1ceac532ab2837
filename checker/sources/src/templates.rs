//! Template languages and components: what they hide from the text, and the references in their expressions.

pub(crate) mod expressions;
mod hidden;
pub(crate) mod masking;

use std::ops::Range;

use sitegate_address::SitePath;
use sitegate_html::raw_text::find_end_tag;

use self::masking::{Dialect, mask};
use crate::positions::range_of;
use crate::reference::{Manner, SourceScan};
use crate::{data, markup, scripts};

pub(crate) use self::hidden::hidden_outside;

/// Finds the references of a template or a component.
pub(crate) fn scan<'t>(path: &str, text: &'t str, scan: &mut SourceScan<'t>) {
    match SitePath::new(path).extension().unwrap_or_default() {
        "vue" => scan_body(text, 0..text.len(), Dialect::Vue, scan),
        "svelte" => scan_body(text, 0..text.len(), Dialect::Svelte, scan),
        "astro" => {
            let body = script_matter(text, scan);
            scan_body(text, body..text.len(), Dialect::Astro, scan);
        }
        _ => scan_document(text, scan),
    }
}

/// Finds the references of a document of HTML, or of a template language that writes HTML, with its front matter.
pub(crate) fn scan_document<'t>(text: &'t str, scan: &mut SourceScan<'t>) {
    let body = data::front_matter(text, scan);
    let is_xml = text[body..].trim_start_matches('\u{feff}').starts_with("<?xml");
    let dialect = if is_xml { Dialect::Xml } else { Dialect::Html };
    scan_body(text, body..text.len(), dialect, scan);
}

/// Finds the references of markup after its front matter.
fn scan_body<'t>(text: &'t str, body: Range<usize>, dialect: Dialect, scan: &mut SourceScan<'t>) {
    let hidden = if dialect.is_component() { Vec::new() } else { hidden_in_markup(text, body.clone()) };
    let masked = mask(text, body, &hidden, dialect);
    markup::scan_masked(text, &masked, dialect, scan);
    for construct in &masked.constructs {
        let inner = expressions::whole_construct(&text[construct.clone()], dialect);
        if let Some(path) = inner.and_then(expressions::link_tag) {
            scan.add(text, range_of(path, text), Manner::File);
        }
    }
    // A value with a hidden part is not written in full.
    scan.references.retain(|found| {
        let next = hidden.partition_point(|range| range.end <= found.range.start);
        hidden.get(next).is_none_or(|range| range.start >= found.range.end)
    });
    scan.inert.extend(hidden);
    scan.inert.extend(masked.comments);
}

/// Returns what a template language hides in markup. In scripts and styles, braces and comments are those of code; and
/// between braces, HTML has no comments.
fn hidden_in_markup(text: &str, body: Range<usize>) -> Vec<Range<usize>> {
    let mut hidden = hidden_outside(text, body.clone(), &code(text, body));
    hidden.retain(|range| !text[range.start..].starts_with("{/*"));
    hidden
}

/// Returns the content of scripts and styles, before tags are read.
fn code(text: &str, body: Range<usize>) -> Vec<Range<usize>> {
    let bytes = &text.as_bytes()[..body.end];
    let mut found = Vec::new();
    let mut at = body.start;
    while let Some(next) = memchr::memchr(b'<', &bytes[at..]) {
        at += next + 1;
        let is_open =
            |name: &&[u8]| bytes[at..].get(..name.len()).is_some_and(|tag| tag.eq_ignore_ascii_case(name));
        if let Some(name) = [&b"script"[..], b"style"].iter().find(|name| is_open(name)) {
            let length = find_end_tag(&bytes[at..], name);
            let end = length.map_or(body.end, |length| at + length);
            found.push(at..end);
            at = end;
        }
    }
    found
}

/// Reads the script between `---` at the start of a component of Astro. Returns the offset after it.
fn script_matter<'t>(text: &'t str, scan: &mut SourceScan<'t>) -> usize {
    let Some((script, body)) = data::fenced(text, "---", "---") else { return 0 };
    scripts::scan("component.tsx", text, script, scan);
    body
}
