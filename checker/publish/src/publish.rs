//! Publishing through one door: every guard between a sealed export and a live release stands behind it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sitegate_check::contract::Contract;
use sitegate_check::seal::{Seal, contract_digest};

use crate::events::Listener;
use crate::failure::{Exit, Failure};
use crate::memory::lock::{self, HeldRun, RunOptions};
use crate::memory::survey::{self, Standing};
use crate::plan::{Plan, PlanLimits};
use crate::publication::{Publication, Reached};
use crate::publisher::{self, Content};
use crate::release::source::SealedExport;
use crate::release::{manifest, objects};
use crate::target::store::{SLOWEST, TargetOptions};
use crate::target::{LARGE, PublishTarget};

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
}

/// Publishes a sealed export, or plans to. `show` gets the plan before anything is done, unless there is nothing
/// to do.
///
/// # Errors
/// [`Exit::Usage`] when the target cannot be used, [`Exit::Refused`] when the export or the contract is not what was
/// sealed, [`Exit::Guard`] when the plan does what nobody asked for, [`Exit::Held`] when another publisher is at work,
/// [`Exit::Failed`] and [`Exit::Interrupted`] when the store fails before or after the first page was switched,
/// [`Exit::Unverified`] and [`Exit::RolledBack`] when the live site does not show the release.
pub async fn publish(
    request: &PublishRequest<'_>,
    show: &dyn Fn(&Plan) -> Result<(), Failure>,
    tell: Listener<'_>,
) -> Result<Publication, Failure> {
    request.afterwards.refuse_without_network()?;
    refuse_other_contract(request.seal, request.contract)?;
    let Prepared { target, export, standing, plan } = prepare(request).await?;
    if plan.nothing {
        return Ok(Publication::new(plan, Reached::Unchanged, &target));
    }
    show(&plan)?;
    lock::refuse_held(&standing.state)?;
    plan.guard(&request.limits)?;
    if request.dry_run {
        return Ok(Publication::new(plan, Reached::Planned, &target));
    }
    let more = request.afterwards.invalidate.is_some() || request.afterwards.verify.is_some();
    let options = RunOptions { lease: request.lease.max(SHORTEST_LEASE), more };
    let content = Content::Export(&export);
    let run = publisher::carry_out(&target, &plan, &standing.state, &content, &options, tell).await?;
    #[cfg(feature = "network")]
    let run = request.show_to_the_world(run, &target, &plan, tell).await?;
    publisher::clear(&run, &target, &plan, tell).await;
    run.end().await?;
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
    let standing = match early? {
        Some(standing) => standing,
        None => {
            if !request.dry_run {
                target = PublishTarget::open(request.target, &options, true).await?;
            }
            survey::survey(&target, &objects).await?
        }
    };
    let manifest = manifest::manifest(seal, objects, standing.state.moment());
    let plan = Plan::new(manifest, &standing.state, &standing.present, request.limits.keep);
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
    /// Nothing is published that could not be followed up as it was asked.
    fn refuse_without_network(&self) -> Result<(), Failure> {
        match (self.invalidate, self.verify) {
            _ if cfg!(feature = "network") => Ok(()),
            (Some(_), _) => Err(Failure::without_network("telling CloudFront")),
            (_, Some(_)) => Err(Failure::without_network("asking the live site")),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(feature = "network")]
impl PublishRequest<'_> {
    /// Shows a live release to the world, and asks whether the world sees it.
    async fn show_to_the_world<'t>(
        &self,
        run: HeldRun<'t>,
        target: &'t PublishTarget,
        plan: &Plan,
        tell: Listener<'_>,
    ) -> Result<HeldRun<'t>, Failure> {
        use crate::aws::cloudfront;
        let Afterwards { invalidate, verify, patience, rollback } = self.afterwards;
        let show = async {
            if let Some(distribution) = invalidate {
                cloudfront::invalidate(target, distribution, &plan.manifest.release).await?;
            }
            if let Some(url) = verify {
                let timeout = self.options.timeout;
                crate::verify::look_until(url, self.seal, self.contract, timeout, patience).await?;
            }
            Ok(())
        };
        let Err(failure) = run.hold_while(run.unless_stopped(show)).await else { return Ok(run) };
        run.end().await?;
        if !rollback || verify.is_none() {
            let help = format!("`sitegate rollback {}` puts the release before it back", target.url);
            return Err(failure.help(help));
        }
        let rollback = crate::rollback::plan(target, None, self.limits.keep).await?;
        let restored = rollback.carry_out(target, invalidate, tell).await?;
        Err(Failure { exit: Exit::RolledBack, ..failure }.help(format!("release {restored} is live again")))
    }
}
