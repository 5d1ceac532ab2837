//! `wrong-attribute`: an attribute does not match the contract.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::{failed_assertion, shorten};
use super::rule::{Registered, Rule};
use crate::contract::assertion::{Expected, shorten_value};
use crate::index::view::FileView;
use crate::parse::Match;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-attribute",
    category: Category::Contract,
    default: Severity::Error,
    summary: "an element's attribute does not match the contract",
    why: "The contract requires something of an element, such as that a link opens in a new tab. `attributes` \
          compares whole values. `tokens` requires words in a list such as rel, ignoring case.",
    bad: r#"sitegate.toml:
  [[assert]]
  pages = "/"
  select = "a.demo"
  attributes = { target = "_blank" }
index.html:
  <a class="demo" href="/demo.html">Book a demo</a>"#,
    good: r#"sitegate.toml:
  [[assert]]
  pages = "/"
  select = "a.demo"
  attributes = { target = "_blank" }
index.html:
  <a class="demo" href="/demo.html" target="_blank">Book a demo</a>"#,
};

pub(super) static RULE: Registered = Registered::new::<WrongAttribute>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WrongAttribute {}

fn value<'m>(element: &'m Match, name: &str) -> Option<&'m str> {
    element.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

impl Rule for WrongAttribute {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (index, assertion) in view.selected {
            for element in view.matches(*index) {
                let mut report = |name: &str, message: String| {
                    let cause = Cause::kind(format!("{}: {name}", assertion.name));
                    found.push(
                        failed_assertion(&INFO, view, assertion, element.span.clone(), &message).cause(cause),
                    );
                };
                for (name, expected) in &assertion.attributes {
                    match (expected, value(element, name)) {
                        (Expected::Value(wanted), Some(value)) if value != wanted.value => {
                            let wanted = wanted.display(&shorten_value(&wanted.value));
                            report(name, format!("{name} must be {wanted}, but is `{}`", shorten(value)));
                        }
                        (Expected::Value(wanted), None) => {
                            let wanted = wanted.display(&shorten_value(&wanted.value));
                            report(name, format!("{name} must be {wanted}, but is missing"));
                        }
                        (Expected::Present, None) => {
                            report(name, format!("{name} must be present, but is missing"));
                        }
                        (Expected::Absent, Some(value)) => {
                            report(name, format!("{name} must be absent, but is `{}`", shorten(value)));
                        }
                        _ => {}
                    }
                }
                for (name, tokens) in &assertion.tokens {
                    let value = value(element, name).unwrap_or("");
                    let has =
                        |token: &str| value.split_ascii_whitespace().any(|t| t.eq_ignore_ascii_case(token));
                    for token in tokens.iter().filter(|token| !has(token)) {
                        report(
                            name,
                            format!(
                                "{name} must contain `{}`, but is `{}`",
                                shorten_value(token),
                                shorten(value)
                            ),
                        );
                    }
                }
            }
        }
    }
}
