//! Plans the move of a source, or of a folder of sources: the edits of all references to the moved files and in them,
//! and the redirects from the old addresses.
//!
//! A reference is the path of a source or the URL of a page. Each stays what it is: only its path is replaced.

mod addresses;
mod conventions;
mod other_bases;
mod parts;
mod plan;
mod remaining;
mod rewrites;
mod rewriting;
mod sections;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use rayon::prelude::*;
use sitegate_address::{INDEX, SitePath};
use sitegate_base::sanitize::slashed;
use sitegate_sources::{Manner, SourceOptions, SourceScan, proven_edits, scan, with_title_lines};
use thiserror::Error;

use crate::check::{self, CheckTarget, Checker};
use crate::contract::Contract;
use crate::generator::{GENERATORS, HUGO, leaf_bundle};
use crate::index::site::Site;
use crate::project::Project;
use crate::redirect_proposals::RedirectProposal;
use crate::report::document_names::below;
use crate::resolve::inventories::FetchedInventories;
use crate::source_map::{PageSources, SourceFiles, StatedAddress, authored_export, stated_address};
use addresses::{moved_addresses, new_page, shown_source};
use conventions::{DocumentIds, PageConventions, Tools, moved_aliases};
use other_bases::OtherBases;
use parts::PartNames;
pub use plan::MovePlan;
use plan::{TextNote, moved, with_lines};
use remaining::RemainingNames;
use rewrites::PathRewrites;
use rewriting::Rewriter;
use sections::ListPages;
use sitegate_address::extension::is_document_extension;
use sitegate_address::relative::join_segments;
use sitegate_sources::edits::{Edit, is_utf16};

/// Settings that name pages, next to the configurations of generators.
const SETTINGS: [&str; 5] = ["sidebars.*", ".vitepress/config.*", "_toc.yml", ".pages", "SUMMARY.md"];

/// Extensions for `*` in the name of a settings file.
const SCRIPTS: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "json"];

/// Why nothing can be moved.
#[derive(Debug, Error)]
pub enum MoveError {
    /// The paths cannot be moved.
    #[error("{0}")]
    Refused(String),
    /// The check of the export cannot run.
    #[error(transparent)]
    Check(#[from] check::Error),
}

/// Plans the move of a file or folder. `extra` are more files with addresses of the site, such as `_redirects`.
///
/// # Errors
/// If the paths cannot be moved, or the check of the export cannot run.
pub fn plan_move(
    export: &Path,
    contract: &Contract,
    (from, to): (&Path, &Path),
    extra: &[&Path],
) -> Result<MovePlan, MoveError> {
    let (from, to, folder) = checked_paths(contract, from, to)?;
    let settings = &contract.source_files;
    let result = Checker::with_inventories(contract, &FetchedInventories::default())?;
    let result = result.inventory(true).run(CheckTarget::Export(export))?;
    let deployment = &result.deployment.settings;
    let site = Site::new(&result.tree, contract, deployment, result.redirects.clone());

    let export_folder = below(export, &folder);
    let is_in_export = export_folder.is_empty() || moved(&from, &export_folder, "").is_some();
    let is_authored = is_in_export && authored_export(settings, export).is_some();
    if is_in_export && !is_authored {
        return Err(refused(format!(
            "`{from}` is in the export, and `include` of [source] does not begin there; name its source, or if people \
             write the export, add `{export_folder}/**`"
        )));
    }
    let files = SourceFiles::list(settings, Some(export).filter(|_| !is_authored));
    if !files.is_complete {
        return Err(refused("there are too many sources to find all references"));
    }
    let mut plan = MovePlan { folder: folder.clone(), from, to, is_authored, ..MovePlan::default() };

    plan.renames = moved_files(&plan, contract)?;
    refuse_leaf_bundle(&plan)?;
    for (old, _) in &plan.renames {
        if fs::read_link(folder.join(old)).is_ok_and(|target| target.is_relative()) {
            plan.notes.push(format!("{old}: a symbolic link, whose target is not changed"));
        }
    }
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut names = files.paths.clone();
    plan.notes
        .extend(files.links.iter().map(|link| format!("{link}: a symbolic link, which is not searched")));
    // The limit is for the search of every check.
    names.extend(files.too_large.iter().cloned());
    names.extend(setting_files(&plan));
    names.extend(plan.renames.iter().map(|(old, _)| old.clone()).filter(|path| settings.contain(path)));
    let root = below(&folder, Path::new("/"));
    let here = |path: &Path| below(path, &Path::new("/").join(&root));
    names.extend(extra.iter().map(|path| here(path)));
    names.sort_unstable();
    names.dedup();
    for name in names {
        let bytes = fs::read(folder.join(&name)).unwrap_or_default();
        let is_moved = moved(&name, &plan.from, &plan.to).is_some();
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => drop(texts.insert(name, text)),
            Err(error) if is_utf16(error.as_bytes()) && is_moved => {
                return Err(refused(format!("{name} is UTF-16; convert it to UTF-8")));
            }
            Err(error) if is_utf16(error.as_bytes()) => {
                plan.notes.push(format!("{name}: not searched, because it is UTF-16"));
            }
            Err(_) if files.find(&name).is_some_and(|source| files.read(source).is_some()) => {
                plan.notes.push(format!("{name}: not searched, because it is not UTF-8"));
            }
            _ => {}
        }
    }

    let mut pages = PageSources::new(&files, settings, &result.tree);
    let mut addresses = HashMap::new();
    let mut stated = Vec::new();
    let ids = DocumentIds::read(&texts);
    for (path, text) in &texts {
        let stated_name = || ids.stated(path).map(|id| StatedAddress::Id(id.to_owned()));
        let address = stated_address(path, text.as_bytes()).or_else(stated_name);
        let Some((source, address)) = files.find(path).zip(address) else { continue };
        stated.push(pages.stated(source, path, &address, &result.tree));
        addresses.insert(path.as_str(), address);
    }
    let rewrites = PathRewrites::read(&texts);
    let rewritten = files.paths.iter().enumerate().filter_map(|(source, path)| {
        let (_, address) = rewrites.rewritten(path)?;
        let address = StatedAddress::Whole(address);
        Some((source as u32, path, address)).filter(|_| !addresses.contains_key(path.as_str()))
    });
    for (source, path, address) in rewritten {
        stated.push(pages.stated(source, path, &address, &result.tree));
    }
    pages.add_stated_pages(stated, &result.tree);

    let generators: Vec<&str> = Project::all(&folder).iter().map(|project| project.generator).collect();
    let tools = Tools::find(&texts);
    let conventions =
        PageConventions::new(&texts, &result.tree, (&files, &pages), (&ids, rewrites), &generators);
    let mut new_pages = HashMap::new();
    for (old, new) in &plan.renames {
        new_pages.extend(shown_source(&result.tree, old, new));
        match new_page(&result.tree, (&files, &pages), (old, new), addresses.get(old.as_str()), &conventions)
        {
            Ok(Some((page, path))) => drop(new_pages.insert(page, path)),
            Ok(None) => {}
            Err(reason) => plan.notes.push(format!("{old}: {reason}; no redirect is added")),
        }
    }
    if generators.contains(&HUGO) {
        let is_found_by_path = |path: &&String| {
            let is_in = |part: &str| path.split('/').any(|name| name == part);
            is_in("layouts") && !["partials", "_partials", "shortcodes", "_shortcodes"].into_iter().any(is_in)
        };
        let found = plan.renames.iter().map(|(old, _)| old).filter(is_found_by_path);
        let notes: Vec<String> = found
            .map(|old| {
                format!("{old}: Hugo finds this template by its path; compare its pages after the next build")
            })
            .collect();
        plan.notes.extend(notes);
    }
    let lists =
        ListPages::find(&result.tree, (&files, &pages), &plan, &new_pages, generators.contains(&HUGO));
    for (file, reason) in lists.lost {
        let address = site.resolver.served_path(&result.tree.display(file));
        plan.notes.push(format!("{address}: {reason}; no redirect is added"));
    }
    new_pages.extend(lists.moved);
    for (alias, moved_alias, list) in lists.aliases {
        let (before, after) = (site.resolver.served_path(&alias), site.resolver.served_path(&list));
        let reason = format!("{} is moved to {}", plan.from, plan.to);
        plan.redirects.push(RedirectProposal::certain(before, after, reason));
        plan.pages.push((alias, moved_alias));
    }
    for (page, path) in &new_pages {
        if result.tree.find(path.as_bytes()).is_some_and(|taken| !new_pages.contains_key(&taken)) {
            let address = site.resolver.served_path(path);
            return Err(refused(format!("the address {address} is taken by another page")));
        }
        let exported = result.tree.display(*page).into_owned();
        let moves = if tools.is_mdbook && exported == INDEX {
            plan.notes
                .push("/: stays the address of mdBook's first chapter; no redirect is added".to_owned());
            Vec::new()
        } else {
            moved_addresses(&site, result.inventory.as_ref(), (&exported, path))
        };
        let reason = || format!("{} is moved to {}", plan.from, plan.to);
        plan.redirects.extend(
            moves.into_iter().map(|(before, after)| RedirectProposal::certain(before, after, reason())),
        );
        let source = plan
            .renames
            .iter()
            .find(|(old, _)| files.find(old).and_then(|source| pages.page(source)) == Some(*page));
        let text = source.and_then(|(old, _)| texts.get(old)).map_or("", String::as_str);
        for (alias, moved_alias) in moved_aliases(&result.tree, text, (&exported, path)) {
            let (before, after) = (site.resolver.served_path(&alias), site.resolver.served_path(path));
            plan.redirects.push(RedirectProposal::certain(before, after, reason()));
            plan.pages.push((alias, moved_alias));
        }
        plan.pages.push((exported, path.clone()));
    }
    plan.redirects.sort_by(|a, b| a.from.cmp(&b.from));

    let rewriter =
        Rewriter::new(&plan, &site, (&files, &pages), &new_pages, (settings.prefixes(), &ids, tools));
    let default_role = texts.iter().any(|(path, text)| path.ends_with("conf.py") && names_documents(text));
    let options = SourceOptions { default_role };
    let remaining = RemainingNames::new(&plan, &rewriter, &new_pages, &result.tree);
    let other_bases = OtherBases {
        plan: &plan,
        rewriter: &rewriter,
        files: &files,
        texts: &texts,
        tree: &result.tree,
        new_pages: &new_pages,
    };
    let is_page = |path: &str| files.find(path).is_some_and(|source| pages.is_page(source));
    let parts = PartNames::new(&plan, is_page);
    let planned: Vec<(Vec<Edit>, Vec<String>)> = texts
        .par_iter()
        .map(|(path, text)| {
            let scan = scan(path, text, options);
            let (edits, mut notes) = planned_edits(&rewriter, (path, text), &scan, options);
            let page_folder = files.find(path).and_then(|source| pages.folder(source));
            notes.extend(remaining.find((path, text), &scan, &edits, page_folder));
            notes.extend(parts.find(text, &edits, &notes));
            notes.extend(other_bases.find((path, text), &scan, &edits, &notes));
            (with_title_lines(path, text, edits), with_lines((path, text), notes))
        })
        .collect();
    let (mut edits, mut notes) = (BTreeMap::new(), Vec::new());
    for (path, (own, own_notes)) in texts.keys().zip(planned) {
        if !own.is_empty() {
            edits.insert(path.clone(), own);
        }
        notes.extend(own_notes);
    }
    plan.edits = edits;
    plan.notes.extend(notes);
    Ok(plan)
}

/// Plans the edits of a text, and proves each: the reference resolves to its target after the move, and the text has no
/// other change of its references. Returns what cannot be edited, too.
fn planned_edits(
    rewriter: &Rewriter<'_>,
    (path, text): (&str, &str),
    scan: &SourceScan<'_>,
    options: SourceOptions,
) -> (Vec<Edit>, Vec<TextNote>) {
    let (mut edits, mut notes) = (Vec::new(), Vec::new());
    let note = |offset: usize, written: &str, reason: &str| TextNote {
        offset,
        message: format!("`{written}` {reason}"),
    };
    let bases = sidebar_bases(path, text);
    for reference in scan.references.iter().filter(|found| found.uses > 0 && found.manner != Manner::Text) {
        match rewriter.rewrite((path, text), reference) {
            Ok(None) => {
                let is_below = |base: &&&str| rewriter.moves_below(base, path, reference);
                notes.extend(bases.iter().find(is_below).map(|base| {
                    let reason = format!("is below `base` ({base}) of its sidebar; change it by hand");
                    note(reference.range.start, &text[reference.range.clone()], &reason)
                }));
            }
            Ok(Some(edit)) => edits.push(edit),
            Err(reason) => notes.push(note(reference.range.start, &text[reference.range.clone()], reason)),
        }
    }
    let (proven, others) = proven_edits(
        (path, text),
        &scan.references,
        edits,
        &|edit: &Edit| (edit.start..edit.end, &edit.new),
        options,
    );
    notes.extend(others.iter().map(|edit| {
        let written = &text[edit.start..edit.end];
        note(
            edit.start,
            written,
            "is not edited: the new path may need quotes or escapes in this syntax; change it by hand",
        )
    }));
    (proven, notes)
}

/// Returns the values of `base` in the settings of VitePress: it puts them before the links of a sidebar.
fn sidebar_bases<'t>(path: &str, text: &'t str) -> Vec<&'t str> {
    if !path.split('/').any(|name| name == ".vitepress") {
        return Vec::new();
    }
    let value = |(_, after): (usize, &'t str)| {
        let value = after.trim_start_matches(['\'', '"']).trim_start().strip_prefix(':')?.trim_start();
        let quote = value.chars().next().filter(|first| matches!(first, '\'' | '"' | '`'))?;
        value[1..].split_once(quote).map(|(base, _)| base).filter(|base| base.starts_with('/'))
    };
    let mut bases: Vec<&str> = text
        .match_indices("base")
        .map(|(at, name)| (at, &text[at + name.len()..]))
        .filter_map(value)
        .collect();
    bases.dedup();
    bases
}

/// Whether the configuration of Sphinx has a default role that accepts names of documents.
fn names_documents(configuration: &str) -> bool {
    let roles = configuration
        .lines()
        .filter_map(|line| line.strip_prefix("default_role")?.trim_start().strip_prefix('='));
    roles.into_iter().any(|role| ["\"any\"", "'any'", "\"doc\"", "'doc'"].contains(&role.trim()))
}

fn refused(message: impl Into<String>) -> MoveError {
    MoveError::Refused(message.into())
}

/// Checks both paths, and returns them relative to the contract's folder, which is returned as an absolute path.
fn checked_paths(
    contract: &Contract,
    from: &Path,
    destination: &Path,
) -> Result<(String, String, PathBuf), MoveError> {
    let settings = &contract.source_files;
    if settings.is_empty() {
        return Err(refused("the contract names no sources; set `include` of [source]"));
    }
    if let Some(path) = [from, destination].into_iter().find(|path| path.to_str().is_none()) {
        return Err(refused(format!("`{}` is not UTF-8; rename it by hand", path.display())));
    }
    let folder = Path::new("/").join(below(&settings.folder, Path::new("/")));
    let metadata = fs::symlink_metadata(from)
        .map_err(|_| refused(format!("there is no file or folder `{}`", from.display())))?;
    if metadata.is_symlink() {
        return Err(refused(format!("`{}` is a symbolic link; name the file itself", from.display())));
    }
    // Some file systems and hosts do not distinguish letter case: there, the old address would redirect to itself.
    let (own, other) = (below(from, &folder), below(destination, &folder));
    let is_other_file =
        destination.canonicalize().is_ok_and(|found| from.canonicalize().is_ok_and(|source| source != found));
    if own != other && own.to_lowercase() == other.to_lowercase() && !is_other_file {
        return Err(refused(format!(
            "`{other}` differs from `{own}` only in letter case, which some file systems and hosts do not distinguish; \
             choose another name"
        )));
    }
    // As with `mv`, a folder as destination means a file in it.
    let is_into = destination.is_dir()
        || destination.to_str().is_some_and(|to| to.ends_with('/')) && metadata.is_file();
    let target = match from.file_name() {
        Some(name) if is_into => destination.join(name),
        _ => destination.to_path_buf(),
    };
    if fs::symlink_metadata(&target).is_ok() {
        return Err(refused(format!("`{}` exists; name a path that does not", target.display())));
    }
    let to = below(&target, &folder);
    if moved(&to, &own, "").is_some() {
        return Err(refused(format!("`{own}` cannot be moved into itself")));
    }
    if moved(&own, &to, "").is_some() || own.is_empty() {
        return Err(refused(format!("`{to}` exists; name a path that does not")));
    }
    stays_page(&folder, &own, &to)?;
    Ok((own, to, folder))
}

/// Checks that both paths are in the project, and that generators read the new one as the old one.
fn stays_page(folder: &Path, from: &str, to: &str) -> Result<(), MoveError> {
    for path in [from, to] {
        if Path::new(path).is_absolute() {
            let project = folder.display();
            return Err(refused(format!(
                "`{path}` is outside of the contract's folder `{project}`; move it by hand"
            )));
        }
        let mut above = SitePath::new(path).ancestors();
        if let Some(link) = above.find(|above| folder.join(above).is_symlink()) {
            return Err(refused(format!("`{path}` is below the symbolic link `{link}`; name its real path")));
        }
    }
    let hidden = |path: &str| path.split('/').find(|name| name.starts_with('.')).map(str::to_owned);
    if let (None, Some(name)) = (hidden(from), hidden(to)) {
        return Err(refused(format!(
            "generators do not read `{name}`, which is hidden; choose another name"
        )));
    }
    if is_page(from) && !is_page(to) && folder.join(from).is_file() {
        let end = SitePath::new(from).extension().unwrap_or_default();
        return Err(refused(format!("`{to}` would be no page; keep the extension `.{end}`")));
    }
    Ok(())
}

fn is_page(path: &str) -> bool {
    SitePath::new(path).extension().is_some_and(is_document_extension)
}

/// Returns the files to move, all of which are sources before and after.
fn moved_files(plan: &MovePlan, contract: &Contract) -> Result<Vec<(String, String)>, MoveError> {
    let settings = &contract.source_files;
    let start = plan.folder.join(&plan.from);
    let entries = WalkBuilder::new(&start).standard_filters(false).build().filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()));
    let mut renames: Vec<(String, String)> = files
        .filter_map(|entry| Some(slashed(entry.path().strip_prefix(&plan.folder).ok()?)))
        .map(|from| (from.clone(), plan.moved(&from)))
        .collect();
    renames.sort_unstable();
    let mut sources = renames.iter().filter(|(from, _)| settings.contain(from)).peekable();
    if sources.peek().is_none() {
        let message = format!("`{}` is not a source: `include` of [source] does not contain it", plan.from);
        return Err(refused(message));
    }
    if let Some((_, to)) = sources.find(|(_, to)| !settings.contain(to)) {
        return Err(refused(format!(
            "`{to}` would not be a source: `include` of [source] does not contain it"
        )));
    }
    Ok(renames)
}

/// Refuses to move a page into a folder in which Hugo makes no pages.
fn refuse_leaf_bundle(plan: &MovePlan) -> Result<(), MoveError> {
    let was_page = |(old, _): &&(String, String)| is_page(old) && leaf_bundle(&plan.folder, old).is_none();
    let mut pages = plan.renames.iter().filter(was_page);
    match pages.find_map(|(_, new)| leaf_bundle(&plan.folder, new)) {
        Some(bundle) if is_hugo(&plan.folder) => Err(refused(format!(
            "`{bundle}` is a leaf bundle of Hugo, whose only page is its index.md; name another folder"
        ))),
        _ => Ok(()),
    }
}

/// Whether a project is one of Hugo.
fn is_hugo(folder: &Path) -> bool {
    Project::all(folder).iter().any(|project| project.generator == HUGO)
}

/// Returns the settings files of generators in the folders above the moved path, and in the contract's folder.
fn setting_files(plan: &MovePlan) -> Vec<String> {
    let configurations = GENERATORS.iter().flat_map(|generator| generator.configurations);
    let names = configurations.flat_map(|configuration| configuration.names).chain(&SETTINGS);
    let names: Vec<String> = names
        .flat_map(|name| match name.strip_suffix('*') {
            Some(stem) => SCRIPTS.iter().map(|extension| format!("{stem}{extension}")).collect(),
            None => vec![(*name).to_owned()],
        })
        .collect();
    let folders = std::iter::once("").chain(SitePath::new(&*plan.from).ancestors());
    let paths =
        folders.flat_map(|folder| names.iter().map(move |name| join_segments(&[folder, name.as_str()])));
    paths.filter(|path| plan.folder.join(path).is_file()).collect()
}
