//! What follows when a release is live, while the target stays held: CloudFront is told, the live site asked, and what
//! the release no longer has is deleted. What did not succeed is remembered.

use std::time::Duration;

use crate::events::{Event, Listener};
use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, HeldRun, RunOptions};
use crate::memory::pending::Pending;
use crate::memory::state::{self, Stage, State};
use crate::plan::Plan;
use crate::target::PublishTarget;
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::seal::Seal;

/// Refuses at the start what could not be done in the end.
///
/// # Errors
/// [`Exit::Usage`].
pub(crate) fn refuse_unusable(
    target: &str,
    invalidate: Option<&str>,
    verify: Option<&str>,
) -> Result<(), Failure> {
    if !cfg!(feature = "network") {
        let what = invalidate.map(|_| "telling CloudFront").or(verify.map(|_| "asking the live site"));
        return what.map_or(Ok(()), |what| Err(Failure::without_network(what)));
    }
    if let Some(distribution) = invalidate {
        if distribution.is_empty() || !distribution.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let message = format!("`{distribution}` is not a CloudFront distribution");
            return Err(Failure::new(Exit::Usage, message));
        }
        if !target.starts_with("s3:") {
            return Err(Failure::new(
                Exit::Usage,
                format!("{target} has no AWS credentials to tell CloudFront with"),
            )
            .help("leave --invalidate out, and tell CloudFront by another program"));
        }
    }
    #[cfg(feature = "network")]
    if let Some(url) = verify {
        crate::verify::root(url)?;
    }
    Ok(())
}

/// What a look at the live site takes besides its address.
#[derive(Clone, Copy)]
pub(crate) struct LookedFor<'e> {
    /// What was sealed.
    pub seal: &'e Seal,
    /// The contract that it passed.
    pub contract: &'e Contract,
    /// How long an answer may take.
    pub timeout: Duration,
}

/// What came of it where it did not succeed.
#[derive(Debug)]
pub(crate) struct Undone {
    /// What failed.
    pub failure: Failure,
    /// Whether to roll back for it.
    pub rolls_back: bool,
}

/// A run whose release is live, and that still holds the target.
pub(crate) struct LiveRun<'l> {
    target: &'l PublishTarget,
    run: HeldRun<'l>,
}

impl<'l> LiveRun<'l> {
    /// The run that made its release live.
    pub(crate) fn new(target: &'l PublishTarget, run: HeldRun<'l>) -> LiveRun<'l> {
        LiveRun { target, run }
    }

    /// Takes a target whose release is live already, for what is still to be done.
    ///
    /// # Errors
    /// [`Exit::Held`] when another publisher is at work.
    pub(crate) async fn take(
        target: &'l PublishTarget,
        state: &State,
        options: &RunOptions,
    ) -> Result<LiveRun<'l>, Failure> {
        lock::refuse_held(state)?;
        Ok(LiveRun::new(target, HeldRun::take_for_work(target, state, options).await?))
    }

    /// Gives the target back, and remembers what is still to be done.
    ///
    /// # Errors
    /// [`Exit::Held`] when another publisher took the target meanwhile, and when the store fails.
    pub(crate) async fn end(self, left: Pending) -> Result<(), Failure> {
        self.run.change(|run| {
            run.pending = left;
            if run.stage == Stage::Publishing {
                run.unfinished = state::unfinished(run);
                run.stage = Stage::Released;
            }
        });
        self.run.end().await.map(|_| ())
    }

    /// Does what is to be done for the live release, deletes what it no longer has, and gives the target back.
    ///
    /// # Errors
    /// What did not succeed; it is remembered, and nothing was deleted.
    pub(crate) async fn settle(
        self,
        todo: &Pending,
        plan: &Plan,
        expected: Option<LookedFor<'_>>,
        tell: Listener<'_>,
    ) -> Result<(), Undone> {
        let held = |failure| Undone { failure, rolls_back: false };
        let follows = follow_up(self.target, plan.live_name(), todo, expected);
        let follows = self.run.unless_stopped(async { Ok(follows.await) });
        let (left, failed) = match self.run.hold_while(follows).await {
            Ok(followed) => followed,
            Err(failure) if failure.is_stop() => {
                let more = "the release is live; running the same command again does what was to follow";
                (todo.clone(), Some(held(failure.help_also(more))))
            }
            Err(failure) => (todo.clone(), Some(held(failure))),
        };
        if let Some(unsettled) = failed {
            // The store may be the very thing that fails; then the lease runs out by itself.
            let _ = self.end(left).await;
            return Err(unsettled);
        }
        self.clear(plan, tell).await;
        // The release is live and seen to be. Whoever comes next looks again if this record cannot be written.
        let _ = self.end(left).await;
        Ok(())
    }

    /// Deletes what a release no longer has. It is live and seen to be by now, so what cannot be deleted is only
    /// told; the next publish deletes it.
    async fn clear(&self, plan: &Plan, tell: Listener<'_>) {
        if plan.deletes.is_empty() {
            return;
        }
        let delete = async || {
            for keys in plan.ordered_deletes() {
                self.target.delete(&keys).await?;
                self.target.flush().await?;
            }
            Ok(())
        };
        if let Err(failure) = self.run.hold_while(self.run.while_ours(delete)).await {
            let message = format!("the release is live, but old objects remain: {}", failure.message);
            tell(&Event::Warning { message: &message });
        }
    }
}

/// Does what is to be done for a live release. Gives what is left of it, and what failed.
#[cfg(feature = "network")]
pub(crate) async fn follow_up(
    target: &PublishTarget,
    release: &str,
    todo: &Pending,
    expected: Option<LookedFor<'_>>,
) -> (Pending, Option<Undone>) {
    let mut left = todo.clone();
    let wants_back = todo.verify.as_ref().is_some_and(|verify| verify.rollback);
    if let Some(distribution) = &todo.invalidate {
        match crate::aws::cloudfront::invalidate(target, distribution, release).await {
            Ok(()) => left.invalidate = None,
            Err(failure) => {
                return (left, Some(Undone { failure: unseen(failure), rolls_back: wants_back }));
            }
        }
    }
    if let (Some(verify), Some(LookedFor { seal, contract, timeout })) = (&todo.verify, expected) {
        let address = match verify.address() {
            Ok(address) => address,
            Err(failure) => return (left, Some(Undone { failure, rolls_back: false })),
        };
        let patience = Duration::from_secs(verify.patience);
        match crate::verify::ask_until(address, seal, contract, timeout, patience).await {
            Ok(found) => match found.or_fail(&verify.url) {
                Ok(()) => left.verify = None,
                Err(failure) => return (left, Some(Undone { failure, rolls_back: wants_back })),
            },
            Err(failure) => {
                return (left, Some(Undone { failure: unseen(failure), rolls_back: false }));
            }
        }
    }
    (left, None)
}

/// What cannot be done without the network stays to be done.
#[cfg(not(feature = "network"))]
pub(crate) async fn follow_up(
    _target: &PublishTarget,
    _release: &str,
    todo: &Pending,
    expected: Option<LookedFor<'_>>,
) -> (Pending, Option<Undone>) {
    let _ = expected.map(|LookedFor { seal, contract, timeout }| (seal, contract, timeout));
    (todo.clone(), None)
}

/// A failure of what follows: the release is live all the same.
#[cfg(feature = "network")]
fn unseen(failure: Failure) -> Failure {
    Failure { exit: Exit::Unverified, ..failure }
}
