//! `ineffective-import`: an `@import` that browsers ignore, because other rules come before it.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "ineffective-import",
    category: Category::Content,
    default: Severity::Warn,
    summary: "browsers ignore an @import, because other rules come before it",
    why: "The fonts, icons or styles of the imported sheet are missing, and no error says so. An `@import` counts only \
          before all rules except `@charset` and `@layer` without a block. Tools that join style sheets put it in the \
          middle. (CSS Cascading and Inheritance, 2.)",
    bad: r#"index.html:
  <style>p { color: #333 } @import "https://fonts.test/inter.css";</style>"#,
    good: r#"index.html:
  <style>@import "https://fonts.test/inter.css"; p { color: #333 }</style>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::LateImport(url) = &note.kind else { continue };
        let message = format!(
            "browsers ignore the import of `{}`: it must come before all other rules",
            shorten(url.trim())
        );
        let help = "move it to the start of the sheet, or load it by a <link>";
        found.push(RawFinding::new(&INFO, (view.file, &note.span), message).cause(url.as_str()).help(help));
    }
}
