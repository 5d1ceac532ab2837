//! Finds the first line of a redirects file that matches a path, in a time that does not grow with the number of
//! lines.

use std::collections::HashMap;

/// Maximum number of tree nodes that one path may match. If lines overlap more than this, some lines are dropped.
const MAX_OVERLAP: usize = 1_000;

/// An index of redirect lines by their source paths. Lines are numbered in order.
#[derive(Clone, Debug, Default)]
pub(super) struct RedirectIndex {
    /// Lines without a pattern, by their segments joined with `/`; the first line wins.
    plain: HashMap<Box<str>, u32>,
    /// The same for strict lines, by their whole sources.
    strict: HashMap<Box<str>, u32>,
    /// A tree of patterns by segment. The first node is the root.
    patterns: Vec<PatternNode>,
}

/// The continuations after some segments.
#[derive(Clone, Debug, Default)]
struct PatternNode {
    named: HashMap<Box<str>, u32>,
    /// The child for any segment, from `:name`.
    any: Option<u32>,
    /// The first line that ends here.
    end: Option<u32>,
    /// The first strict line that ends here, without and with a `/`.
    strict_end: [Option<u32>; 2],
    /// The first line that continues with `*`.
    splat: Option<u32>,
}

/// Splits a path or pattern into segments; empty ones do not count.
pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// Returns a path without empty segments: redirects match with and without a `/` at the end.
pub fn redirect_key(path: &str) -> String {
    segments(path).collect::<Vec<_>>().join("/")
}

/// Whether a segment of a pattern is a placeholder.
fn is_placeholder(segment: &str) -> bool {
    segment == "*" || segment.starts_with(':')
}

impl RedirectIndex {
    /// Indexes lines by their source paths, each with whether it is strict about the `/` at the end; `None` is a line that is not found. Returns how many were indexed: all,
    /// unless too many match the same paths.
    pub fn new<'l>(lines: &(impl Iterator<Item = Option<(&'l str, bool)>> + Clone)) -> (Self, usize) {
        let count = lines.clone().count();
        let mut indexed = count;
        loop {
            let mut index = RedirectIndex { patterns: vec![PatternNode::default()], ..Self::default() };
            for (at, from) in lines.clone().take(indexed).enumerate() {
                if let Some((from, is_strict)) = from {
                    index.add(from, is_strict, at as u32);
                }
            }
            // Each step halves the lines, so all steps together take no longer than twice the first.
            if index.overlap() <= MAX_OVERLAP {
                return (index, indexed);
            }
            indexed /= 2;
        }
    }

    fn add(&mut self, from: &str, is_strict: bool, line: u32) {
        if !segments(from).any(is_placeholder) {
            if is_strict {
                self.strict.entry(from.into()).or_insert(line);
                return;
            }
            self.plain.entry(redirect_key(from).into()).or_insert(line);
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
        let node = &mut self.patterns[at];
        let end =
            if is_strict { &mut node.strict_end[usize::from(from.ends_with('/'))] } else { &mut node.end };
        end.get_or_insert(line);
    }

    /// Returns the maximum number of nodes that one path may match.
    fn overlap(&self) -> usize {
        let mut overlap = vec![1usize; self.patterns.len()];
        // Children come after their parents.
        for (at, node) in self.patterns.iter().enumerate().rev() {
            let overlap_of = |child: &u32| overlap[*child as usize];
            let named = node.named.values().map(overlap_of).max().unwrap_or(0);
            // A chain without branches is no overlap.
            overlap[at] = match node.any.as_ref().map_or(0, overlap_of) {
                0 => named.max(1),
                any => any + named,
            };
        }
        overlap.first().copied().unwrap_or(0)
    }

    /// Returns the first line that matches a path.
    pub fn first(&self, path: &str) -> Option<u32> {
        let plain = self.plain.get(redirect_key(path).as_str()).copied();
        let segments: Vec<&str> = segments(path).collect();
        let strict = self.strict.get(path).copied();
        let mut first = plain.into_iter().chain(strict).min().unwrap_or(u32::MAX);
        let mut pending = vec![(0usize, 0usize)];
        while let Some((at, depth)) = pending.pop() {
            let Some(node) = self.patterns.get(at) else { continue };
            first = first.min(node.splat.unwrap_or(u32::MAX));
            match segments.get(depth) {
                None => {
                    let end = node.strict_end[usize::from(path.ends_with('/'))];
                    first = node.end.into_iter().chain(end).fold(first, u32::min);
                }
                Some(segment) => {
                    let next = node.any.iter().chain(node.named.get(*segment));
                    pending.extend(next.map(|child| (*child as usize, depth + 1)));
                }
            }
        }
        (first != u32::MAX).then_some(first)
    }
}
