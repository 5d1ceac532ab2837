//! What a report says of the site as a whole: other hosts, and which pages others refer to.

use std::io::{self, Write};

use super::text::escaped;
use crate::external::WorldTally;
use crate::output::words;
use crate::parse::Format;
use crate::report::Report;
use crate::walk::FileId;
use sitegate_base::plural::{capitalised, count, thousands};

/// Pages in each list about the link graph.
const MOST_LINKED: usize = 15;
const UNLINKED: usize = 200;

/// Other hosts that are listed.
const HOSTS: usize = 200;

/// What other hosts said: those that most links lead to.
pub(super) fn other_hosts(elsewhere: &WorldTally, out: &mut dyn Write) -> io::Result<()> {
    let sentence = capitalised(&words::asked(elsewhere));
    writeln!(out, "<section class=\"overview\"><h2>Other hosts</h2>\n<p class=\"note\">{sentence}</p>")?;
    writeln!(
        out,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Other hosts\"><ol class=\"ledger\">"
    )?;
    for host in elsewhere.hosts.iter().take(HOSTS) {
        let (name, said) = (escaped(&host.time.name), words::asked_host(host));
        writeln!(out, "<li><span class=\"name\">{name}</span><span class=\"figure\">{said}</span></li>")?;
    }
    if elsewhere.hosts.len() > HOSTS {
        writeln!(out, "<li>and {} more</li>", thousands(elsewhere.hosts.len() - HOSTS))?;
    }
    writeln!(out, "</ol></div></section>")
}

/// Which pages most others refer to, and which none does.
pub(super) fn graph(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let tree = &report.tree;
    let not_found = report.deployment.settings.not_found_file().as_bytes();
    let inbound = |page: FileId| report.inbound.get(page as usize).copied().unwrap_or(0);
    let mut pages: Vec<FileId> =
        tree.ids().filter(|&page| Format::of(tree.path(page)) == Format::Html).collect();
    let unlinked: Vec<FileId> = pages
        .iter()
        .copied()
        .filter(|&page| {
            inbound(page) == 0 && tree.path(page) != b"index.html" && tree.path(page) != not_found
        })
        .collect();
    pages.sort_by_key(|&page| (std::cmp::Reverse(inbound(page)), page));
    pages.truncate(MOST_LINKED);
    pages.retain(|&page| inbound(page) > 0);
    let name = |page: FileId| escaped(&tree.display(page));

    let linked_note = match pages.len() {
        0 => "None: no file refers to another page",
        _ => "How many other files refer to each",
    };
    writeln!(out, "<section class=\"overview graph\">\n<div><h2>Most linked pages</h2>")?;
    writeln!(out, "<p class=\"note\">{linked_note}</p><ol class=\"ledger\">")?;
    for &page in &pages {
        let times = thousands(inbound(page) as usize);
        writeln!(
            out,
            "<li><span class=\"name\">{}</span><span class=\"figure\">{times}</span></li>",
            name(page)
        )?;
    }
    writeln!(out, "</ol></div>\n<div><h2>Pages nothing links to</h2>")?;
    let note = match unlinked.len() {
        0 => "None: every page can be reached".to_owned(),
        n => format!("{}, the front page and the 404 page left out", count(n, "page")),
    };
    writeln!(
        out,
        "<p class=\"note\">{note}</p><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Pages nothing links to\"><ol class=\"ledger\">"
    )?;
    for &page in unlinked.iter().take(UNLINKED) {
        writeln!(out, "<li><span class=\"name\">{}</span></li>", name(page))?;
    }
    if unlinked.len() > UNLINKED {
        writeln!(out, "<li>and {} more</li>", thousands(unlinked.len() - UNLINKED))?;
    }
    writeln!(out, "</ol></div></div>\n</section>")
}
