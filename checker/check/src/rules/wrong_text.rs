//! `wrong-text`: an element's text does not match the contract.

use super::messages::{failed_assertion, shorten};
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

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
    for (index, assertion) in view.selected.iter().filter(|(_, a)| !a.text.is_empty()) {
        for element in view.matches(*index) {
            let text = element.text.as_deref().unwrap_or("");
            for test in assertion.text.iter().filter(|test| !test.accepts(text)) {
                // A failed `ends-with` shows the end of a long text.
                let excerpt = match test {
                    crate::contract::assertion::TextTest::EndsWith(_) => shorten_start(text),
                    _ => shorten(text),
                };
                let message = format!("the text {}, but is \u{201c}{excerpt}\u{201d}", test.requirement());
                found.push(failed_assertion(&INFO, view, assertion, element.span.clone(), &message));
            }
        }
    }
}

fn shorten_start(text: &str) -> String {
    let skip = text.chars().count().saturating_sub(80);
    let dots = if skip > 0 { "…" } else { "" };
    format!("{dots}{}", text.chars().skip(skip).collect::<String>())
}
