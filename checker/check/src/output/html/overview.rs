//! Writes the overview of the whole site: external hosts, and links between pages.

use std::io;

use crate::external::ExternalHosts;
use crate::output::phrases;
use crate::report::Report;
use sitegate_base::html_writer::{Html, HtmlWriter, write_html};
use sitegate_base::plural::{capitalized, count, thousands};

/// Maximum number of external hosts.
const HOSTS: usize = 200;

/// Writes the external hosts with the most links.
pub(super) fn external_hosts(external: &ExternalHosts, out: &mut HtmlWriter<'_>) -> io::Result<()> {
    let sentence = Html::text(capitalized(&phrases::external_summary(external)));
    write_html!(
        out,
        "<section class=\"overview\"><h2>External hosts</h2>\n<p class=\"note\">",
        sentence,
        "</p>\n"
    )?;
    write_html!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"External hosts\"><ol class=\"ledger\">\n"
    )?;
    for host in external.hosts.iter().take(HOSTS) {
        let (name, summary) = (Html::text(&host.host), Html::text(phrases::external_host(host)));
        write_html!(
            out,
            "<li><span class=\"name\">",
            name,
            "</span><span class=\"figure\">",
            summary,
            "</span></li>\n"
        )?;
    }
    if external.hosts.len() > HOSTS {
        write_html!(out, "<li>and ", Html::text(thousands(external.hosts.len() - HOSTS)), " more</li>\n")?;
    }
    write_html!(out, "</ol></div></section>\n")
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
    for page in &inbound.most_linked {
        let (name, times) = (Html::text(&page.file), Html::text(thousands(page.files as usize)));
        write_html!(
            out,
            "<li><span class=\"name\">",
            name,
            "</span><span class=\"figure\">",
            times,
            "</span></li>\n"
        )?;
    }
    write_html!(out, "</ol></div>\n<div><h2>Pages without links</h2>\n")?;
    let note = match inbound.unlinked {
        0 => "None: every page is linked".to_owned(),
        n => format!("{}, without the start page and the 404 page", count(n, "page")),
    };
    write_html!(
        out,
        "<p class=\"note\">",
        Html::text(note),
        "</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages without links\"><ol class=\"ledger\">\n"
    )?;
    for page in &inbound.unlinked_pages {
        write_html!(out, "<li><span class=\"name\">", Html::text(page), "</span></li>\n")?;
    }
    if inbound.unlinked > inbound.unlinked_pages.len() {
        let more = Html::text(thousands(inbound.unlinked - inbound.unlinked_pages.len()));
        write_html!(out, "<li>and ", more, " more</li>\n")?;
    }
    write_html!(out, "</ol></div></div>\n</section>\n")
}
