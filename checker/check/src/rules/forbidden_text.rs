//! `forbidden-text`: text that the contract forbids.

use regex::bytes::{Regex, RegexBuilder};
use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::rule::{OptionError, ReadOption, Registered, Rule, not_empty};
use crate::index::needs::Needs;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "forbidden-text",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a page contains forbidden text",
    why: "For text that must never go live: an old product name, a personal note, filler text. `texts` are compared \
          literally, ignoring case. `patterns` are regular expressions. Both are searched in the source of pages and \
          style sheets, markup included. Without them the rule reports nothing.",
    bad: r#"sitegate.toml:
  [rules]
  forbidden-text = { texts = ["lorem ipsum"] }
index.html:
  <p>Lorem ipsum dolor sit amet</p>"#,
    good: r#"sitegate.toml:
  [rules]
  forbidden-text = { texts = ["lorem ipsum"] }
index.html:
  <p>We answer within a day.</p>"#,
};

pub(super) static RULE: Registered = Registered::new::<ForbiddenText>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ForbiddenText {
    /// Literal texts, in any case.
    #[serde(deserialize_with = "not_empty")]
    texts: Vec<String>,
    /// Regular expressions.
    #[serde(deserialize_with = "not_empty")]
    patterns: Vec<String>,
    #[serde(skip)]
    any: Option<Regex>,
}

impl Rule for ForbiddenText {
    fn load(&mut self, _read: &ReadOption<'_>) -> Result<(), OptionError> {
        let texts = self.texts.iter().map(|text| format!("(?i:{})", regex::escape(text)));
        let patterns = self.patterns.iter().map(|pattern| format!("(?:{pattern})"));
        let all: Vec<String> = texts.chain(patterns).collect();
        if !all.is_empty() {
            let any = RegexBuilder::new(&all.join("|")).build()?;
            if any.is_match(b"") {
                return Err(OptionError::MatchesEmptyText);
            }
            self.any = Some(any);
        }
        Ok(())
    }

    fn needs(&self, needs: &mut Needs) {
        needs.content.forbidden.clone_from(&self.any);
    }

    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        found.extend(view.facts.forbidden.iter().map(|(text, span)| {
            let message = format!("forbidden text: \u{201c}{}\u{201d}", shorten(view.text(*text)));
            RawFinding::new(&INFO, (view.file, span), message)
        }));
    }
}
