//! Orders scripts for publishing: files that a script loads come before the script.

use std::collections::{BTreeMap, HashSet};

use crate::walk::FileId;

/// Returns the length of the longest load chain below each file. A cycle is cut where it closes.
pub(super) fn depths(edges: &HashSet<(FileId, FileId)>) -> Vec<(FileId, u32)> {
    let mut targets: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
    for &(file, target) in edges {
        targets.entry(file).or_default().push(target);
        targets.entry(target).or_default();
    }
    for targets_of_file in targets.values_mut() {
        targets_of_file.sort_unstable();
    }
    let mut depths: BTreeMap<FileId, u32> = BTreeMap::new();
    for &start in targets.keys() {
        if depths.contains_key(&start) {
            continue;
        }
        // Files on the current path, and how many of their targets were visited.
        let mut path = vec![(start, 0)];
        let mut is_on_path = HashSet::from([start]);
        while let Some((file, visited)) = path.last_mut() {
            let file = *file;
            if let Some(&target) = targets[&file].get(*visited) {
                *visited += 1;
                if !depths.contains_key(&target) && is_on_path.insert(target) {
                    path.push((target, 0));
                }
            } else {
                let below = targets[&file].iter().filter_map(|target| depths.get(target)).max();
                depths.insert(file, below.map_or(0, |depth| depth + 1));
                path.pop();
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
    fn a_loaded_file_is_less_deep_than_its_loader() {
        let edges = HashSet::from([(1, 2), (1, 3), (2, 3), (4, 4)]);
        assert_eq!(depths(&edges), [(1, 2), (2, 1), (3, 0), (4, 0)]);
    }

    #[test]
    fn ends_at_a_cycle() {
        let depths = depths(&HashSet::from([(1, 2), (2, 3), (3, 1), (3, 9)]));
        assert_eq!(depths.len(), 4);
        assert_eq!(depths.last(), Some(&(9, 0)));
        assert!(depths[..3].iter().all(|(_, depth)| *depth > 0));
    }
}
