//! `lost-url`: a page of the last release that is gone.

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
    summary: "a page of the last release is gone, and nothing redirects",
    why: "Other sites, bookmarks and search engines still lead there. `manifest` names the seal of the \
          last release, as `sitegate check --seal` wrote it; each of its pages must still be there, or \
          be redirected. `files` adds other files that must stay. Without a manifest the rule finds \
          nothing.",
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

pub(super) static RULE: Registered = Registered::of::<LostUrl>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct LostUrl {
    /// The seal of the last release, relative to the contract.
    manifest: Option<PathBuf>,
    /// Files besides pages that must stay.
    files: Paths,
    /// Files that may go.
    except: Paths,
    #[serde(skip)]
    last: Vec<String>,
}

/// What is read of a seal.
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
            // By its address, so that a page that moved from x.html to x/index.html and a redirect both count.
            let address = site.resolver.address(path);
            if matches!(
                site.resolver.resolve(&site.resolver.root(), &address, &mut buffer),
                Target::Missing(_)
            ) {
                let place = crate::raw_finding::DocumentId::Path(path.as_str().into());
                let message = format!("`{address}` was in the last release, and leads nowhere now");
                let location = Location { document: place, span: 0..0 };
                found.push(RawFinding::new(&INFO, location, message).help("keep the page, or redirect it"));
            }
        }
    }
}
