//! Runs the program `git`, and finds the files whose present content Git could not restore, or whose change it would
//! not show.

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::changes::RefusalReason;

/// Returns the command for git in a folder, which decides alone about the repository. In a hook, variables such as
/// `GIT_DIR` and `GIT_INDEX_FILE` name the repository of the commit, and `GIT_CONFIG_COUNT` has settings for it. Git's own
/// programs stay where `GIT_EXEC_PATH` says.
///
/// A checkout may contain a bare repository as plain files, with settings that run programs, so that none is used.
#[expect(clippy::disallowed_methods, reason = "the one place that starts Git")]
pub fn git_command(folder: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy().to_ascii_uppercase();
        if text.starts_with("GIT_") && text != "GIT_EXEC_PATH" {
            command.env_remove(name);
        }
    }
    // `git status` would lock the index to refresh it, also after this program was killed.
    command.env("GIT_OPTIONAL_LOCKS", "0");
    command.args(["-c", "safe.bareRepository=explicit", "-C"]).arg(folder);
    command
}

/// Runs git in a folder and returns its output.
///
/// # Errors
/// If git is not installed, or fails; then with the first line of its message.
pub fn run_git(folder: &Path, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let output = git_command(folder).args(arguments).output()?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(message.lines().next().unwrap_or("it failed").to_owned()))
}

/// Splits the output of `-z`.
fn fields(output: &[u8]) -> Vec<String> {
    let fields = output.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field));
    fields.filter(|field| !field.is_empty()).map(String::from).collect()
}

/// Maximum number of files for one process: the length of its arguments is limited.
const MAX_FILES: usize = 500;

/// A file in its repository: the path as the caller has it, and from the root, with `/`.
type OwnFile<'f> = (&'f Path, String);

/// Returns the nearest folder above a path that exists.
pub(super) fn existing_folder(path: &Path) -> Option<&Path> {
    path.ancestors().skip(1).find(|folder| folder.is_dir())
}

/// Returns the root of the repository of a path, by the nearest folder that has one.
pub(super) fn repository_root(path: &Path) -> Option<PathBuf> {
    let folder = existing_folder(path)?.canonicalize().ok()?;
    folder.ancestors().find(|folder| folder.join(".git").exists()).map(Path::to_path_buf)
}

/// Returns the reasons of Git against changes of files. Each file is looked up in its own repository. `project` is the root
/// of the repository that may be changed, if there is one.
pub(super) fn git_refusals<'f>(
    files: &[&'f Path],
    project: Option<&Path>,
) -> BTreeMap<&'f Path, RefusalReason> {
    let mut refused = BTreeMap::new();
    let mut repositories: BTreeMap<PathBuf, Vec<OwnFile<'f>>> = BTreeMap::new();
    for &file in files {
        let Some(folder) = file.parent().and_then(|folder| folder.canonicalize().ok()) else { continue };
        let path = folder.join(file.file_name().unwrap_or_default());
        let Some(root) = repository_root(file) else {
            refused.insert(file, RefusalReason::NoRepository);
            continue;
        };
        let Some(below) = path.strip_prefix(&root).ok().and_then(Path::to_str) else {
            refused.insert(file, RefusalReason::NotUtf8Name);
            continue;
        };
        if project.is_some_and(|project| project != root && root.starts_with(project)) {
            refused.insert(file, RefusalReason::OtherRepository(root.clone()));
        }
        repositories.entry(root).or_default().push((file, below.replace('\\', "/")));
    }
    for (root, own) in &repositories {
        for some in own.chunks(MAX_FILES) {
            match states(root, some) {
                Ok(found) => {
                    for (file, reason) in found {
                        // A reason that no one can allow is more important.
                        if !reason.can_be_allowed() || !refused.contains_key(file) {
                            refused.insert(file, reason);
                        }
                    }
                }
                Err(error) => refused.extend(some.iter().map(|(file, _)| (*file, git_failure(&error)))),
            }
        }
    }
    refused
}

/// Returns the reason why Git does not answer.
fn git_failure(error: &io::Error) -> RefusalReason {
    match error.kind() {
        io::ErrorKind::NotFound => RefusalReason::NoGit,
        _ => RefusalReason::Git(error.to_string()),
    }
}

/// Whether only a part of a repository is checked out.
pub(super) fn is_sparse(root: &Path) -> bool {
    run_git(root, &["config", "--type=bool", "core.sparseCheckout"])
        .is_ok_and(|answer| answer.trim_ascii() == b"true")
}

/// Whether Git ignores a path, which need not exist.
pub(super) fn is_ignored(root: &Path, path: &str) -> bool {
    // The command has no literal paths: `./` keeps `:` at the start of a name from being magic.
    run_git(root, &["check-ignore", "--quiet", "--", &format!("./{path}")]).is_ok()
}

/// Returns the reasons against changes of files of one repository.
fn states<'f>(root: &Path, files: &[OwnFile<'f>]) -> io::Result<Vec<(&'f Path, RefusalReason)>> {
    let paths: Vec<&str> = files.iter().map(|(_, path)| path.as_str()).collect();
    let run = |options: &[&str]| Ok::<_, io::Error>(fields(&run_git(root, &[options, &paths].concat())?));
    let changes = run(&[
        "--literal-pathspecs",
        "status",
        "--porcelain=v1",
        "-z",
        "--no-renames",
        "--untracked-files=all",
        "--ignored",
        "--",
    ])?;
    let changes: Vec<(&str, &str)> = changes.iter().filter_map(|entry| entry.split_at_checked(3)).collect();
    let marks = run(&["--literal-pathspecs", "ls-files", "-v", "-z", "--"])?;
    let marks: BTreeMap<&str, &str> =
        marks.iter().filter_map(|entry| entry.split_at_checked(2)).map(|(tag, path)| (path, tag)).collect();
    let attributes = run(&["check-attr", "-z", "linguist-generated", "filter", "--"])?;
    let attributes: BTreeMap<(&str, &str), &str> = attributes
        .chunks_exact(3)
        .map(|entry| ((entry[0].as_str(), entry[1].as_str()), entry[2].as_str()))
        .collect();
    let reason = |path: &str| {
        if attributes.get(&(path, "filter")) == Some(&"lfs") {
            return Some(RefusalReason::LargeFile);
        }
        if matches!(attributes.get(&(path, "linguist-generated")), Some(&("set" | "true"))) {
            return Some(RefusalReason::Generated);
        }
        let change =
            changes.iter().find(|(_, listed)| Path::new(path).starts_with(listed.trim_end_matches('/')));
        match (change.map(|(state, _)| *state), marks.get(path)) {
            // Without a state: an empty repository, or a file of a folder that is a repository of its own.
            (Some("?? "), _) | (None, None) => Some(RefusalReason::Untracked),
            (Some("!! "), _) => Some(RefusalReason::Ignored),
            (Some(_), _) => Some(RefusalReason::Uncommitted),
            (None, Some(tag)) if tag.starts_with(['S', 's']) => {
                Some(RefusalReason::Unwatched("skip-worktree"))
            }
            (None, Some(tag)) if tag.starts_with(|c: char| c.is_ascii_lowercase()) => {
                Some(RefusalReason::Unwatched("assume-unchanged"))
            }
            (None, Some(_)) => None,
        }
    };
    Ok(files.iter().filter_map(|(file, path)| Some((*file, reason(path)?))).collect())
}
