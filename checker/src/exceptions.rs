//! Levels by path, and exceptions: what is not reported here, and why; and exceptions that excuse nothing.
//!
//! They are looked at for findings that exist, never for what is in order.

use std::collections::BTreeMap;
use std::ops::Range;

use globset::GlobSet;
use serde::Deserialize;
use toml::Spanned;

use crate::config::globs;
use crate::contract::page_path;
use crate::diagnostic::{Diagnostic, Location, Place, Severity};
use crate::href::Base;
use crate::index::Site;
use crate::parse::ignores::Note;
use crate::parse::{self, Page, decode_references};
use crate::rules::{self, Category, Pattern, RuleInfo, invalid_exception, unused_exception};
use crate::scan::load;
use crate::walk::FileId;

type Failure = (Range<usize>, String);

/// One `[[override]]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawOverride {
    paths: Spanned<Vec<Spanned<String>>>,
    rules: BTreeMap<Spanned<String>, Spanned<toml::Value>>,
}

/// What some rules weigh in some files.
#[derive(Debug)]
pub struct Override {
    paths: GlobSet,
    levels: Vec<(&'static RuleInfo, Severity)>,
    span: Range<usize>,
}

impl RawOverride {
    pub fn build(self) -> Result<Override, Failure> {
        let mut levels = Vec::with_capacity(self.rules.len());
        for (id, level) in &self.rules {
            let rule = rules::known(id.get_ref()).map_err(|message| (id.span(), message))?;
            let wrong = || {
                let message =
                    format!("`override.rules.{}`: a level is \"error\", \"warn\" or \"off\"", rule.id);
                let help = if level.get_ref().is_table() { "; options stand in `[rules]`" } else { "" };
                (level.span(), format!("{message}{help}"))
            };
            levels.push((rule, level.get_ref().clone().try_into().map_err(|_| wrong())?));
        }
        Ok(Override { span: self.paths.span(), paths: globs(self.paths.get_ref())?, levels })
    }
}

impl Override {
    /// Whether the rule counts anywhere because of it.
    pub fn turns_on(&self, rule: &str) -> bool {
        self.levels.iter().any(|(info, level)| info.id == rule && *level != Severity::Off)
    }
}

/// One `[[ignore]]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawException {
    url: Option<Spanned<String>>,
    rule: Option<Spanned<String>>,
    paths: Option<Spanned<Vec<Spanned<String>>>>,
    reason: Spanned<String>,
}

/// Findings that are not reported, by rule, URL and path.
#[derive(Debug)]
pub struct Exception {
    url: Option<Pattern>,
    rule: Option<&'static RuleInfo>,
    paths: Option<GlobSet>,
    /// Why.
    pub reason: String,
    span: Range<usize>,
}

impl RawException {
    pub fn build(self) -> Result<Exception, Failure> {
        let span = self.url.as_ref().or(self.rule.as_ref()).map(Spanned::span);
        let Some(span) = span else {
            let message = "`ignore` needs `url` or `rule`, or it would hide everything".to_owned();
            return Err((self.reason.span(), message));
        };
        if self.reason.get_ref().trim().is_empty() {
            return Err((self.reason.span(), "`ignore.reason` is empty: say why".to_owned()));
        }
        let url = self.url.map(|url| {
            let at = url.span();
            Pattern::try_from(url.into_inner()).map_err(|message| (at, format!("`ignore.url`: {message}")))
        });
        let rule = self.rule.map(|id| excusable(id.get_ref()).map_err(|message| (id.span(), message)));
        let paths = self.paths.map(|paths| globs(paths.get_ref()));
        Ok(Exception {
            url: url.transpose()?,
            rule: rule.transpose()?,
            paths: paths.transpose()?,
            reason: self.reason.into_inner(),
            span,
        })
    }
}

/// The rule that an exception is about. Those about exceptions themselves have levels, and no exceptions.
fn excusable(id: &str) -> Result<&'static RuleInfo, String> {
    let rule = rules::known(id)?;
    match rule.category {
        Category::Policy => Err(format!("`{id}` takes no exceptions; set its level in `[rules]`")),
        _ => Ok(rule),
    }
}

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
pub(crate) fn weigh(site: &Site<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let config = site.config;
    let mut here: Option<(Place, Vec<&Override>)> = None;
    diagnostics.retain_mut(|diagnostic| {
        diagnostic.severity = config.level(diagnostic.rule);
        if !config.overrides.is_empty() {
            let place = &diagnostic.location.place;
            if here.as_ref().is_none_or(|(known, _)| known != place) {
                let paths = paths_of(site, place);
                let these = config.overrides.iter().filter(|entry| is_among(&entry.paths, paths.as_ref()));
                here = Some((place.clone(), these.collect()));
            }
            let levels = here.iter().flat_map(|(_, these)| these).flat_map(|entry| &entry.levels);
            for (_, level) in levels.filter(|(rule, _)| rule.id == diagnostic.rule.id) {
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

/// Drops the findings that are excused, and adds those about exceptions. Gives the number of excused ones.
/// `diagnostics` are sorted. Where not everything could be read, `complete` is false, and nothing is said of
/// exceptions that excuse nothing.
pub(crate) fn apply(
    site: &Site<'_>,
    diagnostics: &mut Vec<Diagnostic>,
    notes: Vec<(FileId, Note)>,
    complete: bool,
) -> usize {
    let config = site.config;
    let mut about = Vec::new();
    let mut excuses = Vec::new();
    for (file, note) in notes {
        read_note(file, &note, &mut excuses, &mut about);
    }
    excuses.sort_by_key(|excuse| (excuse.file, excuse.start()));
    let mut used = vec![false; config.exceptions.len()];
    let before = diagnostics.len();
    if !excuses.is_empty() || !config.exceptions.is_empty() {
        let mut written = Written::new(site);
        let mut sweep = Sweep::default();
        diagnostics.retain(|diagnostic| {
            let in_page = sweep.excuses(&mut excuses, diagnostic);
            let in_contract = excused_in_contract(&mut used, diagnostic, &mut written);
            !in_page && !in_contract
        });
    }
    let excused = before - diagnostics.len();
    if complete {
        unused(site, &excuses, &used, &mut about);
    }
    weigh(site, &mut about);
    diagnostics.extend(about);
    excused
}

/// Takes an exception in a page apart, or reports why it is none.
fn read_note(file: FileId, note: &Note, excuses: &mut Vec<Excuse>, about: &mut Vec<Diagnostic>) {
    let mut report = |span: Range<u32>, message: String| {
        let location = Location::in_file(file, span);
        let help = "write `rule: reason`; without both it has no effect";
        about.push(Diagnostic::new(&invalid_exception::INFO, location, message).help(help));
    };
    let (rules, reason) = note.text.split_once(':').unwrap_or((&note.text, ""));
    let has_reason = note.reason_apart || !reason.trim().is_empty();
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
        return report(note.span.clone(), "this exception names no rule".to_owned());
    }
    for (id, span) in named {
        match excusable(id) {
            Err(message) => report(span, message),
            Ok(rule) if !has_reason => {
                report(span, format!("this exception from `{}` gives no reason", rule.id))
            }
            Ok(rule) => {
                excuses.push(Excuse { file, rule, scope: note.scope.clone(), named: span, used: false });
            }
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
    fn excuses(&mut self, excuses: &mut [Excuse], diagnostic: &Diagnostic) -> bool {
        let Place::File(file) = diagnostic.location.place else { return false };
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
        let mut excused = false;
        for &index in &self.open {
            if excuses[index].covers(diagnostic) {
                excuses[index].used = true;
                excused = true;
            }
        }
        excused
    }
}

fn excused_in_contract(used: &mut [bool], diagnostic: &Diagnostic, written: &mut Written<'_>) -> bool {
    let mut excused = false;
    for (exception, used) in written.site.config.exceptions.iter().zip(used) {
        if exception.rule.is_some_and(|rule| rule.id != diagnostic.rule.id) {
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
        excused = true;
    }
    excused
}

/// Reports what excuses nothing, unless its rule is off where it stands.
fn unused(site: &Site<'_>, excuses: &[Excuse], used: &[bool], about: &mut Vec<Diagnostic>) {
    let config = site.config;
    let info = &unused_exception::INFO;
    for excuse in excuses.iter().filter(|excuse| !excuse.used) {
        let location = Location::in_file(excuse.file, excuse.named.clone());
        let mut probe = vec![Diagnostic::new(excuse.rule, location.clone(), "")];
        weigh(site, &mut probe);
        if !probe.is_empty() {
            let message = format!("this exception from `{}` excuses nothing", excuse.rule.id);
            about.push(Diagnostic::new(info, location, message).help("take it away"));
        }
    }
    let mut report = |span: &Range<usize>, message: &str| {
        let location = config.located(&Location::in_contract(span.clone()));
        about.push(Diagnostic::new(info, location, message).help("take it away, or correct its pattern"));
    };
    for (exception, _) in config.exceptions.iter().zip(used).filter(|(_, used)| !**used) {
        let counts = exception.rule.is_none_or(|rule| {
            config.level(rule) != Severity::Off || config.overrides.iter().any(|o| o.turns_on(rule.id))
        });
        if counts {
            report(&exception.span, "this `ignore` excuses nothing");
        }
    }
    for entry in &config.overrides {
        let strays = site.tree.strays.iter().map(|stray| Place::Path(stray.path.clone()));
        let mut places = site.tree.ids().map(Place::File).chain(strays);
        if !places.any(|place| is_among(&entry.paths, paths_of(site, &place).as_ref())) {
            report(&entry.span, "this `override` is about no file of the export");
        }
    }
}

/// Reads back the references that findings are about, one file at a time.
struct Written<'s> {
    site: &'s Site<'s>,
    page: Page,
    base: Option<(FileId, Base)>,
}

impl<'s> Written<'s> {
    fn new(site: &'s Site<'s>) -> Self {
        Written { site, page: Page::default(), base: None }
    }

    /// A reference as it is written, as the URL it means, and as that URL's path where it is this site's.
    fn urls(&mut self, diagnostic: &Diagnostic) -> Vec<String> {
        let Place::File(file) = diagnostic.location.place else { return Vec::new() };
        if !diagnostic.is_reference {
            return Vec::new();
        }
        if self.base.as_ref().is_none_or(|(known, _)| *known != file) {
            self.base = Some((file, self.open(file)));
        }
        let span = diagnostic.location.span.start as usize..diagnostic.location.span.end as usize;
        let written = String::from_utf8_lossy(self.page.source.get(span).unwrap_or_default());
        let text = decode_references(&written).trim().to_owned();
        let mut urls = Vec::new();
        if let Some(url) = self.base.as_ref().and_then(|(_, base)| base.join(&text)) {
            if self.site.resolver.is_own(&url) {
                urls.push(url[url::Position::BeforePath..].to_owned());
            }
            urls.push(url.into());
        }
        urls.push(text);
        urls
    }

    fn open(&mut self, file: FileId) -> Base {
        // A file that vanished since it was checked has no references to show.
        let _ = load(self.site, file, &mut self.page);
        let document = self.site.resolver.document(file);
        let is_page = self.site.format(file) == parse::Format::Html;
        match is_page.then(|| parse::base_href(&self.page.source)).flatten() {
            Some(href) => self.site.resolver.with_base_element(&document, &href),
            None => document,
        }
    }
}
