//! Publishes a sealed export: the only entry point, with all guards.

use std::path::{Path, PathBuf};
use std::time::Duration;

use sitegate_check::{Contract, Seal, contract_digest};

use crate::failure::{Failure, FailureKind};
use crate::plan::{Plan, PlanLimits};
pub use crate::post_publish::PostPublish;
use crate::post_publish::{ExpectedSite, FailedStep, look_before, run_steps, validate_options};
use crate::precompressed::foreign_variants;
use crate::publication::{Event, Listener, Publication, PublishOutcome};
use crate::publisher::{self, ContentSource};
use crate::release::manifest::{self, Lineage, Object, ReleaseManifest, RollbackReason};
pub use crate::release::objects::ExportSource;
use crate::release::objects::{self, SealedExport};
use crate::rollback::RollbackRequest;
use crate::store;
use crate::target::PublishTarget;
use crate::target_state::lease::{self, Lease, RunOptions};
use crate::target_state::pending::{Pending, PendingVerification};
use crate::target_state::snapshot::{self, Snapshot};
use crate::target_state::state::State;

/// The minimum lease: a third of it must suffice to renew it.
const MIN_LEASE: Duration = Duration::from_secs(3);

/// A release to publish: its source, target and limits.
#[derive(Clone)]
pub struct PublishRequest<'r> {
    /// The target. If its folder does not exist, it is created.
    pub target: &'r PublishTarget,
    /// The export.
    pub export: ExportSource<'r>,
    /// The seal, written by a check that passed.
    pub seal: &'r Seal,
    /// The contract of that check.
    pub contract: &'r Contract,
    /// Whether to write precompressed variants next to text files; folders only.
    pub precompress: bool,
    /// The limits of the plan.
    pub limits: PlanLimits,
    /// Whether to stop after planning.
    pub dry_run: bool,
    /// How long others wait if this publisher stops responding.
    pub lease: Duration,
    /// The steps to run after the release is live.
    pub post_publish: PostPublish<'r>,
}

/// Publishes a sealed export, or plans to. Passes the plan to `show` before anything is written, unless there
/// is nothing to do.
///
/// # Errors
/// - [`FailureKind::Usage`] when the target cannot be used.
/// - [`FailureKind::SealMismatch`] when the export or the contract differs from the seal.
/// - [`FailureKind::Guard`] when a guard stops the plan.
/// - [`FailureKind::Held`] when another publisher is at work.
/// - [`FailureKind::Failed`] and [`FailureKind::PartlySwitched`] when the store fails before or after the first
///   visible change.
/// - [`FailureKind::Unverified`], [`FailureKind::RolledBack`] and [`FailureKind::RollbackFailed`] when the live
///   site does not match the release.
/// - [`FailureKind::Unverifiable`] when the live site gave no usable answer.
pub async fn publish(
    request: &PublishRequest<'_>,
    show: &dyn Fn(&Plan) -> Result<(), Failure>,
    notify: Listener<'_>,
) -> Result<Publication, Failure> {
    validate_options(request.target, &request.post_publish)?;
    refuse_other_contract(request.seal, request.contract)?;
    let target = request.target;
    let Prepared { export, snapshot, plan } = prepare(request).await?;
    if plan.is_noop {
        if let Some(message) = plan.variant_warning() {
            notify(&Event::Warning { message: &message });
        }
        if !request.dry_run {
            request.complete_pending(target, &snapshot.state, &plan, notify).await?;
        }
        return Ok(Publication::new(plan, PublishOutcome::Unchanged, target));
    }
    // Its switch only looks interrupted.
    lease::refuse_if_held(&snapshot.state)?;
    show(&plan)?;
    snapshot.state.unless_overtaken(target, plan.check_guards(&request.limits)).await?;
    if request.dry_run {
        return Ok(Publication::new(plan, PublishOutcome::Planned, target));
    }
    if plan.is_live {
        // An earlier run published it, and did not complete its last steps. A second release of the same content would
        // hide which one is at fault, and displace earlier releases.
        request.complete_pending(target, &snapshot.state, &plan, notify).await?;
        return Ok(Publication::new(plan, PublishOutcome::Unchanged, target));
    }
    let todo = request.post_publish.todo(snapshot.state.pending(), notify);
    let todo = look_before(todo, &snapshot.state, &plan, request.expected()).await?;
    let options = RunOptions { lease: request.lease(), pending: todo.clone() };
    let content = ContentSource::Export(&export);
    let run = publisher::execute(target, &plan, &snapshot.state, &content, &options, notify).await?;
    let completed = run.complete(&todo, &plan, Some(request.expected()), notify).await;
    request.roll_back_if_requested(completed, target, &plan, &todo, notify).await?;
    Ok(Publication::new(plan, PublishOutcome::Published, target))
}

/// A plan, and the data that it was made from.
struct Prepared {
    export: SealedExport,
    snapshot: Snapshot,
    plan: Plan,
}

async fn prepare(request: &PublishRequest<'_>) -> Result<Prepared, Failure> {
    let (target, seal) = (request.target, request.seal);
    let store = target.capabilities();
    if let (Some(folder), ExportSource::Folder(root)) = (&store.folder, request.export) {
        refuse_overlap(folder, root)?;
    }
    if store.serves_visitors {
        if !request.limits.allow_placeholders {
            refuse_placeholders(seal)?;
        }
        if request.precompress {
            return Err(precompress_unsupported(target));
        }
    }
    // Reads the store and the export at the same time: one waits for the network, the other for the disk.
    let early = async {
        if store.lists_contents { snapshot::read_snapshot(target, &[]).await.map(Some) } else { Ok(None) }
    };
    let (export, early) = tokio::join!(open_export(request.export, seal), early);
    let mut export = export?;
    export.add_redirects(request.contract)?;
    if request.precompress {
        export.add_variants()?;
    }
    let objects = objects::build_objects(&export, request.contract, store)?;
    refuse_names(&objects, target)?;
    let snapshot = if let Some(snapshot) = early? {
        snapshot
    } else {
        if !request.dry_run {
            target.store().create().await?;
        }
        refuse_colliding_names(&objects, target, request.dry_run).await?;
        snapshot::read_snapshot(target, &objects).await?
    };
    let created = snapshot.state.next_release_time(target.machine().now());
    let manifest = ReleaseManifest {
        inventory: export.release_inventory(),
        ..manifest::new_manifest(seal, objects, created)
    };
    let live = snapshot.state.live.as_ref();
    let lineage = Lineage::after(&manifest.release, live, request.limits.keep, None);
    let mut plan = Plan::new(manifest, &snapshot.state, &snapshot.present, lineage);
    plan.foreign_variants = foreign_variants(target, &plan, &snapshot.state).await?;
    Ok(Prepared { export, snapshot, plan })
}

/// Opens the export; a folder on a blocking thread.
async fn open_export(export: ExportSource<'_>, seal: &Seal) -> Result<SealedExport, Failure> {
    let root = match export {
        ExportSource::Folder(root) => root,
        ExportSource::Memory(files) => return SealedExport::from_memory(files, seal),
    };
    let (root, seal) = (root.to_path_buf(), seal.clone());
    let opened = tokio::task::spawn_blocking(move || SealedExport::open(&root, &seal)).await;
    opened.map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?
}

/// Rejects a contract that differs from the sealed one: it sets the headers.
fn refuse_other_contract(seal: &Seal, contract: &Contract) -> Result<(), Failure> {
    if seal.contract == contract_digest(contract) {
        return Ok(());
    }
    let help = match (&seal.contract, &contract.file) {
        (Some(_), None) => "the export was checked with a contract; name it with --config",
        (None, Some(_)) => "the export was checked without a contract; check it again, or use --no-config",
        _ => "run `sitegate check --seal FILE` again, and publish what passes",
    };
    let message = format!("{} is not the contract that the export was checked against", contract.name());
    Err(Failure::new(FailureKind::SealMismatch, message).help(help))
}

/// Rejects placeholders that the check warned about, for buckets.
fn refuse_placeholders(seal: &Seal) -> Result<(), Failure> {
    match seal.not_for_live.as_slice() {
        [] => Ok(()),
        found => Err(Failure::new(
            FailureKind::Guard,
            "the release contains placeholders that visitors should not see",
        )
        .names(found.to_vec())
        .help("set the real values, or use --allow-placeholders")),
    }
}

/// Reports --precompress for a bucket: only a server in front of a folder can choose between the variants.
fn precompress_unsupported(target: &PublishTarget) -> Failure {
    Failure::new(
        FailureKind::Usage,
        format!("{} is not a folder, so --precompress has no use there", target.url),
    )
    .help("remove --precompress, and let the CDN compress, as CloudFront does")
}

/// Rejects all keys that the target cannot store, before anything is sent.
fn refuse_names(objects: &[Object], target: &PublishTarget) -> Result<(), Failure> {
    let keys: Vec<&str> = objects.iter().map(|object| object.key.as_str()).collect();
    let invalid_keys = store::invalid_keys(&keys, &target.capabilities().key_rules);
    if invalid_keys.is_empty() {
        return Ok(());
    }
    Err(Failure::new(FailureKind::Usage, format!("{} cannot store these files", target.url))
        .names(invalid_keys)
        .help("rename these files, or exclude them from the build"))
}

/// Rejects files that are one file on the file system of a folder.
async fn refuse_colliding_names(
    objects: &[Object],
    target: &PublishTarget,
    dry_run: bool,
) -> Result<(), Failure> {
    let keys: Vec<&str> = objects.iter().map(|object| object.key.as_str()).collect();
    let mut colliding_keys = Vec::new();
    for pair in store::colliding_keys(&keys) {
        // A dry run writes nothing, so it assumes the system's usual file system.
        let is_one = if dry_run {
            cfg!(any(windows, target_os = "macos"))
        } else {
            target.store().are_same_object(pair).await
        };
        colliding_keys.extend(is_one.then_some(pair));
    }
    if colliding_keys.is_empty() {
        return Ok(());
    }
    let message = format!("on the file system of {}, the files of each pair are the same file", target.url);
    Err(Failure::new(FailureKind::Usage, message)
        .names(colliding_keys.into_iter().map(|[one, other]| format!("{one}  {other}")))
        .help("it ignores case or the way in which accents are encoded; rename one file of each pair"))
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
        let message = format!("{} and {} overlap: one contains the other", folder.display(), root.display());
        return Err(
            Failure::new(FailureKind::Usage, message).help("publish to a folder outside of the export")
        );
    }
    Ok(())
}

impl PostPublish<'_> {
    /// Returns the steps that this run requests.
    fn requested(&self) -> Pending {
        let PostPublish { rollback, rollback_unverified, .. } = *self;
        let patience = self.patience.as_secs();
        let verify = |url| PendingVerification::new(url, patience, rollback, rollback_unverified);
        Pending {
            invalidate: self.invalidate.map(str::to_owned),
            verify: self.verify.map(verify),
            edge: None,
        }
    }

    /// Returns the steps to run: the requested ones, and those that an earlier publish did not complete.
    fn todo(&self, before: Pending, notify: Listener<'_>) -> Pending {
        let requested = Pending { edge: before.edge.clone(), ..self.requested() };
        if self.drop_pending {
            return requested;
        }
        let todo = before.with(requested.clone());
        if todo != requested {
            let message = "completing steps of an earlier publish, too: see `sitegate target status`; --drop-pending drops \
                           them";
            notify(&Event::Warning { message });
        }
        todo
    }
}

impl PublishRequest<'_> {
    fn expected(&self) -> ExpectedSite<'_> {
        ExpectedSite {
            seal: self.seal,
            contract: self.contract,
            timeout: self.post_publish.timeout,
            visitors: self.post_publish.visitors,
        }
    }

    /// Completes the steps for a release that is live already, and deletes what it no longer has. A requested
    /// verification always runs; an invalidation only runs if it is pending.
    async fn complete_pending(
        &self,
        target: &PublishTarget,
        state: &State,
        plan: &Plan,
        notify: Listener<'_>,
    ) -> Result<(), Failure> {
        let before = state.pending();
        let mut todo = self.post_publish.todo(before.clone(), notify);
        if before.invalidate.is_none() {
            todo.invalidate = None;
        }
        if before.is_empty()
            && let Some(verify) = &mut todo.verify
        {
            // The release was verified before, so a failure now was not caused by it.
            verify.rollback = false;
        }
        let completed = if !(before.is_empty() && plan.deletes.is_empty()) {
            let options = RunOptions { lease: self.lease(), pending: todo.clone() };
            lease::refuse_if_held(state)?;
            let live = Lease::acquire(target, None, state, &options).await?;
            live.complete(&todo, plan, Some(self.expected()), notify).await
        } else if todo.verify.is_some() {
            lease::refuse_if_held(state)?;
            run_steps(target, plan, &todo, Some(self.expected()), notify).await.1.map_or(Ok(()), Err)
        } else {
            Ok(())
        };
        self.roll_back_if_requested(completed, target, plan, &todo, notify).await
    }

    /// Rolls back if a post-publish step failed and a rollback was requested.
    async fn roll_back_if_requested(
        &self,
        completed: Result<(), FailedStep>,
        target: &PublishTarget,
        plan: &Plan,
        todo: &Pending,
        notify: Listener<'_>,
    ) -> Result<(), Failure> {
        let Err(FailedStep { failure, rolls_back }) = completed else { return Ok(()) };
        if !rolls_back {
            return Err(match failure.kind {
                FailureKind::Unverified | FailureKind::Unverifiable => failure.help_also(&format!(
                    "the release is live; run the same command again to verify again, or `sitegate rollback {}` to \
                     restore an earlier release",
                    target.url_word()
                )),
                _ => failure,
            });
        }
        let reason = match failure.kind {
            FailureKind::Unverifiable => RollbackReason::Unverifiable,
            _ => RollbackReason::Unverified,
        };
        let request = RollbackRequest {
            target,
            to: None,
            keep: self.limits.keep,
            dry_run: false,
            invalidate: todo.invalidate.as_deref(),
            drop_pending: false,
        };
        let bad = plan.live_name();
        let back = match crate::rollback::plan(&request, reason).await {
            Ok(back) if back.replaced_release() == Some(bad) => {
                back.warn_of_edits(notify);
                back.execute(target, notify).await
            }
            Ok(_) => {
                Err(Failure::new(FailureKind::Held, "another publisher made another release live meanwhile"))
            }
            Err(refused) => Err(refused),
        };
        Err(match back {
            Ok(restored) => Failure { kind: FailureKind::RolledBack, ..failure }
                .help(format!("the content of {restored} is live again")),
            Err(refused) => rollback_failed(failure, &refused, bad),
        })
    }

    fn lease(&self) -> Duration {
        self.lease.max(MIN_LEASE)
    }
}

/// Combines the failed verification with a rollback that failed, too. The finding comes first.
fn rollback_failed(found: Failure, reason: &Failure, bad: &str) -> Failure {
    let help = reason.help.as_deref().unwrap_or_default();
    if reason.kind == FailureKind::Unverified {
        // The rollback succeeded; only the invalidation failed.
        return Failure { kind: FailureKind::RolledBack, ..found }
            .help(format!("{help}; {}", reason.message));
    }
    let why = format!("rolling back failed: {}; {help}", reason.message);
    let why = why.trim_end_matches("; ");
    let (kind, why) = match reason.kind {
        FailureKind::PartlySwitched | FailureKind::Sigint | FailureKind::Sigterm => {
            (reason.kind, why.to_owned())
        }
        FailureKind::Held => (found.kind, why.to_owned()),
        _ => {
            let problem = match found.kind {
                FailureKind::Unverifiable => "could not be verified",
                _ => "does not match the seal",
            };
            (FailureKind::RollbackFailed, format!("{bad} {problem}, and is still live; {why}"))
        }
    };
    Failure { kind, ..found }.help(why)
}
