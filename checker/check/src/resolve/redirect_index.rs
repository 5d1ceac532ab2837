//! Finds the first line of a redirects file that applies to a path, in a time that does not grow with the number of lines.

use std::collections::HashMap;

/// Places that a path may lead to in the tree of patterns, at the most. Where lines overlap more than this, not all are looked at.
const MAX_OVERLAP: usize = 1_000;

/// The lines by what they apply to. A line is named by its place.
#[derive(Clone, Debug, Default)]
pub(super) struct RedirectIndex {
    /// Those without a pattern, by their segments, joined by `/`; of several the first.
    plain: HashMap<Box<str>, u32>,
    /// Those with one, segment by segment. The first node is the root.
    patterns: Vec<PatternNode>,
}

/// What may follow after some segments.
#[derive(Clone, Debug, Default)]
struct PatternNode {
    named: HashMap<Box<str>, u32>,
    /// Behind any segment, which stands for `:name`.
    any: Option<u32>,
    /// The first line that ends here.
    end: Option<u32>,
    /// The first line that goes on with `*`.
    splat: Option<u32>,
}

/// The segments of a path or a pattern: slashes in a row and at its ends make no difference.
pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

fn joined(path: &str) -> String {
    segments(path).collect::<Vec<_>>().join("/")
}

/// Whether a segment of a pattern stands for others.
fn is_open(segment: &str) -> bool {
    segment == "*" || segment.starts_with(':')
}

impl RedirectIndex {
    /// The index of lines, by the paths that they are for. Says how many of them were taken: all, unless too many apply to the same
    /// paths.
    pub fn new<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> (Self, usize) {
        let count = lines.clone().count();
        let mut taken = count;
        loop {
            let mut index = RedirectIndex { patterns: vec![PatternNode::default()], ..Self::default() };
            lines.clone().take(taken).enumerate().for_each(|(at, from)| index.add(from, at as u32));
            // With each step fewer lines are left, so that all steps together take no longer than the first two.
            if index.overlap() <= MAX_OVERLAP {
                return (index, taken);
            }
            taken /= 2;
        }
    }

    fn add(&mut self, from: &str, line: u32) {
        if !segments(from).any(is_open) {
            self.plain.entry(joined(from).into()).or_insert(line);
            return;
        }
        let mut at = 0;
        for segment in segments(from) {
            if segment == "*" {
                self.patterns[at].splat.get_or_insert(line);
                return;
            }
            let next = self.patterns.len() as u32;
            let node = &mut self.patterns[at];
            let child = match segment.strip_prefix(':') {
                Some(_) => *node.any.get_or_insert(next),
                None => *node.named.entry(segment.into()).or_insert(next),
            };
            if child == next {
                self.patterns.push(PatternNode::default());
            }
            at = child as usize;
        }
        self.patterns[at].end.get_or_insert(line);
    }

    /// How many nodes one path may lead to, at the most.
    fn overlap(&self) -> usize {
        let mut overlap = vec![1usize; self.patterns.len()];
        // Children come after their parents.
        for (at, node) in self.patterns.iter().enumerate().rev() {
            let of = |child: &u32| overlap[*child as usize];
            let named = node.named.values().map(of).max().unwrap_or(0);
            // A chain alone is no overlap.
            overlap[at] = match node.any.as_ref().map_or(0, of) {
                0 => named.max(1),
                any => any + named,
            };
        }
        overlap.first().copied().unwrap_or(0)
    }

    /// The first line that applies to a path.
    pub fn first(&self, path: &str) -> Option<u32> {
        let plain = self.plain.get(joined(path).as_str()).copied();
        let segments: Vec<&str> = segments(path).collect();
        let mut first = plain.unwrap_or(u32::MAX);
        let mut open = vec![(0usize, 0usize)];
        while let Some((at, depth)) = open.pop() {
            let Some(node) = self.patterns.get(at) else { continue };
            first = first.min(node.splat.unwrap_or(u32::MAX));
            match segments.get(depth) {
                None => first = first.min(node.end.unwrap_or(u32::MAX)),
                Some(segment) => {
                    let next = node.any.iter().chain(node.named.get(*segment));
                    open.extend(next.map(|child| (*child as usize, depth + 1)));
                }
            }
        }
        (first != u32::MAX).then_some(first)
    }
}
