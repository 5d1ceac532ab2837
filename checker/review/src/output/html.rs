//! Writes a review as one HTML file that loads nothing and runs no script.

use std::io::{self, Write};

use sitegate_base::markup;
use sitegate_base::plural::{capitalized, count, thousands};

use super::phrases;
use crate::review::{Review, ReviewCause};

const STYLE: &str = include_str!("review.css");

/// Maximum number of open causes; more are folded.
const OPEN: usize = 50;

pub(super) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    let summary = capitalized(&phrases::summary(review));
    writeln!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width\">")?;
    writeln!(out, "<meta name=\"generator\" content=\"sitegate\">")?;
    let policy = "default-src 'none'; style-src 'unsafe-inline'";
    writeln!(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")?;
    writeln!(out, "<title>Review: {summary}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>")?;
    writeln!(out, "<h1>{summary}</h1>")?;
    let name = markup::html(&review.new.name);
    match &review.base {
        Some(base) => {
            writeln!(
                out,
                "<p><code>{name}</code> compared with <code>{}</code></p>",
                markup::html(&base.name)
            )?;
        }
        None => writeln!(out, "<p><code>{name}</code> is the first build.</p>")?,
    }
    for reason in &review.unread {
        writeln!(out, "<p class=\"failed\">Incomplete: {}</p>", markup::html(reason))?;
    }
    if !review.failed.is_empty() {
        let failed = markup::html(&phrases::failed(review));
        writeln!(out, "<p class=\"failed\">Failed by <code>[review]</code> of the contract: {failed}</p>")?;
    }
    let mut section = "";
    for (index, cause) in review.causes.iter().enumerate() {
        if section != cause.kind.section() {
            section = cause.kind.section();
            writeln!(out, "<h2>{section}</h2>")?;
        }
        write_cause(review, cause, index < OPEN, out)?;
    }
    if !review.look_at.is_empty() {
        writeln!(out, "<h2>Look at {}</h2>\n<ul>", count(review.look_at.len(), "page"))?;
        for page in &review.look_at {
            writeln!(
                out,
                "<li>{}: {}</li>",
                link(&review.url(&page.address), &page.address),
                markup::html(&page.shows.join(", "))
            )?;
        }
        writeln!(out, "</ul>")?;
    }
    let noise = phrases::noise(review);
    if !noise.is_empty() {
        writeln!(out, "<p>Not listed: {}</p>", markup::html(&noise))?;
    }
    writeln!(out, "<footer>sitegate {}</footer>\n</main>\n</body>\n</html>", markup::html(&review.version))
}

fn write_cause(review: &Review, cause: &ReviewCause, is_open: bool, out: &mut dyn Write) -> io::Result<()> {
    let pages = match cause.kind.section() {
        "Addresses" => String::new(),
        _ => format!(" <span>{}</span>", count(cause.pages, "page")),
    };
    let open = if is_open { " open" } else { "" };
    writeln!(out, "<details{open}>\n<summary>{}{pages}</summary>", markup::html_prose(&cause.title))?;
    for parts in &cause.texts {
        writeln!(out, "<blockquote>{}</blockquote>", phrases::marked(parts, markup::html))?;
    }
    if cause.more_texts > 0 {
        writeln!(out, "<p>and {} more</p>", thousands(cause.more_texts))?;
    }
    for line in &cause.details {
        writeln!(out, "<p>{}</p>", markup::html_code(line))?;
    }
    let links = phrases::links(review, cause, link);
    if !links.is_empty() {
        writeln!(out, "<p>{}</p>", links.join(" · "))?;
    }
    writeln!(out, "</details>")
}

/// Returns a link; without a preview, the URL is the address.
fn link(url: &str, address: &str) -> String {
    let shown = markup::html(address);
    if url == address {
        format!("<code>{shown}</code>")
    } else {
        format!("<a href=\"{}\">{shown}</a>", markup::html(url))
    }
}
