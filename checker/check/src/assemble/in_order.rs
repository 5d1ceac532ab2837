//! Findings made ready by all threads and taken in their order, a bounded number at a time.

use std::ops::Range;

use rayon::prelude::*;

use crate::report::stages::RatedFinding;

/// Findings that a thread makes ready at a time, and more only where they are in one document.
const TOGETHER: usize = 64;

/// Findings of one document from which on they are made ready one by one, so that not all are in memory at once.
const MANY: usize = 1_024;

/// Makes `count` findings ready with `make`, and hands what it gives to `take`, in their order. A document is read once.
/// `start` gives what a thread makes them from.
pub(super) fn in_order<'r, S, R: Send>(
    count: usize,
    finding: impl Fn(usize) -> &'r RatedFinding,
    start: impl Fn() -> S + Sync + Send,
    make: impl Fn(&mut S, usize) -> R + Sync + Send,
    mut take: impl FnMut(R),
) {
    let end_of_document = |first: usize| {
        let place = &finding(first).raw.location.document;
        first + (first..count).take_while(|&other| finding(other).raw.location.document == *place).count()
    };
    let mut ready = 0;
    while ready < count {
        let documents = documents(ready..count, end_of_document);
        if documents.is_empty() {
            let (mut state, end) = (start(), end_of_document(ready));
            (ready..end).for_each(|finding| take(make(&mut state, finding)));
            ready = end;
            continue;
        }
        ready = documents.last().map_or(ready, |last| last.end);
        let made: Vec<Vec<R>> = documents
            .into_par_iter()
            .map_init(&start, |state, range| range.map(|finding| make(state, finding)).collect())
            .collect();
        made.into_iter().flatten().for_each(&mut take);
    }
}

/// What all threads make ready next, in parts that end with a document; nothing where the next document has many.
fn documents(findings: Range<usize>, end_of_document: impl Fn(usize) -> usize) -> Vec<Range<usize>> {
    let most = rayon::current_num_threads() * 4;
    let mut parts = Vec::with_capacity(most);
    let mut start = findings.start;
    while parts.len() < most && start < findings.end {
        let mut end = start;
        while end < findings.end && end - start < TOGETHER {
            let next = end_of_document(end);
            if next - end > MANY {
                break;
            }
            end = next;
        }
        if end == start {
            break;
        }
        parts.push(start..end);
        start = end;
    }
    parts
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{MANY, TOGETHER, in_order};
    use crate::raw_finding::{Location, RawFinding, Severity};
    use crate::report::stages::RatedFinding;
    use crate::rules::unused_ignore::INFO;

    #[test]
    fn all_come_in_order_and_few_are_ready_at_once() {
        let of_document = [1, MANY + 1, 70, 3, 4 * MANY, MANY, 0, 1, 1, 1];
        let documents = of_document.into_iter().enumerate();
        let found: Vec<RatedFinding> = documents
            .flat_map(|(file, count)| {
                let raw = RawFinding::new(&INFO, Location::in_file(file as u32, 0..0), "");
                std::iter::repeat_n(RatedFinding::new(raw.into(), Severity::Warn), count)
            })
            .collect();
        let (made, mut taken, mut most) = (AtomicUsize::new(0), Vec::new(), 0);
        let make = |(): &mut (), finding: usize| {
            made.fetch_add(1, Ordering::Relaxed);
            finding
        };
        in_order(
            found.len(),
            |finding| &found[finding],
            || (),
            make,
            |finding| {
                most = most.max(made.load(Ordering::Relaxed) - taken.len());
                taken.push(finding);
            },
        );
        assert_eq!(taken, (0..found.len()).collect::<Vec<_>>());
        assert!(most <= rayon::current_num_threads() * 4 * (TOGETHER + MANY), "{most}");
    }
}
