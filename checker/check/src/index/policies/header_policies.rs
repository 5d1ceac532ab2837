//! Determines the policies that headers set for a file: those of the contract, of `_headers`, or of a live site.

use super::blocked::PolicyPlace;
use crate::contract::{Contract, Host};
use crate::csp::HEADER;
use crate::index::site::Site;
use crate::walk::FileId;

/// The file with headers of Netlify and Cloudflare Pages.
const FILE_NAME: &[u8] = b"_headers";

/// The policies in the headers of a site.
#[derive(Debug, Default)]
pub struct HeaderPolicies {
    has_contract: bool,
    is_live: bool,
    /// Policies of `_headers`, each with its path pattern.
    lines: Vec<(String, String)>,
}

impl HeaderPolicies {
    /// Reads the policies of a site. Adds an error to `unreadable` if a file cannot be read.
    pub(crate) fn read(site: &Site<'_>, unreadable: &mut Vec<String>) -> HeaderPolicies {
        if site.live().is_some() {
            return HeaderPolicies { is_live: true, ..HeaderPolicies::default() };
        }
        let is_supported = matches!(site.settings.host, None | Some(Host::Netlify | Host::CloudflarePages));
        let file = site.tree.find(FILE_NAME).filter(|_| is_supported);
        let lines = match file.map(|file| (file, site.source(file))) {
            Some((_, Ok(text))) => policy_lines(&String::from_utf8_lossy(&text)),
            Some((file, Err(error))) => {
                unreadable.push(format!("{}: {error}", site.tree.display(file)));
                Vec::new()
            }
            None => Vec::new(),
        };
        HeaderPolicies { has_contract: has_policy(site.contract), is_live: false, lines }
    }

    /// Whether no header sets a policy.
    pub fn is_empty(&self) -> bool {
        !self.has_contract && !self.is_live && self.lines.is_empty()
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
        if !self.lines.is_empty() {
            let file_path = format!("/{path}");
            let url = format!("/{}", site.resolver.address(&path));
            let matching = self.lines.iter().filter(|(pattern, _)| {
                [file_path.as_str(), &url, url.trim_end_matches('/')]
                    .iter()
                    .any(|address| matches(pattern, address))
            });
            values.extend(matching.map(|(_, value)| (PolicyPlace::HeadersFile, value.clone())));
        }
        values
    }
}

/// Whether a contract sets a policy.
fn has_policy(contract: &Contract) -> bool {
    contract.headers.iter().flat_map(|rule| rule.set.keys()).any(|name| name.eq_ignore_ascii_case(HEADER))
}

/// Returns the policies of a `_headers` file, each with its path pattern.
fn policy_lines(text: &str) -> Vec<(String, String)> {
    let mut pattern = "";
    let mut found = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')) {
        if !line.starts_with(char::is_whitespace) {
            pattern = line.trim();
        } else if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case(HEADER)
        {
            found.push((pattern.to_owned(), value.trim().to_owned()));
        }
    }
    found
}

/// Whether a pattern with `*` and `:placeholder` matches a path.
fn matches(pattern: &str, path: &str) -> bool {
    let pattern =
        pattern.split_once("://").map_or(pattern, |(_, rest)| &rest[rest.find('/').unwrap_or(rest.len())..]);
    match pattern.find(['*', ':']) {
        None => pattern == path || pattern.trim_end_matches('/') == path,
        Some(at) => {
            let (before, rest) = pattern.split_at(at);
            let Some(path) = path.strip_prefix(before) else { return false };
            if let Some(rest) = rest.strip_prefix('*') {
                return rest.is_empty()
                    || (0..=path.len()).any(|end| path.is_char_boundary(end) && matches(rest, &path[end..]));
            }
            let name = rest[1..].find('/').map_or(rest.len(), |end| end + 1);
            let segment = path.find('/').unwrap_or(path.len());
            segment > 0 && (rest[name..] == path[segment..] || matches(&rest[name..], &path[segment..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{matches, policy_lines};

    #[test]
    fn reads_policies_by_path() {
        let text = "# x\n/*\n  X-A: b\n  Content-Security-Policy: default-src 'self'\n/a/:b\n  content-security-policy: img-src *:80\n";
        let expected = [("/*", "default-src 'self'"), ("/a/:b", "img-src *:80")];
        assert_eq!(policy_lines(text), expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn matches_patterns() {
        for (pattern, path, expected) in [
            ("/*", "/a/b", true),
            ("/a/*", "/b", false),
            ("/a/:b", "/a/x", true),
            ("/a/:b", "/a/x/y", false),
            ("/a/:b/c", "/a/x/c", true),
            ("/*.html", "/x/a.html", true),
            ("/a", "/a", true),
            ("https://x.test/*", "/a", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }
}
