//! `sitegate schema`: the JSON Schema of sitegate.toml.

use sitegate_check::schema;

use crate::terminal::{self, Outcome};

pub fn run() -> Outcome {
    terminal::print(|out| out.write_all(schema::text().as_bytes()))?;
    Ok(0)
}
