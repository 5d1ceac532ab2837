//! Collects the context of findings while their file is in memory, so that assembling the report does not read it
//! again.

use std::collections::HashSet;
use std::sync::Arc;

use crate::index::view::FileView;
use crate::parse::Format;
use crate::raw_finding::{Cause, DocumentId, RawFinding};
use crate::report::cause_resolver::resolve_in_memory;
use crate::report::excerpt::NEAR;
use crate::report::finding_reader::{TextPosition, line_around};
use crate::report::stages::{FindingContext, LocatedFinding};

/// Maximum number of findings whose context a worker keeps. For other findings, the file is read again for the report.
const MAX_CONTEXTS: usize = 1 << 12;

/// Locates the findings of one worker.
#[derive(Default)]
pub(super) struct FindingLocator {
    /// Number of contexts made so far.
    contexts: usize,
    /// Shared copies of causes, because many findings have the same cause.
    causes: HashSet<Arc<str>>,
    buffer: Vec<u8>,
}

impl FindingLocator {
    /// Adds context to the findings of a file. `source` is the file's text, if in memory, and whether the file is
    /// UTF-16.
    pub fn add_contexts<'f>(
        &'f mut self,
        view: &'f FileView<'_>,
        source: Option<(&'f [u8], bool)>,
        findings: impl Iterator<Item = RawFinding> + 'f,
    ) -> impl Iterator<Item = LocatedFinding> + 'f {
        let is_text = view.site.format(view.file) != Format::Other;
        let source = if is_text { source } else { None };
        let mut position = TextPosition::default();
        findings.map(move |raw| {
            let context = source.and_then(|source| self.context(view, source, &raw, &mut position));
            LocatedFinding { raw, context: context.map(Box::new) }
        })
    }

    /// Returns the context of a finding; `None` if its text is empty or longer than [`NEAR`], or if the file has to be
    /// read again for it.
    fn context(
        &mut self,
        view: &FileView<'_>,
        (source, is_utf16): (&[u8], bool),
        raw: &RawFinding,
        position: &mut TextPosition,
    ) -> Option<FindingContext> {
        if raw.location.document != DocumentId::File(view.file) || self.contexts == MAX_CONTEXTS {
            return None;
        }
        let span = raw.location.span.start as usize..raw.location.span.end as usize;
        let text = source.get(span.clone()).filter(|text| (1..=NEAR).contains(&text.len()))?;
        let text: Box<str> = String::from_utf8_lossy(text).into();
        *position = position.advance_to(span.start, source);
        let [start, end] = [*position, position.advance_to(span.end, source)]
            .map(TextPosition::position)
            .map(|at| (at.line as u32, at.column as u32));
        let marked = if raw.is_reference { None } else { Some(&*text) };
        let snippet = line_around(source, span)?.snippet(marked);
        let cause = self.cause(raw, &text, view);
        self.contexts += 1;
        Some(FindingContext { start, end, text, snippet, is_utf16, cause })
    }

    fn cause(&mut self, raw: &RawFinding, text: &str, view: &FileView<'_>) -> Option<Arc<str>> {
        let depends_on_text = match raw.cause {
            Cause::Target => raw.is_reference,
            Cause::Marked => true,
            _ => false,
        };
        if !depends_on_text {
            return None;
        }
        let site = view.site;
        // Only HTML has a base element.
        let document = (site.format(view.file) != Format::Html).then(|| site.resolver.document(view.file));
        let base = document.as_ref().unwrap_or(view.base);
        let cause = resolve_in_memory(raw, text, base, site, &mut self.buffer)?;
        Some(self.causes.get(cause.as_str()).cloned().unwrap_or_else(|| {
            let cause: Arc<str> = cause.into();
            self.causes.insert(Arc::clone(&cause));
            cause
        }))
    }
}
