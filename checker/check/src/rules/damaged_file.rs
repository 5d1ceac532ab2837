//! `damaged-file`: a file whose content does not match its extension.

use super::rule::Registered;
use crate::index::Index;
use crate::index::usage::Usage;
use crate::parse::{Damage, FileKind};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "damaged-file",
    category: Category::Files,
    default: Severity::Error,
    summary: "a file's content does not match its name: empty, truncated, an error page, a Git LFS pointer",
    why: "Examples: a server's error page saved as an image, a Git LFS pointer, half a download. Browsers cannot use \
          the file. Checked: the first bytes of images, fonts, media, archives, PDF and WebAssembly, the ends of PNG, \
          WebP and WOFF, and the namespace of SVG images. Another format of the same kind is fine: browsers recognize \
          a JPEG named .png. Empty scripts and style sheets are `empty-asset`. Unreferenced files are reported only \
          if they are a page or a pointer. (WHATWG MIME Sniffing, 6.)",
    bad: r#"index.html:
  <script src="/app.js"></script>
app.js:
  <!doctype html>
  <title>502 Bad Gateway</title>"#,
    good: r#"index.html:
  <script src="/app.js"></script>
app.js:
  console.info("ready");"#,
};

pub(super) static RULE: Registered =
    Registered::of_site(&INFO, check_site).needing(|needs| needs.damage = true);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for &(file, damage) in &index.damaged {
        // The rule `empty-asset` reports empty scripts and style sheets.
        if matches!(damage, Damage::Empty(FileKind::Script | FileKind::StyleSheet)) {
            continue;
        }
        // A script may put the markup of an SVG into a page, which needs no namespace.
        if damage == Damage::NoNamespace && !index.usage.has(file, Usage::SHOWN) {
            continue;
        }
        // Unreferenced files may be intended, such as an empty icon that browsers request by its name.
        let is_sure = matches!(damage, Damage::Page(_) | Damage::LfsPointer);
        if !is_sure && !index.usage.has(file, Usage::USED) {
            continue;
        }
        let (message, help) = explain(damage);
        let mut finding = RawFinding::new(&INFO, file, message);
        // One setting replaces all files by pointers; any other damage is a file's own.
        if damage != Damage::LfsPointer {
            finding = finding.cause(index.site.tree.display(file).into_owned());
        }
        found.push(finding.help_if(help));
    }
}

/// Returns the message about a damage, and how to fix it.
fn explain(damage: Damage) -> (String, Option<&'static str>) {
    match damage {
        Damage::Empty(kind) => (format!("this {} is empty", kind.name()), None),
        Damage::Page(kind) => (
            format!("this {} is an HTML page", kind.name()),
            Some("probably a server's error page was saved instead of the file"),
        ),
        Damage::LfsPointer => (
            "this is a Git LFS pointer, not the file itself".to_owned(),
            Some("run `git lfs pull` before the build"),
        ),
        Damage::Unknown(kind) => {
            (format!("this is not a valid {}: its first bytes match no such format", kind.name()), None)
        }
        Damage::NoNamespace => (
            "this SVG image lacks the namespace of SVG: browsers do not show it as an image".to_owned(),
            Some("write `xmlns=\"http://www.w3.org/2000/svg\"` in its root, with `http:`"),
        ),
        Damage::Truncated(kind, stated) => {
            let of = stated.map(|bytes| format!(": it should have {bytes} bytes")).unwrap_or_default();
            (format!("this {} is truncated{of}", kind.name()), Some("copy or download it again"))
        }
    }
}
