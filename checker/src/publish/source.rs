//! The sealed export on disk: compared with its seal before anything is sent, and read again byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use md5::Md5;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::failure::{Exit, Failure};
use super::release::is_page;
use super::seal::{Seal, SealedFile, hex};
use crate::config::Config;
use crate::walk::Tree;

/// An export that was found to be what its seal says.
#[derive(Debug)]
pub struct Source {
    root: PathBuf,
    /// The files, as sealed.
    pub files: Vec<SourceFile>,
    /// Pages that the contract asks for and the export does not hold, by path.
    made: BTreeMap<String, Bytes>,
}

/// A sealed file, with what object stores tell of content.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As sealed.
    pub sealed: SealedFile,
    /// MD5 of its content in hexadecimal: the entity tag of most stores.
    pub md5: String,
}

impl Source {
    /// Reads every file below `root` and compares it with the seal.
    ///
    /// # Errors
    /// [`Exit::Refused`] when anything is missing, added, changed, a symbolic link or a special file.
    pub fn open(root: &Path, seal: &Seal) -> Result<Source, Failure> {
        let tree = Tree::walk(root)
            .map_err(|error| Failure::new(Exit::Usage, format!("{}: {error}", root.display())))?;
        let mut wrong: Vec<String> = Vec::new();
        wrong.extend(tree.unread.iter().map(|path| format!("unreadable  {path}")));
        wrong.extend(tree.strays.iter().map(|stray| format!("special     {}", stray.path)));
        for id in tree.ids() {
            let path = tree.display(id);
            if seal.files.binary_search_by(|file| file.path.as_str().cmp(&path)).is_err() {
                wrong.push(format!("added       {path}"));
            }
        }
        let compared: Vec<Result<SourceFile, String>> =
            seal.files.par_iter().map(|sealed| compare(root, sealed)).collect();
        let mut files = Vec::with_capacity(compared.len());
        for file in compared {
            match file {
                Ok(file) => files.push(file),
                Err(why) => wrong.push(why),
            }
        }
        if wrong.is_empty() {
            return Ok(Source { root: root.to_path_buf(), files, made: BTreeMap::new() });
        }
        let count = wrong.len();
        let message = format!(
            "{} is not what passed the check: {count} {} since it was sealed",
            root.display(),
            if count == 1 { "file differs" } else { "files differ" }
        );
        let help = "nothing was published; run `sitegate check --seal FILE` again, and publish what passes";
        Err(Failure::new(Exit::Refused, message).names(wrong).help(help))
    }

    /// Adds a page for each address that moved, which leads on to the new one: stores without redirects of
    /// their own answer with it.
    ///
    /// # Errors
    /// [`Exit::Usage`] when the export holds a page at such an address.
    pub fn add_redirects(&mut self, config: &Config) -> Result<(), Failure> {
        for redirect in &config.redirects {
            let path = match redirect.from.trim_start_matches('/') {
                page if is_page(page) => page.to_owned(),
                folder => format!("{folder}/index.html"),
            };
            let Err(place) = self.files.binary_search_by(|file| file.sealed.path.as_str().cmp(&path)) else {
                let message =
                    format!("{} redirects {}, and the export holds {path}", config.name(), redirect.from);
                return Err(Failure::new(Exit::Usage, message).help("drop one of the two"));
            };
            let body = Bytes::from(leading_page(&redirect.to));
            let sealed = SealedFile {
                path: path.clone(),
                size: body.len() as u64,
                sha256: hex(&Sha256::digest(&body)),
            };
            self.files.insert(place, SourceFile { sealed, md5: hex(&Md5::digest(&body)) });
            self.made.insert(path, body);
        }
        Ok(())
    }

    /// A file's bytes, compared once more: what is handed on is what was sealed.
    ///
    /// # Errors
    /// [`Exit::Refused`] when the file has changed since [`Source::open`].
    pub fn read(&self, path: &str, sha256: &str) -> Result<Bytes, Failure> {
        if let Some(made) = self.made.get(path) {
            return Ok(made.clone());
        }
        let changed = |why: &dyn std::fmt::Display| {
            Failure::new(Exit::Refused, format!("{path} changed while it was being published: {why}"))
                .help("let the build finish, run `sitegate check --seal FILE` again, and publish what passes")
        };
        let body = fs::read(self.root.join(path)).map_err(|error| changed(&error))?;
        if hex(&Sha256::digest(&body)) != sha256 {
            return Err(changed(&"its content is not what was sealed"));
        }
        Ok(Bytes::from(body))
    }
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

fn compare(root: &Path, sealed: &SealedFile) -> Result<SourceFile, String> {
    let path = root.join(&sealed.path);
    let linked = path
        .ancestors()
        .take_while(|parent| *parent != root)
        .any(|parent| parent.symlink_metadata().is_ok_and(|found| found.is_symlink()));
    if linked {
        return Err(format!("symlink     {}", sealed.path));
    }
    let body = match fs::read(&path) {
        Ok(body) => body,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(format!("missing     {}", sealed.path));
        }
        Err(error) => return Err(format!("unreadable  {}: {error}", sealed.path)),
    };
    if body.len() as u64 != sealed.size || hex(&Sha256::digest(&body)) != sealed.sha256 {
        return Err(format!("changed     {}", sealed.path));
    }
    Ok(SourceFile { sealed: sealed.clone(), md5: hex(&Md5::digest(&body)) })
}
