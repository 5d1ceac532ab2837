//! `unrendered-reference`: a reference with template syntax or script values that were not replaced.

use sitegate_address::UrlReference;

use super::leftover::leftover;
use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unrendered-reference",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference contains template syntax or a script value that was not replaced",
    why: "For example `{{ … }}`, `{% … %}`, `<% … %>`, `${…}`, `%PUBLIC_URL%` or `[object Object]` in a URL, \
          `undefined` or `null` as a host, or a quote escaped with `\\`, which HTML does not support. Such a \
          reference resolves, but to the wrong place. Broken references on this site are reported by other rules, \
          with the same reason.",
    bad: r#"<a href="https://social.test/share?url={{ page.url }}">Share</a>"#,
    good: r#"<a href="https://social.test/share?url=https%3A%2F%2Fwww.acme.test%2F">Share</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        let resolves = match target {
            Target::File { .. } | Target::External | Target::Unchecked => true,
            Target::Scheme => reference.value.is_some_and(|value| is_mail(view.text(value))),
            Target::Missing(_) | Target::Invalid(_) | Target::Empty => false,
        };
        if !resolves {
            continue;
        }
        let Some(value) = reference.value else { continue };
        let text = view.text(value);
        // The name of an existing file is intended: check only the query.
        let part = match target {
            Target::File { .. } if text.trim() != "\\" => UrlReference::new(text).query_and_fragment(),
            _ => text,
        };
        if let Some(reason) = leftover(part, false) {
            let message = format!("unrendered reference: `{}`: {reason}", shorten(text.trim()));
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message));
        }
    }
}

fn is_mail(text: &str) -> bool {
    text.trim_start().get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"))
}
