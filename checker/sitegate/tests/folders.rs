//! Writes folders of test files, and runs the program in them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// Creates a folder with files: names and texts.
pub fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| write(folder.path(), name, text));
    folder
}

/// Writes a file, with the folders above it.
pub fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns a text file of a folder.
pub fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

/// Returns a command that runs the program in a folder.
pub fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.current_dir(folder).args(args);
    command
}

/// Returns the commands in the first block below a heading of a guide, without comments.
pub fn guide_commands(guide: &str, heading: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides").join(guide);
    let text = fs::read_to_string(file).unwrap();
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap();
    let block = section.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    block.lines().map(|line| line.split('#').next().unwrap().trim().to_owned()).collect()
}

/// Runs the program in a folder.
pub fn sitegate(folder: &Path, args: &[&str]) -> Output {
    program(folder, args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Returns a page without findings of its own.
pub fn page(body: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>T</title>\
         <meta name=description content=\"T\"></head><body>{body}</body></html>"
    )
}

/// Returns a JSON document on standard output.
pub fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

/// Commits all files of a folder in a new repository.
pub fn commit(folder: &Path) {
    git(folder, &["init", "--quiet", "--initial-branch=main"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message=start"]);
}

/// Runs git in a folder, without the settings of the machine.
pub fn git(folder: &Path, args: &[&str]) {
    let identity =
        ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git")
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .args(identity)
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
