//! Waits until an export or its contract changes, through deletions and rebuilds of either.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use notify::event::{EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use crate::error::Error;

/// An editor writes a file or two: that is over once nothing has changed for so long.
const SHORT_QUIET: Duration = Duration::from_millis(15);

/// Files that an editor may touch at once, its temporary ones among them.
const FEW: usize = 4;

/// A build writes many files: it is over once nothing has changed for so long.
const QUIET: Duration = Duration::from_millis(200);

/// A build that never pauses is checked all the same after so long.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often the export's folder is looked at for a replacement that no event announced.
const TICK: Duration = Duration::from_secs(1);

/// What may have changed while nobody looked.
#[derive(Debug, Default)]
pub struct Touched {
    /// Where something happened in the export, below the root.
    pub paths: BTreeSet<PathBuf>,
    /// Whether more may have happened to the export than that.
    pub is_more: bool,
    /// Whether a file of the contract may be another now.
    pub contract: bool,
}

enum Signal {
    Event(notify::Result<notify::Event>),
    Stop,
}

/// Tells one folder from another that was put in its place.
type Identity = Option<(Option<SystemTime>, u64)>;

/// Watches an export and the files of its contract.
pub struct Watch {
    signals: Receiver<Signal>,
    watcher: RecommendedWatcher,
    /// The export's folder as it was given, and as events name it.
    root: PathBuf,
    real_root: PathBuf,
    identity: Identity,
    files: Vec<PathBuf>,
    watched: Vec<PathBuf>,
}

impl Watch {
    /// Begins to watch, and to listen for Ctrl-C. The folder need not be there yet.
    ///
    /// # Errors
    /// When the system refuses, with its reason.
    pub fn new(root: &Path) -> Result<Watch, Error> {
        let (sender, signals) = channel();
        let events = sender.clone();
        let watcher = notify::recommended_watcher(move |event| {
            // Nobody listens any more once the program ends.
            let _ = events.send(Signal::Event(event));
        });
        stop_on_interrupt(sender)?;
        let mut watch = Watch {
            signals,
            watcher: watcher
                .map_err(|source| Error::Watch { context: "cannot watch files".to_owned(), source })?,
            root: root.to_path_buf(),
            real_root: PathBuf::new(),
            identity: None,
            files: Vec::new(),
            watched: Vec::new(),
        };
        watch.arm()?;
        Ok(watch)
    }

    /// Says which files beside the export matter: the contract and what it is made of.
    ///
    /// # Errors
    /// When the system refuses to watch them.
    pub fn also(&mut self, files: impl IntoIterator<Item = PathBuf>) -> Result<(), Error> {
        let files: Vec<PathBuf> = files.into_iter().map(|file| real_path(&file)).collect();
        if files != self.files {
            self.files = files;
            self.arm()?;
        }
        Ok(())
    }

    /// Waits for the next change, until the writer pauses. `None` is Ctrl-C.
    ///
    /// # Errors
    /// When what was put in the export's place cannot be watched.
    pub fn wait(&mut self) -> Result<Option<Touched>, Error> {
        let mut first: Option<Instant> = None;
        let mut touched = Touched::default();
        let mut paths = HashSet::new();
        loop {
            let wait = match (first, paths.len()) {
                (None, _) => TICK,
                (Some(_), ..=FEW) => SHORT_QUIET,
                (Some(_), _) => QUIET,
            };
            match self.signals.recv_timeout(wait) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Ok(Signal::Event(event)) if self.matters(&event) => {
                    first.get_or_insert_with(Instant::now);
                    self.note(&event, &mut touched);
                    paths.extend(event.into_iter().flat_map(|event| event.paths));
                }
                Err(RecvTimeoutError::Timeout) if first.is_some() => break,
                Err(RecvTimeoutError::Timeout) if self.identity != identity(&self.root) => {
                    first = Some(Instant::now());
                    touched.is_more = true;
                }
                Ok(Signal::Event(_)) | Err(RecvTimeoutError::Timeout) => {}
            }
            if first.is_some_and(|first| first.elapsed() > PATIENCE) {
                break;
            }
        }
        // New folders are watched by themselves; what is in the place of the old is not.
        let is_gone = |path: &PathBuf| self.real_root.starts_with(path);
        if self.identity != identity(&self.root)
            || touched.is_more && (paths.is_empty() || paths.iter().any(is_gone))
        {
            touched.is_more = true;
            self.arm()?;
        }
        Ok(Some(touched))
    }

    /// Notes what an event that matters may have changed.
    fn note(&self, event: &notify::Result<notify::Event>, touched: &mut Touched) {
        let Ok(event) = event else {
            (touched.is_more, touched.contract) = (true, true);
            return;
        };
        for path in &event.paths {
            touched.contract |= self.files.contains(path);
            match path.strip_prefix(&self.real_root) {
                Ok(below) if below != Path::new("") => drop(touched.paths.insert(below.to_path_buf())),
                _ => touched.is_more |= self.real_root.starts_with(path),
            }
        }
        if event.need_rescan() {
            (touched.is_more, touched.contract) = (true, true);
        }
    }

    /// Whether an event is about what is checked. Reading is not a change, nor is what happens to a neighbour.
    fn matters(&self, event: &notify::Result<notify::Event>) -> bool {
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

    /// Watches what is there now: the export, the folder that a new one would appear in, and those of the
    /// contract's files.
    fn arm(&mut self) -> Result<(), Error> {
        for path in self.watched.drain(..) {
            // A folder that was deleted is no longer watched anyhow.
            let _ = self.watcher.unwatch(&path);
        }
        self.real_root = real_path(&self.root);
        self.identity = identity(&self.root);
        let mut wanted = vec![self.real_root.clone()];
        let above = self.real_root.parent().into_iter().flat_map(Path::ancestors).find(|path| path.is_dir());
        let beside = self.files.iter().filter_map(|file| file.parent());
        for folder in above.into_iter().chain(beside) {
            if !folder.starts_with(&self.real_root) && !wanted.iter().any(|known| known == folder) {
                wanted.push(folder.to_path_buf());
            }
        }
        for path in wanted {
            let mode =
                if path == self.real_root { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&path, mode) {
                Ok(()) => self.watched.push(path),
                // It is being rebuilt: its folder tells when it is back.
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

/// Sends a signal to stop at the first Ctrl-C.
fn stop_on_interrupt(sender: Sender<Signal>) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::system("cannot listen for Ctrl-C"))?;
    std::thread::spawn(move || {
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            // Nobody listens any more once the program ends.
            let _ = sender.send(Signal::Stop);
        }
    });
    Ok(())
}

/// The path as the system reports it, also where its end is not there yet.
fn real_path(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    for known in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (fs::canonicalize(known), path.strip_prefix(known)) {
            return if rest == Path::new("") { real } else { real.join(rest) };
        }
    }
    path
}

fn identity(root: &Path) -> Identity {
    let found = fs::metadata(root).ok()?;
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(&found);
    #[cfg(not(unix))]
    let number = 0;
    Some((found.created().ok(), number))
}
