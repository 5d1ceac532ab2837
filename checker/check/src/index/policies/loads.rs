//! Checks the style sheets and scripts that pages load against the policies of these pages, and workers against their
//! own.

use std::collections::BTreeSet;

use url::Url;

use super::blocked::Blocked;
use super::page::directive_of_css;
use super::policy_set::{HeaderPolicies, LoadsOfSet, PolicySet};
use crate::csp::{Directive, Request};
use crate::index::scripts::ScriptRequest;
use crate::index::site::Site;
use crate::parse::ReferenceKind as Kind;
use crate::resolve::Target;
use crate::walk::FileId;
use sitegate_html::css::{self, CssUse};

/// Returns what the policies of a set block in its style sheets, and in those that they import.
pub(super) fn blocked_in_style_sheets(site: &Site<'_>, loads: &LoadsOfSet) -> Vec<Blocked> {
    let Some(page) = &loads.page else { return Vec::new() };
    let mut known = loads.sheets.clone();
    let mut pending: Vec<_> = loads.sheets.iter().copied().collect();
    let mut blocked = Vec::new();
    while let Some(sheet) = pending.pop() {
        // Another stage reports files that cannot be read.
        let Ok(source) = site.source(sheet) else { continue };
        let base = site.resolver.document(sheet);
        css::urls(&String::from_utf8_lossy(&source), |css_use, written, range| {
            let url = base.join(written).filter(|_| !written.starts_with('#'));
            let Some(url) = url.map(|url| loads.policies.requested(url)) else { return };
            let directive = directive_of_css(css_use);
            let request = Request { directive, url: &url, nonce: None, integrity: None, is_by_script: false };
            let span = range.start as u32..range.end as u32;
            match loads.policies.violation(&request, page, sheet, span) {
                Some(violation) => blocked.push(violation),
                None if css_use == CssUse::Import => {
                    if let Target::File { file, .. } = site.resolver.resolve(&base, written, &mut Vec::new())
                        && known.insert(file)
                    {
                        pending.push(file);
                    }
                }
                None => {}
            }
        });
    }
    blocked
}

/// What policies block in scripts, and the workers that they start.
#[derive(Default)]
pub(super) struct ScriptChecks {
    pub blocked: Vec<Blocked>,
    pub workers: BTreeSet<FileId>,
}

/// Checks the scripts of a set, and those that they import. The requests are sorted by file.
pub(super) fn check_scripts(requests: &[ScriptRequest], loads: &LoadsOfSet, checks: &mut ScriptChecks) {
    let Some(page) = &loads.page else { return };
    let mut known: BTreeSet<(FileId, bool)> = loads.scripts.clone();
    let mut pending: Vec<(FileId, bool)> = loads.scripts.iter().copied().collect();
    for (file, content, has_nonce) in &loads.inline_scripts {
        let in_script = |request: &&ScriptRequest| content.contains(&request.span.start);
        for request in of_file(requests, *file).filter(in_script) {
            let next = check_request(request, *has_nonce, page, loads, checks);
            pending.extend(next.filter(|next| known.insert(*next)));
        }
    }
    while let Some((file, has_nonce)) = pending.pop() {
        for request in of_file(requests, file) {
            let next = check_request(request, has_nonce, page, loads, checks);
            pending.extend(next.filter(|next| known.insert(*next)));
        }
    }
}

/// Checks workers, which have the policies of their own responses, and those that they start.
pub(super) fn check_workers(
    site: &Site<'_>,
    headers: &HeaderPolicies,
    requests: &[ScriptRequest],
    checks: &mut ScriptChecks,
) {
    let mut known = BTreeSet::new();
    while let Some(worker) = checks.workers.pop_first() {
        if !known.insert(worker) {
            continue;
        }
        let mut policies = PolicySet::default();
        for (place, value) in headers.of_file(site, worker) {
            policies.add(place, &value);
        }
        let page = Url::parse(site.resolver.document(worker).url()).ok();
        let scripts = BTreeSet::from([(worker, false)]);
        let loads = LoadsOfSet { policies, page, scripts, is_worker: true, ..LoadsOfSet::default() };
        check_scripts(requests, &loads, checks);
    }
}

fn of_file(requests: &[ScriptRequest], file: FileId) -> impl Iterator<Item = &ScriptRequest> {
    let first = requests.partition_point(|request| request.file < file);
    requests[first..].iter().take_while(move |request| request.file == file)
}

/// Checks a request. Returns the script that runs if nothing blocks it, and whether a nonce allows it.
fn check_request(
    request: &ScriptRequest,
    has_nonce: bool,
    page: &Url,
    loads: &LoadsOfSet,
    checks: &mut ScriptChecks,
) -> Option<(FileId, bool)> {
    let is_import = matches!(request.kind, Kind::JsImport | Kind::JsDynamicImport);
    // The static imports of a worker are requests for a worker, too; they are only followed.
    let is_unclear = loads.is_worker && request.kind == Kind::JsImport;
    let directive = directive_of(request.kind, loads.is_worker)?;
    let url = loads.policies.requested(request.url.clone());
    // Browsers check imports like the script that imports, which has its nonce.
    if !(is_import && has_nonce || is_unclear) {
        let is_by_script = !is_import;
        let governed = Request { directive, url: &url, nonce: None, integrity: None, is_by_script };
        let violation = loads.policies.violation(&governed, page, request.file, request.span.clone());
        if let Some(violation) = violation {
            checks.blocked.push(violation);
            return None;
        }
    }
    let target = request.target?;
    match directive {
        Directive::ScriptElem => return Some((target, is_import && has_nonce)),
        Directive::Worker => drop(checks.workers.insert(target)),
        _ => {}
    }
    None
}

/// Returns the directive that governs a load of a script; `None` if its use is unknown.
fn directive_of(kind: Kind, is_worker: bool) -> Option<Directive> {
    Some(match kind {
        // Only workers have importScripts().
        Kind::JsImportScripts if is_worker => Directive::ScriptElem,
        Kind::JsChunk | Kind::JsDynamicImport | Kind::JsImport | Kind::JsScriptElement | Kind::JsWorklet => {
            Directive::ScriptElem
        }
        Kind::JsFetch => Directive::Connect,
        Kind::JsServiceWorker | Kind::JsWorker => Directive::Worker,
        Kind::JsStyle => Directive::StyleElem,
        _ => return None,
    })
}
