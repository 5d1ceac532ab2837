//! Reads the history of sources with the program `git`. Finds the commit of a build, for its seal: in the Git
//! repository, or else in the variables of a CI system.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::Stdio;

use sitegate_check::{SealedCommit, SourceHistory, SourceRename};
use sitegate_sources::edits::{git_command, run_git};

use crate::error::Error;

/// Maximum size of an earlier source to read, in bytes. Only its front matter is used.
const MAX_SOURCE: u64 = 1 << 20;

/// Returns the content of a file in a commit; `None` if the commit does not have it.
///
/// # Errors
/// If the file is in no repository, git is not installed, or there is no such commit.
pub fn read_file(file: &Path, revision: &str) -> Result<Option<Vec<u8>>, Error> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let commit = commit_of(folder, revision)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let object = format!("{commit}:./{name}");
    let Ok(blob) = run_git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &object]) else {
        return Ok(None);
    };
    let blob = String::from_utf8_lossy(&blob).trim().to_owned();
    run_git(folder, &["cat-file", "blob", &blob]).map(Some).map_err(Error::system("git"))
}

/// Returns the id of a commit.
///
/// # Errors
/// If there is none, or no repository.
fn commit_of(folder: &Path, revision: &str) -> Result<String, Error> {
    let name = format!("{revision}^{{commit}}");
    let commit = run_git(folder, &["rev-parse", "--verify", "--quiet", "--end-of-options", &name])
        .map_err(|error| unknown_revision(folder, revision, &error))?;
    Ok(String::from_utf8_lossy(&commit).trim().to_owned())
}

/// Returns the sources of a revision, with their renames up to the working tree. Paths are relative to the folder.
///
/// # Errors
/// If the folder is in no repository, git is not installed, or the revision does not exist.
pub fn history(folder: &Path, revision: &str) -> Result<SourceHistory, Error> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let commit = commit_of(folder, revision)?;
    let read = |arguments: &[&str]| run_git(folder, arguments).map_err(Error::system("git"));
    let paths = fields(&read(&["ls-tree", "-r", "-z", "--name-only", &commit])?);
    let range = format!("{commit}..HEAD");
    let options = ["--relative", "--find-renames=50%", "-l0", "--diff-filter=R", "--name-status", "-z"];
    let mut steps = fields(&read(&[&["log", "--reverse", "--format="], &options[..], &[&range]].concat())?);
    steps.extend(fields(&read(&[&["diff"], &options[..], &["HEAD"]].concat())?));
    let known: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    let mut renames = follow(&steps, &known);
    renames.retain(|rename| folder.join(&rename.to).is_file());
    read_contents(folder, &commit, &mut renames).map_err(Error::system("git"))?;
    Ok(SourceHistory { paths, renames })
}

fn unknown_revision(folder: &Path, revision: &str, error: &io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        return Error::usage("--base: the program `git` was not found");
    }
    if let Err(no_repository) = run_git(folder, &["rev-parse", "--git-dir"]) {
        return Error::usage(format!("--base {revision}: {no_repository}"));
    }
    let is_shallow = run_git(folder, &["rev-parse", "--is-shallow-repository"])
        .is_ok_and(|answer| answer.trim_ascii() == b"true");
    let help = if is_shallow { "; this clone is shallow, fetch more of its history" } else { "" };
    Error::usage(format!("--base {revision}: there is no such commit{help}"))
}

/// Splits the output of `-z`.
fn fields(output: &[u8]) -> Vec<String> {
    let fields = output.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field));
    fields.map(|field| field.trim_start_matches('\n').to_owned()).filter(|field| !field.is_empty()).collect()
}

/// Follows the renames from the first to the last, from files that are known. `steps` are triples of `R100`, the earlier
/// and the later path.
fn follow(steps: &[String], known: &BTreeSet<&str>) -> Vec<SourceRename> {
    // The first path and the least similarity, by the present path.
    let mut present: BTreeMap<&str, (&str, u8)> = BTreeMap::new();
    for step in steps.chunks_exact(3) {
        let [status, from, to] = step else { continue };
        let similarity = status.trim_start_matches('R').parse().unwrap_or(0);
        let (first, least) = present.remove(from.as_str()).unwrap_or((from, 100));
        present.insert(to, (first, similarity.min(least)));
    }
    let moved = present.into_iter().filter(|(to, (from, _))| known.contains(from) && to != from);
    let renames = moved.map(|(to, (from, similarity))| SourceRename {
        from: from.to_owned(),
        to: to.to_owned(),
        similarity,
        content: Vec::new(),
    });
    renames.collect()
}

/// Reads the earlier contents of renamed sources.
fn read_contents(folder: &Path, commit: &str, renames: &mut [SourceRename]) -> io::Result<()> {
    if renames.is_empty() {
        return Ok(());
    }
    let prefix =
        String::from_utf8_lossy(&run_git(folder, &["rev-parse", "--show-prefix"])?).trim_end().to_owned();
    let mut child = git_command(folder)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else { return Ok(()) };
    let mut output = BufReader::new(output);
    for rename in renames {
        writeln!(input, "{commit}:{prefix}{}", rename.from)?;
        input.flush()?;
        let mut header = String::new();
        output.read_line(&mut header)?;
        // A missing object has no size.
        let Some(size) = header.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok())
        else {
            continue;
        };
        output.by_ref().take(size.min(MAX_SOURCE)).read_to_end(&mut rename.content)?;
        io::copy(&mut output.by_ref().take(size.saturating_sub(MAX_SOURCE) + 1), &mut io::sink())?;
    }
    drop(input);
    child.wait()?;
    Ok(())
}

/// The variables of CI systems with the id of the commit: GitHub, GitLab, Bitbucket, Azure Pipelines, Buildkite,
/// `CircleCI`, Drone and Woodpecker, Jenkins, Netlify, Cloudflare Pages, Vercel.
const COMMIT_VARIABLES: [&str; 11] = [
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
pub fn commit_of_build(folder: &Path) -> Option<SealedCommit> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    commit_of_checkout(folder).or_else(|| {
        let id =
            COMMIT_VARIABLES.iter().find_map(|name| env::var(name).ok().filter(|id| is_commit_id(id)))?;
        Some(SealedCommit { id, modified: false })
    })
}

/// Returns the commit of a checkout. Files that Git does not track are no change: an export is one of them.
fn commit_of_checkout(folder: &Path) -> Option<SealedCommit> {
    let head = run_git(folder, &["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).ok()?;
    let id = str::from_utf8(&head).ok()?.trim().to_owned();
    let changes = run_git(folder, &["status", "--porcelain", "--untracked-files=no"]);
    // If Git cannot compare, the files may differ.
    is_commit_id(&id)
        .then_some(SealedCommit { id, modified: changes.map_or(true, |changes| !changes.is_empty()) })
}

/// Whether a text is the id of a commit: SHA-1 or SHA-256.
fn is_commit_id(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::follow;

    fn followed(steps: &[&str], known: &[&str]) -> Vec<String> {
        let steps: Vec<String> = steps.iter().map(|step| (*step).to_owned()).collect();
        let known: BTreeSet<&str> = known.iter().copied().collect();
        let renames = follow(&steps, &known);
        renames.iter().map(|rename| format!("{} {} {}", rename.from, rename.to, rename.similarity)).collect()
    }

    #[test]
    fn follows_several_renames_of_one_file() {
        let steps = ["R090", "a", "b", "R100", "b", "c", "R060", "new", "d"];
        assert_eq!(followed(&steps, &["a", "b"]), ["a c 90"]);
        assert_eq!(followed(&["R100", "a", "b", "R100", "b", "a"], &["a"]), [""; 0]);
        assert_eq!(followed(&["R100", "a", "b", "R100", "c", "a"], &["a", "c"]), ["c a 100", "a b 100"]);
    }
}
