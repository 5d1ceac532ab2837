//! Determines the branch of the checkout, for `{branch}` in addresses of inventories.

use std::env;
use std::fs;
use std::path::Path;

/// Variables of CI services with the branch; that of a pull request comes before the one that it is merged into.
const VARIABLES: [&str; 8] = [
    "GITHUB_HEAD_REF",
    "GITHUB_REF_NAME",
    "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
    "CI_COMMIT_REF_NAME",
    "BITBUCKET_BRANCH",
    "CF_PAGES_BRANCH",
    "VERCEL_GIT_COMMIT_REF",
    "CIRCLE_BRANCH",
];

/// Returns the branch that the CI service names, or else that of the repository that has the folder.
pub(super) fn branch(folder: &Path) -> Option<String> {
    let named = VARIABLES.iter().filter_map(|name| env::var(name).ok()).find(|value| !value.is_empty());
    named.or_else(|| checked_out(folder))
}

/// Reads the branch from `HEAD`; none if a commit is checked out.
fn checked_out(folder: &Path) -> Option<String> {
    let folder = fs::canonicalize(folder).ok()?;
    let git = folder.ancestors().map(|above| above.join(".git")).find(|git| git.exists())?;
    // A work tree has a file that names its folder.
    let linked = fs::read_to_string(&git).ok();
    let linked = linked.as_deref().and_then(|text| text.strip_prefix("gitdir: "));
    let head = linked.map_or(git.clone(), |path| folder.join(path.trim_end())).join("HEAD");
    let head = fs::read_to_string(head).ok()?;
    Some(head.trim_end().strip_prefix("ref: refs/heads/")?.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::checked_out;

    #[test]
    fn reads_the_branch_of_a_checkout_and_of_a_work_tree() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir_all(path.join("clone/.git/worktrees/w")).unwrap();
        fs::create_dir_all(path.join("clone/docs")).unwrap();
        fs::create_dir(path.join("w")).unwrap();
        fs::write(path.join("clone/.git/HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        fs::write(path.join("clone/.git/worktrees/w/HEAD"), "ref: refs/heads/y\n").unwrap();
        let git = path.join("clone/.git/worktrees/w");
        fs::write(path.join("w/.git"), format!("gitdir: {}\n", git.display())).unwrap();
        assert_eq!(checked_out(&path.join("clone/docs")).as_deref(), Some("feature/x"));
        assert_eq!(checked_out(&path.join("w")).as_deref(), Some("y"));
        fs::write(path.join("clone/.git/HEAD"), "0123456789abcdef\n").unwrap();
        assert_eq!(checked_out(&path.join("clone")), None);
    }
}
