//! `placeholder`: an address that only stands in for a real one.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;

use super::hosts::{host, host_matches, is_below};
use super::rule::{Registered, Rule, build_from};
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::{Index, PageView};
use crate::resolve::Target;
use crate::walk::FileId;
use serde::Deserialize;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "placeholder",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "a placeholder address is left in the site",
    why: "example.com and its like are reserved for examples (RFC 2606): a demo link, a mail address \
          or the site's own origin there was never filled in. Each host is reported once, with a \
          count. Publishing to anything but a folder treats this as an error. `hosts` replaces the \
          list, and `except` takes hosts out of it.",
    bad: r#"<a href="mailto:hello@example.com">"#,
    good: r#"<a href="mailto:hello@acme.org">"#,
};

pub(super) static RULE: Registered = Registered { info: &INFO, build: build_from::<Placeholder> };

/// The hosts, each with all its subdomains.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Placeholder {
    hosts: Vec<String>,
    except: Vec<String>,
    /// What was met so far: a host is on thousands of pages or on none, so only counts are kept. The count
    /// and the first place are the same in whatever order pages come.
    #[serde(skip)]
    met: Mutex<BTreeMap<String, Met>>,
}

struct Met {
    count: usize,
    first: (FileId, Range<u32>),
}

impl Default for Placeholder {
    fn default() -> Self {
        let hosts = ["example.com", "example.net", "example.org", "example.edu", "example"];
        Placeholder { hosts: hosts.map(str::to_owned).to_vec(), except: Vec::new(), met: Mutex::default() }
    }
}

impl Rule for Placeholder {
    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        let _ = found;
        for reference in &view.page.references {
            let Some(value) = reference.value else { continue };
            let text = view.page.str(value);
            let host = match reference.target {
                Target::External | Target::Unchecked => host(text),
                Target::Scheme => mail_host(text),
                _ => None,
            };
            let Some(host) = host.filter(|host| self.has(host)) else { continue };
            let place = (view.page.file, reference.span.clone());
            let Ok(mut met) = self.met.lock() else { return };
            let met = met
                .entry(host.to_ascii_lowercase())
                .or_insert_with(|| Met { count: 0, first: place.clone() });
            met.count += 1;
            if (place.0, place.1.start) < (met.first.0, met.first.1.start) {
                met.first = place;
            }
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<Diagnostic>) {
        let met = self.met.lock().map(|mut met| std::mem::take(&mut *met)).unwrap_or_default();
        for (host, Met { count, first: (file, span) }) in met {
            let more = match count {
                1 => String::new(),
                n => format!(", here and in {} more references", n - 1),
            };
            let message = format!("`{host}` is a placeholder{more}");
            found.push(Diagnostic::reference(&INFO, Location::in_file(file, span), message));
        }
        let contract = index.site.contract;
        let origin = contract.site.origin.as_ref().and_then(url::Url::host_str);
        if let Some(host) = origin.filter(|host| self.has(host)) {
            let at = contract.source.find("\norigin").map_or(0, |at| at + 1);
            let message = format!("the site's own origin `{host}` is a placeholder");
            found.push(Diagnostic::new(&INFO, Location::in_contract(at..at + "origin".len()), message));
        }
    }
}

impl Placeholder {
    fn has(&self, host: &str) -> bool {
        let listed = |hosts: &[String]| hosts.iter().any(|h| host_matches(host, h) || is_below(host, h));
        listed(&self.hosts) && !listed(&self.except)
    }
}

/// The host of a mail address.
fn mail_host(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let address = text.get(..7).filter(|start| start.eq_ignore_ascii_case("mailto:")).map(|_| &text[7..])?;
    let (_, host) = address[..address.find(['?', ',']).unwrap_or(address.len())].rsplit_once('@')?;
    Some(host.trim())
}
