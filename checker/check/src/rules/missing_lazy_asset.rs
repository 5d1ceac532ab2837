//! `missing-lazy-asset`: a file that a lazy loader is likely to ask for, and that is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{dead, missing};
use crate::index::view::FileView;
use crate::parse::Role;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-lazy-asset",
    category: Category::Links,
    default: Severity::Warn,
    summary: "a script may load a file later that is not in the export",
    why: "`data-src`, `data-srcset`, `data-bg` and their like are what lazy loaders, sliders and light boxes read. No standard \
          says so, and a script may put something before the address: this is a warning. Where an element has nothing else to \
          load, `missing-asset` says so instead.",
    bad: r#"<img src="/images/team.webp" data-src="/images/teem-large.webp" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" data-src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of::<MissingLazyAsset>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingLazyAsset {}

impl Rule for MissingLazyAsset {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let assets = missing(view).filter(|(_, asset, _)| asset.kind.role() == Role::Deferred);
        found.extend(assets.map(|asset| {
            dead(&INFO, view, asset, |asset, why| format!("a script may ask for `{asset}` later: {why}"))
        }));
    }
}
