//! Collects the policies of a page, from headers and from the page itself, and what pages with the same policies load.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use url::Url;

use super::blocked::{Blocked, PolicyPlace, PolicyViolations, blocked_url};
use crate::contract::Contract;
use crate::csp::{Directive, HEADER, Inline, Policy, Request};
use crate::index::site::Site;
use crate::walk::FileId;
use sitegate_host::HEADERS_FILE;

/// The policies in the headers of a site.
#[derive(Debug, Default)]
pub struct HeaderPolicies {
    has_contract: bool,
    is_live: bool,
    /// Whether `_headers` has policies.
    has_file: bool,
}

impl HeaderPolicies {
    /// Reads the policies of a site. Adds an error to `unreadable` if a file cannot be read.
    pub(crate) fn read(site: &Site<'_>, unreadable: &mut Vec<String>) -> HeaderPolicies {
        if site.live().is_some() {
            return HeaderPolicies { is_live: true, ..HeaderPolicies::default() };
        }
        let has_file = match site.headers_file() {
            Ok(headers) => headers.sets(HEADER),
            Err(error) => {
                unreadable.push(format!("{HEADERS_FILE}: {error}"));
                false
            }
        };
        HeaderPolicies { has_contract: has_policy(site.contract), is_live: false, has_file }
    }

    /// Whether no header sets a policy.
    pub fn is_empty(&self) -> bool {
        !self.has_contract && !self.is_live && !self.has_file
    }

    /// Returns the policies for a file.
    pub(crate) fn of_file(&self, site: &Site<'_>, file: FileId) -> Vec<(PolicyPlace, String)> {
        let mut values = Vec::new();
        if let Some(live) = site.live() {
            let answer = live.files.get(site.tree.path(file));
            let value = answer.map(|answer| answer.header(HEADER)).filter(|value| !value.is_empty());
            values.extend(value.map(|value| (PolicyPlace::Response, value.to_owned())));
            return values;
        }
        let of_contract = site.header_for(file, HEADER);
        values.extend(of_contract.map(|value| (PolicyPlace::Contract, value.to_owned())));
        if self.has_file {
            let lines = site.headers_file_lines(file, HEADER);
            values.extend(lines.into_iter().map(|line| (PolicyPlace::HeadersFile, line.value.clone())));
        }
        values
    }
}

/// Whether a contract sets a policy.
fn has_policy(contract: &Contract) -> bool {
    contract.headers.iter().flat_map(|rule| rule.set.keys()).any(|name| name.eq_ignore_ascii_case(HEADER))
}

/// The policies of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct PolicySet {
    pub policies: Vec<(PolicyPlace, Policy)>,
}

impl PolicySet {
    pub fn add(&mut self, place: PolicyPlace, value: &str) {
        self.policies.extend(place.parse(value).into_iter().map(|policy| (place, policy)));
    }

    /// Returns the first policy that blocks inline code.
    pub fn blocking_inline(
        &self,
        kind: Inline,
        code: &str,
        nonce: Option<&str>,
    ) -> Option<&(PolicyPlace, Policy)> {
        self.policies.iter().find(|(_, policy)| policy.blocks_inline(kind, code, nonce))
    }

    /// Returns the first policy that blocks a request.
    pub fn blocking(&self, request: &Request<'_>, page: &Url) -> Option<&(PolicyPlace, Policy)> {
        self.policies.iter().find(|(_, policy)| policy.blocks(request, page))
    }

    /// Whether all policies allow scripts with a nonce.
    pub fn allows_nonce(&self, nonce: &str) -> bool {
        self.policies.iter().all(|(_, policy)| {
            policy.list_for(Directive::ScriptElem).is_none_or(|(_, list)| list.allows_nonce(nonce))
        })
    }

    /// Returns the URL that browsers request.
    pub fn requested(&self, mut url: Url) -> Url {
        let is_public = url.host_str().is_some_and(|host| !sitegate_base::host_name::is_local(host));
        let upgrades = || self.policies.iter().any(|(_, policy)| policy.upgrades_requests());
        if url.scheme() == "http" && is_public && upgrades() {
            let _ = url.set_scheme("https");
        }
        url
    }

    /// Returns the violation of a request, if a policy blocks it.
    pub fn violation(
        &self,
        request: &Request<'_>,
        page: &Url,
        file: FileId,
        span: Range<u32>,
    ) -> Option<Blocked> {
        let (place, policy) = self.blocking(request, page)?;
        let source = blocked_url(request.url, page);
        Blocked::by_policy(policy, *place, request.directive, request.nonce, (file, span), source)
    }
}

/// What pages with the same policies load.
#[derive(Debug, Default)]
pub(super) struct LoadsOfSet {
    pub policies: PolicySet,
    pub page: Option<Url>,
    pub sheets: BTreeSet<FileId>,
    /// Script files, each with whether a nonce allows it.
    pub scripts: BTreeSet<(FileId, bool)>,
    /// Inline scripts: the page, the content, and whether a nonce allows it.
    pub inline_scripts: Vec<(FileId, Range<u32>, bool)>,
    /// Whether the scripts run in a worker.
    pub is_worker: bool,
}

/// The results for some pages.
#[derive(Debug, Default)]
pub(super) struct PageResults {
    pub violations: PolicyViolations,
    pub unreadable: Vec<String>,
    /// Loads by the text of the policies.
    pub loads: BTreeMap<String, LoadsOfSet>,
    /// SVG files that frames and plug-ins show as documents.
    pub svg_documents: BTreeSet<FileId>,
}

impl PageResults {
    pub fn merge(mut self, other: PageResults) -> PageResults {
        self.violations.blocked.extend(other.violations.blocked);
        self.violations.static_nonces.extend(other.violations.static_nonces);
        self.unreadable.extend(other.unreadable);
        self.svg_documents.extend(other.svg_documents);
        for (key, loads) in other.loads {
            let known = self.loads.entry(key).or_default();
            if known.page.is_none() {
                (known.policies, known.page) = (loads.policies, loads.page);
            }
            known.sheets.extend(loads.sheets);
            known.scripts.extend(loads.scripts);
            known.inline_scripts.extend(loads.inline_scripts);
        }
        self
    }
}
