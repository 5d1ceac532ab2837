//! `integrity-mismatch`: an `integrity` attribute that does not match the file.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "integrity-mismatch",
    category: Category::Security,
    default: Severity::Error,
    summary: "an integrity attribute does not match the file",
    why: "Browsers hash the file and refuse it if the hash differs, so the script or style sheet never applies. The \
          hash is computed from the file in the export. Of several hashes, the strongest counts. An algorithm that \
          browsers do not know protects nothing. (Subresource Integrity, 3.3.)",
    bad: r#"app.js:
  start();
index.html:
  <script src="/app.js" integrity="sha256-FeQKjKqa4mJaM6PyT1i2eluWMLDgo60RVqKy9TMzYC8="></script>"#,
    good: r#"app.js:
  start();
index.html:
  <script src="/app.js" integrity="sha256-+ESjkQmxkyaPhtk6WP6rFWnP8sPoTyr8tWvBcXcvP/s="></script>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for broken in &index.integrity_mismatches {
        let name = index.site.tree.display(broken.value.target);
        let location = Location::in_file(broken.value.file, broken.value.span.clone());
        found.push(match &broken.actual {
            Some(actual) => {
                let message = format!("integrity mismatch: `{name}` has another hash, so browsers refuse it");
                RawFinding::new(&INFO, location, message).help(format!("the file's hash is {actual}"))
            }
            None => RawFinding::new(
                &INFO,
                location,
                "unknown integrity: browsers support none of these hash algorithms",
            )
            .help("use sha256-, sha384- or sha512-, followed by the hash in Base64"),
        });
    }
}
