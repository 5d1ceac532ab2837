//! Follows loads that scripts of one bundle state for each other.

use super::Graph;
use super::steps::Steps;
use sitegate_script::{BundledScript, loads_of_bundles};

impl Graph<'_> {
    /// Follows these loads. `is_all` adds those that are stated only when there are no others.
    pub(super) fn follow_bundles(&mut self, is_all: bool) {
        // Each round, more of the bundle is known.
        if !self.steps.spend(Steps::BUNDLED * self.sources.len()) {
            return;
        }
        let mut known = Vec::new();
        let mut scripts = Vec::new();
        for (index, source) in self.sources.iter().enumerate() {
            if let Some(script) = source.script.clone().filter(|script| script.is_in_bundle()) {
                known.push(index as u32);
                let path = source.base.path().to_owned();
                scripts.push(BundledScript { script, path, is_entry: source.is_entry });
            }
        }
        for (index, load) in loads_of_bundles(&scripts, is_all) {
            let source = known[index];
            if self.known_bundle_loads.insert((source, load.address.clone(), load.kind)) {
                for node in self.nodes_of.get(&source).cloned().unwrap_or_default() {
                    self.follow(node, &load);
                }
                self.sources[source as usize].bundle_loads.push(load);
            }
        }
    }
}
