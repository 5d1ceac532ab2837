//! `unsafe-target-blank`: a link that gives an external site control of this window.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Certainty, MarkupChange, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unsafe-target-blank",
    category: Category::Security,
    default: Severity::Off,
    summary: "a link opens an external site in a new window without noopener",
    why: "In older browsers, and whenever rel contains `opener`, the opened page can redirect this window. Current \
          browsers imply noopener. (HTML 4.6.8, link type noopener.)",
    bad: r#"<a href="https://other.test/" target="_blank">Our partner</a>"#,
    good: r#"<a href="https://other.test/" target="_blank" rel="noopener">Our partner</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for note in &view.facts.metadata.notes {
        let NoteKind::OpensWindow(index) = note.kind else { continue };
        let leaves = view.links.targets.get(index) == Some(&Target::External);
        if leaves {
            let message = "unsafe target: the external site that opens in a new window can redirect this one";
            let change =
                MarkupChange::Attribute { name: "rel".into(), value: "noopener".into(), is_list: true };
            let finding = RawFinding::new(&INFO, (view.file, &note.span), message);
            found.push(finding.help("add rel=\"noopener\"").markup_fix(
                Certainty::Certain,
                "browsers imply it",
                change,
            ));
        }
    }
}
