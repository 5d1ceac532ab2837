//! Notes what stands at the places of findings while their file is at hand: then nothing opens it again for the output.

use std::collections::HashSet;
use std::sync::Arc;

use crate::index::view::FileView;
use crate::parse::Format;
use crate::raw_finding::{Cause, DocumentId, RawFinding};
use crate::report::sources::Counted;
use crate::report::target::settled;

/// Findings whose places a worker notes: beyond, their files are read again, as are those of findings that only the
/// join makes.
const MAX_NOTED: usize = 1 << 12;

/// What a worker has noted.
#[derive(Default)]
pub(super) struct Notes {
    noted: usize,
    /// What findings are about; many are about the same.
    things: HashSet<Arc<str>>,
    buffer: Vec<u8>,
}

impl Notes {
    /// Notes the places of what was found in a text file, and settles what that is about.
    pub fn take(&mut self, view: &FileView<'_>, (source, is_utf16): (&[u8], bool), found: &mut [RawFinding]) {
        let is_text = view.site.format(view.file) != Format::Other;
        if found.is_empty() || !is_text || self.noted + found.len() > MAX_NOTED {
            return;
        }
        let mut order: Vec<&mut RawFinding> =
            found.iter_mut().filter(|found| found.location.place == DocumentId::File(view.file)).collect();
        order.sort_by_key(|found| found.location.span.start);
        let mut counted = Counted::default();
        for finding in order {
            let span = finding.location.span.start as usize..finding.location.span.end as usize;
            counted = counted.on_to(span.start, source);
            let Some(mut noted) = counted.note(span, source, finding.is_reference) else { continue };
            noted.is_utf16 = is_utf16;
            self.settle(finding, &noted.text, view);
            finding.noted = Some(Box::new(noted));
            self.noted += 1;
        }
    }

    fn settle(&mut self, finding: &mut RawFinding, text: &str, view: &FileView<'_>) {
        let is_open = match finding.cause {
            Cause::Target => finding.is_reference,
            Cause::Marked => true,
            _ => false,
        };
        if !is_open {
            return;
        }
        let site = view.site;
        // Elsewhere what is written as a base is not one of the document.
        let document = (site.format(view.file) != Format::Html).then(|| site.resolver.document(view.file));
        let base = document.as_ref().unwrap_or(view.base);
        let thing = settled(finding, text, base, site, &mut self.buffer).map(|thing| {
            self.things.get(thing.as_str()).cloned().unwrap_or_else(|| {
                let thing: Arc<str> = thing.into();
                self.things.insert(Arc::clone(&thing));
                thing
            })
        });
        finding.cause = Cause::Settled(thing);
    }
}
