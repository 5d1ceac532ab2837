//! Reads the pages of a folder during a round, as a visitor.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::invariants::{AllowedContent, public_objects};
use super::release::assets_of;
use super::target::read;
use crate::s3::server::Objects;

/// Pause between two visits of all pages.
const PAUSE: Duration = Duration::from_millis(4);

/// A running visitor.
pub struct Visitor {
    leaves: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), String>>>,
}

impl Visitor {
    /// Starts a visitor of a served folder.
    pub fn of(folder: &Path, allowed: &Arc<Mutex<AllowedContent>>) -> Visitor {
        let leaves = Arc::new(AtomicBool::new(false));
        let (folder, allowed, printed) = (folder.to_path_buf(), Arc::clone(allowed), Arc::clone(&leaves));
        let thread = std::thread::spawn(move || {
            while !printed.load(Ordering::Relaxed) {
                visit_all(&folder, &allowed).map_err(|wrong| format!("a visitor sees that {wrong}"))?;
                std::thread::sleep(PAUSE);
            }
            Ok(())
        });
        Visitor { leaves, thread: Some(thread) }
    }

    /// Stops the visitor and returns the violations that it saw.
    ///
    /// # Errors
    /// If an invariant is violated.
    pub fn finish(&mut self) -> Result<(), String> {
        self.leaves.store(true, Ordering::Relaxed);
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap())
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.leaves.store(true, Ordering::Relaxed);
    }
}

/// Checks all pages. Reads a page again if it changes during the read.
fn visit_all(folder: &Path, allowed: &Mutex<AllowedContent>) -> Result<(), String> {
    let mut objects = Objects::new();
    read(folder, "", &mut objects);
    for (key, stored) in public_objects(&objects) {
        allowed.lock().unwrap().is_allowed(key, &stored.body)?;
        for asset in assets_of(&stored.body) {
            let is_there = || folder.join(&asset).exists();
            let is_the_same = || fs::read(folder.join(key)).is_ok_and(|body| body == stored.body);
            if !is_there() && is_the_same() && !is_there() {
                return Err(format!("`{key}` needs `{asset}`, which is not there"));
            }
        }
    }
    Ok(())
}
