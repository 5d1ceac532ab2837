//! Executes a plan: acquires the lease, uploads files, switches pages, and ends the lease.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::StreamExt;

use crate::failure::{Failure, FailureKind};
use crate::plan::{Backup, Plan};
use crate::publication::{Event, Listener};
use crate::release::manifest::{Object, ObjectRole, ReleaseInventory, switch_rank};
use crate::release::objects::{SealedExport, content_changed};
use crate::store::{Condition, Content, Headers, StoreError, Write};
use crate::target::PublishTarget;
use crate::target_state::lease::{Lease, RunOptions, if_unchanged};
use crate::target_state::pending::Pending;
use crate::target_state::state::{self, RunRecord, Stage, State, backup_key, record_tag, release_key};

/// Size of a block of common file systems, in bytes.
const BLOCK: u64 = 4 << 10;

/// Maximum size of an object that S3 copies in one request, in bytes.
const MAX_COPY: u64 = 5 << 30;

/// The source of a release's contents.
#[derive(Debug)]
pub enum ContentSource<'c> {
    /// The sealed export.
    Export(&'c SealedExport),
    /// The backups on the target.
    Backups,
}

/// Executes a plan. The caller has shown it and checked its guards.
///
/// # Errors
/// [`FailureKind::Held`] when another publisher was faster, [`FailureKind::Failed`] before any visible change,
/// [`FailureKind::PartlySwitched`] afterwards.
pub(crate) async fn execute<'c>(
    target: &'c PublishTarget,
    plan: &'c Plan,
    state: &State,
    content: &'c ContentSource<'c>,
    options: &'c RunOptions,
    notify: Listener<'c>,
) -> Result<Lease<'c>, Failure> {
    let lease = Lease::acquire(target, Some(plan), state, options).await?;
    if !lease.record().capabilities.create {
        let message = "this store ignores conditional writes, so concurrent publishers would not notice each other: \
                       make sure that only one runs at a time";
        notify(&Event::Warning { message });
    }
    notify(&Event::LeaseAcquired { run: lease.record().number, release: &plan.manifest.release });
    let worker = Publisher {
        target,
        plan,
        content,
        lease,
        pending: &options.pending,
        inventory: inventory_to_store(plan, state, content),
        failed: AtomicBool::new(false),
        switching: AtomicBool::new(false),
        written: AtomicUsize::new(0),
        total: plan.writes().count(),
        notify,
    };
    match worker.lease.renew_during(worker.work()).await {
        Ok(()) => worker.finish().await,
        Err(failure) => Err(worker.give_up(failure).await),
    }
}

/// Returns the key and the bytes of the release's inventory, unless the target has it.
fn inventory_to_store(plan: &Plan, state: &State, content: &ContentSource<'_>) -> Option<(String, Bytes)> {
    let ContentSource::Export(export) = content else { return None };
    let ReleaseInventory { sha256, size } = plan.manifest.inventory.as_ref()?;
    let is_stored = state.backups.get(sha256) == Some(size);
    export.inventory.clone().filter(|_| !is_stored).map(|bytes| (backup_key(sha256), bytes))
}

/// Reports a content that changed after the plan was made.
fn changed_meanwhile(key: &str) -> Failure {
    Failure::new(FailureKind::Failed, format!("{key} was changed by someone else during the publish"))
}

/// Returns the content to back up.
fn backup_content(backup: &Backup) -> Content {
    Content::Key { key: backup.key.clone(), size: backup.size, sha256: backup.sha256.clone() }
}

struct Publisher<'w> {
    target: &'w PublishTarget,
    plan: &'w Plan,
    content: &'w ContentSource<'w>,
    lease: Lease<'w>,
    /// The steps to run after the release is live.
    pending: &'w Pending,
    /// The inventory to store: its key and its bytes.
    inventory: Option<(String, Bytes)>,
    /// Whether something failed. Then no further write is started, and those in flight finish.
    failed: AtomicBool,
    /// Whether a visible change may have been made.
    switching: AtomicBool,
    written: AtomicUsize,
    total: usize,
    notify: Listener<'w>,
}

impl<'w> Publisher<'w> {
    async fn work(&self) -> Result<(), Failure> {
        // The manifest comes first: from then on, all uploaded objects are known as ours.
        let manifest = &self.plan.manifest;
        let key = release_key(&manifest.release);
        let remember = async || {
            state::write_json(self.target, &key, manifest, Condition::Always).await?;
            Ok(())
        };
        self.lease.while_held(remember).await?;
        if let Some((name, bytes)) = &self.inventory {
            let content = Content::Bytes(bytes.clone());
            let store = async || {
                self.target.store().put(name, &content, &Headers::new(), &Condition::Always).await?;
                Ok(())
            };
            self.lease.while_held(store).await?;
        }
        if self.target.capabilities().stages {
            self.stage_all().await?;
        }
        let has_conflict = |object: &Object| self.plan.path_conflicts.blocks(&object.key);
        let is_early = |object: &Object| object.role == ObjectRole::Asset && !has_conflict(object);
        self.put_all(self.objects(is_early)).await?;
        self.back_up_all().await?;
        let stale: Vec<String> = self.plan.stale_variants().map(str::to_owned).collect();
        let clear = async || {
            self.switching.store(true, Ordering::Relaxed);
            self.target.delete(&stale).await?;
            self.target.flush().await
        };
        self.lease.while_held(clear).await?;
        let last = |object: &Object| object.role.is_switched_last(&object.path);
        // A script must not exist before the scripts that it loads.
        let mut files = self.objects(|object| !is_early(object) && !has_conflict(object) && !last(object));
        files.sort_by_key(|object| object.script_depth);
        for group in files.chunk_by(|a, b| a.script_depth == b.script_depth) {
            self.put_all(group.to_vec()).await?;
        }
        // If a file replaces a folder or vice versa, the old one must be removed first. Both happen in one
        // step, so that the gap is short.
        let mut conflicting = self.objects(has_conflict);
        conflicting.sort_by_key(|object| (last(object), object.role, object.script_depth));
        for object in conflicting {
            self.put_all(vec![object]).await?;
        }
        let mut pages = self.objects(|object| last(object) && !has_conflict(object));
        pages.sort_by_key(|object| switch_rank(object));
        for group in pages.chunk_by(|a, b| switch_rank(a) == switch_rank(b)) {
            self.put_all(group.to_vec()).await?;
        }
        Ok(())
    }

    /// Stages all new objects and backups, so that little can fail later.
    async fn stage_all(&self) -> Result<(), Failure> {
        let (objects, backups) = (self.objects(|_| true), &self.plan.backups);
        // Files take whole blocks.
        let sizes = objects.iter().map(|object| object.size).chain(backups.iter().map(|backup| backup.size));
        let bytes = sizes.map(|size| size.next_multiple_of(BLOCK)).sum();
        let store = self.target.store();
        store.begin_staging(objects.len() + backups.len(), bytes).await?;
        self.each(objects.into_iter().map(|object| async move || self.stage(object).await)).await?;
        // The others are written again when they were read and compared, so a staged copy would be left over.
        let certain = backups.iter().filter(|backup| backup.certain);
        self.each(certain.map(|backup| async move || self.stage_backup(backup).await)).await?;
        self.lease.while_held(async || Ok(store.finish_staging().await?)).await?;
        // A fresh lease lasts for the switch, so that it needs no space for its record.
        self.lease.write().await
    }

    async fn stage(&self, object: &Object) -> Result<(), Failure> {
        for content in self.contents(object)? {
            match self.target.store().stage(&object.key, &content).await {
                Err(StoreError::Different) => {}
                staged => return Ok(staged?),
            }
        }
        Err(self.lost_content(object))
    }

    async fn stage_backup(&self, backup: &Backup) -> Result<(), Failure> {
        match self.target.store().stage(&backup_key(&backup.sha256), &backup_content(backup)).await {
            Err(StoreError::Different) => Err(changed_meanwhile(&backup.key)),
            staged => Ok(staged?),
        }
    }

    fn objects(&self, wanted: impl Fn(&Object) -> bool) -> Vec<&Object> {
        self.plan.writes().map(|(object, _)| object).filter(|object| wanted(object)).collect()
    }

    async fn put_all(&self, objects: Vec<&Object>) -> Result<(), Failure> {
        let batches = objects.chunks(self.target.capabilities().batch.max(1));
        self.each(batches.map(|some| async || self.switch(some).await)).await
    }

    /// Makes objects visible, and removes those that are in their way.
    async fn switch(&self, objects: &[&Object]) -> Result<(), Failure> {
        let writes = objects.iter().map(|object| self.write_of(object)).collect::<Result<Vec<Write>, _>>()?;
        let names = || objects.iter().map(|object| object.key.as_str()).collect::<Vec<_>>().join(", ");
        let tags = match self.target.store().switch(&writes).await {
            Ok(tags) => tags,
            Err(StoreError::Different) => return Err(self.lost_content(objects[0])),
            Err(StoreError::Changed) => {
                // Someone wrote this object after the plan was made. Only another publisher may do that.
                self.lease.write().await?;
                self.remove_wrong_backups(objects).await?;
                return Err(changed_meanwhile(&names()));
            }
            Err(error) => return Err(error.into()),
        };
        for (object, tag) in objects.iter().zip(tags) {
            self.lease.update(|run| record_tag(&mut run.etags, object, tag));
            self.report_written(object);
        }
        Ok(())
    }

    /// Removes the backups of objects that someone changed, if that was before they were copied. Those of other objects are
    /// right: their conditions held after they were copied.
    async fn remove_wrong_backups(&self, objects: &[&Object]) -> Result<(), Failure> {
        let is_changed = |backup: &&Backup| objects.iter().any(|object| object.key == backup.key);
        for backup in self.plan.backups.iter().filter(is_changed) {
            let kept = backup_key(&backup.sha256);
            if !self.target.store().has_content(&kept, backup.size, &backup.sha256).await? {
                self.target.delete(&[kept]).await?;
            }
        }
        Ok(())
    }

    fn write_of(&self, object: &Object) -> Result<Write, Failure> {
        Ok(Write {
            key: object.key.clone(),
            contents: self.contents(object)?,
            headers: object.headers.clone(),
            condition: self.condition(object),
            path_conflicts: self.plan.path_conflicts.ours.get(&object.key).cloned().unwrap_or_default(),
        })
    }

    fn report_written(&self, object: &Object) {
        let done = self.written.fetch_add(1, Ordering::Relaxed) + 1;
        (self.notify)(&Event::Written { key: &object.key, done, total: self.total });
    }

    /// Runs units of work concurrently. After a failure no further unit is started, and those in flight finish:
    /// a dropped request might still be executed while another publisher is at work.
    async fn each(
        &self,
        work: impl Iterator<Item = impl AsyncFn() -> Result<(), Failure>>,
    ) -> Result<(), Failure> {
        let work = work.map(|piece| async move {
            if self.failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let done = self.lease.while_held(piece).await;
            self.failed.fetch_or(done.is_err(), Ordering::Relaxed);
            done
        });
        let mut work = futures_util::stream::iter(work).buffer_unordered(self.target.jobs());
        let mut first = Ok(());
        while let Some(done) = work.next().await {
            first = first.and(done);
        }
        first?;
        self.target.flush().await
    }

    /// Returns the possible contents of an object.
    fn contents(&self, object: &Object) -> Result<Vec<Content>, Failure> {
        let (size, sha256) = (object.size, &object.sha256);
        Ok(match self.content {
            ContentSource::Export(source) => vec![match source.file(&object.path) {
                Some(path) => Content::File { path, size, sha256: sha256.clone() },
                None => Content::Bytes(source.read(&object.path, sha256)?),
            }],
            ContentSource::Backups => [backup_key(sha256), object.key.clone()]
                .map(|key| Content::Key { key, size, sha256: sha256.clone() })
                .into(),
        })
    }

    /// Reports a content that is missing at its source.
    fn lost_content(&self, object: &Object) -> Failure {
        match self.content {
            ContentSource::Export(_) => content_changed(&object.path),
            ContentSource::Backups => {
                Failure::new(FailureKind::Failed, format!("the target no longer has {}", object.key))
                    .help("build and publish that release again instead")
            }
        }
    }

    /// Returns the condition that an object is unchanged since the plan was made. So a publisher that was
    /// suspended beyond its lease cannot overwrite newer objects.
    fn condition(&self, object: &Object) -> Condition {
        let capabilities = self.lease.record().capabilities;
        match self.plan.etags.get(&object.key) {
            None if capabilities.create => Condition::Absent,
            tag => if_unchanged(&capabilities, tag.map(String::as_str)),
        }
    }

    /// Backs up everything that will be replaced or deleted, under its digest.
    async fn back_up_all(&self) -> Result<(), Failure> {
        self.each(self.plan.backups.iter().map(|backup| async move || self.back_up(backup).await)).await
    }

    async fn back_up(&self, backup: &Backup) -> Result<(), Failure> {
        let kept = backup_key(&backup.sha256);
        if backup.certain {
            // If this publisher was suspended, another publisher may have replaced the content at the key. Then
            // it made the backup.
            let creates = self.lease.record().capabilities.create;
            let condition = if creates { Condition::Absent } else { Condition::Always };
            match self.target.store().copy(&backup.key, &kept, &condition).await {
                Ok(()) | Err(StoreError::Changed) => return Ok(()),
                // Stores limit the size of a copy. Larger contents are copied in chunks.
                Err(_) if backup.size > MAX_COPY => {}
                Err(error) => return Err(error.into()),
            }
        }
        match self
            .target
            .store()
            .put(&kept, &backup_content(backup), &Headers::new(), &Condition::Always)
            .await
        {
            // It has changed, so another publisher made the backup.
            Ok(_) | Err(StoreError::Different) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Records that the release is live.
    async fn finish(self) -> Result<Lease<'w>, Failure> {
        let manifest = &self.plan.manifest;
        let retained: BTreeSet<&str> = manifest.retained.iter().map(|old| old.key.as_str()).collect();
        self.lease.update(|run| {
            run.stage = Stage::Live;
            (run.unfinished, run.unswitched) = (Vec::new(), Vec::new());
            run.pending = self.pending.clone();
            // Post-publish steps run under the same lease.
            if run.pending.is_empty() && self.plan.deletes.is_empty() {
                run.lease = 0;
            }
            run.etags.retain(|key, _| manifest.find(key).is_some() || retained.contains(key.as_str()));
        });
        self.lease.write().await.map_err(Failure::while_switching)?;
        (self.notify)(&Event::Live { release: &manifest.release });
        Ok(self.lease)
    }

    /// Ends the lease after a failure, so that the next run need not wait for it to expire.
    async fn give_up(self, failure: Failure) -> Failure {
        let switching = self.switching.load(Ordering::Relaxed);
        if !switching {
            self.lease.update(RunRecord::end_before_switch);
        }
        // This also frees space for the record. What it cannot delete, the next run does.
        let _ = self.target.store().sweep().await;
        // If the store itself is down, the lease expires on its own.
        let _ = self.lease.end().await;
        if switching {
            failure.while_switching()
        } else if failure.is_stop() {
            failure.help_also("nothing visible was changed")
        } else {
            failure
        }
    }
}
