//! A summary in GitHub's Markdown, for a job's summary page or a comment: totals, tables, then causes as far as they
//! fit.

use std::io::{self, Write};

use super::presentation::Presentation;
use super::{tally, words};
use crate::external::{HostTally, WorldTally};
use crate::report::positions::Positions;
use crate::report::sources::Sources;
use crate::report::{Report, Verdict};
use crate::source_map::{SourceLocation, SourceMap};
use sitegate_base::plural::{capitalised, count, thousands};
use sitegate_base::sanitize::visible;

/// Bytes of the whole; GitHub refuses a summary above 1 MiB.
const LIMIT: usize = 1_000_000;

/// Rows of a table, and what could not be read.
const ROWS: usize = 10;

/// Reasons for which findings are let pass.
const EXCUSES: usize = 100;

/// Causes for which there can be room, and places of each.
const CAUSES: usize = 10_000;
const PLACES: usize = 20;

/// Characters of a text in a row.
const TEXT: usize = 300;

/// Writes a report.
pub fn write(presentation: &Presentation<'_>, out: &mut dyn Write) -> io::Result<()> {
    let Presentation { report, contract, .. } = presentation;
    let mut text = String::new();
    let mark = match report.verdict() {
        Verdict::Passed => "✅",
        Verdict::Failed | Verdict::Incomplete => "❌",
    };
    let found = words::found(report);
    let found = if found.is_empty() { found } else { format!(": {found}") };
    text.push_str(&format!("## {mark} sitegate: {}{found}\n\n", words::verdict(report)));
    let root = code(&report.tree.root().display().to_string());
    text.push_str(&format!("{} in {root}.\n", words::looked_at(report)));
    for taken in words::taken(report) {
        text.push_str(&format!("\n- {}", prose(&taken)));
    }
    if words::taken(report).next().is_some() {
        text.push('\n');
    }
    unread(report, &mut text);
    if let Some(elsewhere) = &report.elsewhere {
        other_hosts(elsewhere, &mut text);
    }
    let_pass(presentation, &mut text);
    if !report.diagnostics.is_empty() {
        let sources = Sources::one_by_one(report, contract);
        by_rule(presentation, &mut text);
        by_page(report, &sources, &mut text);
        by_cause(presentation, &sources, &mut text);
    }
    out.write_all(text.as_bytes())
}

fn unread(report: &Report, text: &mut String) {
    if report.unread.is_empty() {
        return;
    }
    text.push_str("\n### Could not be checked\n\n");
    for error in report.unread.iter().take(ROWS) {
        text.push_str(&format!("- {}\n", prose(error)));
    }
    more(report.unread.len().saturating_sub(ROWS), "- ", text);
}

/// What other hosts said: those that most links lead to.
fn other_hosts(elsewhere: &WorldTally, text: &mut String) {
    text.push_str(&format!("\n### Other hosts\n\n{}.\n", capitalised(&words::asked(elsewhere))));
    if elsewhere.hosts.is_empty() {
        return;
    }
    text.push_str("\n| Host | Links | There | Moved | Broken | Unverified | Time |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for HostTally { time, links, there, moved, broken, unverified, .. } in elsewhere.hosts.iter().take(ROWS) {
        let (name, took) = (code(&time.name), words::seconds(time.wall));
        let [links, there, moved, broken, unverified] =
            [links, there, moved, broken, unverified].map(|n| thousands(*n));
        text.push_str(&format!(
            "| {name} | {links} | {there} | {moved} | {broken} | {unverified} | {took} |\n"
        ));
    }
    more(elsewhere.hosts.len().saturating_sub(ROWS), "\n", text);
}

fn let_pass(presentation: &Presentation<'_>, text: &mut String) {
    let excuses = &presentation.excuses;
    if excuses.is_empty() {
        return;
    }
    text.push_str("\n### Let pass\n\n");
    for excuse in excuses.iter().take(EXCUSES) {
        text.push_str(&format!("- {}\n", prose(&words::let_pass(excuse))));
    }
    more(excuses.len().saturating_sub(EXCUSES), "- ", text);
}

fn more(rest: usize, lead: &str, text: &mut String) {
    if rest > 0 {
        text.push_str(&format!("{lead}and {} more\n", thousands(rest)));
    }
}

fn by_rule(presentation: &Presentation<'_>, text: &mut String) {
    text.push_str(
        "\n| Level | Rule | Findings | Causes | What it means |\n| --- | --- | ---: | ---: | --- |\n",
    );
    for entry in tally::of(presentation) {
        let (severity, id, summary) = (entry.severity, code(entry.rule.id), prose(entry.rule.summary));
        let (findings, causes) = (thousands(entry.findings), thousands(entry.causes));
        text.push_str(&format!("| {severity} | {id} | {findings} | {causes} | {summary} |\n"));
    }
}

fn by_page(report: &Report, sources: &Sources<'_>, text: &mut String) {
    let mut pages: Vec<_> =
        report.diagnostics.chunk_by(|a, b| a.location.place == b.location.place).collect();
    let all = pages.len();
    pages.sort_by_key(|findings| std::cmp::Reverse(findings.len()));
    text.push_str("\n| Page | Findings |\n| --- | ---: |\n");
    for findings in pages.iter().take(ROWS) {
        let name = code(&sources.name(&findings[0].location.place));
        text.push_str(&format!("| {name} | {} |\n", thousands(findings.len())));
    }
    more(all.saturating_sub(ROWS), "\n", text);
}

/// Every cause, its places folded away, until the limit is near.
fn by_cause(presentation: &Presentation<'_>, sources: &Sources<'_>, text: &mut String) {
    /// Room for what closes the text.
    const TAIL: usize = 200;
    let Presentation { report, contract, .. } = presentation;
    let causes = presentation.groups();
    let room = causes.len().min(CAUSES);
    let listed = |cause| causes.findings(cause).iter().take(PLACES).copied();
    let positions = Positions::of(report, contract, (0..room).flat_map(listed).collect());
    let found = (count(report.diagnostics.len(), "finding"), count(causes.len(), "cause"));
    text.push_str(&format!("\n### {}, {}\n\n", found.0, found.1));
    let mut shown = 0;
    for cause in 0..room {
        let entry = entry(presentation, cause, sources, &positions);
        if text.len() + entry.len() + TAIL > LIMIT {
            break;
        }
        text.push_str(&entry);
        shown += 1;
    }
    more(causes.len() - shown, "\n", text);
}

/// A cause: what is wrong and where first, then the other places.
fn entry(
    presentation: &Presentation<'_>,
    cause: usize,
    sources: &Sources<'_>,
    positions: &Positions,
) -> String {
    let Presentation { report, source_map, .. } = presentation;
    let causes = presentation.groups();
    let leads = presentation.leads(cause);
    let lead = &leads[0];
    let first = presentation.finding(lead.finding);
    let findings = causes.findings(cause);
    let place = |finding: u32| {
        let name = sources.name(&report.diagnostics[finding as usize].location.place);
        format!("{}:{}", code(&name), words::place(positions.get(finding)))
    };
    let help = first.help.as_ref().map(|help| format!(". {}", capitalised(&prose(help))));
    let perhaps = words::perhaps_written(source_map, lead.finding);
    let perhaps = perhaps.map(|perhaps| format!(". {}", capitalised(&prose(&perhaps)))).unwrap_or_default();
    let (level, message, help) = (first.severity, prose(&first.message), help.unwrap_or_default());
    let sources: Vec<SourceLocation> = leads.iter().filter_map(|lead| lead.source).collect();
    let mut places = findings.iter().take(PLACES).map(|&other| place(other));
    let rest = findings.len().saturating_sub(PLACES);
    let (at, summary) = match sources.as_slice() {
        [] => {
            (places.next().unwrap_or_default(), causes.more(cause, report).map(|more| format!("and {more}")))
        }
        [first, ..] => (written(source_map, *first), causes.get(cause).extent()),
    };
    let mut text = format!("- {at} {level}: {message}{help}{perhaps} ({})\n", first.rule.id);
    if let [_, others @ ..] = sources.as_slice()
        && !others.is_empty()
    {
        let shown: Vec<String> =
            others.iter().take(PLACES).map(|place| written(source_map, *place)).collect();
        let rest = others.len().saturating_sub(PLACES);
        let rest = if rest > 0 { format!(" and {} more", thousands(rest)) } else { String::new() };
        text.push_str(&format!("  also written in {}{rest}<br>\n", shown.join(", ")));
    }
    let places: Vec<String> = places.collect();
    match summary {
        Some(summary) => {
            let rest = if rest > 0 { format!(" and {} more", thousands(rest)) } else { String::new() };
            let places = places.join(", ");
            text.push_str(&format!("  <details><summary>{summary}</summary>{places}{rest}</details>\n"));
        }
        None => places.iter().for_each(|place| text.push_str(&format!("  in {place}\n"))),
    }
    text
}

/// A place in a source, as a link where the contract says where people look at it.
fn written(source_map: &SourceMap, place: SourceLocation) -> String {
    let shown = format!("{}:{}:{}", code(&source_map.path(place)), place.line, place.column);
    match source_map.link(place) {
        Some(link) => format!("<a href=\"{}\">{shown}</a>", escaped(&link)),
        None => shown,
    }
}

/// Text whose backticks mark code, as messages are written.
fn prose(text: &str) -> String {
    words::with_code(text, plain, code)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Text outside of code: there an entity does not keep `@` from being a mention.
fn plain(text: &str) -> String {
    escaped(text).replace("&#64;", "<code>&#64;</code>")
}

/// Plain text: nothing in it is markup, a link, a mention, a shortcode or an end of line. Entities do that,
/// which tables and HTML read alike.
fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut safe = String::with_capacity(text.len());
    let mut chars = text.chars().take(TEXT).peekable();
    while let Some(c) = chars.next() {
        match c {
            ':' if chars.peek().is_none_or(|next| next.is_whitespace()) => safe.push(c),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '"'
            | '@' | ':' | '$' => safe.push_str(&format!("&#{};", u32::from(c))),
            c => safe.push(c),
        }
    }
    if text.chars().nth(TEXT).is_some() {
        safe.push('…');
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{TEXT, escaped, prose};

    #[test]
    fn nothing_is_left_to_be_markup() {
        assert_eq!(escaped("a: b"), "a: b");
        assert_eq!(escaped("https://x :tada: @all"), "https&#58;//x &#58;tada: &#64;all");
        assert_eq!(escaped("<b>|\n[x](y)"), "&#60;b&#62;&#124;&#92;n&#91;x&#93;(y)");
        assert_eq!(prose("`a` is *not* `b`"), "<code>a</code> is &#42;not&#42; <code>b</code>");
        assert_eq!(prose("`@a` and @b"), "<code>&#64;a</code> and <code>&#64;</code>b");
        assert_eq!(escaped("a\u{202e}b"), "a&#92;u&#123;202e&#125;b");
        assert_eq!(prose("one ` alone"), "one &#96; alone");
        assert_eq!(escaped(&"é".repeat(TEXT + 1)).chars().count(), TEXT + 1);
    }
}
