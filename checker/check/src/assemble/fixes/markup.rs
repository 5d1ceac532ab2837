//! Drafts edits of markup that is no reference: attributes of tags, the declaration of the encoding, ignores.
//!
//! The tag, the head or the comment must be in the source byte for byte.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::generated::GeneratedFiles;
use super::markup_edits::{
    CommentedIgnore, MarkupEdit, attribute_edit, charset_edit, commented_ignores, dimensions, entries,
    removal, removed_from_source,
};
use super::proof::{Draft, EditableSource, file_names, source_edit};
use crate::assemble::string_pool::StringPool;
use crate::contract::Contract;
use crate::parse::{Format, start_tag};
use crate::raw_finding::{Certainty, DocumentId, MarkupChange, RawFinding, ReferenceChange};
use crate::report::finding::{Finding, SourceEdit};
use crate::report::locator::FindingLocator;
use crate::report::result::CheckResult;
use crate::source_map::SourceMap;
use crate::walk::FileId;

/// Drafts the edits of findings that propose a change of markup.
pub(super) fn drafts(
    (result, contract): (&CheckResult, &Contract),
    map: &SourceMap,
    findings: &[Finding],
    generated: &mut GeneratedFiles,
    strings: &mut StringPool,
) -> Vec<Draft> {
    let change = |found: &RawFinding| match &found.fix.as_deref()?.change {
        ReferenceChange::Markup(markup) => Some(markup.clone()),
        _ => None,
    };
    let proposed: Vec<(usize, MarkupChange)> =
        result.findings.iter().enumerate().filter_map(|(at, found)| Some((at, change(found)?))).collect();
    if proposed.is_empty() {
        return Vec::new();
    }
    let mut removed: HashMap<FileId, HashSet<usize>> = HashMap::new();
    for (at, _) in proposed.iter().filter(|(_, markup)| *markup == MarkupChange::Removal) {
        let location = &result.findings[*at].location;
        if let DocumentId::File(file) = location.document {
            removed.entry(file).or_default().insert(location.span.start as usize);
        }
    }
    let has_sources = !contract.source_files.is_empty();
    let mut drafter = Drafter {
        result,
        contract,
        map,
        removed,
        ignores: HashMap::new(),
        contract_entries: OnceCell::new(),
        reader: FindingLocator::new(result, contract),
        source: None,
        generated,
        images: HashMap::new(),
        home_language: OnceCell::new(),
    };
    let draft = |(at, markup): (usize, MarkupChange)| {
        let finding = &findings[at];
        match result.findings[at].location.document {
            DocumentId::Contract => drafter.in_contract(at, finding, strings),
            DocumentId::File(_) if has_sources => drafter.in_source(at, finding, &markup, strings),
            DocumentId::File(file) if result.is_editable => {
                drafter.in_export(at, finding, file, &markup, strings)
            }
            _ => None,
        }
    };
    proposed.into_iter().filter_map(draft).collect()
}

struct Drafter<'r> {
    result: &'r CheckResult,
    contract: &'r Contract,
    map: &'r SourceMap,
    /// The starts of the ids of rules in ignores that are removed, by file.
    removed: HashMap<FileId, HashSet<usize>>,
    /// The ignores in comments of files.
    ignores: HashMap<FileId, Vec<CommentedIgnore>>,
    /// The entries of the contract that can be removed.
    contract_entries: OnceCell<Vec<Range<usize>>>,
    reader: FindingLocator<'r>,
    /// The source that was read last.
    source: Option<(u32, EditableSource)>,
    generated: &'r mut GeneratedFiles,
    /// The dimensions of images.
    images: HashMap<FileId, Option<(usize, usize)>>,
    /// The language of the home page, once it is known.
    home_language: OnceCell<Option<String>>,
}

impl Drafter<'_> {
    /// Drafts the removal of an entry from the contract.
    fn in_contract(&self, at: usize, finding: &Finding, strings: &mut StringPool) -> Option<Draft> {
        let file = self.contract.file.as_ref()?;
        let text = &self.contract.source;
        let start = self.result.findings[at].location.span.start as usize;
        let entries = self.contract_entries.get_or_init(|| entries(text));
        let range = entries.iter().find(|entry| entry.contains(&start))?.clone();
        let known = (finding.span.start as usize, finding.line);
        let edit = source_edit(file_names(file, strings), text.as_bytes(), known, (range, ""), strings)?;
        Some(self.draft(at, edit, false))
    }

    /// Drafts an edit of a file of the export, if people write it.
    fn in_export(
        &mut self,
        at: usize,
        finding: &Finding,
        file: FileId,
        change: &MarkupChange,
        strings: &mut StringPool,
    ) -> Option<Draft> {
        let found = &self.result.findings[at];
        let edit = self.edit(found, finding, change)?;
        let text = self.reader.text(&found.location.document);
        if self.generated.contain(file, text, at) {
            return None;
        }
        let names = file_names(&self.result.tree.disk_path(file), strings);
        let known = (finding.span.start as usize, finding.line);
        let edit = source_edit(names, text, known, (edit.range, &edit.new), strings)?;
        Some(self.draft(at, edit, false))
    }

    /// Drafts an edit of the source of a finding.
    fn in_source(
        &mut self,
        at: usize,
        finding: &Finding,
        change: &MarkupChange,
        strings: &mut StringPool,
    ) -> Option<Draft> {
        let found = &self.result.findings[at];
        let location = self.map.certain(at)?;
        let place = &finding.certain_source()?;
        let edit = self.edit(found, finding, change)?;
        let text = self.reader.text(&found.location.document);
        if self.source.as_ref().is_none_or(|(source, _)| *source != location.source) {
            self.source = Some((location.source, EditableSource::read(self.map, location)?));
        }
        let (_, source) = self.source.as_ref()?;
        let (whole, range) = (source.text.as_bytes(), source.range(location)?);
        let names = (place.file.clone(), place.path.clone());
        if whole == text {
            let known = (range.start, place.line);
            let edit = source_edit(names, whole, known, (edit.range, &edit.new), strings)?;
            return Some(self.draft(at, edit, false));
        }
        if range.is_empty() {
            return None;
        }
        let anchor = &text[edit.anchor.clone()];
        let first = range.end.saturating_sub(anchor.len());
        let last = whole.len().min(range.start + anchor.len());
        let start = first + memchr::memmem::find(whole.get(first..last)?, anchor)?;
        let is_tag = || source.is_tag(&(start..start + anchor.len()));
        if start > range.start || *change != MarkupChange::Removal && !is_tag() {
            return None;
        }
        let shifted = |offset: usize| offset - edit.anchor.start + start;
        let shifted = if edit.new.is_empty() {
            removed_from_source(whole, start..start + anchor.len())?
        } else {
            shifted(edit.range.start)..shifted(edit.range.end)
        };
        let edit = source_edit(names, whole, (range.start, place.line), (shifted, &edit.new), strings)?;
        Some(self.draft(at, edit, !self.map.get(at)?.is_own))
    }

    fn draft(&self, finding: usize, edit: SourceEdit, is_shared: bool) -> Draft {
        let fix = self.result.findings[finding].fix.as_deref();
        let (certainty, reason) =
            fix.map_or((Certainty::Likely, ""), |proposed| (proposed.certainty, proposed.reason));
        Draft { finding, certainty: if is_shared { Certainty::Likely } else { certainty }, reason, edit }
    }

    /// Returns the edit of an exported document.
    fn edit(&mut self, found: &RawFinding, finding: &Finding, change: &MarkupChange) -> Option<MarkupEdit> {
        let DocumentId::File(file) = found.location.document else { return None };
        if finding.utf16 {
            return None;
        }
        let home = match change {
            MarkupChange::Language => {
                Some(self.home_language.get_or_init(|| home_language(self.result)).clone()?)
            }
            _ => None,
        };
        let span = &found.location.span;
        let span = span.start as usize..span.end as usize;
        let text = self.reader.text(&found.location.document);
        let tag = || text.get(span.clone()).and_then(start_tag);
        let in_tag = |edit: Option<(Range<usize>, String)>| {
            let (range, new) = edit?;
            let range = span.start + range.start..span.start + range.end;
            Some(MarkupEdit { anchor: span.clone(), range, new })
        };
        match change {
            MarkupChange::Attribute { name, value, is_list } => {
                let (tag, written) = (tag()?, &text[span.clone()]);
                in_tag(attribute_edit(written, &tag, name, value, *is_list))
            }
            MarkupChange::Language => {
                let (tag, written) = (tag()?, &text[span.clone()]);
                in_tag(attribute_edit(written, &tag, "lang", &home?, false))
            }
            MarkupChange::Dimension { is_width, file: image } => {
                let (tag, written) = (tag()?, &text[span.clone()]);
                // These state other dimensions, or select another file.
                let others = ["width", "height", "style", "srcset", "sizes"];
                let has_other = others.iter().any(|name| tag.attribute(written, name).is_some());
                if has_other || has_alternatives(&text[..span.start]) {
                    return None;
                }
                let read = || dimensions(&std::fs::read(self.result.tree.disk_path(*image)).ok()?);
                let (width, height) = (*self.images.entry(*image).or_insert_with(read))?;
                let (name, value) = if *is_width { ("width", width) } else { ("height", height) };
                in_tag(attribute_edit(written, &tag, name, &value.to_string(), false))
            }
            MarkupChange::Charset => charset_edit(text),
            MarkupChange::Removal => {
                let format = Format::of(self.result.tree.path(file));
                let ignores = self.ignores.entry(file).or_insert_with(|| commented_ignores(format, text));
                removal(text, ignores, (&span, self.removed.get(&file)?))
            }
        }
    }
}

/// Whether the text before an image ends in an open `<picture>` element, whose sources may have other dimensions.
fn has_alternatives(before: &[u8]) -> bool {
    let last = |tag: &[u8]| memchr::memmem::rfind(before, tag);
    last(b"<picture") > last(b"</picture")
}

/// Returns the language that the home page declares.
fn home_language(result: &CheckResult) -> Option<String> {
    let home = result.tree.home()?;
    let text = std::fs::read(result.tree.disk_path(home)).ok()?;
    let start = memchr::memmem::find(&text, b"<html").or_else(|| memchr::memmem::find(&text, b"<HTML"))?;
    let text = &text[start..];
    let tag = start_tag(text)?;
    let (_, value) = tag.attribute(text, "lang")?;
    let value = std::str::from_utf8(&text[value?.clone()]).ok()?.trim();
    let is_tag = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_tag.then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::has_alternatives;

    #[test]
    fn images_with_alternatives() {
        assert!(has_alternatives(b"<picture><source srcset=b.png media='(min-width: 1px)'>"));
        assert!(!has_alternatives(b"<picture><img src=a.png></picture>"));
        assert!(!has_alternatives(b"<p>"));
    }
}
