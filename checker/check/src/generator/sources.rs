//! Which files people edit, by the generator that makes a site of them: globs for the contract's `[source]`.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use super::configuration::{ConfigValue, Configuration};
use sitegate_base::sanitize::slashed;

/// Where a generator's sources are, below the project's folder. `{}` stands for the folder that the key gives, or else the default.
struct SourceFolders {
    generator: &'static str,
    key: &'static str,
    default: &'static str,
    globs: &'static [&'static str],
}

const SOURCES: [SourceFolders; 14] = [
    folders("Astro", "srcDir", "src", &["{}/**", "content/**", "public/**"]),
    folders(
        "Docusaurus",
        "",
        "",
        &["docs/**", "versioned_docs/**", "blog/**", "src/**", "static/**", "i18n/**", "sidebars.*"],
    ),
    folders("VitePress", "srcDir", ".", &["{}/**/*.md", "{}/public/**", ".vitepress/theme/**"]),
    folders(
        "Eleventy",
        "dir.input",
        ".",
        &[
            "{}/**/*.{md,html,liquid,njk,webc,vto,hbs,mustache,ejs,haml,pug}",
            "{}/_includes/**",
            "{}/_data/**",
            "_includes/**",
            "_data/**",
        ],
    ),
    folders(
        "Next",
        "",
        "",
        &[
            "app/**",
            "pages/**",
            "src/**",
            "components/**",
            "content/**",
            "lib/**",
            "public/**",
            "mdx-components.*",
        ],
    ),
    folders("SvelteKit", "", "", &["src/**", "static/**"]),
    folders(
        "Nuxt",
        "srcDir",
        ".",
        &[
            "{}/app/**",
            "{}/app.vue",
            "{}/pages/**",
            "{}/layouts/**",
            "{}/components/**",
            "content/**",
            "{}/public/**",
        ],
    ),
    folders(
        "Hugo",
        "contentDir",
        "content",
        &["{}/**", "layouts/**", "data/**", "i18n/**", "assets/**", "static/**", "config/**", "themes/**"],
    ),
    folders("MkDocs", "docs_dir", "docs", &["{}/**", "overrides/**"]),
    folders("Sphinx", "", ".", &["**/*.{rst,md,txt,ipynb}", "_templates/**"]),
    folders("mdBook", "book.src", "src", &["{}/**", "theme/**"]),
    folders("Jekyll", "source", ".", &["{}/**/*.{md,markdown,html,liquid}", "{}/_data/**"]),
    folders("Pelican", "PATH", "content", &["{}/**", "theme/**", "themes/**"]),
    folders("Vite", "", "", &["*.html", "src/**", "public/**"]),
];

const fn folders(
    generator: &'static str,
    key: &'static str,
    default: &'static str,
    globs: &'static [&'static str],
) -> SourceFolders {
    SourceFolders { generator, key, default, globs }
}

/// What people edit in a project: those of its globs for which there is something, and the configuration. None where only running
/// the configuration would tell.
pub(super) fn globs(generator: &str, settings: &Configuration, place: &Path, file: &Path) -> Vec<String> {
    let Some(known) = SOURCES.iter().find(|known| known.generator == generator) else { return Vec::new() };
    let folder = match settings.get(known.key) {
        None => known.default,
        Some(ConfigValue::Text(folder)) => folder,
        Some(_) => return Vec::new(),
    };
    let folder = folder.trim_start_matches("./").trim_end_matches('/');
    let in_folder = |glob: &&str| match folder {
        "" | "." => glob.replace("{}/", ""),
        folder => glob.replace("{}", &literal(folder)),
    };
    let mut globs: Vec<String> = Vec::new();
    for glob in known.globs.iter().map(in_folder).filter(|glob| is_there(glob, place)) {
        if !globs.contains(&glob) {
            globs.push(glob);
        }
    }
    let file = file.strip_prefix(place).ok().map(slashed);
    let is_in = |file: &String| {
        known.globs.iter().any(|glob| glob.strip_suffix("**").is_some_and(|folder| file.starts_with(folder)))
    };
    globs.extend(file.filter(|file| !is_in(file)).map(|file| literal(&file)));
    globs
}

/// A path in which nothing is a pattern.
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

/// Whether the folder that a glob begins with is there, or the file that it names, in whatever way that ends.
fn is_there(glob: &str, place: &Path) -> bool {
    let literal = glob.split(['*', '{']).next().unwrap_or_default();
    let (folder, name) = literal.rsplit_once('/').unwrap_or(("", literal));
    let folder = place.join(".").join(folder);
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

    #[test]
    fn what_is_there_is_named_below_the_folder_that_the_configuration_gives() {
        let project = tempfile::tempdir().unwrap();
        for folder in ["src", "public", "pages"] {
            fs::create_dir(project.path().join(folder)).unwrap();
        }
        let file = project.path().join("astro.config.mjs");
        let named = |json: &str, generator: &str| {
            let settings = Configuration::of_json(&serde_json::from_str(json).unwrap());
            globs(generator, &settings, project.path(), &file)
        };
        assert_eq!(named("{}", "Astro"), ["src/**", "public/**", "astro.config.mjs"]);
        assert_eq!(named(r#"{"srcDir":"./pages/"}"#, "Astro"), ["pages/**", "public/**", "astro.config.mjs"]);
        assert_eq!(named("{}", "VitePress"), ["**/*.md", "public/**", "astro.config.mjs"]);
        assert!(named(r#"{"srcDir":1}"#, "Astro").is_empty());
        assert_eq!(literal("a[b]*"), "a[[]b[]][*]");
    }
}
