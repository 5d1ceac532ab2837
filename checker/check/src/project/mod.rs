//! Detects the generator of a site, and reads its deployment from the generator's configuration.
//!
//! A configuration is read and never run. Settings that only running it would reveal are listed as computed.

mod configuration;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use sitegate_address::{INDEX, PathPatterns, SitePath};
use sitegate_base::host_name::is_local;
use sitegate_base::sanitize::slashed;
use sitegate_host::{Host, TrailingSlash};
use sitegate_script::read_config;
use url::Url;

use self::configuration::{ConfigValue, Configuration};
use crate::contract::SiteSettings;
use crate::deployment::InferredSetting;
use crate::generator::{BasePath, ConfigurationFile, ContractSetting, GENERATORS, Generator, SourceLayout};

/// Folders of a project that may contain the site's own project, the root first.
const SITE_FOLDERS: [&str; 6] = ["", "docs", "website", "site", "doc", "www"];

/// Script extensions that replace `*`.
const SCRIPT_EXTENSIONS: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "cts"];

/// Maximum size of a configuration file in bytes.
const MAX_BYTES: u64 = 64 << 10;

/// The project of a site.
#[derive(Clone, Debug)]
pub struct Project {
    /// Name of the generator.
    pub generator: &'static str,
    /// Its configuration file.
    pub file: PathBuf,
    /// Folder of the project.
    folder: PathBuf,
    /// Folders that the export may be in; empty if the configuration computes them.
    pub roots: Vec<PathBuf>,
    /// Settings of the configuration, as keys and values of the contract.
    pub known: Vec<InferredSetting>,
    /// Computed settings: a key of the contract's `[site]`, and the generator's own key.
    pub computed: Vec<(&'static str, String)>,
    /// Globs of the files that people edit, below the project's folder.
    sources: Vec<String>,
}

impl Project {
    /// Returns the projects in a folder, and in the folders below it that usually contain sites.
    pub fn all(folder: &Path) -> Vec<Project> {
        let site_folders = SITE_FOLDERS.iter().map(|site_folder| match *site_folder {
            "" => folder.to_path_buf(),
            site_folder => folder.join(site_folder),
        });
        let known = || {
            GENERATORS.iter().flat_map(|known| known.configurations.iter().map(move |file| (*known, file)))
        };
        site_folders
            .flat_map(|site_folder| {
                known().filter_map(move |(known, file)| Project::read(known, file, &site_folder))
            })
            .collect()
    }

    fn read(
        generator: &'static Generator,
        known: &'static ConfigurationFile,
        site_folder: &Path,
    ) -> Option<Project> {
        let names = known.names.iter().flat_map(|name| match name.strip_suffix('*') {
            Some(stem) => SCRIPT_EXTENSIONS.iter().map(|extension| format!("{stem}{extension}")).collect(),
            None => vec![(*name).to_owned()],
        });
        let file = names.map(|name| site_folder.join(name)).find(|file| file.is_file())?;
        let settings = KeyedConfiguration { configuration: read(&file), prefix: known.prefix };
        let has_required_key = known.required_keys.iter().any(|key| settings.configuration.has(key));
        if !(known.required_keys.is_empty() || has_required_key) {
            return None;
        }
        let mut project = Project {
            generator: generator.name,
            roots: roots(generator, &settings, site_folder),
            sources: source_globs(&generator.sources, &settings.configuration, site_folder, &file),
            file,
            folder: site_folder.join("."),
            known: Vec::new(),
            computed: Vec::new(),
        };
        project.read_deployment(generator, &settings);
        for ContractSetting { key, value, contract_key, contract_value } in generator.settings {
            let is_set = match settings.get(key) {
                Some(ConfigValue::Text(text) | ConfigValue::ModuleCall(text)) => text == value,
                Some(ConfigValue::Flag(flag)) => flag.to_string() == *value,
                Some(ConfigValue::Computed) if *contract_key != "host" => {
                    project.computed.push((contract_key, settings.name(key)));
                    false
                }
                _ => false,
            };
            if is_set {
                project.add_setting(contract_key, (*contract_value).to_owned(), &settings.name(key));
            }
        }
        project.computed.dedup();
        Some(project)
    }

    /// Whether an export is this project's output.
    pub fn owns(&self, root: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let Some(root) = real(root) else { return false };
        match self.roots.as_slice() {
            [] => real(&self.folder).is_some_and(|folder| root.starts_with(folder)),
            roots => roots.iter().any(|known| real(known).is_some_and(|known| known == root)),
        }
    }

    /// Whether this folder is the project's own.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.folder == folder.join(".")
    }

    /// Returns the globs of the files that people edit, relative to a folder that contains the project.
    pub fn sources(&self, from: &Path) -> Vec<String> {
        let Ok(below) = self.folder.strip_prefix(from) else { return Vec::new() };
        let names = below.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let mut prefix = String::new();
        for name in names {
            prefix.push_str(&PathPatterns::escape(name));
            prefix.push('/');
        }
        self.sources.iter().map(|glob| format!("{prefix}{glob}")).collect()
    }

    /// Returns the folder of the export, if it was built.
    pub fn export(&self) -> Option<&Path> {
        self.roots.iter().map(PathBuf::as_path).find(|root| root.join(INDEX).is_file())
    }

    /// Applies the known settings to the settings of a contract.
    pub(crate) fn apply_to(&self, site: &mut SiteSettings) {
        for InferredSetting { key, value, .. } in &self.known {
            match *key {
                "origin" => site.origin = Url::parse(value).ok(),
                "base-path" => (site.base_path, site.has_base_path) = (value.clone(), true),
                "host" => site.host = Host::named(value),
                "trailing-slash" => {
                    site.has_trailing_slash = true;
                    if value == "never" {
                        site.trailing_slash = TrailingSlash::Never;
                    }
                }
                _ => site.clean_urls = Some(true),
            }
        }
    }

    /// Reads the origin and the base path.
    fn read_deployment(&mut self, generator: &Generator, settings: &KeyedConfiguration) {
        for key in generator.origin_keys {
            match settings.get(key) {
                Some(ConfigValue::Text(text)) => {
                    let Some(url) = Url::parse(text).ok().filter(is_public) else { continue };
                    self.add_setting("origin", url.origin().ascii_serialization(), &settings.name(key));
                    if matches!(generator.base_path, BasePath::InOrigin) {
                        self.add_setting("base-path", with_slashes(url.path()), &settings.name(key));
                    }
                }
                Some(ConfigValue::Computed) => {
                    self.computed.push(("origin", settings.name(key)));
                    if matches!(generator.base_path, BasePath::InOrigin) {
                        self.computed.push(("base-path", settings.name(key)));
                    }
                }
                _ => {}
            }
        }
        if let BasePath::Key(key) = generator.base_path {
            match settings.get(key) {
                // A relative base, or a CDN's, does not set the path.
                Some(ConfigValue::Text(path)) if !is_external(path) => {
                    self.add_setting("base-path", with_slashes(path), &settings.name(key));
                }
                Some(ConfigValue::Computed) => self.computed.push(("base-path", settings.name(key))),
                _ => {}
            }
        }
    }

    fn add_setting(&mut self, key: &'static str, value: String, theirs: &str) {
        let evidence = format!("`{theirs}` in {}", slashed(&self.file));
        self.known.push(InferredSetting { key, value, evidence });
    }
}

/// A configuration, with the prefix of its generator's keys.
struct KeyedConfiguration {
    configuration: Configuration,
    prefix: &'static str,
}

impl KeyedConfiguration {
    fn get(&self, key: &str) -> Option<&ConfigValue> {
        self.configuration.get(&format!("{}{key}", self.prefix))
    }

    /// Returns a key as users write it: without the list and the module of the plugin that has the option.
    fn name(&self, key: &str) -> String {
        if self.prefix.starts_with("plugins.") { key.to_owned() } else { format!("{}{key}", self.prefix) }
    }
}

/// Returns the folders that a project's export may be in.
fn roots(generator: &Generator, settings: &KeyedConfiguration, site_folder: &Path) -> Vec<PathBuf> {
    let output = generator.output_keys.iter().find_map(|key| settings.get(key));
    match output {
        Some(ConfigValue::Text(root)) => vec![site_folder.join(root.strip_prefix("./").unwrap_or(root))],
        Some(_) => Vec::new(),
        None => generator.output_folders.iter().map(|root| site_folder.join(root)).collect(),
    }
}

/// Reads a configuration file. Returns an empty one if it cannot be read.
fn read(file: &Path) -> Configuration {
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    if read.is_err() {
        return Configuration::default();
    }
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => toml::from_str(&text).map(|table| Configuration::of_json(&table)).unwrap_or_default(),
        Some("json") => {
            serde_json::from_str(&text).map(|table| Configuration::of_json(&table)).unwrap_or_default()
        }
        Some("yml" | "yaml") => configuration::read_yaml(&text),
        Some("py") => configuration::read_python(&text),
        extension => Configuration::of_script(read_config(&text, extension.unwrap_or_default())),
    }
}

fn is_public(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !is_local(host))
}

/// Whether a base is relative, or a CDN's.
fn is_external(base: &str) -> bool {
    base.is_empty() || base.starts_with('.') || base.starts_with("//") || base.contains(':')
}

/// Adds a slash at both ends of a path, as generators do.
fn with_slashes(path: &str) -> String {
    match path.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}

/// Returns the project's globs that match existing files, and its configuration file.
/// Returns none if the configuration computes its source folder.
fn source_globs(
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
        folder => glob.replace("{}", &PathPatterns::escape(folder)),
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
    globs.extend(file.filter(|file| !is_in(file)).map(|file| PathPatterns::escape(&file)));
    globs
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

    use super::{Configuration, source_globs};
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
            source_globs(&known.sources, &settings, project.path(), &file)
        };
        assert_eq!(named("{}", "Astro"), ["src/**", "public/**", "astro.config.mjs"]);
        assert_eq!(named(r#"{"srcDir":"./pages/"}"#, "Astro"), ["pages/**", "public/**", "astro.config.mjs"]);
        assert_eq!(named("{}", "VitePress"), ["**/*.md", "public/**", "astro.config.mjs"]);
        assert!(named(r#"{"srcDir":1}"#, "Astro").is_empty());
    }
}
