//! Compares the help and the man page with the files in `snapshots`.
//!
//! `UPDATE=1 cargo test --test program snapshots` updates them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::folders::program;

/// All commands, in the order of `help --all`.
const COMMANDS: [&str; 19] = [
    "init",
    "check",
    "explain",
    "mv",
    "diff",
    "redirects",
    "serve",
    "carry",
    "publish",
    "verify",
    "rollback",
    "target",
    "host-config",
    "render",
    "inventory",
    "schema",
    "completions",
    "man",
    "help",
];

/// The commands that read or maintain a target.
const TARGET_COMMANDS: [&str; 4] = ["status", "gc", "unlock", "repair"];

/// Runs the program in an empty folder, as if in a terminal of 100 columns.
fn run(arguments: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    program(folder.path(), arguments).env("COLUMNS", "100").stdin(Stdio::null()).output().unwrap()
}

/// Compares a text with its file, or writes the file.
fn assert_snapshot(name: &str, text: &str) {
    let file = snapshots().join(name);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(expected, text, "{name}: `UPDATE=1 cargo test --test program snapshots` updates it");
}

fn snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

fn help(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the commands that a help text lists.
fn listed_commands(help: &str) -> Vec<&str> {
    let list = help.split("\n\n").skip(2).take_while(|group| !group.starts_with("Options:"));
    let rows = list.flat_map(|group| group.lines().skip(1));
    rows.filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn help_matches_the_snapshots() {
    let all = help(&["help", "--all"]);
    assert_eq!(listed_commands(&all), COMMANDS, "every command has a snapshot");
    assert_snapshot("help/all.txt", &all);
    for command in COMMANDS {
        assert_snapshot(&format!("help/{command}.txt"), &help(&[command, "--help"]));
    }
    for command in TARGET_COMMANDS {
        assert_snapshot(&format!("help/target-{command}.txt"), &help(&["target", command, "--help"]));
    }
}

#[test]
fn first_screen_of_help_fits_a_small_terminal() {
    let program = help(&["--help"]);
    assert_snapshot("help/sitegate.txt", &program);
    let too_wide = program.lines().find(|line| line.chars().count() >= 80);
    assert!(program.lines().count() <= 28 && too_wide.is_none(), "{program}");
    for arguments in [&["-h"][..], &["help"]] {
        assert_eq!(help(arguments), program, "{arguments:?}");
    }
}

#[test]
fn help_of_a_command_is_that_of_its_option() {
    for command in [&["check"][..], &["target"], &["target", "gc"], &["man"]] {
        assert_eq!(
            help(&[&["help"], command].concat()),
            help(&[command, &["--help"]].concat()),
            "{command:?}"
        );
    }
}

#[test]
fn short_help_of_check_fits_24_lines() {
    let text = help(&["check", "-h"]);
    assert_snapshot("help/check-short.txt", &text);
    assert!(text.lines().count() <= 24, "{text}");
    assert_eq!(
        text.lines().filter(|line| line.contains(" --")).count(),
        10 + 3,
        "ten, and three that all commands have: {text}"
    );
}

#[test]
fn list_of_rules_fits_80_columns() {
    let list = help(&["explain"]);
    let too_wide = list.lines().find(|line| line.chars().count() >= 80);
    assert_eq!(too_wide, None);
    // A rule with a long summary takes several lines, which begin in the column of the summary.
    let ids = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")).count();
    assert_eq!(ids, sitegate_check::rules().count());
}

#[test]
fn short_help_has_one_line_for_each_option_under_80_columns() {
    let commands = COMMANDS.iter().map(|command| vec![*command, "-h"]).chain([vec!["-h"]]);
    for arguments in commands {
        let text = help(&arguments);
        let mut is_list = false;
        for line in text.lines() {
            assert!(line.chars().count() < 80, "{arguments:?}: {line}");
            // A list has a heading, and ends with an empty line. Exit codes are text.
            is_list = (is_list || line.ends_with(':') && line != "Exit codes:") && !line.is_empty();
            let indent = line.len() - line.trim_start().len();
            let is_entry = indent == 0 || indent == 2 || indent == 6 && line.trim_start().starts_with("--");
            let has_text = indent == 0 || line.trim_start().contains("  ");
            assert!(!is_list || is_entry && has_text, "{arguments:?}: more than one line: {line}");
        }
    }
}

#[test]
fn man_page_matches_the_snapshot() {
    let page = help(&["man"]).replace(env!("CARGO_PKG_VERSION"), "VERSION");
    assert_snapshot("man/sitegate.1", &page);
}

#[test]
fn man_page_of_a_command_below_another() {
    assert!(help(&["man", "target", "gc"]).contains("Remove files that no kept release needs"));
}
