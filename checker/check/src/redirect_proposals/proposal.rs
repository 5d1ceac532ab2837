//! Proposed redirects, and the patterns that join those of one rewrite.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Serialize;

use crate::raw_finding::Certainty;
use sitegate_address::percent::escape_path;

/// The redirects that a site needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposals {
    /// Number of addresses to keep.
    pub addresses: usize,
    /// Number of lost addresses.
    pub lost: usize,
    /// The redirects, in the order of `from`. Patterns have replaced redirects of single addresses.
    pub redirects: Vec<RedirectProposal>,
    /// Lost addresses without a proposal: decoded paths, in order.
    pub unexplained: Vec<String>,
    /// Anchors that pages have lost, and their present addresses.
    pub anchors: Vec<MovedAnchor>,
}

/// A proposed redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RedirectProposal {
    /// The lost address: a decoded path, or a pattern that ends in `*`.
    pub from: String,
    /// The destination: a decoded path, or the URL or path that the site redirected to before; `:splat` is the rest of
    /// the address.
    pub to: String,
    /// The destination as files have it: encoded, with the base path.
    #[serde(skip)]
    pub destination: String,
    /// Whether another page could be meant.
    pub certainty: Certainty,
    /// The evidence, as a part of a sentence.
    pub reason: String,
    /// The redirects of single addresses that a pattern replaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) replaces: Vec<RedirectProposal>,
}

impl RedirectProposal {
    /// Creates a certain redirect from an address to a page. Both are decoded paths.
    pub fn certain(from: impl Into<String>, to: impl Into<String>, reason: String) -> RedirectProposal {
        let to = to.into();
        RedirectProposal {
            from: from.into(),
            destination: escape_destination(&to),
            to,
            certainty: Certainty::Certain,
            reason,
            replaces: Vec::new(),
        }
    }

    /// Creates a certain redirect to an encoded path or URL, which may have a query and a fragment.
    pub(crate) fn to_reference(from: impl Into<String>, to: &str, reason: String) -> RedirectProposal {
        let destination = escape_syntax(to);
        RedirectProposal { destination, ..RedirectProposal::certain(from, to, reason) }
    }

    /// Whether it is a pattern for all addresses below a folder.
    pub(crate) fn is_pattern(&self) -> bool {
        !self.replaces.is_empty()
    }

    /// Returns the redirects of single addresses.
    pub fn singles(&self) -> &[RedirectProposal] {
        if self.replaces.is_empty() { std::slice::from_ref(self) } else { &self.replaces }
    }

    /// Whether no other page can be meant.
    pub fn is_certain(&self) -> bool {
        self.certainty == Certainty::Certain
    }
}

/// Characters of paths that the files of hosts and the contract read as syntax.
const SYNTAX: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'*')
    .add(b'\'')
    .add(b'"')
    .add(b'$')
    .add(b';')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// Escapes a decoded path as a destination: no part of it is a placeholder.
pub(crate) fn escape_destination(path: &str) -> String {
    escape_syntax(&escape_path(path))
}

/// Escapes an encoded destination in the same way.
fn escape_syntax(reference: &str) -> String {
    utf8_percent_encode(reference, SYNTAX).to_string().replace("/:", "/%3A")
}

/// A lost anchor, and the present anchor that is most similar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MovedAnchor {
    /// The lost address: a decoded path and the anchor.
    pub from: String,
    /// The similar one; `None` if there is none.
    pub to: Option<String>,
}

/// Minimum number of redirects that a pattern must replace.
const MIN_REDIRECTS: usize = 3;

/// Replaces redirects of all addresses below a folder by one pattern, if all follow it. `was_all` is true for a folder
/// that had this number of addresses and has none now.
pub(super) fn join_to_patterns(
    proposals: &[RedirectProposal],
    was_all: impl Fn(&str, usize) -> bool,
) -> Vec<RedirectProposal> {
    let mut joined: Vec<RedirectProposal> = Vec::new();
    let mut rest = proposals;
    while let Some(proposal) = rest.first() {
        let pattern = folders(&proposal.from).find_map(|folder| {
            let to = destination_folder(proposal, folder)?;
            let below = || rest.iter().take_while(|other| other.from.starts_with(folder));
            // The first that does not follow ends the search, before all are counted.
            let is_complete = below().all(|other| destination_folder(other, folder) == Some(to));
            let count = if is_complete { below().count() } else { 0 };
            let is_whole = count >= MIN_REDIRECTS && was_all(folder, count) && !to.starts_with(folder);
            is_whole.then_some((folder, to, count))
        });
        let Some((folder, to, count)) = pattern else {
            joined.push(proposal.clone());
            rest = &rest[1..];
            continue;
        };
        let (replaced, after) = rest.split_at(count);
        let is_certain = replaced.iter().all(RedirectProposal::is_certain);
        joined.push(RedirectProposal {
            from: format!("{folder}*"),
            to: format!("{to}:splat"),
            destination: format!("{}:splat", escape_destination(to)),
            certainty: Certainty::certain_if(is_certain),
            reason: format!("all {count} addresses below it have moved together"),
            replaces: replaced.to_vec(),
        });
        rest = after;
    }
    joined
}

/// Returns the folders of a path, from the outermost, without the root.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').skip(1).map(|(end, _)| &path[..=end])
}

/// Returns the folder that a redirect moves a folder to, if it keeps the rest of the path.
fn destination_folder<'p>(proposal: &'p RedirectProposal, folder: &str) -> Option<&'p str> {
    let rest = proposal.from.strip_prefix(folder)?;
    proposal.to.strip_suffix(rest).filter(|to| to.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::super::proposal::RedirectProposal;
    use super::join_to_patterns;

    fn joined(redirects: &[(&str, &str)], others: &[&str]) -> Vec<String> {
        let proposals: Vec<RedirectProposal> =
            redirects.iter().map(|(from, to)| RedirectProposal::certain(*from, *to, String::new())).collect();
        let addresses = || redirects.iter().map(|(from, _)| from).chain(others);
        let was_all =
            |folder: &str, count| addresses().filter(|path| path.starts_with(folder)).count() == count;
        let joined = join_to_patterns(&proposals, was_all);
        joined.iter().map(|proposal| format!("{} {}", proposal.from, proposal.to)).collect()
    }

    #[test]
    fn joins_a_folder_only_if_all_its_addresses_follow() {
        let moved = [("/a/x/", "/b/x/"), ("/a/y/", "/b/y/"), ("/a/z/w/", "/b/z/w/")];
        assert_eq!(joined(&moved, &["/c/"]), ["/a/* /b/:splat"]);
        // One address has another destination, is not lost, or has no proposal.
        let other = [("/a/x/", "/b/x/"), ("/a/y/", "/b/y/"), ("/a/z/", "/c/z/")];
        assert_eq!(joined(&other, &[]).len(), 3);
        assert_eq!(joined(&moved, &["/a/kept/"]).len(), 3);
        // A part of the folder can follow.
        let nested = [("/a/b/x", "/c/x"), ("/a/b/y", "/c/y"), ("/a/b/z", "/c/z"), ("/a/x", "/d/x")];
        assert_eq!(joined(&nested, &["/a/kept"]), ["/a/b/* /c/:splat", "/a/x /d/x"]);
        // The destination is in the folder: the pattern would be a loop.
        let inside = [("/a/x", "/a/b/x"), ("/a/y", "/a/b/y"), ("/a/z", "/a/b/z")];
        assert_eq!(joined(&inside, &[]).len(), 3);
        assert_eq!(joined(&moved[..2], &[]).len(), 2);
    }
}
