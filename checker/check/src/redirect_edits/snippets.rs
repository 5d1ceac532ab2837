//! Writes the entries that people add to a configuration file of their host: its other settings are theirs.

use std::path::Path;

use super::{RedirectSite, tables};
use crate::redirect_proposals::RedirectProposal;
use sitegate_address::percent::escape_path;
use sitegate_host::Host;
use sitegate_host::redirects::Redirects;

/// Returns why such a file does not get a redirect.
pub(super) fn objection_to_entry(path: &Path, owner: Host) -> String {
    let name = owner.config_file().unwrap_or_default();
    match path.file_name() {
        Some(own) if own == name => format!("{name} is only read: add it there"),
        _ => format!("`{}` reads its redirects from {name}: add it there", owner.name()),
    }
}

/// Returns the entries for redirects, each with the addresses that it is for, in the syntax of the host's file. Leaves out
/// those that its patterns would change.
pub fn entries_to_add(site: &RedirectSite, owner: Host, redirects: &[RedirectProposal]) -> Vec<String> {
    let singles = redirects.iter().flat_map(RedirectProposal::singles);
    singles.filter_map(|redirect| entry(site, owner, redirect)).collect()
}

fn entry(site: &RedirectSite, owner: Host, redirect: &RedirectProposal) -> Option<String> {
    let from = escape_path(&site.below_root(&redirect.from));
    let (source, to) = (quoted(&from), quoted(&redirect.destination));
    let (text, document) = match owner {
        Host::Netlify => {
            let text = tables::table(&from, &redirect.destination, "\n").trim_start().to_owned();
            (text.clone(), text)
        }
        Host::Vercel => {
            let text = format!("{{ \"source\": {source}, \"destination\": {to}, \"permanent\": true }}");
            (text.clone(), format!("{{\"redirects\":[{text}]}}"))
        }
        Host::Firebase => {
            let text = format!("{{ \"source\": {source}, \"destination\": {to}, \"type\": 301 }}");
            (text.clone(), format!("{{\"hosting\":{{\"redirects\":[{text}]}}}}"))
        }
        Host::AzureStaticWebApps => {
            let text = format!("{{ \"route\": {source}, \"redirect\": {to}, \"statusCode\": 301 }}");
            (text.clone(), format!("{{\"routes\":[{text}]}}"))
        }
        _ => return None,
    };
    is_read_as(owner, &document, redirect, &site.below_root(&redirect.from)).then_some(text)
}

/// Whether the host's file redirects this address, and no other.
fn is_read_as(owner: Host, document: &str, redirect: &RedirectProposal, from: &str) -> bool {
    let read = |name: &str| (owner.config_file() == Some(name)).then(|| Ok(document.into()));
    Redirects::of_files(read, Some(owner), None, &[]).is_ok_and(|redirects| {
        matches!(&*redirects.all, [one] if !one.is_pattern() && one.from == from && one.to == redirect.destination)
    })
}

/// Returns a string of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
