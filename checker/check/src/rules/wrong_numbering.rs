//! `wrong-numbering`: elements are not numbered 1, 2, 3 … as the contract requires.

use super::messages::{failed_assertion, shorten};
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-numbering",
    category: Category::Contract,
    default: Severity::Error,
    summary: "headings or clauses are not numbered 1, 2, 3 … in document order",
    why: "Readers cite contracts and manuals by number. With `numbered = true` the text of the n-th match must start \
          with n.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = "/terms.html"
  select = "h2"
  numbered = true
terms.html:
  <h2>1. Scope</h2>
  <h2>3. Fees</h2>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = "/terms.html"
  select = "h2"
  numbered = true
terms.html:
  <h2>1. Scope</h2>
  <h2>2. Fees</h2>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (index, assertion) in view.assertions().filter(|(_, a)| a.numbered) {
        for (element, wanted) in view.matches(index).zip(1usize..) {
            let text = element.text.as_deref().unwrap_or("");
            let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            if text[..digits].parse() != Ok(wanted) {
                let message =
                    format!("expected number {wanted}, but the text is \u{201c}{}\u{201d}", shorten(text));
                found.push(failed_assertion(&INFO, view, assertion, element.span.clone(), &message));
            }
        }
    }
}
