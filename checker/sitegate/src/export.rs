//! The arguments that say which export, held to which contract.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use sitegate_check::internal::contract::{self, Contract};
use url::Url;

/// What stands for the standard input in the place of the contract's file.
const STANDARD_INPUT: &str = "-";

/// Which export, held to which contract.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The export's folder [default: site.root of the contract]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The contract, or `-` for the standard input [default: sitegate.toml in the working directory, if it is there]
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Check by the default rules, even where there is a sitegate.toml
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
    pub fn address(&self) -> Result<Option<Url>, Box<dyn Error>> {
        let text = self.dir.as_deref().and_then(Path::to_str).unwrap_or_default();
        let begins =
            |scheme: &str| text.get(..scheme.len()).is_some_and(|text| text.eq_ignore_ascii_case(scheme));
        if !begins("https://") && !begins("http://") {
            return Ok(None);
        }
        let mut url = Url::parse(text).map_err(|error| format!("{text}: {error}"))?;
        if !url.username().is_empty() || url.password().is_some() {
            let host = url.host_str().unwrap_or_default();
            return Err(format!("no name and password in an address: name a variable, [external.hosts.\"{host}\"] headers = {{ Authorization = {{ env = \"…\" }} }}").into());
        }
        url.set_fragment(None);
        Ok(Some(url))
    }

    /// The contract that the arguments mean.
    pub fn contract(&self) -> Result<Contract, Box<dyn Error>> {
        let found = PathBuf::from(contract::FILE_NAME);
        Ok(match &self.config {
            Some(_) if self.is_contract_piped() => {
                let text = io::read_to_string(io::stdin())
                    .map_err(|error| format!("the contract on the standard input: {error}"))?;
                Contract::from_text(Path::new("standard input"), text)?
            }
            Some(file) => Contract::load(file)?,
            None if !self.no_config && found.is_file() => Contract::load(&found)?,
            None => Contract::defaults(),
        })
    }

    /// The contract and the export's folder that the arguments mean.
    pub fn load(&self) -> Result<(Contract, PathBuf), Box<dyn Error>> {
        let contract = self.contract()?;
        match self.dir.clone().or_else(|| contract.site.root.clone()) {
            Some(root) => Ok((contract, root)),
            None => {
                Err("name the folder to check: `sitegate check DIR`, or set site.root in sitegate.toml"
                    .into())
            }
        }
    }
}
