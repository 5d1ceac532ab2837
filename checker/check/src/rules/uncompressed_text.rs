//! `uncompressed-text`: a server sends text without compression.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use sitegate_base::plural::thousands;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "uncompressed-text",
    category: Category::Live,
    default: Severity::Warn,
    summary: "the server sends text without compression",
    why: "Compressed text is three to four times smaller, so pages load faster on slow connections. Each text file \
          of a live site was requested with `Accept-Encoding: gzip`.",
    bad: r"live:
  ** content-encoding:
sitegate.toml:
  [rules]
  uncompressed-text = { min = 10 }
index.html:
  <h1>Prices</h1>",
    good: r"live:
  ** content-encoding: gzip
sitegate.toml:
  [rules]
  uncompressed-text = { min = 10 }
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::new::<UncompressedText>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct UncompressedText {
    /// Minimum number of bytes for text to be reported.
    min: u64,
}

impl Default for UncompressedText {
    fn default() -> Self {
        // Text that fits into one packet does not arrive faster if compressed.
        UncompressedText { min: 1400 }
    }
}

/// Returns whether a media type is text.
fn is_compressible(media_type: &str) -> bool {
    media_type.starts_with("text/")
        || ["/json", "+json", "/xml", "+xml", "/javascript"].iter().any(|end| media_type.ends_with(end))
}

impl Rule for UncompressedText {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        for file in index.site.tree.ids() {
            let Some(answer) = live.files.get(index.site.tree.path(file)) else { continue };
            let media_type = answer.media_type();
            if answer.length < self.min
                || !is_compressible(&media_type)
                || !matches!(answer.header("content-encoding"), "" | "identity")
            {
                continue;
            }
            let message = format!(
                "uncompressed: {} bytes of `{media_type}`",
                thousands(usize::try_from(answer.length).unwrap_or(usize::MAX))
            );
            let cause = Cause::kind(media_type);
            let finding = RawFinding::new(&INFO, file, message);
            found.push(finding.cause(cause).help("enable gzip or Brotli on the server"));
        }
    }
}
