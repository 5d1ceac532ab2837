//! Checks one page against its policies.

use std::collections::HashSet;
use std::ops::Range;

use url::Url;

use super::blocked::{Blocked, BlockedSource, PolicyPlace};
use super::policy_set::{LoadsOfSet, PageResults, PolicySet};
use crate::csp::{Directive, Inline, Policy, Request, sha256};
use crate::index::site::Site;
use crate::parse::{Format, Governed, GovernedRequest, governed};
use crate::resolve::{Base, Target};
use crate::walk::FileId;
use sitegate_html::css::{self, CssUse};
use sitegate_html::url_attribute::RequestKind;

/// Checks one page, and adds the results.
pub(super) fn check_page(
    site: &Site<'_>,
    file: FileId,
    headers: &[(PolicyPlace, String)],
    results: &mut PageResults,
) {
    let page = match site.page(file) {
        Ok(page) => page,
        Err(error) => {
            results.unreadable.push(format!("{}: {error}", site.tree.display(file)));
            return;
        }
    };
    let base = site.resolver.document(file);
    let Ok(url) = Url::parse(base.url()) else { return };
    let mut check = PageCheck {
        site,
        file,
        url,
        base,
        has_base: false,
        policies: PolicySet::default(),
        key: String::new(),
        outer: Vec::new(),
        known: HashSet::new(),
        loads: LoadsOfSet::default(),
        results,
    };
    for (place, value) in headers {
        check.add_policy(*place, value);
    }
    let read = governed(&page, &mut |governed, span| check.visit(governed, span));
    if let Err(error) = read {
        check.results.unreadable.push(format!("{}: {error}", site.tree.display(file)));
    }
    let PageCheck { policies, key, mut loads, results: all, url: page_url, .. } = check;
    if !loads.sheets.is_empty() || !loads.scripts.is_empty() || !loads.inline_scripts.is_empty() {
        (loads.policies, loads.page) = (policies, Some(page_url));
        let one = PageResults { loads: [(key, loads)].into(), ..PageResults::default() };
        *all = std::mem::take(all).merge(one);
    }
}

struct PageCheck<'c, 's> {
    site: &'c Site<'s>,
    file: FileId,
    url: Url,
    base: Base,
    has_base: bool,
    policies: PolicySet,
    /// The text of all policies.
    key: String,
    /// The number of policies, and the base, around each open `srcdoc`.
    outer: Vec<(usize, Base, bool)>,
    /// The violations so far, by directive and source.
    known: HashSet<(Directive, String)>,
    loads: LoadsOfSet,
    results: &'c mut PageResults,
}

impl PageCheck<'_, '_> {
    fn add_policy(&mut self, place: PolicyPlace, value: &str) {
        self.policies.add(place, value);
        if self.outer.is_empty() {
            self.key.push_str(value);
            self.key.push('\n');
        }
    }

    fn visit(&mut self, governed: Governed<'_>, span: Range<u32>) {
        match governed {
            Governed::Policy(value) => self.add_policy(PolicyPlace::Page, &value),
            Governed::Base(url) => self.set_base(&url, span),
            Governed::Inline(kind, code, nonce) => self.inline(kind, &code, nonce.as_deref(), span),
            Governed::Request(request) => self.request(&request, span),
            Governed::NestedStart => {
                self.outer.push((self.policies.policies.len(), self.base.clone(), self.has_base));
                self.has_base = false;
            }
            Governed::NestedEnd => {
                if let Some((count, base, has_base)) = self.outer.pop() {
                    self.policies.policies.truncate(count);
                    (self.base, self.has_base) = (base, has_base);
                }
            }
        }
    }

    fn report(&mut self, blocked: Blocked) {
        if self.known.insert((blocked.directive, blocked.source.key())) {
            self.results.violations.blocked.push(blocked);
        }
    }

    /// Sets the base URL by the first base element, unless a policy blocks it.
    fn set_base(&mut self, written: &str, span: Range<u32>) {
        if std::mem::replace(&mut self.has_base, true) {
            return;
        }
        let Some(url) = self.base.join(written) else { return };
        // Browsers ignore such a base.
        if matches!(url.scheme(), "data" | "javascript") {
            return;
        }
        if !self.is_blocked(Directive::BaseUri, &url, span) {
            self.base = self.site.resolver.base(self.file, Some(written));
        }
    }

    /// Checks a request without a nonce. Returns whether it is blocked.
    fn is_blocked(&mut self, directive: Directive, url: &Url, span: Range<u32>) -> bool {
        let request = Request { directive, url, nonce: None, integrity: None, is_by_script: false };
        self.is_request_blocked(&request, span)
    }

    fn is_request_blocked(&mut self, request: &Request<'_>, span: Range<u32>) -> bool {
        let violation = self.policies.violation(request, &self.url, self.file, span);
        let is_blocked = violation.is_some();
        if let Some(found) = violation {
            self.report(found);
        }
        is_blocked
    }

    /// Whether a `sandbox` without a flag blocks something. Browsers ignore it in meta elements.
    fn is_sandboxed(&mut self, flag: &'static str, span: &Range<u32>) -> bool {
        let is_without = |(place, policy): &&(PolicyPlace, Policy)| {
            *place != PolicyPlace::Page && policy.is_sandbox_without(flag)
        };
        let Some(&(place, _)) = self.policies.policies.iter().find(is_without) else { return false };
        let directive = Directive::Sandbox;
        self.report(Blocked {
            file: self.file,
            span: span.clone(),
            directive,
            in_force: directive.name(),
            place,
            source: BlockedSource::Sandboxed(flag),
            invalid_nonce: None,
        });
        true
    }

    fn inline(&mut self, kind: Inline, code: &str, nonce: Option<&str>, span: Range<u32>) {
        if !kind.is_style() && self.is_sandboxed("allow-scripts", &span) {
            return;
        }
        self.note_nonce(nonce, &span);
        if let Some((place, policy)) = self.policies.blocking_inline(kind, code, nonce) {
            let (directive, source) = (kind.directive(), BlockedSource::Inline(kind, sha256(code)));
            let blocked = Blocked::by_policy(policy, *place, directive, nonce, (self.file, span), source);
            return blocked.into_iter().for_each(|blocked| self.report(blocked));
        }
        match kind {
            Inline::Style | Inline::StyleAttribute => self.style(code, &span),
            Inline::Script => {
                let has_nonce = nonce.is_some_and(|nonce| self.policies.allows_nonce(nonce));
                // The span is the start tag. A newline may be two bytes in the file.
                let length = code.len() + code.matches('\n').count();
                let content = span.end..span.end + length as u32;
                self.loads.inline_scripts.push((self.file, content, has_nonce));
            }
            _ => {}
        }
    }

    /// Checks the URLs of a style.
    fn style(&mut self, code: &str, span: &Range<u32>) {
        let mut found = Vec::new();
        css::urls(code, |css_use, url, _| found.push((css_use, url.to_owned())));
        // Browsers do not load a late import.
        for (css_use, written) in found.into_iter().filter(|(css_use, _)| *css_use != CssUse::LateImport) {
            let Some(url) = self.requested(&written).filter(|_| !written.starts_with('#')) else { continue };
            let directive = directive_of_css(css_use);
            if !self.is_blocked(directive, &url, span.clone()) && css_use == CssUse::Import {
                self.loads.sheets.extend(self.own_file(&written));
            }
        }
    }

    fn request(&mut self, request: &GovernedRequest<'_>, span: Range<u32>) {
        let is_sandboxed = match request.kind {
            RequestKind::Script => self.is_sandboxed("allow-scripts", &span),
            RequestKind::Form => self.is_sandboxed("allow-forms", &span),
            _ => false,
        };
        if is_sandboxed {
            return;
        }
        self.note_nonce(request.nonce.as_deref(), &span);
        let is_own = request.kind == RequestKind::Form && request.url.trim().is_empty();
        // The URL of a `srcdoc` is `about:srcdoc`, which no policy blocks.
        let own_url = || self.outer.is_empty().then(|| self.url.clone());
        let requested = if is_own { own_url() } else { self.requested(&request.url) };
        let Some(url) = requested else { return };
        if url.scheme() == "javascript" && request.kind == RequestKind::Form {
            if !self.is_blocked(Directive::FormAction, &url, span.clone()) {
                self.inline(Inline::Navigation, url.as_str(), None, span);
            }
            return;
        }
        if matches!(url.scheme(), "javascript" | "blob")
            || url.scheme() == "about" && request.kind == RequestKind::Frame
        {
            return;
        }
        let directive = directive_of(request.kind);
        let is_by_script = request.kind == RequestKind::ScriptPreload(true);
        let (nonce, integrity) = (request.nonce.as_deref(), request.integrity.as_deref());
        let governed = Request { directive, url: &url, nonce, integrity, is_by_script };
        if self.is_request_blocked(&governed, span.clone()) {
            return;
        }
        match request.kind {
            RequestKind::Object(true) if self.is_blocked(Directive::Frame, &url, span) => {}
            RequestKind::Frame | RequestKind::Object(true) => {
                let is_svg = |file: &FileId| Format::of(self.site.tree.path(*file)) == Format::Svg;
                let document = self.own_file(&request.url).filter(is_svg);
                self.results.svg_documents.extend(document);
            }
            RequestKind::StyleSheet => self.loads.sheets.extend(self.own_file(&request.url)),
            RequestKind::Script => {
                let has_nonce = nonce.is_some_and(|nonce| self.policies.allows_nonce(nonce));
                self.loads.scripts.extend(self.own_file(&request.url).map(|file| (file, has_nonce)));
            }
            _ => {}
        }
    }

    /// Returns the URL that browsers request.
    fn requested(&self, written: &str) -> Option<Url> {
        let url = self.base.join(written)?;
        Some(self.policies.requested(url))
    }

    /// Returns the file of the site that a URL refers to.
    fn own_file(&self, written: &str) -> Option<FileId> {
        match self.site.resolver.resolve(&self.base, written, &mut Vec::new()) {
            Target::File { file, .. } => Some(file),
            _ => None,
        }
    }

    /// Notes an element whose nonce a policy allows: everyone can read it in a file.
    fn note_nonce(&mut self, nonce: Option<&str>, span: &Range<u32>) {
        let is_used = |written: &str| {
            self.policies.policies.iter().any(|(_, policy)| {
                [Directive::ScriptElem, Directive::StyleElem].into_iter().any(|directive| {
                    policy.list_for(directive).is_some_and(|(_, list)| list.allows_nonce(written))
                })
            })
        };
        if nonce.is_some_and(is_used) {
            self.results.violations.static_nonces.push((self.file, span.clone()));
        }
    }
}

/// Returns the directive that governs a kind of request.
fn directive_of(kind: RequestKind) -> Directive {
    match kind {
        RequestKind::Script | RequestKind::ScriptPreload(_) => Directive::ScriptElem,
        RequestKind::StyleSheet | RequestKind::StylePreload => Directive::StyleElem,
        RequestKind::Image => Directive::Image,
        RequestKind::Font => Directive::Font,
        RequestKind::Media => Directive::Media,
        RequestKind::Frame => Directive::Frame,
        RequestKind::Object(_) => Directive::Object,
        RequestKind::Manifest => Directive::Manifest,
        RequestKind::Connect => Directive::Connect,
        RequestKind::Prefetch => Directive::Prefetch,
        RequestKind::Form => Directive::FormAction,
    }
}

/// Returns the directive that governs a URL in CSS.
pub(super) fn directive_of_css(css_use: CssUse) -> Directive {
    match css_use {
        CssUse::Url => Directive::Image,
        CssUse::Font => Directive::Font,
        CssUse::Import | CssUse::LateImport => Directive::StyleElem,
    }
}
