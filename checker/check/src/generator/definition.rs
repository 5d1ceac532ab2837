//! Describes a site generator: how its projects, its sources and its pages are recognized.

/// A static site generator. Its keys are relative to the prefix of its configuration file.
pub(crate) struct Generator {
    pub name: &'static str,
    pub configurations: &'static [ConfigurationFile],
    /// Keys of the output folder.
    pub output_keys: &'static [&'static str],
    /// Output folders if the configuration names none.
    pub output_folders: &'static [&'static str],
    /// Keys of the origin.
    pub origin_keys: &'static [&'static str],
    pub base_path: BasePath,
    /// Settings that the contract has too.
    pub settings: &'static [ContractSetting],
    pub sources: SourceLayout,
    /// Names of sources that are the page of their folder.
    pub index_names: &'static [&'static str],
    /// Keys of front matter that give a page its address.
    pub address_keys: &'static [(&'static str, AddressKind)],
    /// Whether it converts links and images of Markdown that name sources, without a plugin.
    pub converts_links: bool,
    /// Removes the generator's own prefix from a reference in a source.
    pub strip_prefix: fn(&str) -> Option<&str>,
    /// Routes of sources in folders for versions and translations.
    pub routes: Option<SourceRoutes>,
    /// Folder in the output that marks a build with clean URLs: pages are files `page.html` with links to `/page`.
    pub clean_urls_folder: Option<&'static str>,
    /// Folders in the output whose file names contain a hash.
    pub hashed_folders: &'static [&'static str],
    /// Text that every page of this generator contains, and pages of no other.
    pub page_marker: Option<&'static [u8]>,
    /// Returns the original form of a broken reference that the generator changed. Takes the reference, the offset of
    /// its end, and the page.
    pub unresolved: fn(&str, usize, &[u8]) -> Option<UnresolvedReference>,
}

impl Generator {
    /// A generator without any properties, as default for the fields that others leave out.
    pub const UNKNOWN: Generator = Generator {
        name: "",
        configurations: &[],
        output_keys: &[],
        output_folders: &[],
        origin_keys: &[],
        base_path: BasePath::InOrigin,
        settings: &[],
        sources: SourceLayout { key: "", folder: "", globs: &[] },
        index_names: &[],
        address_keys: &[],
        converts_links: false,
        strip_prefix: |_| None,
        routes: None,
        clean_urls_folder: None,
        hashed_folders: &[],
        page_marker: None,
        unresolved: |_, _, _| None,
    };
}

/// A configuration file of a generator.
pub(crate) struct ConfigurationFile {
    /// Paths below the project's folder; `*` is any script extension.
    pub names: &'static [&'static str],
    /// Keys of which one must be set, if other programs use the same file name.
    pub required_keys: &'static [&'static str],
    pub prefix: &'static str,
}

impl ConfigurationFile {
    /// Returns a file whose name no other program uses.
    pub const fn named(names: &'static [&'static str]) -> ConfigurationFile {
        ConfigurationFile { names, required_keys: &[], prefix: "" }
    }
}

/// The key of the base path.
pub(crate) enum BasePath {
    /// A key of its own.
    Key(&'static str),
    /// The path of the origin's URL.
    InOrigin,
}

/// A value of a generator's key, and the equivalent key and value of the contract.
pub(crate) struct ContractSetting {
    pub key: &'static str,
    pub value: &'static str,
    pub contract_key: &'static str,
    pub contract_value: &'static str,
}

impl ContractSetting {
    /// Returns a setting of the host.
    pub const fn host(key: &'static str, value: &'static str, host: &'static str) -> ContractSetting {
        ContractSetting { key, value, contract_key: "host", contract_value: host }
    }

    /// Returns a setting of the trailing slash.
    pub const fn slash(key: &'static str, value: &'static str, slash: &'static str) -> ContractSetting {
        ContractSetting { key, value, contract_key: "trailing-slash", contract_value: slash }
    }

    /// Returns a setting that enables clean URLs.
    pub const fn clean_urls(key: &'static str, value: &'static str) -> ContractSetting {
        ContractSetting { key, value, contract_key: "clean-urls", contract_value: "true" }
    }
}

/// The files of a project that people edit.
pub(crate) struct SourceLayout {
    /// Key of the folder that replaces `{}` in the globs.
    pub key: &'static str,
    /// The default of that folder.
    pub folder: &'static str,
    /// Globs below the project's folder.
    pub globs: &'static [&'static str],
}

/// The part of a page's URL that a front matter key sets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressKind {
    /// Path from the site's root.
    Path,
    /// Path from the site's root, if the front matter is TOML.
    TomlPath,
    /// Last part of the path, or more.
    Slug,
}

/// Routes of sources in folders for versions and translations.
pub(crate) struct SourceRoutes {
    /// Language of a translated source.
    pub language: fn(&str) -> Option<&str>,
    /// Whether a source is one of several versions.
    pub is_version: fn(&str) -> bool,
    /// Route of a source's page; `None` if its path is the route.
    pub route: RouteFn,
}

/// Takes a source's path, whether any source is a version, and a test whether the export has a folder.
pub(crate) type RouteFn = for<'p> fn(&'p str, bool, &dyn Fn(&str) -> bool) -> Option<PageRoute<'p>>;

/// A route of the site, and the path of a source below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageRoute<'p> {
    pub route: String,
    pub rest: &'p str,
}

/// The original form of a reference that a generator could not resolve.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnresolvedReference {
    /// A link, with or without `#` before it.
    Link(String),
    /// A path from the root of the sources.
    FromRoot(String),
}
