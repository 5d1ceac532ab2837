//! Writes a review as JSON, and its schema.

use std::io::{self, Write};

use sitegate_base::json_schema;
use sitegate_base::json_writer::{JsonLayout, write_json};

use crate::review::Review;

pub(super) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    write_json(review, JsonLayout::Pretty, out)
}

/// Returns the JSON Schema of a review, in draft 7.
pub fn schema() -> String {
    json_schema::schema::<Review>()
}
