//! What a rule is, and how it is made from its options.

use std::path::PathBuf;

use serde::de::DeserializeOwned;

use crate::contract::pattern::Paths;
use crate::diagnostic::{Diagnostic, RuleInfo};
use crate::index::{FileView, Index, PageView};

/// A rule in the registry: what is known of it, and how it is made.
pub struct Registered {
    /// What is known of it without running it.
    pub info: &'static RuleInfo,
    /// Makes it from its options.
    pub(crate) build: fn(toml::Table) -> Result<Box<dyn Rule>, String>,
}

/// A rule: it sees each page while its source is at hand, then the whole site.
pub trait Rule: Send + Sync {
    /// Looks at one page or style sheet.
    fn check_page(&self, _view: &PageView<'_>, _found: &mut Vec<Diagnostic>) {}
    /// Looks at what all pages have in common.
    fn check_site(&self, _index: &Index<'_>, _found: &mut Vec<Diagnostic>) {}
    /// The files whose bytes it must see, whatever they are.
    fn files(&self) -> Option<&Paths> {
        None
    }
    /// Looks at the bytes of one of [`Rule::files`].
    fn check_file(&self, _view: &FileView<'_>, _found: &mut Vec<Diagnostic>) {}
    /// What it needs to be kept of every page.
    fn keeps(&self) -> Keeps {
        Keeps::default()
    }
    /// Takes in what its options point to, once, when the contract is read. `folder` gives the folder that an
    /// option's paths are relative to.
    ///
    /// # Errors
    /// When that cannot be read, or the options contradict each other.
    fn load(&mut self, _folder: &dyn Fn(&str) -> PathBuf) -> Result<(), String> {
        Ok(())
    }
}

/// What is kept of every page only where a rule needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keeps {
    /// [`Index::loads`].
    pub loads: bool,
    /// [`Index::texts`].
    pub texts: bool,
}

/// Makes a rule whose options are its struct's fields.
pub(super) fn build_from<R: Rule + DeserializeOwned + 'static>(
    options: toml::Table,
) -> Result<Box<dyn Rule>, String> {
    let rule: R = options.try_into().map_err(|error: toml::de::Error| error.to_string())?;
    Ok(Box::new(rule))
}
