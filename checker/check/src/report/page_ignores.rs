//! Matches findings against the ignores in pages, and finds unused ignores.

use std::collections::HashMap;
use std::ops::Range;

use crate::raw_finding::{DocumentId, RawFinding, RuleInfo};
use crate::walk::FileId;

/// An ignore in a page, for one rule.
pub(super) struct PageIgnore {
    pub file: FileId,
    /// The rule; `None` for all rules that pages may ignore.
    pub rule: Option<&'static RuleInfo>,
    /// The range in bytes to which it applies; `None` for the whole file.
    pub scope: Option<Range<u32>>,
    /// The location of the rule's id.
    pub rule_span: Range<u32>,
    /// The reason given.
    pub reason: Box<str>,
}

/// The ignores of all pages, indexed by file and rule.
#[derive(Default)]
pub(super) struct PageIgnores {
    all: Vec<PageIgnore>,
    /// The ignores of all rules have the key `None`.
    groups: HashMap<(FileId, Option<&'static str>), IgnoreGroup>,
}

/// The ignores of one file for one rule, by index.
#[derive(Default)]
struct IgnoreGroup {
    /// Ignores for the whole file.
    whole: Vec<usize>,
    /// Start, end and index of the other ignores, sorted.
    scopes: Vec<(u32, u32, usize)>,
    /// For each scope, the maximum end of all scopes up to it, with the index of that ignore.
    furthest: Vec<(u32, usize)>,
    /// The spans of the findings so far, without empty ones.
    findings: Vec<(u32, u32)>,
    /// Whether there was any finding, also with an empty span.
    has_findings: bool,
}

impl PageIgnores {
    pub fn new(all: Vec<PageIgnore>) -> PageIgnores {
        let mut groups: HashMap<(FileId, Option<&'static str>), IgnoreGroup> = HashMap::new();
        for (index, ignore) in all.iter().enumerate() {
            let group = groups.entry((ignore.file, ignore.rule.map(|rule| rule.id))).or_default();
            match &ignore.scope {
                None => group.whole.push(index),
                Some(scope) => group.scopes.push((scope.start, scope.end.max(scope.start), index)),
            }
        }
        for group in groups.values_mut() {
            group.scopes.sort_unstable();
            let mut furthest = (0, 0);
            group.furthest.extend(group.scopes.iter().map(|(_, end, index)| {
                furthest = furthest.max((*end, *index));
                furthest
            }));
        }
        PageIgnores { all, groups }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns an ignore that applies to a finding. `is_ignorable` returns whether an ignore of all rules covers its rule.
    pub fn find(
        &mut self,
        finding: &RawFinding,
        is_ignorable: impl Fn(&RuleInfo) -> bool,
    ) -> Option<&PageIgnore> {
        let DocumentId::File(file) = finding.location.document else { return None };
        let own = self.find_in((file, Some(finding.rule.id)), finding);
        let index = own.or_else(|| {
            let for_all = self.find_in((file, None), finding);
            for_all.filter(|_| is_ignorable(finding.rule))
        });
        index.map(|index| &self.all[index])
    }

    /// Returns the index of an ignore in a group that applies to a finding.
    fn find_in(&mut self, group: (FileId, Option<&'static str>), finding: &RawFinding) -> Option<usize> {
        let group = self.groups.get_mut(&group)?;
        let whole = group.whole.first().copied();
        let Range { start, end } = finding.location.span;
        group.has_findings = true;
        if start == end {
            return whole;
        }
        group.findings.push((start, end));
        let before = group.scopes.partition_point(|(from, ..)| *from <= start);
        let furthest = before.checked_sub(1).map(|at| group.furthest[at]);
        let covers = furthest.filter(|(to, _)| *to >= end).map(|(_, index)| index);
        covers.or(whole)
    }

    /// Returns the ignores that applied to no finding, in the order of their locations.
    pub fn unused(mut self) -> Vec<PageIgnore> {
        let mut is_used = vec![false; self.all.len()];
        for group in self.groups.values_mut() {
            group.whole.iter().for_each(|&index| is_used[index] = group.has_findings);
            group.findings.sort_unstable();
            // From the last scope to the first: the smallest end of all findings that begin at or after its start.
            let mut first_end = u32::MAX;
            for &(from, to, index) in group.scopes.iter().rev() {
                while let Some((_, end)) = group.findings.pop_if(|(start, _)| *start >= from) {
                    first_end = first_end.min(end);
                }
                is_used[index] = first_end <= to;
            }
        }
        let mut unused: Vec<PageIgnore> = self
            .all
            .into_iter()
            .zip(is_used)
            .filter(|(_, is_used)| !is_used)
            .map(|(ignore, _)| ignore)
            .collect();
        unused.sort_by_key(|ignore| (ignore.file, ignore.scope.as_ref().map_or(0, |scope| scope.start)));
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::{PageIgnore, PageIgnores};
    use crate::raw_finding::{Location, RawFinding};
    use crate::rules::unused_ignore::INFO;

    proptest::proptest! {
        #[test]
        fn finds_ignores_by_scope(
            scopes in proptest::collection::vec(proptest::option::of((0u32..9, 0u32..9)), 0..8),
            spans in proptest::collection::vec((0u32..9, 0u32..4), 0..8),
        ) {
            let covers = |scope: &Option<(u32, u32)>, (start, length): (u32, u32)| {
                scope.is_none_or(|(from, to)| length > 0 && from <= start && start + length <= to.max(from))
            };
            let ignore = |scope: &Option<(u32, u32)>| {
                let scope = scope.map(|(from, to)| from..to);
                PageIgnore { file: 0, rule: Some(&INFO), scope, rule_span: 0..0, reason: "x".into() }
            };
            let mut ignores = PageIgnores::new(scopes.iter().map(ignore).collect());
            for &(start, length) in &spans {
                let found = RawFinding::new(&INFO, Location::in_file(0, start..start + length), "");
                let expected = scopes.iter().any(|scope| covers(scope, (start, length)));
                proptest::prop_assert_eq!(ignores.find(&found, |_| true).is_some(), expected);
            }
            let unused = scopes.iter().filter(|scope| !spans.iter().any(|span| covers(scope, *span))).count();
            proptest::prop_assert_eq!(ignores.unused().len(), unused);
        }
    }
}
