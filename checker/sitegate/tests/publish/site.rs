//! An export, its seal and a target folder, and functions to run the program on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// An export, its seal and a target, in a folder of their own.
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
        put(&self.path("export"), path, text);
    }

    pub fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
        command.args(args).current_dir(self.folder.path()).output().unwrap()
    }

    pub fn check(&self) {
        let output = self.run(&["check", "export", "--seal", "seal.json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    }

    pub fn publish(&self, more: &[&str]) -> Output {
        let target = format!("file://{}", self.path("public").display());
        let mut args = vec!["publish", target.as_str(), "export", "--seal", "seal.json"];
        args.extend(more);
        self.run(&args)
    }

    pub fn published(&self, more: &[&str]) -> Value {
        let mut args = vec!["--format", "json"];
        args.extend(more);
        let output = self.publish(&args);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub fn refused(&self, code: i32, words: &[&str]) {
        let output = self.publish(&[]);
        let text = text(&output);
        assert_eq!(output.status.code(), Some(code), "{text}");
        for word in words {
            assert!(text.contains(word), "`{word}` is not in:\n{text}");
        }
    }

    pub fn live(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path("public").join(path)).ok()
    }
}

pub fn put(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

pub fn keys(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|key| key.as_str().unwrap()).collect()
}
