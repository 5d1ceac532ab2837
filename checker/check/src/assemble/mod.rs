//! Assembles the report of a check: adds positions, causes, source locations and snippets to its findings.
//!
//! This is the last stage that reads files of the export. Findings that the scan has located need no reading.

mod fixes;
mod parallel;
mod string_pool;
mod whole_site;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::contract::Contract;
use crate::raw_finding::{Located, RawFinding, documentation};
use crate::report::causes::Causes;
use crate::report::document_names::{below, repository};
use crate::report::finding::{Finding, IgnoredFinding, Span};
use crate::report::ignores;
use crate::report::locator::FindingLocator;
use crate::report::result::{CheckResult, IgnoredBy};
use crate::report::{InferredValue, Report, Tool};
use crate::seal::CheckedFiles;
use crate::source_map::{DocumentFindings, DocumentReader, SourceSearch};
use parallel::for_each_in_order;
use sitegate_base::artifact::{PROGRAM, REPORT};
use sitegate_base::lock::lock;
use string_pool::{SNIPPETS, SharedNames, SourceLocationNames, StringPool};

impl CheckResult {
    /// Assembles the report, and returns it with the files that were checked.
    pub fn into_report(mut self, contract: &Contract) -> (Report, CheckedFiles) {
        let mut strings = StringPool::default();
        let search = SourceSearch::new(&self, contract);
        let AssembledFindings { mut findings, things, documents } =
            AssembledFindings::read(&self, contract, search.as_ref(), &mut strings);
        let source_map = search.map(|search| search.find(documents)).unwrap_or_default();
        SourceLocationNames::new(&source_map, &mut strings).add(&mut findings);
        let generated = fixes::add_fixes(&self, contract, &source_map, &mut findings, &mut strings);
        // A million findings take hundreds of megabytes: they are in memory only once from here on.
        drop(source_map);
        self.findings = Vec::new();
        let causes = Causes::common(&findings, |at| things[at]);
        let inferred = self.deployment.inferred.iter().map(|setting| {
            let (value, evidence) = (setting.value.clone(), setting.evidence.clone());
            (setting.key.to_owned(), InferredValue { value, evidence })
        });
        let other_root = whole_site::other_root(&self, &causes);
        let has_other_root = other_root.is_some();
        if has_other_root {
            // The links are right from another folder.
            for finding in &mut findings {
                finding.fix = None;
            }
        }
        let report = Report {
            schema_version: REPORT.version,
            tool: Tool {
                name: PROGRAM.to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                documentation: documentation().map(str::to_owned),
            },
            root: self.tree.root().display().to_string(),
            root_path: below(self.tree.root(), &repository()),
            elapsed_ms: None,
            verdict: self.verdict(),
            summary: self.summary,
            inferred: inferred.collect(),
            skipped: self.skipped().to_vec(),
            computed_imports: whole_site::computed_imports(&self, contract),
            external: self.external.clone(),
            inbound: whole_site::inbound_links(&self),
            other_root,
            causes,
            ignores: ignores::summarize(&self, contract),
            ignored: ignored(&self, contract, &mut strings),
            findings,
            unreadable: self.unreadable,
            generated: if has_other_root { 0 } else { generated },
        };
        (report, CheckedFiles { tree: self.tree, digests: self.digests, depths: self.depths })
    }
}

/// The findings of the report, without their source locations.
struct AssembledFindings {
    findings: Vec<Finding>,
    /// For each finding, whether its cause is the name of a thing.
    things: Vec<bool>,
    /// The documents, for the search of their sources; empty without one.
    documents: Vec<DocumentFindings>,
}

impl AssembledFindings {
    /// Locates all findings. Each document that the scan has not located completely is read once: also for the search.
    fn read(
        result: &CheckResult,
        contract: &Contract,
        search: Option<&SourceSearch<'_>>,
        strings: &mut StringPool,
    ) -> AssembledFindings {
        let findings = &result.findings;
        let mut assembled = AssembledFindings {
            findings: Vec::with_capacity(findings.len()),
            things: Vec::with_capacity(findings.len()),
            documents: Vec::new(),
        };
        let mut names = SharedNames::new(result, contract);
        let (snippets, firsts) = (AtomicUsize::new(0), Mutex::new(HashSet::new()));
        let locate = |(locator, reader): &mut (FindingLocator<'_>, Option<DocumentReader<'_>>), at: usize| {
            let found = &findings[at];
            let is_next = at == 0 || findings[at - 1].location.document != found.location.document;
            let document = reader.as_ref().filter(|_| is_next).map(|reader| {
                let is_same = |other: &&RawFinding| other.location.document == found.location.document;
                let count = findings[at..].iter().take_while(is_same).count();
                reader.read(&findings[at..at + count], locator)
            });
            let mut located = locator.locate(found).into_owned();
            let thing = found.thing(&located);
            let key = string_pool::hash((
                found.rule.id,
                found.severity.as_str(),
                found.cause_name(thing.as_deref()),
            ));
            // The consumer decides in order which snippets to keep. Here, only hopeless ones are left out.
            if located.snippet.is_none()
                && (snippets.load(Ordering::Relaxed) < SNIPPETS || !lock(&firsts).contains(&key))
            {
                located.snippet = locator.snippet(found);
            }
            (at, key, located, document)
        };
        for_each_in_order(
            findings,
            || (FindingLocator::new(result, contract), search.map(SourceSearch::reader)),
            locate,
            |(at, key, mut located, document)| {
                let mut firsts = lock(&firsts);
                let is_first = firsts.len() < SNIPPETS && firsts.insert(key);
                if !is_first && snippets.load(Ordering::Relaxed) >= SNIPPETS {
                    located.snippet = None;
                } else if !is_first && located.snippet.is_some() {
                    snippets.fetch_add(1, Ordering::Relaxed);
                }
                let (finding, is_thing) = assembled_finding(&findings[at], located, &mut names, strings);
                assembled.things.push(is_thing);
                assembled.findings.push(finding);
                assembled.documents.extend(document);
            },
        );
        assembled
    }
}

/// Returns a finding of the report, and whether its cause is the name of a thing.
fn assembled_finding(
    raw: &RawFinding,
    mut located: Located,
    names: &mut SharedNames<'_>,
    strings: &mut StringPool,
) -> (Finding, bool) {
    let (file, document) = names.get(&raw.location.document, strings);
    let snippet = located.snippet.take().map(|snippet| strings.snippet(snippet));
    let thing = raw.thing(&located);
    let finding = Finding {
        rule: strings.share(raw.rule.id),
        category: raw.rule.category,
        severity: raw.severity,
        message: Arc::clone(&raw.message),
        file,
        line: located.start.line,
        column: located.start.column,
        span: Span { start: raw.location.span.start, end: raw.location.span.end },
        url: located.text.as_deref().filter(|_| raw.is_reference).map(|url| strings.share(url)),
        help: raw.help.as_deref().map(|help| strings.share(help)),
        fix: None,
        cause: strings.share(raw.cause_name(thing.as_deref())),
        source: None,
        candidates: Box::default(),
        end_line: located.end.line,
        end_column: located.end.column,
        snippet,
        utf16: located.is_transcoded,
        document,
    };
    (finding, thing.is_some())
}

fn ignored(result: &CheckResult, contract: &Contract, strings: &mut StringPool) -> Vec<IgnoredFinding> {
    let mut names = SharedNames::new(result, contract);
    let mut locator = FindingLocator::new(result, contract);
    let assemble = |(at, (found, by)): (usize, &(RawFinding, IgnoredBy))| {
        let mut located = locator.locate(found).into_owned();
        located.snippet = if at < SNIPPETS { locator.snippet(found) } else { None };
        IgnoredFinding {
            finding: assembled_finding(found, located, &mut names, strings).0,
            by: by.kind().to_owned(),
            reason: by.reason(contract).map(str::to_owned),
        }
    };
    result.ignored.iter().enumerate().map(assemble).collect()
}
