//! Carries out a plan: takes the target, uploads, switches pages, and gives the target back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use sha2::{Digest, Sha256};

use crate::events::{Event, Listener};
use crate::failure::{Exit, Failure};
use crate::memory::lock::{RunOptions, hold, take, told};
use crate::memory::pending::Pending;
use crate::memory::probe;
use crate::memory::state::{
    self, RunRecord, Stage, State, TagForm, Tagged, kept_key, now, release_key, run_key,
};
use crate::plan::Plan;
use crate::release::manifest::{Object, ObjectRole, is_page, switch_rank};
use crate::release::source::SealedExport;
use crate::target::{Condition, PublishTarget, PutError};
use sitegate_check::hex::hex;

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
pub async fn carry_out(
    target: &PublishTarget,
    plan: &Plan,
    state: &State,
    content: &Content<'_>,
    options: &RunOptions,
    tell: Listener<'_>,
) -> Result<RunRecord, Failure> {
    let promises = match state.promises(target) {
        Some(promises) => promises,
        None => probe::promises(target).await?,
    };
    if !promises.create {
        let message = "this store ignores conditions on writes: two publishers at once would not notice each \
                       other, so make sure that there is only one";
        tell(&Event::Warning { message });
    }
    let run = take(target, Some(plan), state, promises, options).await?;
    tell(&Event::Taken { run: run.number, release: &plan.manifest.release });
    let worker = Publisher {
        target,
        plan,
        content,
        run: Mutex::new(run),
        held: Mutex::new(Instant::now()),
        lease: options.lease,
        pending: &options.pending,
        switching: AtomicBool::new(false),
        written: Mutex::new(0),
        total: plan.writes().count(),
        tell,
    };
    let worked = tokio::select! {
        worked = worker.work() => worked,
        lost = worker.renew() => Err(lost),
    };
    match worked {
        Ok(()) => worker.finish().await,
        Err(failure) => Err(worker.give_up(failure).await),
    }
}

struct Publisher<'w> {
    target: &'w PublishTarget,
    plan: &'w Plan,
    content: &'w Content<'w>,
    run: Mutex<RunRecord>,
    /// When the target was last seen to be ours.
    held: Mutex<Instant>,
    lease: Duration,
    /// What is to be done when the release is live.
    pending: &'w Pending,
    /// Whether something that visitors see may have been changed.
    switching: AtomicBool,
    written: Mutex<usize>,
    total: usize,
    tell: Listener<'w>,
}

impl Publisher<'_> {
    fn run(&self) -> RunRecord {
        self.run.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes sure that the target is still ours.
    async fn hold(&self) -> Result<(), Failure> {
        hold(self.target, &self.run()).await?;
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Ok(())
    }

    async fn work(&self) -> Result<(), Failure> {
        // The manifest comes first: whatever is uploaded is known as ours from then on.
        let manifest = &self.plan.manifest;
        let key = release_key(&manifest.release);
        state::write(self.target, &key, manifest, Condition::Always).await.map_err(told)?;
        self.put_all(self.objects(|object| object.role == ObjectRole::Asset)).await?;
        self.keep_all().await?;
        self.hold().await?;
        self.switching.store(true, Ordering::Relaxed);
        let stale: Vec<String> = self.plan.stale().map(str::to_owned).collect();
        self.target.delete(&stale).await?;
        let last = |object: &Object| object.role.is_switched_last(&object.path);
        // A script must not be there before what it loads.
        let mut files = self.objects(|object| object.role != ObjectRole::Asset && !last(object));
        files.sort_by_key(|object| object.script_depth);
        for group in files.chunk_by(|a, b| a.script_depth == b.script_depth) {
            self.put_all(group.to_vec()).await?;
        }
        let mut pages = self.objects(last);
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
        let puts = futures_util::stream::iter(objects.into_iter().map(|object| self.put(object)));
        puts.buffer_unordered(self.target.jobs).try_collect::<()>().await
    }

    async fn put(&self, object: &Object) -> Result<(), Failure> {
        let body = self.body(object).await?;
        let condition = self.condition(object);
        let etag = match self.target.put(&object.key, body.clone(), &object.headers, condition.clone()).await
        {
            Ok(etag) => etag,
            Err(PutError::Other(failure)) => return Err(failure),
            Err(PutError::Conflict) => {
                // Someone wrote this object since the plan was made. Only another publisher may do that.
                self.hold().await?;
                let message =
                    format!("{} was changed by someone else while it was being published", object.key);
                return Err(Failure::new(Exit::Failed, message));
            }
        };
        {
            let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
            match etag.filter(|etag| *etag != object.md5 && self.target.folder().is_none()) {
                Some(etag) => {
                    run.etags.insert(object.key.clone(), Tagged { etag, sha256: object.sha256.clone() })
                }
                None => run.etags.remove(&object.key),
            };
        }
        let done = {
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            *written += 1;
            *written
        };
        (self.tell)(&Event::Written { key: &object.key, done, total: self.total });
        Ok(())
    }

    /// Pages are written only where they are still what the plan saw, so that a publisher that slept through
    /// its lease cannot put an old page over a new one.
    fn condition(&self, object: &Object) -> Condition {
        if self.target.folder().is_some() || !is_page(&object.path) {
            return Condition::Always;
        }
        let promises = self.run.lock().unwrap_or_else(PoisonError::into_inner).promises.clone();
        match (self.plan.etags.get(&object.key), promises.replace) {
            (Some(etag), TagForm::Quoted) => Condition::Unchanged(format!("\"{etag}\"")),
            (Some(etag), TagForm::Bare) => Condition::Unchanged(etag.clone()),
            (None, _) if promises.create => Condition::Absent,
            _ => Condition::Always,
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
                Err(Failure::new(Exit::Failed, format!("the target no longer holds {}", object.key))
                    .help("build and publish that release again instead"))
            }
        }
    }

    /// Keeps what will be replaced or deleted, under its digest.
    async fn keep_all(&self) -> Result<(), Failure> {
        let keeps = futures_util::stream::iter(self.plan.keeps.iter().map(|keep| async move {
            let kept = kept_key(&keep.sha256);
            if keep.certain {
                return self.target.copy(&keep.key, &kept).await;
            }
            let Some(body) = self.target.get(&keep.key).await? else { return Ok(()) };
            if hex(&Sha256::digest(&body)) != keep.sha256 {
                return Ok(());
            }
            let put = self.target.put(&kept, body, &BTreeMap::new(), Condition::Always).await;
            put.map(|_| ()).map_err(told)
        }));
        keeps.buffer_unordered(self.target.jobs).try_collect::<()>().await
    }

    /// Renews the lease for as long as the work goes on; returns only when the target was lost.
    async fn renew(&self) -> Failure {
        loop {
            tokio::time::sleep(self.lease / 3).await;
            let run = {
                let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
                run.expires = now().saturating_add(self.lease.as_secs());
                run.clone()
            };
            if let Err(failure) = self.hold().await
                && failure.exit == Exit::Held
            {
                return failure;
            }
            // A renewal that fails is tried again; when the store stays away, so do the uploads.
            let _ = state::write(self.target, &run_key(run.number), &run, Condition::Always).await;
        }
    }

    async fn finish(self) -> Result<RunRecord, Failure> {
        let mut run = self.run();
        // Within the lease nobody may have taken the target, so it need not be looked at again.
        let held = *self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.elapsed() > self.lease / 3 {
            hold(self.target, &run).await.map_err(Failure::while_switching)?;
        }
        run.stage = Stage::Live;
        run.unfinished = Vec::new();
        run.pending = self.pending.clone();
        // What follows is done under the same hold.
        let is_done = run.pending.is_empty() && self.plan.deletes.is_empty();
        run.expires = if is_done { 0 } else { now() + self.lease.as_secs() };
        let manifest = &self.plan.manifest;
        let retained: BTreeSet<&str> = manifest.retained.iter().map(|old| old.key.as_str()).collect();
        run.etags.retain(|key, _| manifest.find(key).is_some() || retained.contains(key.as_str()));
        let written = state::write(self.target, &run_key(run.number), &run, Condition::Always).await;
        written.map_err(|error| told(error).while_switching())?;
        (self.tell)(&Event::Live { release: &self.plan.manifest.release });
        Ok(run)
    }

    /// Gives the target back after a failure, so that the next run need not wait for the lease.
    async fn give_up(self, failure: Failure) -> Failure {
        let switching = self.switching.load(Ordering::Relaxed);
        let mut run = self.run();
        run.expires = 0;
        if !switching {
            run.unfinished = state::unfinished(&run);
            run.stage = Stage::Released;
        }
        if failure.exit != Exit::Held || hold(self.target, &run).await.is_ok() {
            // The store may be the very thing that fails; then the lease runs out by itself.
            let _ = state::write(self.target, &run_key(run.number), &run, Condition::Always).await;
        }
        if switching { failure.while_switching() } else { failure }
    }
}
