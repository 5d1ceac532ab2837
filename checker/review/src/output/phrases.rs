//! Phrases that all formats share.

use sitegate_base::plural::{count, thousands};

use crate::review::{CauseKind, FILES_NOISE, Review, ReviewCause};
use crate::words::{DiffPart, PartKind};

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

/// Returns the causes by section, with its heading.
pub(super) fn sections(review: &Review) -> impl Iterator<Item = (&'static str, &[ReviewCause])> {
    let all = review.causes.chunk_by(|a, b| a.kind.section() == b.kind.section());
    all.filter_map(|causes| Some((causes.first()?.kind.section(), causes)))
}

/// Returns the number of pages after the title of a cause; empty if the title has the number of what it counts.
pub(super) fn page_count(cause: &ReviewCause) -> String {
    let is_list = matches!(cause.kind.section(), "Addresses" | "Files" | "Bytes only");
    if is_list || cause.is_of_site() { String::new() } else { count(cause.pages, "page") }
}

/// Returns the title of a cause, as `title` writes it, with its number of pages.
pub(super) fn title(cause: &ReviewCause, title: impl Fn(&str) -> String) -> String {
    match page_count(cause) {
        pages if pages.is_empty() => title(&cause.title),
        pages => format!("{}, {pages}", title(&cause.title)),
    }
}

/// Returns the URL of a page if it is a link; without a preview, the URL is the address.
pub(super) fn link<'u>(url: &'u str, address: &str) -> Option<&'u str> {
    let is_web = url.starts_with("https://") || url.starts_with("http://");
    (url != address && is_web).then_some(url)
}

/// Returns the parts of a changed text in a row, each as `part` writes it.
pub(super) fn marked(parts: &[DiffPart], part: impl Fn(PartKind, &str) -> String) -> String {
    parts.iter().map(|own| part(own.kind, &own.text)).collect::<Vec<_>>().join(" ")
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
