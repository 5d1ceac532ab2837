//! Compares two builds.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use sitegate_base::artifact::REVIEW;
use sitegate_base::plural::thousands;

use crate::address_causes::{address_causes, index_causes, lastmod_causes};
use crate::browser_causes::{ScriptNoise, browser_causes};
use crate::changes::{ChangePlace, attribute_kind, changes};
use crate::facts::{PageFacts, SiteFacts};
use crate::file_causes::{byte_causes, file_changes};
use crate::look_at::pages_to_look_at;
use crate::pages::{PagePair, PagePairs};
use crate::review::{CauseKind, EXAMPLES, FILES_NOISE, NoiseSummary, Review, ReviewCause, ReviewedSite};
use crate::structure::with_tags;
use crate::target_causes::{anchor_causes, header_causes, host_causes, redirect_causes};
use crate::text_causes::{Noise, TextCause, TextCauseKind, pages_of, text_causes};
use crate::texts::{TextId, TextTable};
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
            Noise::learned(&changes(&PagePairs::new(again, new).pairs, texts))
        });
        let scripts = ScriptNoise::learned(new, again, texts);
        let pages = PagePairs::new(base, new);
        let pairs = &pages.pairs;
        let text_causes = text_causes(&changes(pairs, texts), pairs, &noise, texts);

        let files = file_changes(base, new, again);
        let (lost_anchors, anchor_pages) = anchor_causes(new, again, pairs, texts);

        let mut causes = address_causes(base, new, &pages);
        causes.extend(host_causes(base, new, texts));
        causes.extend(redirect_causes(base, new, &pages));
        causes.extend(header_causes(base, new));
        causes.extend(lost_anchors);
        causes.extend(files.causes);
        causes.extend(index_causes((base, new), pairs, texts));
        let listed = text_causes.iter().filter(|cause| !cause.kind.is_noise());
        let (described, mut left_out) = described_causes(listed.clone(), pairs, texts);
        causes.extend(described);
        causes.extend(browser_causes((base, new), pairs, &scripts, texts));
        let learned_pages = text_causes.iter().filter(|cause| cause.kind == TextCauseKind::Noise);
        let mut explained = pages_of(listed.clone().chain(learned_pages));
        explained.extend(&anchor_pages);
        explained.extend(pages_with_other_scripts(pairs));
        causes.extend(byte_causes((base, new), again, pairs, &explained));
        causes.extend(lastmod_causes((base, new), pairs, &text_causes));
        causes.sort_by_key(|cause| cause.kind);

        let mut changed = pages_of(listed);
        changed.extend(anchor_pages);
        let kinds: BTreeSet<CauseKind> = causes.iter().map(|cause| cause.kind).collect();
        Review {
            base: Some(reviewed(&options.base, base)),
            changed_pages: changed.len() + pages.added.len(),
            noise: noise_summaries(&text_causes, pairs, (&scripts, files.noise), texts),
            look_at: pages_to_look_at((base, new), pairs, &text_causes, texts),
            failed: kinds.into_iter().filter(|kind| options.fail.contains(kind)).collect(),
            unread: {
                left_out.extend(unread(&options.base, base));
                left_out.extend(unread(&options.new, new));
                left_out
            },
            causes,
            not_compared: files.not_compared,
            ..Review::without_base(new, options)
        }
    }

    /// Returns the review of a site of which there is no earlier build.
    pub fn without_base(new: &SiteFacts, options: &ReviewOptions) -> Review {
        Review {
            schema_version: REVIEW.version,
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
            not_compared: 0,
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

/// Describes causes, up to a maximum of each kind. Also returns what is left out.
fn described_causes<'c>(
    causes: impl Iterator<Item = &'c TextCause>,
    pairs: &[PagePair<'_>],
    texts: &TextTable,
) -> (Vec<ReviewCause>, Vec<String>) {
    let mut counts: BTreeMap<CauseKind, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for cause in causes {
        let count = counts.entry(kind_of(cause, texts)).or_default();
        *count += 1;
        if *count <= MAX_CAUSES {
            all.push(described(cause, pairs, texts));
        }
    }
    let more = counts.into_iter().filter(|(_, count)| *count > MAX_CAUSES);
    let line = |(kind, count): (CauseKind, usize)| {
        format!("{} more causes of the kind `{}` are left out", thousands(count - MAX_CAUSES), kind.name())
    };
    (all, more.map(line).collect())
}

fn kind_of(cause: &TextCause, texts: &TextTable) -> CauseKind {
    match cause.place {
        ChangePlace::Text(_) | ChangePlace::Markup(_) | ChangePlace::Structure(_) => CauseKind::Text,
        ChangePlace::Head(_) => CauseKind::Metadata,
        ChangePlace::Attribute(_, name) => attribute_kind(texts.get(name)),
    }
}

/// Describes a cause.
fn described(cause: &TextCause, pairs: &[PagePair<'_>], texts: &TextTable) -> ReviewCause {
    let names = [cause.place].into_iter().chain(cause.copies.iter().copied().take(MAX_COPIES));
    let place = names.map(|name| format!("`{}`", name.shown(texts))).collect::<Vec<_>>().join(", ");
    let (old, new) = cause.texts[0];
    let verb = match (old.is_some(), new.is_some()) {
        (false, true) => "added",
        (true, false) => "removed",
        _ => "changed",
    };
    let title = match cause.kind {
        TextCauseKind::Rewritten => format!("{} blocks of one page", thousands(cause.changes)),
        TextCauseKind::Place => format!("{place}: {verb}, different on each page"),
        _ if cause.texts.len() > 1 => {
            let noun = match cause.place {
                ChangePlace::Text(_) => "blocks",
                ChangePlace::Structure(_) => "places",
                _ => "values",
            };
            format!("{place}: {} {noun} {verb}", thousands(cause.texts.len()))
        }
        _ => format!("{place}: {verb}"),
    };
    let examples = cause.pages.iter().take(EXAMPLES);
    let words = |(removed, added): &(Option<TextId>, Option<TextId>)| {
        let own = |id: Option<TextId>| id.map(|id| texts.get(id));
        let ChangePlace::Structure(_) = cause.place else { return word_diff(own(*removed), own(*added)) };
        // The first text that had one of both, and has the other.
        let text = cause.pages.iter().find_map(|page| {
            let pair = &pairs[*page as usize];
            let at = |side: &PageFacts, outline: Option<TextId>| -> Vec<TextId> {
                let blocks = side.blocks.iter().zip(&side.outline);
                blocks.filter(|(_, tags)| Some(**tags) == outline).map(|((_, text), _)| *text).collect()
            };
            let before: HashSet<TextId> = at(pair.base, *removed).into_iter().collect();
            at(pair.new, *added).into_iter().find(|text| before.contains(text))
        });
        let text = text.map_or("", |id| texts.get(id));
        let shown = |tags| with_tags(text, tags);
        word_diff(own(*removed).map(shown).as_deref(), own(*added).map(shown).as_deref())
    };
    let more = cause.texts.len().max(cause.changes).saturating_sub(cause.texts.len().min(MAX_BLOCKS));
    ReviewCause {
        kind: kind_of(cause, texts),
        title,
        pages: cause.pages.len(),
        addresses: examples.map(|page| pairs[*page as usize].new.address.to_string()).collect(),
        texts: cause.texts.iter().take(MAX_BLOCKS).map(words).collect(),
        more_texts: more,
        details: Vec::new(),
    }
}

/// Returns the pages whose inline scripts differ.
fn pages_with_other_scripts(pairs: &[PagePair<'_>]) -> impl Iterator<Item = u32> {
    let scripts = |page: &PageFacts| page.scripts.iter().map(|script| script.hash).collect::<Vec<_>>();
    let differing = pairs.iter().enumerate().filter(move |(_, pair)| scripts(pair.base) != scripts(pair.new));
    differing.map(|(index, _)| index as u32)
}

/// Sums up what is not listed. `files` is the number of files that also differ between two builds of one commit.
fn noise_summaries(
    causes: &[TextCause],
    pairs: &[PagePair<'_>],
    (scripts, files): (&ScriptNoise<'_>, usize),
    texts: &TextTable,
) -> Vec<NoiseSummary> {
    let mut summaries: Vec<NoiseSummary> = Vec::new();
    let mut known = HashMap::new();
    for cause in causes.iter().filter(|cause| cause.kind.is_noise()) {
        let index = *known.entry((cause.place, cause.kind)).or_insert_with(|| {
            let place = cause.place.shown(texts);
            let is_time = cause.kind == TextCauseKind::Time;
            let place = if is_time { format!("dates at {place}") } else { place };
            summaries.push(NoiseSummary { place, pages: 0 });
            summaries.len() - 1
        });
        summaries[index].pages = summaries[index].pages.max(cause.pages.len());
    }
    for (kind, name) in ["nonces", "names with content hashes"].into_iter().enumerate() {
        let pages = pairs.iter().filter(|pair| pair.base.noise[kind] != pair.new.noise[kind]).count();
        summaries.push(NoiseSummary { place: name.to_owned(), pages });
    }
    let has_noise = |pair: &&PagePair<'_>| {
        let mut own = 0..pair.new.scripts.len();
        own.any(|index| scripts.contains(Some(pair.base), pair.new, index))
    };
    let pages = pairs.iter().filter(has_noise).count();
    summaries.push(NoiseSummary { place: "inline scripts".to_owned(), pages });
    summaries.push(NoiseSummary { place: FILES_NOISE.to_owned(), pages: files });
    summaries.retain(|summary| summary.pages > 0);
    summaries
}
