//! `encoded-slash`: a path that uses `%2F` instead of a slash.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::{Route, Target};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "encoded-slash",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a path contains %2F instead of a slash",
    why: "In a URL, %2F is a character within a segment, not a separator. S3, nginx and others find the file only \
          because they decode it first. On most hosts the answer is 404. (URL standard, 4.4; RFC 3986, 2.2.)",
    bad: r#"<a href="/guide%2Fintro.html">Introduction</a>"#,
    good: r#"<a href="/guide/intro.html">Introduction</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        if matches!(target, Target::File { route: Route::EncodedSlash, .. }) {
            let message = "%2F instead of a slash: only hosts that decode it find this file";
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
            found.push(finding.help("use `/` instead"));
        }
    }
}
