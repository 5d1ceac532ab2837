//! `unencoded-space`: a path contains a space that is not encoded as %20.

use super::messages::{corrected, shorten};
use super::queries::paths_with;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

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
    found.extend(paths_with(view, ' ').map(|url| {
        let message = format!("unencoded space: `{}`", shorten(url.text));
        let finding =
            RawFinding::reference(&INFO, (view.file, &url.reference.span), message).help("write it as %20");
        finding.fix(corrected(url.target, url.replace(' ', "%20"), "browsers encode a space as %20"))
    }));
}
