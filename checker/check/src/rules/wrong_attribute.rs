//! `wrong-attribute`: an element whose attribute is not what the contract says.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{shown, unmet};
use crate::contract::assertion::{Expected, stated};
use crate::index::view::FileView;
use crate::parse::Match;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "wrong-attribute",
    category: Category::Contract,
    default: Severity::Error,
    summary: "an element's attribute is not what the contract says",
    why: "What the contract says of a link or another element no longer holds, such as that it opens a new \
          tab. `attributes` compares whole values; `tokens` asks for words in a list such as rel, in any case.",
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

pub(super) static RULE: Registered = Registered::of::<WrongAttribute>(&INFO);

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
                    found.push(unmet(&INFO, view, assertion, element.span.clone(), message).cause(cause));
                };
                for (name, expected) in &assertion.attributes {
                    match (expected, value(element, name)) {
                        (Expected::Value(wanted), Some(value)) if value != wanted => {
                            report(
                                name,
                                format!("{name} must be `{}`, but is `{}`", stated(wanted), shown(value)),
                            );
                        }
                        (Expected::Value(wanted), None) => {
                            report(name, format!("{name} must be `{}`, but is not there", stated(wanted)));
                        }
                        (Expected::Present, None) => {
                            report(name, format!("{name} must be there, but is not"));
                        }
                        (Expected::Absent, Some(value)) => {
                            report(name, format!("{name} must not be there, but is `{}`", shown(value)));
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
                            format!("{name} must hold `{}`, but is `{}`", stated(token), shown(value)),
                        );
                    }
                }
            }
        }
    }
}
