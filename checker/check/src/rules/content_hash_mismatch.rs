//! `content-hash-mismatch`: a file name contains a hash that does not match the content.

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::{PathPatterns, SitePath};

use super::messages::shorten;
use super::rule::{OptionError, ReadOption, Registered, Rule, not_empty};
use crate::index::needs::Needs;
use crate::index::view::FileView;
use crate::parse::Algorithm;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "content-hash-mismatch",
    category: Category::Policy,
    default: Severity::Error,
    summary: "the hash in a file's name does not match its content",
    why: "Files with a hash in their name are cached for a year. If the content changes and the name does not, \
          readers keep the old content. `files` selects the files. `pattern` is a regular expression whose group \
          `hash` matches the hash in the name. `algorithm` is sha256, sha384, sha512 or md5, in hexadecimal. Without \
          `files` the rule reports nothing.",
    bad: r#"sitegate.toml:
  [rules]
  content-hash-mismatch = { files = ["/assets/**"] }
assets/app.2cf24dba.js:
  start();"#,
    good: r#"sitegate.toml:
  [rules]
  content-hash-mismatch = { files = ["/assets/**"] }
assets/app.f844a391.js:
  start();"#,
};

pub(super) static RULE: Registered = Registered::new::<ContentHashMismatch>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ContentHashMismatch {
    /// The files whose names contain a hash.
    #[serde(deserialize_with = "not_empty")]
    files: PathPatterns,
    /// A regular expression whose group `hash` matches the hash in the name.
    pattern: String,
    /// The algorithm of the hash, which is in hexadecimal.
    algorithm: Algorithm,
    #[serde(skip)]
    compiled: Option<Regex>,
}

impl Default for ContentHashMismatch {
    fn default() -> Self {
        ContentHashMismatch {
            files: PathPatterns::default(),
            pattern: r"[.-](?<hash>[0-9a-f]{6,128})\.".to_owned(),
            algorithm: Algorithm::default(),
            compiled: None,
        }
    }
}

impl Rule for ContentHashMismatch {
    fn load(&mut self, _read: &ReadOption<'_>) -> Result<(), OptionError> {
        let pattern = Regex::new(&self.pattern)?;
        if pattern.capture_names().flatten().all(|name| name != "hash") {
            return Err(OptionError::NoHashGroup);
        }
        self.compiled = Some(pattern);
        Ok(())
    }

    fn needs(&self, needs: &mut Needs) {
        if !self.files.is_empty() {
            needs.content.digests = Some((self.files.clone(), self.algorithm));
        }
    }

    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let (Some(actual), Some(pattern)) = (&view.facts.digest, &self.compiled) else { return };
        let path = view.site.tree.display(view.file);
        let name = SitePath::new(&*path).name();
        let Some(written) = pattern.captures(name).and_then(|captures| captures.name("hash")) else { return };
        let written = written.as_str().to_ascii_lowercase();
        if !actual.starts_with(&written) {
            let actual = &actual[..written.len().min(actual.len())];
            let message = format!(
                "hash mismatch: the name contains `{}`, but the content's hash is `{actual}`",
                shorten(&written)
            );
            found.push(RawFinding::new(&INFO, view.file, message).cause(Cause::kind("content was changed")));
        }
    }
}
