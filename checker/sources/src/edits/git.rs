//! Starts the program `git`.

use std::env;
use std::io;
use std::path::Path;
use std::process::Command;

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
pub(super) fn fields(output: &[u8]) -> Vec<String> {
    let fields = output.split(|byte| *byte == 0).map(|field| String::from_utf8_lossy(field));
    fields.filter(|field| !field.is_empty()).map(String::from).collect()
}
