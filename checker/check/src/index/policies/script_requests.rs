//! Checks the requests of scripts against the policies of the pages that run them.

use std::collections::BTreeSet;

use super::blocked::Blocked;
use super::policy_set::LoadsOfSet;
use crate::csp::{Directive, Request};
use crate::index::scripts::ScriptRequest;
use crate::parse::ReferenceKind as Kind;
use crate::walk::FileId;

/// Returns what the policies of a set block in its scripts, and in those that they import. The requests are sorted by
/// file.
pub(super) fn violations(requests: &[ScriptRequest], loads: &LoadsOfSet) -> Vec<Blocked> {
    let Some(page) = &loads.page else { return Vec::new() };
    let of_file = |file: FileId| {
        let first = requests.partition_point(|request| request.file < file);
        requests[first..].iter().take_while(move |request| request.file == file)
    };
    let mut blocked = Vec::new();
    let mut known: BTreeSet<(FileId, bool)> = loads.scripts.clone();
    let mut pending: Vec<(FileId, bool)> = loads.scripts.iter().copied().collect();
    let mut check = |request: &ScriptRequest, has_nonce: bool| -> Option<(FileId, bool)> {
        let is_import = matches!(request.kind, Kind::JsImport | Kind::JsDynamicImport);
        let directive = directive_of(request.kind)?;
        let url = loads.policies.requested(request.url.clone());
        // Browsers check imports like the script that imports, which has its nonce.
        if !(is_import && has_nonce) {
            let is_by_script = !is_import;
            let governed = Request { directive, url: &url, nonce: None, integrity: None, is_by_script };
            let violation = loads.policies.violation(&governed, page, request.file, request.span.clone());
            if let Some(violation) = violation {
                blocked.push(violation);
                return None;
            }
        }
        // A worker has the policy of its own response.
        let is_script = directive == Directive::ScriptElem;
        request.target.filter(|_| is_script).map(|target| (target, is_import && has_nonce))
    };
    for (file, content, has_nonce) in &loads.inline_scripts {
        let in_script = |request: &&ScriptRequest| content.contains(&request.span.start);
        for request in of_file(*file).filter(in_script) {
            pending.extend(check(request, *has_nonce).filter(|next| known.insert(*next)));
        }
    }
    while let Some((file, has_nonce)) = pending.pop() {
        for request in of_file(file) {
            pending.extend(check(request, has_nonce).filter(|next| known.insert(*next)));
        }
    }
    blocked
}

/// Returns the directive that governs a load of a script; `None` if its use is unknown.
fn directive_of(kind: Kind) -> Option<Directive> {
    Some(match kind {
        Kind::JsChunk | Kind::JsDynamicImport | Kind::JsImport | Kind::JsWorklet => Directive::ScriptElem,
        Kind::JsFetch => Directive::Connect,
        Kind::JsServiceWorker | Kind::JsWorker => Directive::Worker,
        Kind::JsStyle => Directive::StyleElem,
        _ => return None,
    })
}
