//! `invalid-encoding`: bytes that are not text in the encoding the page declares.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::parse::BadBytes;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-encoding",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a page holds bytes that are invalid in its encoding",
    why: "Browsers show a replacement character in their place. Mostly a page was saved in one \
          encoding and declares another, or text of two encodings was joined. Where nothing is \
          declared, UTF-8 is taken. (Encoding standard, 4.1.)",
    bad: r#"$ printf '<meta charset="utf-8"><p>Caf\351 menu</p>' > menu.html"#,
    good: r#"$ printf '<meta charset="utf-8"><p>Caf\303\251 menu</p>' > menu.html"#,
};

pub(super) static RULE: Registered = Registered::of::<InvalidEncoding>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvalidEncoding {}

impl Rule for InvalidEncoding {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let about = &view.facts.metadata;
        let (message, span, cause) = match view.facts.bad_bytes {
            None => return,
            Some(BadBytes::Declared(name)) => {
                (format!("some bytes here are not {name}, which the page declares"), 0..0, Cause::Message)
            }
            Some(BadBytes::Utf8(byte, at)) => {
                let why = if about.charset_end.is_some() || about.has_bom {
                    "which the page declares"
                } else {
                    "and no other encoding is declared"
                };
                (format!("the byte 0x{byte:02X} is not UTF-8, {why}"), at..at + 1, Cause::kind(why))
            }
        };
        found.push(RawFinding::new(&INFO, Location::in_file(view.file, span), message).cause(cause));
    }
}
