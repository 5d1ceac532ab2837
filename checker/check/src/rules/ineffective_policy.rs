//! `ineffective-policy`: a policy in a `meta` element that works as a header only.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ineffective-policy",
    category: Category::Security,
    default: Severity::Warn,
    summary: "browsers ignore a policy, because a meta element has it",
    why: "The page looks protected, and is not. In a meta element, browsers skip the directives frame-ancestors, \
          report-uri and sandbox of a Content-Security-Policy, and headers such as X-Frame-Options (HTML, 4.2.5.3). \
          Only a header of the response protects from framing.",
    bad: r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Prices</title>
<meta http-equiv="Content-Security-Policy" content="frame-ancestors 'none'">"#,
    good: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { Content-Security-Policy = "frame-ancestors 'none'" }
index.html:
  <h1>Prices</h1>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::IgnoredPolicy(parts) = &note.kind else { continue };
        let message = format!("browsers ignore {parts} in a meta element");
        let location = Location::in_file(view.file, note.span.clone());
        found.push(RawFinding::new(&INFO, location, message).help("let the host send it as a header"));
    }
}
