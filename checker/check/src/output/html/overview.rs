//! What a report says of the site as a whole: other hosts, and which pages others refer to.

use std::io::{self, Write};

use super::text::escaped;
use crate::output::words;
use crate::report::Report;
use crate::report::external_hosts::ExternalHosts;
use sitegate_base::plural::{capitalised, count, thousands};

/// Other hosts that are listed.
const HOSTS: usize = 200;

/// What other hosts said: those that most links lead to.
pub(super) fn other_hosts(external: &ExternalHosts, out: &mut dyn Write) -> io::Result<()> {
    let sentence = capitalised(&words::asked(external));
    writeln!(out, "<section class=\"overview\"><h2>Other hosts</h2>\n<p class=\"note\">{sentence}</p>")?;
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Other hosts\"><ol class=\"ledger\">"
    )?;
    for host in external.hosts.iter().take(HOSTS) {
        let (name, said) = (escaped(&host.host), words::asked_host(host));
        writeln!(out, "<li><span class=\"name\">{name}</span><span class=\"figure\">{said}</span></li>")?;
    }
    if external.hosts.len() > HOSTS {
        writeln!(out, "<li>and {} more</li>", thousands(external.hosts.len() - HOSTS))?;
    }
    writeln!(out, "</ol></div></section>")
}

/// Which pages most others refer to, and which none does.
pub(super) fn graph(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let inbound = &report.inbound;
    let linked_note = match inbound.most_linked.len() {
        0 => "None: no file refers to another page",
        _ => "How many other files refer to each",
    };
    writeln!(out, "<section class=\"overview graph\">\n<div><h2>Most linked pages</h2>")?;
    writeln!(out, "<p class=\"note\">{linked_note}</p><ol class=\"ledger\">")?;
    for page in &inbound.most_linked {
        let (name, times) = (escaped(&page.file), thousands(page.files as usize));
        writeln!(out, "<li><span class=\"name\">{name}</span><span class=\"figure\">{times}</span></li>")?;
    }
    writeln!(out, "</ol></div>\n<div><h2>Pages nothing links to</h2>")?;
    let note = match inbound.unlinked {
        0 => "None: every page can be reached".to_owned(),
        n => format!("{}, the front page and the 404 page left out", count(n, "page")),
    };
    writeln!(
        out,
        "<p class=\"note\">{note}</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages nothing links to\"><ol class=\"ledger\">"
    )?;
    for page in &inbound.unlinked_pages {
        writeln!(out, "<li><span class=\"name\">{}</span></li>", escaped(page))?;
    }
    if inbound.unlinked > inbound.unlinked_pages.len() {
        let more = thousands(inbound.unlinked - inbound.unlinked_pages.len());
        writeln!(out, "<li>and {more} more</li>")?;
    }
    writeln!(out, "</ol></div></div>\n</section>")
}
