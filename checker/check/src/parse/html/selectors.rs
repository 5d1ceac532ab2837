//! The contract's selectors: what the tokenizer's pass did not match, `lol_html` does in a pass of its own.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::errors::RewritingError;
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Settings};

use super::attribute_at::value_of;
use super::block::ends_name;
use super::element_text::element_text;
use super::matching::{Matched, Matcher, Selection};
use crate::contract::Assertion;
use crate::parse::facts::Match;
use crate::parse::implied_ends::{UnendedElement, implied_ends};
use crate::parse::page::Page;
use crate::parse::read_error::ReadError;
use crate::parse::text::decode_references;
use crate::parse::wanted::Selected;

/// Elements that lie in each other have their texts more than once: so many times the page is read at the most, and this many bytes.
const MOST_TEXT: usize = 64;
const LEAST_TEXT: usize = 1 << 20;

/// Takes in what the contract selects in a page. What begins in a range of `skipped`, which are in order and apart,
/// is not an element that a reader gets to see.
///
/// # Errors
/// When `lol_html` gives up, with its reason; and where far more text is selected than there is.
pub(super) fn select(
    page: &mut Page,
    text: &[u8],
    selected: &Selected<'_>,
    matcher: Matcher<'_, '_>,
    skipped: &[Range<usize>],
) -> Result<(), ReadError> {
    let mut found = match matcher.finish() {
        Some(Matched { mut found, rest }) => {
            if !rest.is_empty() {
                found.extend(by_lol_html(text, &rest)?);
            }
            found.sort_by_key(|found| (found.tag.start, found.assertion));
            found
        }
        None => by_lol_html(text, selected)?,
    };
    found.retain(|found| {
        let before = skipped.partition_point(|range| range.start <= found.tag.start);
        before == 0 || !skipped[before - 1].contains(&found.tag.start)
    });
    let assertion = |found: &Selection| {
        let at = selected.binary_search_by_key(&found.assertion, |(index, _)| *index);
        at.ok().map(|at| selected[at].1)
    };
    let reads_text = |found: &Selection| assertion(found).is_some_and(Assertion::reads_text);
    let mut contents = contents(text, found.iter().filter(|found| reads_text(found))).into_iter();
    let mut left = MOST_TEXT * text.len() + LEAST_TEXT;
    for found in found {
        let Some(assertion) = assertion(&found) else { continue };
        let content = if assertion.reads_text() { contents.next() } else { None };
        if let Some(content) = &content {
            left = left.checked_sub(content.len()).ok_or_else(|| ReadError::TooMuchText {
                select: assertion.select.clone(),
                times: MOST_TEXT,
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

/// What `lol_html` finds, in the order of places.
pub(super) fn by_lol_html(text: &[u8], selected: &Selected<'_>) -> Result<Vec<Selection>, RewritingError> {
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
            // Another element's end tag closes this one where its own is left out.
            if end_tag.name() == name {
                all.borrow_mut()[at].end = Some(end_tag.source_location().bytes().start);
            }
            Ok(())
        }));
    }
    all.borrow_mut().push(Selection { assertion, tag, is_void, end: None });
}

/// The attributes that an assertion asks for.
fn attributes(text: &[u8], found: &Selection, assertion: &Assertion) -> Vec<(String, String)> {
    let wanted = assertion
        .attributes
        .keys()
        .chain(assertion.tokens.keys())
        .chain(assertion.values.keys())
        .chain(&assertion.same);
    let name_end = found.tag.start + 1 + name(text, found).len();
    let value = |name: &String| {
        let value = String::from_utf8_lossy(value_of(text, name_end, name.as_bytes())?);
        Some((name.clone(), decode_references(&value).into_owned()))
    };
    wanted.filter_map(value).collect()
}

/// An element's name as it is written.
fn name<'t>(text: &'t [u8], found: &Selection) -> &'t [u8] {
    let tag = &text[found.tag.start + 1..found.tag.end];
    &tag[..tag.iter().position(|byte| ends_name(*byte)).unwrap_or(tag.len())]
}

/// What the elements hold whose text is read.
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
