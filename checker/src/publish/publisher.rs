//! Carries a plan out: takes the target, uploads, switches pages, and gives the target back.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use sha2::{Digest, Sha256};

use super::failure::{Exit, Failure};
use super::plan::Plan;
use super::probe;
use super::release::{Object, Role, is_page, switch_rank};
use super::seal::hex;
use super::source::Source;
use super::state::{self, Promises, Run, Stage, State, Tag, kept_key, now, random_id, release_key, run_key};
use super::target::{Condition, Present, PutError, STATE, Target};

/// How often a bucket is looked at while others are at work in it.
const SURVEYS: usize = 20;

/// Objects in one page of a listing.
const PAGE: usize = 1_000;

/// Where the bytes of a release come from.
#[derive(Debug)]
pub enum Content<'c> {
    /// The sealed export.
    Export(&'c Source),
    /// What the target keeps of earlier releases.
    Kept,
}

/// What happens, as it happens.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'e> {
    /// The target was taken.
    Taken {
        /// The run's number.
        run: u64,
        /// The release that it makes live.
        release: &'e str,
    },
    /// An object was written.
    Written {
        /// Its key.
        key: &'e str,
        /// How many are done.
        done: usize,
        /// Of how many.
        total: usize,
    },
    /// All pages are switched.
    Live {
        /// The release that is live.
        release: &'e str,
    },
    /// Something that the user should know and that stops nothing.
    Warning {
        /// What.
        message: &'e str,
    },
}

/// Who wants to know.
pub type Listener<'l> = &'l (dyn Fn(&Event<'_>) + Sync);

/// How a run is done.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// How long others wait for a publisher that does not stir.
    pub lease: Duration,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions { lease: Duration::from_secs(120) }
    }
}

/// What is at a target, read once.
#[derive(Debug)]
pub struct Standing {
    /// What it remembers.
    pub state: State,
    /// What is at its keys.
    pub present: HashMap<String, Present>,
}

/// Reads what is at a target.
///
/// A publisher whose record says that it is at work, and that has ended, may have ended well a moment after its
/// record was read. So a dead one is believed only when it was seen dead before the look that counts began.
///
/// # Errors
/// When the store does not answer, or its memory was damaged; [`Exit::Held`] when others never pause.
pub async fn survey(target: &Target, objects: &[Object]) -> Result<Standing, Failure> {
    let mut dead = None;
    for _ in 0..SURVEYS {
        let found = match target.folder() {
            Some(_) => Some(survey_folder(target, objects).await?),
            None => survey_bucket(target, objects).await?,
        };
        let Some(standing) = found else {
            tokio::time::sleep(Duration::from_millis(300)).await;
            continue;
        };
        match &standing.state.last {
            Some(last) if last.stage == Stage::Publishing && standing.state.holder().is_none() => {
                if dead == Some(last.number) {
                    return Ok(standing);
                }
                dead = Some(last.number);
            }
            _ => return Ok(standing),
        }
    }
    Err(Failure::new(Exit::Held, "other publishers are at work without a pause"))
}

/// Reads a folder's memory, and then the files that it or the new release names.
async fn survey_folder(target: &Target, objects: &[Object]) -> Result<Standing, Failure> {
    let memory = target.list(STATE).await?;
    let state = State::read(target, memory.keys().map(String::as_str)).await?;
    let earlier = state.live.iter().chain(&state.unfinished);
    let mut keys: Vec<&str> = earlier
        .flat_map(|manifest| {
            let objects = manifest.objects.iter().map(|object| object.key.as_str());
            objects.chain(manifest.retained.iter().map(|retained| retained.key.as_str()))
        })
        .chain(objects.iter().map(|object| object.key.as_str()))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    let present = target.look(&keys).await?;
    Ok(Standing { state, present })
}

/// Lists a bucket: the first page tells what it remembers, and that tells where the other pages begin, so that
/// they are asked for at once instead of one after the other.
///
/// None where the latest run went on between the listing and the look at its record: then the listing may show
/// a switch half done that the record calls finished. A run that begins later is met when the target is taken.
async fn survey_bucket(target: &Target, objects: &[Object]) -> Result<Option<Standing>, Failure> {
    let first = target.list_between(None, None, PAGE).await?;
    let whole = first.len() < PAGE;
    let sorted = first.windows(2).all(|pair| pair[0].0 < pair[1].0);
    let last = first.last().map(|(key, _)| key.clone()).unwrap_or_default();
    let mut present: HashMap<String, Present> = first.into_iter().collect();
    // Everything below STATE comes before this.
    let after_memory = format!("{}~", STATE.trim_end_matches('/'));
    let told = sorted && last > after_memory;
    if !whole && !told {
        present = target.list("").await?;
    }
    let state = State::read(target, present.keys().map(String::as_str)).await?;
    let listed = state.last.as_ref().and_then(|last| present.get(&run_key(last.number))?.etag.clone());
    if listed.is_some() && state.record.is_some() && listed != state.record {
        return Ok(None);
    }
    if !whole && told {
        let live = state.live.iter().flat_map(|live| &live.objects);
        let known = live.chain(objects).map(|object| object.key.as_str()).filter(|key| *key > last.as_str());
        let mut known: Vec<&str> = known.collect();
        known.sort_unstable();
        known.dedup();
        // A little less than a page each, so that a few unknown keys do not cost another request.
        let bounds: Vec<&str> = known.chunks(PAGE * 9 / 10).skip(1).map(|chunk| chunk[0]).collect();
        let starts = std::iter::once(last.as_str()).chain(bounds.iter().copied());
        let ends = bounds.iter().copied().map(Some).chain(std::iter::once(None));
        let pages = starts.zip(ends).map(|(start, end)| target.list_between(Some(start), end, usize::MAX));
        let pages: Vec<_> =
            futures_util::stream::iter(pages).buffer_unordered(target.jobs).try_collect().await?;
        present.extend(pages.into_iter().flatten());
    }
    present.retain(|key, _| !key.starts_with(STATE));
    Ok(Some(Standing { state, present }))
}

/// Refuses to begin while another publisher is at work.
///
/// # Errors
/// [`Exit::Held`].
pub fn refuse_held(state: &State) -> Result<(), Failure> {
    match state.holder() {
        Some(run) => Err(held(run)),
        None => Ok(()),
    }
}

fn held(run: &Run) -> Failure {
    let left = run.expires.saturating_sub(now());
    let release = run.release.as_deref().unwrap_or("a release");
    let message = format!("another publisher is at work: run {} publishes {release}", run.number);
    Failure::new(Exit::Held, message).help(format!(
        "wait for it; if it died, the target is free in {left} s, or at once by `sitegate unlock`"
    ))
}

/// Makes a plan come true. The caller has shown it, and its guards hold.
///
/// # Errors
/// [`Exit::Held`] when another publisher was faster, [`Exit::Failed`] while nothing that visitors see was
/// changed, [`Exit::Interrupted`] afterwards.
pub async fn carry_out(
    target: &Target,
    plan: &Plan,
    state: &State,
    content: &Content<'_>,
    options: &RunOptions,
    tell: Listener<'_>,
) -> Result<Run, Failure> {
    let promises = match state.promises(target) {
        Some(promises) => promises,
        None => probe::promises(target).await?,
    };
    if !promises.create {
        let message = "this store ignores conditions on writes: two publishers at once would not notice each \
                       other, so see to it that there is only one";
        tell(&Event::Warning { message });
    }
    let run = take(target, Some(plan), state, promises, options).await?;
    tell(&Event::Taken { run: run.number, release: &plan.manifest.release });
    let worker = Worker {
        target,
        plan,
        content,
        run: Mutex::new(run),
        held: Mutex::new(Instant::now()),
        lease: options.lease,
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

/// Takes the target by creating the next run's record.
async fn take(
    target: &Target,
    plan: Option<&Plan>,
    state: &State,
    promises: Promises,
    options: &RunOptions,
) -> Result<Run, Failure> {
    let last = state.last.as_ref();
    let number = last.map_or(1, |last| last.number + 1);
    let conditional = promises.create;
    let run = Run {
        schema_version: state::SCHEMA_VERSION,
        number,
        id: random_id(),
        stage: Stage::Publishing,
        release: plan.map(|plan| plan.manifest.release.clone()),
        previous: state.live.as_ref().map(|live| live.release.clone()),
        unfinished: last.map_or_else(Vec::new, state::unfinished),
        started: now(),
        expires: now() + options.lease.as_secs(),
        owner: state::owner(),
        promises,
        etags: last.map_or_else(BTreeMap::new, |last| last.etags.clone()),
    };
    let condition = if conditional { Condition::Absent } else { Condition::Always };
    match state::write(target, &run_key(number), &run, condition).await {
        Ok(()) => {}
        Err(PutError::Conflict) => return Err(faster(target, number).await),
        Err(PutError::Other(failure)) => return Err(failure),
    }
    if !conditional {
        // The last of several writers at one moment wins; after it, each can see who that was.
        tokio::time::sleep(Duration::from_millis(300)).await;
        hold(target, &run).await?;
    }
    Ok(run)
}

/// Says who was faster.
async fn faster(target: &Target, number: u64) -> Failure {
    let text = target.get(&run_key(number)).await.ok().flatten();
    match text.and_then(|text| serde_json::from_slice::<Run>(&text).ok()) {
        Some(run) if run.stage == Stage::Publishing => held(&run),
        _ => Failure::new(Exit::Held, "another publisher changed the target since the plan was made")
            .help("run the command again to plan anew"),
    }
}

/// Looks that the target is still ours: no later run, and our record is the one we wrote.
async fn hold(target: &Target, run: &Run) -> Result<(), Failure> {
    let runs = target.list(&format!("{STATE}runs/")).await?;
    let ours = run_key(run.number);
    let later = runs.keys().filter(|key| key.as_str() > ours.as_str()).max();
    let lost = |number: u64| {
        Failure::new(Exit::Held, format!("run {number} took the target over while this one was at work"))
            .help("this run stopped; see `sitegate status`")
    };
    if let Some(number) = later.and_then(|key| key.rsplit('/').next()?.strip_suffix(".json")?.parse().ok()) {
        return Err(lost(number));
    }
    if !run.promises.create {
        let text = target.get(&ours).await?.unwrap_or_default();
        let there: Option<Run> = serde_json::from_slice(&text).ok();
        if there.is_none_or(|there| there.id != run.id) {
            return Err(lost(run.number));
        }
    }
    Ok(())
}

struct Worker<'w> {
    target: &'w Target,
    plan: &'w Plan,
    content: &'w Content<'w>,
    run: Mutex<Run>,
    /// When the target was last seen to be ours.
    held: Mutex<Instant>,
    lease: Duration,
    /// Whether something that visitors see may have been changed.
    switching: AtomicBool,
    written: Mutex<usize>,
    total: usize,
    tell: Listener<'w>,
}

impl Worker<'_> {
    fn run(&self) -> Run {
        self.run.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks that the target is still ours.
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
        self.put_all(self.objects(|object| object.role == Role::Asset)).await?;
        self.keep_all().await?;
        self.hold().await?;
        self.switching.store(true, Ordering::Relaxed);
        let stale: Vec<String> = self.plan.stale().map(str::to_owned).collect();
        self.target.delete(&stale).await?;
        let last = |object: &Object| object.role.is_switched_last(&object.path);
        self.put_all(self.objects(|object| object.role != Role::Asset && !last(object))).await?;
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
                Some(etag) => run.etags.insert(object.key.clone(), etag),
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
            (Some(etag), Tag::Quoted) => Condition::Unchanged(format!("\"{etag}\"")),
            (Some(etag), Tag::Bare) => Condition::Unchanged(etag.clone()),
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
                run.expires = now() + self.lease.as_secs();
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

    async fn finish(self) -> Result<Run, Failure> {
        let mut run = self.run();
        // Within the lease nobody may have taken the target, so it need not be looked at again.
        let held = *self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.elapsed() > self.lease / 3 {
            hold(self.target, &run).await.map_err(Failure::while_switching)?;
        }
        run.stage = Stage::Live;
        run.unfinished = Vec::new();
        run.etags.retain(|key, _| self.plan.manifest.find(key).is_some());
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

/// Deletes what a release no longer has. It is live and seen to be by now, so what cannot be deleted is only
/// told; the next publish deletes it.
pub async fn clear(target: &Target, plan: &Plan, tell: Listener<'_>) {
    if plan.deletes.is_empty() {
        return;
    }
    if let Err(failure) = target.delete(&plan.deletes).await {
        let message = format!("the release is live, but old objects remain: {}", failure.message);
        tell(&Event::Warning { message: &message });
    }
}

fn told(error: PutError) -> Failure {
    match error {
        PutError::Other(failure) => failure,
        PutError::Conflict => Failure::new(Exit::Held, "another publisher was faster"),
    }
}

/// Holds the target while something is done that makes no release live.
///
/// # Errors
/// [`Exit::Held`] when another publisher was faster, and whatever the work fails with.
pub async fn hold_while<T>(
    target: &Target,
    state: &State,
    options: &RunOptions,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let promises = match state.promises(target) {
        Some(promises) => promises,
        None => probe::promises(target).await?,
    };
    let mut run = take(target, None, state, promises, options).await?;
    let worked = work.await;
    run.unfinished = state::unfinished(&run);
    run.stage = Stage::Released;
    run.expires = 0;
    let written = state::write(target, &run_key(run.number), &run, Condition::Always).await;
    let done = worked?;
    written.map_err(told)?;
    Ok(done)
}
