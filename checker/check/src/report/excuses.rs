//! The exceptions that stand in pages: which findings they cover, and which of them cover none.

use std::collections::HashMap;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Place, RuleInfo};
use crate::walk::FileId;

/// One rule that one exception in a page is about.
pub(super) struct Excuse {
    pub file: FileId,
    pub rule: &'static RuleInfo,
    /// The bytes that it covers; `None` for the whole file.
    pub scope: Option<Range<u32>>,
    /// Where the rule is named.
    pub named: Range<u32>,
}

/// The excuses of all pages, ready to be asked for each finding.
#[derive(Default)]
pub(super) struct Excuses {
    all: Vec<Excuse>,
    groups: HashMap<(FileId, &'static str), ExcuseGroup>,
}

/// The excuses of one file from one rule.
#[derive(Default)]
struct ExcuseGroup {
    /// Those of the whole file.
    whole: Vec<usize>,
    /// The scopes of the others, by where they begin, and the furthest end of any that begins there or before.
    scopes: Vec<(u32, u32, usize)>,
    furthest: Vec<u32>,
    /// The findings that were met, and whether there was any.
    met: Vec<(u32, u32)>,
    is_met: bool,
}

impl Excuses {
    pub fn new(all: Vec<Excuse>) -> Excuses {
        let mut groups: HashMap<(FileId, &'static str), ExcuseGroup> = HashMap::new();
        for (index, excuse) in all.iter().enumerate() {
            let group = groups.entry((excuse.file, excuse.rule.id)).or_default();
            match &excuse.scope {
                None => group.whole.push(index),
                Some(scope) => group.scopes.push((scope.start, scope.end.max(scope.start), index)),
            }
        }
        for group in groups.values_mut() {
            group.scopes.sort_unstable();
            let mut furthest = 0;
            group.furthest.extend(group.scopes.iter().map(|(_, end, _)| {
                furthest = furthest.max(*end);
                furthest
            }));
        }
        Excuses { all, groups }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether a finding is excused.
    pub fn cover(&mut self, diagnostic: &Diagnostic) -> bool {
        let Place::File(file) = diagnostic.location.place else { return false };
        let Some(group) = self.groups.get_mut(&(file, diagnostic.rule.id)) else { return false };
        let Range { start, end } = diagnostic.location.span;
        group.is_met = true;
        if start == end {
            return !group.whole.is_empty();
        }
        group.met.push((start, end));
        let before = group.scopes.partition_point(|(from, ..)| *from <= start);
        !group.whole.is_empty() || (before > 0 && group.furthest[before - 1] >= end)
    }

    /// Those that cover no finding that was met, in the order of places.
    pub fn unused(mut self) -> Vec<Excuse> {
        let mut is_used = vec![false; self.all.len()];
        for group in self.groups.values_mut() {
            group.whole.iter().for_each(|&index| is_used[index] = group.is_met);
            group.met.sort_unstable();
            // From the last on: the end that comes first of all findings that begin in a scope or behind it.
            let mut first_end = u32::MAX;
            for &(from, to, index) in group.scopes.iter().rev() {
                while let Some((_, end)) = group.met.pop_if(|(start, _)| *start >= from) {
                    first_end = first_end.min(end);
                }
                is_used[index] = first_end <= to;
            }
        }
        let mut unused: Vec<Excuse> = self
            .all
            .into_iter()
            .zip(is_used)
            .filter(|(_, is_used)| !is_used)
            .map(|(excuse, _)| excuse)
            .collect();
        unused.sort_by_key(|excuse| (excuse.file, excuse.scope.as_ref().map_or(0, |scope| scope.start)));
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::{Excuse, Excuses};
    use crate::diagnostic::{Diagnostic, Location};
    use crate::rules::unused_exception::INFO;

    proptest::proptest! {
        #[test]
        fn they_cover_what_lies_in_them(
            scopes in proptest::collection::vec(proptest::option::of((0u32..9, 0u32..9)), 0..8),
            spans in proptest::collection::vec((0u32..9, 0u32..4), 0..8),
        ) {
            let covers = |scope: &Option<(u32, u32)>, (start, length): (u32, u32)| {
                scope.is_none_or(|(from, to)| length > 0 && from <= start && start + length <= to.max(from))
            };
            let excuse = |scope: &Option<(u32, u32)>| {
                let scope = scope.map(|(from, to)| from..to);
                Excuse { file: 0, rule: &INFO, scope, named: 0..0 }
            };
            let mut excuses = Excuses::new(scopes.iter().map(excuse).collect());
            for &(start, length) in &spans {
                let found = Diagnostic::new(&INFO, Location::in_file(0, start..start + length), "");
                let expected = scopes.iter().any(|scope| covers(scope, (start, length)));
                proptest::prop_assert_eq!(excuses.cover(&found), expected);
            }
            let unused = scopes.iter().filter(|scope| !spans.iter().any(|span| covers(scope, *span))).count();
            proptest::prop_assert_eq!(excuses.unused().len(), unused);
        }
    }
}
