//! `misspelled-scheme`: `htps:`, `http:/` and the like.

use super::messages::shorten;
use super::rule::Registered;
use super::schemes::{self, SchemeFault};
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, ProposedFix, RawFinding, ReferenceChange, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "misspelled-scheme",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference has a misspelled scheme, or not two slashes after it",
    why: "No program handles `htps:`. After `http:` browsers accept one slash or three, but with different meanings: \
          on a page with the same scheme, one slash starts a path of this site. (WHATWG URL, 4.4.)",
    bad: r#"<a href="htps://www.w3.org/">Web standards</a>"#,
    good: r#"<a href="https://www.w3.org/">Web standards</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        let leads = matches!(target, Target::Scheme | Target::External | Target::File { .. });
        if !leads {
            continue;
        }
        let Some(value) = reference.value else { continue };
        let text = view.text(value).trim();
        if let Some(SchemeFault { message, meant, certainty }) = schemes::fault(text) {
            let location = Location::in_file(view.file, reference.span.clone());
            let message = format!("`{}` {message}", shorten(text));
            let help = format!("did you mean `{}`?", shorten(&meant));
            let change = ReferenceChange::Whole { new: meant.into(), paths: None };
            let fix = ProposedFix { certainty, reason: schemes::REASON, change };
            found.push(RawFinding::reference(&INFO, location, message).help(help).fix(Some(fix)));
        }
    }
}
