//! `unchecked-reference`: references that leave a base path which was only inferred, so that nothing checks them.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{Reference, Role};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unchecked-reference",
    category: Category::Links,
    default: Severity::Warn,
    summary: "references begin with / and leave the inferred base path, so they are not checked",
    why: "Without `base-path` in the contract, it is inferred from canonical links or from links that begin with it. \
          References out of it may mean another site of the same host, or a file that is missing here: only you know. \
          Reported once for the site, with all such references. Set `base-path`: they are then broken links, or, if \
          they are meant, list the other site as `[[part]]` or ignore them.",
    bad: r#"index.html:
  <link rel="canonical" href="https://docs.acme.org/latest/">
  <a href="/latest/">Home</a> <a href="/latest/prices.html">Prices</a> <a href="/latest/index.html">Home</a>
  <a href="/gone/page.html">Gone</a>
prices.html:
  <link rel="canonical" href="https://docs.acme.org/latest/prices.html">"#,
    good: r#"index.html:
  <link rel="canonical" href="https://docs.acme.org/latest/">
  <a href="/latest/">Home</a> <a href="/latest/prices.html">Prices</a> <a href="/latest/index.html">Home</a>
prices.html:
  <link rel="canonical" href="https://docs.acme.org/latest/prices.html">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let settings = &view.site.settings;
    if settings.base_path == "/" || settings.has_base_path || view.site.live().is_some() {
        return;
    }
    for (_, reference, target) in view.unusual() {
        let text = view.text_of(reference).trim();
        if target == Target::External && is_followed(reference) && is_rooted(text) {
            let base_path = shorten(&settings.base_path);
            let message =
                format!("not checked: `{}` leaves the inferred base path `{base_path}`", shorten(text));
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message)
                .cause(Cause::kind("base path"));
            found.push(finding.help(format!("set `base-path = \"{base_path}\"` below `[site]` to check it")));
        }
    }
}

/// Whether browsers follow or load a reference.
fn is_followed(reference: &Reference) -> bool {
    matches!(reference.kind.role(), Role::Navigate | Role::Load)
}

/// Whether a reference begins at the root of its origin.
fn is_rooted(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//") && !text.starts_with("/\\")
}
