//! Joins redirects that follow one rewrite to a pattern.

use super::proposal::{RedirectProposal, escape_destination};
use crate::raw_finding::Certainty;

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
