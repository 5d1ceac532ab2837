//! `forbidden-text`: text that the contract forbids.

use std::path::PathBuf;

use super::rule::{Registered, Rule, build_from};
use super::wording::shown;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::PageView;
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "forbidden-text",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a page holds forbidden text",
    why: "Words that must never go live: an old product name, a note to oneself, a filler. `texts` are \
          taken literally and in any case, `patterns` are regular expressions; both are looked for in \
          the source of pages and style sheets, markup included. Without them the rule finds nothing.",
    bad: "[rules]\nforbidden-text = { texts = [\"lorem ipsum\"] }\n<p>Lorem ipsum dolor sit amet</p>",
    good: "<p>We answer within a day.</p>",
};

pub(super) static RULE: Registered = Registered { info: &INFO, build: build_from::<ForbiddenText> };

/// What is forbidden.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ForbiddenText {
    texts: Vec<String>,
    patterns: Vec<String>,
    #[serde(skip)]
    any: Option<Regex>,
}

/// Findings on one page; more say nothing new.
const MAX_ON_PAGE: usize = 20;

impl Rule for ForbiddenText {
    fn load(&mut self, _folder: &dyn Fn(&str) -> PathBuf) -> Result<(), String> {
        let texts = self.texts.iter().map(|text| format!("(?i:{})", regex::escape(text)));
        let patterns = self.patterns.iter().map(|pattern| format!("(?:{pattern})"));
        let all: Vec<String> = texts.chain(patterns).collect();
        if !all.is_empty() {
            let any = RegexBuilder::new(&all.join("|")).build().map_err(|error| error.to_string())?;
            if any.is_match(b"") {
                return Err("a pattern that matches nothing at all is found everywhere".to_owned());
            }
            self.any = Some(any);
        }
        Ok(())
    }

    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        let Some(any) = &self.any else { return };
        for met in any.find_iter(&view.page.source).take(MAX_ON_PAGE) {
            let location = Location::in_file(view.page.file, met.start() as u32..met.end() as u32);
            let text = String::from_utf8_lossy(met.as_bytes()).into_owned();
            let message = format!("the contract forbids \u{201c}{}\u{201d}", shown(&text));
            found.push(Diagnostic::new(&INFO, location, message));
        }
    }
}
