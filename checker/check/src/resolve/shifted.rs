//! Finds addresses at which a page is served without a redirect, although its relative references resolve from another
//! folder there.

use sitegate_address::SitePath;

use super::{Base, Resolver, Target};
use crate::walk::FileId;

impl Resolver<'_> {
    /// Whether the site may have addresses at which relative references of pages resolve from another folder.
    pub(crate) fn may_shift(&self) -> bool {
        self.may_shift && self.live().is_none()
    }

    /// Returns the address (decoded, below the root) at which a client gets a file by a reference, if relative references
    /// of the file resolve from another folder there.
    pub(crate) fn shifted_address(&self, base: &Base, reference: &str, file: FileId) -> Option<Vec<u8>> {
        let own = self.own_folder(file);
        let is_shifted = |address: &[u8]| SitePath::new(address).folder_with_slash() != own;
        self.local_path(base, reference).filter(|path| is_shifted(path))?;
        let end = self.final_address(base, reference)?;
        let is_served = matches!(end.target, Target::File { file: served, .. } if served == file);
        let below = end.path.as_bytes().strip_prefix(b"/")?.strip_prefix(self.base_path.as_slice())?;
        (is_served && is_shifted(below)).then(|| below.to_vec())
    }

    /// Returns the address of a page with a `/` more or less than usual, if the host serves it there.
    pub(crate) fn address_with_other_slash(&self, file: FileId) -> Option<Vec<u8>> {
        let address = self.host.address_with_other_slash(self.tree.path(file))?;
        let walk = self.walk_redirects(address.clone(), 0, self.tree);
        let is_served = matches!(walk.end, Target::File { file: served, .. } if served == file);
        (walk.hops.is_empty() && is_served).then_some(address)
    }

    /// Whether an address (decoded, below the root) is that of a page with a `/` more or less than usual.
    pub(crate) fn has_other_slash(&self, page: FileId, address: &[u8]) -> bool {
        self.address_with_other_slash(page).is_some_and(|other| other == address)
    }

    /// Whether a rewrite may serve a file at addresses in other folders.
    pub(crate) fn may_be_rewritten_to(&self, file: FileId) -> bool {
        let path = self.tree.path(file);
        self.redirects.all.iter().any(|line| line.may_serve(path))
    }

    /// Returns an address below the root as a base of references.
    pub(crate) fn base_at(&self, address: &[u8]) -> Base {
        Base::from_path([self.base_path.as_slice(), address].concat(), &self.site_url)
    }

    /// Returns an address below the root as messages show it.
    pub(crate) fn shown_address(&self, address: &[u8]) -> String {
        self.shown(address)
    }

    /// Returns the folder that a file's references are relative to, with its `/`.
    fn own_folder(&self, file: FileId) -> &[u8] {
        let path = SitePath::new(self.tree.path(file)).without_index();
        let bare = path.strip_suffix(b"/").filter(|_| self.strip_slash);
        SitePath::new(bare.unwrap_or(path)).folder_with_slash()
    }
}
