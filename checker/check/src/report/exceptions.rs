//! Levels by path, and exceptions: what is not reported here, and why; and exceptions that excuse nothing.
//!
//! They are looked at for findings that exist, never for what is in order.

use std::ops::Range;

use globset::GlobSet;

use super::excused::{ExcusedBy, ExcusedFinding};
use crate::contract::{Contract, Override, page_path};
use crate::diagnostic::{Cause, Diagnostic, Location, Place, RuleInfo, Severity};
use crate::index::site::Site;
use crate::parse::WrittenException;
use crate::parse::{self, Format, Source, decode_references};
use crate::resolve::Base;
use crate::rules::ruleset::{Ruleset, excusable_in_pages};
use crate::rules::{invalid_exception, unused_exception};
use crate::walk::FileId;

/// The paths that a file of the export is known by: its own, and its page's.
fn paths_of(site: &Site<'_>, place: &Place) -> Option<[String; 2]> {
    let file = match place {
        Place::File(file) => site.tree.display(*file).into_owned(),
        Place::Path(path) => path.to_string(),
        Place::Contract | Place::Base(_) => return None,
    };
    let page = page_path(&file);
    Some([format!("/{file}"), page])
}

fn is_among(paths: &GlobSet, of: Option<&[String; 2]>) -> bool {
    of.is_some_and(|of| of.iter().any(|path| paths.is_match(path)))
}

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

/// One rule that one exception in a page is about.
struct Excuse {
    file: FileId,
    rule: &'static RuleInfo,
    scope: Option<Range<u32>>,
    /// Where the rule is named.
    named: Range<u32>,
    reason: Box<str>,
    used: bool,
}

impl Excuse {
    /// Where it begins to hold.
    fn start(&self) -> u32 {
        self.scope.as_ref().map_or(0, |scope| scope.start)
    }

    fn covers(&self, diagnostic: &Diagnostic) -> bool {
        let span = &diagnostic.location.span;
        self.rule.id == diagnostic.rule.id
            && self.scope.as_ref().is_none_or(|scope| {
                !span.is_empty() && scope.start <= span.start && span.end <= scope.end.max(scope.start)
            })
    }
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
) -> Vec<ExcusedFinding> {
    let contract = site.contract;
    let mut about = Vec::new();
    let mut excuses = Vec::new();
    for (file, note) in notes {
        read_note(contract, file, &note, &mut excuses, &mut about);
    }
    excuses.sort_by_key(|excuse| (excuse.file, excuse.start()));
    let mut used = vec![false; contract.exceptions.len()];
    let mut excused = Vec::new();
    if !excuses.is_empty() || !contract.exceptions.is_empty() {
        let mut written = WrittenReferences::new(site);
        let mut sweep = Sweep::default();
        let mut excuse = |diagnostic: &mut Diagnostic| {
            let in_page = sweep.excuses(&mut excuses, diagnostic).map(|excuse| ExcusedBy::Page {
                file: excuse.file,
                named: excuse.named.clone(),
                reason: excuse.reason.clone(),
            });
            let in_contract = excused_in_contract(&mut used, diagnostic, &mut written);
            in_contract.map(ExcusedBy::Contract).or(in_page)
        };
        diagnostics.retain_mut(|diagnostic| match excuse(diagnostic) {
            Some(by) => {
                excused.push(ExcusedFinding { finding: diagnostic.clone(), by });
                false
            }
            None => true,
        });
    }
    if complete {
        unused(site, rules, &excuses, &used, &mut about);
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
            Err((message, help)) => report(span, message, help),
            Ok(rule) if reason.is_empty() => {
                report(span, format!("this exception from `{}` gives no reason", rule.id), None)
            }
            Ok(rule) => excuses.push(Excuse {
                file,
                rule,
                scope: note.scope.clone(),
                named: span,
                reason: reason.into(),
                used: false,
            }),
        }
    }
}

/// Goes through findings and exceptions side by side, both sorted by file and place.
#[derive(Default)]
struct Sweep {
    /// The first exception that begins after the finding at hand.
    next: usize,
    /// Those before it that may still cover something.
    open: Vec<usize>,
}

impl Sweep {
    fn excuses<'e>(&mut self, excuses: &'e mut [Excuse], diagnostic: &Diagnostic) -> Option<&'e Excuse> {
        let Place::File(file) = diagnostic.location.place else { return None };
        let at = (file, diagnostic.location.span.start);
        while let Some(excuse) = excuses.get(self.next).filter(|excuse| (excuse.file, excuse.start()) <= at) {
            if excuse.file == file {
                self.open.push(self.next);
            }
            self.next += 1;
        }
        self.open.retain(|&index| {
            let excuse = &excuses[index];
            excuse.file == file && excuse.scope.as_ref().is_none_or(|scope| scope.end >= at.1)
        });
        let mut excused = None;
        for &index in &self.open {
            if excuses[index].covers(diagnostic) {
                excuses[index].used = true;
                excused.get_or_insert(index);
            }
        }
        excused.map(|index| &excuses[index])
    }
}

fn excused_in_contract(
    used: &mut [bool],
    diagnostic: &Diagnostic,
    written: &mut WrittenReferences<'_>,
) -> Option<usize> {
    let mut excused = None;
    for (index, (exception, used)) in written.site.contract.exceptions.iter().zip(used).enumerate() {
        if exception.rule.as_ref().is_some_and(|rule| rule.value != diagnostic.rule.id) {
            continue;
        }
        if let Some(paths) = &exception.paths
            && !is_among(paths, paths_of(written.site, &diagnostic.location.place).as_ref())
        {
            continue;
        }
        if let Some(url) = &exception.url
            && !written.urls(diagnostic).iter().any(|text| url.is_match(text))
        {
            continue;
        }
        *used = true;
        excused.get_or_insert(index);
    }
    excused
}

/// Reports what excuses nothing, unless its rule is off where it stands.
fn unused(site: &Site<'_>, rules: &Ruleset, excuses: &[Excuse], used: &[bool], about: &mut Vec<Diagnostic>) {
    let contract = site.contract;
    let info = &unused_exception::INFO;
    for excuse in excuses.iter().filter(|excuse| !excuse.used) {
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

/// Reads back the references that findings are about, one file at a time.
struct WrittenReferences<'s> {
    site: &'s Site<'s>,
    open: Option<(FileId, Source, Base)>,
}

impl<'s> WrittenReferences<'s> {
    fn new(site: &'s Site<'s>) -> Self {
        WrittenReferences { site, open: None }
    }

    /// A reference as it is written, as the URL it means, and as that URL's path where it is this site's.
    fn urls(&mut self, diagnostic: &Diagnostic) -> Vec<String> {
        let Place::File(file) = diagnostic.location.place else { return Vec::new() };
        if !diagnostic.is_reference {
            return Vec::new();
        }
        let (_, source, base) = match self.open.take() {
            Some(open) if open.0 == file => self.open.insert(open),
            _ => self.open.insert(read(self.site, file)),
        };
        let span = diagnostic.location.span.start as usize..diagnostic.location.span.end as usize;
        let written = String::from_utf8_lossy(source.get(span).unwrap_or_default());
        let text = decode_references(&written).trim().to_owned();
        // Where the bytes do not say so by themselves, a rule names the path.
        let mut urls = match &diagnostic.cause {
            Cause::Thing(path) if path.starts_with('/') => vec![path.to_string()],
            _ => Vec::new(),
        };
        if let Some(url) = base.join(&text) {
            if self.site.resolver.is_own(&url) {
                urls.push(url[url::Position::BeforePath..].to_owned());
            }
            urls.push(url.into());
        }
        urls.push(text);
        urls
    }
}

/// A file's content once more, and what is relative to it.
fn read(site: &Site<'_>, file: FileId) -> (FileId, Source, Base) {
    // A file that vanished since it was checked has no references to show.
    let source = site.source(file).unwrap_or_default();
    let is_page = site.format(file) == Format::Html;
    let href = is_page.then(|| parse::base_href(&source)).flatten();
    let base = site.resolver.base(file, href.as_deref());
    (file, source, base)
}
