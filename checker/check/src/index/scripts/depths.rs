//! In which order scripts can go live: what a script loads before the script.

use std::collections::{BTreeMap, HashSet};

use crate::walk::FileId;

/// How many steps what each file loads goes on. A circle is cut where it is met.
pub(super) fn depths(edges: &HashSet<(FileId, FileId)>) -> Vec<(FileId, u32)> {
    let mut targets: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
    for &(file, target) in edges {
        targets.entry(file).or_default().push(target);
        targets.entry(target).or_default();
    }
    targets.values_mut().for_each(|targets| targets.sort_unstable());
    let mut depths: BTreeMap<FileId, u32> = BTreeMap::new();
    for &start in targets.keys() {
        if depths.contains_key(&start) {
            continue;
        }
        // Each file on the way down, and how many of its targets were looked at.
        let mut way = vec![(start, 0)];
        let mut is_on_way = HashSet::from([start]);
        while let Some((file, looked)) = way.last_mut() {
            let file = *file;
            if let Some(&target) = targets[&file].get(*looked) {
                *looked += 1;
                if !depths.contains_key(&target) && is_on_way.insert(target) {
                    way.push((target, 0));
                }
            } else {
                let below = targets[&file].iter().filter_map(|target| depths.get(target)).max();
                depths.insert(file, below.map_or(0, |depth| depth + 1));
                way.pop();
            }
        }
    }
    depths.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::depths;

    #[test]
    fn what_is_loaded_is_less_deep_than_what_loads_it() {
        let edges = HashSet::from([(1, 2), (1, 3), (2, 3), (4, 4)]);
        assert_eq!(depths(&edges), [(1, 2), (2, 1), (3, 0), (4, 0)]);
    }

    #[test]
    fn a_circle_ends() {
        let depths = depths(&HashSet::from([(1, 2), (2, 3), (3, 1), (3, 9)]));
        assert_eq!(depths.len(), 4);
        assert_eq!(depths.last(), Some(&(9, 0)));
        assert!(depths[..3].iter().all(|(_, depth)| *depth > 0));
    }
}
