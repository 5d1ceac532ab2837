//! Levels by path, and exceptions: what is not reported here, and why; and exceptions that excuse nothing.
//!
//! They are looked at for findings that exist, never for what is in order.

use std::ops::Range;

use super::excused::{ExcusedBy, ExcusedDiagnostic};
use super::excuses::{Excuse, Excuses};
use super::listed::{ListedExceptions, is_among, paths_of};
use crate::contract::{Contract, Override};
use crate::diagnostic::{Diagnostic, Location, Place, Severity};
use crate::index::site::Site;
use crate::parse::WrittenException;
use crate::rules::ruleset::{Ruleset, excusable_in_pages};
use crate::rules::{invalid_exception, unused_exception};
use crate::walk::FileId;

/// Gives every finding the weight it has where it stands, and drops those that are off.
pub(crate) fn weigh(site: &Site<'_>, rules: &Ruleset, diagnostics: &mut Vec<Diagnostic>) {
    let contract = site.contract;
    let mut here: Option<(Place, Vec<&Override>)> = None;
    diagnostics.retain_mut(|diagnostic| {
        diagnostic.severity = rules.level(diagnostic.rule);
        if !contract.overrides.is_empty() {
            let place = &diagnostic.location.place;
            if here.as_ref().is_none_or(|(known, _)| known != place) {
                let paths = paths_of(site, place);
                let these = contract.overrides.iter().filter(|entry| is_among(&entry.paths, paths.as_ref()));
                here = Some((place.clone(), these.collect()));
            }
            let levels = here.iter().flat_map(|(_, these)| these).flat_map(|entry| &entry.levels);
            for (_, level) in levels.filter(|(rule, _)| rule.value == diagnostic.rule.id) {
                diagnostic.severity = *level;
            }
        }
        diagnostic.severity != Severity::Off
    });
}

/// Takes out the findings that are excused, and gives them; adds those about exceptions.
/// `diagnostics` are sorted. Where not everything could be read, `complete` is false, and nothing is said of
/// exceptions that excuse nothing.
pub(crate) fn apply(
    site: &Site<'_>,
    rules: &Ruleset,
    diagnostics: &mut Vec<Diagnostic>,
    notes: Vec<(FileId, WrittenException)>,
    complete: bool,
) -> Vec<ExcusedDiagnostic> {
    let contract = site.contract;
    let mut about = Vec::new();
    let mut excuses = Vec::new();
    for (file, note) in notes {
        read_note(contract, file, &note, &mut excuses, &mut about);
    }
    let mut excuses = Excuses::new(excuses);
    let mut listed = ListedExceptions::new(site);
    let mut excused = Vec::new();
    if !excuses.is_empty() || !contract.exceptions.is_empty() {
        diagnostics.retain(|diagnostic| {
            let in_page = excuses.cover(diagnostic).map(|excuse| ExcusedBy::Page {
                file: excuse.file,
                named: excuse.named.clone(),
                reason: excuse.reason.clone(),
            });
            let by = listed.cover(diagnostic).map(ExcusedBy::Contract).or(in_page);
            let is_excused = by.is_some();
            excused.extend(by.map(|by| ExcusedDiagnostic { finding: diagnostic.clone(), by }));
            !is_excused
        });
    }
    if complete {
        unused(site, rules, &excuses.unused(), &listed.used, &mut about);
    }
    weigh(site, rules, &mut about);
    diagnostics.extend(about);
    excused
}

/// Takes an exception in a page apart, or reports why it is not valid.
fn read_note(
    contract: &Contract,
    file: FileId,
    note: &WrittenException,
    excuses: &mut Vec<Excuse>,
    about: &mut Vec<Diagnostic>,
) {
    let mut report = |span: Range<u32>, message: String, help: Option<String>| {
        let location = Location::in_file(file, span);
        let help = help.unwrap_or_else(|| "write `rule: reason`; without both it has no effect".to_owned());
        about.push(Diagnostic::new(&invalid_exception::INFO, location, message).help(help));
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
        match excusable_in_pages(contract, id) {
            Err(error) => report(span, error.to_string(), error.help()),
            Ok(rule) if reason.is_empty() => {
                report(span, format!("this exception from `{}` gives no reason", rule.id), None);
            }
            Ok(rule) => excuses.push(Excuse {
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
fn unused(site: &Site<'_>, rules: &Ruleset, excuses: &[Excuse], used: &[bool], about: &mut Vec<Diagnostic>) {
    let contract = site.contract;
    let info = &unused_exception::INFO;
    for excuse in excuses {
        let location = Location::in_file(excuse.file, excuse.named.clone());
        let mut probe = vec![Diagnostic::new(excuse.rule, location.clone(), "")];
        weigh(site, rules, &mut probe);
        if !probe.is_empty() {
            let message = format!("this exception from `{}` excuses nothing", excuse.rule.id);
            about.push(Diagnostic::new(info, location, message).help("remove it"));
        }
    }
    let mut report = |span: &Range<usize>, message: &str| {
        let location = contract.located(&Location::in_contract(span.clone()));
        about.push(Diagnostic::new(info, location, message).help("remove it, or correct its pattern"));
    };
    for (exception, _) in contract.exceptions.iter().zip(used).filter(|(_, used)| !**used) {
        let counts = exception.rule.as_ref().is_none_or(|rule| rules.can_count(contract, &rule.value));
        if counts {
            report(&exception.span, "this `ignore` excuses nothing");
        }
    }
    for entry in &contract.overrides {
        let strays = site.tree.strays.iter().map(|stray| Place::Path(stray.path.clone()));
        let mut places = site.tree.ids().map(Place::File).chain(strays);
        if !places.any(|place| is_among(&entry.paths, paths_of(site, &place).as_ref())) {
            report(&entry.span, "this `override` matches no file of the export");
        }
    }
}
