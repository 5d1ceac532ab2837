//! Creates an export, its seal and a target folder, and runs the program on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::outcome::{all_output, assert_exit};
use serde_json::Value;

/// An export, its seal and a target in a temporary folder.
pub struct Site {
    pub folder: tempfile::TempDir,
}

impl Site {
    pub fn new() -> Site {
        let site = Site { folder: tempfile::tempdir().unwrap() };
        site.write("index.html", "<!doctype html><title>Home</title><a href=\"/terms/\">Terms</a>");
        site.write("terms/index.html", "<!doctype html><title>Terms</title><p>40%");
        site.write("about/index.html", "<!doctype html><title>About</title>");
        site.write("assets/app-B3x_9kQz.js", "let one = 1;");
        site.write("robots.txt", "User-agent: *\n");
        site
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        write_file(&self.path("export"), path, text);
    }

    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.args(args).current_dir(self.folder.path()).output().unwrap()
    }

    pub fn check(&self) {
        assert_exit(&self.run(&["check", "export", "--seal", "seal.json"]), 0, &[]);
    }

    pub fn target(&self) -> String {
        format!("file://{}", self.path("public").display())
    }

    /// Returns the path of a file of the target state.
    pub fn state_file(&self, name: &str) -> PathBuf {
        self.path("public/.sitegate").join(name)
    }

    /// Returns the last file in a folder of the target state, in the order of names.
    pub fn last_in(&self, folder: &str) -> PathBuf {
        fs::read_dir(self.state_file(folder)).unwrap().map(|entry| entry.unwrap().path()).max().unwrap()
    }

    /// Runs a command on the target.
    pub fn on_target(&self, command: &str, more: &[&str]) -> Output {
        let (words, target) = (crate::command_words(command), self.target());
        let sealed: &[&str] =
            if matches!(command, "plan" | "publish") { &["export", "--seal", "seal.json"] } else { &[] };
        self.run(&[words.as_slice(), &[&target], sealed, more].concat())
    }

    pub fn publish(&self, more: &[&str]) -> Output {
        self.on_target("publish", more)
    }

    pub fn publish_ok(&self, more: &[&str]) -> Value {
        let mut args = vec!["--format", "json"];
        args.extend(more);
        let output = self.publish(&args);
        assert_exit(&output, 0, &[]);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub fn assert_refused(&self, code: i32, words: &[&str]) {
        let output = self.publish(&[]);
        let text = all_output(&output);
        assert_eq!(output.status.code(), Some(code), "{text}");
        for word in words {
            assert!(text.contains(word), "`{word}` is not in:\n{text}");
        }
    }

    pub fn live(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path("public").join(path)).ok()
    }
}

pub fn write_file(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

pub fn keys(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
}
