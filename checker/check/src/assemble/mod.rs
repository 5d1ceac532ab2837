//! Assembles the report of a check: adds positions, causes, source locations and snippets to its findings.
//!
//! This is the last stage that reads files of the export. Findings with a context from the scan need no reading.

mod computed_imports;
mod details;
mod fixes;
mod inbound_links;
mod other_root;
mod parallel;
mod source_locations;
mod string_pool;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::contract::Contract;
use crate::raw_finding::documentation;
use crate::report::causes::Causes;
use crate::report::external_hosts::ExternalHosts;
use crate::report::finding::{Finding, IgnoredFinding, Span};
use crate::report::finding_reader::{below, repository};
use crate::report::ignore_summary;
use crate::report::ignored::IgnoredRatedFinding;
use crate::report::result::CheckResult;
use crate::report::stages::RatedFinding;
use crate::report::{InferredValue, PROGRAM, Report, SCHEMA_VERSION, Tool};
use crate::seal::CheckedFiles;
use crate::source_map::SourceMap;
use details::{DetailsReader, FindingDetails};
use parallel::for_each_in_order;
use source_locations::SourceLocationNames;
use string_pool::{DocumentNames, SNIPPETS, StringPool};

impl CheckResult {
    /// Assembles the report, and returns it with the files that were checked.
    pub fn into_report(mut self, contract: &Contract) -> (Report, CheckedFiles) {
        let source_map = SourceMap::build(&self, contract);
        let mut strings = StringPool::default();
        let (mut findings, things) = findings(&self, contract, &mut strings);
        SourceLocationNames::new(&source_map, &mut strings).add(&mut findings);
        fixes::add_fixes(&self, contract, &source_map, &mut findings, &mut strings);
        // A million findings take hundreds of megabytes: they are in memory only once from here on.
        drop(source_map);
        self.findings = Vec::new();
        let causes = Causes::common(&findings, |at| things[at]);
        let inferred = self.deployment.inferred.iter().map(|setting| {
            let (value, evidence) = (setting.value.clone(), setting.evidence.clone());
            (setting.key.to_owned(), InferredValue { value, evidence })
        });
        let other_root = other_root::other_root(&self, &causes);
        if other_root.is_some() {
            // The links are right from another folder.
            for finding in &mut findings {
                finding.fix = None;
            }
        }
        let report = Report {
            schema_version: SCHEMA_VERSION,
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
            computed_imports: computed_imports::computed_imports(&self, contract),
            external: self.external.as_ref().map(ExternalHosts::new),
            inbound: inbound_links::inbound_links(&self),
            other_root,
            causes,
            ignores: ignore_summary::summarize(&self, contract),
            ignored: ignored(&self, contract, &mut strings),
            findings,
            unreadable: self.unreadable,
        };
        (report, CheckedFiles { tree: self.tree, digests: self.digests, depths: self.depths })
    }
}

/// Returns the findings, and for each, whether its cause is the name of a thing.
fn findings(
    result: &CheckResult,
    contract: &Contract,
    strings: &mut StringPool,
) -> (Vec<Finding>, Vec<bool>) {
    let findings = &result.findings;
    let mut assembled = Vec::with_capacity(findings.len());
    let mut things = Vec::with_capacity(findings.len());
    let mut documents = DocumentNames::new(result, contract);
    let (snippets, firsts) = (AtomicUsize::new(0), RwLock::new(HashSet::new()));
    let may_be_first = |key: u64| !firsts.read().unwrap_or_else(PoisonError::into_inner).contains(&key);
    let read_details = |reader: &mut DetailsReader<'_>, at: usize| {
        let found = &findings[at];
        let mut details = reader.read_details(found);
        let key = string_pool::hash((found.raw.rule.id, found.severity.as_str(), details.cause_name(found)));
        // The consumer decides in order which snippets to keep. Here, only hopeless ones are left out.
        if snippets.load(Ordering::Relaxed) < SNIPPETS || may_be_first(key) {
            details.snippet = reader.snippet(found);
        }
        (at, key, details)
    };
    for_each_in_order(
        findings.len(),
        |at| &findings[at],
        || DetailsReader::new(result, contract),
        read_details,
        |(at, key, mut details)| {
            let mut firsts = firsts.write().unwrap_or_else(PoisonError::into_inner);
            let is_first = firsts.len() < SNIPPETS && firsts.insert(key);
            if !is_first && snippets.load(Ordering::Relaxed) >= SNIPPETS {
                details.snippet = None;
            } else if !is_first && details.snippet.is_some() {
                snippets.fetch_add(1, Ordering::Relaxed);
            }
            things.push(details.thing.is_some());
            assembled.push(finding(&findings[at], details, &mut documents, strings));
        },
    );
    (assembled, things)
}

fn finding(
    RatedFinding { raw, severity, .. }: &RatedFinding,
    details: FindingDetails,
    documents: &mut DocumentNames<'_>,
    strings: &mut StringPool,
) -> Finding {
    let (file, document) = documents.get(&raw.location.document, strings);
    let cause = strings.share(raw.cause_name(details.thing.as_deref()));
    let [(line, column), (end_line, end_column)] = details.position;
    Finding {
        rule: strings.share(raw.rule.id),
        category: raw.rule.category,
        severity: *severity,
        message: Arc::clone(&raw.message),
        file,
        line,
        column,
        span: Span { start: raw.location.span.start, end: raw.location.span.end },
        url: details.url.map(|url| strings.share(&url)),
        help: raw.help.as_deref().map(|help| strings.share(help)),
        fix: None,
        cause,
        source: None,
        candidates: Box::default(),
        end_line,
        end_column,
        snippet: details.snippet.map(|snippet| strings.snippet(snippet)),
        utf16: details.is_utf16,
        document,
    }
}

fn ignored(result: &CheckResult, contract: &Contract, strings: &mut StringPool) -> Vec<IgnoredFinding> {
    let mut documents = DocumentNames::new(result, contract);
    let mut reader = DetailsReader::new(result, contract);
    let assemble = |(at, ignored): (usize, &IgnoredRatedFinding)| {
        let found = &ignored.finding;
        let mut details = reader.read_details(found);
        if at < SNIPPETS {
            details.snippet = reader.snippet(found);
        }
        IgnoredFinding {
            finding: finding(found, details, &mut documents, strings),
            by: ignored.by.kind().to_owned(),
            reason: ignored.by.reason(contract).map(str::to_owned),
        }
    };
    result.ignored.iter().enumerate().map(assemble).collect()
}
