//! Prints the references of files, one on a line: file, range, manner, uses and target, separated by tabs.
//!
//! ```sh
//! cargo run --example list_references -- [--default-role] FILE…
//! ```

#![allow(clippy::print_stdout, reason = "an example")]

use sitegate_sources::{SourceOptions, scan};

fn main() -> std::io::Result<()> {
    let mut options = SourceOptions::default();
    for path in std::env::args().skip(1) {
        if path == "--default-role" {
            options.default_role = true;
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(&path)?).into_owned();
        for found in scan(&path, &text, options).references {
            let (range, target) = (&found.range, found.target.escape_debug());
            println!("{path}\t{}..{}\t{:?}\t{}\t{target}", range.start, range.end, found.manner, found.uses);
        }
    }
    Ok(())
}
