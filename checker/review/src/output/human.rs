//! Writes a review for terminals, 80 columns wide. Changed words are marked as by `git diff --word-diff`.

use std::io::{self, Write};

use sitegate_address::percent::decode_readable;
use sitegate_base::plural::thousands;
use sitegate_base::sanitize::visible;

use super::phrases;
use crate::review::{Review, ReviewCause};
use crate::words::{DiffPart, PartKind};

const WIDTH: usize = 80;

/// Maximum number of causes of a section, and of lines of a text.
const CAUSES: usize = 30;
const LINES: usize = 4;

pub(super) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    let name = |site: &crate::review::ReviewedSite| visible(&site.name).into_owned();
    match &review.base {
        Some(base) => writeln!(out, "{} compared with {}", name(&review.new), name(base))?,
        None => writeln!(out, "{}", name(&review.new))?,
    }
    writeln!(out, "{}", visible(&phrases::summary(review)))?;
    for reason in &review.unread {
        writeln!(out, "incomplete: {}", visible(reason))?;
    }
    for (heading, causes) in phrases::sections(review) {
        writeln!(out, "\n{heading}")?;
        causes.iter().take(CAUSES).try_for_each(|cause| write_cause(review, cause, out))?;
        if causes.len() > CAUSES {
            let more = thousands(causes.len() - CAUSES);
            writeln!(out, "  and {more} more; --format html lists all")?;
        }
    }
    if !review.look_at.is_empty() {
        writeln!(out, "\nLook at {}", if review.look_at.len() == 1 { "this page" } else { "these pages" })?;
        for page in &review.look_at {
            wrapped(
                "  ",
                "      ",
                &format!("{}: {}", review.url(&page.address), page.shows.join(", ")),
                2,
                out,
            )?;
        }
    }
    let noise = phrases::noise(review);
    if !noise.is_empty() {
        writeln!(out)?;
        wrapped("", "  ", &format!("Not listed: {noise}"), LINES, out)?;
    }
    if !review.failed.is_empty() {
        writeln!(out, "\nfailed by [review] of the contract: {}", phrases::failed(review))?;
    }
    Ok(())
}

fn write_cause(review: &Review, cause: &ReviewCause, out: &mut dyn Write) -> io::Result<()> {
    wrapped("  ", "    ", &phrases::title(cause, str::to_owned), LINES, out)?;
    for parts in &cause.texts {
        wrapped("    ", "    ", &marked(parts), LINES, out)?;
    }
    if cause.more_texts > 0 {
        writeln!(out, "    and {} more", thousands(cause.more_texts))?;
    }
    for line in &cause.details {
        wrapped("    ", "      ", line, 2, out)?;
    }
    let more = phrases::more_pages(cause);
    let shown = |address: &String| {
        let url = review.url_in(cause, address);
        // A URL of the preview is for browsers.
        if url == *address { decode_readable(address).into_owned() } else { url }
    };
    let mut urls: Vec<String> = cause.addresses.iter().map(shown).collect();
    if more > 0 {
        urls.push(format!("{} more", thousands(more)));
    }
    if review.preview.is_some() || cause.kind.section() == "Addresses" {
        return urls.iter().try_for_each(|url| wrapped("    ", "      ", url, 2, out));
    }
    wrapped("    ", "    ", &urls.join(", "), LINES, out)
}

/// Marks changed words.
fn marked(parts: &[DiffPart]) -> String {
    phrases::marked(parts, |kind, text| match kind {
        PartKind::Same => text.to_owned(),
        PartKind::Removed => format!("[-{text}-]"),
        PartKind::Added => format!("{{+{text}+}}"),
    })
}

/// Writes a text in lines of at most 80 columns; longer words are not broken.
fn wrapped(first: &str, next: &str, text: &str, max: usize, out: &mut dyn Write) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let text = visible(text);
    let (mut line, mut lines, mut is_empty) = (first.to_owned(), 1, true);
    for word in text.split_ascii_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            if lines == max {
                return writeln!(out, "{line} …");
            }
            writeln!(out, "{line}")?;
            (line, lines, is_empty) = (next.to_owned(), lines + 1, true);
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    writeln!(out, "{line}")
}
