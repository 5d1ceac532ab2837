//! Unpacks an archive of an export. Anyone may have made it: nothing is written outside of the folder, and its size is
//! limited.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use sitegate_base::file_name::folded;
use sitegate_base::sanitize::visible;
use tar::{Archive, EntryType};
use tempfile::TempDir;

use super::asset::is_plain;
use crate::error::Error;

/// Maximum size of all files in bytes; larger sites are not deployed as one archive.
const MAX_SIZE: u64 = 4 << 30;

/// Minimum size that a file takes: a block of most file systems. So it limits the number of files, too.
const MIN_FILE: u64 = 4096;

/// Maximum size of a name in bytes.
const MAX_NAME: u64 = 64 << 10;

/// Unpacks a file whose name ends in `.tar`, `.tar.gz` or `.tgz`. Returns the folder of the export, which may be the only
/// folder of the archive.
///
/// # Errors
/// If the archive is of another kind, damaged, too large, or has an entry that no export has.
pub fn unpack(file: &Path) -> Result<(TempDir, PathBuf), Error> {
    let name = file.to_string_lossy().to_ascii_lowercase();
    let is_compressed = [".tar.gz", ".tgz"].iter().any(|end| name.ends_with(end));
    if !is_compressed && !name.ends_with(".tar") {
        let message = "only .tar, .tar.gz and .tgz are read; unpack it, and name the folder";
        return Err(Error::usage(format!("{}: {message}", file.display())));
    }
    let folder = tempfile::tempdir().map_err(Error::system("cannot create a temporary folder"))?;
    let unpacked = File::open(file).map(BufReader::new).and_then(|opened| {
        if is_compressed {
            unpack_all(MultiGzDecoder::new(opened), folder.path())
        } else {
            unpack_all(opened, folder.path())
        }
    });
    let entries = unpacked.and_then(|()| fs::read_dir(folder.path())?.collect::<io::Result<Vec<_>>>());
    let mut entries = entries.map_err(Error::file(file))?;
    let root = match entries.pop().map(|entry| entry.path()) {
        Some(only) if entries.is_empty() && only.is_dir() => only,
        _ => folder.path().to_path_buf(),
    };
    Ok((folder, root))
}

fn unpack_all(reader: impl Read, folder: &Path) -> io::Result<()> {
    let fail = |reason: &str| io::Error::other(reason.to_owned());
    let mut names = HashSet::new();
    let mut left = MAX_SIZE;
    let mut long_name: Option<Vec<u8>> = None;
    // The library would keep a long name in memory, however long it is.
    for entry in Archive::new(reader).entries()?.raw(true) {
        let mut entry = entry?;
        left = left.checked_sub(entry.size().max(MIN_FILE)).ok_or_else(|| fail("it has more than 4 GiB"))?;
        let kind = entry.header().entry_type();
        let is_name = matches!(kind, EntryType::GNULongName | EntryType::XHeader);
        if is_name && entry.size() > MAX_NAME {
            return Err(fail("it has a name of more than 64 KiB"));
        }
        match kind {
            EntryType::Regular | EntryType::Continuous => {}
            EntryType::Directory | EntryType::XGlobalHeader => continue,
            EntryType::GNULongName => {
                let mut name = Vec::new();
                entry.read_to_end(&mut name)?;
                name.pop_if(|last| *last == 0);
                long_name = Some(name);
                continue;
            }
            EntryType::XHeader => {
                for extension in entry.pax_extensions()?.into_iter().flatten() {
                    let extension = extension?;
                    match extension.key_bytes() {
                        b"path" => long_name = Some(extension.value_bytes().to_vec()),
                        key if key.starts_with(b"GNU.sparse.") => return Err(fail("it has a sparse file")),
                        _ => {}
                    }
                }
                continue;
            }
            _ => {
                let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                return Err(fail(&format!("`{}` is a link or a special file", visible(&path))));
            }
        }
        let bytes = long_name.take().unwrap_or_else(|| entry.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&bytes);
        let path = path.trim_start_matches("./");
        if !is_plain(path) || str::from_utf8(&bytes).is_err() {
            return Err(fail(&format!("`{}` is not the path of a file in an export", visible(path))));
        }
        if !names.insert(folded(path).into_owned()) {
            let reason = "is there twice, if upper and lower case are the same";
            return Err(fail(&format!("`{}` {reason}", visible(path))));
        }
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        io::copy(&mut entry, &mut File::create_new(file)?)?;
    }
    Ok(())
}
