//! The contract's selectors, which lol_html matches in a pass of its own over the pages they are about.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HtmlRewriter, Settings};

use crate::contract::Assertion;
use crate::parse::facts::Match;
use crate::parse::implied_ends::{UnendedElement, implied_ends};
use crate::parse::page::Page;
use crate::parse::text::{decode_references, element_text};
use crate::parse::wanted::Selected;

/// Elements that lie in each other have their texts more than once: so many times the page is read at the most, and this many bytes.
const MOST_TEXT: usize = 64;
const LEAST_TEXT: usize = 1 << 20;

/// A match whose text is not known before its end tag.
#[derive(Default)]
struct OpenMatches {
    matches: Vec<OpenMatch>,
}

struct OpenMatch {
    assertion: usize,
    tag: Range<usize>,
    name: Vec<u8>,
    attributes: Vec<(String, String)>,
    void: bool,
    end: Option<usize>,
}

/// Finds what the contract selects in a page. What begins in a range of `skipped`, which are in order and apart,
/// is not an element that a reader gets to see.
///
/// # Errors
/// When lol_html gives up, with its reason; and where far more text is selected than there is.
pub(super) fn select(
    page: &mut Page,
    text: &[u8],
    selected: &Selected<'_>,
    skipped: &[Range<usize>],
) -> Result<(), String> {
    let open = Rc::new(RefCell::new(OpenMatches::default()));
    let is_skipped = |element: &Element<'_, '_>| {
        let start = element.source_location().bytes().start;
        let before = skipped.partition_point(|range| range.start <= start);
        before > 0 && skipped[before - 1].contains(&start)
    };
    let mut settings = Settings::new().with_strict(false);
    for (index, assertion) in selected {
        let open = Rc::clone(&open);
        settings = settings.append_element_content_handler((
            Cow::Borrowed(&assertion.selector),
            ElementContentHandlers::default().element(move |element: &mut Element<'_, '_>| {
                if !is_skipped(element) {
                    open_match(&open, *index, assertion, element);
                }
                Ok(())
            }),
        ));
    }
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    rewriter.write(text).map_err(|error| error.to_string())?;
    rewriter.end().map_err(|error| error.to_string())?;

    let matches = std::mem::take(&mut open.borrow_mut().matches);
    let contents = contents(text, &matches);
    let mut left = MOST_TEXT * text.len() + LEAST_TEXT;
    for (found, content) in matches.into_iter().zip(contents) {
        let assertion = selected.binary_search_by_key(&found.assertion, |(index, _)| *index);
        let assertion = assertion.ok().map(|at| selected[at].1);
        let read = assertion.is_some_and(Assertion::reads_text);
        if read {
            left = left.checked_sub(content.len()).ok_or_else(|| {
                let select = assertion.map_or("", |assertion| &assertion.select);
                format!("so many elements that match `{select}` lie in each other that their texts are {MOST_TEXT} times the page; select fewer")
            })?;
        }
        page.facts.matches.push(Match {
            assertion: found.assertion,
            span: found.tag.start as u32..found.tag.end as u32,
            text: read.then(|| element_text(&text[content])),
            attributes: found.attributes,
        });
    }
    page.facts.matches.sort_by_key(|found| found.assertion);
    Ok(())
}

/// What the matches hold.
fn contents(text: &[u8], matches: &[OpenMatch]) -> Vec<Range<usize>> {
    let is_unended = |found: &&OpenMatch| !found.void && found.end.is_none();
    let unended: Vec<UnendedElement> = matches
        .iter()
        .filter(is_unended)
        .map(|found| UnendedElement { name: found.name.clone(), content: found.tag.end })
        .collect();
    let mut implied = implied_ends(text, &unended).into_iter();
    let content = |found: &OpenMatch| match (found.void, found.end) {
        (true, _) => 0..0,
        (false, Some(end)) => found.tag.end.min(end)..end,
        (false, None) => found.tag.end..implied.next().unwrap_or(text.len()),
    };
    matches.iter().map(content).collect()
}

fn open_match(
    open: &Rc<RefCell<OpenMatches>>,
    index: usize,
    assertion: &Assertion,
    element: &mut Element<'_, '_>,
) {
    let wanted = assertion
        .attributes
        .keys()
        .chain(assertion.tokens.keys())
        .chain(assertion.values.keys())
        .chain(&assertion.same);
    let attributes = wanted
        .filter_map(|name| Some((name.clone(), element.get_attribute(name)?)))
        .map(|(name, value)| (name, decode_references(&value).into_owned()))
        .collect();
    let at = open.borrow().matches.len();
    let mut found = OpenMatch {
        assertion: index,
        tag: element.source_location().bytes(),
        name: element.tag_name().into_bytes(),
        attributes,
        void: true,
        end: None,
    };
    if let Some(handlers) = element.end_tag_handlers() {
        found.void = false;
        let open = Rc::clone(open);
        let name = found.name.clone();
        handlers.push(Box::new(move |end_tag| {
            // Another element's end tag closes this one where its own is left out.
            if end_tag.name().as_bytes() == name {
                open.borrow_mut().matches[at].end = Some(end_tag.source_location().bytes().start);
            }
            Ok(())
        }));
    }
    open.borrow_mut().matches.push(found);
}
