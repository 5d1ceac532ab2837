//! Where a finding is, from what was noted of it or from its document.

use crate::contract::Contract;
use crate::report::cause_resolver::CauseResolver;
use crate::report::excerpt::Snippet;
use crate::report::finding_reader::FindingReader;
use crate::report::result::CheckResult;
use crate::report::stages::RatedFinding;

/// What is known of the place of a finding.
pub(super) struct Located {
    /// Line and column where it begins, and where it ends.
    pub position: [(u32, u32); 2],
    /// The reference that it is about.
    pub url: Option<String>,
    /// What it is about, if that is not its message.
    pub thing: Option<Box<str>>,
    pub snippet: Option<Snippet>,
    pub is_utf16: bool,
}

impl Located {
    /// The name of the finding's cause.
    pub fn cause_name<'n>(&'n self, found: &'n RatedFinding) -> &'n str {
        found.raw.cause_name(self.thing.as_deref())
    }
}

/// Locates findings, one document at a time.
pub(super) struct Locator<'r> {
    sources: FindingReader<'r>,
    targets: CauseResolver<'r>,
}

impl<'r> Locator<'r> {
    pub fn new(result: &'r CheckResult, contract: &'r Contract) -> Self {
        Locator { sources: FindingReader::new(result, contract), targets: CauseResolver::new(result) }
    }

    /// Locates a finding; its snippet is made apart.
    pub fn locate(&mut self, found: &RatedFinding) -> Located {
        let start = self.sources.position(found);
        let is_in_text = !found.raw.location.span.is_empty();
        let end = if is_in_text { self.sources.end(found) } else { start.clone() };
        Located {
            position: [start, end].map(|at| (at.line as u32, at.column as u32)),
            url: self.sources.reference(found),
            thing: self.targets.of(found, &mut self.sources).map(std::convert::Into::into),
            snippet: None,
            is_utf16: is_in_text && !self.sources.is_verbatim(found),
        }
    }

    /// The line that a finding begins on.
    pub fn snippet(&mut self, found: &RatedFinding) -> Option<Snippet> {
        if let Some(context) = &found.context {
            Some(context.snippet.clone())
        } else {
            let excerpt = self.sources.excerpt(found)?;
            let marked = self.sources.marked(found).filter(|_| !found.raw.is_reference);
            Some(excerpt.snippet(marked.as_deref()))
        }
    }
}
