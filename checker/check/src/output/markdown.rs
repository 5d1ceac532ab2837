//! A summary in GitHub's Markdown, for a job's summary page or a comment: totals, tables, then details as
//! far as they fit.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::words;
use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Severity};
use crate::english::{capitalised, count, thousands};
use crate::report::sources::Sources;
use crate::report::target::{SharedTargets, Targets};
use crate::report::{Report, Verdict};

/// Bytes of the whole; GitHub refuses a summary above 1 MiB.
const LIMIT: usize = 1_000_000;

/// Rows of a table, and what could not be read.
const ROWS: usize = 10;

/// Characters of a text in a row.
const TEXT: usize = 300;

/// Writes a report.
pub fn write(report: &Report, contract: &Contract, out: &mut dyn Write) -> io::Result<()> {
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
    if !report.whereabouts.taken.is_empty() {
        text.push('\n');
    }
    unread(report, &mut text);
    if !report.diagnostics.is_empty() {
        let mut sources = Sources::new(report, contract);
        by_rule(report, &mut text);
        by_page(report, &sources, &mut text);
        let mut targets = Targets::new(report);
        let mut shared = SharedTargets::default();
        for diagnostic in &report.diagnostics {
            shared.add(diagnostic, targets.of(diagnostic, &mut sources));
        }
        by_target(&shared, &mut text);
        details(report, &mut sources, &mut text);
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

fn more(rest: usize, lead: &str, text: &mut String) {
    if rest > 0 {
        text.push_str(&format!("{lead}and {} more\n", thousands(rest)));
    }
}

fn by_rule(report: &Report, text: &mut String) {
    let mut rules: BTreeMap<(std::cmp::Reverse<Severity>, &str), (usize, &str)> = BTreeMap::new();
    for diagnostic in &report.diagnostics {
        let key = (std::cmp::Reverse(diagnostic.severity), diagnostic.rule.id);
        rules.entry(key).or_insert((0, diagnostic.rule.summary)).0 += 1;
    }
    text.push_str("\n| Level | Rule | Findings | What it means |\n| --- | --- | ---: | --- |\n");
    for ((severity, id), (findings, summary)) in &rules {
        let (severity, findings) = (severity.0, thousands(*findings));
        text.push_str(&format!("| {severity} | {} | {findings} | {} |\n", code(id), prose(summary)));
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

fn by_target(shared: &SharedTargets, text: &mut String) {
    let most = shared.most(ROWS, 2);
    if most.is_empty() {
        return;
    }
    text.push_str("\n| Broken on several pages | Pages | Rule |\n| --- | ---: | --- |\n");
    for target in &most {
        let (name, pages) = (code(&target.name), thousands(target.pages));
        text.push_str(&format!("| {name} | {pages} | {} |\n", code(target.rule)));
    }
    more(shared.len(2) - most.len(), "\n", text);
}

/// Every finding, folded away page by page, until the limit is near.
fn details(report: &Report, sources: &mut Sources<'_>, text: &mut String) {
    /// Room for what closes the text.
    const TAIL: usize = 200;
    text.push_str("\n### Findings\n");
    let mut shown = 0;
    'pages: for findings in report.diagnostics.chunk_by(|a, b| a.location.place == b.location.place) {
        let name = sources.name(&findings[0].location.place);
        let found = count(findings.len(), "finding");
        let head = format!("\n<details><summary>{} ({found})</summary>\n\n", code(&name));
        for (index, finding) in findings.iter().enumerate() {
            let row = row(finding, sources);
            let head = if index == 0 { head.as_str() } else { "" };
            if text.len() + head.len() + row.len() + TAIL > LIMIT {
                if index > 0 {
                    text.push_str("\n</details>\n");
                }
                break 'pages;
            }
            text.push_str(head);
            text.push_str(&row);
            shown += 1;
        }
        text.push_str("\n</details>\n");
    }
    more(report.diagnostics.len() - shown, "\n", text);
}

fn row(finding: &Diagnostic, sources: &mut Sources<'_>) -> String {
    let position = sources.position(finding);
    let help = finding.help.as_ref().map(|help| format!(". {}", capitalised(&prose(help))));
    format!(
        "- {}:{} {}: {}{} ({})\n",
        position.line,
        position.column,
        finding.severity,
        prose(&finding.message),
        help.unwrap_or_default(),
        finding.rule.id
    )
}

/// Text whose backticks mark code, as messages are written.
fn prose(text: &str) -> String {
    words::with_code(text, escaped, code)
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

/// Plain text: nothing in it is markup, a link, a mention, a shortcode or an end of line. Entities do that,
/// which tables and HTML read alike.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut chars = text.chars().take(TEXT).peekable();
    while let Some(c) = chars.next() {
        match c {
            ':' if chars.peek().is_none_or(|next| next.is_whitespace()) => safe.push(c),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '"'
            | '@' | ':' | '$' => safe.push_str(&format!("&#{};", u32::from(c))),
            c if c.is_control() => safe.push(' '),
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
        assert_eq!(escaped("<b>|\n[x](y)"), "&#60;b&#62;&#124; &#91;x&#93;(y)");
        assert_eq!(prose("`a` is *not* `b`"), "<code>a</code> is &#42;not&#42; <code>b</code>");
        assert_eq!(prose("one ` alone"), "one &#96; alone");
        assert_eq!(escaped(&"é".repeat(TEXT + 1)).chars().count(), TEXT + 1);
    }
}
