//! `damaged-file`: a file that is not what its name says.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::needs::Needs;
use crate::index::usage::Usage;
use crate::parse::Damage;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "damaged-file",
    category: Category::Files,
    default: Severity::Error,
    summary: "a file is not what its name says: empty, cut off, an error page, a Git LFS pointer",
    why: "A server's error page saved as an image, a pointer of Git LFS that was never replaced, half a download: \
          the file is there, and no browser can use it. The first bytes of pictures, fonts, media, archives, PDF \
          and WebAssembly are looked at, and the ends of PNG, WebP and WOFF. Another format of the same kind is \
          fine: browsers tell a JPEG under the name of a PNG by its bytes. An empty script or style sheet is fine \
          too. What nothing refers to is only reported where it is a page or a pointer. (WHATWG MIME Sniffing, 6.)",
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

pub(super) static RULE: Registered = Registered::of::<DamagedFile>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DamagedFile {}

impl Rule for DamagedFile {
    fn needs(&self, needs: &mut Needs) {
        needs.damage = true;
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for &(file, damage) in &index.damaged {
            // What nothing refers to may be there on purpose, such as an empty icon that is asked for by its name.
            let is_sure = matches!(damage, Damage::Page(_) | Damage::LfsPointer);
            if !is_sure && !index.usage.has(file, Usage::USED) {
                continue;
            }
            let (message, help) = explain(damage);
            let mut finding = RawFinding::new(&INFO, Location::in_file(file, 0..0), message);
            // One setting puts pointers in the place of all files, any other damage is a file's own.
            if damage != Damage::LfsPointer {
                finding = finding.cause(index.site.tree.display(file).into_owned());
            }
            found.push(match help {
                Some(help) => finding.help(help),
                None => finding,
            });
        }
    }
}

/// What is said of a damage, and the way out.
fn explain(damage: Damage) -> (String, Option<&'static str>) {
    match damage {
        Damage::Empty(kind) => (format!("this {} is empty", kind.name()), None),
        Damage::Page(kind) => (
            format!("this {} is an HTML page", kind.name()),
            Some("most likely a server's error page was saved in its place"),
        ),
        Damage::LfsPointer => (
            "this is only the pointer that Git LFS puts in the place of a file".to_owned(),
            Some("run `git lfs pull` before the build"),
        ),
        Damage::Unknown(kind) => {
            (format!("this is no {}: its first bytes belong to no such format", kind.name()), None)
        }
        Damage::Truncated(kind, stated) => {
            let of = stated.map(|bytes| format!(", it should have {bytes} bytes")).unwrap_or_default();
            (format!("this {} is cut off{of}", kind.name()), Some("copy or fetch it again"))
        }
    }
}
