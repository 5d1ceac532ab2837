//! Rates findings by the levels of the contract, removes ignored findings, reports invalid and unused ignores, and
//! summarizes the ignored findings for reports and seals.

use std::collections::HashMap;
use std::ops::Range;

use super::finding::IgnoreSummary;
use super::ignore_matching::{ContractIgnores, PageIgnore, PageIgnores, is_in};
use super::locator::FindingLocator;
use super::result::{CheckResult, IgnoredBy};
use crate::contract::rule_entries::is_stated;
use crate::contract::{Contract, InlineIgnores, Override};
use crate::index::site::Site;
use crate::parse::InlineIgnore;
use crate::raw_finding::{Certainty, DocumentId, Location, MarkupChange, RawFinding, RuleInfo, Severity};
use crate::rules::ruleset::{Ruleset, ignorable_inline};
use crate::rules::{invalid_ignore, unused_ignore};
use crate::walk::FileId;

/// Rates every finding with the severity that the contract sets at its location, and removes those that are off.
pub(crate) fn rate(site: &Site<'_>, rules: &Ruleset, mut findings: Vec<RawFinding>) -> Vec<RawFinding> {
    let overrides = &site.contract.overrides;
    let mut document: Option<(DocumentId, Vec<&Override>)> = None;
    let mut severity = |finding: &RawFinding| {
        let RawFinding { rule, location, .. } = finding;
        let default = rules.severity(finding);
        if overrides.is_empty() {
            return default;
        }
        if document.as_ref().is_none_or(|(current, _)| *current != location.document) {
            let matching = overrides.iter().filter(|entry| is_in(&entry.paths, &location.document, site));
            document = Some((location.document.clone(), matching.collect()));
        }
        let mut levels = document.iter().flat_map(|(_, matching)| matching).flat_map(|entry| &entry.levels);
        levels.rfind(|(id, _)| id.value == rule.id).map_or(default, |(_, level)| *level)
    };
    findings.retain_mut(|found| {
        found.severity = severity(found);
        found.severity != Severity::Off
    });
    findings
}

/// Removes the findings that a page or the contract ignores, and returns them. Adds findings about the ignores
/// themselves. `findings` are sorted. If the check is not complete, unused ignores are not reported.
pub(crate) fn apply(
    site: &Site<'_>,
    rules: &Ruleset,
    findings: &mut Vec<RawFinding>,
    inline_ignores: Vec<(FileId, InlineIgnore)>,
    is_complete: bool,
) -> Vec<(RawFinding, IgnoredBy)> {
    let contract = site.contract;
    let mut new_findings = Vec::new();
    let mut page_ignores = Vec::new();
    for (file, ignore) in inline_ignores {
        if ignore.is_foreign {
            page_ignores.push(foreign_ignore(file, ignore));
        } else {
            parse_ignore(contract, file, &ignore, &mut page_ignores, &mut new_findings);
        }
    }
    let mut page_ignores = PageIgnores::new(page_ignores);
    let mut contract_ignores = ContractIgnores::new(site);
    let mut ignored = Vec::new();
    let may_ignore = |rule: &RuleInfo| ignorable_inline(contract, rule.id).is_ok();
    if !page_ignores.is_empty() || !contract.ignores.is_empty() {
        findings.retain(|finding| {
            let in_page = page_ignores.find(finding, may_ignore).map(|ignore| IgnoredBy::Page {
                file: ignore.file,
                rule_span: ignore.rule_span.clone(),
                reason: ignore.reason.clone(),
            });
            let by = contract_ignores.find(finding).map(IgnoredBy::Contract).or(in_page);
            let is_ignored = by.is_some();
            ignored.extend(by.map(|by| (finding.clone(), by)));
            !is_ignored
        });
    }
    if is_complete {
        report_unused(site, rules, &page_ignores.unused(), &contract_ignores.used, &mut new_findings);
    }
    findings.extend(rate(site, rules, new_findings));
    ignored
}

/// Returns the ignore of an attribute of another checker. Such attributes give no reason, so the contract's is theirs.
fn foreign_ignore(file: FileId, ignore: InlineIgnore) -> PageIgnore {
    PageIgnore {
        file,
        rule: None,
        scope: ignore.scope,
        rule_span: ignore.span,
        reason: format!("`{}`, by `check.ignore-attributes`", ignore.text).into(),
    }
}

/// Parses an ignore in a page, or reports why it is invalid.
fn parse_ignore(
    contract: &Contract,
    file: FileId,
    ignore: &InlineIgnore,
    page_ignores: &mut Vec<PageIgnore>,
    new_findings: &mut Vec<RawFinding>,
) {
    let mut report = |span: Range<u32>, message: String, help: Option<String>| {
        let location = Location::in_file(file, span);
        let help = help.unwrap_or_else(|| "write `rule: reason`; without both it has no effect".to_owned());
        new_findings.push(RawFinding::new(&invalid_ignore::INFO, location, message).help(help));
    };
    if matches!(contract.inline_ignores, InlineIgnores::Refused) {
        let help = "remove it, or ignore the finding with `[[ignore]]` in the contract".to_owned();
        let message = "this ignore has no effect: the contract refuses ignores in pages".to_owned();
        return report(ignore.span.clone(), message, Some(help));
    }
    let (rules, reason) = ignore.text.split_once(':').unwrap_or((&ignore.text, ""));
    let reason = ignore.reason.as_deref().unwrap_or(reason.trim());
    let is_separator = |c: char| c.is_whitespace() || c == ',';
    let mut at = 0;
    let mut rule_spans = Vec::new();
    for id in rules.split(is_separator) {
        let start = ignore.span.start + at as u32;
        at += id.len() + 1;
        // Separators are assumed to be one byte. Rare white space is longer, but the location is only for display.
        let span = start.min(ignore.span.end)..(start + id.len() as u32).min(ignore.span.end);
        if !id.is_empty() {
            rule_spans.push((id, span));
        }
    }
    if rule_spans.is_empty() {
        return report(ignore.span.clone(), "this ignore names no rule".to_owned(), None);
    }
    for (id, span) in rule_spans {
        match ignorable_inline(contract, id) {
            Err(error) => report(span, error.to_string(), error.help()),
            Ok(rule) if !is_stated(reason) => {
                report(span, format!("this ignore of `{}` gives no reason", rule.id), None);
            }
            Ok(rule) => page_ignores.push(PageIgnore {
                file,
                rule: Some(rule),
                scope: ignore.scope.clone(),
                rule_span: span,
                reason: reason.into(),
            }),
        }
    }
}

/// Why an unused ignore can be removed.
const NO_EFFECT: &str = "it has no effect";

/// Reports ignores and overrides that match nothing, unless the ignored rule is off at that location.
fn report_unused(
    site: &Site<'_>,
    rules: &Ruleset,
    page_ignores: &[PageIgnore],
    used: &[bool],
    new_findings: &mut Vec<RawFinding>,
) {
    let contract = site.contract;
    let info = &unused_ignore::INFO;
    for ignore in page_ignores {
        // Elements are marked for the findings of another checker, and may have none here.
        let Some(rule) = ignore.rule else { continue };
        let location = Location::in_file(ignore.file, ignore.rule_span.clone());
        let probe = RawFinding::new(rule, location.clone(), "");
        let can_count = rules.can_count(contract, rule.id);
        if can_count && !rate(site, rules, vec![probe]).is_empty() {
            let message = format!("this ignore of `{}` matches no finding", rule.id);
            let finding = RawFinding::new(info, location, message).help("remove it");
            new_findings.push(finding.markup_fix(Certainty::Certain, NO_EFFECT, MarkupChange::Removal));
        }
    }
    let mut report = |span: &Range<usize>, message: &str, certainty: Certainty| {
        let location = contract.located(&Location::in_contract(span.clone()));
        let finding = RawFinding::new(info, location, message).help("remove it, or correct its pattern");
        new_findings.push(finding.markup_fix(certainty, NO_EFFECT, MarkupChange::Removal));
    };
    for (ignore, is_used) in contract.ignores.iter().zip(used) {
        let can_count = ignore.rule.as_ref().is_none_or(|rule| rules.can_count(contract, &rule.value));
        if !is_used && can_count {
            report(&ignore.span, "this `ignore` matches no finding", Certainty::Certain);
        }
    }
    for entry in &contract.overrides {
        let strays = site.tree.strays.iter().map(|stray| DocumentId::Path(stray.path.clone()));
        let mut documents = site.tree.ids().map(DocumentId::File).chain(strays);
        if !documents.any(|document| is_in(&entry.paths, &document, site)) {
            // Its pattern may be misspelled.
            report(&entry.span, "this `override` matches no file of the export", Certainty::Likely);
        }
    }
}

/// Summarizes ignored findings: those that pages ignore first, then the contract, then the baseline; each in the
/// order of their first findings.
pub fn summarize(result: &CheckResult, contract: &Contract) -> Vec<IgnoreSummary> {
    let mut indices: HashMap<(&str, &str, Option<&str>, usize), usize> = HashMap::new();
    let mut summaries: Vec<(IgnoreSummary, &IgnoredBy, &Location)> = Vec::new();
    for (finding, by) in &result.ignored {
        let (rule, kind, location) = (finding.rule.id, by.kind(), &finding.location);
        let entry = if let IgnoredBy::Contract(ignore) = by { *ignore } else { 0 };
        let reason = by.reason(contract);
        let index = *indices.entry((kind, rule, reason, entry)).or_insert(summaries.len());
        if let Some((summary, _, last)) = summaries.get_mut(index) {
            summary.findings += 1;
            summary.files += usize::from(last.document != location.document);
            *last = location;
        } else {
            let summary = IgnoreSummary {
                rule: rule.to_owned(),
                by: kind.to_owned(),
                place: String::new(),
                reason: reason.map(str::to_owned),
                findings: 1,
                files: 1,
            };
            summaries.push((summary, by, location));
        }
    }
    let mut locator = FindingLocator::new(result, contract);
    let order = |by: &IgnoredBy| match by {
        IgnoredBy::Page { .. } => 0,
        IgnoredBy::Contract(_) => 1,
        IgnoredBy::Baseline => 2,
    };
    summaries.sort_by_key(|(_, first, _)| order(first));
    let with_place = |(summary, first, _): (IgnoreSummary, &IgnoredBy, &Location)| IgnoreSummary {
        place: ignore_place(first, contract, &mut locator),
        ..summary
    };
    summaries.into_iter().map(with_place).collect()
}

/// Returns the location of the ignore: `index.html:12`, `sitegate.toml:31`, or the baseline's path.
fn ignore_place(by: &IgnoredBy, contract: &Contract, locator: &mut FindingLocator<'_>) -> String {
    let location = match by {
        IgnoredBy::Page { file, rule_span, .. } => Location::in_file(*file, rule_span.clone()),
        IgnoredBy::Contract(ignore) => {
            let span = contract.ignores.get(*ignore).map(|ignore| ignore.span.clone());
            contract.located(&Location::in_contract(span.unwrap_or_default()))
        }
        IgnoredBy::Baseline => {
            return contract
                .baseline
                .as_ref()
                .map(|file| file.path().display().to_string())
                .unwrap_or_default();
        }
    };
    format!("{}:{}", locator.name(&location.document), locator.start(&location).line)
}
