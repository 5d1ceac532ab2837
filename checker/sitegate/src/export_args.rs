//! Arguments that name an export and its contract. Explains why the folder of an export is not there.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use sitegate_base::host_name::host_of;
use sitegate_base::nearest::nearest_entry;
use sitegate_base::sanitize::visible;
use sitegate_check::{CONTRACT_FILE, Contract, Permissions, find_exports};
use url::{Host, Url};

use crate::error::Error;
use crate::terminal;

/// The value of `--config` that means standard input.
const STANDARD_INPUT: &str = "-";

/// The name of a contract from standard input.
const PIPED_CONTRACT: &str = "standard input";

/// The export and its contract.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Folder of the export [default: site.root of the contract]
    ///
    /// Without site.root, the default is the only folder here with a usual name and a home page, such as dist.
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    #[command(flatten)]
    pub contract: ContractArgs,
}

/// The contract, and what it can use besides the files of its repository.
#[derive(Clone, Debug, Args)]
pub struct ContractArgs {
    /// Contract file [default: sitegate.toml]
    ///
    /// `-` reads standard input. The default is sitegate.toml in the working directory, if that file exists.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Name of the contract in errors, if it is read from standard input
    #[arg(long, value_name = "TEXT", hide = true, requires = "config")]
    config_name: Option<String>,
    /// Ignore sitegate.toml and use the default rules
    #[arg(long)]
    no_config: bool,
    /// Let the contract read an environment variable
    ///
    /// May be repeated. A contract that reads another variable is an error, if that variable is set.
    #[arg(long, value_name = "NAME", hide_short_help = true, help_heading = "Contract permissions")]
    allow_env: Vec<String>,
    /// Let the contract read files in a folder
    ///
    /// May be repeated. By default, it can read files in its repository only: the nearest folder above it that has a
    /// `.git`, or else its own folder.
    #[arg(long, value_name = "FOLDER", hide_short_help = true, help_heading = "Contract permissions")]
    allow_read: Vec<PathBuf>,
}

impl ContractArgs {
    /// Whether the contract is read from standard input, which can be read only once.
    pub fn is_contract_piped(&self) -> bool {
        self.config.as_deref() == Some(Path::new(STANDARD_INPUT))
    }

    /// Replaces the name of the contract in an error, if it was read from standard input. Its lines are generated then.
    pub fn rename(&self, error: Error) -> Error {
        match (error, &self.config_name) {
            (Error::Contract(error) | Error::Check(sitegate_check::Error::Contract(error)), Some(name))
                if error.file == Path::new(PIPED_CONTRACT) =>
            {
                Error::usage(format!("{name}: {}", visible(&error.source.to_string())))
            }
            (error, _) => error,
        }
    }

    /// Returns what the contract can use.
    pub fn permissions(&self) -> Permissions {
        Permissions { folders: self.allow_read.clone(), variables: self.allow_env.clone() }
    }

    /// Reads the contract, or returns the default one.
    pub fn load(&self) -> Result<Contract, Error> {
        let found = PathBuf::from(CONTRACT_FILE);
        let permissions = self.permissions();
        let contract = match &self.config {
            Some(_) if self.is_contract_piped() => {
                let text = io::read_to_string(io::stdin())
                    .map_err(Error::system("cannot read the contract from standard input"))?;
                Contract::from_text(Path::new(PIPED_CONTRACT), text, &permissions)?
            }
            Some(file) => Contract::load_with(file, &permissions)?,
            None if !self.no_config && found.is_file() => Contract::load_with(&found, &permissions)?,
            None => Contract::defaults(),
        };
        if let Some(file) = &contract.file {
            tracing::info!("read the contract {}", file.display());
        } else {
            tracing::info!("no contract; using the default rules");
        }
        Ok(contract)
    }
}

impl ExportArgs {
    /// Returns the URL of the live site, if the arguments name one.
    ///
    /// # Errors
    /// If the URL is invalid or contains credentials.
    pub fn live_url(&self) -> Result<Option<Url>, Error> {
        live_url(self.dir.as_deref().and_then(Path::to_str).unwrap_or_default())
    }

    /// Reads the contract and returns it with the folder of the export.
    ///
    /// # Errors
    /// If the contract cannot be used, or there is no such folder.
    pub fn load(&self) -> Result<(Contract, PathBuf), Error> {
        let (contract, root) = self.load_unbuilt()?;
        if let Some(message) = explain_missing_folder(&root) {
            return Err(Error::usage(message));
        }
        if self.dir.is_none() && contract.root().is_ok_and(|stated| stated.is_none()) {
            let name = root.display();
            terminal::print_note(&format!("the export is `{name}`; to use another folder, name it"));
        }
        Ok((contract, root))
    }

    /// Reads the contract and returns it with the folder of the export, which may not exist yet.
    pub fn load_unbuilt(&self) -> Result<(Contract, PathBuf), Error> {
        let contract = self.contract.load()?;
        let root = match &self.dir {
            Some(dir) => Some(dir.clone()),
            None => contract.root().map_err(Error::system("site.root"))?,
        };
        let root = root.map_or_else(find_export, Ok)?;
        Ok((contract, root))
    }
}

/// Returns the only output folder in the working directory.
///
/// # Errors
/// If there is none, or more than one.
fn find_export() -> Result<PathBuf, Error> {
    let mut found: Vec<PathBuf> = find_exports().collect();
    if found.len() == 1 {
        return Ok(found.remove(0));
    }
    let names: Vec<String> = found.iter().map(|folder| format!("`{}`", folder.display())).collect();
    let help = match names.as_slice() {
        [] => "build the site first".to_owned(),
        names => format!("did you mean {}?", names.join(" or ")),
    };
    Err(Error::usage(format!("name the folder of the export, or set site.root in sitegate.toml; {help}")))
}

/// Returns the URL of a live site; none for any other text.
///
/// # Errors
/// If the URL is invalid or contains credentials.
pub fn live_url(text: &str) -> Result<Option<Url>, Error> {
    let has_scheme =
        |scheme: &str| text.get(..scheme.len()).is_some_and(|text| text.eq_ignore_ascii_case(scheme));
    if !has_scheme("https://") && !has_scheme("http://") {
        return Ok(None);
    }
    let mut url = Url::parse(text).map_err(|error| Error::usage(format!("{text}: {error}")))?;
    if !url.username().is_empty() || url.password().is_some() {
        // As the contract names an origin: by its scheme, if that is not https, and by its port.
        let host = if url.scheme() == "https" { host_of(&url) } else { format!("http://{}", host_of(&url)) };
        return Err(Error::usage(format!(
            "a URL must not contain a name and password; use an environment variable: [external.hosts.\"{host}\"] headers = {{ Authorization = {{ env = \"…\" }} }}"
        )));
    }
    url.set_fragment(None);
    Ok(Some(url))
}

/// Explains why a path is not a folder: it is a file, a URL without its scheme, a path with backslashes, or misspelled.
/// Returns none if it is a folder, or exists but cannot be read.
pub fn explain_missing_folder(path: &Path) -> Option<String> {
    let name = path.display();
    match path.metadata() {
        Ok(found) if found.is_dir() => return None,
        Ok(_) => return Some(format!("`{name}` is a file; name the folder of the export that contains it")),
        Err(_) if path.try_exists().is_err() => return None,
        Err(_) => {}
    }
    let text = name.to_string();
    let slashed = text.replace('\\', "/");
    let fix = if slashed != text && Path::new(&slashed).is_dir() {
        format!("write it with `/`: `{slashed}`")
    } else if let Some(near) = nearest_entry(path).filter(|near| near.is_dir()) {
        format!("did you mean `{}`?", near.display())
    } else if let Some(url) = site_url(&text) {
        format!("did you mean {url}?")
    } else {
        "build the site first, or name the folder that your build writes to".to_owned()
    };
    Some(visible(&format!("there is no folder `{name}`; {fix}")).into_owned())
}

/// Returns the URL of a live site that is written without its scheme.
fn site_url(text: &str) -> Option<Url> {
    let secure = Url::parse(&format!("https://{text}")).ok()?;
    let is_local = matches!(secure.host_str(), Some("localhost"));
    let is_site = match secure.host()? {
        Host::Domain(name) => {
            let domain = name.rsplit('.').next().unwrap_or_default();
            is_local
                || name.contains('.') && domain.len() > 1 && domain.chars().all(|c| c.is_ascii_alphabetic())
        }
        Host::Ipv4(_) => text.matches('.').count() == 3,
        Host::Ipv6(_) => true,
    };
    let is_plain = is_local || !matches!(secure.host()?, Host::Domain(_));
    let url = if is_plain { Url::parse(&format!("http://{text}")).ok()? } else { secure };
    (is_site && !text.starts_with(['.', '/'])).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::site_url;

    #[test]
    fn recognizes_a_site_without_its_scheme() {
        for (text, url) in [
            ("www.example.com", Some("https://www.example.com/")),
            ("example.com/docs/", Some("https://example.com/docs/")),
            ("localhost:3000", Some("http://localhost:3000/")),
            ("127.0.0.1:8080", Some("http://127.0.0.1:8080/")),
            ("dist", None),
            ("site.1", None),
            ("./example.com", None),
            ("a b", None),
        ] {
            assert_eq!(site_url(text).as_ref().map(url::Url::as_str), url, "{text}");
        }
    }
}
