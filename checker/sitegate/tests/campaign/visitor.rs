//! Somebody who reads a folder's pages while all this goes on.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use super::judge::{Known, visible};
use super::place::read;
use super::release::assets_of;
use crate::s3::server::Objects;

/// A rest between two looks at everything.
const REST: Duration = Duration::from_millis(4);

/// A visitor at work.
pub struct Visitor {
    leaves: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<(), String>>>,
}

impl Visitor {
    /// Sends a visitor to what is served in a folder.
    pub fn of(folder: &Path, known: &Arc<Mutex<Known>>) -> Visitor {
        let leaves = Arc::new(AtomicBool::new(false));
        let (folder, known, told) = (folder.to_path_buf(), Arc::clone(known), Arc::clone(&leaves));
        let thread = std::thread::spawn(move || {
            while !told.load(Ordering::Relaxed) {
                look(&folder, &known).map_err(|wrong| format!("a visitor sees that {wrong}"))?;
                std::thread::sleep(REST);
            }
            Ok(())
        });
        Visitor { leaves, thread: Some(thread) }
    }

    /// What the visitor saw.
    ///
    /// # Errors
    /// What is wrong.
    pub fn leave(&mut self) -> Result<(), String> {
        self.leaves.store(true, Ordering::Relaxed);
        self.thread.take().map_or(Ok(()), |thread| thread.join().unwrap())
    }
}

impl Drop for Visitor {
    fn drop(&mut self) {
        self.leaves.store(true, Ordering::Relaxed);
    }
}

/// Looks at all that is there. A page that changes under the eyes is looked at again.
fn look(folder: &Path, known: &Mutex<Known>) -> Result<(), String> {
    let mut objects = Objects::new();
    read(folder, "", &mut objects);
    for (key, stored) in visible(&objects) {
        known.lock().unwrap().may_be(key, &stored.body)?;
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
