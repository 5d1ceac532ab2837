//! `wrong-attribute`: an attribute does not match the contract.

use super::messages::{failed_assertion, shorten};
use super::rule::Registered;
use crate::contract::assertion::{Expected, shorten_value};
use crate::index::view::FileView;
use crate::parse::{Match, ReferenceKind};
use crate::raw_finding::{Category, Cause, Certainty, MarkupChange, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

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

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn value<'m>(element: &'m Match, name: &str) -> Option<&'m str> {
    element.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
}

/// Why a fix is certain.
const REASON: &str = "the contract requires it";

/// Attributes whose values do not depend on the page.
const FIXED: [&str; 2] = ["rel", "target"];

fn attribute(name: &str, value: &str, is_list: bool) -> Option<MarkupChange> {
    let is_fixed = FIXED.iter().any(|fixed| name.eq_ignore_ascii_case(fixed));
    is_fixed.then(|| MarkupChange::Attribute { name: name.into(), value: value.into(), is_list })
}

/// Returns the change that adds `width` or `height` to an image of the site.
fn dimension(view: &FileView<'_>, element: &Match, name: &str) -> Option<MarkupChange> {
    let is_width = name.eq_ignore_ascii_case("width");
    if !is_width && !name.eq_ignore_ascii_case("height") {
        return None;
    }
    let is_in_tag =
        |span: &std::ops::Range<u32>| element.span.start <= span.start && span.end <= element.span.end;
    let mut images = view
        .references()
        .filter(|(reference, _)| reference.kind == ReferenceKind::Img && is_in_tag(&reference.span));
    match images.next() {
        Some((_, Target::File { file, .. })) => Some(MarkupChange::Dimension { is_width, file }),
        _ => None,
    }
}

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (index, assertion) in view.assertions() {
        for element in view.matches(index) {
            let mut report = |name: &str, message: String, change: Option<MarkupChange>| {
                let cause = Cause::kind(format!("{}: {name}", assertion.name));
                let finding =
                    failed_assertion(&INFO, view, assertion, element.span.clone(), &message).cause(cause);
                found.push(match change {
                    Some(change) => finding.markup_fix(Certainty::Certain, REASON, change),
                    None => finding,
                });
            };
            for (name, expected) in &assertion.attributes {
                match (expected, value(element, name)) {
                    (Expected::Value(wanted), Some(value)) if value != wanted.value => {
                        let wanted = wanted.display(&shorten_value(&wanted.value));
                        report(name, format!("{name} must be {wanted}, but is `{}`", shorten(value)), None);
                    }
                    (Expected::Value(wanted), None) => {
                        let change = attribute(name, &wanted.value, false);
                        let wanted = wanted.display(&shorten_value(&wanted.value));
                        report(name, format!("{name} must be {wanted}, but is missing"), change);
                    }
                    (Expected::Present, None) => {
                        let change = dimension(view, element, name);
                        report(name, format!("{name} must be present, but is missing"), change);
                    }
                    (Expected::Absent, Some(value)) => {
                        report(name, format!("{name} must be absent, but is `{}`", shorten(value)), None);
                    }
                    _ => {}
                }
            }
            for (name, tokens) in &assertion.tokens {
                let written = value(element, name);
                let value = written.unwrap_or("");
                let has = |token: &str| value.split_ascii_whitespace().any(|t| t.eq_ignore_ascii_case(token));
                let missing: Vec<&str> =
                    tokens.iter().map(String::as_str).filter(|token| !has(token)).collect();
                for token in &missing {
                    let message = match (written, value.trim()) {
                        (None, _) => {
                            format!("there is no {name}; it must contain `{}`", shorten_value(token))
                        }
                        (_, "") => format!("{name} is empty; it must contain `{}`", shorten_value(token)),
                        _ => {
                            let (token, value) = (shorten_value(token), shorten(value));
                            format!("{name} must contain `{token}`, but is `{value}`")
                        }
                    };
                    report(
                        name,
                        message,
                        // One edit adds all.
                        attribute(name, &missing.join(" "), true),
                    );
                }
            }
        }
    }
}
