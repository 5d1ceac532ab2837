//! `relative-link-in-404`: a relative reference on the not-found page.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::relative::is_relative_path;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "relative-link-in-404",
    category: Category::Links,
    default: Severity::Error,
    summary: "the not-found page contains a relative reference",
    why: "The host serves this page for any unknown path, so a relative reference resolves differently each time. \
          For /a/b/c, style.css is requested below /a/b/.",
    bad: r#"404.html:
  <link rel="stylesheet" href="style.css">"#,
    good: r#"404.html:
  <link rel="stylesheet" href="/style.css">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    if !view.site.is_served_anywhere(view.file) || view.facts.base.is_some() {
        return;
    }
    for (reference, target) in view.references() {
        let Some(value) = reference.value else { continue };
        let text = view.text(value).trim();
        let is_path = matches!(target, Target::File { .. } | Target::Missing(_));
        if is_path && is_relative_path(text) {
            let message = format!(
                "relative reference: `{}` breaks if this page is served for a path in a folder",
                shorten(text)
            );
            let help = "start it with `/`";
            found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message).help(help));
        }
    }
}
