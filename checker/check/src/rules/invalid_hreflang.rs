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
          x-default. Links of a page and those of sitemaps for it are read together. Languages are BCP 47 tags such as en, pt-BR or zh-Hant. Not checked if the site's \
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
        let alternates = &index.pages.alternates;
        let named: BTreeSet<(FileId, FileId)> =
            alternates.iter().filter_map(|alternate| Some((alternate.page, alternate.target?))).collect();
        let defaults: HashMap<FileId, Option<FileId>> = alternates
            .iter()
            .filter(|alternate| *alternate.language == *"x-default")
            .map(|alternate| (alternate.page, alternate.target))
            .collect();
        let pages = alternates.chunk_by(|a, b| a.page == b.page);
        for page in pages.filter(|page| !index.site.is_error_page(page[0].page)) {
            // A sitemap has the links of many pages, so its messages name the page.
            let name = || index.site.tree.display(page[0].page).into_owned();
            let subject = |at: &Alternate| {
                if at.is_own() { "this page".to_owned() } else { format!("`{}`", name()) }
            };
            let mut report = |at: &Alternate, message: String, cause: Cause| {
                found.push(RawFinding::reference(&INFO, (at.file, &at.span), message).cause(cause));
            };
            self.check_page(page, &name, &mut report);
            if let Some(Canonical::Own(original, _)) =
                index.pages.get(page[0].page).map(|entry| &entry.canonical)
                && *original != page[0].page
            {
                let (subject, original) = (subject(&page[0]), index.site.tree.display(*original));
                let message = format!("ignored hreflang: the canonical link of {subject} names `{original}`");
                report(&page[0], message, Cause::kind("not canonical"));
            }
            check_default(page, &defaults, &name, &mut report);
            let is_first = |alternate: &Alternate| alternate.file == page[0].file;
            let first: BTreeSet<Option<FileId>> = page
                .iter()
                .filter(|alternate| is_first(alternate))
                .map(|alternate| alternate.target)
                .collect();
            for alternate in page {
                let Some(target) = alternate.target.filter(|&target| target != alternate.page) else {
                    continue;
                };
                // A link that a page and a sitemap have is reported once.
                if !is_first(alternate) && first.contains(&alternate.target) {
                    continue;
                }
                if index.pages.get(target).is_some() && !named.contains(&(target, alternate.page)) {
                    let (subject, target) = (subject(alternate), index.site.tree.display(target));
                    let message = format!("one-sided hreflang: `{target}` has no hreflang link to {subject}");
                    report(alternate, message, alternate.cause("one-sided"));
                }
            }
        }
    }
}

impl Alternate {
    /// Whether the page itself names it.
    fn is_own(&self) -> bool {
        self.page == self.file
    }

    /// Returns the cause of a finding. The messages of a sitemap's findings differ.
    fn cause(&self, kind: &str) -> Cause {
        if self.is_own() { Cause::Message } else { Cause::kind(format!("{kind} in a sitemap")) }
    }
}

/// Compares the `x-default` of a page with those of its translations; the earlier page of two has the finding.
fn check_default(
    page: &[Alternate],
    defaults: &HashMap<FileId, Option<FileId>>,
    name: &dyn Fn() -> String,
    report: &mut dyn FnMut(&Alternate, String, Cause),
) {
    let Some(own) = page.iter().find(|alternate| *alternate.language == *"x-default") else { return };
    let differs = |other: &&Alternate| {
        let target = other.target.filter(|target| *target > own.page);
        target.and_then(|target| defaults.get(&target)).is_some_and(|default| *default != own.target)
    };
    if let Some(other) = page.iter().find(differs) {
        let language = shorten(&other.language);
        let of = if own.is_own() { String::new() } else { format!(" of `{}`", name()) };
        let message =
            format!("conflicting hreflang: the translation `{language}`{of} names another page as x-default");
        report(own, message, Cause::kind("x-default"));
    }
}

impl InvalidHreflang {
    /// Checks the hreflang links of one page, with this name.
    fn check_page(
        &self,
        page: &[Alternate],
        name: &dyn Fn() -> String,
        report: &mut dyn FnMut(&Alternate, String, Cause),
    ) {
        // For each language: its first page, and whether another page was seen.
        let mut targets: HashMap<&str, (Option<FileId>, bool)> = HashMap::new();
        for alternate in page {
            let language = &*alternate.language;
            let (first, differ) = targets.entry(language).or_insert((alternate.target, false));
            let is_another = *first != alternate.target;
            let is_taken = is_another || *differ;
            *differ |= is_another;
            if is_taken {
                let of = if alternate.is_own() { String::new() } else { format!(" of `{}`", name()) };
                let message = format!("conflicting hreflang: `{language}`{of} already links to another page");
                report(alternate, message, alternate.cause("conflicting"));
            }
        }
        let first = &page[0];
        if page.iter().all(|alternate| alternate.target != Some(first.page)) {
            let subject = if first.is_own() { "the page".to_owned() } else { format!("`{}`", name()) };
            let message = format!("incomplete hreflang: {subject} does not link to itself");
            report(first, message, first.cause("incomplete"));
        }
        let languages: BTreeSet<&str> = page.iter().map(|a| &*a.language).collect();
        if self.x_default && languages.len() > 1 && !languages.contains("x-default") {
            let message = "incomplete hreflang: there is no x-default for other languages".to_owned();
            report(first, message, Cause::Message);
        }
    }
}
