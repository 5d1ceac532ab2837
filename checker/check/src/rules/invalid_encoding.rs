//! `invalid-encoding`: bytes that are invalid in the page's encoding.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::BadBytes;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-encoding",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a page contains bytes that are invalid in its encoding",
    why: "Browsers show a replacement character instead. Usually the page was saved in another encoding than it \
          declares, or texts in two encodings were joined. If no encoding is declared, UTF-8 is assumed. Text in \
          UTF-8 is reported, too, if the page declares another encoding: browsers show é as Ã©. (Encoding \
          standard, 4.1.)",
    bad: r#"$ printf '<meta charset="utf-8"><p>Caf\351 menu</p>' > menu.html"#,
    good: r#"$ printf '<meta charset="utf-8"><p>Caf\303\251 menu</p>' > menu.html"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let about = &view.facts.metadata;
    let (message, span, cause) = match view.facts.bad_bytes {
        None => return,
        Some(BadBytes::Declared(name)) => (
            format!("invalid encoding: some bytes are not {name}, which the page declares"),
            0..0,
            Cause::Message,
        ),
        Some(BadBytes::Misdeclared(name)) => (
            format!(
                "invalid encoding: the text is UTF-8, but the page declares {name}, so that é becomes Ã©"
            ),
            0..0,
            Cause::Message,
        ),
        Some(BadBytes::Utf8(byte, at)) => {
            let why = if about.charset_end.is_some() || about.has_bom {
                "which the page declares"
            } else {
                "and no other encoding is declared"
            };
            (
                format!("invalid encoding: the byte 0x{byte:02X} is not UTF-8, {why}"),
                at..at + 1,
                Cause::kind(why),
            )
        }
    };
    found.push(RawFinding::new(&INFO, (view.file, span), message).cause(cause));
}
