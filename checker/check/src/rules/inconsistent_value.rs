//! `inconsistent-value`: an attribute that must be equal on all pages, but is not.

use std::collections::{BTreeMap, HashMap};

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::pages::SharedValue;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "inconsistent-value",
    category: Category::Contract,
    default: Severity::Error,
    summary: "an attribute that must be equal everywhere differs",
    why: "With `same = [\"href\"]` every match on every page must have the same value: a booking link, a version, a \
          logo. The most common value is taken as the expected one.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = ["/", "/team"]
  select = "a.demo"
  same = ["href"]
index.html:
  <a class="demo" href="/demo.html">Book a demo</a>
team/index.html:
  <a class="demo" href="/pricing/">Book a demo</a>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = ["/", "/team"]
  select = "a.demo"
  same = ["href"]
index.html:
  <a class="demo" href="/demo.html">Book a demo</a>
team/index.html:
  <a class="demo" href="/demo.html">Book a demo</a>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let mut groups: BTreeMap<(usize, &str), Vec<&SharedValue>> = BTreeMap::new();
    for shared in &index.shared {
        groups.entry((shared.assertion, &shared.attribute)).or_default().push(shared);
    }
    for ((assertion, attribute), values) in groups {
        let assertion = &index.site.contract.assertions[assertion];
        let Some((usual, count)) = most_common(&values) else { continue };
        let required_by = &assertion.position;
        if let (None, Some(first)) = (usual, values.first())
            && count == values.len()
        {
            let name = &assertion.name;
            let message =
                format!("{name}: no match has the attribute {attribute}, which must be the same everywhere");
            let help = format!("{required_by} requires it; is the name right?");
            found.push(RawFinding::new(&INFO, (first.file, &first.span), message).help(help));
            continue;
        }
        for odd in values.iter().filter(|value| value.value.as_deref() != usual) {
            let message = format!(
                "{}: {attribute} is `{}` here and `{}` in {count} other places",
                assertion.name,
                shorten(odd.value.as_deref().unwrap_or("")),
                shorten(usual.unwrap_or("")),
            );
            let help = format!("{required_by} requires one value everywhere");
            found.push(RawFinding::new(&INFO, (odd.file, &odd.span), message).help(help));
        }
    }
}

/// Returns the most common value, the first of several that are equally common, and its count.
fn most_common<'v>(values: &[&'v SharedValue]) -> Option<(Option<&'v str>, usize)> {
    let mut counts: Vec<(Option<&str>, usize)> = Vec::new();
    let mut places: HashMap<Option<&str>, usize> = HashMap::new();
    for value in values.iter().map(|value| value.value.as_deref()) {
        let place = *places.entry(value).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count)
}
