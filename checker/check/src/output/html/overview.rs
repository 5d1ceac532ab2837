//! Writes the overview of the whole site: external hosts, and links between pages.

use std::io::{self, Write};

use crate::output::phrases;
use crate::report::Report;
use crate::report::external_hosts::ExternalHosts;
use sitegate_base::markup;
use sitegate_base::plural::{capitalized, count, thousands};

/// Maximum number of external hosts.
const HOSTS: usize = 200;

/// Writes the external hosts with the most links.
pub(super) fn external_hosts(external: &ExternalHosts, out: &mut dyn Write) -> io::Result<()> {
    let sentence = capitalized(&phrases::external_summary(external));
    writeln!(out, "<section class=\"overview\"><h2>External hosts</h2>\n<p class=\"note\">{sentence}</p>")?;
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"External hosts\"><ol class=\"ledger\">"
    )?;
    for host in external.hosts.iter().take(HOSTS) {
        let (name, summary) = (markup::html(&host.host), phrases::external_host(host));
        writeln!(out, "<li><span class=\"name\">{name}</span><span class=\"figure\">{summary}</span></li>")?;
    }
    if external.hosts.len() > HOSTS {
        writeln!(out, "<li>and {} more</li>", thousands(external.hosts.len() - HOSTS))?;
    }
    writeln!(out, "</ol></div></section>")
}

/// Writes the pages with the most links, and the pages without links.
pub(super) fn graph(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let inbound = &report.inbound;
    let linked_note = match inbound.most_linked.len() {
        0 => "None: no file links to another page",
        _ => "Number of other files that link to each",
    };
    writeln!(out, "<section class=\"overview graph\">\n<div><h2>Most linked pages</h2>")?;
    writeln!(out, "<p class=\"note\">{linked_note}</p><ol class=\"ledger\">")?;
    for page in &inbound.most_linked {
        let (name, times) = (markup::html(&page.file), thousands(page.files as usize));
        writeln!(out, "<li><span class=\"name\">{name}</span><span class=\"figure\">{times}</span></li>")?;
    }
    writeln!(out, "</ol></div>\n<div><h2>Pages without links</h2>")?;
    let note = match inbound.unlinked {
        0 => "None: every page is linked".to_owned(),
        n => format!("{}, without the start page and the 404 page", count(n, "page")),
    };
    writeln!(
        out,
        "<p class=\"note\">{note}</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages without links\"><ol class=\"ledger\">"
    )?;
    for page in &inbound.unlinked_pages {
        writeln!(out, "<li><span class=\"name\">{}</span></li>", markup::html(page))?;
    }
    if inbound.unlinked > inbound.unlinked_pages.len() {
        let more = thousands(inbound.unlinked - inbound.unlinked_pages.len());
        writeln!(out, "<li>and {more} more</li>")?;
    }
    writeln!(out, "</ol></div></div>\n</section>")
}
