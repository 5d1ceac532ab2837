//! Reports what visitors still have after a publish that failed, in one line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sitegate_base::url_secrets::without_secrets;
use sitegate_publish::failure::FailureKind;
use sitegate_publish::machine::{Machine, ThisMachine};
use sitegate_publish::maintenance;
use sitegate_publish::target_state::state::State;

use crate::error::Error;
use crate::target_args::TargetArgs;

/// Maximum time to read the target again. It may be the reason of the failure.
const MAX_TIME: Duration = Duration::from_secs(2);

/// Returns what visitors still have. Returns none if the release is live, or the error itself says what is.
pub fn after_failure(error: &Error, target: &TargetArgs) -> Option<String> {
    let kind = match error {
        Error::Publish(failure) => failure.kind,
        _ => FailureKind::Usage,
    };
    let is_switching = match kind {
        FailureKind::PartlySwitched => true,
        FailureKind::SealMismatch
        | FailureKind::Usage
        | FailureKind::Credentials
        | FailureKind::Guard
        | FailureKind::Held
        | FailureKind::Failed => false,
        // The release is live, or what is live again was said.
        FailureKind::Unverified
        | FailureKind::Unverifiable
        | FailureKind::RolledBack
        | FailureKind::RollbackFailed
        // Stopping must not take longer. The message says whether anything visible was changed.
        | FailureKind::Sigint
        | FailureKind::Sigterm => return None,
    };
    // Without credentials, the target cannot be read, either.
    let state = if kind == FailureKind::Credentials { None } else { read(target) };
    let place = shown_target(target);
    let now = ThisMachine::default().now();
    Some(match (is_switching, state) {
        (true, state) => match state.and_then(|state| state.live) {
            Some(live) => {
                format!("{place} has files of two releases: of this one, and of {}", live.shown_time(now))
            }
            None => format!("{place} has some files of this release, and none of an earlier one"),
        },
        (false, None) => "nothing was published".to_owned(),
        (false, Some(State { live: None, .. })) => {
            format!("nothing was published; {place} has no release yet")
        }
        (false, Some(state @ State { live: Some(_), .. })) if state.interrupted().next().is_none() => {
            let live = state.live.as_ref()?;
            format!("nothing was published; {place} still has the release of {}", live.shown_time(now))
        }
        (false, Some(State { live: Some(live), .. })) => {
            format!(
                "{place} still has files of two releases: an interrupted one, and that of {}",
                live.shown_time(now)
            )
        }
    })
}

/// Reads the state of a target; none if it does not answer in time.
fn read(target: &TargetArgs) -> Option<State> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().ok()?;
    let state = runtime.block_on(async {
        let read = async { maintenance::read_state(&target.open().await.ok()?).await.ok() };
        tokio::time::timeout(MAX_TIME, read).await.ok().flatten()
    });
    runtime.shutdown_background();
    state
}

/// Returns the target as people name it: a folder below the current one as `./public`.
fn shown_target(target: &TargetArgs) -> String {
    let shown = without_secrets(&target.url);
    let Some(path) = shown.strip_prefix("file://").map(Path::new) else { return shown };
    let below = std::env::current_dir().ok().and_then(|here| {
        let real = real_path(path);
        real.strip_prefix(here).ok().map(Path::to_path_buf)
    });
    match below {
        Some(below) => format!("./{}", below.display()),
        None => path.display().to_string(),
    }
}

/// Resolves the links in a path, whose last name need not exist.
fn real_path(path: &Path) -> PathBuf {
    let real = || Some(std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
    std::fs::canonicalize(path).ok().or_else(real).unwrap_or_else(|| path.to_path_buf())
}
