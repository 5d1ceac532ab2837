//! `unrendered-reference`: a reference in which a template or a script left something out.

use schemars::JsonSchema;
use serde::Deserialize;

use super::leftover::leftover;
use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unrendered-reference",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference holds what a template or a script should have replaced",
    why: "`{{ … }}`, `{% … %}`, `<% … %>`, `${…}` or `[object Object]` in an address, `undefined` or `null` for a \
          host, or a quote that was escaped by `\\`, which HTML does not know: such a reference leads somewhere, and \
          not where it should. Those that lead nowhere on this site are reported as such, with the same reason.",
    bad: r#"<a href="https://social.test/share?url={{ page.url }}">Share</a>"#,
    good: r#"<a href="https://social.test/share?url=https%3A%2F%2Fwww.acme.test%2F">Share</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<UnrenderedReference>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UnrenderedReference {}

impl Rule for UnrenderedReference {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (_, reference, target) in view.unusual() {
            let leads = match target {
                Target::File { .. } | Target::External | Target::Unchecked => true,
                Target::Scheme => reference.value.is_some_and(|value| is_mail(view.text(value))),
                Target::Missing(_) | Target::Invalid(_) | Target::Empty => false,
            };
            let Some(value) = reference.value.filter(|_| leads) else { continue };
            let text = view.text(value);
            // A file that is there has a name that is meant: only what is asked of it can be garbled.
            let part = match target {
                Target::File { .. } if text.trim() != "\\" => text.find('?').map_or("", |at| &text[at..]),
                _ => text,
            };
            if let Some(reason) = leftover(part, false) {
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("`{}` is garbled: {reason}", shown(text.trim()));
                found.push(RawFinding::reference(&INFO, location, message));
            }
        }
    }
}

fn is_mail(text: &str) -> bool {
    text.trim_start().get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"))
}
