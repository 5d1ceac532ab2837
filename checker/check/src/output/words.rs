//! What a report says in words, as every format that people read shows it.

use std::time::Duration;

use super::view::{Lead, View};
use crate::report::external_hosts::{ExternalHost, ExternalHosts, HostCounts};
use crate::report::finding::{Finding, IgnoreSummary, SourcePlace};
use crate::report::{Report, Verdict};
use sitegate_base::plural::{capitalised, count, thousands};

/// How long something took: `12 ms`, `1.4 s`.
pub fn seconds(elapsed: Duration) -> String {
    match elapsed.as_millis() {
        ms @ 0..1000 => format!("{ms} ms"),
        _ => format!("{:.1} s", elapsed.as_secs_f64()),
    }
}

/// How long the check took.
pub fn elapsed(report: &Report) -> String {
    seconds(Duration::from_millis(report.elapsed_ms.unwrap_or_default()))
}

/// The verdict as it is printed.
pub fn verdict(report: &Report) -> &'static str {
    match report.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::Incomplete if report.unreadable.is_empty() => "there was no page to check",
        Verdict::Incomplete => "could not check everything",
    }
}

/// What was found: `2 errors, 1 warning`, or nothing.
pub fn found(report: &Report) -> String {
    let summary = &report.summary;
    let parts = [(summary.errors, "error"), (summary.warnings, "warning")];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| count(*n, word));
    let apart = [(summary.baselined, "in the baseline"), (summary.ignored, "ignored")];
    let apart = apart.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{} {words}", thousands(*n)));
    parts.chain(apart).collect::<Vec<_>>().join(", ")
}

/// What was looked at: `3 files, 2 pages, 4 scripts, 40 links`.
pub fn looked_at(report: &Report) -> String {
    let summary = &report.summary;
    let scripts = (summary.scripts > 0).then_some((summary.scripts, "script"));
    let parts = [(summary.files, "file"), (summary.pages, "page")].into_iter().chain(scripts);
    let parts = parts.chain([(summary.links, "link")]);
    parts.map(|(n, word)| count(n, word)).collect::<Vec<_>>().join(", ")
}

/// What could not be followed: `3 imports are computed, and were not followed`. Nothing where all could.
pub fn unfollowed(report: &Report) -> Option<String> {
    let computed = report.summary.computed;
    let verbs = if computed == 1 { ("is", "was") } else { ("are", "were") };
    (computed > 0).then(|| {
        let (is, was) = verbs;
        format!("{} {is} computed while scripts run, and {was} not followed", count(computed, "import"))
    })
}

/// What other hosts said together: `8 addresses on 2 hosts: 6 there, 1 moved, 1 broken; 3 known from earlier, the others asked
/// for in 1.2 s`.
pub fn asked(external: &ExternalHosts) -> String {
    let all = &external.all;
    let hosts = external.hosts.iter().filter(|host| host.counts.addresses > 0).count();
    let (addresses, hosts) = (count(all.addresses, "address"), count(hosts, "other host"));
    let known = thousands(external.known);
    let took = seconds(duration(external.seconds));
    let how = match external.known {
        _ if external.stopped => format!("stopped after {took}"),
        0 => format!("asked for in {took}"),
        more if more >= all.addresses => "all known from earlier".to_owned(),
        _ => format!("{known} known from earlier, the others asked for in {took}"),
    };
    let said = said(all, true);
    if said.is_empty() {
        "no address on another host".to_owned()
    } else {
        format!("{addresses} on {hosts}: {said}; {how}")
    }
}

/// What one host said, and how long that took: `214 links: 2 broken; 6 at a time, 41.2 s`.
pub fn asked_host(host: &ExternalHost) -> String {
    let said = said(&host.counts, false);
    let said = if said.is_empty() { said } else { format!(": {said}") };
    let time = match host.counts.requests {
        0 => String::new(),
        _ => format!("; {} at a time, {}", host.at_once, seconds(duration(host.seconds))),
    };
    format!("{}{said}{time}", count(host.counts.links, "link"))
}

/// A time in seconds, as a report has it.
pub fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

fn said(host: &HostCounts, with_good: bool) -> String {
    let HostCounts { there, moved, broken, unverified, .. } = *host;
    let there = if with_good { there } else { 0 };
    let parts = [(there, "there"), (moved, "moved"), (broken, "broken"), (unverified, "unverified")];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", thousands(*n)));
    parts.collect::<Vec<_>>().join(", ")
}

/// What holds for the whole report, a line each: where the site lives, as far as the export and not the contract says so,
/// `origin https://www.acme.org (canonical links of 40 pages)`, and what of a live site was left out.
pub fn taken(report: &Report) -> impl Iterator<Item = String> {
    /// The keys in the order of the contract.
    const KEYS: [&str; 5] = ["origin", "base-path", "host", "clean-urls", "trailing-slash"];
    let place = |key: &str| KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len());
    let mut taken: Vec<_> = report.inferred.iter().collect();
    taken.sort_by_key(|(key, _)| place(key));
    let taken = taken.into_iter().map(|(key, taken)| format!("{key} {} ({})", taken.value, taken.evidence));
    taken.chain(report.skipped.iter().map(|reason| format!("not the whole site: {reason}")))
}

/// What was let pass, a line for each reason: `3 findings of broken-link are excused in index.html:12: the shop answers these`.
pub fn let_pass(tally: &IgnoreSummary) -> String {
    /// Characters of a reason that are shown.
    const REASON: usize = 200;
    let IgnoreSummary { rule, by, place, reason, findings, files } = tally;
    let are = if *findings == 1 { "is" } else { "are" };
    let found = format!("{} of {rule}", count(*findings, "finding"));
    let place = match files {
        0 | 1 => place.clone(),
        more if by == "page" => format!("{place} and {}", count(more - 1, "more file")),
        _ => place.clone(),
    };
    match reason {
        None => format!("{found} {are} known in {place}"),
        Some(reason) => {
            let more = if reason.chars().nth(REASON).is_some() { "…" } else { "" };
            let reason: String = reason.chars().take(REASON).collect();
            let by = if by == "page" { "in" } else { "by" };
            format!("{found} {are} excused {by} {place}: {reason}{more}")
        }
    }
}

/// A place in a document: `12:9`.
pub fn place((line, column): (u32, u32)) -> String {
    format!("{line}:{column}")
}

/// Where a finding begins in its document: `12:9`.
pub fn position(finding: &Finding) -> String {
    place((finding.line, finding.column))
}

/// A place in a source: `docs/setup.md:12:9`.
pub fn source_place(place: &SourcePlace) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// Where a finding may have been written, where that is not certain: `perhaps written in a.md:3:4 or b.md:9:2`.
pub fn perhaps_written(finding: &Finding) -> Option<String> {
    let places: Vec<String> =
        finding.candidates.iter().map(|place| format!("`{}`", source_place(place))).collect();
    let (last, others) = places.split_last()?;
    Some(match others {
        [] => format!("perhaps written in {last}"),
        others => format!("perhaps written in {} or {last}", others.join(", ")),
    })
}

/// A finding in one text: what is wrong, then what to do about it.
pub fn sentence(finding: &Finding) -> String {
    match &finding.help {
        Some(help) => format!("{}. {}", finding.message, capitalised(help)),
        None => finding.message.to_string(),
    }
}

/// A cause in one text: a finding, where it may have been written, and how far it reaches.
pub(super) fn told_with_extent(view: &View<'_>, lead: &Lead<'_>) -> String {
    let finding = view.finding(lead.finding);
    let mut text = sentence(finding);
    let extent = view.groups().get(lead.group).extent_of(lead.findings, lead.documents);
    for more in [perhaps_written(finding), extent].into_iter().flatten() {
        text.push_str(&format!(". {}", capitalised(&more)));
    }
    text
}

/// Writes a text whose backticks mark code; an odd backtick marks nothing.
pub fn with_code(text: &str, plain: impl Fn(&str) -> String, code: impl Fn(&str) -> String) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return plain(text);
    }
    let part = |(index, part): (usize, &&str)| if index % 2 == 0 { plain(part) } else { code(part) };
    parts.iter().enumerate().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::{count, thousands};

    #[test]
    fn numbers_have_commas() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(count(1, "page"), "1 page");
        assert_eq!(count(1_200, "page"), "1,200 pages");
    }
}
