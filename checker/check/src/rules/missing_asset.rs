//! `missing-asset`: an image, script, style sheet, font or other file that a page loads and that is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{dead, missing};
use crate::index::view::FileView;
use crate::parse::Role;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-asset",
    category: Category::Links,
    default: Severity::Error,
    summary: "a page or style sheet loads a file that is not in the export",
    why: "The browser gets a 404 in its place: an image is missing, a style or a script does not apply. \
          Checked are img, srcset, script, link, iframe, video, audio, source, track, poster, embed, object, \
          input, SVG use and image, url() and @import in CSS, and the pictures and files of manifests, feeds and \
          other formats that machines read.",
    bad: r#"<img src="/images/teem.webp" alt="Our team">"#,
    good: r#"<img src="/images/team.webp" alt="Our team">"#,
};

pub(super) static RULE: Registered = Registered::of::<MissingAsset>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingAsset {}

impl Rule for MissingAsset {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let assets = missing(view).filter(|(_, asset, _)| asset.kind.role() == Role::Load);
        found.extend(assets.map(|asset| {
            let place = asset.1.kind.description();
            dead(&INFO, view, asset, |asset, why| format!("{place} `{asset}` cannot be loaded: {why}"))
        }));
    }
}
