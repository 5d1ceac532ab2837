//! `missing-lang`: a page without a language, or with one that browsers do not know.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, Certainty, MarkupChange, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-lang",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a page has no language, or an unknown one",
    why: "Screen readers choose the voice by it; browsers choose hyphenation and quotes, and offer translations. They \
          do not know `en_US`, `jp` or `english`: the value must be a language tag, such as `en-US` or `ja`. Case does \
          not matter. (HTML 3.2.6.2, WCAG 3.1.1, BCP 47.)",
    bad: r"<!doctype html>
<html>
  <title>Prices</title>",
    good: r#"<!doctype html>
<html lang="en">
  <title>Prices</title>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let about = &view.facts.metadata;
    if view.is_document() && !about.has_lang {
        found.push(
            RawFinding::new(
                &INFO,
                (view.file, about.html.clone().unwrap_or(0..0)),
                "the page does not declare its language",
            )
            .help("set it on the html element: <html lang=\"en\">")
            .markup_fix(
                Certainty::Likely,
                "it is the language of the home page",
                MarkupChange::Language,
            ),
        );
    }
    for note in &about.notes {
        let NoteKind::WrongLanguage(lang, error) = &note.kind else { continue };
        let message = format!("`{}` {}", shorten(lang), error.reason);
        let finding = RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::Message);
        found.push(match &error.correction {
            Some(correction) => finding.help(format!("write `{correction}`")),
            None => finding.help("begin it with the code of the language, such as `en`"),
        });
    }
}
