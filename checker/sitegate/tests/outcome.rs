//! How a program ended, and what it printed.

use std::process::Output;

/// Returns the output and the messages.
pub fn all_output(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Asserts that a program ended with a code and printed some words. Returns all that it printed.
#[track_caller]
pub fn assert_exit(output: &Output, code: i32, words: &[&str]) -> String {
    let printed = all_output(output);
    assert_eq!(output.status.code(), Some(code), "{printed}");
    for word in words {
        assert!(printed.contains(word), "`{word}` is not in:\n{printed}");
    }
    printed
}
