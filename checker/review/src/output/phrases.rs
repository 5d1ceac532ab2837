//! Phrases that all formats share.

use sitegate_base::plural::{count, thousands};

use crate::review::{Review, ReviewCause};
use crate::words::{DiffPart, PartKind};

/// Returns the summary: "4 causes on 1,204 of 1,210 pages".
pub(super) fn summary(review: &Review) -> String {
    let Some(base) = &review.base else {
        return format!("no earlier build to compare {} with", count(review.new.pages, "page"));
    };
    let causes = review.causes.len();
    if causes == 0 {
        return format!("no difference on {}", count(base.pages.max(review.new.pages), "page"));
    }
    let pages = match review.new.pages {
        1 => "1 page".to_owned(),
        pages => format!("{} of {} pages", thousands(review.changed_pages), thousands(pages)),
    };
    if review.changed_pages == 0 {
        return count(causes, "cause");
    }
    format!("{} on {pages}", count(causes, "cause"))
}

/// Returns the names of the kinds for which the review fails.
pub(super) fn failed(review: &Review) -> String {
    review.failed.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
}

/// Returns the line about noise; empty if there is none.
pub(super) fn noise(review: &Review) -> String {
    /// Maximum number of places.
    const PLACES: usize = 4;
    if review.noise.is_empty() {
        return String::new();
    }
    let one =
        |noise: &crate::review::NoiseSummary| format!("{} ({})", noise.place, count(noise.pages, "page"));
    let mut places: Vec<String> = review.noise.iter().take(PLACES).map(one).collect();
    if review.noise.len() > PLACES {
        places.push(format!("{} more places", thousands(review.noise.len() - PLACES)));
    }
    format!("dates, ids and the like: {}", places.join(", "))
}

/// Returns the HTML of a changed text. `escaped` escapes text.
pub(super) fn marked(parts: &[DiffPart], escaped: impl Fn(&str) -> String) -> String {
    let one = |part: &DiffPart| match part.kind {
        PartKind::Same => escaped(&part.text),
        PartKind::Removed => format!("<del>{}</del>", escaped(&part.text)),
        PartKind::Added => format!("<ins>{}</ins>", escaped(&part.text)),
    };
    parts.iter().map(one).collect::<Vec<_>>().join(" ")
}

/// Returns the links to the first pages of a cause, and how many more it has.
pub(super) fn links(
    review: &Review,
    cause: &ReviewCause,
    link: impl Fn(&str, &str) -> String,
) -> Vec<String> {
    let one = |address: &String| link(&review.url_in(cause, address), address);
    let mut links: Vec<String> = cause.addresses.iter().map(one).collect();
    let more = more_pages(cause);
    if more > 0 {
        links.push(format!("and {} more", thousands(more)));
    }
    links
}

/// Returns the number of pages that have a cause but are not listed with it.
pub(super) fn more_pages(cause: &ReviewCause) -> usize {
    cause.pages.saturating_sub(cause.addresses.len().max(cause.details_of_pages()))
}

impl ReviewCause {
    /// Number of pages that the details name: each is "old → new".
    fn details_of_pages(&self) -> usize {
        match self.kind.section() {
            "Addresses" => self.details.iter().filter(|line| line.starts_with('/')).count(),
            _ => 0,
        }
    }
}
