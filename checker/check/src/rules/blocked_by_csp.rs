//! `blocked-by-csp`: a Content-Security-Policy blocks something that a page has.

use super::rule::Registered;
use crate::csp::{Directive, Inline};
use crate::index::Index;
use crate::index::policies::{Blocked, BlockedSource, PolicyPlace};
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "blocked-by-csp",
    category: Category::Security,
    default: Severity::Error,
    summary: "the Content-Security-Policy blocks something that a page has",
    why: "Browsers do not run or load it. Policies are read from `[[headers]]`, `_headers`, live responses and meta \
          elements; all of them apply. Checked: inline code, requests of elements, style sheets, scripts and workers, \
          forms, the base URL, javascript: links, SVG files in frames, and sandbox. Not checked: what scripts \
          compute, elements that scripts create, forms without an action, XMLHttpRequest, WebSocket, EventSource, \
          sendBeacon, data: frames, eval, WebAssembly without 'wasm-unsafe-eval', Trusted Types, report-only \
          policies, and frame-ancestors. (CSP Level 3.)",
    bad: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { Content-Security-Policy = "default-src 'self'" }
index.html:
  <script>document.title = "Prices";</script>"#,
    good: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { Content-Security-Policy = "default-src 'self'; script-src 'self' 'auto'" }
index.html:
  <script>document.title = "Prices";</script>"#,
};

pub(super) static RULE: Registered =
    Registered::of_site(&INFO, check_site).needing(|needs| needs.policies = true);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for blocked in &index.policies.blocked {
        let directive = blocked.directive.name();
        let (what, source) = match &blocked.source {
            BlockedSource::Inline(kind, _) => (inline_name(*kind).to_owned(), inline_name(*kind)),
            BlockedSource::Url { url, source } => (url.clone(), source.as_str()),
            BlockedSource::Sandboxed(flag) => (flag.replace("allow-", ""), *flag),
        };
        let message = format!("blocked by the {}: `{directive}` does not allow {what}", place(blocked));
        let finding = RawFinding::new(&INFO, (blocked.file, &blocked.span), message);
        found.push(finding.cause(format!("{directive} {source}")).help(help(blocked)));
    }
}

fn place(blocked: &Blocked) -> &'static str {
    match blocked.place {
        PolicyPlace::Contract => "Content-Security-Policy in [[headers]]",
        PolicyPlace::HeadersFile => "Content-Security-Policy in `_headers`",
        PolicyPlace::Response => "Content-Security-Policy of the response",
        PolicyPlace::Page => "Content-Security-Policy of the page",
    }
}

fn inline_name(kind: Inline) -> &'static str {
    match kind {
        Inline::Script => "this inline script",
        Inline::SpeculationRules => "these inline speculation rules",
        Inline::Handler => "this event handler",
        Inline::Navigation => "this javascript: URL",
        Inline::Style => "this style element",
        Inline::StyleAttribute => "this style attribute",
    }
}

fn help(blocked: &Blocked) -> String {
    let in_force = blocked.in_force;
    if let Some(nonce) = &blocked.invalid_nonce {
        let is_placeholder = nonce.contains(['$', '%', '<', '{', '[']);
        let fix = if is_placeholder { "the server must replace the placeholder" } else { "use Base64" };
        return format!(
            "`'nonce-{nonce}'` is no valid source, so that browsers ignore it: {fix}, or use hashes"
        );
    }
    let auto = if blocked.place == PolicyPlace::Contract { ", or `'auto'`," } else { "" };
    match &blocked.source {
        BlockedSource::Inline(Inline::Script | Inline::SpeculationRules, hash) => {
            format!("move it to a file, or add {hash}{auto} to {}", directive_to_set(in_force, "script-src"))
        }
        BlockedSource::Inline(Inline::Style, hash) => {
            format!("move it to a file, or add {hash}{auto} to {}", directive_to_set(in_force, "style-src"))
        }
        BlockedSource::Inline(Inline::Handler, _) => {
            "add the event listener in a script file instead of the attribute".to_owned()
        }
        BlockedSource::Inline(Inline::Navigation, _) => {
            "use a button, and add its event listener in a script file".to_owned()
        }
        BlockedSource::Inline(Inline::StyleAttribute, _) => {
            "use a class, and style it in a style sheet".to_owned()
        }
        BlockedSource::Sandboxed(flag) => format!("add `{flag}` to `sandbox`"),
        BlockedSource::Url { source, .. } => {
            let directive = match blocked.directive {
                Directive::ScriptElem => "script-src",
                Directive::StyleElem => "style-src",
                directive => directive.name(),
            };
            let source = if source == "'self'" { source.clone() } else { format!("`{source}`") };
            format!("add {source} to {}, or remove it", directive_to_set(in_force, directive))
        }
    }
}

/// Returns the directive to change. A source in `default-src` would allow more than is needed.
fn directive_to_set(in_force: &str, directive: &str) -> String {
    match in_force {
        "default-src" if directive != "default-src" => {
            format!("`{directive}`, which falls back to `default-src` now")
        }
        in_force => format!("`{in_force}`"),
    }
}
