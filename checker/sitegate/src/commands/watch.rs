//! `sitegate check --watch`: prints a full report first, and then the new and fixed findings of each change. Watches an
//! export and its contract, including deletion and replacement of either.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;
use sitegate_check::{
    CachedExport, Contract, KeyCounts, OutputFormat, PreviousFindings, RenderOptions, Report, Ruleset,
};

use crate::commands::check::Args;
use crate::error::Error;
use crate::fixes::count_fixable;
use crate::terminal::{DIM, GREEN, Outcome, RED, print_error, stdout};

/// The exit code of a program that Ctrl-C ended, as shells report it.
const INTERRUPTED: u8 = 130;

/// Maximum number of fixed findings to list.
const MAX_FIXED: usize = 25;

/// Watches until Ctrl-C, or until the reader closes the pipe.
pub fn run(args: &Args) -> Outcome {
    if args.export.contract.is_contract_piped() {
        let message = "`--watch` needs a contract file: it cannot read standard input (`-`) again";
        return Err(Error::usage(message));
    }
    if args.export.live_url()?.is_some() {
        return Err(Error::usage("`--watch` needs a folder: a live site cannot be watched"));
    }
    let (contract, root) = args.export.load_unbuilt()?;
    if root.is_file() {
        args.export.load()?;
    }
    let mut watcher = FileWatcher::new(&root)?;
    let mut last = PreviousFindings::default();
    let mut next = WatchedExport::new(args, contract, &mut watcher);
    loop {
        let result = match &mut next {
            Ok(watched) => watched.check(args, &root, &mut last),
            Err(error) => {
                print_error(&error.message());
                Ok(())
            }
        };
        match result {
            Ok(()) => {}
            Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error @ Error::Output(_)) => return Err(error),
            Err(error) => print_error(&error.message()),
        }
        let mut out = stdout();
        let name = root.display().to_string();
        let _ = writeln!(out, "{DIM}watching {}{DIM:#}", visible(&name)).and_then(|()| out.flush());
        let Some(changed) = watcher.wait()? else { return Ok(INTERRUPTED) };
        match &mut next {
            Ok(watched) if !changed.contract => watched.invalidate(&changed),
            _ => {
                let loaded = args.export.load_unbuilt();
                next = loaded.and_then(|(current, _)| WatchedExport::new(args, current, &mut watcher));
            }
        }
    }
}

/// Returns the files outside of the export that a check depends on.
fn contract_files(contract: &Contract) -> Vec<PathBuf> {
    let bases = contract.bases.iter().map(|base| &base.file);
    let known = contract.baseline.iter().map(|baseline| baseline.path().to_path_buf());
    contract.file.iter().chain(bases).chain(&contract.referenced_files).cloned().chain(known).collect()
}

/// An export that is being watched: its contract and the cached results of the last check.
struct WatchedExport {
    contract: Contract,
    rules: Ruleset,
    kept: CachedExport,
    had_pages: bool,
}

impl WatchedExport {
    fn new(args: &Args, mut contract: Contract, watcher: &mut FileWatcher) -> Result<WatchedExport, Error> {
        args.baselines.apply(&mut contract);
        watcher.watch_files(contract_files(&contract))?;
        let rules = Ruleset::new(&contract)?;
        watcher.watch_files(contract_files(&contract).into_iter().chain(rules.files.iter().cloned()))?;
        Ok(WatchedExport { contract, rules, kept: CachedExport::default(), had_pages: false })
    }

    /// Marks cached results of changed files as stale.
    fn invalidate(&mut self, changed: &ChangedFiles) {
        changed.paths.iter().for_each(|path| self.kept.mark_changed(path));
        if changed.is_incomplete {
            self.kept.require_walk();
        }
    }

    /// Checks the export and prints the difference from the last check.
    fn check(&mut self, args: &Args, root: &Path, last: &mut PreviousFindings) -> Result<(), Error> {
        let start = Instant::now();
        let WatchedExport { contract, rules, kept, had_pages } = self;
        if !root.exists() && !*had_pages {
            return Err(Error::NotBuilt(root.display().to_string()));
        }
        let checked = sitegate_check::check_again(root, contract, rules, kept);
        let mut result = checked.inspect_err(|_| *kept = CachedExport::default())?;
        if result.summary.pages == 0 && *had_pages {
            // A build often starts by deleting its old output.
            *kept = CachedExport::default();
            return Err(Error::PagesRemoved(root.display().to_string()));
        }
        *had_pages = result.summary.pages > 0;
        let fixed = last.retain_new(&mut result, contract, |file| kept.has_read(file));
        let report = result.into_report(contract).0.with_elapsed(start.elapsed());
        let mut options = args.outputs.format.options();
        options.fixable = Some(count_fixable(&report, root, contract)?);
        Ok(print_difference(&report, &options, fixed.as_ref())?)
    }
}

fn print_difference(report: &Report, options: &RenderOptions, fixed: Option<&KeyCounts>) -> io::Result<()> {
    let mut out = stdout();
    let all = fixed.map_or(0, KeyCounts::len);
    let shown = if options.all { all } else { MAX_FIXED };
    for (known, times) in fixed.into_iter().flatten().take(shown) {
        let times = if *times == 1 { String::new() } else { format!(" ({times} times)") };
        writeln!(out, "{GREEN}fixed{GREEN:#}  {}{times}", visible(&known.to_string()))?;
    }
    if all > shown {
        let more = count(all - shown, "more finding");
        writeln!(out, "{GREEN}fixed{GREEN:#}  {DIM}{more}; --all lists them{DIM:#}")?;
    }
    if !report.findings.is_empty() && fixed.is_some() {
        writeln!(out, "{RED}new{RED:#}\n")?;
    }
    sitegate_check::write(OutputFormat::Human, report, options, &mut out)?;
    out.flush()
}

/// The pause that ends a change of a few files, as by an editor.
const EDIT_PAUSE: Duration = Duration::from_millis(15);

/// Maximum number of files that an editor changes at once, including temporary files.
const MAX_EDITED_FILES: usize = 4;

/// The pause that ends a change of many files, as by a build.
const BUILD_PAUSE: Duration = Duration::from_millis(200);

/// Maximum time to wait for a pause.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Time between checks of whether the export's folder was replaced without an event.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Files that may have changed since the last call.
#[derive(Debug, Default)]
pub struct ChangedFiles {
    /// Changed paths in the export, relative to its root.
    pub paths: BTreeSet<PathBuf>,
    /// Whether other files in the export may have changed, too.
    pub is_incomplete: bool,
    /// Whether a file of the contract may have changed.
    pub contract: bool,
}

enum Signal {
    Event(notify::Result<notify::Event>),
    Stop,
}

/// Creation time and inode of a folder, to detect its replacement.
type FolderIdentity = Option<(Option<SystemTime>, u64)>;

/// A watcher of an export and the files of its contract.
pub struct FileWatcher {
    signals: Receiver<Signal>,
    watcher: RecommendedWatcher,
    /// The export's folder as given on the command line.
    root: PathBuf,
    /// The export's folder as events name it.
    real_root: PathBuf,
    identity: FolderIdentity,
    files: Vec<PathBuf>,
    watched: Vec<PathBuf>,
}

impl FileWatcher {
    /// Starts to watch a folder, which need not exist yet, and to listen for Ctrl-C.
    ///
    /// # Errors
    /// If the system cannot watch files.
    pub fn new(root: &Path) -> Result<FileWatcher, Error> {
        let (sender, signals) = channel();
        let events = sender.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // Sending fails when the program ends and the receiver is gone.
            let _ = events.send(Signal::Event(event));
        });
        stop_on_interrupt(sender)?;
        let mut file_watcher = FileWatcher {
            signals,
            watcher: watcher
                .map_err(|source| Error::Watch { context: "cannot watch files".to_owned(), source })?,
            root: root.to_path_buf(),
            real_root: PathBuf::new(),
            identity: None,
            files: Vec::new(),
            watched: Vec::new(),
        };
        file_watcher.watch_folders()?;
        Ok(file_watcher)
    }

    /// Sets the files outside of the export to watch: the contract and the files it refers to.
    ///
    /// # Errors
    /// If the system cannot watch them.
    pub fn watch_files(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), Error> {
        let files: Vec<PathBuf> = files.into_iter().map(|file| real_path(&file)).collect();
        if files != self.files {
            self.files = files;
            self.watch_folders()?;
        }
        Ok(())
    }

    /// Waits for the next change and the pause after it. Returns `None` on Ctrl-C.
    ///
    /// # Errors
    /// If a replaced export cannot be watched.
    pub fn wait(&mut self) -> Result<Option<ChangedFiles>, Error> {
        let mut first: Option<Instant> = None;
        let mut changed = ChangedFiles::default();
        let mut paths = HashSet::new();
        loop {
            let wait = match (first, paths.len()) {
                (None, _) => POLL_INTERVAL,
                (Some(_), ..=MAX_EDITED_FILES) => EDIT_PAUSE,
                (Some(_), _) => BUILD_PAUSE,
            };
            match self.signals.recv_timeout(wait) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Ok(Signal::Event(event)) if self.is_relevant(&event) => {
                    first.get_or_insert_with(Instant::now);
                    self.add_event(&event, &mut changed);
                    paths.extend(event.into_iter().flat_map(|event| event.paths));
                }
                Err(RecvTimeoutError::Timeout) if first.is_some() => break,
                Err(RecvTimeoutError::Timeout) if self.identity != identity(&self.root) => {
                    first = Some(Instant::now());
                    changed.is_incomplete = true;
                }
                Ok(Signal::Event(_)) | Err(RecvTimeoutError::Timeout) => {}
            }
            if first.is_some_and(|first| first.elapsed() > MAX_WAIT) {
                break;
            }
        }
        // New folders inside of the export are watched automatically, but not a folder that replaces the export.
        let is_gone = |path: &PathBuf| self.real_root.starts_with(path);
        if self.identity != identity(&self.root)
            || changed.is_incomplete && (paths.is_empty() || paths.iter().any(is_gone))
        {
            changed.is_incomplete = true;
            self.watch_folders()?;
        }
        Ok(Some(changed))
    }

    /// Adds the files of an event.
    fn add_event(&self, event: &notify::Result<notify::Event>, changed: &mut ChangedFiles) {
        let Ok(event) = event else {
            (changed.is_incomplete, changed.contract) = (true, true);
            return;
        };
        for path in &event.paths {
            changed.contract |= self.files.contains(path);
            match path.strip_prefix(&self.real_root) {
                Ok(below) if below != Path::new("") => drop(changed.paths.insert(below.to_path_buf())),
                _ => changed.is_incomplete |= self.real_root.starts_with(path),
            }
        }
        if event.need_rescan() {
            (changed.is_incomplete, changed.contract) = (true, true);
        }
    }

    /// Whether an event may change the result of the check. Reads do not, nor changes of unrelated files.
    fn is_relevant(&self, event: &notify::Result<notify::Event>) -> bool {
        // An error means that events were lost.
        let Ok(event) = event else { return true };
        let is_move = !matches!(event.kind, EventKind::Modify(ModifyKind::Metadata(_) | ModifyKind::Data(_)));
        event.need_rescan()
            || !event.kind.is_access()
                && event.paths.iter().any(|path| {
                    path.starts_with(&self.real_root)
                        || self.files.contains(path)
                        || is_move && self.real_root.starts_with(path)
                })
    }

    /// Watches the existing folders: the export, the folder above it, and the folders of the contract's files.
    fn watch_folders(&mut self) -> Result<(), Error> {
        for path in self.watched.drain(..) {
            // Fails if the folder was deleted, which is fine.
            let _ = self.watcher.unwatch(&path);
        }
        self.real_root = real_path(&self.root);
        self.identity = identity(&self.root);
        let mut folders = vec![self.real_root.clone()];
        let above = self.real_root.parent().into_iter().flat_map(Path::ancestors).find(|path| path.is_dir());
        let file_folders = self.files.iter().filter_map(|file| file.parent());
        for folder in above.into_iter().chain(file_folders) {
            if !folder.starts_with(&self.real_root) && !folders.iter().any(|known| known == folder) {
                folders.push(folder.to_path_buf());
            }
        }
        for path in folders {
            let mode =
                if path == self.real_root { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&path, mode) {
                Ok(()) => self.watched.push(path),
                // The folder is being rebuilt: the watch on its parent reports when it exists again.
                Err(_) if !path.is_dir() => {}
                Err(source) => {
                    let context = format!("{}: cannot be watched", path.display());
                    return Err(Error::Watch { context, source });
                }
            }
        }
        Ok(())
    }
}

/// Sends a stop signal on Ctrl-C.
fn stop_on_interrupt(sender: Sender<Signal>) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::system("cannot listen for Ctrl-C"))?;
    std::thread::spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            // Sending fails when the program ends and the receiver is gone.
            let _ = sender.send(Signal::Stop);
        }
    });
    Ok(())
}

/// Returns the canonical path. Its last components need not exist.
fn real_path(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for known in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(known), path.strip_prefix(known)) {
            return if rest == Path::new("") { real } else { real.join(rest) };
        }
    }
    path
}

fn identity(root: &Path) -> FolderIdentity {
    let found = fs::metadata(root).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let number = 0;
    Some((found.created().ok(), number))
}
