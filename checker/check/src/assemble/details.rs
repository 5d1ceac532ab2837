//! Reads the details of findings: position, reference, cause and snippet.
//!
//! They come from the context that the scan collected, or else from the document.

use crate::contract::Contract;
use crate::report::cause_resolver::CauseResolver;
use crate::report::excerpt::Snippet;
use crate::report::finding_reader::FindingReader;
use crate::report::result::CheckResult;
use crate::report::stages::RatedFinding;

/// The details of a finding.
pub(super) struct FindingDetails {
    /// Line and column of its start and of its end.
    pub position: [(u32, u32); 2],
    /// The reference that it is about.
    pub url: Option<String>,
    /// The thing that caused it, if the cause is not its message.
    pub thing: Option<Box<str>>,
    pub snippet: Option<Snippet>,
    pub is_utf16: bool,
}

impl FindingDetails {
    /// Returns the name of the finding's cause.
    pub fn cause_name<'n>(&'n self, found: &'n RatedFinding) -> &'n str {
        found.raw.cause_name(self.thing.as_deref())
    }
}

/// Reads the details of findings, one document at a time.
pub(super) struct DetailsReader<'r> {
    texts: FindingReader<'r>,
    causes: CauseResolver<'r>,
}

impl<'r> DetailsReader<'r> {
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        DetailsReader { texts: FindingReader::new(result, contract), causes: CauseResolver::new(result) }
    }

    /// Returns the details of a finding, without its snippet.
    pub fn read_details(&mut self, found: &RatedFinding) -> FindingDetails {
        let start = self.texts.position(found);
        let is_in_text = !found.raw.location.span.is_empty();
        let end = if is_in_text { self.texts.end(found) } else { start.clone() };
        FindingDetails {
            position: [start, end].map(|at| (at.line as u32, at.column as u32)),
            url: self.texts.reference(found),
            thing: self.causes.thing(found, &mut self.texts).map(std::convert::Into::into),
            snippet: None,
            is_utf16: is_in_text && !self.texts.is_verbatim(found),
        }
    }

    /// Returns the line that a finding begins on.
    pub fn snippet(&mut self, found: &RatedFinding) -> Option<Snippet> {
        if let Some(context) = &found.context {
            Some(context.snippet.clone())
        } else {
            let excerpt = self.texts.excerpt(found)?;
            let marked = if found.raw.is_reference { None } else { self.texts.marked(found) };
            Some(excerpt.snippet(marked.as_deref()))
        }
    }
}
