//! `broken-form`: a form posts to a page that is not in the export.

use super::broken_reference::broken_reference_finding;
use super::queries::broken_references;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-form",
    category: Category::Links,
    default: Severity::Warn,
    summary: "a form posts to a page that is not in the export",
    why: "The visitor's input is lost. A program may answer, such as a function of the host, so this is a warning, and \
          only URLs of pages are checked: those that end in `/` or `.html`. Hosts that receive forms, such as \
          Netlify, need the page, too. Forms that send a query (`method=get`) are `broken-link`. Also checked: \
          hx-post, hx-put, hx-patch and hx-delete of htmx.",
    bad: r#"<form method="post" action="/thank-yuo/"><button>Send</button></form>"#,
    good: r#"<form method="post" action="/api/contact"><button>Send</button></form>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let forms = broken_references(view).filter(|(_, form, _)| form.kind.is_posted());
    found.extend(forms.map(|form| broken_reference_finding(&INFO, view, form, "broken form")));
}
