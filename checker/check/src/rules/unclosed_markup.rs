//! `unclosed-markup`: a tag, comment or element is still open at the end of the page.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::{Unclosed, UnclosedPart};
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unclosed-markup",
    category: Category::Content,
    default: Severity::Error,
    summary: "a tag, comment or element is open longer than written, and hides what follows",
    why: "The file was truncated, or an end is missing. An open comment or template hides the rest of the page. A \
          script without </script> never runs. A title, textarea, style or iframe takes everything after it as its \
          text, and content of a video, audio or object is only for browsers that cannot show these. `/>` closes none \
          of them. .xhtml is not checked, because `/>` closes elements there. (HTML 13.2.5.)",
    bad: "<p>Prices</p>\n<!-- offers, until May\n<p>Our offers</p>",
    good: "<p>Prices</p>\n<!-- offers, until May -->\n<p>Our offers</p>",
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for unclosed in &view.facts.unclosed {
        let (message, help) = words(unclosed);
        let location = Location::in_file(view.file, unclosed.span.clone());
        found.push(RawFinding::new(&INFO, location, message).cause(Cause::Marked).help(help));
    }
}

/// Returns the message and the help.
fn words(Unclosed { part, lost, .. }: &Unclosed) -> (String, String) {
    match part {
        UnclosedPart::Tag => (
            "unclosed tag: the page ends inside it".to_owned(),
            "the file was truncated, or a quote or `>` is missing".to_owned(),
        ),
        UnclosedPart::Comment => (
            format!("unclosed comment: it hides the last {lost} bytes of the page"),
            "close it with `-->`".to_owned(),
        ),
        UnclosedPart::Element(name) => (
            format!("unclosed <{name}>: it takes the last {lost} bytes of the page as its text"),
            format!("close it with `</{name}>`"),
        ),
        UnclosedPart::Slash(name) => (
            format!("`/>` does not close <{name}>: it takes the next {lost} bytes of the page as its text"),
            format!("close it with `</{name}>`"),
        ),
        UnclosedPart::Fallback(name) => (
            format!("`/>` does not close <{name}>: browsers do not show what follows in its parent"),
            format!("close it with `</{name}>`"),
        ),
        UnclosedPart::Template => (
            format!("unclosed <template>: it hides the last {lost} bytes of the page"),
            "close it with `</template>`".to_owned(),
        ),
    }
}
