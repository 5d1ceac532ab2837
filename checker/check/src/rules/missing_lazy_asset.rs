//! `missing-lazy-asset`: a file that a lazy loader probably loads does not exist.

use super::broken_reference::broken_reference_finding;
use super::queries::broken_references;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::ReferenceKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-lazy-asset",
    category: Category::Links,
    default: Severity::Warn,
    summary: "a file that a script may load later, or that is only preloaded, is not in the export",
    why: "Lazy loaders, sliders and light boxes read `data-src`, `data-srcset`, `data-bg` and similar attributes. No \
          standard defines them, and a script may add a prefix, so this is a warning. If an element has nothing else \
          to load, it is reported as `missing-asset`. Also reported: `<link rel=preload as=image>`, which only \
          requests an image early, unless its name has a content hash.",
    bad: r#"<img src="/images/team.webp" data-src="/images/teem-large.webp" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" data-src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let assets = broken_references(view).filter(|(_, asset, _)| asset.kind.may_be_unneeded());
    found.extend(assets.map(|asset| {
        let fault = match asset.1.kind {
            ReferenceKind::LinkPreload => "cannot preload an image",
            _ => "a script may fail to load a file",
        };
        broken_reference_finding(&INFO, view, asset, fault)
    }));
}
