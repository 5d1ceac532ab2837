//! `leaked-source`: a source map that contains a private file.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::Leak;
use crate::raw_finding::{Category, DocumentId, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "leaked-source",
    category: Category::Security,
    default: Severity::Warn,
    summary: "a source map contains the text of a private file",
    why: "`sourcesContent` of a source map has the text of each bundled file (ECMA-426). Anyone can read it there, such \
          as the text of an environment file that a script imports.",
    bad: r#"app.js.map:
  {"version":3,"sources":["../.env"],"sourcesContent":["KEY=secret"],"mappings":""}"#,
    good: r#"app.js.map:
  {"version":3,"sources":["../.env"],"sourcesContent":[null],"mappings":""}"#,
};

pub(super) static RULE: Registered =
    Registered::of_files(&INFO, check_file).needing(|needs| needs.leaks = true);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    if view.facts.leak == Some(Leak::PrivateSource) {
        // The finding is not about a file's text, so that reports do not show the text.
        let document = DocumentId::Path(view.site.tree.display(view.file).into());
        let message = "this source map contains the text of a private file, such as `.env`";
        let help =
            "build without `sourcesContent`, or do not publish the map; replace the secrets in the file";
        found.push(RawFinding::new(&INFO, document, message).help(help));
    }
}
