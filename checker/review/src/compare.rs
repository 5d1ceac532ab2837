//! Compares two builds.

use std::collections::{BTreeSet, HashMap, HashSet};

use sitegate_base::plural::thousands;

use crate::address_causes::address_causes;
use crate::browser_causes::{browser_causes, hashes};
use crate::changes::changes;
use crate::facts::SiteFacts;
use crate::look_at::pages_to_look_at;
use crate::pages::{PagePair, PagePairs};
use crate::review::{CauseKind, EXAMPLES, NoiseSummary, Review, ReviewCause, ReviewedSite, SCHEMA_VERSION};
use crate::search_causes::{index_causes, lastmod_causes};
use crate::text_causes::{Noise, TextCause, TextCauseKind, text_causes};
use crate::texts::TextTable;
use crate::words::word_diff;

/// Maximum number of blocks of a cause.
const MAX_BLOCKS: usize = 5;

/// Maximum number of further names of metadata.
const MAX_COPIES: usize = 4;

/// Maximum number of causes of one kind.
const MAX_CAUSES: usize = 2000;

/// Settings of a review.
#[derive(Clone, Debug, Default)]
pub struct ReviewOptions {
    /// The name of the base.
    pub base: String,
    /// The name of the new build.
    pub new: String,
    /// URL of the preview.
    pub preview: Option<String>,
    /// The kinds of causes that fail the review.
    pub fail: Vec<CauseKind>,
}

impl Review {
    /// Compares two builds. `again` is a second build of the new commit, from which noise is learned.
    pub fn compare(
        base: &SiteFacts,
        new: &SiteFacts,
        again: Option<&SiteFacts>,
        texts: &TextTable,
        options: &ReviewOptions,
    ) -> Review {
        let noise = again.map_or_else(Noise::default, |again| {
            Noise::learned(&changes(&PagePairs::new(again, new).pairs, texts), texts)
        });
        let learned: HashSet<u64> = again.map_or_else(HashSet::new, |again| {
            let own: HashSet<u64> = hashes(&new.pages).collect();
            let others: HashSet<u64> = hashes(&again.pages).collect();
            own.difference(&others).copied().collect()
        });
        let pages = PagePairs::new(base, new);
        let pairs = &pages.pairs;
        let text_causes = text_causes(&changes(pairs, texts), pairs, &noise, texts);

        let mut causes = address_causes(base, new, &pages);
        causes.extend(index_causes((base, new), pairs, texts));
        let listed = text_causes.iter().filter(|cause| cause.kind != TextCauseKind::Noise);
        causes.extend(listed.clone().take(MAX_CAUSES).map(|cause| described(cause, pairs, texts)));
        causes.extend(browser_causes((base, new), pairs, &learned, texts));
        causes.extend(lastmod_causes((base, new), pairs, &text_causes));
        causes.sort_by_key(|cause| cause.kind);

        let changed: BTreeSet<u32> = listed.flat_map(|cause| cause.pages.iter().copied()).collect();
        let kinds: BTreeSet<CauseKind> = causes.iter().map(|cause| cause.kind).collect();
        Review {
            base: Some(reviewed(&options.base, base)),
            changed_pages: changed.len() + pages.added.len(),
            noise: noise_summaries(&text_causes, texts),
            look_at: pages_to_look_at((base, new), pairs, &text_causes, texts),
            failed: kinds.into_iter().filter(|kind| options.fail.contains(kind)).collect(),
            unread: [unread(&options.base, base), unread(&options.new, new)].concat(),
            causes,
            ..Review::without_base(new, options)
        }
    }

    /// Returns the review of a site of which there is no earlier build.
    pub fn without_base(new: &SiteFacts, options: &ReviewOptions) -> Review {
        Review {
            schema_version: SCHEMA_VERSION,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            base: None,
            new: reviewed(&options.new, new),
            changed_pages: 0,
            causes: Vec::new(),
            noise: Vec::new(),
            look_at: Vec::new(),
            failed: Vec::new(),
            preview: options.preview.clone(),
            unread: unread(&options.new, new),
        }
    }
}

/// Describes a build. Pages that are redirects do not count.
fn reviewed(name: &str, site: &SiteFacts) -> ReviewedSite {
    let pages = site.pages.iter().filter(|page| page.redirect.is_none()).count();
    ReviewedSite { name: name.to_owned(), pages }
}

fn unread(name: &str, site: &SiteFacts) -> Vec<String> {
    site.unread.iter().map(|reason| format!("{name}: {reason}")).collect()
}

/// Describes a cause.
fn described(cause: &TextCause, pairs: &[PagePair<'_>], texts: &TextTable) -> ReviewCause {
    let names = [cause.place].into_iter().chain(cause.copies.iter().copied().take(MAX_COPIES));
    let place = names.map(|name| format!("`{}`", texts.get(name))).collect::<Vec<_>>().join(", ");
    let (old, new) = cause.texts[0];
    let verb = match (old.is_some(), new.is_some()) {
        (false, true) => "added",
        (true, false) => "removed",
        _ => "changed",
    };
    let title = match cause.kind {
        TextCauseKind::Rewritten => format!("{} blocks of one page", thousands(cause.changes)),
        TextCauseKind::Place => format!("{place}: {verb}, different on each page"),
        _ if cause.texts.len() > 1 => format!("{place}: {} blocks {verb}", thousands(cause.texts.len())),
        _ => format!("{place}: {verb}"),
    };
    let examples = cause.pages.iter().take(EXAMPLES);
    let words = |(removed, added): &(Option<_>, Option<_>)| {
        word_diff(removed.map(|id| texts.get(id)), added.map(|id| texts.get(id)))
    };
    let more = cause.texts.len().max(cause.changes).saturating_sub(cause.texts.len().min(MAX_BLOCKS));
    ReviewCause {
        kind: if cause.is_head { CauseKind::Metadata } else { CauseKind::Text },
        title,
        pages: cause.pages.len(),
        addresses: examples.map(|page| pairs[*page as usize].new.address.to_string()).collect(),
        texts: cause.texts.iter().take(MAX_BLOCKS).map(words).collect(),
        more_texts: more,
        details: Vec::new(),
    }
}

fn noise_summaries(causes: &[TextCause], texts: &TextTable) -> Vec<NoiseSummary> {
    let mut summaries: Vec<NoiseSummary> = Vec::new();
    let mut known = HashMap::new();
    for cause in causes.iter().filter(|cause| cause.kind == TextCauseKind::Noise) {
        let index = *known.entry(cause.place).or_insert_with(|| {
            summaries.push(NoiseSummary { place: texts.get(cause.place).to_owned(), pages: 0 });
            summaries.len() - 1
        });
        summaries[index].pages = summaries[index].pages.max(cause.pages.len());
    }
    summaries
}
