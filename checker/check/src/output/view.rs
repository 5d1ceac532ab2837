//! A report and its options as the formats look at them: which findings are one, and where each is shown.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use percent_encoding::percent_encode;

use super::options::RenderOptions;
use crate::report::Report;
use crate::report::causes::{Causes, Grouping};
use crate::report::finding::{Finding, SourcePlace};
use crate::report::fingerprint::{Fingerprints, URI_PATH};
use sitegate_base::sanitize::slashed;

/// A report, with its findings grouped.
pub(super) struct View<'r> {
    pub report: &'r Report,
    pub options: &'r RenderOptions,
    /// What its findings have in common.
    pub causes: Causes,
    /// The same for each page by itself, where that is asked for.
    by_page: Option<Causes>,
}

/// What a cause is told by: a place in the sources, or, where none is certain, one in the export.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead<'r> {
    /// The cause, by its place in [`View::groups`].
    pub group: usize,
    /// The first finding there, by its place in the report.
    pub finding: u32,
    /// The place in the sources.
    pub source: Option<&'r SourcePlace>,
    /// How many findings come from there, and in how many documents.
    pub findings: usize,
    pub documents: usize,
}

impl<'r> View<'r> {
    pub fn new(report: &'r Report, options: &'r RenderOptions) -> View<'r> {
        let causes = Causes::group(&report.findings, Grouping::Cause);
        let is_by_page = options.group == Grouping::Page;
        let by_page = is_by_page.then(|| Causes::group(&report.findings, Grouping::Page));
        View { report, options, causes, by_page }
    }

    /// The findings that are told as one.
    pub fn groups(&self) -> &Causes {
        self.by_page.as_ref().unwrap_or(&self.causes)
    }

    /// The first finding of a group.
    pub fn first(&self, group: usize) -> &'r Finding {
        self.groups().first(group, &self.report.findings)
    }

    /// The places that a cause is told by: those in the sources that are certain, each once, and for what is not certain the first in the
    /// export.
    pub fn leads(&self, group: usize) -> Vec<Lead<'r>> {
        let mut leads: Vec<Lead<'r>> = Vec::new();
        let mut known: HashMap<&SourcePlace, usize> = HashMap::new();
        let mut last: Vec<Option<&Finding>> = Vec::new();
        // What is not certain comes last.
        let mut rest = Lead { group, finding: 0, source: None, findings: 0, documents: 0 };
        let mut last_of_rest: Option<&Finding> = None;
        for &at in self.groups().findings(group) {
            let finding = self.finding(at);
            let (lead, last) = match finding.certain_source() {
                Some(source) => {
                    let place = *known.entry(source).or_insert(leads.len());
                    if place == leads.len() {
                        leads.push(Lead {
                            group,
                            finding: 0,
                            source: Some(source),
                            findings: 0,
                            documents: 0,
                        });
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

    /// All places that causes are told by, most important first.
    pub fn all_leads(&self) -> impl Iterator<Item = Lead<'r>> {
        (0..self.groups().len()).flat_map(|group| self.leads(group))
    }

    /// A finding, by its place in the report.
    pub fn finding(&self, finding: u32) -> &'r Finding {
        &self.report.findings[finding as usize]
    }

    /// The address that a report leads to a source by: the one that the contract names, or else the file.
    pub fn href<'p>(&self, place: &'p SourcePlace) -> Cow<'p, str> {
        match &place.link {
            Some(link) => Cow::Borrowed(link),
            None => from_folder(&self.options.folder, &self.options.directory, &place.file).into(),
        }
    }

    /// What tools know a cause by, where it is told: wherever it is met, in a source, or on its page.
    pub fn fingerprint(&self, lead: &Lead<'_>, fingerprints: &mut Fingerprints) -> String {
        let finding = self.finding(lead.finding);
        let document = match (self.options.group, lead.source) {
            (_, Some(source)) => source.path(),
            (Grouping::Page, None) if finding.is_in_export() => &finding.file,
            _ => "",
        };
        fingerprints.next(finding, &finding.cause, document)
    }
}

/// The path that leads from a folder to a file, encoded as in addresses. Both may be relative to `directory`.
fn from_folder(folder: &Path, directory: &Path, file: &str) -> String {
    let segments = |path: &Path| {
        let mut segments: Vec<String> = Vec::new();
        for name in slashed(&directory.join(path)).split('/') {
            match name {
                "" | "." => {}
                ".." if segments.last().is_some_and(|last| last != "..") => drop(segments.pop()),
                name => segments.push(name.to_owned()),
            }
        }
        segments
    };
    let (from, to) = (segments(folder), segments(Path::new(file)));
    let common = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let path = format!("{}{}", "../".repeat(from.len() - common), to[common..].join("/"));
    percent_encode(path.as_bytes(), URI_PATH).to_string()
}
