//! Levels by path, and exceptions: what is not reported here, and why; and exceptions that excuse nothing.
//!
//! They are looked at for findings that exist, never for what is in order.

use std::ops::Range;

use super::contract_ignores::{ContractIgnores, is_among, paths_of};
use super::ignored::{IgnoredBy, IgnoredRatedFinding};
use super::page_ignores::{PageIgnore, PageIgnores};
use super::stages::{LocatedFinding, RatedFinding};
use crate::contract::{Contract, Override};
use crate::index::site::Site;
use crate::parse::InlineIgnore;
use crate::raw_finding::{DocumentId, Location, RawFinding, Severity};
use crate::rules::ruleset::{Ruleset, ignorable_inline};
use crate::rules::{invalid_ignore, unused_ignore};
use crate::walk::FileId;

/// Gives every finding the severity that the contract sets at its location, and drops those that are off.
pub(crate) fn rate(site: &Site<'_>, rules: &Ruleset, findings: Vec<LocatedFinding>) -> Vec<RatedFinding> {
    let overrides = &site.contract.overrides;
    let mut document: Option<(DocumentId, Vec<&Override>)> = None;
    let mut severity = |RawFinding { rule, location, .. }: &RawFinding| {
        let default = rules.level(rule);
        if overrides.is_empty() {
            return default;
        }
        if document.as_ref().is_none_or(|(current, _)| *current != location.document) {
            let paths = paths_of(site, &location.document);
            let matching = overrides.iter().filter(|entry| is_among(&entry.paths, paths.as_ref()));
            document = Some((location.document.clone(), matching.collect()));
        }
        let levels = document.iter().flat_map(|(_, matching)| matching).flat_map(|entry| &entry.levels);
        levels.filter(|(id, _)| id.value == rule.id).next_back().map_or(default, |(_, level)| *level)
    };
    let rated = findings.into_iter().map(|found| {
        let severity = severity(&found.raw);
        RatedFinding::new(found, severity)
    });
    rated.filter(|found| found.severity != Severity::Off).collect()
}

/// Takes out the findings that are excused, and gives them; adds those about exceptions.
/// `findings` are sorted. Where not everything could be read, `complete` is false, and nothing is said of
/// exceptions that excuse nothing.
pub(crate) fn apply(
    site: &Site<'_>,
    rules: &Ruleset,
    findings: &mut Vec<RatedFinding>,
    notes: Vec<(FileId, InlineIgnore)>,
    complete: bool,
) -> Vec<IgnoredRatedFinding> {
    let contract = site.contract;
    let mut about = Vec::new();
    let mut ignores = Vec::new();
    for (file, note) in notes {
        read_note(contract, file, &note, &mut ignores, &mut about);
    }
    let mut ignores = PageIgnores::new(ignores);
    let mut listed = ContractIgnores::new(site);
    let mut ignored = Vec::new();
    if !ignores.is_empty() || !contract.ignores.is_empty() {
        findings.retain(|finding| {
            let in_page = ignores.cover(&finding.raw).map(|ignore| IgnoredBy::Page {
                file: ignore.file,
                named: ignore.named.clone(),
                reason: ignore.reason.clone(),
            });
            let by = listed.cover(&finding.raw).map(IgnoredBy::Contract).or(in_page);
            let is_ignored = by.is_some();
            ignored.extend(by.map(|by| IgnoredRatedFinding { finding: finding.clone(), by }));
            !is_ignored
        });
    }
    if complete {
        unused(site, rules, &ignores.unused(), &listed.used, &mut about);
    }
    findings.extend(rate(site, rules, about));
    ignored
}

/// Takes an exception in a page apart, or reports why it is not valid.
fn read_note(
    contract: &Contract,
    file: FileId,
    note: &InlineIgnore,
    ignores: &mut Vec<PageIgnore>,
    about: &mut Vec<LocatedFinding>,
) {
    let mut report = |span: Range<u32>, message: String, help: Option<String>| {
        let location = Location::in_file(file, span);
        let help = help.unwrap_or_else(|| "write `rule: reason`; without both it has no effect".to_owned());
        about.push(RawFinding::new(&invalid_ignore::INFO, location, message).help(help).into());
    };
    let (rules, reason) = note.text.split_once(':').unwrap_or((&note.text, ""));
    let reason = note.reason.as_deref().unwrap_or(reason.trim());
    let is_separator = |c: char| c.is_whitespace() || c == ',';
    let mut at = 0;
    let mut named = Vec::new();
    for id in rules.split(is_separator) {
        let start = note.span.start + at as u32;
        at += id.len() + 1;
        // A separator is one byte but for rare white space, and the place is only shown.
        let span = start.min(note.span.end)..(start + id.len() as u32).min(note.span.end);
        if !id.is_empty() {
            named.push((id, span));
        }
    }
    if named.is_empty() {
        return report(note.span.clone(), "this exception names no rule".to_owned(), None);
    }
    for (id, span) in named {
        match ignorable_inline(contract, id) {
            Err(error) => report(span, error.to_string(), error.help()),
            Ok(rule) if reason.is_empty() => {
                report(span, format!("this exception from `{}` gives no reason", rule.id), None);
            }
            Ok(rule) => ignores.push(PageIgnore {
                file,
                rule,
                scope: note.scope.clone(),
                named: span,
                reason: reason.into(),
            }),
        }
    }
}

/// Reports what excuses nothing, unless its rule is off where it stands.
fn unused(
    site: &Site<'_>,
    rules: &Ruleset,
    ignores: &[PageIgnore],
    used: &[bool],
    about: &mut Vec<LocatedFinding>,
) {
    let contract = site.contract;
    let info = &unused_ignore::INFO;
    for ignore in ignores {
        let location = Location::in_file(ignore.file, ignore.named.clone());
        let probe = RawFinding::new(ignore.rule, location.clone(), "");
        if !rate(site, rules, vec![probe.into()]).is_empty() {
            let message = format!("this exception from `{}` excuses nothing", ignore.rule.id);
            about.push(RawFinding::new(info, location, message).help("remove it").into());
        }
    }
    let mut report = |span: &Range<usize>, message: &str| {
        let location = contract.located(&Location::in_contract(span.clone()));
        about.push(RawFinding::new(info, location, message).help("remove it, or correct its pattern").into());
    };
    for (ignore, _) in contract.ignores.iter().zip(used).filter(|(_, used)| !**used) {
        let counts = ignore.rule.as_ref().is_none_or(|rule| rules.can_count(contract, &rule.value));
        if counts {
            report(&ignore.span, "this `ignore` excuses nothing");
        }
    }
    for entry in &contract.overrides {
        let strays = site.tree.strays.iter().map(|stray| DocumentId::Path(stray.path.clone()));
        let mut places = site.tree.ids().map(DocumentId::File).chain(strays);
        if !places.any(|place| is_among(&entry.paths, paths_of(site, &place).as_ref())) {
            report(&entry.span, "this `override` matches no file of the export");
        }
    }
}
