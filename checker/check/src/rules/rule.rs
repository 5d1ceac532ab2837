//! What a rule is, and how it is made from its options.

use std::path::Path;

use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostic, RuleInfo};
use crate::index::Index;
use crate::index::needs::Needs;
use crate::index::view::FileView;

/// A rule in the registry: what is known of it, and how it is made.
pub struct Registered {
    /// What is known of it without running it.
    pub info: &'static RuleInfo,
    /// Makes it from its options.
    pub(crate) build: fn(toml::Table) -> Result<Box<dyn Rule>, String>,
}

/// A rule: it sees each file, then the whole site. It does no input or output and keeps nothing from file to file.
pub trait Rule: Send + Sync {
    /// Looks at one file: a page, a style sheet, or another that was read.
    fn check_file(&self, _view: &FileView<'_>, _found: &mut Vec<Diagnostic>) {}
    /// Looks at what all files have in common.
    fn check_site(&self, _index: &Index<'_>, _found: &mut Vec<Diagnostic>) {}
    /// Says what it needs to be known beyond what is always kept.
    fn needs(&self, _needs: &mut Needs) {}
    /// Makes its options ready, once. `read` gives the content of a file that an option names.
    ///
    /// # Errors
    /// When that cannot be read, or the options contradict each other.
    fn load(&mut self, _read: &ReadOption<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// Reads the file that an option names: the option's key, and the path in it.
pub type ReadOption<'r> = dyn Fn(&str, &Path) -> Result<Vec<u8>, String> + 'r;

/// Makes a rule whose options are its struct's fields.
pub(super) fn build_from<R: Rule + DeserializeOwned + 'static>(
    options: toml::Table,
) -> Result<Box<dyn Rule>, String> {
    let rule: R = options.try_into().map_err(|error: toml::de::Error| error.to_string())?;
    Ok(Box::new(rule))
}
