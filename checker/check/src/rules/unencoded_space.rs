//! `unencoded-space`: a path contains a space that is not encoded as %20.

use super::messages::{corrected, shorten};
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unencoded-space",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a path contains a space that is not encoded as %20",
    why: "Browsers encode it as %20, but the value is not a valid URL: mail programs, chats, crawlers and srcset end \
          it at the space. (HTML: a valid URL potentially surrounded by spaces.)",
    bad: r#"<a href="/files/price list.txt">Price list</a>"#,
    good: r#"<a href="/files/price%20list.txt">Price list</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        let is_path = matches!(target, Target::File { .. } | Target::Missing(_) | Target::External);
        if !is_path {
            continue;
        }
        let Some(value) = reference.value else { continue };
        // Fast path: most values contain no space.
        let text = view.text(value);
        if !text.contains(' ') {
            continue;
        }
        let text = text.trim_ascii();
        let path = text.split(['?', '#']).next().unwrap_or_default();
        if path.contains(' ') {
            let short = shorten(text);
            let location = Location::in_file(view.file, reference.span.clone());
            let message = format!("unencoded space: `{short}`");
            let finding = RawFinding::reference(&INFO, location, message).help("write it as %20");
            let fixed = path.replace(' ', "%20") + &text[path.len()..];
            found.push(finding.fix(corrected(target, fixed, "browsers encode a space as %20")));
        }
    }
}
