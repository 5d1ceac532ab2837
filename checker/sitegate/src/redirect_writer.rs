//! Adds redirects where a site has them, and says what is left to do.

use std::fs;
use std::path::Path;

use sitegate_check::{
    Contract, FoundFile, Permissions, RedirectEdit, RedirectEditError, RedirectProposal, RedirectSite,
    RedirectsFile, edit_redirects, entries_to_add,
};
use sitegate_host::Host;
use sitegate_sources::edits::{ApplyMode, ApplyOptions, NewContent, SourceChanges, apply};

use crate::edited_files::{reason, shown, without_interruption};
use crate::error::Error;

/// The site that gets redirects, and the file that its host reads.
pub struct RedirectWriter {
    pub site: RedirectSite,
    found: FoundFile,
}

impl RedirectWriter {
    /// Finds the file of a site. `purpose` begins the error message.
    ///
    /// # Errors
    /// If there is none, or it cannot be determined.
    pub fn find(contract: &Contract, export: &Path, purpose: &str) -> Result<RedirectWriter, Error> {
        let site = site_of(contract, export)?;
        let found = RedirectsFile::find(&site, contract);
        let found = found.map_err(|error| Error::usage(format!("{purpose}: {error}")))?;
        Ok(RedirectWriter { site, found })
    }

    /// Returns the writer for the site after pages have moved: paths in the export, and the new ones.
    #[must_use]
    pub fn with_moved(self, pages: &[(String, String)]) -> RedirectWriter {
        RedirectWriter { site: self.site.with_moved(pages), ..self }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        self.found.file.path()
    }

    /// Returns the path of the file, as messages name it.
    pub fn name(&self) -> String {
        let name = self.path().to_string_lossy();
        name.strip_prefix("./").unwrap_or(&name).to_owned()
    }

    /// Returns the text of the file with more redirects.
    ///
    /// # Errors
    /// If the redirects of the site cannot be read, or would not be valid.
    pub fn edit(
        &self,
        old: &str,
        redirects: &[RedirectProposal],
        contract: (&Contract, &Permissions),
    ) -> Result<RedirectEdit, Error> {
        Ok(edit_redirects(&self.site, contract, &self.found.file, old, redirects)?)
    }

    /// Adds redirects, and keeps all else as it is.
    ///
    /// # Errors
    /// If the file cannot be read or written, must not be changed, or would not be valid. Then it is not changed.
    pub fn add(
        &self,
        redirects: &[RedirectProposal],
        contract: (&Contract, &Permissions),
        options: &ApplyOptions,
    ) -> Result<RedirectEdit, Error> {
        let path = self.path();
        let old = fs::read_to_string(path).map_err(Error::file(path))?;
        let edit = self.edit(&old, redirects, contract)?;
        if edit.text != old {
            write(path, old, edit.text.clone(), options)?;
        }
        Ok(edit)
    }

    /// Returns the entries that people add to a file that is only read.
    pub fn entries_to_add(&self, redirects: &[RedirectProposal], edit: &RedirectEdit) -> Vec<String> {
        let RedirectsFile::ReadOnly(_, owner) = &self.found.file else { return Vec::new() };
        let singles = redirects.iter().flat_map(RedirectProposal::singles);
        let refused: Vec<RedirectProposal> = singles
            .filter(|redirect| edit.refused.iter().any(|refused| refused.from == redirect.from))
            .cloned()
            .collect();
        entries_to_add(&self.site, *owner, &refused)
    }

    /// Returns the next step after the file has changed.
    pub fn next_step(&self) -> String {
        match (&self.found.file, self.site.host()) {
            (RedirectsFile::Contract(_), None) => {
                "`sitegate publish` and `sitegate host-config HOST` put them on the host".to_owned()
            }
            (
                RedirectsFile::Contract(_),
                Some(
                    host @ (Host::GithubPages
                    | Host::GitlabPages
                    | Host::AzureStaticWebApps
                    | Host::S3Rest
                    | Host::S3Website),
                ),
            ) => format!("`sitegate publish` puts them on {}", host.name()),
            (RedirectsFile::Contract(_), Some(host)) => {
                format!("`sitegate host-config {}` puts them on the host", host.name())
            }
            _ => "build the site and publish it".to_owned(),
        }
    }

    /// Returns a note about a file of the export that looks as if it had redirects.
    pub fn note(&self) -> Option<String> {
        let host = self.site.host().map(Host::name).filter(|_| self.found.has_unread_lines)?;
        Some(format!("{host} does not read the export's `_redirects`"))
    }
}

/// Returns the site of an export.
///
/// # Errors
/// If the export cannot be listed.
pub fn site_of(contract: &Contract, export: &Path) -> Result<RedirectSite, Error> {
    RedirectSite::of_export(export, contract).map_err(Error::file(export))
}

impl From<RedirectEditError> for Error {
    fn from(error: RedirectEditError) -> Error {
        match error {
            RedirectEditError::Contract(error) => Error::Contract(error),
            RedirectEditError::Redirects(error) => Error::usage(error.to_string()),
        }
    }
}

/// Writes the file, unless it must not be changed.
fn write(path: &Path, old: String, new: String, options: &ApplyOptions) -> Result<(), Error> {
    let mut changes = SourceChanges::default();
    changes.edit(path, NewContent::Whole { old: old.into_bytes(), new: new.into_bytes() });
    let applied = without_interruption(|| apply(&changes, ApplyMode::WriteEach, options))?;
    let applied = applied.map_err(|error| Error::usage(error.to_string()))?;
    match applied.refused.first() {
        Some(refusal) => Err(Error::usage(format!("{} {}", shown(&refusal.file), reason(refusal)))),
        None => Ok(()),
    }
}
