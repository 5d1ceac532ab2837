//! Test cases as text: the files of each case, and what is expected of them. The README describes the format.

mod case;
mod parse;
mod write;

use std::fs;
use std::path::Path;

pub use case::{Error, Section, SectionKind, TextCase};
use write::entries;

/// Reads the cases of a text file.
///
/// # Errors
/// The file cannot be read or does not match the format, or a folder belongs to no case.
pub fn read_file(file: &Path) -> Result<Vec<TextCase>, Error> {
    let text = fs::read_to_string(file).map_err(Error::file(file))?;
    let cases = parse::cases(file, &text)?;
    let folder = file.with_extension("");
    let own = if folder.is_dir() { entries(&folder)? } else { Vec::new() };
    match own.iter().find(|path| !cases.iter().any(|case| case.folder() == **path)) {
        None => Ok(cases),
        Some(path) => {
            let problem = format!("has no case for `{}`: add one, or remove it", path.display());
            Err(Error::Format { file: file.to_owned(), line: 1, problem })
        }
    }
}

/// Reads the cases of all text files in a folder, sorted by file.
///
/// # Errors
/// As for [`read_file`], or a folder belongs to no text file.
pub fn read_folder(folder: &Path) -> Result<Vec<TextCase>, Error> {
    let mut cases = Vec::new();
    for path in entries(folder)? {
        if path.extension().is_some_and(|extension| extension == "txt") || path.is_dir() {
            let file = path.with_extension("txt");
            // The folder of a text file is next to it.
            if path == file || !file.is_file() {
                cases.extend(read_file(&file)?);
            }
        }
    }
    Ok(cases)
}

/// Writes the files of all cases in a text file, or in those of a folder: `to/<group>/<name>/`.
///
/// # Errors
/// As for [`read_folder`] and [`TextCase::write_files`].
pub fn write_all(from: &Path, to: &Path) -> Result<(), Error> {
    let cases = if from.is_dir() { read_folder(from)? } else { read_file(from)? };
    cases.iter().try_for_each(|case| case.write_files(&to.join(case.full_name())))
}
