//! `unrendered-text`: text that a template or a script left for visitors.

use super::messages::shorten;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::NoteKind;
use crate::parse::leftover_values::{OBJECT, is_invalid_date, is_markdown, is_missing_value, left_in};
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unrendered-text",
    category: Category::Content,
    default: Severity::Warn,
    summary: "visitors read template syntax, or the text of a missing value",
    why: "Reported: `{{ site.email }}`, `[object Object]`, `Invalid Date`, Hugo's `HAHAHUGOSHORTCODE` and links of \
          Markdown, `[text](page.md)`, in the text; `undefined`, `null` or `NaN` as a whole heading, `alt` or \
          `aria-label`, or as a whole title or description, also for social networks, or the first part of one, \
          `undefined | Acme`; `undefined` also as another part; and in a title or description, `&amp;` that was escaped twice, and elements, `<p>Text</p>`, which \
          search results and social networks show as they are; and mail addresses that Cloudflare has hidden, in a copy of \
          a live page. Text in code is accepted, and so are pages that show \
          such text in code, pages whose name contains the value, and pages with client-side templates of Vue, \
          AngularJS or Alpine, or that render Markdown by a script.",
    bad: "<p>Write to {{ site.email }}</p>",
    good: "<p>Write to hello@acme.org</p>",
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    // A page about a value is named after it.
    let is_named = |left: &str| {
        let path = view.site.tree.display(view.file).to_ascii_lowercase();
        let left = left.to_ascii_lowercase();
        path.contains(&left) || path.contains(&left.replace(' ', "-"))
    };
    let mut add = |place: &str, left: &str, span: std::ops::Range<u32>| {
        if (is_missing_value(left) && left != OBJECT || is_invalid_date(left)) && is_named(left) {
            return;
        }
        let reason = if left.starts_with('{') || left.starts_with("HAHAHUGO") {
            "the template did not replace it"
        } else if is_markdown(left) {
            "it is Markdown that was not rendered"
        } else if left.starts_with('<') {
            "tags are shown there, not rendered"
        } else if is_invalid_date(left) {
            "it is the text of a date that a script could not read"
        } else if left.starts_with('&') {
            "it was escaped twice"
        } else if left == OBJECT {
            "it is the text of an object in a script"
        } else {
            "it is the text of a missing value in a script"
        };
        let message = format!("visitors read `{}` in the {place}: {reason}", shorten(left));
        let finding = RawFinding::new(&INFO, (view.file, span), message);
        found.push(if is_markdown(left) && place == "text" {
            let help = "in most generators, Markdown in a block of HTML needs blank lines around it, or an attribute `markdown`";
            finding.cause(Cause::kind("Markdown")).help(help)
        } else {
            finding.cause(Cause::Message)
        });
    };
    if let Some((_, span)) = &view.facts.metadata.title
        && let Some(left) = left_in(view.facts.title())
    {
        add("title", left, span.clone());
    }
    for note in &view.facts.metadata.notes {
        if let NoteKind::Leftover(place, left) = &note.kind {
            add(place, left, note.span.clone());
        }
    }
    report_hidden_address(view, found);
}

/// The path of the links by which Cloudflare replaces mail addresses, and the name of the script that it adds to decode them.
const HIDDEN_ADDRESS: &str = "/cdn-cgi/l/email-protection";
const DECODER: &str = "email-decode.min.js";

/// Reports the first mail address that Cloudflare has hidden, in a page that was copied from a live site without the script
/// that decodes it.
fn report_hidden_address(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let mut hidden =
        view.unusual().filter(|(_, reference, _)| view.text_of(reference).contains(HIDDEN_ADDRESS));
    let Some((_, first, _)) = hidden.next() else { return };
    if view.site.live().is_some() || view.unusual().any(|(_, other, _)| view.text_of(other).contains(DECODER))
    {
        return;
    }
    let message = "visitors read `[email protected]` in the text: Cloudflare has hidden the address, and no script of the page \
                   decodes it";
    let finding = RawFinding::reference(&INFO, (view.file, &first.span), message);
    found.push(finding.cause(Cause::kind("Cloudflare")).help(
        "write the address again: the page was copied from a live site; Cloudflare hides addresses itself when it sends a page",
    ));
}
