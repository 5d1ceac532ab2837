//! Converts the configuration of another link checker to a contract, and lists the options without an equivalent.
//!
//! Each checker has one table of its options: what an option sets, or why it has no equivalent.

mod draft;
mod folder_globs;
mod htmltest;
mod linkinator;
mod lychee;
mod option_table;
mod yaml;

use std::path::{Path, PathBuf};

use sitegate_base::sanitize::slashed;

use crate::contract::{Contract, Permissions};
use crate::init::root_setting;
use draft::ContractDraft;
use option_table::OptionRow;

/// The contract that a configuration of another checker becomes.
#[derive(Debug)]
pub struct MigratedContract {
    /// The checker.
    pub program: &'static str,
    /// The text of the contract.
    pub text: String,
    /// Options that the contract does not have, each with the reason.
    pub notes: Vec<(String, String)>,
    /// The committed cache of the checker, relative to its configuration.
    pub cache: Option<PathBuf>,
}

/// The reason why a configuration cannot be converted.
#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    /// The name of the file is not that of a known configuration.
    #[error(
        "{}: this is no configuration of htmltest (.yml, .yaml), lychee (.toml) or linkinator (.json); \
         docs/guides/migrate.md has tables for other checkers", .0.display()
    )]
    Unknown(PathBuf),
    /// The file is malformed.
    #[error("{}: {reason}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// The reason.
        reason: String,
    },
}

/// Converts a configuration to the contract at `contract`. `ignored` is the text of a `.lycheeignore`, if there is one.
/// `root` is the folder of the export, which replaces that of the configuration.
///
/// # Errors
/// If the file is no configuration of a known checker, or is malformed.
pub fn migrate(
    file: &Path,
    text: &str,
    ignored: Option<&str>,
    root: Option<&Path>,
    contract: &Path,
) -> Result<MigratedContract, MigrationError> {
    let malformed = |reason: String| MigrationError::Malformed { file: file.to_path_buf(), reason };
    let mut draft = ContractDraft::default();
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let (program, table, options): (_, &[OptionRow], _) = match extension {
        "yml" | "yaml" => {
            let document = yaml::read(text).map_err(malformed)?;
            draft.comments = document.comments;
            ("htmltest", htmltest::OPTIONS, document.value)
        }
        "toml" => {
            let options: serde_json::Value =
                toml::from_str(text).map_err(|error| malformed(error.message().to_owned()))?;
            ("lychee", lychee::OPTIONS, options)
        }
        "json" => {
            let options = serde_json::from_str(text).map_err(|error| malformed(error.to_string()))?;
            ("linkinator", linkinator::OPTIONS, options)
        }
        _ => return Err(MigrationError::Unknown(file.to_path_buf())),
    };
    draft.has_full_paths = program != "htmltest";
    draft.folder = folder_below(file, contract);
    draft.file_name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let serde_json::Value::Object(options) = options else {
        return Err(malformed(format!("a configuration of {program} is a list of options")));
    };
    option_table::apply(table, &options, program, &mut draft);
    if let Some(root) = root {
        draft.site.insert("root".to_owned(), root_setting(root, contract).into());
    }
    draft.convert_folders();
    match program {
        "htmltest" => htmltest::complete(&options, &mut draft),
        "lychee" => lychee::complete(ignored, &mut draft),
        _ => {}
    }
    let written = draft.text(program);
    // The contract is not written, so the number of its line says nothing.
    Contract::from_text(contract, written.clone(), &Permissions::default()).map_err(|error| {
        let line = error.place.map(|(_, _, line)| format!(": {}", line.trim()));
        malformed(format!("{}{}", error.source, line.unwrap_or_default()))
    })?;
    Ok(MigratedContract { program, text: written, notes: draft.notes, cache: draft.cache })
}

/// Returns the options of each checker with an equivalent or a reason, for the tables of the guide.
pub fn migrated_options() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    [("htmltest", htmltest::OPTIONS), ("lychee", lychee::OPTIONS), ("linkinator", linkinator::OPTIONS)]
        .into_iter()
        .map(|(program, rows)| (program, rows.iter().map(|(name, _)| *name).collect()))
}

/// Returns the folder of a configuration, relative to the folder of the contract, with a slash at its end.
fn folder_below(file: &Path, contract: &Path) -> String {
    let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).to_path_buf();
    let below = folder(file).strip_prefix(folder(contract)).map(slashed).unwrap_or_default();
    if below.is_empty() { below } else { format!("{below}/") }
}
