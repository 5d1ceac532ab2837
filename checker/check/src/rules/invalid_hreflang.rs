//! `invalid-hreflang`: hreflang links that are inconsistent between pages.

use std::collections::{BTreeSet, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::pages::{Alternate, Canonical};
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};
use crate::walk::FileId;
use sitegate_base::language_tag::fault;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-hreflang",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "hreflang links of pages and their translations are inconsistent",
    why: "Search engines use hreflang only if both pages link to each other, each page links to itself, each \
          language occurs once, each page is its own canonical page, and all translations of a page name the same \
          x-default. Languages are BCP 47 tags such as en, pt-BR or zh-Hant. Not checked if the site's \
          origin is unknown.",
    bad: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
en.html:
  <link rel="alternate" hreflang="en" href="https://www.acme.org/en.html">
  <link rel="alternate" hreflang="de" href="https://www.acme.org/de.html">
de.html:
  <p>Willkommen!</p>"#,
    good: r#"sitegate.toml:
  [site]
  origin = "https://www.acme.org"
en.html:
  <link rel="alternate" hreflang="en" href="https://www.acme.org/en.html">
  <link rel="alternate" hreflang="de" href="https://www.acme.org/de.html">
de.html:
  <link rel="alternate" hreflang="en" href="https://www.acme.org/en.html">
  <link rel="alternate" hreflang="de" href="https://www.acme.org/de.html">"#,
};

pub(super) static RULE: Registered = Registered::new::<InvalidHreflang>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct InvalidHreflang {
    /// Whether pages must have an `x-default` for readers of all other languages.
    x_default: bool,
}

impl Rule for InvalidHreflang {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        for note in &view.facts.metadata.notes {
            let NoteKind::MisspelledAlternate(word) = &note.kind else { continue };
            let message = format!("ignored hreflang: `rel=\"{}\"` is no link type", shorten(word));
            let finding = RawFinding::new(&INFO, (view.file, &note.span), message).cause(Cause::Message);
            found.push(finding.help("did you mean `alternate`?"));
        }
        for (index, language) in &view.facts.metadata.alternates {
            if **language == *"x-default" {
                continue;
            }
            let Some(bad) = fault(language) else { continue };
            let Some(reference) = view.facts.references.get(*index) else { continue };
            let message = format!("`{}` {}", shorten(language), bad.reason);
            let finding =
                RawFinding::reference(&INFO, (view.file, &reference.span), message).cause(Cause::Message);
            found.push(finding.help_if(bad.correction.map(|meant| format!("did you mean `{meant}`?"))));
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
        let defaults: HashMap<FileId, Option<FileId>> = index
            .pages
            .alternates
            .iter()
            .filter(|alternate| *alternate.language == *"x-default")
            .map(|alternate| (alternate.file, alternate.target))
            .collect();
        let pages = index.pages.alternates.chunk_by(|a, b| a.file == b.file);
        for page in pages.filter(|page| !index.site.is_error_page(page[0].file)) {
            let mut report = |at: &Alternate, message: String, cause: Cause| {
                found.push(RawFinding::reference(&INFO, (at.file, &at.span), message).cause(cause));
            };
            self.check_page(page, &mut |at, message| report(at, message, Cause::Message));
            if let Some(Canonical::Own(original, _)) =
                index.pages.get(page[0].file).map(|page| &page.canonical)
                && *original != page[0].file
            {
                let name = index.site.tree.display(*original);
                let message = format!("ignored hreflang: the canonical link of this page names `{name}`");
                report(&page[0], message, Cause::kind("not canonical"));
            }
            check_default(page, &defaults, &mut report);
            for alternate in page {
                let Some(target) = alternate.target.filter(|&target| target != alternate.file) else {
                    continue;
                };
                if index.pages.get(target).is_some() && !named.contains(&(target, alternate.file)) {
                    let name = index.site.tree.display(target);
                    report(
                        alternate,
                        format!("one-sided hreflang: `{name}` has no hreflang link to this page"),
                        Cause::Message,
                    );
                }
            }
        }
    }
}

/// Compares the `x-default` of a page with those of its translations; the earlier page of two has the finding.
fn check_default(
    page: &[Alternate],
    defaults: &HashMap<FileId, Option<FileId>>,
    report: &mut dyn FnMut(&Alternate, String, Cause),
) {
    let Some(own) = page.iter().find(|alternate| *alternate.language == *"x-default") else { return };
    let differs = |other: &&Alternate| {
        let target = other.target.filter(|target| *target > own.file);
        target.and_then(|target| defaults.get(&target)).is_some_and(|default| *default != own.target)
    };
    if let Some(other) = page.iter().find(differs) {
        let language = shorten(&other.language);
        let message =
            format!("conflicting hreflang: the translation `{language}` names another page as x-default");
        report(own, message, Cause::kind("x-default"));
    }
}

impl InvalidHreflang {
    /// Checks the hreflang links of one page.
    fn check_page(&self, page: &[Alternate], report: &mut dyn FnMut(&Alternate, String)) {
        // For each language: its first page, and whether another page was seen.
        let mut targets: HashMap<&str, (Option<FileId>, bool)> = HashMap::new();
        for alternate in page {
            let language = &*alternate.language;
            let (first, differ) = targets.entry(language).or_insert((alternate.target, false));
            let is_another = *first != alternate.target;
            let is_taken = is_another || *differ;
            *differ |= is_another;
            if is_taken {
                report(
                    alternate,
                    format!("conflicting hreflang: `{language}` already links to another page"),
                );
            }
        }
        let first = &page[0];
        if page.iter().all(|alternate| alternate.target != Some(first.file)) {
            report(first, "incomplete hreflang: the page does not link to itself".to_owned());
        }
        let languages: BTreeSet<&str> = page.iter().map(|a| &*a.language).collect();
        if self.x_default && languages.len() > 1 && !languages.contains("x-default") {
            report(first, "incomplete hreflang: there is no x-default for other languages".to_owned());
        }
    }
}
