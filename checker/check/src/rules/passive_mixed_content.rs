//! `passive-mixed-content`: an image, video or audio file is loaded by http.

use super::mixed_content::loads_by_http;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::ReferenceKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "passive-mixed-content",
    category: Category::Security,
    default: Severity::Warn,
    summary: "a page loads an image, video or audio file by http",
    why: "On https pages browsers request it by https instead; if the host does not support https, it is missing. \
          Older browsers load it by http, so anyone on the network can read and change it. (Mixed Content, 3.1.)",
    bad: r#"<img src="http://cdn.test/team.webp" alt="Our team">"#,
    good: r#"<img src="https://cdn.test/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (reference, is_active) in loads_by_http(view) {
        if is_active {
            continue;
        }
        let may_be_refused = matches!(
            reference.kind,
            ReferenceKind::Link
                | ReferenceKind::LinkIcon
                | ReferenceKind::LinkPreload
                | ReferenceKind::LinkImagesrcset
                | ReferenceKind::Input
        );
        let outcome = if may_be_refused || reference.kind.is_css() {
            "browsers may refuse it"
        } else {
            "browsers request it by https instead"
        };
        let message = format!("mixed content: {} uses http, and {outcome}", reference.kind.description());
        found.push(RawFinding::reference(&INFO, (view.file, &reference.span), message));
    }
}
