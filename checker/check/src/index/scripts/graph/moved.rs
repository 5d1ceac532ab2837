//! Finds files of a folder that scripts may move at run time.

use super::Graph;
use super::script_files::is_hashed_name;
use crate::resolve::Target;
use sitegate_address::{SitePath, UrlReference};
use sitegate_script::{RelativeTo, ScriptLoad};

impl Graph<'_> {
    /// Returns a load of a missing file from the folder that has it, if scripts may move the folder at run time. The
    /// file is the only one with its name, which has a content hash.
    pub(super) fn moved_load(&self, load: &ScriptLoad, target: Target) -> Option<(ScriptLoad, Target)> {
        if load.relative_to != RelativeTo::MovablePath || !matches!(target, Target::Missing(_)) {
            return None;
        }
        let path = UrlReference::new(&*load.address).path();
        let [file] = self.site.files_named(SitePath::new(path).name())[..] else { return None };
        if !is_hashed_name(path.as_bytes()) {
            return None;
        }
        let address = self.site.resolver.address(&self.site.tree.display(file));
        let load = ScriptLoad { address: address.into(), relative_to: RelativeTo::Document, ..load.clone() };
        let found = self.resolve(&load, &self.site.resolver.root(), &load.address);
        Some((load, found))
    }
}
