//! `missing-charset`: a page that does not declare its encoding early enough.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::CHARSET_LIMIT;
use crate::raw_finding::{Category, Cause, Certainty, MarkupChange, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-charset",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a page does not declare its encoding",
    why: "Browsers guess the encoding if it is missing: é may become Ã©. The HTML standard requires the whole \
          declaration within the first 1024 bytes. A later one is reported only if other than ASCII characters come \
          before it: browsers may have to decode them again. A byte order mark works, too, and so does a \
          Content-Type header in [[headers]] of the contract. (HTML 4.2.5.4.)",
    bad: "<head><title>Café</title></head>",
    good: r#"<head><meta charset="utf-8"><title>Café</title></head>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let about = &view.facts.metadata;
    if !view.is_document() || about.has_bom || (about.charset_end.is_some() && !about.charset_is_late) {
        return;
    }
    let path = view.site.tree.display(view.file);
    let headers = view.site.headers_for(view.file);
    let by_header = headers.iter().any(|(name, value)| {
        name.eq_ignore_ascii_case("content-type") && value.to_ascii_lowercase().contains("charset=")
    });
    // XML defaults to UTF-8.
    if by_header || path.ends_with(".xhtml") {
        return;
    }
    let message = match about.charset_end {
        Some(end) => format!(
            "the encoding is declared at byte {end}, after text that is not ASCII; the HTML standard requires it \
             within the first {CHARSET_LIMIT} bytes"
        ),
        None => "this page does not declare its encoding".to_owned(),
    };
    let help = "start the head with <meta charset=\"utf-8\">";
    let cause = Cause::kind(if about.charset_end.is_some() { "declared too late" } else { "not declared" });
    let finding = RawFinding::new(&INFO, view.file, message).cause(cause).help(help);
    found.push(match about.charset_end {
        Some(_) => finding,
        None => finding.markup_fix(Certainty::Certain, "the file is UTF-8", MarkupChange::Charset),
    });
}
