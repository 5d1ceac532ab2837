//! The arguments that say which export, held to which contract.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use sitegate_check::internal::contract::{self, Contract};
use url::Url;

use crate::error::Error;

/// What stands for the standard input in the place of the contract's file.
const STANDARD_INPUT: &str = "-";

/// Which export, held to which contract.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The export's folder [default: site.root of the contract]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Contract, `-` for stdin [default: sitegate.toml]
    ///
    /// The default is sitegate.toml in the working directory, if it exists.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Use the default rules, without sitegate.toml
    #[arg(long)]
    pub no_config: bool,
}

impl ExportArgs {
    /// Whether the contract comes by the standard input, which is read once.
    pub fn is_contract_piped(&self) -> bool {
        self.config.as_deref() == Some(Path::new(STANDARD_INPUT))
    }

    /// The address of the live site, where the arguments name one.
    ///
    /// # Errors
    /// When it is none.
    pub fn address(&self) -> Result<Option<Url>, Error> {
        let text = self.dir.as_deref().and_then(Path::to_str).unwrap_or_default();
        let begins =
            |scheme: &str| text.get(..scheme.len()).is_some_and(|text| text.eq_ignore_ascii_case(scheme));
        if !begins("https://") && !begins("http://") {
            return Ok(None);
        }
        let mut url = Url::parse(text).map_err(|error| Error::usage(format!("{text}: {error}")))?;
        if !url.username().is_empty() || url.password().is_some() {
            let host = url.host_str().unwrap_or_default();
            return Err(Error::usage(format!(
                "no name and password in an address: name a variable, [external.hosts.\"{host}\"] headers = {{ Authorization = {{ env = \"…\" }} }}"
            )));
        }
        url.set_fragment(None);
        Ok(Some(url))
    }

    /// The contract that the arguments mean.
    pub fn contract(&self) -> Result<Contract, Error> {
        let found = PathBuf::from(contract::FILE_NAME);
        let contract = match &self.config {
            Some(_) if self.is_contract_piped() => {
                let text = io::read_to_string(io::stdin())
                    .map_err(Error::system("the contract on the standard input"))?;
                Contract::from_text(Path::new("standard input"), text)?
            }
            Some(file) => Contract::load(file)?,
            None if !self.no_config && found.is_file() => Contract::load(&found)?,
            None => Contract::defaults(),
        };
        if let Some(file) = &contract.file {
            tracing::info!("read the contract {}", file.display());
        } else {
            tracing::info!("no contract: the default rules apply");
        }
        Ok(contract)
    }

    /// The contract and the export's folder that the arguments mean.
    pub fn load(&self) -> Result<(Contract, PathBuf), Error> {
        let contract = self.contract()?;
        let root = self.dir.clone().or_else(|| contract.site.root.clone());
        let help = "name the folder to check: `sitegate check DIR`, or set site.root in sitegate.toml";
        let root = root.ok_or_else(|| Error::usage(help))?;
        Ok((contract, root))
    }
}
