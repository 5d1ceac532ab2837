//! Writes folders of test files, and runs the program in them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

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
    Command::new(env!("CARGO_BIN_EXE_sitegate")).current_dir(folder).args(args).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
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
