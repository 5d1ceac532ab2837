//! Represents the site that gets redirects, as the next build makes it, the file that has them, and the result of an edit:
//! the new text, the changes, the refusals, and the errors.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use serde::Serialize;
use sitegate_host::redirects::{Redirects, RedirectsError, redirect_key};
use sitegate_host::{Host, REDIRECTS_FILE};

use crate::contract::{Contract, ContractError, Permissions, SiteSettings};
use crate::deployment::Deployment;
use crate::redirect_proposals::RedirectProposal;
use crate::resolve::{Resolver, Target};
use crate::walk::{StoredFile, Tree};

/// The file that gets redirects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectsFile {
    /// The source of the `_redirects` file of the export. It supports patterns.
    Lines(PathBuf),
    /// The contract, with `[[redirects]]`.
    Contract(PathBuf),
    /// The `netlify.toml` that the contract names, with `[[redirects]]`. It supports patterns.
    Netlify(PathBuf),
    /// A configuration file that is only read: entries to add are shown.
    ReadOnly(PathBuf, Host),
}

/// The site that gets redirects.
#[derive(Clone, Debug)]
pub struct RedirectSite {
    /// The present export.
    pub(super) export: Arc<Tree>,
    /// The files of the next one.
    pub(super) tree: Arc<Tree>,
    /// The deployment, with inferred settings.
    pub(super) settings: SiteSettings,
}

impl RedirectSite {
    /// Creates the site of an export.
    ///
    /// # Errors
    /// If the export cannot be listed.
    pub fn of_export(root: &Path, contract: &Contract) -> io::Result<RedirectSite> {
        let export = Arc::new(Tree::walk(root)?);
        let settings = Deployment::infer(&export, contract).settings;
        Ok(RedirectSite { tree: Arc::clone(&export), export, settings })
    }

    /// Returns the site after pages have moved: paths in the export, and the new ones.
    #[must_use]
    pub fn with_moved(self, pages: &[(String, String)]) -> RedirectSite {
        let moved: BTreeMap<&[u8], &[u8]> =
            pages.iter().map(|(from, to)| (from.as_bytes(), to.as_bytes())).collect();
        let files = self.export.ids().map(|file| {
            let path = self.export.path(file);
            let stored = StoredFile { file: self.export.disk_path(file), is_whole: true };
            (moved.get(path).copied().unwrap_or(path).into(), stored)
        });
        let tree = Tree::fetched(&self.export.root().to_string_lossy(), files.collect());
        RedirectSite { tree: tree.into(), ..self }
    }

    /// Returns the host, if it is known.
    pub fn host(&self) -> Option<Host> {
        self.settings.host
    }

    /// Returns a decoded address from the root of the export: redirected addresses begin there. Destinations are for
    /// browsers, and have the base path.
    pub(super) fn below_root(&self, address: &str) -> String {
        match address.strip_prefix(self.base_path()) {
            Some(rest) => format!("/{rest}"),
            None => address.to_owned(),
        }
    }

    /// Returns the key of a decoded address.
    pub(super) fn key(&self, address: &str) -> String {
        redirect_key(&self.below_root(address))
    }

    /// Whether a file answers an encoded address, if no redirect hides it.
    pub(super) fn has_file(&self, address: &str) -> bool {
        let resolver = Resolver::new(&self.tree, &self.settings, Arc::default());
        matches!(resolver.resolve(&resolver.root(), address, &mut Vec::new()), Target::File { .. })
    }

    /// Returns the base path, which addresses begin with.
    pub(super) fn base_path(&self) -> &str {
        &self.settings.base_path
    }

    /// Returns the redirects of the site, with a new text of a file.
    pub(super) fn redirects(
        &self,
        contract: &Contract,
        permissions: &Permissions,
        new: Option<(&RedirectsFile, &str)>,
    ) -> Result<Redirects, RedirectEditError> {
        let read = |name: &str| {
            let of_export = || self.export.find(name.as_bytes()).map(|file| self.export.disk_path(file));
            match new {
                Some((RedirectsFile::Lines(_), text)) if name == REDIRECTS_FILE => Some(Ok(text.into())),
                _ => of_export().map(fs::read),
            }
        };
        let named = contract.host_config.as_ref();
        let named = named.map(|named| match new {
            Some((RedirectsFile::Netlify(_), text)) => (named, text.as_bytes()),
            _ => (named, named.content.as_slice()),
        });
        let edited = match new {
            Some((RedirectsFile::Contract(path), text)) if text != contract.source => {
                Some(Contract::from_text(path, text.to_owned(), permissions)?)
            }
            _ => None,
        };
        let moved = edited.as_ref().unwrap_or(contract).redirects.as_slice();
        Ok(Redirects::of_files(read, self.host(), named, moved)?)
    }
}

/// The new text of a file, and what has changed in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedirectEdit {
    /// The text of the file.
    pub text: String,
    /// Number of entries that were added.
    pub added: usize,
    /// Entries that were changed or removed.
    pub changed: Vec<ChangedRedirect>,
    /// Redirects that cannot be added.
    pub refused: Vec<RefusedRedirect>,
}

/// An entry that was changed or removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangedRedirect {
    /// Its source path.
    pub from: String,
    /// Its destination before.
    pub was: String,
    /// Its destination now; `None` if it was removed, because a page has its address.
    pub to: Option<String>,
}

/// A redirect that cannot be added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedRedirect {
    /// The address that stays lost.
    pub from: String,
    /// The destination that it should have.
    pub to: String,
    /// Why, as a part of a sentence.
    pub reason: String,
}

impl RefusedRedirect {
    pub(super) fn new(redirect: &RedirectProposal, reason: impl Into<String>) -> RefusedRedirect {
        RefusedRedirect { from: redirect.from.clone(), to: redirect.to.clone(), reason: reason.into() }
    }
}

/// No redirect can be proved.
#[derive(Debug, thiserror::Error)]
pub enum RedirectEditError {
    /// The contract would not be valid.
    #[error(transparent)]
    Contract(#[from] ContractError),
    /// The redirects of the site cannot be read.
    #[error(transparent)]
    Redirects(#[from] RedirectsError),
}
