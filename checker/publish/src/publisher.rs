//! Carries out a plan: takes the target, uploads, switches pages, and gives the target back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::events::{Event, Listener};
use crate::failure::{Exit, Failure};
use crate::memory::lock::{HeldRun, RunOptions, told, unless_changed};
use crate::memory::pending::Pending;
use crate::memory::probe;
use crate::memory::state::{self, Stage, State, Tagged, kept_key, release_key};
use crate::plan::{Keep, Plan};
use crate::release::manifest::{Object, ObjectRole, switch_rank};
use crate::release::source::{SealedExport, other_content};
use crate::target::{Condition, LARGE, LARGE_MEMORY, LargeContent, LargeSource, PublishTarget, PutError};
use sitegate_base::hex::hex;

/// The memory that all contents on their way take together, in KiB: there is room for four large ones beside small ones.
const ROOM: usize = (4 * LARGE_MEMORY as usize + (8 << 20)) >> 10;

/// The largest object that S3 copies in one request, in bytes.
const COPIED_AT_ONCE: u64 = 5 << 30;

/// Where the bytes of a release come from.
#[derive(Debug)]
pub enum Content<'c> {
    /// The sealed export.
    Export(&'c SealedExport),
    /// What the target keeps of earlier releases.
    Kept,
}

/// Carries out a plan. The caller has shown it, and its guards hold.
///
/// # Errors
/// [`Exit::Held`] when another publisher was faster, [`Exit::Failed`] while nothing that visitors see was
/// changed, [`Exit::Interrupted`] afterwards.
pub(crate) async fn carry_out<'c>(
    target: &'c PublishTarget,
    plan: &'c Plan,
    state: &State,
    content: &'c Content<'c>,
    options: &'c RunOptions,
    tell: Listener<'c>,
) -> Result<HeldRun<'c>, Failure> {
    let promises = match state.promises(target) {
        Some(promises) => promises,
        None => probe::promises(target).await?,
    };
    if !promises.create {
        let message = "this store ignores conditions on writes: two publishers at once would not notice each \
                       other, so make sure that there is only one";
        tell(&Event::Warning { message });
    }
    let run = HeldRun::take(target, Some(plan), state, promises, options).await?;
    tell(&Event::InferredSetting { run: run.now().number, release: &plan.manifest.release });
    let worker = Publisher {
        target,
        plan,
        content,
        run,
        pending: &options.pending,
        failed: AtomicBool::new(false),
        switching: AtomicBool::new(false),
        written: AtomicUsize::new(0),
        total: plan.writes().count(),
        room: Semaphore::new(ROOM),
        tell,
    };
    match worker.run.hold_while(worker.work()).await {
        Ok(()) => worker.finish().await,
        Err(failure) => Err(worker.give_up(failure).await),
    }
}

struct Publisher<'w> {
    target: &'w PublishTarget,
    plan: &'w Plan,
    content: &'w Content<'w>,
    run: HeldRun<'w>,
    /// What is to be done when the release is live.
    pending: &'w Pending,
    /// Whether something failed: then nothing more is begun, and what is under way comes to its end.
    failed: AtomicBool,
    /// Whether something that visitors see may have been changed.
    switching: AtomicBool,
    written: AtomicUsize,
    total: usize,
    /// The memory that contents on their way may take, in KiB.
    room: Semaphore,
    tell: Listener<'w>,
}

impl<'w> Publisher<'w> {
    async fn work(&self) -> Result<(), Failure> {
        // The manifest comes first: whatever is uploaded is known as ours from then on.
        let manifest = &self.plan.manifest;
        let key = release_key(&manifest.release);
        let remember = async || {
            state::write(self.target, &key, manifest, Condition::Always).await.map(drop).map_err(told)
        };
        self.run.while_ours(remember).await?;
        let obstructed = |object: &Object| self.plan.obstacles.are_before(&object.key);
        let is_early = |object: &Object| object.role == ObjectRole::Asset && !obstructed(object);
        self.put_all(self.objects(is_early)).await?;
        self.keep_all().await?;
        let stale: Vec<String> = self.plan.stale().map(str::to_owned).collect();
        let clear = async || {
            self.switching.store(true, Ordering::Relaxed);
            self.target.delete(&stale).await?;
            self.target.flush().await
        };
        self.run.while_ours(clear).await?;
        let last = |object: &Object| object.role.is_switched_last(&object.path);
        // A script must not be there before what it loads.
        let mut files = self.objects(|object| !is_early(object) && !obstructed(object) && !last(object));
        files.sort_by_key(|object| object.script_depth);
        for group in files.chunk_by(|a, b| a.script_depth == b.script_depth) {
            self.put_all(group.to_vec()).await?;
        }
        // Where a file becomes a folder or a folder a file, the old must go before the new can come: this is done at
        // one go, so that the moment without either is short.
        let mut turned = self.objects(obstructed);
        turned.sort_by_key(|object| (last(object), object.role, object.script_depth));
        for object in turned {
            self.put_all(vec![object]).await?;
        }
        let mut pages = self.objects(|object| last(object) && !obstructed(object));
        pages.sort_by_key(|object| switch_rank(object));
        for group in pages.chunk_by(|a, b| switch_rank(a) == switch_rank(b)) {
            self.put_all(group.to_vec()).await?;
        }
        Ok(())
    }

    fn objects(&self, wanted: impl Fn(&Object) -> bool) -> Vec<&Object> {
        self.plan.writes().map(|(object, _)| object).filter(|object| wanted(object)).collect()
    }

    async fn put_all(&self, objects: Vec<&Object>) -> Result<(), Failure> {
        self.each(objects.into_iter().map(|object| async move || self.put(object).await)).await
    }

    /// Does pieces of work, several at once. After a failure no other is begun, and those under way come to their end:
    /// a request that is dropped may still be carried out, when another publisher is at work.
    async fn each(
        &self,
        work: impl Iterator<Item = impl AsyncFn() -> Result<(), Failure>>,
    ) -> Result<(), Failure> {
        let work = work.map(|piece| async move {
            if self.failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let done = self.run.while_ours(piece).await;
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

    async fn put(&self, object: &Object) -> Result<(), Failure> {
        let _room = self.room(object.size).await?;
        let written = if object.size >= LARGE {
            self.put_large(object).await
        } else {
            let (body, condition) = (self.body(object).await?, self.condition(object));
            match self.plan.obstacles.ours.get(&object.key) {
                Some(obstacles) => self.target.replace(&object.key, body, condition, obstacles.clone()).await,
                None => self.target.put(&object.key, body, &object.headers, condition).await,
            }
        };
        let tag = match written {
            Ok(tag) => tag,
            Err(PutError::Other(failure)) => return Err(failure),
            Err(PutError::Different) => return Err(self.lost_content(object)),
            Err(PutError::Conflict) => {
                // Someone wrote this object since the plan was made. Only another publisher may do that.
                self.run.write().await?;
                let message =
                    format!("{} was changed by someone else while it was being published", object.key);
                return Err(Failure::new(Exit::Failed, message));
            }
        };
        let other = tag.filter(|tag| *tag != object.md5 && self.target.folder().is_none());
        self.run.change(|run| match other {
            Some(etag) => {
                let tagged = Tagged { etag, sha256: object.sha256.clone() };
                run.etags.insert(object.key.clone(), tagged);
            }
            None => drop(run.etags.remove(&object.key)),
        });
        let done = self.written.fetch_add(1, Ordering::Relaxed) + 1;
        (self.tell)(&Event::Written { key: &object.key, done, total: self.total });
        Ok(())
    }

    /// Waits until there is memory for a content.
    async fn room(&self, size: u64) -> Result<SemaphorePermit<'_>, Failure> {
        let needed = if size < LARGE { size } else { LARGE_MEMORY };
        let needed = u32::try_from(needed >> 10).unwrap_or(u32::MAX);
        self.room.acquire_many(needed).await.map_err(|error| Failure::new(Exit::Failed, error.to_string()))
    }

    async fn put_large(&self, object: &Object) -> Result<Option<String>, PutError> {
        let sources = match self.content {
            Content::Export(source) => {
                if let Some(file) = source.file(&object.path) {
                    vec![LargeSource::File(file)]
                } else {
                    let body = source.read(&object.path, &object.sha256).map_err(PutError::Other)?;
                    return self.target.put(&object.key, body, &object.headers, self.condition(object)).await;
                }
            }
            Content::Kept => {
                vec![LargeSource::Key(kept_key(&object.sha256)), LargeSource::Key(object.key.clone())]
            }
        };
        let mut written = Err(PutError::Different);
        for from in sources {
            let content = LargeContent { from, size: object.size, sha256: object.sha256.clone() };
            let condition = self.condition(object);
            let obstacles = self.plan.obstacles.ours.get(&object.key).map_or(&[][..], Vec::as_slice);
            written =
                self.target.put_large(&object.key, &content, &object.headers, condition, obstacles).await;
            if !matches!(written, Err(PutError::Different)) {
                break;
            }
        }
        written
    }

    /// A content that is not where it should be read.
    fn lost_content(&self, object: &Object) -> Failure {
        match self.content {
            Content::Export(_) => other_content(&object.path),
            Content::Kept => Failure::new(Exit::Failed, format!("the target no longer holds {}", object.key))
                .help("build and publish that release again instead"),
        }
    }

    /// Objects are written only where they are still what the plan saw, so that a publisher that slept through its
    /// lease cannot put something old over something new.
    fn condition(&self, object: &Object) -> Condition {
        if self.target.folder().is_some() {
            return Condition::Always;
        }
        let promises = self.run.now().promises;
        match self.plan.etags.get(&object.key) {
            None if promises.create => Condition::Absent,
            tag => unless_changed(&promises, tag.map(String::as_str)),
        }
    }

    async fn body(&self, object: &Object) -> Result<Bytes, Failure> {
        match self.content {
            Content::Export(source) => source.read(&object.path, &object.sha256),
            Content::Kept => {
                for key in [kept_key(&object.sha256), object.key.clone()] {
                    if let Some(body) = self.target.get(&key).await?
                        && hex(&Sha256::digest(&body)) == object.sha256
                    {
                        return Ok(body);
                    }
                }
                Err(self.lost_content(object))
            }
        }
    }

    /// Keeps what will be replaced or deleted, under its digest.
    async fn keep_all(&self) -> Result<(), Failure> {
        self.each(self.plan.keeps.iter().map(|keep| async move || self.keep(keep).await)).await
    }

    async fn keep(&self, keep: &Keep) -> Result<(), Failure> {
        let kept = kept_key(&keep.sha256);
        if keep.certain {
            // A publisher that slept since it last looked may find another content at the key. By then the right one is
            // kept, by whoever replaced it.
            let condition =
                if self.run.now().promises.create { Condition::Absent } else { Condition::Always };
            let Err(failure) = self.target.copy(&keep.key, &kept, condition).await else { return Ok(()) };
            // A store copies only so much in one request; what is larger goes through here, a piece at a time.
            let there = self.target.head(&keep.key).await?;
            let size = there.map(|there| there.size).filter(|size| *size > COPIED_AT_ONCE).ok_or(failure)?;
            return self.keep_large(keep, &kept, size).await;
        }
        let size = self.target.head(&keep.key).await?.map_or(0, |there| there.size);
        let _room = self.room(size).await?;
        if size >= LARGE {
            return self.keep_large(keep, &kept, size).await;
        }
        let Some(body) = self.target.get(&keep.key).await? else { return Ok(()) };
        if hex(&Sha256::digest(&body)) != keep.sha256 {
            return Ok(());
        }
        let put = self.target.put(&kept, body, &BTreeMap::new(), Condition::Always).await;
        put.map(|_| ()).map_err(told)
    }

    /// Keeps a large content. What is something else by now is not kept.
    async fn keep_large(&self, keep: &Keep, kept: &str, size: u64) -> Result<(), Failure> {
        let from = LargeSource::Key(keep.key.clone());
        let content = LargeContent { from, size, sha256: keep.sha256.clone() };
        match self.target.put_large(kept, &content, &BTreeMap::new(), Condition::Always, &[]).await {
            Ok(_) | Err(PutError::Different) => Ok(()),
            Err(error) => Err(told(error)),
        }
    }

    /// Says that the release is live.
    async fn finish(self) -> Result<HeldRun<'w>, Failure> {
        let manifest = &self.plan.manifest;
        let retained: BTreeSet<&str> = manifest.retained.iter().map(|old| old.key.as_str()).collect();
        self.run.change(|run| {
            run.stage = Stage::Live;
            run.unfinished = Vec::new();
            run.pending = self.pending.clone();
            // What follows is done under the same hold.
            if run.pending.is_empty() && self.plan.deletes.is_empty() {
                run.lease = 0;
            }
            run.etags.retain(|key, _| manifest.find(key).is_some() || retained.contains(key.as_str()));
        });
        self.run.write().await.map_err(Failure::while_switching)?;
        (self.tell)(&Event::Live { release: &manifest.release });
        Ok(self.run)
    }

    /// Gives the target back after a failure, so that the next run need not wait for the lease.
    async fn give_up(self, failure: Failure) -> Failure {
        let switching = self.switching.load(Ordering::Relaxed);
        if !switching {
            self.run.change(|run| {
                run.unfinished = state::unfinished(run);
                run.stage = Stage::Released;
            });
        }
        // The store may be the very thing that fails; then the lease runs out by itself.
        let _ = self.run.end().await;
        if switching {
            failure.while_switching()
        } else if failure.is_stop() {
            failure.help_also("nothing that visitors see was changed")
        } else {
            failure
        }
    }
}
