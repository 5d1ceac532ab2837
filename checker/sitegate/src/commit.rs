//! Finds the commit of a build, for its seal: in the Git repository, or else in the variables of a CI system.

use std::env;
use std::path::Path;

use sitegate_check::SealedCommit;
use sitegate_sources::edits::run_git;

/// The variables of CI systems with the id of the commit: GitHub, GitLab, Bitbucket, Azure Pipelines, Buildkite,
/// `CircleCI`, Drone and Woodpecker, Jenkins, Netlify, Cloudflare Pages, Vercel.
const VARIABLES: [&str; 11] = [
    "GITHUB_SHA",
    "CI_COMMIT_SHA",
    "BITBUCKET_COMMIT",
    "BUILD_SOURCEVERSION",
    "BUILDKITE_COMMIT",
    "CIRCLE_SHA1",
    "DRONE_COMMIT_SHA",
    "GIT_COMMIT",
    "COMMIT_REF",
    "CF_PAGES_COMMIT_SHA",
    "VERCEL_GIT_COMMIT_SHA",
];

/// Returns the commit that a build in a folder is made from; `None` if nothing says it, as in the sandbox of Nix.
pub fn find(folder: &Path) -> Option<SealedCommit> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    of_repository(folder).or_else(|| {
        let id = VARIABLES.iter().find_map(|name| env::var(name).ok().filter(|id| is_id(id)))?;
        Some(SealedCommit { id, modified: false })
    })
}

/// Returns the commit of a checkout. Files that Git does not track are no change: an export is one of them.
fn of_repository(folder: &Path) -> Option<SealedCommit> {
    let head = run_git(folder, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).ok()?;
    let id = str::from_utf8(&head).ok()?.trim().to_owned();
    let changes = run_git(folder, &["status", "--porcelain", "--untracked-files=no"]);
    // If Git cannot compare, the files may differ.
    is_id(&id).then_some(SealedCommit { id, modified: changes.map_or(true, |changes| !changes.is_empty()) })
}

/// Whether a text is the id of a commit: SHA-1 or SHA-256.
fn is_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
