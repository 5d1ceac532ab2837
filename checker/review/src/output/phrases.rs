//! Phrases that all formats share.

use sitegate_base::plural::{count, thousands};

use crate::review::{CauseKind, FILES_NOISE, Review, ReviewCause};

/// Returns the summary: "4 causes on 1,204 of 1,210 pages".
pub(super) fn summary(review: &Review) -> String {
    let Some(base) = &review.base else {
        return format!("no earlier build to compare {} with", count(review.new.pages, "page"));
    };
    let causes = review.causes.len();
    let files = match review.not_compared {
        0 => String::new(),
        files => format!("; {} could not be compared", count(files, "file")),
    };
    if causes == 0 {
        let pages = count(base.pages.max(review.new.pages), "page");
        return if files.is_empty() && review.unread.is_empty() {
            format!("no difference on {pages}")
        } else {
            format!("no difference found on {pages}{files}")
        };
    }
    // Nothing that people or browsers notice differs, as far as it is compared.
    if let [only] = &*review.causes
        && only.kind == CauseKind::Bytes
    {
        return format!("{}: {}", only.title, only.addresses.join(", "));
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
    let one = |noise: &crate::review::NoiseSummary| match noise.place.as_str() {
        FILES_NOISE => count(noise.pages, "file"),
        place => format!("{place} ({})", count(noise.pages, "page")),
    };
    let mut places: Vec<String> = review.noise.iter().take(PLACES).map(one).collect();
    if review.noise.len() > PLACES {
        places.push(format!("{} more places", thousands(review.noise.len() - PLACES)));
    }
    places.join(", ")
}

/// Returns the line about pages that are not listed with a cause, if any.
pub(super) fn more_line(cause: &ReviewCause) -> Option<String> {
    let more = more_pages(cause);
    (more > 0).then(|| format!("and {} more", thousands(more)))
}

/// Returns the number of pages that have a cause but are not listed with it.
pub(super) fn more_pages(cause: &ReviewCause) -> usize {
    if cause.is_of_site() {
        return 0;
    }
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
