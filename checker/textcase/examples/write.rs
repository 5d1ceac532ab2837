//! Writes the files of the cases in a text file or a folder, to look at them or to run a program on them:
//! `cargo run --package sitegate-textcase --example write checker/check/tests/cases /tmp/cases`.

use std::path::Path;
use std::process::ExitCode;

#[allow(clippy::print_stderr)] // a program of its own
fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("usage: write TEXT-FILE|FOLDER-OF-TEXT-FILES FOLDER");
        return ExitCode::from(2);
    };
    match sitegate_textcase::write_all(Path::new(from), Path::new(to)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
