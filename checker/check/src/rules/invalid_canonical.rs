//! `invalid-canonical`: a canonical page that is not one.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::Index;
use crate::index::pages::Canonical;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-canonical",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a page names an original that is not an original itself",
    why: "rel=canonical tells search engines which of several copies to list. Where that one \
          redirects, names another original, asks to be left out or is the not-found page, they ignore \
          all of it. Two different originals cancel each other. Nothing is said where the site's \
          origin is not known. (RFC 6596.)",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
price-list.html:
  <link rel="canonical" href="/prices.html">
prices.html:
  <meta http-equiv="refresh" content="0; url=/pricing/">"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
price-list.html:
  <link rel="canonical" href="/pricing/">"#,
};

pub(super) static RULE: Registered = Registered::of::<InvalidCanonical>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvalidCanonical {}

impl Rule for InvalidCanonical {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        if view.site.settings.origin.is_none() {
            return;
        }
        let references =
            || view.facts.metadata.canonicals.iter().filter_map(|&at| view.facts.references.get(at));
        let Some(first) = references().next() else { return };
        let text = |value: Option<crate::parse::Value>| value.map_or("", |value| view.text(value));
        for other in references().skip(1) {
            if text(other.value) != text(first.value) {
                let message =
                    format!("the page already names `{}` as its original", shown(text(first.value)));
                let location = Location::in_file(view.file, other.span.clone());
                found.push(
                    RawFinding::reference(&INFO, location, message).cause(Cause::kind("several originals")),
                );
            }
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        if index.site.settings.origin.is_none() {
            return;
        }
        // A page that sends readers on names where they go, and a not-found page has no address of its own.
        let pages = index.pages.entries.iter();
        for facts in pages.filter(|facts| !facts.redirects && !index.site.is_error_page(facts.file)) {
            let Canonical::Own(target, span) = &facts.canonical else { continue };
            let Some(original) = index.pages.get(*target).filter(|_| *target != facts.file) else { continue };
            let name = index.site.tree.display(*target);
            let message = match &original.canonical {
                _ if original.redirects => format!("the original `{name}` redirects"),
                _ if original.noindex => format!("the original `{name}` asks search engines to leave it out"),
                _ if index.site.is_not_found_page(*target) => {
                    format!("the original `{name}` is the not-found page")
                }
                Canonical::Own(next, _) if next != target => {
                    format!(
                        "the original `{name}` names `{}` as its own original",
                        index.site.tree.display(*next)
                    )
                }
                Canonical::ExternalReferences => {
                    format!("the original `{name}` names another original itself")
                }
                _ => continue,
            };
            let location = Location::in_file(facts.file, span.clone());
            found.push(RawFinding::reference(&INFO, location, message));
        }
    }
}
