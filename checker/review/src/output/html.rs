//! Writes a review as one HTML file that loads nothing and runs no script.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use sitegate_address::percent::decode_readable;
use sitegate_base::html_writer::{Html, HtmlWriter, html, write_html};
use sitegate_base::plural::{capitalized, count, thousands};

use super::phrases;
use crate::review::{Review, ReviewCause};
use crate::words::{DiffPart, PartKind};

const STYLE: &str = include_str!("review.css");

/// Maximum number of open causes; more are folded.
const OPEN: usize = 50;

pub(super) fn write(review: &Review, out: &mut dyn Write) -> io::Result<()> {
    let out = &mut HtmlWriter::new(out);
    let summary = Html::text(capitalized(&phrases::summary(review)));
    write_html!(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
    write_html!(out, "<meta name=\"viewport\" content=\"width=device-width\">\n")?;
    write_html!(out, "<meta name=\"generator\" content=\"sitegate\">\n")?;
    let policy = Html::text(format!(
        "default-src 'none'; style-src 'sha256-{}'",
        STANDARD.encode(Sha256::digest(STYLE))
    ));
    write_html!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"",
        policy,
        "\">\n<title>Review: "
    )?;
    write_html!(out, summary, "</title>\n<style>")?;
    out.markup(STYLE)?;
    write_html!(out, "</style>\n</head>\n<body>\n<main>\n<h1>", summary, "</h1>\n")?;
    let name = Html::code(&review.new.name);
    match &review.base {
        Some(base) => write_html!(out, "<p>", name, " compared with ", Html::code(&base.name), "</p>\n")?,
        None => write_html!(out, "<p>", name, " is the first build.</p>\n")?,
    }
    for reason in &review.unread {
        write_html!(out, "<p class=\"failed\">Incomplete: ", Html::text(reason), "</p>\n")?;
    }
    if !review.failed.is_empty() {
        let failed = Html::text(phrases::failed(review));
        write_html!(
            out,
            "<p class=\"failed\">Failed by <code>[review]</code> of the contract: ",
            failed,
            "</p>\n"
        )?;
    }
    let mut open = 0..OPEN;
    for (heading, causes) in phrases::sections(review) {
        write_html!(out, "<h2>", Html::text(heading), "</h2>\n")?;
        causes.iter().try_for_each(|cause| write_cause(review, cause, open.next().is_some(), out))?;
    }
    if !review.look_at.is_empty() {
        let pages = Html::text(count(review.look_at.len(), "page"));
        write_html!(out, "<h2>Look at ", pages, "</h2>\n<ul>\n")?;
        for page in &review.look_at {
            let (link, shows) = (link(&review.url(&page.address), &page.address), page.shows.join(", "));
            write_html!(out, "<li>", link, ": ", Html::text(shows), "</li>\n")?;
        }
        write_html!(out, "</ul>\n")?;
    }
    let noise = phrases::noise(review);
    if !noise.is_empty() {
        write_html!(out, "<p>Not listed: ", Html::text(noise), "</p>\n")?;
    }
    let version = Html::text(&review.version);
    write_html!(out, "<footer>sitegate ", version, "</footer>\n</main>\n</body>\n</html>\n")
}

fn write_cause(
    review: &Review,
    cause: &ReviewCause,
    is_open: bool,
    out: &mut HtmlWriter<'_>,
) -> io::Result<()> {
    out.markup(if is_open { "<details open>\n" } else { "<details>\n" })?;
    write_html!(out, "<summary>", Html::prose(&cause.title))?;
    let pages = phrases::page_count(cause);
    if !pages.is_empty() {
        write_html!(out, " <span>", Html::text(pages), "</span>")?;
    }
    write_html!(out, "</summary>\n")?;
    for parts in &cause.texts {
        write_html!(out, "<blockquote>", marked(parts), "</blockquote>\n")?;
    }
    if cause.more_texts > 0 {
        write_html!(out, "<p>and ", Html::text(thousands(cause.more_texts)), " more</p>\n")?;
    }
    for line in &cause.details {
        write_html!(out, "<p>", Html::code(line), "</p>\n")?;
    }
    let mut links: Vec<Html> =
        cause.addresses.iter().map(|address| link(&review.url_in(cause, address), address)).collect();
    links.extend(phrases::more_line(cause).map(Html::text));
    if !links.is_empty() {
        write_html!(out, "<p>", Html::joined(links, " · "), "</p>\n")?;
    }
    write_html!(out, "</details>\n")
}

/// Returns a changed text.
fn marked(parts: &[DiffPart]) -> Html {
    let one = |part: &DiffPart| {
        let text = Html::text(&part.text);
        match part.kind {
            PartKind::Same => text,
            PartKind::Removed => html!("<del>", text, "</del>"),
            PartKind::Added => html!("<ins>", text, "</ins>"),
        }
    };
    Html::joined(parts.iter().map(one), " ")
}

/// Returns a link; without a preview, the URL is the address.
fn link(url: &str, address: &str) -> Html {
    match phrases::link(url, address) {
        Some(url) => {
            html!("<a href=\"", Html::text(url), "\">", Html::text(decode_readable(address)), "</a>")
        }
        None => Html::code(decode_readable(address)),
    }
}
