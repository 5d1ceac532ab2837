//! Turns the fixes that rules propose into edits of the sources.
//!
//! An edit replaces one reference (or changes markup, see [`markup`]), at a location that is certain. The references of a page's own source are relative to
//! this page; a relative reference that several pages share may be right on another page, so its edit is only likely.

mod conversion;
mod generated;
mod markup;
mod markup_edits;
mod proof;
mod siblings;
mod spelling;

use std::sync::Arc;

use sitegate_address::UrlReference;
use sitegate_address::percent::decode_lossy;
use sitegate_sources::Manner;

use super::string_pool::StringPool;
use crate::contract::Contract;
use crate::parse::{self, Format};
use crate::raw_finding::{Certainty, DocumentId, ProposedFix, RawFinding, ReferenceChange};
use crate::report::finding::{Finding, Fix};
use crate::report::locator::FindingLocator;
use crate::report::result::CheckResult;
use crate::resolve::respell::split_levels;
use crate::rules::schemes;
use crate::source_map::{SourceLocation, SourceMap, page_form, raw_form, target_form};
use conversion::Conversion;
use generated::GeneratedFiles;
use proof::{Draft, EditableSource, file_names, names_source, source_edit};
use siblings::Sibling;

/// The new text of a reference.
struct TextChange {
    new: String,
    certainty: Certainty,
    reason: &'static str,
}

/// A reference as its source contains it.
struct WrittenReference<'w> {
    text: &'w str,
    /// The location in the sources, and how it is resolved; `None` if the export is the source.
    source: Option<(&'w SourceMap, SourceLocation, Manner)>,
    /// Whether no other page has this text.
    is_own: bool,
    /// Whether it is in front matter or in a data file, which may define redirects.
    is_in_data: bool,
}

/// Adds their fixes to findings. Returns the number of findings that have none because a generator wrote their files.
pub(super) fn add_fixes(
    result: &CheckResult,
    contract: &Contract,
    map: &SourceMap,
    findings: &mut [Finding],
    strings: &mut StringPool,
) -> usize {
    if result.live.is_some() || result.findings.iter().all(|found| found.fix.is_none()) {
        return 0;
    }
    let mut generated = GeneratedFiles::new(result, contract);
    let mut drafts = if contract.source_files.is_empty() {
        drafts_in_export((result, contract), findings, &mut generated, strings)
    } else {
        drafts_in_sources(result, map, findings, strings)
    };
    drafts.extend(markup::drafts((result, contract), map, findings, &mut generated, strings));
    for Draft { finding, certainty, reason, edit } in without_conflicts(drafts) {
        let reason = strings.share(reason);
        findings[finding].fix = Some(Box::new(Fix { certainty, reason, edits: Box::new([edit]) }));
    }
    generated.findings.len()
}

/// Drafts edits of the sources.
fn drafts_in_sources(
    result: &CheckResult,
    map: &SourceMap,
    findings: &[Finding],
    strings: &mut StringPool,
) -> Vec<Draft> {
    let mut places: Vec<(SourceLocation, usize)> = (0..findings.len())
        .filter(|at| result.findings[*at].fix.is_some())
        .filter_map(|at| Some((map.certain(at).filter(|location| location.length > 0)?, at)))
        .collect();
    // In the order of sources, so that each is read once.
    places.sort_unstable();
    let mut conversion = Conversion::new(result, map);
    let mut drafts = Vec::new();
    for of_source in places.chunk_by(|(a, _), (b, _)| a.source == b.source) {
        let Some(source) = EditableSource::read(map, of_source[0].0) else { continue };
        let mut draft = |(location, at): (SourceLocation, usize)| {
            let Finding { url: Some(url), source: Some(written_at), .. } = &findings[at] else { return None };
            let range = source.range(location)?;
            let reference = source.reference(&range)?;
            let text = &source.text[range.clone()];
            let written = WrittenReference {
                text,
                source: Some((map, location, reference.manner)),
                is_own: map.get(at).is_some_and(|found| found.is_own),
                is_in_data: matches!(reference.manner, Manner::Value | Manner::Id | Manner::Text),
            };
            let TextChange { new, certainty, reason } =
                change(&result.findings[at], url, result, &written, Some(&mut conversion))?;
            let is_link = source.is_link(reference);
            let names = (Arc::clone(&written_at.place.file), written_at.place.path.clone());
            let known = (range.start, location.line);
            let edit = source_edit(names, source.text.as_bytes(), known, (range, &new), strings)?;
            let certainty = if is_link { certainty } else { Certainty::Likely };
            Some(Draft { finding: at, certainty, reason, edit })
        };
        let drafted = of_source.iter().filter_map(|place| draft(*place)).collect();
        drafts.extend(source.proven(drafted));
    }
    drafts
}

/// Drafts edits of the exported files, if people write them: the contract names no sources, no generator has made
/// them, and git does not ignore them.
fn drafts_in_export(
    (result, contract): (&CheckResult, &Contract),
    findings: &[Finding],
    generated: &mut GeneratedFiles,
    strings: &mut StringPool,
) -> Vec<Draft> {
    if !result.is_editable {
        return Vec::new();
    }
    let mut reader = FindingLocator::new(result, contract);
    let draft = |(at, found): (usize, &RawFinding)| {
        let (DocumentId::File(file), Some(_)) = (&found.location.document, &found.fix) else {
            return None;
        };
        let written = findings[at].url.as_deref().filter(|_| !findings[at].utf16)?;
        let reference = WrittenReference { text: written, source: None, is_own: true, is_in_data: false };
        let TextChange { new, certainty, reason } = change(found, written, result, &reference, None)?;
        let text = reader.text(&found.location.document);
        let range = found.location.span.start as usize..found.location.span.end as usize;
        if text.get(range.clone()) != Some(written.as_bytes()) || generated.contain(*file, text, at) {
            return None;
        }
        let names = file_names(&result.tree.disk_path(*file), strings);
        let edit = source_edit(names, text, (range.start, findings[at].line), (range, &new), strings)?;
        Some(Draft { finding: at, certainty, reason, edit })
    };
    result.findings.iter().enumerate().filter_map(draft).collect()
}

/// Returns the change of a reference in its source.
fn change(
    found: &RawFinding,
    url: &str,
    result: &CheckResult,
    written: &WrittenReference<'_>,
    mut conversion: Option<&mut Conversion<'_>>,
) -> Option<TextChange> {
    let ProposedFix { certainty: proposed, reason, change } = found.fix.as_deref()?;
    let DocumentId::File(file) = found.location.document else { return None };
    let present = match Format::of(result.tree.path(file)) {
        Format::Css => url.into(),
        _ => parse::decode_references(url),
    };
    let mut sibling = Sibling::Unknown;
    if let (Some((map, location, _)), Some(conversion)) = (&written.source, &mut conversion) {
        sibling = conversion.siblings.find(map.folder(), &map.disk_path(*location), written.text);
    }
    let of_rule = |new| TextChange { new, certainty: *proposed, reason };
    // Without a generator that converts the reference, it names a source, but no page: its address is likely meant.
    let of_sibling = |new: String| {
        let ((_, location, manner), conversion) = (written.source?, conversion?);
        if conversion.works(&new, manner, location, file) {
            return Some(TextChange { new, certainty: Certainty::Certain, reason: siblings::REASON });
        }
        let is_verbatim = raw_form(written.text) == raw_form(&present);
        let address = conversion.address(&new, location, file).filter(|_| is_verbatim)?;
        Some(TextChange { new: address, certainty: Certainty::Likely, reason: siblings::REASON })
    };
    let mut changed = match change {
        ReferenceChange::Markup(_) => return None,
        ReferenceChange::Fragment { old, new } => of_rule(spelling::change_fragment(written.text, old, new)?),
        ReferenceChange::MissingTarget => {
            if let Sibling::Only(new) = sibling {
                of_sibling(new)?
            } else {
                let (certainty, new) = schemes::corrected(written.text)?;
                TextChange { new, certainty, reason: schemes::REASON }
            }
        }
        ReferenceChange::Whole { new, paths: None } | ReferenceChange::Destination { new, paths: None } => {
            of_rule(spelling::change_like(written.text, &present, new)?)
        }
        ReferenceChange::Whole { new, paths: Some(paths) }
        | ReferenceChange::Destination { new, paths: Some(paths) } => match sibling {
            Sibling::Only(only) if is_page_of(&paths.1, &only) => of_sibling(only)?,
            Sibling::Only(_) | Sibling::Exists => return None,
            // The generator resolves it among the sources, and there is nothing similar.
            Sibling::Unknown if names_source(written.text) => return None,
            Sibling::Unknown => {
                if let Some(respelled) = spelling::change_like(written.text, &present, new) {
                    of_rule(respelled)
                } else {
                    // The source has another form than the page, so that the rule has not resolved it.
                    let respelled = spelling::change_segment(written.text, &paths.0, &paths.1)?;
                    let target = target_form(&paths.1, &fragment(&respelled));
                    let base_path = &result.deployment.settings.base_path;
                    let is_proven = written.source.is_some_and(|(map, location, _)| {
                        map.target(location.source, &respelled, base_path).as_ref() == Some(&target)
                    });
                    let certainty = if is_proven { *proposed } else { Certainty::Likely };
                    TextChange { new: respelled, certainty, reason }
                }
            }
        },
    };
    let is_page_independent =
        changed.new.starts_with('/') || changed.new.contains("://") || changed.new.starts_with("mailto:");
    let may_be_redirect = matches!(change, ReferenceChange::Destination { .. }) && written.is_in_data;
    if !written.is_own && !is_page_independent || may_be_redirect {
        changed.certainty = Certainty::Likely;
    }
    let is_changed = changed.new != written.text && !has_new_delimiter(written.text, &changed.new);
    is_changed.then_some(changed)
}

/// Whether the page or file at a path of the export may be the one that a relative reference in a source names.
fn is_page_of(path: &str, reference: &str) -> bool {
    let named = UrlReference::new(reference).path();
    let named = split_levels(named).map_or(named, |(_, rest)| rest);
    let named = decode_lossy(named);
    let (page, named) = (page_form(path), page_form(&named));
    page.strip_suffix(named).is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// Returns the decoded fragment of a reference; empty without one.
fn fragment(reference: &str) -> String {
    raw_form(UrlReference::new(reference).fragment().unwrap_or_default())
}

/// Whether a text has a character that may end a reference in its source, and that was not in it.
fn has_new_delimiter(old: &str, new: &str) -> bool {
    const DELIMITERS: &[char] =
        &['<', '>', '"', '\'', '`', '(', ')', '[', ']', '{', '}', '|', ' ', '\n', '\r'];
    new.chars().any(|c| DELIMITERS.contains(&c) && !old.contains(c))
        || new.ends_with('_') && !old.ends_with('_')
}

/// Removes edits that contradict each other, or overlap. A certain edit has precedence over likely ones.
fn without_conflicts(mut drafts: Vec<Draft>) -> Vec<Draft> {
    drafts.sort_by(|a, b| a.edit.cmp(&b.edit).then(a.finding.cmp(&b.finding)));
    let mut kept = Vec::with_capacity(drafts.len());
    let mut overlapping: Vec<Draft> = Vec::new();
    for draft in drafts {
        let end = overlapping.iter().map(|other| other.edit.end).max();
        // Insertions at one place are compared, too.
        let is_same_place = overlapping.last().is_some_and(|other| other.edit.start == draft.edit.start);
        if overlapping.first().is_some_and(|other| other.edit.file != draft.edit.file)
            || end.is_some_and(|end| end <= draft.edit.start && !is_same_place)
        {
            keep_agreed(&mut overlapping, &mut kept);
        }
        overlapping.push(draft);
    }
    keep_agreed(&mut overlapping, &mut kept);
    kept
}

/// Moves the edits with the highest certainty to `kept`, if they are the same and replace the same range as all others.
fn keep_agreed(overlapping: &mut Vec<Draft>, kept: &mut Vec<Draft>) {
    join_insertions(overlapping);
    let Some(best) = overlapping.iter().max_by_key(|draft| draft.certainty) else { return };
    let (certainty, edit) = (best.certainty, best.edit.clone());
    let agrees = |draft: &Draft| {
        (draft.edit.start, draft.edit.end) == (edit.start, edit.end)
            && (draft.certainty < certainty || draft.edit.new == edit.new)
    };
    if overlapping.iter().all(agrees) {
        kept.extend(overlapping.drain(..).filter(|draft| draft.edit.new == edit.new));
    }
    overlapping.clear();
}

/// Joins different insertions at one place to one edit: attributes that a tag needs.
fn join_insertions(drafts: &mut [Draft]) {
    let [first, .., last] = &*drafts else { return };
    let is_attribute = |draft: &Draft| draft.edit.start == draft.edit.end && draft.edit.new.starts_with(' ');
    if first.edit.start != last.edit.start || !drafts.iter().all(is_attribute) {
        return;
    }
    let mut texts: Vec<&str> = drafts.iter().map(|draft| &*draft.edit.new).collect();
    texts.dedup();
    let joined: Arc<str> = texts.concat().into();
    let certainty = drafts.iter().map(|draft| draft.certainty).min();
    for draft in drafts {
        draft.edit.new = Arc::clone(&joined);
        draft.certainty = certainty.unwrap_or(draft.certainty);
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, without_conflicts};
    use crate::raw_finding::Certainty::{self, Certain, Likely};
    use crate::report::finding::SourceEdit;

    fn draft(finding: usize, certainty: Certainty, range: std::ops::Range<usize>, new: &str) -> Draft {
        let edit = SourceEdit {
            file: "a.md".into(),
            path: None,
            line: 1,
            column: 1,
            line_start: 0,
            start: range.start,
            end: range.end,
            old: "old".into(),
            new: new.into(),
        };
        Draft { finding, certainty, reason: "", edit }
    }

    #[track_caller]
    fn kept(drafts: Vec<Draft>, expected: &[usize]) {
        let kept: Vec<usize> = without_conflicts(drafts).into_iter().map(|draft| draft.finding).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn edits_that_contradict_or_overlap_are_removed() {
        kept(vec![draft(0, Certain, 0..3, "x"), draft(1, Certain, 0..3, "x")], &[0, 1]);
        kept(vec![draft(0, Certain, 0..3, "x"), draft(1, Certain, 0..3, "y")], &[]);
        kept(vec![draft(0, Certain, 0..3, "x"), draft(1, Likely, 0..3, "y")], &[0]);
        kept(vec![draft(0, Likely, 0..3, "x"), draft(1, Likely, 0..3, "y")], &[]);
        kept(
            vec![draft(0, Certain, 0..3, "x"), draft(1, Certain, 2..5, "y"), draft(2, Certain, 5..8, "z")],
            &[2],
        );
        kept(vec![draft(1, Certain, 5..8, "y"), draft(0, Certain, 0..3, "x")], &[0, 1]);
    }
}
