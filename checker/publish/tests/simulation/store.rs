//! The simulated store, as a publisher sees it through its connection.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use sitegate_publish::failure::{Failure, FailureKind};
use sitegate_publish::machine::Machine;
use sitegate_publish::store::{
    Condition, Conditions, Content, Fence, Headers, KeyRange, KeyRules, ObjectContent, Store,
    StoreCapabilities, StoreError, StoredObject, TagForm, Write, put_each,
};
use tokio::time::sleep;

use super::judge::{STATE, sha256};
use super::link::{Link, NoAnswer, Request};
use super::world::{Kind, Stored, When, World};

/// Number of objects that a switch gets at once.
const BATCH: usize = 4;

/// Number of attempts to lock names, ten in a second: as long as the folder's store waits.
const LOCK_ATTEMPTS: usize = 50;

/// A store at the other end of a connection.
pub struct SimulatedStore {
    link: Arc<Link>,
    kind: Kind,
    capabilities: StoreCapabilities,
    fence: Arc<Fence>,
    /// The temporary name of what is staged for a key.
    staged: Mutex<BTreeMap<String, String>>,
    /// Number of objects on a page of a listing.
    page: usize,
}

/// The lock on the names of a folder. The system releases it when its holder dies, too.
struct SimulatedLock<'l>(&'l Link);

impl Drop for SimulatedLock<'_> {
    fn drop(&mut self) {
        let mut world = self.0.world.lock().unwrap();
        world.lock_holder.take_if(|holder| *holder == self.0.name);
    }
}

impl fmt::Debug for SimulatedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a simulated store")
    }
}

fn failed(what: &str, key: &str, why: NoAnswer) -> StoreError {
    Failure::new(FailureKind::Failed, format!("cannot {what} {key}: {why:?}")).into()
}

impl SimulatedStore {
    pub fn new(link: &Arc<Link>, machine: Arc<dyn Machine>, page: usize) -> SimulatedStore {
        let kind = link.world.lock().unwrap().kind;
        let in_folder = Conditions { create: true, replace: TagForm::Ignored };
        let capabilities = StoreCapabilities {
            endpoint: "simulation".to_owned(),
            folder: None,
            key_rules: KeyRules::S3(String::new()),
            serves_visitors: !kind.is_folder,
            has_flat_keys: !kind.is_folder,
            has_website_redirects: false,
            invalidates: false,
            lists_contents: !kind.is_folder,
            lists_at_once: !kind.is_folder && page >= 1_000,
            stages: kind.is_folder,
            batch: if kind.is_folder { BATCH } else { 1 },
            enforces_lease: kind.is_folder,
            conditions: kind.is_folder.then_some(in_folder),
        };
        let fence = Arc::new(Fence::new(machine));
        SimulatedStore { link: Arc::clone(link), kind, capabilities, fence, staged: Mutex::default(), page }
    }

    async fn read<T: Send + 'static>(
        &self,
        what: &str,
        key: &str,
        read: impl FnOnce(&mut World, Duration) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let request = format!("{what} {key}");
        self.link.send(request, Request::Read, read).await.map_err(|why| failed(what, key, why))
    }

    /// Reads an object; none if it is missing.
    async fn stored(&self, what: &str, key: &str) -> Result<Option<Arc<Stored>>, StoreError> {
        let at = key.to_owned();
        self.read(what, key, move |world, _| world.objects.get(&at).cloned()).await
    }

    /// Writes behind the fence: a bucket's when it is sent, and a folder's when it is executed, under its lock.
    async fn write<T: Send + 'static>(
        &self,
        what: &str,
        key: &str,
        is_conditional: bool,
        write: impl FnOnce(&mut World, Duration) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let request = format!("{what} {key}");
        let (fence, at, kind) = (Arc::clone(&self.fence), key.to_owned(), self.kind);
        let is_record = key.starts_with(".sitegate/runs/");
        if !kind.is_folder && !is_record {
            self.link.retry().await;
        }
        if kind.is_folder {
            self.wait_for_lock().await?;
        } else {
            fence.check(key)?;
        }
        let behind_lock = move |world: &mut World, now| {
            if kind.is_folder
                && let Some(hold) = fence.check(&at)?
                && (world.objects.contains_key(&hold.next) || !world.objects.contains_key(&hold.record))
            {
                let lost = Failure::new(FailureKind::Held, "another publisher took over the folder");
                return Err(StoreError::from(lost));
            }
            Ok(write(world, now))
        };
        // A condition accepts a write of minutes ago if no one changed the object since, or its content returned. So only
        // records and backups may be late.
        let is_late = (is_record || is_conditional && key.starts_with(STATE)) && kind.has_conditions;
        let request_kind = if is_late { Request::Conditional } else { Request::Write };
        self.link.send(request, request_kind, behind_lock).await.map_err(|why| failed(what, key, why))?
    }

    fn when(&self, condition: &Condition) -> When {
        match condition {
            Condition::Always => When::Always,
            Condition::Absent => When::Absent,
            Condition::Unchanged(tag) => {
                let quoted = tag.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                // A store that needs unquoted tags takes another form for another tag.
                match (self.kind.has_bare_tags, quoted) {
                    (false, Some(unquoted)) => When::Tagged(unquoted.to_owned()),
                    (true, None) => When::Tagged(tag.clone()),
                    _ => When::Tagged(format!("malformed {tag}")),
                }
            }
        }
    }

    /// Reads a content to write; none if it is missing, or another one.
    async fn content(&self, content: &Content) -> Result<Option<Bytes>, StoreError> {
        let (stored, wanted) = match content {
            Content::Bytes(bytes) => return Ok(Some(bytes.clone())),
            Content::File { .. } => unreachable!("the export is in memory"),
            Content::Key { key, sha256, .. } => (self.stored("read", key).await?, sha256),
        };
        Ok(stored.map(|there| there.body.clone()).filter(|body| sha256(body) == *wanted))
    }

    /// Waits until no other publisher holds the lock on names, as the folder's store does.
    async fn wait_for_lock(&self) -> Result<(), StoreError> {
        for _ in 0..LOCK_ATTEMPTS {
            let holder = self.link.world.lock().unwrap().lock_holder.clone();
            if holder.is_none_or(|holder| holder == self.link.name) {
                return Ok(());
            }
            sleep(Duration::from_millis(100)).await;
        }
        Err(Failure::new(FailureKind::Held, "another publisher is changing the folder").into())
    }

    /// Renames staged files to their keys, under one lock: a publisher that is suspended in between goes on.
    async fn rename(&self, writes: &[(&str, &[String])]) -> Result<(), StoreError> {
        let held = SimulatedLock(&self.link);
        let link = Arc::clone(&self.link);
        let lock = move |world: &mut World, _| {
            // The lock of a dead process is free.
            if !link.is_dead() {
                world.lock_holder = Some(Arc::clone(&link.name));
            }
        };
        self.write("lock", "", false, lock).await?;
        for (key, path_conflicts) in writes {
            for conflict in *path_conflicts {
                let at = conflict.clone();
                self.read("remove", conflict, move |world, _| world.remove(&at)).await?;
            }
            let staged = self.staged.lock().unwrap().get(*key).cloned();
            let Some(staged) = staged else {
                return Err(Failure::new(FailureKind::Failed, format!("{key} is not staged")).into());
            };
            let to = (*key).to_owned();
            self.read("rename", key, move |world, now| world.rename(now, &staged, &to)).await?;
            self.staged.lock().unwrap().remove(*key);
        }
        drop(held);
        Ok(())
    }

    fn shown(&self, stored: &Stored, age: Option<Duration>) -> StoredObject {
        let lie = u64::from(self.link.is_lying());
        StoredObject {
            size: stored.body.len() as u64 + lie,
            etag: (!self.kind.is_folder).then(|| stored.tag.clone()),
            sha256: self.kind.is_folder.then(|| stored.tag.clone()),
            file: None,
            age: age.filter(|_| self.kind.is_dated),
        }
    }
}

#[async_trait]
impl Store for SimulatedStore {
    fn capabilities(&self) -> &StoreCapabilities {
        &self.capabilities
    }

    fn fence(&self) -> &Fence {
        &self.fence
    }

    async fn list(&self, range: KeyRange<'_>) -> Result<Vec<(String, StoredObject)>, StoreError> {
        let (limit, mut after) = (range.limit.unwrap_or(usize::MAX), range.after.map(str::to_owned));
        let mut found = Vec::new();
        // Others may write between two pages.
        loop {
            let (prefix, start, page) = (range.prefix.to_owned(), after.clone(), self.page);
            let read = move |world: &mut World, _| world.page(&prefix, start.as_deref(), page);
            let objects = self.read("list", &format!("{:?} {after:?}", range.prefix), read).await?;
            let is_last = objects.len() < page;
            for (key, stored) in objects {
                let is_wanted = range.until.is_none_or(|until| key.as_str() <= until);
                if !is_wanted || found.len() == limit {
                    return Ok(found);
                }
                after = Some(key.clone());
                found.push((key, self.shown(&stored, None)));
            }
            if is_last {
                return Ok(found);
            }
        }
    }

    async fn inspect(&self, keys: &[&str]) -> Result<Vec<(String, StoredObject)>, StoreError> {
        if !self.kind.is_folder {
            return self.list(KeyRange::default()).await;
        }
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let count = keys.len().to_string();
        let found = self.read("inspect", &count, move |world, _| {
            let mut found = Vec::new();
            for key in keys {
                if let Some(stored) = world.objects.get(&key) {
                    found.push((key, stored.clone()));
                    continue;
                }
                let above = key.match_indices('/').map(|(at, _)| &key[..at]);
                let file = above
                    .filter_map(|folder| Some((folder.to_owned(), Arc::clone(world.objects.get(folder)?))));
                found.extend(file);
                found.extend(world.page(&format!("{key}/"), None, usize::MAX));
            }
            found
        });
        Ok(found.await?.into_iter().map(|(key, stored)| (key, self.shown(&stored, None))).collect())
    }

    async fn head(&self, key: &str) -> Result<StoredObject, StoreError> {
        let at = key.to_owned();
        let read = move |world: &mut World, now: Duration| Some((world.objects.get(&at)?.clone(), now));
        let (stored, now) = self.read("head", key, read).await?.ok_or(StoreError::Missing)?;
        // Stores report time in whole seconds.
        let age = Duration::from_secs(now.as_secs() - stored.modified.as_secs());
        Ok(self.shown(&stored, Some(age)))
    }

    async fn get(&self, key: &str, limit: u64) -> Result<ObjectContent, StoreError> {
        let stored = self.stored("get", key).await?.ok_or(StoreError::Missing)?;
        if stored.body.len() as u64 > limit {
            return Err(StoreError::TooLarge);
        }
        Ok(ObjectContent { body: stored.body.clone(), tag: Some(stored.tag.clone()) })
    }

    async fn has_content(&self, key: &str, size: u64, wanted: &str) -> Result<bool, StoreError> {
        let stored = self.stored("compare", key).await?;
        Ok(stored.is_some_and(|there| there.body.len() as u64 == size && sha256(&there.body) == wanted))
    }

    async fn put(
        &self,
        key: &str,
        content: &Content,
        headers: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError> {
        let Some(body) = self.content(content).await? else { return Err(StoreError::Different) };
        let when = self.when(condition);
        let is_conditional = when != When::Always;
        let is_renewal = key.starts_with(".sitegate/runs/")
            && *condition != Condition::Absent
            && !self.kind.is_folder
            && String::from_utf8_lossy(&body).contains("\"stage\":\"publishing\"");
        let (to, sent, given) = (key.to_owned(), body.clone(), Arc::new(headers.clone()));
        let put = move |world: &mut World, now| world.put(now, &to, &sent, &given, &when);
        match self.write("put", key, is_conditional, put).await {
            // The last write of a record is no renewal.
            Ok(Some(_)) if is_renewal && self.link.is_unanswered() => Err(failed("put", key, NoAnswer::Lost)),
            Ok(Some(tag)) => Ok(Some(tag)),
            Ok(None) => Err(StoreError::Changed),
            // A store reads whether the write happened, if it can.
            Err(StoreError::Failed(failure)) if is_conditional && self.link.is_lost(&failure) => {
                match self.stored("reread", key).await {
                    Ok(Some(there)) if there.body == body && *there.headers == *headers => {
                        Ok(Some(there.tag.clone()))
                    }
                    _ => Err(failure.into()),
                }
            }
            Err(error) => Err(error),
        }
    }

    async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), StoreError> {
        if self.kind.is_folder {
            return self.rename(&[(to, &[])]).await;
        }
        let (source, key, when) = (from.to_owned(), to.to_owned(), self.when(condition));
        let copy = move |world: &mut World, now| world.copy(now, &source, &key, &when);
        match self.write("copy to", to, *condition != Condition::Always, copy).await? {
            Some(true) => Ok(()),
            Some(false) => Err(StoreError::Changed),
            None => Err(StoreError::Missing),
        }
    }

    async fn remove(&self, keys: &[String]) -> Result<(), StoreError> {
        for key in keys {
            let at = key.clone();
            self.write("remove", key, false, move |world, _| world.remove(&at)).await?;
        }
        Ok(())
    }

    async fn stage(&self, key: &str, content: &Content) -> Result<(), StoreError> {
        if !self.kind.is_folder {
            return Ok(());
        }
        let Some(body) = self.content(content).await? else { return Err(StoreError::Different) };
        let staged = self.fence.machine().random_id();
        self.staged.lock().unwrap().insert(key.to_owned(), staged.clone());
        self.read("stage", key, move |world, _| {
            world.is_staging_durable = false;
            world.staged.insert(staged, body);
        })
        .await
    }

    async fn finish_staging(&self) -> Result<(), StoreError> {
        if self.kind.is_folder {
            self.write("finish staging", "", false, |world, _| world.is_staging_durable = true).await?;
        }
        Ok(())
    }

    async fn switch(&self, writes: &[Write]) -> Result<Vec<Option<String>>, StoreError> {
        if self.kind.is_folder {
            let writes: Vec<_> =
                writes.iter().map(|write| (write.key.as_str(), write.path_conflicts.as_slice())).collect();
            self.rename(&writes).await?;
            return Ok(vec![None; writes.len()]);
        }
        put_each(self, writes).await
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        if self.kind.is_folder {
            self.staged.lock().unwrap().clear();
            self.write("sweep", "", false, |world, _| world.staged.clear()).await?;
        }
        Ok(())
    }

    async fn wait_for_others(&self) -> Result<(), StoreError> {
        self.wait_for_lock().await
    }

    async fn flush(&self) -> Result<(), StoreError> {
        if self.kind.is_folder {
            self.read("flush", "", |world, _| world.flush()).await?;
        }
        Ok(())
    }
}
