//! Makes the report of a check: positions, causes, source places and snippets, each once.
//!
//! `DocumentNames` are opened here for the last time. What was noted of a finding while its file was read is not read again.

mod in_order;
mod inbound_links;
mod locator;
mod source_locations;
mod string_pool;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::contract::Contract;
use crate::report::causes::{Causes, Grouping};
use crate::report::external_hosts::ExternalHosts;
use crate::report::finding::{CommonCause, Finding, IgnoredFinding, Span};
use crate::report::finding_reader::{below, repository};
use crate::report::ignore_summary;
use crate::report::result::CheckResult;
use crate::report::stages::RatedFinding;
use crate::report::{InferredValue, PROGRAM, Report, SCHEMA_VERSION, Tool};
use crate::seal::CheckedFiles;
use crate::source_map::SourceMap;
use in_order::in_order;
use locator::{Located, Locator};
use source_locations::SourceLocationNames;
use string_pool::{DocumentNames, SNIPPETS, StringPool};

impl CheckResult {
    /// The report, and what is known of the files that were checked.
    pub fn into_report(self, contract: &Contract) -> (Report, CheckedFiles) {
        let source_map = SourceMap::build(&self, contract);
        let mut strings = StringPool::default();
        let (mut findings, things) = findings(&self, contract, &mut strings);
        SourceLocationNames::new(&source_map, &mut strings).add(&mut findings);
        let causes = Causes::of(&findings, Grouping::Cause);
        let causes = causes.iter().map(|(cause, extent)| {
            let first = causes.findings(cause)[0] as usize;
            let Finding { rule, severity, cause, .. } = &findings[first];
            CommonCause {
                rule: Arc::clone(rule),
                severity: *severity,
                cause: Arc::clone(cause),
                findings: extent.findings(),
                files: extent.documents,
                thing: things[first],
            }
        });
        let causes = causes.collect();
        let inferred = self.deployment.inferred.iter().map(|taken| {
            let (value, evidence) = (taken.value.clone(), taken.evidence.clone());
            (taken.key.to_owned(), InferredValue { value, evidence })
        });
        let report = Report {
            schema_version: SCHEMA_VERSION,
            tool: Tool { name: PROGRAM.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
            root: self.tree.root().display().to_string(),
            root_path: below(self.tree.root(), &repository()),
            elapsed_ms: None,
            verdict: self.verdict(),
            summary: self.summary,
            inferred: inferred.collect(),
            skipped: self.skipped().to_vec(),
            external: self.external.as_ref().map(ExternalHosts::of),
            inbound: inbound_links::inbound(&self),
            causes,
            ignores: ignore_summary::tally(&self, contract),
            ignored: ignored(&self, contract, &mut strings),
            findings,
            unreadable: self.unreadable,
        };
        (report, CheckedFiles { tree: self.tree, digests: self.digests, depths: self.depths })
    }
}

/// The findings, and whether the cause of each has the name of a thing.
fn findings(
    result: &CheckResult,
    contract: &Contract,
    strings: &mut StringPool,
) -> (Vec<Finding>, Vec<bool>) {
    let findings = &result.findings;
    let mut made = Vec::with_capacity(findings.len());
    let mut things = Vec::with_capacity(findings.len());
    let mut documents = DocumentNames::new(result, contract);
    let (cache, firsts) = (AtomicUsize::new(0), RwLock::new(HashSet::new()));
    let is_first = |key: u64| !firsts.read().unwrap_or_else(PoisonError::into_inner).contains(&key);
    let locate = |locator: &mut Locator<'_>, at: usize| {
        let found = &findings[at];
        let mut located = locator.locate(found);
        let key = string_pool::hash((found.raw.rule.id, found.severity.as_str(), located.cause_name(found)));
        // Whether it is kept is decided in order; here nothing is made that cannot be kept.
        if cache.load(Ordering::Relaxed) < SNIPPETS || is_first(key) {
            located.snippet = locator.snippet(found);
        }
        (at, key, located)
    };
    in_order(
        findings.len(),
        |at| &findings[at],
        || Locator::new(result, contract),
        locate,
        |(at, key, mut located)| {
            let mut firsts = firsts.write().unwrap_or_else(PoisonError::into_inner);
            let is_first = firsts.len() < SNIPPETS && firsts.insert(key);
            if !is_first && cache.load(Ordering::Relaxed) >= SNIPPETS {
                located.snippet = None;
            } else if !is_first && located.snippet.is_some() {
                cache.fetch_add(1, Ordering::Relaxed);
            }
            things.push(located.thing.is_some());
            made.push(finding(&findings[at], located, &mut documents, strings));
        },
    );
    (made, things)
}

fn finding(
    RatedFinding { raw, severity, .. }: &RatedFinding,
    located: Located,
    documents: &mut DocumentNames<'_>,
    strings: &mut StringPool,
) -> Finding {
    let (file, document) = documents.of(&raw.location.document, strings);
    let cause = strings.share(raw.cause_name(located.thing.as_deref()));
    let [(line, column), (end_line, end_column)] = located.position;
    Finding {
        rule: strings.share(raw.rule.id),
        category: raw.rule.category,
        severity: *severity,
        message: Arc::clone(&raw.message),
        file,
        line,
        column,
        span: Span { start: raw.location.span.start, end: raw.location.span.end },
        url: located.url.map(|url| strings.share(&url)),
        help: raw.help.as_deref().map(|help| strings.share(help)),
        cause,
        source: None,
        candidates: Box::default(),
        end_line,
        end_column,
        snippet: located.snippet.map(|snippet| strings.snippet(snippet)),
        utf16: located.is_utf16,
        document,
    }
}

fn ignored(result: &CheckResult, contract: &Contract, strings: &mut StringPool) -> Vec<IgnoredFinding> {
    let mut documents = DocumentNames::new(result, contract);
    let mut locator = Locator::new(result, contract);
    let make = |(at, ignored): (usize, &crate::report::ignored::IgnoredRatedFinding)| {
        let found = &ignored.finding;
        let mut located = locator.locate(found);
        if at < SNIPPETS {
            located.snippet = locator.snippet(found);
        }
        IgnoredFinding {
            finding: finding(found, located, &mut documents, strings),
            by: ignored.by.kind().to_owned(),
            reason: ignored.by.reason(contract).map(str::to_owned),
        }
    };
    result.ignored.iter().enumerate().map(make).collect()
}
