//! `wrong-count`: a selector of the contract matches too few or too many elements.

use super::messages::failed_assertion;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(crate) static INFO: RuleInfo = RuleInfo {
    id: "wrong-count",
    category: Category::Contract,
    default: Severity::Error,
    summary: "a page has too few or too many elements for the contract",
    why: "A required element is missing or duplicated. A selector without matches fails, too, unless `count = 0`: \
          otherwise an assertion about no elements would always pass.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = "/"
  select = "section.plan"
  count = 3
index.html:
  <section class="plan">Basic</section>
  <section class="plan">Team</section>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = "/"
  select = "section.plan"
  count = 3
index.html:
  <section class="plan">Basic</section>
  <section class="plan">Team</section>
  <section class="plan">Company</section>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (index, assertion) in view.assertions() {
        let all: Vec<_> = view.matches(index).collect();
        let many = assertion.max.is_some_and(|max| all.len() > max);
        if all.len() >= assertion.min && !many {
            continue;
        }
        let wanted = match (assertion.min, assertion.max) {
            (0, Some(0)) => "none".to_owned(),
            (min, Some(max)) if min == max => format!("exactly {min}"),
            (0, Some(max)) => format!("at most {max}"),
            (min, Some(max)) => format!("{min} to {max}"),
            (min, None) => format!("at least {min}"),
        };
        let counted = match all.len() {
            0 => format!("nothing matches `{}`: expected {wanted}", assertion.select),
            count => format!("found {count}, expected {wanted}"),
        };
        // The first extra element, or the last if there are too few.
        let at = assertion.max.and_then(|max| all.get(max)).or(all.last());
        let span = at.map_or(0..0, |element| element.span.clone());
        found.push(failed_assertion(&INFO, view, assertion, span, &counted));
    }
}
