//! Builds the globs for the contract's `[source]`: files of a project that people edit.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::configuration::{ConfigValue, Configuration};
use crate::generator::SourceLayout;
use sitegate_address::SitePath;
use sitegate_base::sanitize::slashed;

/// Returns the project's globs that match existing files, and its configuration file.
/// Returns none if the configuration computes its source folder.
pub(super) fn globs(
    known: &SourceLayout,
    settings: &Configuration,
    folder_of_project: &Path,
    file: &Path,
) -> Vec<String> {
    let folder = match settings.get(known.key) {
        None => known.folder,
        Some(ConfigValue::Text(folder)) => folder,
        Some(_) => return Vec::new(),
    };
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let in_folder = |glob: &&str| match folder {
        "" | "." => glob.replace("{}/", ""),
        folder => glob.replace("{}", &literal(folder)),
    };
    let mut globs: Vec<String> = Vec::new();
    for glob in known.globs.iter().map(in_folder).filter(|glob| has_match(glob, folder_of_project)) {
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    let file = file.strip_prefix(folder_of_project).ok().map(slashed);
    let is_in = |path: &String| {
        known.globs.iter().any(|glob| glob.strip_suffix("**").is_some_and(|prefix| path.starts_with(prefix)))
    };
    globs.extend(file.filter(|file| !is_in(file)).map(|file| literal(&file)));
    globs
}

/// Escapes a path, so that a glob matches it literally.
pub(super) fn literal(path: &str) -> String {
    let mut literal = String::new();
    for c in path.chars() {
        match c {
            '*' | '?' | '[' | ']' | '{' | '}' => literal.extend(['[', c, ']']),
            c => literal.push(c),
        }
    }
    literal
}

/// Whether the folder that a glob begins with exists, or a file with the name that it begins with.
fn has_match(glob: &str, folder_of_project: &Path) -> bool {
    let literal = glob.split(['*', '{']).next().unwrap_or_default();
    let (folder, name) = SitePath::new(literal).split();
    let folder = folder_of_project.join(".").join(folder);
    let begins = |name_there: &OsStr| name_there.to_str().is_some_and(|there| there.starts_with(name));
    match name {
        "" => folder.is_dir(),
        _ => fs::read_dir(folder)
            .is_ok_and(|entries| entries.flatten().any(|entry| begins(&entry.file_name()))),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::{Configuration, globs, literal};
    use crate::generator::GENERATORS;

    #[test]
    fn lists_existing_folders_below_the_configured_one() {
        let project = tempfile::tempdir().unwrap();
        for folder in ["src", "public", "pages"] {
            fs::create_dir(project.path().join(folder)).unwrap();
        }
        let file = project.path().join("astro.config.mjs");
        let named = |json: &str, generator: &str| {
            let settings = Configuration::of_json(&serde_json::from_str(json).unwrap());
            let known = GENERATORS.iter().find(|known| known.name == generator).unwrap();
            globs(&known.sources, &settings, project.path(), &file)
        };
        assert_eq!(named("{}", "Astro"), ["src/**", "public/**", "astro.config.mjs"]);
        assert_eq!(named(r#"{"srcDir":"./pages/"}"#, "Astro"), ["pages/**", "public/**", "astro.config.mjs"]);
        assert_eq!(named("{}", "VitePress"), ["**/*.md", "public/**", "astro.config.mjs"]);
        assert!(named(r#"{"srcDir":1}"#, "Astro").is_empty());
        assert_eq!(literal("a[b]*"), "a[[]b[]][*]");
    }
}
