//! The record of the last check of an export: while neither that nor anything else it depends on is another, its reports are
//! written again from there. It is known by contents alone, never by times, and nothing is sealed from it.

use std::env;
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use blake3::{Hash, Hasher};
use serde::{Deserialize, Serialize};
use sitegate_check::Ruleset;
use sitegate_check::contents::Contents;
use sitegate_check::contract::Contract;
use sitegate_check::report::Report;
use sitegate_check::walk::Tree;

/// What a record ends in; another shape gets another one.
const MARK: &[u8] = b"sitegate-record-1\n";

/// Bytes of the largest record.
const LARGEST: usize = 64 << 20;

/// Records that are kept, the ones used last.
const MOST: usize = 16;

/// The place of the record of one way to check one export.
pub struct RecordPlace {
    file: PathBuf,
    root: PathBuf,
    /// Has taken in all that the reports depend on beside the export and the program.
    conditions: Hasher,
}

/// What a record says of itself.
#[derive(Serialize, Deserialize)]
struct RecordEnd {
    conditions: [u8; 32],
    /// The digest of every path and every content.
    export: [u8; 32],
    /// When the check was.
    checked: SystemTime,
    exit_code: u8,
    /// Where each report ends, in the order of the command line.
    ends: Vec<usize>,
}

/// A record that holds for the export as it is.
pub struct Record {
    bytes: Vec<u8>,
    end: RecordEnd,
}

/// A record that is being written.
pub struct NewRecord<'p> {
    place: &'p RecordPlace,
    temporary: PathBuf,
    /// `None` once it cannot be kept.
    out: Option<BufWriter<File>>,
    hasher: Hasher,
    length: usize,
    ends: Vec<usize>,
}

impl RecordPlace {
    /// Where the record of a check is, if there is a place for it. `told` is what is asked of its reports.
    pub fn of(root: &Path, contract: &Contract, rules: &Ruleset, told: &str) -> Option<RecordPlace> {
        let here = env::current_dir().ok()?;
        let real = fs::canonicalize(root).ok()?;
        let mut hasher = Hasher::new();
        let mut put = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        for path in [root, &real, &here] {
            put(path.as_os_str().as_encoded_bytes());
        }
        put(told.as_bytes());
        let name = hasher.finalize().to_hex();
        let file = folder()?.join(format!("{}.record", &name[..32]));
        let mut put = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        };
        contract.each_input(&mut put);
        for (file, digest) in &rules.files {
            put(file.as_os_str().as_encoded_bytes());
            put(digest);
        }
        Some(RecordPlace { file, root: root.to_path_buf(), conditions: hasher })
    }

    /// What stands for all that the reports depend on beside the export.
    fn conditions(&self) -> Option<[u8; 32]> {
        let mut hasher = self.conditions.clone();
        hasher.update(program()?.as_bytes());
        Some(hasher.finalize().into())
    }

    /// The record, where there is one and the export is what it was.
    pub fn find(&self) -> Option<Record> {
        let bytes = fs::read(&self.file).ok()?;
        let (content, digest) = bytes.strip_suffix(MARK)?.split_last_chunk::<32>()?;
        if blake3::hash(content) != Hash::from(*digest) {
            return None;
        }
        let (content, length) = content.split_last_chunk::<8>()?;
        let (content, end) =
            content.split_at_checked(content.len().checked_sub(usize::from_le_bytes(*length))?)?;
        let end: RecordEnd = serde_json::from_slice(end).ok()?;
        let hints = content.get(*end.ends.last()?..)?;
        if end.conditions != self.conditions()? {
            return None;
        }
        let tree = Tree::walk(&self.root).ok()?;
        (Contents::read_again(&tree, hints)? == end.export).then_some(Record { bytes, end })
    }

    /// Begins a record. Where it cannot be written, there is none.
    pub fn begin(&self) -> Option<NewRecord<'_>> {
        let folder = self.file.parent()?;
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).ok()?;
        let temporary = self.file.with_extension(format!("{}.tmp", std::process::id()));
        let out = Some(BufWriter::new(File::create(&temporary).ok()?));
        Some(NewRecord { place: self, temporary, out, hasher: Hasher::new(), length: 0, ends: Vec::new() })
    }
}

impl Record {
    /// The reports, in the order of the command line, as they were before anything was kept from terminals.
    pub fn reports(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.end.ends.iter().copied());
        starts.zip(&self.end.ends).map(|(start, end)| self.bytes.get(start..*end).unwrap_or_default())
    }

    /// The exit code of the check.
    pub fn exit_code(&self) -> u8 {
        self.end.exit_code
    }

    /// How long ago the check was, as far as clocks can be believed.
    pub fn age(&self) -> Duration {
        self.end.checked.elapsed().unwrap_or_default()
    }
}

impl NewRecord<'_> {
    /// Adds to the report at hand.
    pub fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        self.hasher.update(bytes);
        let is_kept =
            self.length <= LARGEST && self.out.as_mut().is_some_and(|out| out.write_all(bytes).is_ok());
        if !is_kept {
            self.out = None;
        }
    }

    /// Ends the report at hand. Where it is not whole, nothing is kept.
    pub fn end_report(&mut self, is_whole: bool) {
        self.ends.push(self.length);
        if !is_whole {
            self.out = None;
        }
    }

    /// Puts the record in its place, in one step, unless a file has changed since the check began.
    pub fn finish(mut self, report: &Report) {
        let contents = report.contents.as_ref().filter(|_| report.unread.is_empty());
        let known = contents
            .and_then(|contents| Some((contents, contents.digest(&report.tree)?, self.place.conditions()?)));
        let Some((contents, export, conditions)) = known else { return };
        let end = RecordEnd {
            conditions,
            export,
            checked: SystemTime::now(),
            exit_code: report.verdict().exit_code(),
            ends: std::mem::take(&mut self.ends),
        };
        let Ok(end) = serde_json::to_vec(&end) else { return };
        self.add(&contents.hints());
        self.add(&end);
        self.add(&end.len().to_le_bytes());
        let digest = self.hasher.finalize();
        let Some(mut out) = self.out.take() else { return };
        let written =
            out.write_all(digest.as_bytes()).and_then(|()| out.write_all(MARK)).and_then(|()| out.flush());
        if written.is_ok() && fs::rename(&self.temporary, &self.place.file).is_ok() {
            clear_old(&self.place.file);
        }
    }
}

impl Drop for NewRecord<'_> {
    fn drop(&mut self) {
        // It is gone where the record was finished.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// The folder for what may be lost, by the custom of the platform.
pub fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let of_platform = || match () {
        () if cfg!(windows) => set("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => set("HOME").map(|home| home.join("Library/Caches")),
        () => set("HOME").map(|home| home.join(".cache")),
    };
    Some(set("XDG_CACHE_HOME").or_else(of_platform)?.join("sitegate"))
}

/// The digest of the program itself: another build may find something else.
fn program() -> Option<Hash> {
    // Another may be in its place by now, which there is no other way to tell from it.
    let itself = Path::new("/proc/self/exe");
    let file = if itself.exists() { itself.to_path_buf() } else { env::current_exe().ok()? };
    Some(blake3::hash(&fs::read(file).ok()?))
}

/// Removes what is beyond the number of records that are kept, and what writers left behind that died long ago.
fn clear_old(newest: &Path) {
    let entries = newest.parent().and_then(|folder| fs::read_dir(folder).ok());
    let written = |entry: io::Result<fs::DirEntry>| {
        let entry = entry.ok()?;
        Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
    };
    let mut files: Vec<(SystemTime, PathBuf)> = entries.into_iter().flatten().filter_map(written).collect();
    files.retain(|(_, file)| file.extension().is_some_and(|ending| ending == "record" || ending == "tmp"));
    files.sort();
    let beyond = files.len().saturating_sub(MOST);
    for (_, file) in files.into_iter().take(beyond).filter(|(_, file)| file != newest) {
        let _ = fs::remove_file(file);
    }
}
