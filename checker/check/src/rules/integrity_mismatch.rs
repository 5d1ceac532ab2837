//! `integrity-mismatch`: an `integrity` attribute that does not match the file.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "integrity-mismatch",
    category: Category::Security,
    default: Severity::Error,
    summary: "an integrity attribute does not match the file, or cannot be checked",
    why: "Browsers hash the file and refuse it if the hash differs, so the script or style sheet never applies. The \
          hash is computed from the file in the export. Of several hashes, the strongest counts. An algorithm that \
          browsers do not know protects nothing. A file of another origin also needs `crossorigin`: browsers cannot \
          check what they request without CORS, and block it. (Subresource Integrity, 3.3.)",
    bad: r#"app.js:
  start();
index.html:
  <script src="/app.js" integrity="sha256-FeQKjKqa4mJaM6PyT1i2eluWMLDgo60RVqKy9TMzYC8="></script>"#,
    good: r#"app.js:
  start();
index.html:
  <script src="/app.js" integrity="sha256-+ESjkQmxkyaPhtk6WP6rFWnP8sPoTyr8tWvBcXcvP/s="></script>"#,
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let notes = view.facts.metadata.notes.iter();
    let lacking: Vec<_> = notes
        .filter_map(|note| match note.kind {
            NoteKind::IntegrityWithoutCors(index) => Some((index, note.span.clone())),
            _ => None,
        })
        .collect();
    if lacking.is_empty() {
        return;
    }
    for (index, reference, target) in view.unusual() {
        let Some((_, span)) = lacking.iter().find(|(other, _)| *other == index) else { continue };
        let text = view.text_of(reference).trim();
        if target != Target::External || is_own(view, text) {
            continue;
        }
        let message = format!("blocked by its integrity: `{}` is requested without CORS", shorten(text));
        let finding = RawFinding::new(&INFO, (view.file, span), message);
        found.push(
            finding.cause(text).help("add crossorigin=\"anonymous\", or remove the integrity attribute"),
        );
    }
}

/// Whether a URL is on the origin of the page, below another base path.
fn is_own(view: &FileView<'_>, text: &str) -> bool {
    let origin = view.site.settings.origin.as_ref();
    let url = view.base.join(text);
    origin.zip(url).is_some_and(|(origin, url)| origin.origin() == url.origin())
}

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
