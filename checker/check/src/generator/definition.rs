//! The description of a site generator: how its projects, its sources and its pages are recognized.

/// A generator of static sites. Keys of configurations are below the prefix of the configuration's file.
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
    /// A reference in a source without the generator's own sign in front of it.
    pub without_sign: fn(&str) -> Option<&str>,
    /// Directives of reStructuredText whose text is code.
    pub code_directives: &'static [&'static [u8]],
    /// The routes of sources that are in folders for versions and translations.
    pub routes: Option<SourceRoutes>,
    /// Folder in the output, if pages are written as `page.html` and linked as `/page`.
    pub clean_urls_folder: Option<&'static str>,
    /// Folders in the output of files with a hash in their name.
    pub hashed_folders: &'static [&'static str],
    /// Text that is on every page of the generator and on no other.
    pub page_mark: Option<&'static [u8]>,
    /// The form in which a reference on a page was written, if the generator changed it because it is broken. Takes the reference, the
    /// offset of its end, and the page.
    pub unresolved: fn(&str, usize, &[u8]) -> Option<UnresolvedReference>,
}

impl Generator {
    /// A generator of which nothing is known, for the fields that others leave out.
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
        without_sign: |_| None,
        code_directives: &[],
        routes: None,
        clean_urls_folder: None,
        hashed_folders: &[],
        page_mark: None,
        unresolved: |_, _, _| None,
    };
}

/// A configuration file of a generator.
pub(crate) struct ConfigurationFile {
    /// Paths below the project's folder; `*` stands for the extensions of scripts.
    pub names: &'static [&'static str],
    /// Keys of which one must be set, if other programs have files of that name too.
    pub marks: &'static [&'static str],
    pub prefix: &'static str,
}

impl ConfigurationFile {
    /// Files that no other program has.
    pub const fn named(names: &'static [&'static str]) -> ConfigurationFile {
        ConfigurationFile { names, marks: &[], prefix: "" }
    }
}

/// Where a generator configures the path that the site is deployed under.
pub(crate) enum BasePath {
    /// Under this key.
    Key(&'static str),
    /// With the origin, in one URL.
    InOrigin,
}

/// A value of a generator's key, and the key and value of the contract with the same meaning.
pub(crate) struct ContractSetting {
    pub key: &'static str,
    pub value: &'static str,
    pub contract_key: &'static str,
    pub contract_value: &'static str,
}

impl ContractSetting {
    /// A setting of the host.
    pub const fn host(key: &'static str, value: &'static str, host: &'static str) -> ContractSetting {
        ContractSetting { key, value, contract_key: "host", contract_value: host }
    }

    /// A setting of the slash at the end of addresses.
    pub const fn slash(key: &'static str, value: &'static str, slash: &'static str) -> ContractSetting {
        ContractSetting { key, value, contract_key: "trailing-slash", contract_value: slash }
    }

    /// A setting by which pages are addressed without `.html`.
    pub const fn clean_urls(key: &'static str, value: &'static str) -> ContractSetting {
        ContractSetting { key, value, contract_key: "clean-urls", contract_value: "true" }
    }
}

/// The files of a project that people edit.
pub(crate) struct SourceLayout {
    /// Key of the folder that `{}` stands for.
    pub key: &'static str,
    /// That folder if the configuration names none.
    pub folder: &'static str,
    /// Globs below the project's folder.
    pub globs: &'static [&'static str],
}

/// What a key of front matter says of a page's address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum AddressKind {
    /// The path from the site's root.
    Path,
    /// The path from the site's root, if the front matter is TOML.
    TomlPath,
    /// The last part of the path, or more.
    Slug,
}

/// How sources in folders for versions and translations become pages.
pub(crate) struct SourceRoutes {
    /// The language of a translated source.
    pub language: fn(&str) -> Option<&str>,
    /// Whether a source is one version of several.
    pub is_version: fn(&str) -> bool,
    /// The route of a source's page; `None` if its path is the route.
    pub route: FindRoute,
}

/// Takes a source's path, whether any source is a version, and whether a folder is in the export.
pub(crate) type FindRoute = for<'p> fn(&'p str, bool, &dyn Fn(&str) -> bool) -> Option<PageRoute<'p>>;

/// A route of the site, and the path of a source below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageRoute<'p> {
    pub route: String,
    pub rest: &'p str,
}

/// How a reference was written that a generator could not resolve.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnresolvedReference {
    /// This link, with or without `#` in front of it.
    Link(String),
    /// A path from the top of the sources.
    FromTop(String),
}

/// Names with `/` between them, without those that are empty.
pub(crate) fn join(names: &[&str]) -> String {
    let named: Vec<&str> = names.iter().copied().filter(|name| !name.is_empty()).collect();
    named.join("/")
}
