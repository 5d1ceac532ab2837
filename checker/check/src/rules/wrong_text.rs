//! `wrong-text`: an element's text does not match the contract.

use super::messages::{failed_assertion, shorten};
use super::rule::Registered;
use crate::contract::Assertion;
use crate::contract::assertion::{TextTest, shorten_value};
use crate::index::view::FileView;
use crate::parse::Match;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-text",
    category: Category::Contract,
    default: Severity::Error,
    summary: "an element's text does not match the contract",
    why: "A required text, such as a legal notice, a price or a heading, was changed or lost. White space is \
          collapsed before the comparison.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = "/404.html"
  select = "h1"
  text = "Page not found"
404.html:
  <h1>Not found</h1>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = "/404.html"
  select = "h1"
  text = "Page not found"
404.html:
  <h1>Page not found</h1>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (index, assertion) in view.assertions() {
        if let Some((number, wanted, element)) = replaced_text(view, index, assertion) {
            let text = shorten(element.text.as_deref().unwrap_or(""));
            let wanted = shorten_value(wanted);
            let position = &assertion.position;
            let message = format!(
                "{}: text {number} is \u{201c}{text}\u{201d}, but {position} requires \u{201c}{wanted}\u{201d}",
                assertion.name
            );
            let location = Location::in_file(view.file, element.span.clone());
            let finding =
                RawFinding::new(&INFO, location, message).cause(Cause::kind(assertion.name.as_str()));
            found.push(
                finding.help(assertion.help.as_deref().unwrap_or("if this is meant, change the contract")),
            );
        }
        for element in view.matches(index).filter(|_| !assertion.text.is_empty()) {
            let text = element.text.as_deref().unwrap_or("");
            for test in assertion.text.iter().filter(|test| !test.accepts(text)) {
                // A failed `ends-with` shows the end of a long text.
                let excerpt = match test {
                    TextTest::EndsWith(_) => shorten_start(text),
                    _ => shorten(text),
                };
                let message = format!("the text {}, but is \u{201c}{excerpt}\u{201d}", test.requirement());
                found.push(failed_assertion(&INFO, view, assertion, element.span.clone(), &message));
            }
        }
    }
}

/// Returns the text that differs from the list of an assertion, if all others are as listed: its number, the listed text
/// and the element. More differences are those of wrong-order.
pub(super) fn replaced_text<'p>(
    view: &FileView<'p>,
    index: usize,
    assertion: &'p Assertion,
) -> Option<(usize, &'p str, &'p Match)> {
    let wanted = assertion.texts.as_ref()?;
    if view.matches(index).count() != wanted.len() {
        return None;
    }
    let pairs = (1..).zip(wanted).zip(view.matches(index));
    let mut others = pairs.filter(|((_, listed), element)| element.text.as_deref() != Some(listed));
    let ((number, text), element) = others.next()?;
    let is_moved = wanted.iter().any(|listed| element.text.as_deref() == Some(listed));
    (others.next().is_none() && !is_moved).then_some((number, text.as_str(), element))
}

fn shorten_start(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(80);
    let dots = if skip > 0 { "…" } else { "" };
    format!("{dots}{}", text.chars().skip(skip).collect::<String>())
}
