//! Prints the references of files, as an editor would show them: `file:line:column target`.

use std::process::ExitCode;

use sitegate_sources::{SourceOptions, scan};

#[allow(clippy::print_stdout, clippy::print_stderr, reason = "an example")]
fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                code = ExitCode::FAILURE;
                continue;
            }
        };
        let mut line = 1;
        let mut line_start = 0;
        let mut read = 0;
        for reference in scan(&path, &text, SourceOptions::default()).references {
            let before = &text[read..reference.range.start];
            line += before.matches('\n').count();
            line_start = before.rfind('\n').map_or(line_start, |end| read + end + 1);
            read = reference.range.start;
            let column = text[line_start..read].chars().count() + 1;
            let unused = if reference.uses == 0 { " (unused)" } else { "" };
            println!("{path}:{line}:{column} {:?} {}{unused}", reference.manner, reference.target);
        }
    }
    code
}
