//! `bad-hreflang`: translations that do not agree with each other.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::diagnostic::{Category, Cause, Diagnostic, Location, RuleInfo, Severity};
use crate::index::Index;
use crate::index::pages::Alternate;
use crate::walk::FileId;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "bad-hreflang",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "the translations that pages name do not match",
    why: "Search engines use hreflang only where both pages name each other, where a page names itself \
          too, and where each language is named once. x-default says what readers of all other \
          languages get. Languages are BCP 47 tags such as en, pt-BR or zh-Hant.",
    bad: r#"en.html:
  <link rel="alternate" hreflang="en" href="/en.html">
  <link rel="alternate" hreflang="de" href="/de.html">
de.html:
  <p>Willkommen!</p>"#,
    good: r#"en.html:
  <link rel="alternate" hreflang="en" href="/en.html">
  <link rel="alternate" hreflang="de" href="/de.html">
  <link rel="alternate" hreflang="x-default" href="/en.html">
de.html:
  <link rel="alternate" hreflang="en" href="/en.html">
  <link rel="alternate" hreflang="de" href="/de.html">
  <link rel="alternate" hreflang="x-default" href="/en.html">"#,
};

pub(super) static RULE: Registered = Registered::of::<BadHreflang>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct BadHreflang {
    /// Whether pages must say what readers of all other languages get.
    x_default: bool,
}

impl Default for BadHreflang {
    fn default() -> Self {
        BadHreflang { x_default: true }
    }
}

impl Rule for BadHreflang {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        let named: BTreeSet<(FileId, FileId)> = index
            .pages
            .alternates
            .iter()
            .filter_map(|alternate| Some((alternate.file, alternate.target?)))
            .collect();
        for page in index.pages.alternates.chunk_by(|a, b| a.file == b.file) {
            let mut report = |at: &Alternate, message: String| {
                let location = Location::in_file(at.file, at.span.clone());
                found.push(Diagnostic::reference(&INFO, location, message).cause(Cause::Message));
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

impl BadHreflang {
    /// Looks at the translations that one page names.
    fn page(&self, page: &[Alternate], report: &mut dyn FnMut(&Alternate, String)) {
        for (at, alternate) in page.iter().enumerate() {
            let language = &alternate.language;
            if !is_language(language) {
                report(alternate, format!("`{}` is not a language tag", shown(language)));
            } else if page[..at].iter().any(|a| a.language == *language && a.target != alternate.target) {
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

/// Whether this is a language with an optional script and region, as search engines read them.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let is_word = |part: &str, length: std::ops::RangeInclusive<usize>| {
        length.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic())
    };
    if tag == "x-default" {
        return true;
    }
    parts.next().is_some_and(|language| is_word(language, 2..=3))
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric()))
}
