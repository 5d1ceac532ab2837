//! Renders reviews. Each format is a pure function of a [`Review`].

mod html;
mod human;
mod markdown;
mod phrases;

use std::io::{self, Write};

use sitegate_base::json_writer::{self, JsonLayout, write_json};

use crate::review::Review;

/// The formats of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewFormat {
    /// Text for terminals, 80 columns wide.
    Human,
    /// Markdown for comments on GitHub and GitLab.
    Markdown,
    /// JSON.
    Json,
    /// One HTML file that loads nothing.
    Html,
}

impl ReviewFormat {
    /// All formats.
    pub const ALL: [ReviewFormat; 4] =
        [ReviewFormat::Human, ReviewFormat::Markdown, ReviewFormat::Json, ReviewFormat::Html];

    /// Returns its name, as `--format` takes it.
    pub fn name(self) -> &'static str {
        match self {
            ReviewFormat::Human => "human",
            ReviewFormat::Markdown => "markdown",
            ReviewFormat::Json => "json",
            ReviewFormat::Html => "html",
        }
    }
}

/// Writes a review.
///
/// # Errors
/// If the output cannot be written.
pub fn write(review: &Review, format: ReviewFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ReviewFormat::Human => human::write(review, out),
        ReviewFormat::Markdown => markdown::write(review, out),
        ReviewFormat::Json => write_json(review, JsonLayout::Pretty, out),
        ReviewFormat::Html => html::write(review, out),
    }
}

/// Returns the JSON Schema of a review, in draft 7.
pub fn schema() -> String {
    json_writer::schema::<Review>()
}
