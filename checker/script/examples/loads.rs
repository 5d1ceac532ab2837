//! Lists the files that a script makes a browser load: `cargo run --example loads -- main.js`.

use std::error::Error;
use std::io::{Write, stdout};

use sitegate_script::{Memory, read_script};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: loads FILE")?;
    let text = std::fs::read_to_string(file)?;
    for load in read_script(&text, &mut Memory::default()).loads {
        writeln!(stdout(), "{:?} {}", load.kind, load.address)?;
    }
    Ok(())
}
