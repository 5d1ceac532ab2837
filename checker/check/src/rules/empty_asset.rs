//! `empty-asset`: an empty script or style sheet that the site loads.

use sitegate_address::SitePath;

use super::rule::Registered;
use crate::index::Index;
use crate::index::usage::Usage;
use crate::parse::{Damage, FileKind};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "empty-asset",
    category: Category::Files,
    default: Severity::Warn,
    summary: "a script or style sheet that the site loads is empty",
    why: "An interrupted build or upload leaves empty files. Browsers load them without an error, so a page has no \
          styles, or its scripts do not run. Not reported: the style sheets that Angular (`styles-5INURTSO.css`) and \
          VitePress (`vp-icons.css`) write if there are no styles.",
    bad: r#"index.html:
  <link rel="stylesheet" href="/main.css">
main.css:"#,
    good: r#"index.html:
  <link rel="stylesheet" href="/main.css">
main.css:
  body { margin: 2rem }"#,
};

/// Minimum length of a hash in the name of a style sheet.
const MIN_HASH_LENGTH: usize = 8;

pub(super) static RULE: Registered =
    Registered::of_site(&INFO, check_site).needing(|needs| needs.damage = true);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for &(file, damage) in &index.damaged {
        let Damage::Empty(kind @ (FileKind::Script | FileKind::StyleSheet)) = damage else { continue };
        let path = index.site.tree.display(file);
        if index.usage.has(file, Usage::LINKED) && !is_intended(&path) {
            let message = format!("this {} is empty, although the site loads it", kind.name());
            let finding = RawFinding::new(&INFO, file, message);
            found.push(finding.cause(path.into_owned()));
        }
    }
}

/// Whether a generator writes the file, even if there are no styles.
fn is_intended(path: &str) -> bool {
    let name = SitePath::new(path).name();
    let rest = name.strip_prefix("styles").and_then(|rest| rest.strip_suffix(".css"));
    let is_hash = |text: &str| {
        text.len() >= MIN_HASH_LENGTH
            && text.chars().all(|c| c.is_ascii_alphanumeric())
            && text.contains(|c: char| c.is_ascii_digit())
    };
    name == "vp-icons.css" || rest.and_then(|rest| rest.strip_prefix(['-', '.'])).is_some_and(is_hash)
}
