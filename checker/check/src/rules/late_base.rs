//! `late-base`: a `<base href>` after elements that load relative URLs.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "late-base",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a <base href> comes after an element that loads a relative URL",
    why: "Browsers have requested the file by then, relative to the URL of the page. The page works at one URL, and has no \
          styles or scripts at others: below deep routes of an application, and on the not-found page. Reported if the \
          base is another folder than that of the page, or if the host also serves the page at other URLs. (HTML, 4.2.3.)",
    bad: r#"docs/index.html:
  <link rel="stylesheet" href="a.css"><base href="/">
a.css:
  p { margin: 0 }"#,
    good: r#"docs/index.html:
  <base href="/"><link rel="stylesheet" href="a.css">
a.css:
  p { margin: 0 }"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::LateBase(first) = &note.kind else { continue };
        let differs = || {
            let own = view.site.resolver.document(view.file);
            own.join("x") != view.base.join("x")
        };
        let is_served_elsewhere = || {
            let rewrites =
                view.site.resolver.redirects().all.iter().filter(|redirect| redirect.status == 200);
            view.site.is_error_page(view.file)
                || rewrites.filter(|redirect| redirect.is_pattern()).any(|redirect| {
                    let target = view.site.resolver.resolve_redirect(&redirect.to);
                    matches!(target, Target::File { file, .. } if file == view.file)
                })
        };
        if differs() || is_served_elsewhere() {
            let message =
                format!("`<base>` comes after `{}`, which browsers resolve without it", shorten(first));
            let finding =
                RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::kind("late base"));
            found.push(finding.help("move `<base>` to the start of the head"));
        }
    }
}
