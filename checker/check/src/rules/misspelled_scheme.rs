//! `misspelled-scheme`: `htps:`, `http:/` and the like.

use super::messages::shorten;
use super::rule::Registered;
use super::schemes::{self, SchemeFault};
use crate::index::view::FileView;
use crate::raw_finding::{Category, ProposedFix, RawFinding, ReferenceChange, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_address::UrlReference;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "misspelled-scheme",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference has a misspelled scheme, not two slashes after it, or two URLs in one",
    why: "No program handles `htps:`. After `http:` browsers accept one slash or three, but with different meanings: \
          on a page with the same scheme, one slash starts a path of this site. (WHATWG URL, 4.4.) A template that \
          adds the site's URL to a whole one writes two URLs in one, or forgets the slash between both.",
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
        if let Some(meant) = glued_path(view, text, target) {
            let message = format!("`{}` lacks the slash after the host", shorten(text));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
            found.push(finding.help(format!("did you mean `{}`?", shorten(&meant))));
        }
        if let Some(SchemeFault { message, meant, certainty }) = schemes::fault(text) {
            let message = format!("`{}` {message}", shorten(text));
            let help = format!("did you mean `{}`?", shorten(&meant));
            let change = ReferenceChange::Whole { new: meant.into(), paths: None };
            let fix = ProposedFix { certainty, reason: schemes::REASON, change };
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message);
            found.push(finding.help(help).fix(Some(fix)));
        }
    }
}

/// Returns the URL that was meant by one whose host is that of the site with the beginning of a path, if that path is a
/// file of the site.
fn glued_path(view: &FileView<'_>, text: &str, target: Target) -> Option<String> {
    let origin = view.site.settings.origin.as_ref().filter(|_| target == Target::External)?;
    let start = origin.as_str().strip_suffix('/').unwrap_or(origin.as_str());
    let path =
        text.strip_prefix(start).filter(|path| path.starts_with(|c: char| c.is_ascii_alphanumeric()))?;
    let name = UrlReference::new(path).path();
    view.site.tree.find(name.as_bytes()).map(|_| format!("{start}/{path}"))
}
