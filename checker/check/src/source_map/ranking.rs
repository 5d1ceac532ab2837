//! Decides the source location of a finding. Each rule that makes a location certain is one function, in the order of
//! `docs/internals/source-mapping.md`.

use std::collections::HashMap;

use super::context::OccurrenceRole;
use super::documents::{DocumentFindings, ElementPosition, FoundTag, UnmappedFinding};
use super::needles::{Needle, NeedleKey};
use super::search::Hit;
use super::search::{Hits, MAX_CANDIDATES};
use super::source_files::SourceLocation;

/// Minimum length, in bytes, of a text that does not occur in other sources by chance.
const MIN_DISTINCTIVE: usize = 8;

/// The source locations of a finding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceMatch {
    /// One location, or up to three candidates, the most probable first.
    pub locations: Box<[SourceLocation]>,
    /// Whether the finding cannot come from anywhere but the first location.
    pub is_certain: bool,
    /// Whether the first location is in the page's own source, so that a relative reference has only this page as its
    /// base.
    pub is_own: bool,
}

/// The rules that make a location certain, apart from exact copies, which have the same locations.
const RULES: [fn(&Evidence<'_>) -> Option<SourceLocation>; 5] =
    [generator_line, own_source, shared_source, other_page, generator_position];

/// Ranks the candidates of each finding of a document.
pub(super) fn rank(document: &DocumentFindings, hits: &Hits) -> Vec<Option<SourceMatch>> {
    let ordinals = Ordinals::new(&document.findings);
    let rank = |finding: &UnmappedFinding| {
        if let Some(location) = finding.copy {
            return Some(SourceMatch { locations: Box::new([location]), is_certain: true, is_own: true });
        }
        if let Some(tag) = finding.tag.as_ref().filter(|tag| has_url_in_data(finding, tag, hits)) {
            return match_tag(finding, tag, hits);
        }
        let Some(needle) = &finding.needle else {
            // Missing parts of a page are to be added to its source, or to its template.
            let [source] = document.own.as_slice() else { return None };
            return candidates([SourceLocation { source: *source, line: 1, column: 1, length: 0 }]);
        };
        let evidence = Evidence::new(finding, needle, &document.own, &ordinals, hits);
        match RULES.iter().find_map(|rule| rule(&evidence)) {
            Some(location) => {
                let is_own = document.own.contains(&location.source);
                Some(SourceMatch { locations: Box::new([location]), is_certain: true, is_own })
            }
            None => candidates(evidence.candidates()).or_else(|| only_without_slash(finding, hits)),
        }
    };
    document.findings.iter().map(rank).collect()
}

/// Whether only data or a setting has the URL of a tag, so that the tag itself is at another location.
fn has_url_in_data(finding: &UnmappedFinding, tag: &FoundTag, hits: &Hits) -> bool {
    let mut by_url = hits_of_values(finding, hits).peekable();
    by_url.peek().is_some() && !by_url.any(|hit| hit.tag.is_some_and(|found| found.name.may_become(tag.name)))
}

/// Returns the hits of a finding's reference that are more than mentions.
fn hits_of_values<'h>(finding: &UnmappedFinding, hits: &'h Hits) -> impl Iterator<Item = &'h Hit> {
    let all = finding.keys.into_iter().flatten().flat_map(|key| hits.everywhere(key));
    all.filter(|hit| hit.role > OccurrenceRole::Mention)
}

/// Finds a tag by its classes, its id, its data attributes and its text, among those whose URL is computed.
fn match_tag(finding: &UnmappedFinding, tag: &FoundTag, hits: &Hits) -> Option<SourceMatch> {
    let is_tag = |hit: &&Hit| {
        hit.role > OccurrenceRole::Mention
            && hit.tag.is_some_and(|own| own.name.may_become(tag.name) && !own.has_url)
    };
    let by_feature = tag.features.iter().filter_map(|(_, key)| {
        let found: Vec<SourceLocation> =
            hits.everywhere((*key)?).iter().filter(is_tag).map(|hit| hit.location).collect();
        (!found.is_empty()).then_some(found)
    });
    match by_feature.min_by_key(Vec::len).as_deref() {
        Some([only]) if hits.is_complete => {
            Some(SourceMatch { locations: Box::new([*only]), is_certain: true, is_own: false })
        }
        Some(several) => candidates(several.iter().copied()),
        None => candidates(hits_of_values(finding, hits).map(|hit| hit.location)),
    }
}

/// Returns the only location of a reference without its leading slash.
fn only_without_slash(finding: &UnmappedFinding, hits: &Hits) -> Option<SourceMatch> {
    match hits.everywhere(finding.without_slash?) {
        [only] => candidates([only.location]),
        _ => None,
    }
}

fn candidates(locations: impl IntoIterator<Item = SourceLocation>) -> Option<SourceMatch> {
    let locations: Box<[SourceLocation]> = locations.into_iter().take(MAX_CANDIDATES).collect();
    (!locations.is_empty()).then_some(SourceMatch { locations, is_certain: false, is_own: false })
}

/// The generator names the file and the lines, and these contain the text as often as the element on the page.
fn generator_line(evidence: &Evidence<'_>) -> Option<SourceLocation> {
    let marked = evidence.marked.as_ref()?;
    (marked.names_file && marked.is_exact).then(|| marked.locations[0])
}

/// The page's own source contains the text as often as the page, and no shared source contains it. A link definition
/// counts as often as it is used.
fn own_source(evidence: &Evidence<'_>) -> Option<SourceLocation> {
    let found = evidence.conclusive_text()?;
    let (own, as_written) = (found.own.as_slice(), found.own_as_written.as_slice());
    let first = own.first()?;
    if found.is_own_mention || !found.shared.is_empty() {
        return None;
    }
    let (text, target) = (evidence.same_text?, evidence.same_target);
    // Locations that only share the target may be where the page's other references to it were written.
    let has_variants = own.len() > as_written.len() && target.is_none_or(|target| target.count > text.count);
    if own.len() == 1 && found.uses == text.count && !has_variants {
        return Some(*first);
    }
    if !found.is_in_page_order || own.iter().any(|location| location.source != first.source) {
        return None;
    }
    if own.len() == text.count && !has_variants {
        return Some(own[text.index]);
    }
    let is_complete = target.is_some_and(|target| target.count == own.len());
    (as_written.len() == text.count && is_complete).then(|| as_written[text.index])
}

/// The page's own source does not contain the text, and the shared sources contain it once. The sources of other pages
/// do not contain it, unless the page has a source and shows the text once.
fn shared_source(evidence: &Evidence<'_>) -> Option<SourceLocation> {
    let found = evidence.conclusive_text()?;
    let ([], [only]) = (found.own.as_slice(), found.shared.as_slice()) else { return None };
    let is_once = || evidence.same_text.is_some_and(|text| text.count == 1);
    let is_only = !found.is_in_other_pages() || !evidence.own.is_empty() && is_once();
    (evidence.is_distinctive() && is_only).then_some(*only)
}

/// The page has no source, such as a list, and only the source of one other page contains the text, once. That page
/// shows it as often as its source contains it, so it comes from no template.
fn other_page(evidence: &Evidence<'_>) -> Option<SourceLocation> {
    let found = evidence.conclusive_text()?;
    let ([], [], [only]) = (evidence.own, found.shared.as_slice(), found.others.as_slice()) else {
        return None;
    };
    let is_only = !found.has_more_others && evidence.hits.is_explained(*only, evidence.finding.keys);
    (evidence.is_distinctive() && is_only).then_some(*only)
}

/// The generator names the file, the line and the column of the tag, and no source contains the text, because it is
/// computed there.
fn generator_position(evidence: &Evidence<'_>) -> Option<SourceLocation> {
    let position =
        evidence.finding.position.as_ref().filter(|position| position.is_in_tag && position.names_file)?;
    let column = position.column.filter(|column| *column > 0)?;
    let is_in_no_source = evidence.candidates().next().is_none();
    is_in_no_source.then_some(SourceLocation {
        source: position.source?,
        line: position.lines.start,
        column,
        length: 0,
    })
}

/// The evidence for a finding's location.
struct Evidence<'e> {
    finding: &'e UnmappedFinding,
    needle: &'e Needle,
    /// The page's own sources.
    own: &'e [u32],
    /// Which of the page's findings with the same text this one is; `None` if that is unknown.
    same_text: Option<Nth>,
    /// Which of the page's findings with the same target this one is.
    same_target: Option<Nth>,
    hits: &'e Hits,
    /// Locations on the lines that the generator gives the element; `None` if the text is not there.
    marked: Option<MarkedLocations>,
    /// Locations of the text in all sources; `None` if the generator names the file.
    text: Option<TextLocations>,
}

impl<'e> Evidence<'e> {
    fn new(
        finding: &'e UnmappedFinding,
        needle: &'e Needle,
        own: &'e [u32],
        ordinals: &Ordinals<'_>,
        hits: &'e Hits,
    ) -> Evidence<'e> {
        let [_, target] = finding.keys;
        let marked = finding.position.as_ref().and_then(|position| {
            MarkedLocations::find(
                finding,
                position,
                ordinals.nth(finding, (finding.keys, Some(position))),
                hits,
            )
        });
        let is_named = marked.as_ref().is_some_and(|marked| marked.names_file);
        Evidence {
            finding,
            needle,
            own,
            same_text: ordinals.nth(finding, (finding.keys, None)),
            same_target: ordinals.nth(finding, ([None, target], None)),
            hits,
            marked,
            text: (!is_named).then(|| TextLocations::find(finding.keys, needle, own, hits)),
        }
    }

    /// The locations of the text, if they allow a conclusion: it is more than mentioned, and all sources were read.
    fn conclusive_text(&self) -> Option<&TextLocations> {
        self.text.as_ref().filter(|text| self.hits.is_complete && text.role > OccurrenceRole::Mention)
    }

    /// Whether the text has the same meaning in all sources, and does not occur by chance.
    fn is_distinctive(&self) -> bool {
        match self.needle {
            Needle::Text { text, .. } => text.len() >= MIN_DISTINCTIVE,
            // On a page that several sources make, a relative reference may come from any of them.
            reference => !(reference.is_relative() && self.own.is_empty()),
        }
    }

    /// Locations that are likely, but not certain.
    fn candidates(&self) -> impl Iterator<Item = SourceLocation> {
        let marked = self.marked.as_ref().map(|marked| &marked.locations);
        let text = self.text.as_ref().filter(|text| marked.is_none() && !self.is_everywhere(text));
        let text = text.into_iter().flat_map(|text| [&text.own, &text.shared, &text.others]);
        marked.into_iter().chain(text).flatten().copied()
    }

    /// Whether it is a text, and in too many sources other than the page's own to list.
    fn is_everywhere(&self, text: &TextLocations) -> bool {
        matches!(self.needle, Needle::Text { .. })
            && text.own.is_empty()
            && (text.shared.len() + text.others.len() > MAX_CANDIDATES || text.has_more_others)
    }
}

/// Locations of a text on the lines that the generator gives for its element.
struct MarkedLocations {
    locations: Vec<SourceLocation>,
    /// Whether the lines contain the text as often as the page: then only the matching location is left.
    is_exact: bool,
    /// Whether the generator names the file. Lines without a file may be counted from the end of the front matter.
    names_file: bool,
}

impl MarkedLocations {
    fn find(
        finding: &UnmappedFinding,
        position: &ElementPosition,
        nth: Option<Nth>,
        hits: &Hits,
    ) -> Option<MarkedLocations> {
        let found = hits.of_any(finding.keys, position.source?);
        let mut locations: Vec<SourceLocation> = found.iter().map(|hit| hit.location).collect();
        locations.retain(|location| position.lines.contains(&location.line));
        let exact = nth.filter(|nth| nth.count == locations.len());
        if let Some(occurrence) = exact {
            locations = vec![*locations.get(occurrence.index)?];
        }
        (!locations.is_empty()).then_some(MarkedLocations {
            locations,
            is_exact: exact.is_some(),
            names_file: position.names_file,
        })
    }
}

/// Locations of a text in the sources.
struct TextLocations {
    /// In the page's own sources: the same target, or the same text.
    own: Vec<SourceLocation>,
    /// Those of `own` with the same text.
    own_as_written: Vec<SourceLocation>,
    /// How often the page shows the first of `own`.
    uses: usize,
    /// Whether the page shows the locations of `own` in their order in the source.
    is_in_page_order: bool,
    /// Whether the text has a lower role in the page's own sources than in others.
    is_own_mention: bool,
    /// The first in sources that pages share.
    shared: Vec<SourceLocation>,
    /// The first in the sources of other pages.
    others: Vec<SourceLocation>,
    has_more_others: bool,
    /// The highest role of the text in any source.
    role: OccurrenceRole,
}

impl TextLocations {
    fn find(keys: [Option<NeedleKey>; 2], needle: &Needle, own: &[u32], hits: &Hits) -> TextLocations {
        let [as_written, target] = keys;
        let all = hits.summaries(keys);
        let role = all.clone().map(|summary| summary.role).max().unwrap_or(OccurrenceRole::Mention);
        let matching = |searched| hits.summaries(searched).filter(move |summary| summary.role == role);
        let references = |locations: &mut dyn Iterator<Item = &Vec<SourceLocation>>| {
            let mut locations: Vec<SourceLocation> = locations.flatten().copied().collect();
            locations.retain(|location| !own.contains(&location.source));
            locations.sort_unstable();
            locations.dedup();
            locations
        };

        let mut own_hits: Vec<_> = own.iter().flat_map(|source| hits.of_any(keys, *source)).collect();
        let is_own_mention = !own_hits.iter().any(|hit| hit.role == role);
        own_hits.retain(|hit| is_own_mention || hit.role == role);
        let is_as_written = |location: &SourceLocation| {
            as_written.is_some_and(|key| {
                hits.within(key, location.source).iter().any(|hit| hit.location == *location)
            })
        };
        let own_locations: Vec<SourceLocation> = own_hits.iter().map(|hit| hit.location).collect();

        // A source whose page is unknown may belong to this page if it has no other source, else to another page.
        let has_own = !own.is_empty();
        // A relative reference has another target on every page, but an unassigned source may be part of this page.
        let is_relative = needle.is_relative() && has_own;
        let external = if is_relative { [None, target] } else { keys };
        let included = if is_relative { [as_written, None] } else { [None, None] };
        let shared = references(&mut matching(keys).flat_map(|summary| {
            std::iter::once(&summary.shared).chain((!has_own).then_some(&summary.unassigned))
        }));
        let others = references(
            &mut matching(external)
                .flat_map(|summary| {
                    std::iter::once(&summary.on_pages).chain(has_own.then_some(&summary.unassigned))
                })
                .chain(matching(included).map(|summary| &summary.unassigned)),
        );
        let most = matching(external).map(|summary| summary.page_hits).max().unwrap_or_default();
        TextLocations {
            own_as_written: own_locations.iter().copied().filter(is_as_written).collect(),
            uses: own_hits.first().map_or(0, |hit| hit.uses.unwrap_or(1) as usize),
            is_in_page_order: own_hits.len() < 2 || own_hits.iter().all(|hit| hit.uses.is_none()),
            is_own_mention: is_own_mention && !own_hits.is_empty(),
            has_more_others: most > own_locations.len() + others.len(),
            own: own_locations,
            shared,
            others,
            role,
        }
    }

    fn is_in_other_pages(&self) -> bool {
        !self.others.is_empty() || self.has_more_others
    }
}

/// The index of a finding among equal ones.
#[derive(Clone, Copy)]
struct Nth {
    index: usize,
    count: usize,
}

/// The key of equal findings: the text or the target, and the element's position.
type SameText<'d> = ([Option<NeedleKey>; 2], Option<&'d ElementPosition>);

/// The offsets of equal findings on a page.
struct Ordinals<'d>(HashMap<SameText<'d>, Starts>);

#[derive(Default)]
struct Starts {
    hints: Vec<u32>,
    references: Vec<u32>,
}

impl<'d> Ordinals<'d> {
    fn new(findings: &'d [UnmappedFinding]) -> Ordinals<'d> {
        let mut same: HashMap<SameText<'d>, Starts> = HashMap::new();
        for finding in findings.iter().filter(|finding| finding.needle.is_some()) {
            let [_, target] = finding.keys;
            let marked = finding.position.as_ref().map(|position| (finding.keys, Some(position)));
            let target = target.map(|target| ([None, Some(target)], None));
            for text in [Some((finding.keys, None)), target, marked].into_iter().flatten() {
                let starts = same.entry(text).or_default();
                let starts = if finding.is_hint { &mut starts.hints } else { &mut starts.references };
                // Two rules may report the same location.
                if starts.last() != Some(&finding.start) {
                    starts.push(finding.start);
                }
            }
        }
        Ordinals(same)
    }

    /// Returns the index of a finding among equal ones. A resource hint has the index of the page's reference; if
    /// there are several, it is unknown.
    fn nth(&self, finding: &UnmappedFinding, text: SameText<'d>) -> Option<Nth> {
        let Starts { hints, references } = self.0.get(&text)?;
        let starts = match (finding.is_hint, references.as_slice()) {
            (true, []) => hints,
            (true, [_]) => return Some(Nth { index: 0, count: 1 }),
            (true, _) => return None,
            (false, _) => references,
        };
        Some(Nth { index: starts.partition_point(|start| *start < finding.start), count: starts.len() })
    }
}
