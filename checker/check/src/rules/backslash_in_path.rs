//! `backslash-in-path`: a path uses `\` instead of `/`.

use super::messages::{corrected, shorten};
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "backslash-in-path",
    category: Category::Urls,
    default: Severity::Warn,
    summary: "a path uses `\\` instead of `/`",
    why: "Browsers read `\\` as a slash. Crawlers, feed readers and mail programs request a file with a backslash in \
          its name. (WHATWG URL, 4.4: invalid-reverse-solidus.)",
    bad: r#"<img src="images\team.webp" alt="Our team">"#,
    good: r#"<img src="images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        let is_path = matches!(target, Target::File { .. } | Target::Missing(_) | Target::External);
        if !is_path {
            continue;
        }
        let Some(value) = reference.value else { continue };
        // Fast path: most values contain no backslash.
        let text = view.text(value);
        if !text.contains('\\') {
            continue;
        }
        let text = text.trim_ascii();
        let path = text.split(['?', '#']).next().unwrap_or_default();
        // `\` alone and a leading `\"` are remains of escaped quotes: unrendered-reference reports them.
        if path.contains('\\') && path != "\\" && !path.starts_with("\\\"") {
            let location = Location::in_file(view.file, reference.span.clone());
            let message = format!("backslash in path: `{}`", shorten(text));
            let finding = RawFinding::reference(&INFO, location, message).help("use `/` instead");
            let fixed = path.replace('\\', "/") + &text[path.len()..];
            found.push(finding.fix(corrected(target, fixed, "browsers read a backslash as a slash")));
        }
    }
}
