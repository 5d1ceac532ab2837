//! Provides a report's groups, their main locations, and counts by rule to the output formats, which have options.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use percent_encoding::percent_encode;
use url::Url;

use crate::raw_finding::Severity;
use crate::report::Report;
use crate::report::causes::Causes;
use crate::report::finding::{Finding, SourcePlace};
use crate::report::fingerprint::{Fingerprints, URI_PATH};
use sitegate_address::relative::{JoinedPath, join, relative};
use sitegate_base::sanitize::slashed;

/// The width of a text that is not written to a terminal, in columns.
const DEFAULT_WIDTH: usize = 100;

/// Options of the output formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether to list every cause and all its locations.
    pub all: bool,
    /// Whether to list only errors.
    pub quiet: bool,
    /// The folder that the report is written to, for relative links; empty if it is [`RenderOptions::directory`].
    pub folder: PathBuf,
    /// The folder that source paths in the report are relative to: the working directory of the check.
    pub directory: PathBuf,
    /// The URL that opens a location in an editor, with `{path}`, `{line}` and `{column}`, for
    /// [`super::OutputFormat::Html`].
    pub editor: Option<String>,
    /// The width of the terminal in columns, for [`super::OutputFormat::Human`].
    pub width: usize,
    /// Whether the terminal shows links (the sequence OSC 8), for [`super::OutputFormat::Human`].
    pub hyperlinks: bool,
    /// Number of findings that `--fix` would fix here, for [`super::OutputFormat::Human`]: the state of the sources decides
    /// which it may edit. If it is not known, as for a saved report, all certain fixes count.
    pub fixable: Option<usize>,
}

impl Default for RenderOptions {
    fn default() -> RenderOptions {
        RenderOptions {
            all: false,
            quiet: false,
            folder: PathBuf::new(),
            directory: PathBuf::new(),
            editor: None,
            width: DEFAULT_WIDTH,
            hyperlinks: false,
            fixable: None,
        }
    }
}

/// A report with grouped findings.
pub(super) struct View<'r> {
    pub report: &'r Report,
    pub options: &'r RenderOptions,
    /// The causes.
    pub causes: Causes,
}

/// A main location of a cause: a certain source location, or the first location in the export.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead<'r> {
    /// The cause, as an index into [`View::causes`].
    pub group: usize,
    /// The first finding at this location, as an index into the report.
    pub finding: u32,
    /// The source location, if certain.
    pub source: Option<&'r SourcePlace>,
    /// The numbers of findings and documents that share this location.
    pub findings: usize,
    pub documents: usize,
}

/// An entry of the formats that list one problem after the other.
pub(super) enum ReportEntry<'r> {
    /// The error of a file that could not be read.
    Unreadable(&'r str),
    /// A cause at one of its main locations.
    Cause(Lead<'r>),
}

/// A location that tools annotate.
pub(super) struct AnnotatedPlace<'r> {
    /// Path from the root of the repository, with `/`.
    pub path: Cow<'r, str>,
    /// Line and column of the first character, from 1.
    pub start: (u32, u32),
    /// Line and column after the last character.
    pub end: (u32, u32),
}

impl<'r> View<'r> {
    pub fn new(report: &'r Report, options: &'r RenderOptions) -> View<'r> {
        View { report, options, causes: Causes::group(&report.findings) }
    }

    /// Returns the first finding of a group.
    pub fn first(&self, group: usize) -> &'r Finding {
        self.causes.first(group, &self.report.findings)
    }

    /// Returns the main locations of a group: each certain source location once, then the first location in the export of
    /// findings without one.
    pub fn leads(&self, group: usize) -> Vec<Lead<'r>> {
        let mut leads: Vec<Lead<'r>> = Vec::new();
        let mut known: HashMap<&SourcePlace, usize> = HashMap::new();
        let mut last: Vec<Option<&Finding>> = Vec::new();
        // Findings without a certain source come last.
        let lead = |source| Lead { group, finding: 0, source, findings: 0, documents: 0 };
        let mut rest = lead(None);
        let mut last_of_rest: Option<&Finding> = None;
        for &at in self.causes.findings(group) {
            let finding = self.finding(at);
            let (lead, last) = match finding.certain_source() {
                Some(source) => {
                    let place = *known.entry(source).or_insert(leads.len());
                    if place == leads.len() {
                        leads.push(lead(Some(source)));
                        last.push(None);
                    }
                    (&mut leads[place], &mut last[place])
                }
                None => (&mut rest, &mut last_of_rest),
            };
            if lead.findings == 0 {
                lead.finding = at;
            }
            lead.findings += 1;
            let is_same = last.replace(finding).is_some_and(|last| last.is_in_file_of(finding));
            lead.documents += usize::from(!is_same);
        }
        leads.extend((rest.findings > 0).then_some(rest));
        leads
    }

    /// Returns the main locations of all groups, most important first.
    pub fn all_leads(&self) -> impl Iterator<Item = Lead<'r>> {
        (0..self.causes.len()).flat_map(|group| self.leads(group))
    }

    /// Returns the first main locations of all groups, most important first, in the order of the report.
    pub fn leads_by_finding(&self, max: usize) -> Vec<Lead<'r>> {
        let mut leads: Vec<Lead<'r>> = self.all_leads().take(max).collect();
        leads.sort_by_key(|lead| lead.finding);
        leads
    }

    /// Returns the errors of files that could not be read, then the main locations of all groups, in the order of the
    /// report.
    pub fn entries(&self) -> impl Iterator<Item = ReportEntry<'r>> {
        let unreadable = self.report.unreadable.iter().map(|error| ReportEntry::Unreadable(error));
        unreadable.chain(self.leads_by_finding(usize::MAX).into_iter().map(ReportEntry::Cause))
    }

    /// Returns the location that tools annotate: the certain source, or else the location in the export.
    pub fn annotated_place(&self, lead: &Lead<'r>) -> AnnotatedPlace<'r> {
        let finding = self.finding(lead.finding);
        match lead.source {
            Some(source) => AnnotatedPlace {
                path: Cow::Borrowed(source.path()),
                start: (source.line, source.column),
                end: (source.line, source.column + source.length),
            },
            None => AnnotatedPlace {
                path: Cow::Owned(self.report.path(finding)),
                start: (finding.line, finding.column),
                end: (finding.end_line, finding.end_column),
            },
        }
    }

    /// Returns a finding by its index in the report.
    pub fn finding(&self, finding: u32) -> &'r Finding {
        &self.report.findings[finding as usize]
    }

    /// Returns how to fix a cause: the help of its main finding, or else the first help of its findings, with the
    /// location that it is about.
    pub fn help(&self, lead: &Lead<'_>) -> Option<Cow<'r, str>> {
        if let Some(help) = &self.finding(lead.finding).help {
            return Some(Cow::Borrowed(help));
        }
        let mut findings = self.causes.findings(lead.group).iter().map(|&at| self.finding(at));
        let (finding, help) = findings.find_map(|finding| Some((finding, finding.help.as_ref()?)))?;
        Some(Cow::Owned(format!("at `{}:{}`: {help}", self.path(finding), finding.line)))
    }

    /// Returns the path of a finding's file from the working directory, if it is in a folder below it. The file of a
    /// live site has its path in the site.
    pub fn path(&self, finding: &Finding) -> String {
        if finding.is_in_export() { self.path_of_file(&finding.file) } else { finding.file.to_string() }
    }

    /// Returns the path of a file of the export, like [`View::path`].
    pub fn path_of_file(&self, file: &str) -> String {
        let root = Path::new(&self.report.root);
        if self.report.root.contains("://") {
            return file.to_owned();
        }
        let below = root.strip_prefix(&self.options.directory).unwrap_or(root);
        let folders = below.components().filter(|part| *part != Component::CurDir).collect::<PathBuf>();
        slashed(&folders.join(file))
    }

    /// Returns the URL of a file, by its path from the working directory.
    pub fn file_url(&self, file: &str) -> Option<String> {
        Url::from_file_path(self.options.directory.join(file)).ok().map(String::from)
    }

    /// Returns the URL that opens a location in the editor, if there is one. The path is from the working directory.
    pub fn editor_url(&self, file: &str, line: u32, column: u32) -> Option<String> {
        let template = self.editor_template()?;
        let path = percent_encode(file.as_bytes(), URI_PATH).to_string();
        Some(
            template
                .replace("{file}", &path)
                .replace("{line}", &line.to_string())
                .replace("{column}", &column.to_string()),
        )
    }

    /// Returns the URL that opens a location in the editor, with `{file}`, `{line}` and `{column}`. `None` without an
    /// editor, or if the report is about a live site.
    pub fn editor_template(&self) -> Option<String> {
        let editor = self.options.editor.as_ref().filter(|_| !self.report.root.contains("://"))?;
        let directory = slashed(&self.options.directory);
        let directory = percent_encode(directory.trim_start_matches('/').as_bytes(), URI_PATH);
        Some(editor.replace("{path}", &format!("/{directory}/{{file}}")))
    }

    /// Returns the link to a source location: the URL from the contract, or the file's path.
    pub fn href<'p>(&self, place: &'p SourcePlace) -> Cow<'p, str> {
        match place.web_link() {
            Some(link) => Cow::Borrowed(link),
            None => from_folder(&self.options.folder, &self.options.directory, &place.file).into(),
        }
    }

    /// Returns the fingerprint that identifies a cause across runs, for its source or the whole site.
    pub fn fingerprint(&self, lead: &Lead<'_>, fingerprints: &mut Fingerprints) -> String {
        let finding = self.finding(lead.finding);
        fingerprints.next(finding, &finding.cause, lead.source.map_or("", SourcePlace::path))
    }
}

/// Returns the percent-encoded path from a folder to a file. Both may be relative to `directory`.
fn from_folder(folder: &Path, directory: &Path, file: &str) -> String {
    let plain = |path: &Path| {
        let JoinedPath { path, above_root } = join("", &slashed(&directory.join(path)));
        format!("{}{path}", "../".repeat(above_root))
    };
    let path = relative(&plain(folder), &plain(Path::new(file)));
    percent_encode(path.as_bytes(), URI_PATH).to_string()
}

/// The findings of one rule at one level.
pub(super) struct RuleTally<'r> {
    pub rule: &'r str,
    /// The rule's summary; empty for a rule of another version.
    pub summary: &'static str,
    pub severity: Severity,
    pub findings: usize,
    pub causes: usize,
}

/// Counts the findings of each rule: errors first, then by number of findings.
pub(super) fn tally_by_rule(report: &Report) -> Vec<RuleTally<'_>> {
    let mut rules: BTreeMap<(&str, Severity), RuleTally<'_>> = BTreeMap::new();
    for cause in &report.causes {
        let (rule, severity) = (&*cause.rule, cause.severity);
        let entry = rules.entry((rule, severity)).or_insert_with(|| {
            let summary = crate::rules::find_rule(rule).map_or("", |info| info.summary);
            RuleTally { rule, summary, severity, findings: 0, causes: 0 }
        });
        entry.findings += cause.findings;
        entry.causes += 1;
    }
    let mut tally: Vec<RuleTally<'_>> = rules.into_values().collect();
    tally.sort_by_key(|entry| (Reverse((entry.severity, entry.findings)), entry.rule));
    tally
}
