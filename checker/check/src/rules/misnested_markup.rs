//! `misnested-markup`: markup that browsers move, close early or ignore, outside of hydrated parts.

use super::messages::join_names;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{MARK, MisnestedEffect, MisnestedMarkup};
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "misnested-markup",
    category: Category::Content,
    default: Severity::Warn,
    summary: "browsers move markup, close it early or ignore it, because it is misnested",
    why: "The parser ends a `<p>` before a block in it, a link before a link in it and a button before a button in \
          it. It ignores a form in a form, and moves content of a table that is in no cell before the table. An \
          element or text in the head ends it: search engines ignore canonical and hreflang links, the description \
          and robots after it, and so do other rules. An image or a text in a `<noscript>` in the head ends it for programs \
          that run no scripts, such as link previews; links, styles and meta elements do not. Styles and scripts then meet another tree than the one that was \
          written. Omitted end tags are fine. Parts that a framework hydrates are `broken-hydration`. (HTML, 13.2.6.)",
    bad: "<p>Our prices <div>per month</div></p>",
    good: "<div>Our prices <div>per month</div></div>",
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for markup in misnested(view).iter().filter(|markup| markup.framework.is_none()) {
        let location = Location::in_file(view.file, markup.span.clone());
        found.push(RawFinding::new(&INFO, location, message(markup)).cause(cause(markup)).help(help(markup)));
    }
}

/// Returns the misnested markup of a page. A part that a script inserts has other elements around it.
pub(super) fn misnested<'p>(view: &FileView<'p>) -> &'p [MisnestedMarkup] {
    if view.facts.is_part() { &[] } else { &view.facts.misnested }
}

/// Returns the message: the effect in browsers.
pub(super) fn message(markup: &MisnestedMarkup) -> String {
    let MisnestedMarkup { effect, element, parent, .. } = markup;
    let what = match &**element {
        "" => "text".to_owned(),
        MARK => "an invisible byte order mark (U+FEFF)".to_owned(),
        element => format!("`<{element}>`"),
    };
    match effect {
        MisnestedEffect::ClosesParent => {
            format!("{what} in `<{parent}>`: browsers end the `<{parent}>` before it")
        }
        MisnestedEffect::TagIgnored if &**element == "form" => {
            format!("{what} in `<form>`: browsers ignore it, and its `</form>` ends the outer form")
        }
        MisnestedEffect::TagIgnored => format!("{what} outside of a table: browsers ignore the tag"),
        MisnestedEffect::LeavesTable => {
            format!("{what} in a table, but in no cell: browsers move it before the table")
        }
        MisnestedEffect::FormEnds => {
            format!("{what} in a table, but in no cell: browsers end the form at once")
        }
        MisnestedEffect::ParentAdded(added) => {
            format!("{what} without `<{}>`: browsers add it", added.as_str())
        }
        MisnestedEffect::HeadEnds(lost) if lost.is_empty() && &**element == MARK => {
            format!("{what} before the end of the head: browsers end the head there")
        }
        MisnestedEffect::HeadEnds(lost) if lost.is_empty() => {
            format!("{what} in the head: browsers end it before that")
        }
        MisnestedEffect::HeadEnds(lost) => {
            let names = join_names(lost.iter(), lost.len());
            let verb = if lost.len() == 1 { "has" } else { "have" };
            format!("{what} in the head: browsers end it before that, and {names} after it {verb} no effect")
        }
        MisnestedEffect::HeadEndsWithoutScripts(lost) => {
            let names = join_names(lost.iter(), lost.len());
            let verb = if lost.len() == 1 { "is" } else { "are" };
            format!(
                "{what} in a `<noscript>` in the head: programs that run no scripts end the head before that, and {names} \
                 after it {verb} in the body"
            )
        }
    }
}

/// Returns the cause that such markup on other pages shares.
pub(super) fn cause(markup: &MisnestedMarkup) -> Cause {
    match &markup.effect {
        MisnestedEffect::ClosesParent => Cause::kind(format!("in `<{}>`", markup.parent)),
        MisnestedEffect::LeavesTable | MisnestedEffect::FormEnds => Cause::kind("in a table, but in no cell"),
        MisnestedEffect::HeadEnds(_) => Cause::kind("in the head"),
        MisnestedEffect::HeadEndsWithoutScripts(_) => Cause::kind("in a noscript in the head"),
        MisnestedEffect::TagIgnored | MisnestedEffect::ParentAdded(_) => Cause::Message,
    }
}

/// Returns the help: how to fix it.
pub(super) fn help(markup: &MisnestedMarkup) -> String {
    let MisnestedMarkup { effect, element, parent, .. } = markup;
    match effect {
        MisnestedEffect::ClosesParent if &**parent == "p" => {
            format!("use `<div>` instead of the `<p>`, or end the `<p>` before the `<{element}>`")
        }
        MisnestedEffect::ClosesParent => format!("end the `<{parent}>` before the `<{element}>`"),
        MisnestedEffect::TagIgnored if &**element == "form" => {
            "end the outer form first, or give its fields a `form` attribute".to_owned()
        }
        MisnestedEffect::TagIgnored => "put it into a `<table>`, or use another element".to_owned(),
        MisnestedEffect::LeavesTable => "put it into a cell or a caption, or out of the table".to_owned(),
        MisnestedEffect::FormEnds => "put the form around the table".to_owned(),
        MisnestedEffect::ParentAdded(added) => format!("write the `<{}>`", added.as_str()),
        MisnestedEffect::HeadEnds(_) if &**element == MARK => {
            "save the template or the include that begins here as UTF-8 without a byte order mark".to_owned()
        }
        MisnestedEffect::HeadEnds(_) => "move it into the body".to_owned(),
        MisnestedEffect::HeadEndsWithoutScripts(_) => "move the `<noscript>` into the body".to_owned(),
    }
}
