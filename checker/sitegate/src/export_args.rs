//! Arguments that name an export and its contract.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use sitegate_check::internal::contract::{self, Contract};
use url::Url;

use crate::error::Error;

/// The value of `--config` that means standard input.
const STANDARD_INPUT: &str = "-";

/// The export and its contract.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// Folder of the export [default: site.root of the contract]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Contract file [default: sitegate.toml]
    ///
    /// `-` reads standard input. The default is sitegate.toml in the working directory, if that file exists.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Ignore sitegate.toml and use the default rules
    #[arg(long)]
    pub no_config: bool,
}

impl ExportArgs {
    /// Whether the contract is read from standard input, which can be read only once.
    pub fn is_contract_piped(&self) -> bool {
        self.config.as_deref() == Some(Path::new(STANDARD_INPUT))
    }

    /// Returns the URL of the live site, if the arguments name one.
    ///
    /// # Errors
    /// If the URL is invalid or contains credentials.
    pub fn live_url(&self) -> Result<Option<Url>, Error> {
        let text = self.dir.as_deref().and_then(Path::to_str).unwrap_or_default();
        let has_scheme =
            |scheme: &str| text.get(..scheme.len()).is_some_and(|text| text.eq_ignore_ascii_case(scheme));
        if !has_scheme("https://") && !has_scheme("http://") {
            return Ok(None);
        }
        let mut url = Url::parse(text).map_err(|error| Error::usage(format!("{text}: {error}")))?;
        if !url.username().is_empty() || url.password().is_some() {
            let host = url.host_str().unwrap_or_default();
            return Err(Error::usage(format!(
                "a URL must not contain a name and password; use an environment variable: [external.hosts.\"{host}\"] headers = {{ Authorization = {{ env = \"…\" }} }}"
            )));
        }
        url.set_fragment(None);
        Ok(Some(url))
    }

    /// Reads the contract, or returns the default one.
    pub fn contract(&self) -> Result<Contract, Error> {
        let found = PathBuf::from(contract::FILE_NAME);
        let contract = match &self.config {
            Some(_) if self.is_contract_piped() => {
                let text = io::read_to_string(io::stdin())
                    .map_err(Error::system("cannot read the contract from standard input"))?;
                Contract::from_text(Path::new("standard input"), text)?
            }
            Some(file) => Contract::load(file)?,
            None if !self.no_config && found.is_file() => Contract::load(&found)?,
            None => Contract::defaults(),
        };
        if let Some(file) = &contract.file {
            tracing::info!("read the contract {}", file.display());
        } else {
            tracing::info!("no contract; using the default rules");
        }
        Ok(contract)
    }

    /// Reads the contract and returns it with the folder of the export.
    pub fn load(&self) -> Result<(Contract, PathBuf), Error> {
        let contract = self.contract()?;
        let root = self.dir.clone().or_else(|| contract.site.root.clone());
        let help = "name the folder to check, as in `sitegate check DIR`, or set site.root in sitegate.toml";
        let root = root.ok_or_else(|| Error::usage(help))?;
        Ok((contract, root))
    }
}
