//! Drafts edits of markup that is no reference: attributes of tags, the declaration of the encoding, ignores.
//!
//! The tag, the head or the comment must be in the source byte for byte.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::dimensions::dimensions;
use super::entries::entries;
use super::proof::{Draft, EditableSource, column, line_start};
use crate::assemble::string_pool::StringPool;
use crate::contract::Contract;
use crate::generator;
use crate::parse::inline_ignores::ignores;
use crate::parse::{
    CHARSET_LIMIT, Format, StartTag, TagIndex, head_start, quote_before, start_tag, style_comment_around,
};
use crate::raw_finding::{Certainty, DocumentId, MarkupChange, RawFinding, ReferenceChange};
use crate::report::document_names::{below, from_here, repository};
use crate::report::finding::{Finding, SourceEdit};
use crate::report::locator::FindingLocator;
use crate::report::result::CheckResult;
use crate::source_map::SourceMap;
use crate::walk::FileId;

/// The declaration of the encoding.
const CHARSET: &str = "<meta charset=\"utf-8\">";

/// Maximum length of the rules of an ignore that is edited.
const MAX_LIST: usize = 1000;

/// An edit of an exported document, or of its source.
#[derive(Debug, PartialEq, Eq)]
struct MarkupEdit {
    /// The bytes that the source must have, too.
    anchor: Range<usize>,
    /// The bytes to replace.
    range: Range<usize>,
    new: String,
}

/// Drafts the edits of findings that propose a change of markup.
pub(super) fn drafts(
    result: &CheckResult,
    contract: &Contract,
    map: &SourceMap,
    findings: &[Finding],
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
        are_generated: HashMap::new(),
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
    /// Whether a generator wrote a file.
    are_generated: HashMap<FileId, bool>,
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
        let is_generated =
            self.are_generated.entry(file).or_insert_with(|| generator::detect_generator(text).is_some());
        if *is_generated {
            return None;
        }
        let disk = self.result.tree.disk_path(file);
        let known = (finding.span.start as usize, finding.line);
        let edit = source_edit(file_names(&disk, strings), text, known, (edit.range, &edit.new), strings)?;
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
                if others.iter().any(|name| tag.attribute(written, name).is_some()) {
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

/// Returns the path of a file from the working directory, and from the repository if that differs.
fn file_names(file: &Path, strings: &mut StringPool) -> (Arc<str>, Option<Arc<str>>) {
    let (name, path) = (from_here(file), below(file, &repository()));
    (strings.share(&name), (path != name).then(|| strings.share(&path)))
}

/// Returns the edit of a text. `known` is an offset with its line.
fn source_edit(
    (file, path): (Arc<str>, Option<Arc<str>>),
    text: &[u8],
    (offset, line): (usize, u32),
    (range, new): (Range<usize>, &str),
    strings: &mut StringPool,
) -> Option<SourceEdit> {
    let lines = |between: Range<usize>| memchr::memchr_iter(b'\n', &text[between]).count() as u32;
    let line = if range.start >= offset {
        line + lines(offset..range.start)
    } else {
        line.checked_sub(lines(range.start..offset))?
    };
    let line_start = line_start(text, range.start);
    let old = std::str::from_utf8(&text[range.clone()]).ok()?;
    Some(SourceEdit {
        file,
        path,
        line,
        column: column(text, range.start),
        line_start,
        start: range.start,
        end: range.end,
        old: strings.share(old),
        new: strings.share(new),
    })
}

/// Returns the edit that gives a tag an attribute, or more words in it.
fn attribute_edit(
    text: &[u8],
    tag: &StartTag,
    name: &str,
    value: &str,
    is_list: bool,
) -> Option<(Range<usize>, String)> {
    if value.contains(['"', '\'', '&', '<', '>']) {
        return None;
    }
    match tag.attribute(text, name) {
        None => {
            let quote = text[..tag.end].iter().find(|byte| matches!(byte, b'"' | b'\''));
            let quote = char::from(*quote.unwrap_or(&b'"'));
            Some((tag.end..tag.end, format!(" {name}={quote}{value}{quote}")))
        }
        Some((written, None)) if is_list => Some((written.end..written.end, format!("=\"{value}\""))),
        Some((_, Some(present))) if is_list => {
            let old = std::str::from_utf8(&text[present.clone()]).ok()?;
            let space = if old.is_empty() || old.ends_with(char::is_whitespace) { "" } else { " " };
            match quote_before(text, present.start) {
                Some(_) => Some((present.end..present.end, format!("{space}{value}"))),
                // An unquoted value may have quotes.
                None if old.contains('"') => None,
                None => Some((present.clone(), format!("\"{old}{space}{value}\""))),
            }
        }
        _ => None,
    }
}

/// Returns the edit that declares UTF-8 at the start of the head, on a line of its own if the head has lines.
fn charset_edit(text: &[u8]) -> Option<MarkupEdit> {
    let at = head_start(text)?;
    std::str::from_utf8(text).ok()?;
    let blank = text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let indent = std::str::from_utf8(&text[at..at + blank]).ok()?;
    // With blank lines, the last one has the indent of the content.
    let first = indent.find('\n').map_or("", |end| &indent[..=end]);
    let last = indent.rfind('\n').map_or("", |start| &indent[start + 1..]);
    let new = format!("{first}{last}{CHARSET}");
    let is_early = at + new.len() <= CHARSET_LIMIT as usize;
    is_early.then_some(MarkupEdit { anchor: 0..text.len(), range: at..at, new })
}

/// An ignore in a comment.
struct CommentedIgnore {
    /// Its rules and its reason.
    span: Range<usize>,
    comment: Range<usize>,
}

/// Returns the ignores in the comments of a text, in order.
fn commented_ignores(format: Format, text: &[u8]) -> Vec<CommentedIgnore> {
    let tags = if format == Format::Css { TagIndex::default() } else { TagIndex::read(text) };
    let in_comment = |span: Range<usize>| {
        let comment = match format {
            Format::Css => style_comment_around(text, span.start),
            _ => tags.comment(span.start),
        };
        let comment = comment.filter(|comment| comment.start < span.start && span.end < comment.end)?;
        Some(CommentedIgnore { span, comment })
    };
    let spans = ignores(format, text, &[]).into_iter().map(|ignore| ignore.span);
    let mut found: Vec<_> =
        spans.filter_map(|span| in_comment(span.start as usize..span.end as usize)).collect();
    found.sort_unstable_by_key(|ignore| ignore.span.start);
    found
}

/// Returns the edit that removes the id of a rule from an ignore, with the whole ignore if it has no other rules.
/// `removed` are the starts of all ids to remove.
fn removal(
    text: &[u8],
    ignores: &[CommentedIgnore],
    (id, removed): (&Range<usize>, &HashSet<usize>),
) -> Option<MarkupEdit> {
    let before = ignores.partition_point(|ignore| ignore.span.start <= id.start);
    let CommentedIgnore { span: ignore, comment } =
        ignores[..before].last().filter(|ignore| id.end <= ignore.span.end)?;
    let written = std::str::from_utf8(&text[ignore.clone()]).ok()?;
    let list = &written[..written.find(':').unwrap_or(written.len())];
    if list.len() > MAX_LIST {
        return None;
    }
    let is_separator = |c: char| c.is_whitespace() || c == ',';
    let offset = |part: &str| ignore.start + (part.as_ptr() as usize - written.as_ptr() as usize);
    let kept: Vec<&str> = list
        .split(is_separator)
        .filter(|part| !part.is_empty() && !removed.contains(&offset(part)))
        .collect();
    let comment = comment.clone();
    if kept.is_empty() {
        let range = whole_line(text, comment.clone());
        return Some(MarkupEdit { anchor: comment, range, new: String::new() });
    }
    let separator = if list.contains(',') { ", " } else { " " };
    let range = ignore.start..ignore.start + list.trim_end().len();
    Some(MarkupEdit { anchor: comment, range, new: kept.join(separator) })
}

/// Returns a range with the line that it is alone on, or else with a space before it.
fn whole_line(text: &[u8], range: Range<usize>) -> Range<usize> {
    let start = line_start(text, range.start);
    let end = memchr::memchr(b'\n', &text[range.end..]).map_or(text.len(), |at| range.end + at + 1);
    if text[start..range.start].trim_ascii().is_empty() && text[range.end..end].trim_ascii().is_empty() {
        return start..end;
    }
    let has_spaces =
        text[..range.start].ends_with(b" ") && text[range.end..].first().is_none_or(u8::is_ascii_whitespace);
    range.start - usize::from(has_spaces)..range.end
}

/// Returns the range to remove for a comment in a source. In Markdown, a line of its own may separate paragraphs, so that
/// it must be next to a blank line.
fn removed_from_source(text: &[u8], comment: Range<usize>) -> Option<Range<usize>> {
    let range = whole_line(text, comment.clone());
    let is_line = range.end > comment.end || range.end == text.len();
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let is_apart = [&b"\n\n"[..], b"\n\r\n"].iter().any(|blank| before.ends_with(blank))
        || [&b"\n"[..], b"\r\n"].iter().any(|blank| after.starts_with(blank))
        || before.is_empty()
        || after.is_empty();
    (!is_line || is_apart).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::{Format, MarkupEdit, attribute_edit, charset_edit, commented_ignores, removal};
    use crate::parse::start_tag;

    #[track_caller]
    fn edited(text: &str, edit: Option<MarkupEdit>, expected: &str) {
        let edit = edit
            .map(|MarkupEdit { range, new, .. }| [&text[..range.start], &new, &text[range.end..]].concat());
        assert_eq!(edit.as_deref().unwrap_or(""), expected, "{text}");
    }

    #[test]
    fn adds_attributes_and_words_in_the_style_of_the_tag() {
        for (tag, is_list, expected) in [
            ("<a href='x'>", true, "<a href='x' rel='no'>"),
            ("<a href=x >", false, "<a href=x rel=\"no\" >"),
            ("<a rel=x>", true, "<a rel=\"x no\">"),
            ("<a rel='x ' b>", true, "<a rel='x no' b>"),
            ("<a rel=\"\">", true, "<a rel=\"no\">"),
            ("<a rel b>", true, "<a rel=\"no\" b>"),
            ("<A REL=x/>", true, "<A REL=\"x/ no\">"),
            ("<img/>", false, "<img rel=\"no\"/>"),
            ("<a rel=x>", false, ""),
        ] {
            let bytes = tag.as_bytes();
            let edit = start_tag(bytes).and_then(|found| attribute_edit(bytes, &found, "rel", "no", is_list));
            edited(tag, edit.map(|(range, new)| MarkupEdit { anchor: 0..0, range, new }), expected);
        }
    }

    #[test]
    fn declares_the_encoding_on_a_line_of_its_own() {
        for (text, expected) in [
            ("<html><head><title>é", "<html><head><meta charset=\"utf-8\"><title>é"),
            ("<head>\r\n\t<title>", "<head>\r\n\t<meta charset=\"utf-8\">\r\n\t<title>"),
            ("<head>\n\n  <title>", "<head>\n  <meta charset=\"utf-8\">\n\n  <title>"),
            ("<title>x</title>", ""),
        ] {
            edited(text, charset_edit(text.as_bytes()), expected);
        }
        assert_eq!(charset_edit(b"<head>\xFF"), None);
    }

    #[test]
    fn removes_ignores() {
        let remove = |format, text: &str, gone: &[&str]| {
            let removed = gone.iter().filter_map(|id| text.find(id)).collect();
            let first = text.find(gone[0])?;
            let found = commented_ignores(format, text.as_bytes());
            let id = first..first + gone[0].len();
            removal(text.as_bytes(), &found, (&id, &removed))
        };
        for (text, gone, expected) in [
            ("<p>\r\n <!-- sitegate-ignore aa: b -->\r\n<i>", &["aa"][..], "<p>\r\n<i>"),
            ("<p>x <!-- sitegate-ignore aa: b -->\n<i>", &["aa"], "<p>x\n<i>"),
            ("<!-- sitegate-ignore aa, bb cc: d --><i>", &["bb"], "<!-- sitegate-ignore aa, cc: d --><i>"),
            ("<!-- sitegate-ignore-file aa bb: d -->", &["aa"], "<!-- sitegate-ignore-file bb: d -->"),
            ("<i><!-- sitegate-ignore aa bb: d --></i>", &["aa", "bb"], "<i></i>"),
            ("<p data-sitegate-ignore='aa: x'>", &["aa"], ""),
        ] {
            edited(text, remove(Format::Html, text, gone), expected);
        }
        let css = "a{}\n/* sitegate-ignore aa: b */\nb{}";
        edited(css, remove(Format::Css, css, &["aa"]), "a{}\nb{}");
    }
}
