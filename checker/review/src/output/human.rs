//! Writes a review for terminals, 80 columns wide. Changed words are marked as by `git diff --word-diff`.

use std::io::{self, Write};

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
    let mut section = "";
    let (mut in_section, mut left_out) = (0, 0);
    for cause in &review.causes {
        if section != cause.kind.section() {
            more_causes(left_out, out)?;
            section = cause.kind.section();
            (in_section, left_out) = (0, 0);
            writeln!(out, "\n{section}")?;
        }
        in_section += 1;
        if in_section > CAUSES { left_out += 1 } else { write_cause(review, cause, out)? }
    }
    more_causes(left_out, out)?;
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

fn more_causes(left_out: usize, out: &mut dyn Write) -> io::Result<()> {
    match left_out {
        0 => Ok(()),
        more => writeln!(out, "  and {} more; --format html lists all", thousands(more)),
    }
}

fn write_cause(review: &Review, cause: &ReviewCause, out: &mut dyn Write) -> io::Result<()> {
    let pages = match cause.page_count() {
        count if count.is_empty() => count,
        count => format!(", {count}"),
    };
    wrapped("  ", "    ", &format!("{}{pages}", cause.title), LINES, out)?;
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
    let mut urls: Vec<String> = cause.addresses.iter().map(|address| review.url_in(cause, address)).collect();
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
    let one = |part: &DiffPart| match part.kind {
        PartKind::Same => part.text.clone(),
        PartKind::Removed => format!("[-{}-]", part.text),
        PartKind::Added => format!("{{+{}+}}", part.text),
    };
    parts.iter().map(one).collect::<Vec<_>>().join(" ")
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
