//! `lost-url`: a page of the last release that no longer exists.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{OptionError, ReadOption, Registered, Rule};
use crate::contract::pattern::Paths;
use crate::index::Index;
use crate::parse::Format;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "lost-url",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a page of the last release no longer exists, and no redirect replaces it",
    why: "Other sites, bookmarks and search engines still link to it. `manifest` names the seal of the last release, \
          as written by `sitegate check --seal`. Each of its pages must still exist or redirect. `files` adds other \
          files that must stay. Without a manifest the rule reports nothing.",
    bad: r#"sitegate.toml:
  [rules]
  lost-url = { manifest = "last-release.json" }
last-release.json:
  { "files": [{ "path": "prices.html" }] }"#,
    good: r#"sitegate.toml:
  [rules]
  lost-url = { manifest = "last-release.json" }
last-release.json:
  { "files": [{ "path": "prices.html" }] }
_redirects:
  /prices.html  /pricing/"#,
};

pub(super) static RULE: Registered = Registered::new::<LostUrl>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct LostUrl {
    /// The seal of the last release, relative to the contract.
    manifest: Option<PathBuf>,
    /// Other files, besides pages, that must stay.
    files: Paths,
    /// Files that may be removed.
    except: Paths,
    #[serde(skip)]
    last: Vec<String>,
}

/// The parts of a seal that the rule reads.
#[derive(Deserialize)]
struct LastRelease {
    files: Vec<LastReleaseFile>,
}

#[derive(Deserialize)]
struct LastReleaseFile {
    path: String,
}

impl Rule for LostUrl {
    fn load(&mut self, read: &ReadOption<'_>) -> Result<(), OptionError> {
        let Some(path) = &self.manifest else { return Ok(()) };
        let manifest: LastRelease = serde_json::from_slice(&read("manifest", path)?)
            .map_err(|source| OptionError::Malformed { file: path.clone(), source })?;
        self.last = manifest.files.into_iter().map(|file| file.path).collect();
        Ok(())
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let site = index.site;
        let mut buffer = Vec::new();
        for path in &self.last {
            let bytes = path.as_bytes();
            let counts = (Format::of(bytes) == Format::Html || self.files.contain(bytes))
                && !self.except.contain(bytes);
            if !counts || site.tree.find(bytes).is_some() {
                continue;
            }
            // By URL, so that both a page that moved from x.html to x/index.html and a redirect count.
            let address = site.resolver.address(path);
            if matches!(
                site.resolver.resolve(&site.resolver.root(), &address, &mut buffer),
                Target::Missing(_)
            ) {
                let place = crate::raw_finding::DocumentId::Path(path.as_str().into());
                let message = format!("lost URL: `{address}` was in the last release, and no longer exists");
                let location = Location { document: place, span: 0..0 };
                found.push(RawFinding::new(&INFO, location, message).help("keep the page, or redirect it"));
            }
        }
    }
}
