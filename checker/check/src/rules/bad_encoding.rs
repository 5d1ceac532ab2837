//! `bad-encoding`: bytes that are no text in the encoding the page declares.

use super::rule::{Registered, Rule, build_from};
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::PageView;
use encoding_rs::Encoding;
use serde::Deserialize;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "bad-encoding",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a page holds bytes that are invalid in its encoding",
    why: "Browsers show a replacement character in their place. Mostly a page was saved in one \
          encoding and declares another, or text of two encodings was joined. Where nothing is \
          declared, UTF-8 is taken. (Encoding standard, 4.1.)",
    bad: r#"<meta charset="utf-8"> … caf\xE9"#,
    good: r#"<meta charset="utf-8"> … café"#,
};

pub(super) static RULE: Registered = Registered { info: &INFO, build: build_from::<BadEncoding> };

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BadEncoding {}

impl Rule for BadEncoding {
    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        let (page, source) = (view.page, &view.page.source);
        if let Some(encoding) = page.charset {
            if encoding.decode_without_bom_handling_and_without_replacement(source).is_none() {
                let message = format!("some bytes here are no {}, which the page declares", encoding.name());
                found.push(Diagnostic::new(&INFO, Location::in_file(page.file, 0..0), message));
            }
            return;
        }
        let valid = Encoding::utf8_valid_up_to(source);
        if valid < source.len() {
            let message = match page.about.charset_end.is_some() || page.about.has_bom {
                true => format!("the byte 0x{:02X} is no UTF-8, which the page declares", source[valid]),
                false => {
                    format!("the byte 0x{:02X} is no UTF-8, and no other encoding is declared", source[valid])
                }
            };
            let span = valid as u32..valid as u32 + 1;
            found.push(Diagnostic::new(&INFO, Location::in_file(page.file, span), message));
        }
    }
}
