//! `wrong-order`: elements differ from the contract's list, or are in another order.

use super::messages::{failed_assertion, shorten};
use super::rule::Registered;
use super::wrong_text::replaced_text;
use crate::contract::Assertion;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-order",
    category: Category::Contract,
    default: Severity::Error,
    summary: "elements are not in the order that the contract lists",
    why: "`texts` lists the texts of all matches, `values` the values of an attribute over all matches, both in \
          document order. A section was moved, renamed, added or lost. One text that \
          differs, while all others are in order, is a wrong-text.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = "/"
  select = "section"
  values = { id = ["benefits", "features"] }
index.html:
  <section id="features">What it does</section>
  <section id="benefits">Why you want it</section>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = "/"
  select = "section"
  values = { id = ["benefits", "features"] }
index.html:
  <section id="benefits">Why you want it</section>
  <section id="features">What it does</section>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (index, assertion) in view.assertions() {
        // A page without matches is reported by wrong-count.
        if view.matches(index).next().is_none() {
            continue;
        }
        let has_one_other_text = replaced_text(view, index, assertion).is_some();
        if let Some(wanted) = assertion.texts.as_ref().filter(|_| !has_one_other_text) {
            let texts = view.matches(index).map(|m| (m.text.as_deref(), m.span.clone()));
            found.extend(compare(view, assertion, "text", wanted, texts));
        }
        for (name, wanted) in &assertion.values {
            let values = view.matches(index).map(|m| {
                let value = m.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str());
                (value, m.span.clone())
            });
            found.extend(compare(view, assertion, name, wanted, values));
        }
    }
}

/// Reports the first difference between the lists.
fn compare<'m>(
    view: &FileView<'_>,
    assertion: &Assertion,
    what: &str,
    wanted: &[String],
    mut actual: impl Iterator<Item = (Option<&'m str>, std::ops::Range<u32>)>,
) -> Option<RawFinding> {
    let mut last = 0..0; // the last element that matched
    for (expected, number) in wanted.iter().zip(1..) {
        let (message, span) = match actual.next() {
            Some((Some(value), span)) if value == expected => {
                last = span;
                continue;
            }
            Some((value, span)) => {
                let value = shorten(value.unwrap_or("nothing"));
                (format!("{what} {number} must be `{expected}`, but is `{value}`"), span)
            }
            None => (format!("{what} {number} must be `{expected}`, but there is no such element"), last),
        };
        return Some(failed_assertion(&INFO, view, assertion, span, &message));
    }
    let (extra, span) = actual.next()?;
    let message = format!("`{}` is not in the contract's list", shorten(extra.unwrap_or("nothing")));
    Some(failed_assertion(&INFO, view, assertion, span, &message))
}
