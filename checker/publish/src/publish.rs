//! Publishing through one door: every guard between a sealed export and a live release stands behind it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::seal::{Seal, contract_digest};
use sitegate_hosting::headers::STATE;

use crate::afterwards::{LiveRun, LookedFor, Undone, follow_up, refuse_unusable};
use crate::events::{Event, Listener};
use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, RunOptions};
use crate::memory::pending::{Pending, PendingVerification};
use crate::memory::state::{State, random_id};
use crate::memory::survey::{self, Standing};
use crate::plan::{Plan, PlanLimits};
use crate::publication::{Publication, Reached};
use crate::publisher::{self, Content};
use crate::release::lineage::{LeftBecause, Lineage};
use crate::release::manifest::{Object, ReleaseManifest};
use crate::release::source::SealedExport;
use crate::release::{manifest, objects};
use crate::rollback::Wish;
use crate::target::store::{SLOWEST, TargetOptions};
use crate::target::{LARGE, PublishTarget, names};

/// The shortest lease: a third of it must suffice to renew it.
const SHORTEST_LEASE: Duration = Duration::from_secs(3);

/// What goes live, where, and what that may do.
#[derive(Clone)]
pub struct PublishRequest<'r> {
    /// The target's URL.
    pub target: &'r str,
    /// How the target is reached.
    pub options: TargetOptions,
    /// The export's folder.
    pub export: &'r Path,
    /// What the check promised of it.
    pub seal: &'r Seal,
    /// The contract that it was checked against.
    pub contract: &'r Contract,
    /// Whether to put compressed forms beside each text; folders only.
    pub precompress: bool,
    /// What the plan may do.
    pub limits: PlanLimits,
    /// Whether to stop after planning.
    pub dry_run: bool,
    /// How long others wait for this publisher if it stopped responding.
    pub lease: Duration,
    /// What follows when the release is live.
    pub afterwards: Afterwards<'r>,
}

/// What follows when a release is live.
#[derive(Clone, Copy, Debug, Default)]
pub struct Afterwards<'a> {
    /// The CloudFront distribution to tell of it.
    pub invalidate: Option<&'a str>,
    /// The live site's address, to ask whether it answers as sealed.
    pub verify: Option<&'a str>,
    /// How long to ask again until it does.
    pub patience: Duration,
    /// Whether to roll back if it does not.
    pub rollback: bool,
    /// Whether to leave out what an earlier publish asked for and did not get done.
    pub drop_pending: bool,
}

/// Publishes a sealed export, or plans to. `show` gets the plan before anything is done, unless there is nothing
/// to do.
///
/// # Errors
/// [`Exit::Usage`] when the target cannot be used, [`Exit::Refused`] when the export or the contract is not what was
/// sealed, [`Exit::Guard`] when the plan does what nobody asked for, [`Exit::Held`] when another publisher is at work,
/// [`Exit::Failed`] and [`Exit::Interrupted`] when the store fails before or after the first page was switched,
/// [`Exit::Unverified`], [`Exit::RolledBack`] and [`Exit::StillLive`] when the live site does not show the release.
pub async fn publish(
    request: &PublishRequest<'_>,
    show: &dyn Fn(&Plan) -> Result<(), Failure>,
    tell: Listener<'_>,
) -> Result<Publication, Failure> {
    refuse_unusable(request.target, request.afterwards.invalidate, request.afterwards.verify)?;
    refuse_other_contract(request.seal, request.contract)?;
    let Prepared { target, export, standing, plan } = prepare(request).await?;
    if plan.nothing {
        if !request.dry_run {
            request.settle(&target, &standing.state, &plan, tell).await?;
        }
        return Ok(Publication::new(plan, Reached::Unchanged, &target));
    }
    show(&plan)?;
    lock::refuse_held(&standing.state)?;
    standing.state.unless_overtaken(&target, plan.guard(&request.limits)).await?;
    if request.dry_run {
        return Ok(Publication::new(plan, Reached::Planned, &target));
    }
    let todo = request.afterwards.todo(standing.state.pending(), tell);
    let options = RunOptions { lease: request.lease(), pending: todo.clone() };
    let content = Content::Export(&export);
    let run = publisher::carry_out(&target, &plan, &standing.state, &content, &options, tell).await?;
    let settled = LiveRun::new(&target, run).settle(&todo, &plan, Some(request.expected()), tell).await;
    request.or_back(settled, &target, &plan, &todo, tell).await?;
    Ok(Publication::new(plan, Reached::Published, &target))
}

/// A plan, and what was read to make it.
struct Prepared {
    target: PublishTarget,
    export: SealedExport,
    standing: Standing,
    plan: Plan,
}

async fn prepare(request: &PublishRequest<'_>) -> Result<Prepared, Failure> {
    let seal = request.seal;
    // What is large goes in pieces, each of them a request of its own.
    let largest = seal.files.iter().map(|file| file.size.min(LARGE)).max().unwrap_or(0);
    let slack = Duration::from_secs(largest / SLOWEST);
    let options = TargetOptions { timeout: request.options.timeout + slack, ..request.options.clone() };
    let mut target = PublishTarget::open(request.target, &options, false).await?;
    let is_folder = match target.folder() {
        Some(folder) => refuse_overlap(folder, request.export).map(|()| true)?,
        None if request.limits.allow_placeholders => false,
        None => refuse_placeholders(seal).map(|()| false)?,
    };
    if request.precompress && !is_folder {
        return Err(cannot_choose(&target));
    }
    // A bucket is looked at while the export is read: one waits for the network, the other for the disk.
    let early = async { if is_folder { Ok(None) } else { survey::survey(&target, &[]).await.map(Some) } };
    let (export, early) = tokio::join!(open_export(request.export, seal), early);
    let mut export = export?;
    export.add_redirects(request.contract)?;
    if request.precompress {
        export.add_variants()?;
    }
    let objects = objects::objects(&export, request.contract, target.abilities())?;
    refuse_names(&objects, &target, request.dry_run)?;
    let standing = if let Some(standing) = early? {
        standing
    } else {
        if !request.dry_run {
            target = PublishTarget::open(request.target, &options, true).await?;
        }
        survey::survey(&target, &objects).await?
    };
    let manifest = manifest::manifest(seal, objects, standing.state.moment());
    let lineage =
        Lineage::after(standing.state.live.as_ref().map(ReleaseManifest::lineage), request.limits.keep, None);
    let plan = Plan::new(manifest, &standing.state, &standing.present, lineage);
    Ok(Prepared { target, export, standing, plan })
}

/// Reads the export beside whatever else is done.
async fn open_export(root: &Path, seal: &Seal) -> Result<SealedExport, Failure> {
    let (root, seal) = (root.to_path_buf(), seal.clone());
    let opened = tokio::task::spawn_blocking(move || SealedExport::open(&root, &seal)).await;
    opened.map_err(|error| Failure::new(Exit::Failed, error.to_string()))?
}

/// The contract sets headers, so it must be the one that the export was checked against.
fn refuse_other_contract(seal: &Seal, contract: &Contract) -> Result<(), Failure> {
    if seal.contract == contract_digest(contract) {
        return Ok(());
    }
    let help = match (&seal.contract, &contract.file) {
        (Some(_), None) => "the export was checked against a contract; name it with --config",
        (None, Some(_)) => "the export was checked without a contract; check it again, or say --no-config",
        _ => "run `sitegate check --seal FILE` again, and publish what passes",
    };
    let message = format!("{} is not the contract that the export passed", contract.name());
    Err(Failure::new(Exit::Refused, message).help(help))
}

/// Keeps from a bucket what a check warned of and a visitor must not see.
fn refuse_placeholders(seal: &Seal) -> Result<(), Failure> {
    match seal.not_for_live.as_slice() {
        [] => Ok(()),
        found => Err(Failure::new(Exit::Guard, "the release holds placeholders that no visitor should see")
            .names(found.to_vec())
            .help("set the real values, or let them pass with --allow-placeholders")),
    }
}

/// Only a server in front of a folder can use what --precompress makes.
fn cannot_choose(target: &PublishTarget) -> Failure {
    Failure::new(Exit::Usage, format!("{} cannot choose between compressed forms", target.url))
        .help("leave --precompress out, and let the CDN compress, as CloudFront does")
}

/// Refuses keys that the target cannot hold, all of them before anything is sent.
fn refuse_names(objects: &[Object], target: &PublishTarget, dry_run: bool) -> Result<(), Failure> {
    let keys: Vec<&str> = objects.iter().map(|object| object.key.as_str()).collect();
    let stop = |message: String, names: Vec<String>, help: &str| {
        if names.is_empty() {
            Ok(())
        } else {
            Err(Failure::new(Exit::Usage, message).names(names).help(help))
        }
    };
    let unfit = names::unfit(&keys, target.room(&target.prefix()));
    let help = "give these files other names, or leave them out of the build; nothing was published";
    stop(format!("{} cannot hold these", target.url), unfit, help)?;
    let Some(folder) = target.folder() else { return Ok(()) };
    let mut alike = names::alike(&keys);
    let probe = folder.join(STATE).join(format!("names-{}", random_id()));
    // A plan writes nothing, so that it only knows what file systems are like on a system as a rule.
    let is_one = |pair: &[&str; 2]| {
        if dry_run { cfg!(any(windows, target_os = "macos")) } else { names::are_one(&probe, *pair) }
    };
    alike.retain(is_one);
    let pairs = alike.into_iter().map(|[one, other]| format!("{one}  {other}")).collect();
    let message = format!("the file system of {} takes these for one file", target.url);
    stop(
        message,
        pairs,
        "letters of either case, or two ways to write an accent, are the same there; rename one of each two",
    )
}

fn refuse_overlap(folder: &Path, root: &Path) -> Result<(), Failure> {
    let real = |path: &Path| -> PathBuf {
        let known = path.ancestors().find_map(|parent| {
            let real = std::fs::canonicalize(parent).ok()?;
            Some(path.strip_prefix(parent).map_or_else(|_| real.clone(), |rest| real.join(rest)))
        });
        known.unwrap_or_else(|| path.to_path_buf())
    };
    let root = std::path::absolute(root).map_or_else(|_| root.to_path_buf(), |root| real(&root));
    let folder = real(folder);
    if folder.starts_with(&root) || root.starts_with(&folder) {
        let message = format!("{} and {} overlap: one lies in the other", folder.display(), root.display());
        return Err(Failure::new(Exit::Usage, message).help("publish to a folder beside the export"));
    }
    Ok(())
}

impl Afterwards<'_> {
    /// What is asked for now.
    fn asked(&self) -> Pending {
        let patience = self.patience.as_secs();
        Pending {
            invalidate: self.invalidate.map(str::to_owned),
            verify: self.verify.map(|url| PendingVerification::new(url, patience, self.rollback)),
        }
    }

    /// What is to be done when the release is live: what is asked for now, and what an earlier publish asked for and did
    /// not get done.
    fn todo(&self, before: Pending, tell: Listener<'_>) -> Pending {
        let asked = self.asked();
        if self.drop_pending {
            return asked;
        }
        let todo = before.with(asked.clone());
        if todo != asked {
            let message = "an earlier publish asked for what was not done yet, and it is done now: see `sitegate \
                           status`; --drop-pending leaves it out";
            tell(&Event::Warning { message });
        }
        todo
    }
}

impl PublishRequest<'_> {
    fn expected(&self) -> LookedFor<'_> {
        LookedFor { seal: self.seal, contract: self.contract, timeout: self.options.timeout }
    }

    /// Does what is still to be done for a release that is live already. The live site is asked whenever that is asked
    /// for, CloudFront is told only where it was not yet.
    async fn settle(
        &self,
        target: &PublishTarget,
        state: &State,
        plan: &Plan,
        tell: Listener<'_>,
    ) -> Result<(), Failure> {
        let before = state.pending();
        let mut todo = self.afterwards.todo(before.clone(), tell);
        if before.invalidate.is_none() {
            todo.invalidate = None;
        }
        let settled = if !before.is_empty() {
            let options = RunOptions { lease: self.lease(), pending: todo.clone() };
            let live = LiveRun::take(target, state, &options).await?;
            live.settle(&todo, plan, Some(self.expected()), tell).await
        } else if let Some(verify) = &mut todo.verify {
            // It was live and seen to be: what is wrong now did not come with this release.
            verify.rollback = false;
            lock::refuse_held(state)?;
            follow_up(target, plan.live_name(), &todo, Some(self.expected())).await.1.map_or(Ok(()), Err)
        } else {
            Ok(())
        };
        self.or_back(settled, target, plan, &todo, tell).await
    }

    /// Goes back where what followed a release did not succeed and that was asked for.
    async fn or_back(
        &self,
        settled: Result<(), Undone>,
        target: &PublishTarget,
        plan: &Plan,
        todo: &Pending,
        tell: Listener<'_>,
    ) -> Result<(), Failure> {
        let Err(Undone { failure, rolls_back }) = settled else { return Ok(()) };
        if !rolls_back {
            return Err(match failure.exit {
                Exit::Unverified => failure.help_also(&format!(
                    "the release is live; running the same command again asks again, and `sitegate rollback {}` puts \
                     an earlier release back",
                    target.url
                )),
                _ => failure,
            });
        }
        let wish = Wish {
            to: None,
            keep: self.limits.keep,
            because: LeftBecause::Unverified,
            invalidate: todo.invalidate.as_deref(),
            drop_pending: false,
        };
        let bad = plan.live_name();
        let back = match crate::rollback::plan(target, &wish).await {
            Ok(back) if back.leaves() == Some(bad) => back.carry_out(target, tell).await,
            Ok(_) => Err(Failure::new(Exit::Held, "another publisher made another release live meanwhile")),
            Err(reason) => Err(reason),
        };
        Err(match back {
            Ok(restored) => Failure { exit: Exit::RolledBack, ..failure }
                .help(format!("the content of {restored} is live again")),
            Err(reason) => not_back(failure, &reason, bad),
        })
    }

    fn lease(&self) -> Duration {
        self.lease.max(SHORTEST_LEASE)
    }
}

/// A release that is not as it should be, and a rollback that did not end well. What was found comes first.
fn not_back(found: Failure, reason: &Failure, bad: &str) -> Failure {
    let help = reason.help.as_deref().unwrap_or_default();
    if reason.exit == Exit::Unverified {
        // It went back, and CloudFront was not told of it.
        return Failure { exit: Exit::RolledBack, ..found }.help(format!("{help}; {}", reason.message));
    }
    let why = format!("rolling back failed: {}; {help}", reason.message);
    let why = why.trim_end_matches("; ");
    let (exit, why) = match reason.exit {
        Exit::Interrupted | Exit::Interrupt | Exit::Terminate => (reason.exit, why.to_owned()),
        Exit::Held => (Exit::Unverified, why.to_owned()),
        _ => (Exit::StillLive, format!("{bad} does not answer as published, and is live; {why}")),
    };
    Failure { exit, ..found }.help(why)
}
