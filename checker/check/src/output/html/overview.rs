//! Writes the overview of the whole site: external hosts, and links between pages.

use std::io;

use crate::external::ExternalHosts;
use crate::output::phrases;
use crate::report::Report;
use sitegate_base::html_writer::{Html, HtmlWriter, html, write_html};
use sitegate_base::plural::{capitalized, count, thousands};

/// Maximum number of external hosts.
const HOSTS: usize = 200;

/// Returns a row with a name and a figure.
fn row(name: &str, figure: impl AsRef<str>) -> Html {
    let (name, figure) = (Html::text(name), Html::text(figure));
    html!("<li><span class=\"name\">", name, "</span><span class=\"figure\">", figure, "</span></li>\n")
}

/// Writes rows in a box that scrolls, and the number of those that are left out.
fn scrolling_rows(
    label: &'static str,
    mut rows: impl Iterator<Item = Html>,
    left_out: usize,
    out: &mut HtmlWriter<'_>,
) -> io::Result<()> {
    let label = Html::text(label);
    write_html!(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", label)?;
    write_html!(out, "\"><ol class=\"ledger\">\n")?;
    rows.try_for_each(|row| out.part(&row))?;
    if left_out > 0 {
        write_html!(out, "<li>and ", Html::text(thousands(left_out)), " more</li>\n")?;
    }
    write_html!(out, "</ol></div>")
}

/// Writes the external hosts with the most links.
pub(super) fn external_hosts(external: &ExternalHosts, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let sentence = Html::text(capitalized(&phrases::external_summary(external)));
    write_html!(out, "<section class=\"overview\"><h2>External hosts</h2>\n")?;
    write_html!(out, "<p class=\"note\">", sentence, "</p>\n")?;
    let rows = external.hosts.iter().take(HOSTS).map(|host| row(&host.host, phrases::external_host(host)));
    scrolling_rows("External hosts", rows, external.hosts.len().saturating_sub(HOSTS), out)?;
    write_html!(out, "</section>\n")
}

/// Writes the pages with the most links, and the pages without links.
pub(super) fn graph(report: &Report, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let inbound = &report.inbound;
    let linked_note = match inbound.most_linked.len() {
        0 => "None: no file links to another page",
        _ => "Number of other files that link to each",
    };
    write_html!(out, "<section class=\"overview graph\">\n<div><h2>Most linked pages</h2>\n")?;
    write_html!(out, "<p class=\"note\">", Html::text(linked_note), "</p><ol class=\"ledger\">\n")?;
    let mut most_linked = inbound.most_linked.iter();
    most_linked.try_for_each(|page| out.part(&row(&page.file, thousands(page.files as usize))))?;
    write_html!(out, "</ol></div>\n<div><h2>Pages without links</h2>\n")?;
    let note = match inbound.unlinked {
        0 => "None: every page is linked".to_owned(),
        n => format!("{}, without the start page and the 404 page", count(n, "page")),
    };
    write_html!(out, "<p class=\"note\">", Html::text(note), "</p>")?;
    let name = |page: &String| html!("<li><span class=\"name\">", Html::text(page), "</span></li>\n");
    let (pages, left_out) =
        (&inbound.unlinked_pages, inbound.unlinked.saturating_sub(inbound.unlinked_pages.len()));
    scrolling_rows("Pages without links", pages.iter().map(name), left_out, out)?;
    write_html!(out, "</div>\n</section>\n")
}
