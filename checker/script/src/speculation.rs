//! Speculation rules (WICG Speculation Rules): pages that a browser may fetch before a reader asks for them.

use std::ops::Range;

use sitegate_base::json::{Json, JsonError, parse};

/// What a rule names: an address, or a pattern of addresses.
pub struct Speculated<'j> {
    /// The address or pattern.
    pub text: &'j str,
    /// Where it is written, in bytes of the page.
    pub span: Range<u32>,
    /// Whether it is a pattern (WHATWG URL Pattern).
    pub is_pattern: bool,
}

/// Reads speculation rules whose text begins at `start` of the page, and passes on what they name.
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
            pass_on(url, start, false, &mut found);
        }
        // What a `not` names is left out, and may well match nothing.
        rule.get("where").into_iter().for_each(|condition| conditions(condition, start, &mut found));
    }
    Ok(())
}

fn conditions(condition: &Json, start: u32, found: &mut impl FnMut(Speculated<'_>)) {
    for pattern in condition.items("href_matches") {
        pass_on(pattern, start, true, found);
    }
    for group in ["and", "or"] {
        condition.items(group).for_each(|condition| conditions(condition, start, found));
    }
}

fn pass_on(json: &Json, start: u32, is_pattern: bool, found: &mut impl FnMut(Speculated<'_>)) {
    if let Json::Text(text) = json {
        found(Speculated {
            text: &text.text,
            span: start + text.span.start..start + text.span.end,
            is_pattern,
        });
    }
}
