//! Determines the policies that headers set for a file: those of the contract, of `_headers`, or of a live site.

use super::blocked::PolicyPlace;
use crate::contract::Contract;
use crate::csp::HEADER;
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
        let path = site.tree.display(file);
        let of_contract = site.contract.header_for(&format!("/{path}"), HEADER);
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
