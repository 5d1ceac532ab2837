//! Writes a review as a comment on GitHub and GitLab: the most important causes first, the rest folded.
//!
//! Texts of pages are not trusted: none can mention people, add links or images, or end its element.

use std::fmt::Write as _;
use std::io::{self, Write};

use sitegate_address::percent::decode_readable;
use sitegate_base::html_writer;
use sitegate_base::markdown::{code, escaped, plain};
use sitegate_base::plural::{count, thousands};

use super::phrases;
use crate::review::{Review, ReviewCause};
use crate::words::{DiffPart, PartKind};

/// Maximum number of bytes. GitHub refuses a comment of more than 65,536 characters; GitLab accepts more.
const LIMIT: usize = 60_000;

/// Number of causes that are not folded.
const OPEN: usize = 8;

/// Maximum number of bytes of one cause.
const CAUSE: usize = 6000;

/// Maximum number of bytes of the pages to look at.
const TAIL: usize = 30_000;

/// Identifies the comment, so that a later review replaces it.
const MARKER: &str = "<!-- sitegate review -->";

pub(super) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    let mut text = format!("{MARKER}\n");
    let mark = if review.failed.is_empty() { "" } else { "❌ " };
    let _ = writeln!(text, "### {mark}Review of the site: {}\n", plain(&phrases::summary(review)));
    if !review.failed.is_empty() {
        let _ = writeln!(text, "Failed by `[review]` of the contract: {}.\n", phrases::failed(review));
    }
    for reason in review.unread.iter().take(5) {
        let line = plain(reason);
        if text.len() + line.len() < CAUSE {
            let _ = writeln!(text, "Incomplete: {line}\n");
        }
    }
    if let Some(note) = first_run(review) {
        let _ = writeln!(text, "{note}\n");
    }
    let tail = tail(review);
    let mut left_out = 0;
    let mut section = "";
    for (index, cause) in review.causes.iter().enumerate() {
        if index == OPEN {
            let rest = count(review.causes.len() - OPEN, "more cause");
            let _ = writeln!(text, "\n<details><summary>{rest}</summary>\n");
            section = "";
        }
        let mut own = String::new();
        if section != cause.kind.section() {
            let _ = writeln!(own, "\n**{}**\n", cause.kind.section());
        }
        write_cause(review, cause, &mut own);
        if text.len() + own.len() + tail.len() > LIMIT {
            left_out += 1;
        } else {
            text.push_str(&own);
            section = cause.kind.section();
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "\nand {} more; `--format html` lists all.\n", thousands(left_out));
    }
    if review.causes.len() > OPEN {
        text.push_str("\n</details>\n\n");
    }
    text.push_str(&tail);
    out.write_all(text.as_bytes())
}

fn first_run(review: &Review) -> Option<&'static str> {
    review.base.is_none().then_some("The next change is compared with this build.")
}

/// Returns the pages to look at, and the line about noise.
fn tail(review: &Review) -> String {
    let mut text = String::new();
    if !review.look_at.is_empty() {
        let _ = writeln!(text, "\n**Look at {}**\n", count(review.look_at.len(), "page"));
        for page in &review.look_at {
            let shows: Vec<String> = page.shows.iter().take(5).map(|shown| plain(shown)).collect();
            let line =
                format!("- {}: {}\n", link(&review.url(&page.address), &page.address), shows.join(", "));
            if text.len() + line.len() < TAIL {
                text.push_str(&line);
            }
        }
        text.push('\n');
    }
    let noise = phrases::noise(review);
    if !noise.is_empty() {
        let line = plain(&noise);
        if line.len() < CAUSE {
            let _ = writeln!(text, "\nNot listed: {line}\n");
        }
    }
    text
}

fn write_cause(review: &Review, cause: &ReviewCause, text: &mut String) {
    let mut own = String::new();
    let title = phrases::title(cause, |written| html_writer::with_code(written, plain, code));
    let _ = writeln!(own, "- {title}  ");
    for parts in &cause.texts {
        let _ = writeln!(own, "  {}  ", marked(parts));
    }
    if cause.more_texts > 0 {
        let _ = writeln!(own, "  and {} more  ", thousands(cause.more_texts));
    }
    for line in &cause.details {
        let _ = writeln!(own, "  {}  ", code(line));
    }
    let mut links: Vec<String> =
        cause.addresses.iter().map(|address| link(&review.url_in(cause, address), address)).collect();
    links.extend(phrases::more_line(cause));
    if !links.is_empty() {
        let _ = writeln!(own, "  {}", links.join(", "));
    }
    if own.len() > CAUSE {
        own = format!("- {title}\n");
    }
    text.push_str(&own);
}

/// Returns a link; without a preview, the URL is the address.
fn link(url: &str, address: &str) -> String {
    let shown = code(&decode_readable(address));
    match phrases::link(url, address) {
        Some(url) => format!("<a href=\"{}\">{shown}</a>", escaped(url)),
        None => shown,
    }
}

fn marked(parts: &[DiffPart]) -> String {
    let text = phrases::marked(parts, |kind, text| match kind {
        PartKind::Same => plain(text),
        PartKind::Removed => format!("<del>{}</del>", plain(text)),
        PartKind::Added => format!("<ins>{}</ins>", plain(text)),
    });
    // At the start of a line, these begin lists, rules and headings; and commands on GitLab, such as `/close`.
    match text.chars().next() {
        Some(first) if first.is_ascii_digit() || matches!(first, '-' | '+' | '/') => {
            format!("&#{};{}", first as u32, &text[1..])
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::marked;
    use crate::words::{DiffPart, PartKind};

    #[test]
    fn text_begins_no_list_or_heading() {
        let line = |text: &str| marked(&[DiffPart { kind: PartKind::Same, text: text.to_owned() }]);
        assert_eq!(line("--- a"), "&#45;-- a");
        assert_eq!(line("1. a"), "&#49;. a");
        assert_eq!(line("/close"), "&#47;close");
    }
}
