//! Aligns two sequences by the elements that both have once (patience), in near linear time.
//!
//! Crates for diffs take quadratic time for sequences without common elements; pages are not trusted.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use foldhash::fast::FixedState;

/// Maximum product of lengths for an exact comparison.
const EXACT: usize = 20_000;

/// Maximum nesting; deeper parts are compared as a whole.
const MAX_DEPTH: usize = 50;

/// Parts of two sequences that differ, between common elements.
pub(crate) type Gap = (Range<usize>, Range<usize>);

/// Returns the parts that differ, in order.
pub(crate) fn gaps<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Gap> {
    let mut gaps = Vec::new();
    align(old, new, (0..old.len(), 0..new.len()), 0, &mut gaps);
    // Exact comparisons leave gaps next to each other.
    let mut joined: Vec<Gap> = Vec::new();
    for (a, b) in gaps {
        match joined.last_mut() {
            Some((before_a, before_b)) if before_a.end == a.start && before_b.end == b.start => {
                (before_a.end, before_b.end) = (a.end, b.end);
            }
            _ => joined.push((a, b)),
        }
    }
    joined
}

fn align<T: Eq + Hash>(old: &[T], new: &[T], (mut a, mut b): Gap, depth: usize, gaps: &mut Vec<Gap>) {
    while !a.is_empty() && !b.is_empty() && old[a.start] == new[b.start] {
        (a.start, b.start) = (a.start + 1, b.start + 1);
    }
    while !a.is_empty() && !b.is_empty() && old[a.end - 1] == new[b.end - 1] {
        (a.end, b.end) = (a.end - 1, b.end - 1);
    }
    if a.is_empty() && b.is_empty() {
        return;
    }
    if a.is_empty() || b.is_empty() || depth == MAX_DEPTH {
        gaps.push((a, b));
        return;
    }
    let anchors = anchors(&old[a.clone()], &new[b.clone()]);
    if anchors.is_empty() {
        if a.len() * b.len() <= EXACT {
            exact(old, new, (a, b), gaps);
        } else {
            gaps.push((a, b));
        }
        return;
    }
    let (mut from_a, mut from_b) = (a.start, b.start);
    for (at_a, at_b) in anchors {
        let (at_a, at_b) = (a.start + at_a, b.start + at_b);
        align(old, new, (from_a..at_a, from_b..at_b), depth + 1, gaps);
        (from_a, from_b) = (at_a + 1, at_b + 1);
    }
    align(old, new, (from_a..a.end, from_b..b.end), depth + 1, gaps);
}

/// Returns the longest sequence of elements that occur once in both, in the same order.
fn anchors<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    /// The positions of an element in both sequences: none, one, or several.
    type Places = [Option<Option<usize>>; 2];
    let mut places: HashMap<&T, Places, FixedState> = HashMap::default();
    for (side, sequence) in [old, new].into_iter().enumerate() {
        for (at, element) in sequence.iter().enumerate() {
            let place = &mut places.entry(element).or_default()[side];
            *place = if place.is_none() { Some(Some(at)) } else { Some(None) };
        }
    }
    let once = |element| match places.get(element)? {
        [Some(Some(a)), Some(Some(b))] => Some((*a, *b)),
        _ => None,
    };
    let pairs: Vec<(usize, usize)> = old.iter().filter_map(once).collect();
    increasing(&pairs)
}

/// Returns the longest subsequence whose second numbers increase.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut before = vec![None; pairs.len()];
    // The last pair of the best subsequence of each length.
    let mut ends: Vec<usize> = Vec::new();
    for (index, (_, b)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *b);
        before[index] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() { ends.push(index) } else { ends[length] = index }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        chain.push(pairs[index]);
        next = before[index];
    }
    chain.reverse();
    chain
}

/// Compares short parts exactly: by their longest common subsequence.
fn exact<T: Eq>(old: &[T], new: &[T], (a, b): Gap, gaps: &mut Vec<Gap>) {
    let (mut from_a, mut from_b) = (a.start, b.start);
    let mut add_gap = |gap: Gap| {
        if !gap.0.is_empty() || !gap.1.is_empty() {
            gaps.push(gap);
        }
    };
    let is_equal = |i: usize, j: usize| u32::from(old[a.start + i] == new[b.start + j]);
    for pair in best_pairs(a.len(), b.len(), is_equal) {
        if let (Some(i), Some(j)) = pair {
            let (at_a, at_b) = (a.start + i, b.start + j);
            add_gap((from_a..at_a, from_b..at_b));
            (from_a, from_b) = (at_a + 1, at_b + 1);
        }
    }
    add_gap((from_a..a.end, from_b..b.end));
}

/// Pairs the elements of two sequences, in order, so that the sum of the scores of pairs is highest; those with score 0 are
/// no pairs. Elements without a counterpart are alone.
pub(crate) fn best_pairs(
    old: usize,
    new: usize,
    score: impl Fn(usize, usize) -> u32,
) -> Vec<(Option<usize>, Option<usize>)> {
    let columns = new + 1;
    // The highest sum for the rest of both sequences, and the score of each pair.
    let mut best = vec![0_u32; (old + 1) * columns];
    let mut scores = vec![0_u32; old * new];
    for i in (0..old).rev() {
        for j in (0..new).rev() {
            let own = score(i, j);
            scores[i * new + j] = own;
            let together = if own == 0 { 0 } else { own + best[(i + 1) * columns + j + 1] };
            let apart = best[(i + 1) * columns + j].max(best[i * columns + j + 1]);
            best[i * columns + j] = together.max(apart);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old || j < new {
        let here = if i < old && j < new { scores[i * new + j] } else { 0 };
        if here > 0 && best[i * columns + j] == here + best[(i + 1) * columns + j + 1] {
            pairs.push((Some(i), Some(j)));
            (i, j) = (i + 1, j + 1);
        } else if j == new || i < old && best[(i + 1) * columns + j] >= best[i * columns + j + 1] {
            pairs.push((Some(i), None));
            i += 1;
        } else {
            pairs.push((None, Some(j)));
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::gaps;

    fn words(text: &str) -> Vec<&str> {
        text.split(' ').collect()
    }

    #[test]
    fn finds_the_parts_that_differ() {
        assert_eq!(gaps(&words("a b c d"), &words("a x c d")), [(1..2, 1..2)]);
        assert_eq!(gaps(&words("a b c"), &words("a b c")), []);
        assert_eq!(gaps(&words("a a a b"), &words("a a b")), [(2..3, 2..2)]);
        assert_eq!(
            gaps(&words("x - y - z"), &words("p - q - r")),
            [(0..1, 0..1), (2..3, 2..3), (4..5, 4..5)]
        );
        assert_eq!(gaps::<u8>(&[], &[1]), [(0..0, 0..1)]);
    }

    #[test]
    fn takes_near_linear_time() {
        let old: Vec<u32> = (0..400_000).map(|number| number % 2).collect();
        let new: Vec<u32> = (0..400_000).map(|number| 2 + number % 3).collect();
        assert_eq!(gaps(&old, &new), [(0..400_000, 0..400_000)]);
    }
}
