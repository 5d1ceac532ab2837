//! Which generator a site is built with, and what its own configuration says of where the site lives.
//!
//! A configuration is read and never run. What only running it would tell is named, and not guessed.

mod configuration;
mod lines;
mod source_globs;

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use url::Url;

use crate::contract::{Host, SiteSettings, TrailingSlash};
use crate::deployment::InferredSetting;
use crate::generator::{BasePath, ConfigurationFile, ContractSetting, GENERATORS, Generator};
use configuration::{ConfigValue, Configuration};
use sitegate_base::host_name::is_local;
use sitegate_base::sanitize::slashed;
use sitegate_script::read_config;

/// Folders of a project that the site may have to itself, the project's own first.
const PLACES: [&str; 6] = ["", "docs", "website", "site", "doc", "www"];

/// Extensions of scripts, in the place of `*`.
const SCRIPTS: [&str; 6] = ["js", "mjs", "cjs", "ts", "mts", "cts"];

/// Bytes of the largest configuration that is read.
const LARGEST: u64 = 64 << 10;

/// A site's project.
#[derive(Clone, Debug)]
pub struct Project {
    /// The generator's name.
    pub generator: &'static str,
    /// Its configuration.
    pub file: PathBuf,
    /// The folder that it is about.
    folder: PathBuf,
    /// Folders that the export may be in. None where only running the configuration would tell.
    pub roots: Vec<PathBuf>,
    /// What the configuration says, in the contract's words.
    pub known: Vec<InferredSetting>,
    /// What it works out: a key of the contract's `[site]`, and the generator's own key.
    pub computed: Vec<(&'static str, String)>,
    /// Globs of what people edit, below its folder.
    sources: Vec<String>,
}

impl Project {
    /// The projects in a folder, or in one of those below it that sites have to themselves.
    pub fn all(folder: &Path) -> Vec<Project> {
        let places = PLACES.iter().map(|place| match *place {
            "" => folder.to_path_buf(),
            place => folder.join(place),
        });
        let known = || {
            GENERATORS.iter().flat_map(|known| known.configurations.iter().map(move |file| (*known, file)))
        };
        places
            .flat_map(|place| known().filter_map(move |(known, file)| Project::read(known, file, &place)))
            .collect()
    }

    fn read(
        generator: &'static Generator,
        known: &'static ConfigurationFile,
        place: &Path,
    ) -> Option<Project> {
        let names = known.names.iter().flat_map(|name| match name.strip_suffix('*') {
            Some(stem) => SCRIPTS.iter().map(|ending| format!("{stem}{ending}")).collect(),
            None => vec![(*name).to_owned()],
        });
        let file = names.map(|name| place.join(name)).find(|file| file.is_file())?;
        let settings = KeyedConfiguration { configuration: read(&file), prefix: known.prefix };
        let has_mark = known.marks.iter().any(|mark| settings.configuration.has(mark));
        if !(known.marks.is_empty() || has_mark) {
            return None;
        }
        let mut project = Project {
            generator: generator.name,
            roots: roots(generator, &settings, place),
            sources: source_globs::globs(&generator.sources, &settings.configuration, place, &file),
            file,
            folder: place.join("."),
            known: Vec::new(),
            computed: Vec::new(),
        };
        project.place(generator, &settings);
        for ContractSetting { key, value, contract_key, contract_value } in generator.settings {
            let is_set = match settings.get(key) {
                Some(ConfigValue::Text(text) | ConfigValue::Made(text)) => text == value,
                Some(ConfigValue::Flag(flag)) => flag.to_string() == *value,
                Some(ConfigValue::Computed) if *contract_key != "host" => {
                    project.computed.push((contract_key, settings.name(key)));
                    false
                }
                _ => false,
            };
            if is_set {
                project.know(contract_key, (*contract_value).to_owned(), &settings.name(key));
            }
        }
        project.computed.dedup();
        Some(project)
    }

    /// Whether an export is this project's.
    pub fn owns(&self, root: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let Some(root) = real(root) else { return false };
        match self.roots.as_slice() {
            [] => real(&self.folder).is_some_and(|folder| root.starts_with(folder)),
            roots => roots.iter().any(|known| real(known).is_some_and(|known| known == root)),
        }
    }

    /// Whether it is the project of this very folder.
    pub fn is_in(&self, folder: &Path) -> bool {
        self.folder == folder.join(".")
    }

    /// Globs of what people edit, from a folder that the project lies in.
    pub fn sources(&self, from: &Path) -> Vec<String> {
        let Ok(below) = self.folder.strip_prefix(from) else { return Vec::new() };
        let names = below.components().filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        let prefix: String = names.map(|name| format!("{}/", source_globs::literal(name))).collect();
        self.sources.iter().map(|glob| format!("{prefix}{glob}")).collect()
    }

    /// The export, where it is built.
    pub fn export(&self) -> Option<&Path> {
        self.roots.iter().map(PathBuf::as_path).find(|root| root.join("index.html").is_file())
    }

    /// Puts what is known into the settings of a contract.
    pub fn settle(&self, site: &mut SiteSettings) {
        for InferredSetting { key, value, .. } in &self.known {
            match *key {
                "origin" => site.origin = Url::parse(value).ok(),
                "base-path" => (site.base_path, site.has_base_path) = (value.clone(), true),
                "host" => site.host = Host::ALL.into_iter().find(|host| host.name() == value),
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

    /// Takes in the origin and the base path.
    fn place(&mut self, generator: &Generator, settings: &KeyedConfiguration) {
        for key in generator.origin_keys {
            match settings.get(key) {
                Some(ConfigValue::Text(text)) => {
                    let Some(url) = Url::parse(text).ok().filter(is_public) else { continue };
                    self.know("origin", url.origin().ascii_serialization(), &settings.name(key));
                    if matches!(generator.base_path, BasePath::InOrigin) {
                        self.know("base-path", with_slashes(url.path()), &settings.name(key));
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
                // What is relative, or a CDN's, says nothing of the path.
                Some(ConfigValue::Text(path)) if !is_external(path) => {
                    self.know("base-path", with_slashes(path), &settings.name(key));
                }
                Some(ConfigValue::Computed) => self.computed.push(("base-path", settings.name(key))),
                _ => {}
            }
        }
    }

    fn know(&mut self, key: &'static str, value: String, theirs: &str) {
        let evidence = format!("`{theirs}` in {}", slashed(&self.file));
        self.known.push(InferredSetting { key, value, evidence });
    }
}

/// A configuration, with the prefix of the keys of its generator.
struct KeyedConfiguration {
    configuration: Configuration,
    prefix: &'static str,
}

impl KeyedConfiguration {
    fn get(&self, key: &str) -> Option<&ConfigValue> {
        self.configuration.get(&format!("{}{key}", self.prefix))
    }

    /// A key as people know it: without the list and the module of the plugin that it is an option of.
    fn name(&self, key: &str) -> String {
        if self.prefix.starts_with("plugins.") { key.to_owned() } else { format!("{}{key}", self.prefix) }
    }
}

/// Where a project's export may be.
fn roots(generator: &Generator, settings: &KeyedConfiguration, place: &Path) -> Vec<PathBuf> {
    let said = generator.output_keys.iter().find_map(|key| settings.get(key));
    match said {
        Some(ConfigValue::Text(root)) => vec![place.join(root.strip_prefix("./").unwrap_or(root))],
        Some(_) => Vec::new(),
        None => generator.output_folders.iter().map(|root| place.join(root)).collect(),
    }
}

/// What a configuration says. Nothing where it cannot be read.
fn read(file: &Path) -> Configuration {
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(LARGEST).read_to_string(&mut text));
    if read.is_err() {
        return Configuration::default();
    }
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => toml::from_str::<serde_json::Value>(&text)
            .map_or_else(|_| Configuration::default(), |table| Configuration::of_json(&table)),
        Some("json") => serde_json::from_str::<serde_json::Value>(&text)
            .map_or_else(|_| Configuration::default(), |table| Configuration::of_json(&table)),
        Some("yml" | "yaml") => lines::read_yaml(&text),
        Some("py") => lines::read_python(&text),
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

/// A path with a slash at both ends, which generators add.
fn with_slashes(path: &str) -> String {
    match path.trim_matches('/') {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    }
}
