//! Parses speculation rules (WICG Speculation Rules): pages that a browser may load in advance.

use std::ops::Range;

use sitegate_base::json::{Json, JsonError, parse};

/// A URL or a pattern of URLs in a rule.
pub struct Speculated<'j> {
    /// The address or pattern.
    pub text: &'j str,
    /// Its location, in bytes of the page.
    pub span: Range<u32>,
    /// Whether it is a pattern (WHATWG URL Pattern).
    pub is_pattern: bool,
}

/// Parses speculation rules whose text begins at `start` of the page, and calls `found` with their URLs and patterns.
///
/// # Errors
/// If they are not JSON. The offset is that of the page.
pub fn parse_speculation_rules(
    source: &[u8],
    start: u32,
    mut found: impl FnMut(Speculated<'_>),
) -> Result<(), JsonError> {
    let json = parse(source).map_err(|error| error.after(start))?;
    for rule in
        ["prefetch", "prerender", "prerender_until_script"].into_iter().flat_map(|action| json.items(action))
    {
        for url in rule.items("urls") {
            report(url, start, false, &mut found);
        }
        // A `not` excludes pages, and need not match any.
        rule.get("where").into_iter().for_each(|condition| report_conditions(condition, start, &mut found));
    }
    Ok(())
}

fn report_conditions(condition: &Json, start: u32, found: &mut impl FnMut(Speculated<'_>)) {
    // One pattern, or a list of them.
    for pattern in condition.items("href_matches").chain(condition.get("href_matches")) {
        report(pattern, start, true, found);
    }
    for group in ["and", "or"] {
        condition.items(group).for_each(|condition| report_conditions(condition, start, found));
    }
}

fn report(json: &Json, start: u32, is_pattern: bool, found: &mut impl FnMut(Speculated<'_>)) {
    if let Json::Text(text) = json {
        found(Speculated {
            text: &text.text,
            span: start + text.span.start..start + text.span.end,
            is_pattern,
        });
    }
}
