//! A folder as a store: every file is replaced atomically, and survives a power loss. See `files` and `staging`.

mod files;
mod root;
mod staging;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt};
use sitegate_address::percent;

use crate::failure::{Failure, FailureKind};
use crate::folder::files::TargetFolder;
use crate::machine::Machine;
use crate::store::{
    Condition, Conditions, Content, Fence, Headers, KeyRange, KeyRules, ObjectContent, Store,
    StoreCapabilities, StoreError, StoredObject, TagForm, Write,
};

/// Number of files that are read or renamed per blocking task.
const FILES_PER_TASK: usize = 64;

/// Number of blocking tasks that read files at the same time.
const READERS: usize = 16;

/// A folder.
#[derive(Debug)]
pub struct FolderStore {
    folder: Arc<TargetFolder>,
    capabilities: StoreCapabilities,
}

impl FolderStore {
    /// Opens the folder of a `file:` URL, which need not exist yet.
    ///
    /// # Errors
    /// [`FailureKind::Usage`] when the URL names no folder.
    pub fn open(url: &str, machine: Arc<dyn Machine>) -> Result<FolderStore, Failure> {
        let path = folder_of(url)?;
        let folder = Arc::new(TargetFolder::open(&path, Fence::new(machine))?);
        let capabilities = StoreCapabilities {
            endpoint: "file".to_owned(),
            key_rules: KeyRules::Folder(path.clone()),
            folder: Some(path),
            serves_visitors: false,
            has_flat_keys: false,
            has_website_redirects: false,
            invalidates: false,
            lists_contents: false,
            lists_at_once: false,
            stages: true,
            batch: FILES_PER_TASK,
            enforces_lease: true,
            // Names change under a lock.
            conditions: Some(Conditions { create: true, replace: TagForm::Ignored }),
        };
        Ok(FolderStore { folder, capabilities })
    }

    /// Runs work on the folder on a blocking thread.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&TargetFolder) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let folder = Arc::clone(&self.folder);
        let done = tokio::task::spawn_blocking(move || work(&folder)).await;
        done.map_err(|error| Failure::new(FailureKind::Failed, error.to_string()))?
    }
}

#[async_trait]
impl Store for FolderStore {
    fn capabilities(&self) -> &StoreCapabilities {
        &self.capabilities
    }

    fn fence(&self) -> &Fence {
        &self.folder.fence
    }

    async fn create(&self) -> Result<(), StoreError> {
        self.run(|folder| Ok(folder.create()?)).await
    }

    async fn list(&self, range: KeyRange<'_>) -> Result<Vec<(String, StoredObject)>, StoreError> {
        let prefix = range.prefix.to_owned();
        self.run(move |folder| Ok(folder.list(&prefix)?)).await
    }

    async fn folders(&self, key: &str) -> Result<Vec<String>, StoreError> {
        let key = key.to_owned();
        self.run(move |folder| Ok(folder.folders(&key)?)).await
    }

    async fn inspect(&self, keys: &[&str]) -> Result<Vec<(String, StoredObject)>, StoreError> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let parts: Vec<Vec<String>> = keys.chunks(FILES_PER_TASK).map(<[String]>::to_vec).collect();
        let reads = parts.into_iter().map(|part| self.run(move |folder| Ok(folder.inspect_all(part)?)));
        let reads = futures_util::stream::iter(reads);
        let found: Vec<Vec<(String, StoredObject)>> = reads.buffer_unordered(READERS).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    async fn head(&self, key: &str) -> Result<StoredObject, StoreError> {
        let key = key.to_owned();
        self.run(move |folder| {
            let found = folder.inspect(&key)?.ok_or(StoreError::Missing)?;
            Ok(StoredObject { age: folder.age(&key), ..found })
        })
        .await
    }

    async fn get(&self, key: &str, limit: u64) -> Result<ObjectContent, StoreError> {
        let key = key.to_owned();
        self.run(move |folder| folder.read(&key, limit)).await
    }

    async fn has_content(&self, key: &str, size: u64, sha256: &str) -> Result<bool, StoreError> {
        let key = key.to_owned();
        let found = self.run(move |folder| Ok(folder.inspect(&key)?)).await?;
        Ok(found.is_some_and(|found| found.size == size && found.sha256.as_deref() == Some(sha256)))
    }

    async fn put(
        &self,
        key: &str,
        content: &Content,
        _: &Headers,
        condition: &Condition,
    ) -> Result<Option<String>, StoreError> {
        let (key, content, condition) = (key.to_owned(), content.clone(), condition.clone());
        self.run(move |folder| folder.write(&key, &content, &condition).map(Some)).await
    }

    async fn copy(&self, from: &str, to: &str, condition: &Condition) -> Result<(), StoreError> {
        let (from, to, condition) = (from.to_owned(), to.to_owned(), condition.clone());
        self.run(move |folder| folder.copy(&from, &to, &condition)).await
    }

    async fn remove(&self, keys: &[String]) -> Result<(), StoreError> {
        let keys = keys.to_vec();
        self.run(move |folder| Ok(folder.delete(&keys)?)).await
    }

    async fn move_aside(&self, from: &str, to: &str) -> Result<(), StoreError> {
        let (from, to) = (from.to_owned(), to.to_owned());
        self.run(move |folder| Ok(folder.move_aside(&from, &to)?)).await
    }

    async fn begin_staging(&self, files: usize, bytes: u64) -> Result<(), StoreError> {
        self.run(move |folder| Ok(folder.begin_staging(files, bytes)?)).await
    }

    async fn stage(&self, key: &str, content: &Content) -> Result<(), StoreError> {
        let (key, content) = (key.to_owned(), content.clone());
        self.run(move |folder| folder.stage(&key, &content)).await
    }

    async fn finish_staging(&self) -> Result<(), StoreError> {
        self.run(|folder| Ok(folder.finish_staging()?)).await
    }

    async fn switch(&self, writes: &[Write]) -> Result<Vec<Option<String>>, StoreError> {
        let (count, writes) = (writes.len(), writes.to_vec());
        self.run(move |folder| folder.switch(&writes)).await?;
        // The tag of a file is its digest, which the caller knows.
        Ok(vec![None; count])
    }

    async fn sweep(&self) -> Result<(), StoreError> {
        self.run(|folder| Ok(folder.sweep()?)).await
    }

    async fn flush(&self) -> Result<(), StoreError> {
        self.run(|folder| Ok(folder.flush()?)).await
    }

    async fn wait_for_others(&self) -> Result<(), StoreError> {
        self.run(|folder| Ok(folder.wait_for_others()?)).await
    }

    async fn are_same_object(&self, keys: [&str; 2]) -> bool {
        let [one, other] = keys.map(str::to_owned);
        self.run(move |folder| Ok(folder.are_same_file([&one, &other]))).await.unwrap_or_default()
    }
}

/// Parses the folder of a `file:` URL.
fn folder_of(url: &str) -> Result<PathBuf, Failure> {
    let rest = url.strip_prefix("file:").unwrap_or_default();
    // The host may be `localhost` (RFC 8089, 2).
    let rest = match rest.strip_prefix("//") {
        Some(named) => match named.split_at_checked("localhost".len()) {
            Some((host, path)) if host.eq_ignore_ascii_case("localhost") && path.starts_with('/') => path,
            _ => named,
        },
        None => rest,
    };
    let rest = if cfg!(windows) { from_drive(rest) } else { rest };
    if url.starts_with("file://") && !rest.is_empty() && !Path::new(rest).has_root() && !rest.contains(':') {
        let host = rest.split('/').next().unwrap_or_default();
        let path = std::path::absolute(rest).unwrap_or_else(|_| PathBuf::from("/FOLDER"));
        return Err(Failure::new(FailureKind::Usage, format!("`{url}`: `{host}` would be a host"))
            .help(format!("write a folder as file://{}", path.display())));
    }
    let path = percent::decode(rest)
        .ok_or_else(|| Failure::new(FailureKind::Usage, format!("`{url}` is not UTF-8")))?;
    if path.is_empty() {
        return Err(Failure::new(FailureKind::Usage, format!("`{url}` has no path"))
            .help("write a folder as file:///FOLDER, such as file://$PWD/public"));
    }
    std::path::absolute(Path::new(&*path))
        .map_err(|error| Failure::new(FailureKind::Usage, format!("{url}: {error}")))
}

/// Removes the slash before a Windows drive: in a URL, the path begins with one (RFC 8089, E.2).
fn from_drive(path: &str) -> &str {
    match path.strip_prefix('/') {
        Some(drive)
            if drive.starts_with(|c: char| c.is_ascii_alphabetic()) && drive[1..].starts_with(':') =>
        {
            drive
        }
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::sync::Arc;

    use bytes::Bytes;
    use sha2::{Digest, Sha256};
    use sitegate_base::hex::hex;

    use super::FolderStore;
    use crate::machine::ThisMachine;
    use crate::store::{Condition, Content, Headers, KeyRange, Store, StoreError, Write};

    fn bytes(text: &'static str) -> Content {
        Content::Bytes(Bytes::from(text))
    }

    fn write(key: &str, contents: Vec<Content>, path_conflicts: &[&str]) -> Write {
        let path_conflicts = path_conflicts.iter().map(|other| (*other).to_owned()).collect();
        Write {
            key: key.to_owned(),
            contents,
            headers: Headers::new(),
            condition: Condition::Always,
            path_conflicts,
        }
    }

    #[tokio::test]
    async fn writes_only_contents_with_the_right_digest() {
        let folder = tempfile::tempdir().unwrap();
        let (root, source) = (folder.path().join("public"), folder.path().join("source"));
        fs::write(&source, "new").unwrap();
        let machine = Arc::new(ThisMachine::default());
        let store = FolderStore::open(&format!("file://{}", root.display()), machine).unwrap();
        assert!(matches!(store.get("a", 9).await, Err(StoreError::Missing)));
        store.create().await.unwrap();
        let read = |key: &str| fs::read_to_string(root.join(key)).unwrap();
        let none = Headers::new();
        store.put("a", &bytes("old"), &none, &Condition::Absent).await.unwrap();
        let again = store.put("a", &bytes("other"), &none, &Condition::Absent).await;
        assert!(matches!(again, Err(StoreError::Changed)), "{again:?}");
        assert!(matches!(store.get("a", 2).await, Err(StoreError::TooLarge)));
        let file = |text: &str| {
            let sha256 = hex(&Sha256::digest(text));
            Content::File { path: source.clone(), size: text.len() as u64, sha256 }
        };
        for wrong in ["neW", "newer"] {
            let written = store.put("a", &file(wrong), &none, &Condition::Always).await;
            assert!(matches!(written, Err(StoreError::Different)), "{written:?}");
            let staged = store.stage("a", &file(wrong)).await;
            assert!(matches!(staged, Err(StoreError::Different)), "{staged:?}");
        }
        assert_eq!(read("a"), "old");
        // A write that was not staged takes the first content that is right, and what is in its way is removed.
        let contents = vec![file("neW"), file("new"), bytes("last")];
        store.switch(&[write("a/b", contents, &["a"])]).await.unwrap();
        assert_eq!(read("a/b"), "new");
        let nothing = store.switch(&[write("c", vec![file("neW")], &["a/b"])]).await;
        assert!(matches!(nothing, Err(StoreError::Different)), "{nothing:?}");
        assert_eq!(read("a/b"), "new");
        store.copy("a/b", "d", &Condition::Always).await.unwrap();
        assert!(store.has_content("d", 3, &hex(&Sha256::digest("new"))).await.unwrap());
        // Only the files of the store itself are swept, and listed only on request.
        store.stage("e", &bytes("e")).await.unwrap();
        fs::write(root.join(".sitegate/tmp/notes"), "theirs").unwrap();
        let staged = || async { store.list(KeyRange::below(".sitegate/tmp/")).await.unwrap().len() };
        assert_eq!(staged().await, 2);
        assert!(store.list(KeyRange::below(".sitegate/")).await.unwrap().is_empty());
        store.sweep().await.unwrap();
        assert_eq!((staged().await, read(".sitegate/tmp/notes").as_str()), (1, "theirs"));
    }

    #[tokio::test]
    async fn moves_folders_aside() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("runs/1.json/x")).unwrap();
        let url = format!("file://{}", folder.path().display());
        let store = FolderStore::open(&url, Arc::new(ThisMachine::default())).unwrap();
        assert_eq!(store.folders("runs/").await.unwrap(), ["runs/1.json"]);
        store.move_aside("runs/1.json", "aside/1.json").await.unwrap();
        assert!(folder.path().join("aside/1.json/x").is_dir());
        assert!(store.folders("runs/").await.unwrap().is_empty());
        assert!(store.folders("none/").await.unwrap().is_empty());
    }

    #[test]
    fn removes_the_slash_before_a_windows_drive() {
        assert_eq!(super::from_drive("/C:/Users/x"), "C:/Users/x");
        for path in ["C:/x", "/srv/x", "//server/share", "/", "/é:/x", "x"] {
            assert_eq!(super::from_drive(path), path);
        }
    }
}
