//! `inconsistent-value`: an attribute that must be the same on every page, but is not.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::Index;
use crate::index::shared::SharedValue;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "inconsistent-value",
    category: Category::Contract,
    default: Severity::Error,
    summary: "an attribute that must be the same everywhere differs",
    why: "With `same = [\"href\"]` every match on every page must have one and the same value: a booking link, \
          a version, a logo. The value that most of them have is taken as the right one.",
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

pub(super) static RULE: Registered = Registered::of::<InconsistentValue>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InconsistentValue {}

impl Rule for InconsistentValue {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let mut groups: BTreeMap<(usize, &str), Vec<&SharedValue>> = BTreeMap::new();
        for shared in &index.shared {
            groups.entry((shared.assertion, &shared.attribute)).or_default().push(shared);
        }
        for ((assertion, attribute), values) in groups {
            let assertion = &index.site.contract.assertions[assertion];
            let Some((usual, count)) = most_common(&values) else { continue };
            let demanded = &assertion.position;
            for odd in values.iter().filter(|value| value.value.as_deref() != usual) {
                let message = format!(
                    "{}: {attribute} is `{}` here and `{}` in {count} other places",
                    assertion.name,
                    shown(odd.value.as_deref().unwrap_or("")),
                    shown(usual.unwrap_or("")),
                );
                let location = Location::in_file(odd.file, odd.span.clone());
                let help = format!("{demanded} demands one value everywhere");
                found.push(RawFinding::new(&INFO, location, message).help(help));
            }
        }
    }
}

/// The value that most have, the first of them where several are as common, and how many have it.
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
