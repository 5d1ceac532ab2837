//! A stop that was asked for, by Ctrl-C or by whoever ends the process: a publisher gives its target back first.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::failure::{Exit, Failure};

/// Whether a stop was asked for, and by what. A signal is meant for the whole process, so this is too.
static ASKED: LazyLock<watch::Sender<Option<Exit>>> = LazyLock::new(|| watch::Sender::new(None));

/// Pieces of work that end by themselves when a stop is asked for.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// Asks whatever holds a target to give it back and to stop. `exit` is [`Exit::Interrupt`] or [`Exit::Terminate`].
/// Says whether anything does; if not, the process can end at once, and nothing at any target is half done.
pub fn ask(exit: Exit) -> bool {
    ASKED.send_replace(Some(exit));
    LISTENING.load(Ordering::SeqCst) > 0
}

/// Work that a stop must not cut off.
#[derive(Debug)]
pub(crate) struct Listening(());

impl Listening {
    pub(crate) fn begin() -> Listening {
        LISTENING.fetch_add(1, Ordering::SeqCst);
        Listening(())
    }

    /// The stop that was asked for, as a failure.
    pub(crate) fn is_asked() -> Option<Failure> {
        (*ASKED.borrow()).map(|exit| Failure::new(exit, "stopped, and gave the target back"))
    }

    /// Waits until a stop is asked for.
    pub(crate) async fn asked(&self) -> Failure {
        let mut asked = ASKED.subscribe();
        loop {
            if let Some(failure) = Listening::is_asked() {
                return failure;
            }
            if asked.changed().await.is_err() {
                // Nobody is left who could ask.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        LISTENING.fetch_sub(1, Ordering::SeqCst);
    }
}
