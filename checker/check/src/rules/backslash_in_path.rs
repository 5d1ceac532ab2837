//! `backslash-in-path`: a path uses `\` instead of `/`.

use super::messages::{corrected, shorten};
use super::queries::paths_with;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

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
    for url in paths_with(view, '\\') {
        // `\` alone and a leading `\"` are remains of escaped quotes: unrendered-reference reports them.
        if url.path != "\\" && !url.path.starts_with("\\\"") {
            let message = format!("backslash in path: `{}`", shorten(url.text));
            let finding = RawFinding::reference(&INFO, (view.file, &url.reference.span), message)
                .help("use `/` instead");
            let fixed = url.replace('\\', "/");
            found.push(finding.fix(corrected(url.target, fixed, "browsers read a backslash as a slash")));
        }
    }
}
