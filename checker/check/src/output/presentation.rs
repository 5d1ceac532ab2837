//! What is written of a check: its report, what the findings have in common, and how much of it people are told.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::contract::Contract;
use crate::diagnostic::{Diagnostic, Place};
use crate::report::Report;
use crate::report::causes::{Causes, Grouping};
use crate::report::excuse_tally::{self, ExcuseTally};
use crate::report::fingerprint::Fingerprints;
use crate::source_map::{SourceLocation, SourceMap};

/// How much the formats for people tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Every cause, and every place of each.
    pub all: bool,
    /// Errors alone.
    pub quiet: bool,
    /// Which findings are told as one.
    pub group: Grouping,
}

/// What is written: a report, with what its formats say beyond it.
pub struct Presentation<'r> {
    /// The report.
    pub report: &'r Report,
    /// The contract that it was held to.
    pub contract: &'r Contract,
    /// What its findings have in common.
    pub causes: Causes,
    /// The same for each page by itself, where that is asked for.
    by_page: Option<Causes>,
    /// Where its findings were written.
    pub source_map: SourceMap,
    /// What was let pass, and why.
    pub excuses: Vec<ExcuseTally>,
    /// How long the check took, for the formats that people read at leisure.
    pub elapsed: Duration,
    /// How much the formats for people tell.
    pub extent: Extent,
    /// The folder that the report is written to, for links in it; the working directory where that is not known.
    pub folder: PathBuf,
}

/// What a cause is told by: a place in the sources, or, where none is certain, one in the export.
#[derive(Clone, Debug)]
pub(super) struct Lead {
    /// The cause, by its place in [`Presentation::groups`].
    pub group: usize,
    /// The first finding there, by its place in the report.
    pub finding: u32,
    /// The place in the sources.
    pub source: Option<SourceLocation>,
    /// How many findings come from there, and in how many documents.
    pub findings: usize,
    pub documents: usize,
}

impl<'r> Presentation<'r> {
    /// Everything there is to write about a report.
    pub fn new(report: &'r Report, contract: &'r Contract, elapsed: Duration) -> Presentation<'r> {
        let causes = Causes::of(report, contract, Grouping::Cause);
        let source_map = SourceMap::build(report, contract);
        let excuses = excuse_tally::tally(report, contract);
        let (by_page, extent) = (None, Extent::default());
        Presentation {
            report,
            contract,
            causes,
            by_page,
            source_map,
            excuses,
            elapsed,
            extent,
            folder: PathBuf::new(),
        }
    }

    /// The same, telling people so much.
    #[must_use]
    pub fn with_extent(mut self, extent: Extent) -> Presentation<'r> {
        let is_by_page = extent.group == Grouping::Page;
        self.by_page = is_by_page.then(|| Causes::of(self.report, self.contract, Grouping::Page));
        self.extent = extent;
        self
    }

    /// The findings that are told as one.
    pub fn groups(&self) -> &Causes {
        self.by_page.as_ref().unwrap_or(&self.causes)
    }

    /// The places that a cause is told by: those in the sources that are certain, each once, and for what is not certain the first in the
    /// export.
    pub(super) fn leads(&self, group: usize) -> Vec<Lead> {
        let groups = self.groups();
        let mut leads: Vec<Lead> = Vec::new();
        let mut known: HashMap<SourceLocation, usize> = HashMap::new();
        let mut last: Vec<Option<&Place>> = Vec::new();
        // What is not certain comes last.
        let mut rest = Lead { group, finding: 0, source: None, findings: 0, documents: 0 };
        let mut last_of_rest: Option<&Place> = None;
        for &finding in groups.findings(group) {
            let place = &self.finding(finding).location.place;
            let (lead, last) = match self.source_map.certain(finding as usize) {
                Some(source) => {
                    let at = *known.entry(source).or_insert(leads.len());
                    if at == leads.len() {
                        leads.push(Lead { group, finding, source: Some(source), findings: 0, documents: 0 });
                        last.push(None);
                    }
                    (&mut leads[at], &mut last[at])
                }
                None => (&mut rest, &mut last_of_rest),
            };
            if lead.findings == 0 {
                lead.finding = finding;
            }
            lead.findings += 1;
            lead.documents += usize::from(last.replace(place) != Some(place));
        }
        leads.extend((rest.findings > 0).then_some(rest));
        leads
    }

    /// All places that causes are told by, most important first.
    pub(super) fn all_leads(&self) -> impl Iterator<Item = Lead> {
        (0..self.groups().len()).flat_map(|group| self.leads(group))
    }

    /// A finding, by its place in the report.
    pub(super) fn finding(&self, finding: u32) -> &'r Diagnostic {
        &self.report.diagnostics[finding as usize]
    }

    /// The address that a report leads to a source by: the one that the contract names, or else the file.
    pub(super) fn href(&self, place: SourceLocation) -> String {
        self.source_map.link(place).unwrap_or_else(|| self.source_map.from_folder(&self.folder, place))
    }

    /// What tools know a cause by, where it is told: wherever it is met, in a source, or on its page.
    pub(super) fn fingerprint(&self, lead: &Lead, fingerprints: &mut Fingerprints) -> String {
        let finding = self.finding(lead.finding);
        let document = match (self.extent.group, &finding.location.place) {
            _ if lead.source.is_some() => {
                lead.source.map(|source| self.source_map.path(source)).unwrap_or_default().into()
            }
            (Grouping::Page, Place::File(file)) => self.report.tree.display(*file),
            (Grouping::Page, Place::Path(path)) => path.as_ref().into(),
            _ => "".into(),
        };
        fingerprints.next(finding, self.groups().name(lead.group, self.report), &document)
    }
}
