//! The sealed export on disk: compared with its seal before anything is sent, and read again byte for byte.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use md5::Md5;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::failure::{Exit, Failure};
use sitegate_base::chunks::each_piece;
use sitegate_base::hex::hex;
use sitegate_base::plural::count;
use sitegate_check::internal::contract::Contract;
use sitegate_check::internal::seal::{Seal, SealedFile};
use sitegate_check::internal::walk::Tree;
use sitegate_hosting::compression::{Coding, Effort, MIN_COMPRESSED};
use sitegate_hosting::media::{content_type, is_text};

/// The largest text that gets compressed variants, in bytes: they are made in memory.
pub(crate) const MAX_COMPRESSED: u64 = 32 << 20;

/// An export that was found to be what its seal says.
#[derive(Debug)]
pub struct SealedExport {
    root: PathBuf,
    /// The files, as sealed.
    pub files: Vec<SourceFile>,
    /// Files that the export does not hold, by path: pages that lead on, compressed variants.
    made: BTreeMap<String, Bytes>,
}

/// A sealed file, with what object stores tell of content.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As sealed.
    pub sealed: SealedFile,
    /// MD5 of its content in hexadecimal: the entity tag of most stores.
    pub md5: String,
    /// Whether it is another file in compressed form.
    pub variant: bool,
}

impl SourceFile {
    /// A file that is made here.
    fn made(path: String, body: &[u8], variant: bool) -> SourceFile {
        let sha256 = hex(&Sha256::digest(body));
        let sealed = SealedFile { path, size: body.len() as u64, sha256, script_depth: None };
        SourceFile { sealed, md5: hex(&Md5::digest(body)), variant }
    }
}

impl SealedExport {
    /// Reads every file below `root` and compares it with the seal.
    ///
    /// # Errors
    /// [`Exit::Refused`] when anything is missing, added, changed, a symbolic link or a special file.
    pub fn open(root: &Path, seal: &Seal) -> Result<SealedExport, Failure> {
        let tree = Tree::walk(root)
            .map_err(|error| Failure::new(Exit::Usage, format!("{}: {error}", root.display())))?;
        let mut wrong: Vec<String> = Vec::new();
        wrong.extend(tree.unreadable.iter().map(|path| format!("unreadable  {path}")));
        wrong.extend(tree.strays.iter().map(|stray| format!("special     {}", stray.path)));
        for id in tree.ids() {
            let path = tree.display(id);
            if seal.files.binary_search_by(|file| file.path.as_str().cmp(&path)).is_err() {
                wrong.push(format!("added       {path}"));
            }
        }
        let linked = linked_folders(root, seal);
        let compared: Vec<Result<SourceFile, Difference>> =
            seal.files.par_iter().map(|sealed| compare(root, sealed, &linked)).collect();
        let mut files = Vec::with_capacity(compared.len());
        for file in compared {
            match file {
                Ok(file) => files.push(file),
                Err(difference) => wrong.push(difference.to_string()),
            }
        }
        if wrong.is_empty() {
            return Ok(SealedExport { root: root.to_path_buf(), files, made: BTreeMap::new() });
        }
        let message = format!(
            "{} is not what passed the check: {} {} since it was sealed",
            root.display(),
            count(wrong.len(), "file"),
            if wrong.len() == 1 { "differs" } else { "differ" }
        );
        let help = "nothing was published; run `sitegate check --seal FILE` again, and publish what passes";
        Err(Failure::new(Exit::Refused, message).names(wrong).help(help))
    }

    /// Adds a page for each address that moved, which leads on to the new one: stores without redirects of
    /// their own answer with it.
    ///
    /// # Errors
    /// [`Exit::Usage`] when the export holds a page at such an address.
    pub fn add_redirects(&mut self, config: &Contract) -> Result<(), Failure> {
        for redirect in &config.redirects {
            let path = match redirect.from.trim_start_matches('/') {
                page if content_type(page).starts_with("text/html") => page.to_owned(),
                folder => format!("{folder}/index.html"),
            };
            let Err(place) = self.files.binary_search_by(|file| file.sealed.path.as_str().cmp(&path)) else {
                let message =
                    format!("{} redirects {}, and the export holds {path}", config.name(), redirect.from);
                return Err(Failure::new(Exit::Usage, message).help("drop one of the two"));
            };
            let body = Bytes::from(leading_page(&redirect.to));
            self.files.insert(place, SourceFile::made(path.clone(), &body, false));
            self.made.insert(path, body);
        }
        Ok(())
    }

    /// Adds to each text its compressed variants, for servers that look for them beside the file: `page.html.gz`
    /// and `page.html.br`. A file of the export that has such a name already stays as it is.
    ///
    /// # Errors
    /// [`Exit::Refused`] when a file has changed since [`SealedExport::open`].
    pub fn add_variants(&mut self) -> Result<(), Failure> {
        let taken: BTreeSet<&str> = self.files.iter().map(|file| file.sealed.path.as_str()).collect();
        let worth = |file: &&SourceFile| {
            (MIN_COMPRESSED as u64..=MAX_COMPRESSED).contains(&file.sealed.size)
                && is_text(&content_type(&file.sealed.path))
        };
        let texts: Vec<&SourceFile> = self.files.iter().filter(worth).collect();
        let variants: Vec<Vec<(SourceFile, Bytes)>> = texts
            .into_par_iter()
            .map(|file| {
                let body = self.read(&file.sealed.path, &file.sealed.sha256)?;
                let variants = [Coding::Brotli, Coding::Gzip].into_iter().filter_map(|coding| {
                    let path = format!("{}{}", file.sealed.path, coding.ending());
                    let made = coding.compress(&body, Effort::Best);
                    let wanted = made.len() < body.len() && !taken.contains(path.as_str());
                    wanted.then(|| (SourceFile::made(path, &made, true), Bytes::from(made)))
                });
                Ok(variants.collect())
            })
            .collect::<Result<_, Failure>>()?;
        for (file, body) in variants.into_iter().flatten() {
            self.made.insert(file.sealed.path.clone(), body);
            self.files.push(file);
        }
        self.files.sort_by(|a, b| a.sealed.path.cmp(&b.sealed.path));
        Ok(())
    }

    /// A file's bytes, compared once more: what is handed on is what was sealed.
    ///
    /// # Errors
    /// [`Exit::Refused`] when the file has changed since [`SealedExport::open`].
    pub fn read(&self, path: &str, sha256: &str) -> Result<Bytes, Failure> {
        if let Some(made) = self.made.get(path) {
            return Ok(made.clone());
        }
        let body = fs::read(self.root.join(path)).map_err(|error| changed(path, &error))?;
        if hex(&Sha256::digest(&body)) != sha256 {
            return Err(other_content(path));
        }
        Ok(Bytes::from(body))
    }

    /// Where a file of the export lies; none where it is made here.
    pub(crate) fn file(&self, path: &str) -> Option<PathBuf> {
        (!self.made.contains_key(path)).then(|| self.root.join(path))
    }
}

/// A file of the export that is not what was sealed any more.
pub(crate) fn other_content(path: &str) -> Failure {
    changed(path, &"its content is not what was sealed")
}

fn changed(path: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::new(Exit::Refused, format!("{path} changed while it was being published: {why}"))
        .help("let the build finish, run `sitegate check --seal FILE` again, and publish what passes")
}

/// A page that leads on to an address. The contract lets nothing into that address that HTML would read as
/// more than text, but `&`.
pub fn leading_page(to: &str) -> String {
    let to = to.replace('&', "&amp;");
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Moved</title>\
         <link rel=\"canonical\" href=\"{to}\"><meta name=\"robots\" content=\"noindex\">\
         <meta http-equiv=\"refresh\" content=\"0; url={to}\"><p>This page has moved to <a href=\"{to}\">{to}</a>.</p></html>\n"
    )
}

/// The folders above a file, the innermost first.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(end, _)| &path[..end])
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

/// The folders of sealed files that are symbolic links.
fn linked_folders<'s>(root: &Path, seal: &'s Seal) -> HashSet<&'s str> {
    let mut folders = HashSet::new();
    for file in &seal.files {
        // Those above a folder that is known are known.
        let _ = folders_above(&file.path).find(|folder| !folders.insert(*folder));
    }
    folders.retain(|folder| is_link(&root.join(folder)));
    folders
}

/// How a file differs from the seal.
#[derive(Debug, thiserror::Error)]
enum Difference {
    #[error("symlink     {0}")]
    Symlink(String),
    #[error("missing     {0}")]
    Missing(String),
    #[error("unreadable  {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error("changed     {0}")]
    Changed(String),
}

fn compare(root: &Path, sealed: &SealedFile, linked: &HashSet<&str>) -> Result<SourceFile, Difference> {
    let path = root.join(&sealed.path);
    if is_link(&path) || folders_above(&sealed.path).any(|folder| linked.contains(folder)) {
        return Err(Difference::Symlink(sealed.path.clone()));
    }
    let (mut sha256, mut md5) = (Sha256::new(), Md5::new());
    let hashed = File::open(&path).and_then(|mut file| {
        each_piece(&mut file, |piece| {
            sha256.update(piece);
            md5.update(piece);
        })
    });
    let size = match hashed {
        Ok(size) => size,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Difference::Missing(sealed.path.clone()));
        }
        Err(source) => return Err(Difference::Unreadable { path: sealed.path.clone(), source }),
    };
    if size != sealed.size || hex(&sha256.finalize()) != sealed.sha256 {
        return Err(Difference::Changed(sealed.path.clone()));
    }
    Ok(SourceFile { sealed: sealed.clone(), md5: hex(&md5.finalize()), variant: false })
}
