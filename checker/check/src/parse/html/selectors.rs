//! Matches the contract's selectors: `lol_html` matches those that the tokenizer pass did not, in a separate pass.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::errors::RewritingError;
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Settings};

use super::attribute_text::attribute_value;
use super::block::ends_name;
use super::element_text::element_text;
use super::matching::{Matched, Matcher, Selection};
use crate::contract::Assertion;
use crate::parse::character_references::decode_references;
use crate::parse::content_needs::Selected;
use crate::parse::facts::Match;
use crate::parse::implied_ends::{UnendedElement, implied_ends};
use crate::parse::page::Page;
use crate::parse::read_error::ReadError;

/// Limits of the text to read. Nested elements contain the same text several times: at most this many times the page,
/// plus this many bytes.
const MAX_TEXT_FACTOR: usize = 64;
const MIN_TEXT_LIMIT: usize = 1 << 20;

/// Adds the elements that the contract selects in a page. Elements in the ranges of `skipped` (sorted and disjoint)
/// are not visible and do not count.
///
/// # Errors
/// If `lol_html` gives up, or if far more text is selected than the page contains.
pub(super) fn add_matches(
    page: &mut Page,
    text: &[u8],
    selected: &Selected<'_>,
    matcher: Matcher<'_, '_>,
    skipped: &[Range<usize>],
) -> Result<(), ReadError> {
    let mut selections = match matcher.into_matches() {
        Some(Matched { mut found, rest }) => {
            if !rest.is_empty() {
                found.extend(match_with_lol_html(text, &rest)?);
            }
            found.sort_by_key(|found| (found.tag.start, found.assertion));
            found
        }
        None => match_with_lol_html(text, selected)?,
    };
    selections.retain(|found| {
        let before = skipped.partition_point(|range| range.start <= found.tag.start);
        before == 0 || !skipped[before - 1].contains(&found.tag.start)
    });
    let assertion = |found: &Selection| {
        let at = selected.binary_search_by_key(&found.assertion, |(index, _)| *index);
        at.ok().map(|at| selected[at].1)
    };
    let reads_text = |found: &Selection| assertion(found).is_some_and(Assertion::reads_text);
    let mut contents = contents(text, selections.iter().filter(|found| reads_text(found))).into_iter();
    let mut remaining = MAX_TEXT_FACTOR * text.len() + MIN_TEXT_LIMIT;
    for found in selections {
        let Some(assertion) = assertion(&found) else { continue };
        let content = if assertion.reads_text() { contents.next() } else { None };
        if let Some(content) = &content {
            remaining = remaining.checked_sub(content.len()).ok_or_else(|| ReadError::TooMuchText {
                select: assertion.select.clone(),
                times: MAX_TEXT_FACTOR,
            })?;
        }
        page.facts.matches.push(Match {
            assertion: found.assertion,
            span: found.tag.start as u32..found.tag.end as u32,
            text: content.map(|content| element_text(&text[content])),
            attributes: attributes(text, &found, assertion),
        });
    }
    page.facts.matches.sort_by_key(|found| found.assertion);
    Ok(())
}

/// Returns the matches of `lol_html`, in the order of locations.
pub(super) fn match_with_lol_html(
    text: &[u8],
    selected: &Selected<'_>,
) -> Result<Vec<Selection>, RewritingError> {
    let all = Rc::new(RefCell::new(Vec::new()));
    let mut settings = Settings::new().with_strict(false);
    for (assertion, stated) in selected {
        let all = Rc::clone(&all);
        settings = settings.append_element_content_handler((
            Cow::Borrowed(&stated.selector),
            ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                add(&all, *assertion, element);
                Ok(())
            }),
        ));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(text)?;
    rewriter.end()?;
    Ok(all.take())
}

fn add(all: &Rc<RefCell<Vec<Selection>>>, assertion: usize, element: &mut Element<'_, '_>) {
    let at = all.borrow().len();
    let tag = element.source_location().bytes();
    let name = element.tag_name();
    let end_tags = element.end_tag_handlers();
    let is_void = end_tags.is_none();
    if let Some(handlers) = end_tags {
        let all = Rc::clone(all);
        handlers.push(Box::new(move |end_tag| {
            // If an end tag is omitted, another element's end tag closes the element.
            if end_tag.name() == name {
                all.borrow_mut()[at].end = Some(end_tag.source_location().bytes().start);
            }
            Ok(())
        }));
    }
    all.borrow_mut().push(Selection { assertion, tag, is_void, end: None });
}

/// Returns the attributes that an assertion needs.
fn attributes(text: &[u8], found: &Selection, assertion: &Assertion) -> Vec<(String, String)> {
    let names = assertion
        .attributes
        .keys()
        .chain(assertion.tokens.keys())
        .chain(assertion.values.keys())
        .chain(&assertion.same);
    let name_end = found.tag.start + 1 + name(text, found).len();
    let value = |name: &String| {
        let value = String::from_utf8_lossy(attribute_value(text, name_end, name.as_bytes())?);
        Some((name.clone(), decode_references(&value).into_owned()))
    };
    names.filter_map(value).collect()
}

/// Returns an element's name as written.
fn name<'t>(text: &'t [u8], found: &Selection) -> &'t [u8] {
    let tag = &text[found.tag.start + 1..found.tag.end];
    &tag[..tag.iter().position(|byte| ends_name(*byte)).unwrap_or(tag.len())]
}

/// Returns the contents of the elements.
fn contents<'s>(text: &[u8], matches: impl Iterator<Item = &'s Selection> + Clone) -> Vec<Range<usize>> {
    let is_unended = |found: &&Selection| !found.is_void && found.end.is_none();
    let unended: Vec<UnendedElement> = matches
        .clone()
        .filter(is_unended)
        .map(|found| UnendedElement { name: name(text, found).to_vec(), content: found.tag.end })
        .collect();
    let mut implied = implied_ends(text, &unended).into_iter();
    let content = |found: &Selection| match (found.is_void, found.end) {
        (true, _) => 0..0,
        (false, Some(end)) => found.tag.end.min(end)..end,
        (false, None) => found.tag.end..implied.next().unwrap_or(text.len()),
    };
    matches.map(content).collect()
}
