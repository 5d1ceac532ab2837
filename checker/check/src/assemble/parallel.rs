//! Prepares findings on all threads and consumes them in order, with a bounded number in memory.

use std::ops::Range;

use rayon::prelude::*;

use crate::raw_finding::RawFinding;

/// Number of findings that a thread prepares at a time. The findings of one document stay together, so it may be more.
const BATCH: usize = 64;

/// Maximum number of findings of one document that are prepared together. If it has more, they are prepared one by one.
const LARGE_DOCUMENT: usize = 1_024;

/// Prepares findings, by their index, with `prepare`, and passes the results to `consume` in order. The findings of one document
/// are prepared by one thread, with the state that `init` creates.
pub(super) fn for_each_in_order<S, R: Send>(
    findings: &[RawFinding],
    init: impl Fn() -> S + Sync + Send,
    prepare: impl Fn(&mut S, usize) -> R + Sync + Send,
    mut consume: impl FnMut(R),
) {
    let end_of_document = |first: usize| {
        let document = &findings[first].location.document;
        first + findings[first..].iter().take_while(|other| other.location.document == *document).count()
    };
    let (mut done, count) = (0, findings.len());
    while done < count {
        let batches = next_batches(done..count, end_of_document);
        if batches.is_empty() {
            let (mut state, end) = (init(), end_of_document(done));
            for at in done..end {
                consume(prepare(&mut state, at));
            }
            done = end;
            continue;
        }
        done = batches.last().map_or(done, |last| last.end);
        let prepared: Vec<Vec<R>> = batches
            .into_par_iter()
            .map_init(&init, |state, range| range.map(|at| prepare(state, at)).collect())
            .collect();
        prepared.into_iter().flatten().for_each(&mut consume);
    }
}

/// Returns the next batches for all threads; each ends with a document. Empty if the next document is a large one.
fn next_batches(findings: Range<usize>, end_of_document: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let max_batches = rayon::current_num_threads() * 4;
    let mut batches = Vec::with_capacity(max_batches);
    let mut start = findings.start;
    while batches.len() < max_batches && start < findings.end {
        let mut end = start;
        while end < findings.end && end - start < BATCH {
            let next = end_of_document(end);
            if next - end > LARGE_DOCUMENT {
                break;
            }
            end = next;
        }
        if end == start {
            break;
        }
        batches.push(start..end);
        start = end;
    }
    batches
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{BATCH, LARGE_DOCUMENT, for_each_in_order};
    use crate::raw_finding::{Location, RawFinding};
    use crate::rules::unused_ignore::INFO;

    #[test]
    fn consumes_in_order_with_few_prepared_at_once() {
        let counts = [1, LARGE_DOCUMENT + 1, 70, 3, 4 * LARGE_DOCUMENT, LARGE_DOCUMENT, 0, 1, 1, 1];
        let documents = counts.into_iter().enumerate();
        let found: Vec<RawFinding> = documents
            .flat_map(|(file, count)| {
                let raw = RawFinding::new(&INFO, Location::in_file(file as u32, 0..0), "");
                std::iter::repeat_n(raw, count)
            })
            .collect();
        let (prepared, mut consumed, mut most) = (AtomicUsize::new(0), Vec::new(), 0);
        let prepare = |(): &mut (), finding: usize| {
            prepared.fetch_add(1, Ordering::Relaxed);
            finding
        };
        for_each_in_order(
            &found,
            || (),
            prepare,
            |finding| {
                most = most.max(prepared.load(Ordering::Relaxed) - consumed.len());
                consumed.push(finding);
            },
        );
        assert_eq!(consumed, (0..found.len()).collect::<Vec<_>>());
        assert!(most <= rayon::current_num_threads() * 4 * (BATCH + LARGE_DOCUMENT), "{most}");
    }
}
