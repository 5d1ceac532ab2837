//! Writes a review as JSON, and its schema.

use std::io::{self, Write};

use sitegate_base::json_schema;

use crate::review::Review;

pub(super) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, review)?;
    writeln!(out)
}

/// Returns the JSON Schema of a review, in draft 7.
pub fn schema() -> String {
    json_schema::schema::<Review>()
}
