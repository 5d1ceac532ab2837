//! Phrases of the report, which all formats for people share, and its locations, which terminals show as links.

use std::borrow::Cow;
use std::time::Duration;

use super::report_view::{Lead, View};
use crate::external::{ExternalHost, ExternalHosts, HostCounts};
use crate::report::finding::{Finding, IgnoreSummary, ImportPlace, SourcePlace};
use crate::report::{Report, Verdict};
use sitegate_base::plural::{capitalized, count, seconds, thousands};
use sitegate_base::sanitize::visible;

/// Formats the duration of the check.
pub fn elapsed(report: &Report) -> String {
    seconds(Duration::from_millis(report.elapsed_ms.unwrap_or_default()))
}

/// Returns the verdict for a reader.
pub fn verdict(report: &Report) -> &'static str {
    match report.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Incomplete if report.unreadable.is_empty() => "the export contains no pages",
        Verdict::Incomplete => "incomplete: not everything could be checked",
    }
}

/// Counts the findings: `2 errors, 1 warning`. Returns empty text if there are none.
pub fn found(report: &Report) -> String {
    let summary = &report.summary;
    let parts = [(summary.errors, "error"), (summary.warnings, "warning")];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| count(*n, word));
    let apart = [(summary.baselined, "in the baseline"), (summary.ignored, "ignored")];
    parts.chain(numbers(&apart)).collect::<Vec<_>>().join(", ")
}

/// Returns the numbers that are not 0, each before its words.
fn numbers(parts: &[(usize, &str)]) -> impl Iterator<Item = String> {
    parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, words)| format!("{} {words}", thousands(*number)))
}

/// Counts what was checked: `3 files, 2 pages, 4 scripts, 40 links`.
pub fn checked(report: &Report) -> String {
    let summary = &report.summary;
    let scripts = (summary.scripts > 0).then_some((summary.scripts, "script"));
    let parts = [(summary.files, "file"), (summary.pages, "page")].into_iter().chain(scripts);
    let parts = parts.chain([(summary.links, "link")]);
    parts.map(|(n, word)| count(n, word)).collect::<Vec<_>>().join(", ")
}

/// Counts imports and fetches that could not be checked: `3 imports or fetches are computed at run time, and were not
/// checked`.
pub fn computed_imports(report: &Report) -> Option<String> {
    let computed = report.summary.computed;
    let verbs = if computed == 1 { ("is", "was") } else { ("are", "were") };
    (computed > 0).then(|| {
        let (is, was) = verbs;
        let what = if computed == 1 {
            "1 import or fetch".to_owned()
        } else {
            format!("{} imports or fetches", thousands(computed))
        };
        format!("{what} {is} computed at run time, and {was} not checked")
    })
}

/// Summarizes external links: `8 URLs on 2 external hosts: 6 ok, 1 moved, 1 broken; 3 cached, the others requested in
/// 1.2 s`.
pub fn external_summary(external: &ExternalHosts) -> String {
    let all = &external.all;
    let hosts = external.hosts.iter().filter(|host| host.counts.addresses > 0).count();
    let (urls, hosts) = (count(all.addresses, "URL"), count(hosts, "external host"));
    let cached = thousands(external.known);
    let took = seconds(duration(external.seconds));
    let how = match external.known {
        _ if external.stopped => format!("stopped after {took}"),
        0 => format!("requested in {took}"),
        more if more >= all.addresses => "all cached".to_owned(),
        _ => format!("{cached} cached, the others requested in {took}"),
    };
    let verdicts = verdict_counts(all, true);
    if verdicts.is_empty() {
        "no external links".to_owned()
    } else {
        format!("{urls} on {hosts}: {verdicts}; {how}")
    }
}

/// Summarizes one external host: `214 links: 2 broken; 6 parallel requests, 41.2 s`.
pub fn external_host(host: &ExternalHost) -> String {
    let verdicts = verdict_counts(&host.counts, false);
    let verdicts = if verdicts.is_empty() { verdicts } else { format!(": {verdicts}") };
    let time = match host.counts.requests {
        0 => String::new(),
        _ => format!("; {}, {}", count(host.at_once, "parallel request"), seconds(duration(host.seconds))),
    };
    format!("{}{verdicts}{time}", count(host.counts.links, "link"))
}

/// Converts a report's seconds to a duration.
pub fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

fn verdict_counts(host: &HostCounts, with_ok: bool) -> String {
    let HostCounts { there, moved, broken, unverified, .. } = *host;
    let there = if with_ok { there } else { 0 };
    let parts = [(there, "ok"), (moved, "moved"), (broken, "broken"), (unverified, "unverified")];
    numbers(&parts).collect::<Vec<_>>().join(", ")
}

/// Returns notes about the whole report: the inferred deployment, such as
/// `origin https://www.acme.org (canonical links of 40 pages)`, and skipped parts of a live site.
pub fn site_notes(report: &Report) -> impl Iterator<Item = String> {
    /// The keys in the order of the contract.
    const KEYS: [&str; 5] = ["origin", "base-path", "host", "clean-urls", "trailing-slash"];
    let rank = |key: &str| KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len());
    let mut inferred: Vec<_> = report.inferred.iter().collect();
    inferred.sort_by_key(|(key, _)| rank(key));
    let inferred =
        inferred.into_iter().map(|(key, found)| format!("{key} {} ({})", found.value, found.evidence));
    inferred.chain(report.skipped.iter().map(|reason| format!("incomplete crawl: {reason}")))
}

/// Counts ignored findings by what ignores them, for formats that do not list them: `4 findings are ignored (3 by pages, 1 by
/// the contract)`. Returns none if there are none.
pub fn ignored_note(report: &Report) -> Option<String> {
    let kinds = [("page", "by pages"), ("contract", "by the contract"), ("baseline", "by the baseline")];
    let counted = kinds.map(|(kind, words)| {
        let ignores = report.ignores.iter().filter(|ignore| ignore.by == kind);
        (ignores.map(|ignore| ignore.findings).sum::<usize>(), words)
    });
    let all: usize = counted.iter().map(|(number, _)| number).sum();
    let parts: Vec<String> = numbers(&counted).collect();
    let are = if all == 1 { "is" } else { "are" };
    let found = count(all, "finding");
    (all > 0).then(|| format!("{found} {are} ignored ({}); other formats list them", parts.join(", ")))
}

/// Describes ignored findings with one reason: `3 broken-link findings, in index.html:12: the shop answers these`.
pub fn ignored(tally: &IgnoreSummary) -> String {
    /// Maximum number of characters of a reason.
    const REASON: usize = 200;
    let IgnoreSummary { rule, by, place, reason, findings, files } = tally;
    let found = count(*findings, &format!("{rule} finding"));
    let place = match files {
        0 | 1 => place.clone(),
        more if by == "page" => format!("{place} and {}", count(more - 1, "more file")),
        _ => place.clone(),
    };
    match reason {
        None => format!("{found}, in the baseline {place}"),
        Some(reason) => {
            let more = if reason.chars().nth(REASON).is_some() { "…" } else { "" };
            let reason: String = reason.chars().take(REASON).collect();
            let by = if by == "page" { "in" } else { "by" };
            format!("{found}, {by} {place}: {reason}{more}")
        }
    }
}

/// Formats line and column: `12:9`.
pub fn line_and_column((line, column): (u32, u32)) -> String {
    format!("{line}:{column}")
}

/// Formats the location of a finding in its document: `12:9`.
pub fn position(finding: &Finding) -> String {
    line_and_column((finding.line, finding.column))
}

/// Formats a location in an authored file: `docs/setup.md:12:9`.
pub fn source_location(place: &SourcePlace) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// Lists the candidates for a finding's uncertain source: `possible source: a.md:3:4 or b.md:9:2`.
pub fn possible_source(finding: &Finding) -> Option<String> {
    let places: Vec<String> =
        finding.candidates.iter().map(|place| format!("`{}`", source_location(place))).collect();
    let (last, others) = places.split_last()?;
    Some(match others {
        [] => format!("possible source: {last}"),
        others => format!("possible source: {} or {last}", others.join(", ")),
    })
}

/// Returns what helps to fix a cause: its help, and the candidates for an uncertain source.
pub(super) fn notes<'r>(view: &View<'r>, lead: &Lead<'r>) -> impl Iterator<Item = Cow<'r, str>> {
    let possible = possible_source(view.finding(lead.finding)).map(Cow::Owned);
    [view.help(lead), possible].into_iter().flatten()
}

/// Describes a file that could not be read.
pub fn unreadable(error: &str) -> String {
    format!("Cannot check {error}")
}

/// Joins a finding's message and the help for its cause.
pub fn sentence(finding: &Finding, help: Option<&str>) -> String {
    match help {
        Some(help) => format!("{}{} {}", finding.message, full_stop(&finding.message), capitalized(help)),
        None => finding.message.to_string(),
    }
}

/// Returns the full stop that a text needs before another sentence.
pub(super) fn full_stop(text: &str) -> &'static str {
    if text.ends_with(['.', '?', '!']) { "" } else { "." }
}

/// Describes a cause: a finding, its possible sources, and the number of other pages.
pub(super) fn cause_text(view: &View<'_>, lead: &Lead<'_>) -> String {
    let finding = view.finding(lead.finding);
    let mut text = sentence(finding, view.help(lead).as_deref());
    let extent = view.causes.get(lead.group).extent_of(lead.findings, lead.documents);
    for more in [possible_source(finding), extent].into_iter().flatten() {
        text.push_str(full_stop(&text));
        text.push(' ');
        text.push_str(&capitalized(&more));
    }
    text
}

/// A location: a file, and the position in it.
#[derive(PartialEq, Eq)]
pub(super) struct Place {
    /// Path from the working directory.
    file: String,
    position: String,
}

impl Place {
    /// Returns the main location of a cause.
    pub fn of_lead(view: &View<'_>, lead: &Lead<'_>) -> Place {
        match lead.source {
            None => Place::in_export(view, lead.finding),
            Some(SourcePlace { file, line, column, .. }) => {
                Place { file: file.to_string(), position: line_and_column((*line, *column)) }
            }
        }
    }

    /// Returns the location of a finding in the export or in the contract.
    pub fn in_export(view: &View<'_>, finding: u32) -> Place {
        let finding = view.finding(finding);
        Place { file: view.path(finding), position: position(finding) }
    }

    /// Returns the location of an import in the export.
    pub fn of_import(view: &View<'_>, import: &ImportPlace) -> Place {
        let position = line_and_column((import.line, import.column));
        Place { file: view.path_of_file(&import.file), position }
    }

    /// Returns the file and position, or the folder of the export.
    pub fn text(&self) -> String {
        let file = visible(&self.file);
        match file.strip_suffix("/.") {
            Some(folder) => folder.to_owned(),
            None if file == "." => file.into_owned(),
            None => format!("{file}:{}", self.position),
        }
    }

    /// Returns the text, as a link if the terminal supports links.
    pub fn shown(&self, view: &View<'_>) -> String {
        match view.file_url(&self.file) {
            Some(url) if view.options.hyperlinks => hyperlink(&url, &self.text()),
            _ => self.text(),
        }
    }
}

/// Returns a link for terminals: the sequence OSC 8.
pub(super) fn hyperlink(url: &str, text: &str) -> String {
    format!("\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\")
}

#[cfg(test)]
mod tests {
    use super::{count, thousands};

    #[test]
    fn formats_numbers_with_commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "page"), "1 page");
        assert_eq!(count(1_200, "page"), "1,200 pages");
    }
}
