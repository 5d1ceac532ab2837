//! `invalid-hreflang`: translations that do not agree with each other.

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::index::Index;
use crate::index::pages::Alternate;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_base::language_tag::fault;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-hreflang",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "the translations that pages name do not match",
    why: "Search engines use hreflang only where both pages name each other, where a page names itself \
          too, and where each language is named once. Languages are BCP 47 tags such as en, pt-BR or zh-Hant. Nothing \
          is said where the site's origin is not known.",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
en.html:
  <link rel="alternate" hreflang="en" href="/en.html">
  <link rel="alternate" hreflang="de" href="/de.html">
de.html:
  <p>Willkommen!</p>"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
en.html:
  <link rel="alternate" hreflang="en" href="/en.html">
  <link rel="alternate" hreflang="de" href="/de.html">
de.html:
  <link rel="alternate" hreflang="en" href="/en.html">
  <link rel="alternate" hreflang="de" href="/de.html">"#,
};

pub(super) static RULE: Registered = Registered::of::<InvalidHreflang>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct InvalidHreflang {
    /// Whether pages must say by `x-default` what readers of all other languages get.
    x_default: bool,
}

impl Rule for InvalidHreflang {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for (index, language) in &view.facts.about.alternates {
            let Some(bad) = fault(language).filter(|_| **language != *"x-default") else { continue };
            let Some(reference) = view.facts.references.get(*index) else { continue };
            let location = Location::in_file(view.file, reference.span.clone());
            let message = format!("`{}` {}", shown(language), bad.reason);
            let finding = RawFinding::reference(&INFO, location, message).cause(Cause::Message);
            found.push(match bad.correction {
                Some(meant) => finding.help(format!("did you mean `{meant}`?")),
                None => finding,
            });
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        if index.site.settings.origin.is_none() {
            return;
        }
        let named: BTreeSet<(FileId, FileId)> = index
            .pages
            .alternates
            .iter()
            .filter_map(|alternate| Some((alternate.file, alternate.target?)))
            .collect();
        let pages = index.pages.alternates.chunk_by(|a, b| a.file == b.file);
        for page in pages.filter(|page| !index.site.is_error_page(page[0].file)) {
            let mut report = |at: &Alternate, message: String| {
                let location = Location::in_file(at.file, at.span.clone());
                found.push(RawFinding::reference(&INFO, location, message).cause(Cause::Message));
            };
            self.page(page, &mut report);
            for alternate in page {
                let Some(target) = alternate.target.filter(|&target| target != alternate.file) else {
                    continue;
                };
                if index.pages.get(target).is_some() && !named.contains(&(target, alternate.file)) {
                    let name = index.site.tree.display(target);
                    report(alternate, format!("`{name}` does not name this page as a translation in return"));
                }
            }
        }
    }
}

impl InvalidHreflang {
    /// Looks at the translations that one page names.
    fn page(&self, page: &[Alternate], report: &mut dyn FnMut(&Alternate, String)) {
        // Of each language the first page, and whether there is another.
        let mut targets: HashMap<&str, (Option<FileId>, bool)> = HashMap::new();
        for alternate in page {
            let language = &*alternate.language;
            let (first, differ) = targets.entry(language).or_insert((alternate.target, false));
            let is_another = *first != alternate.target;
            let is_taken = is_another || *differ;
            *differ |= is_another;
            if is_taken {
                report(alternate, format!("`{language}` is already another page's language here"));
            }
        }
        let first = &page[0];
        if page.iter().all(|alternate| alternate.target != Some(first.file)) {
            report(first, "the page names translations, but not itself among them".to_owned());
        }
        let languages: BTreeSet<&str> = page.iter().map(|a| &*a.language).collect();
        if self.x_default && languages.len() > 1 && !languages.contains("x-default") {
            report(first, "no x-default says what readers of other languages get".to_owned());
        }
    }
}
