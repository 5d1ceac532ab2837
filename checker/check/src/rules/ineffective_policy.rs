//! `ineffective-policy`: a policy that works as a header only, or with parts that browsers do not read as meant.

use super::messages::shorten;
use super::rule::Registered;
use crate::csp::IgnoredPart;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ineffective-policy",
    category: Category::Security,
    default: Severity::Warn,
    summary: "browsers ignore a policy, or a part of it",
    why: "The page looks protected, and is not. In a meta element, browsers skip the directives frame-ancestors, \
          report-uri and sandbox of a Content-Security-Policy, and headers such as X-Frame-Options (HTML, 4.2.5.3). \
          Only a header of the response protects from framing. In a policy of the page or of `_headers`, a keyword \
          without its quotes, such as `self`, is the name of a host; after a missing `;`, a directive is taken for a \
          source; and a directive with a misspelled name is skipped (CSP Level 3, 2.3).",
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
        let (message, help) = match &note.kind {
            NoteKind::IgnoredPolicy(parts) => {
                (format!("browsers ignore {parts} in a meta element"), "let the host send it as a header")
            }
            NoteKind::PolicyPart(IgnoredPart { part, reason, help }) => {
                (format!("`{}` in this policy {reason}", shorten(part)), help.as_str())
            }
            _ => continue,
        };
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).help(help));
    }
}
