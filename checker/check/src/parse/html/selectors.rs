//! Matches the contract's selectors on the tree that browsers build of a page.

use sitegate_html::attributes::decoded_value;
use sitegate_html::selectors::select;
use sitegate_html::tree::{NodeId, Tree, TreeOptions};

use crate::contract::Assertion;
use crate::parse::facts::Match;
use crate::parse::html_text::fold_white_space;
use crate::parse::options::{ReadError, Selected};
use crate::parse::page::Page;

/// Limits of the text to read. Nested elements contain the same text several times: at most this many times the page,
/// plus this many bytes.
const MAX_TEXT_FACTOR: usize = 64;
const MIN_TEXT_LIMIT: usize = 1 << 20;

/// Adds the elements that the contract selects in a page.
///
/// # Errors
/// If the page is nested too deeply, or if far more text is selected than the page contains.
pub(super) fn add_matches(page: &mut Page, text: &[u8], selected: &Selected<'_>) -> Result<(), ReadError> {
    let reads_text =
        |(_, assertion): &(usize, &Assertion)| assertion.reads_text() || assertion.selector.reads_text();
    let keeps_text = selected.iter().any(reads_text);
    let tree = Tree::build(text, TreeOptions { syntax: page.syntax, runs_scripts: true, keeps_text })?;
    let selectors: Vec<_> = selected.iter().map(|(_, assertion)| &assertion.selector).collect();
    let mut remaining = MAX_TEXT_FACTOR * text.len() + MIN_TEXT_LIMIT;
    for (index, element) in select(&tree, &selectors) {
        let (assertion_index, assertion) = selected[index];
        let tag = tree.tag(element);
        let mut shown = None;
        if assertion.reads_text() {
            let length = tree.end(element).saturating_sub(tag.end);
            remaining = remaining.checked_sub(length).ok_or_else(|| ReadError::TooMuchText {
                select: assertion.select.clone(),
                times: MAX_TEXT_FACTOR,
            })?;
            shown = Some(fold_white_space(&tree.element_text(element)));
        }
        page.facts.matches.push(Match {
            assertion: assertion_index,
            span: tag.start as u32..tag.end as u32,
            text: shown,
            attributes: attributes(&tree, element, assertion),
        });
    }
    page.facts.matches.sort_by_key(|found| found.assertion);
    Ok(())
}

/// Returns the attributes that an assertion needs.
fn attributes(tree: &Tree<'_>, element: NodeId, assertion: &Assertion) -> Vec<(String, String)> {
    let names = assertion
        .attributes
        .keys()
        .chain(assertion.tokens.keys())
        .chain(assertion.values.keys())
        .chain(&assertion.same);
    let value = |name: &String| {
        let value = tree.attribute(element, name.as_bytes())?;
        Some((name.clone(), decoded_value(value).into_owned()))
    };
    names.filter_map(value).collect()
}
