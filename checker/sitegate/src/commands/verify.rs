//! `sitegate verify`: asks a live site whether it answers as sealed.

use std::path::PathBuf;

#[cfg(not(feature = "network"))]
use sitegate_publish::failure::Failure;

use crate::terminal::{AnswerArgs, Outcome, seconds};

#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 the site answers as sealed, 8 it does not, 2 cannot begin.")]
pub struct Args {
    /// The site's address, such as `https://www.example.com`
    #[arg(value_name = "URL")]
    url: String,
    /// Seal written by `sitegate check --seal`
    #[arg(long, value_name = "FILE")]
    seal: PathBuf,
    /// Contract, `-` for stdin [default: sitegate.toml]
    ///
    /// The default is sitegate.toml in the working directory, if it exists.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,
    /// Use the default rules, without sitegate.toml
    #[arg(long)]
    no_config: bool,
    #[command(flatten)]
    answer: AnswerArgs,
    /// Maximum seconds for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds())]
    timeout: u64,
    /// Seconds to retry the verification
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = seconds())]
    retry_for: u64,
}

#[cfg(not(feature = "network"))]
pub fn run(_args: &Args) -> Outcome {
    Err(Failure::without_network("asking the live site").into())
}

#[cfg(feature = "network")]
pub fn run(args: &Args) -> Outcome {
    use std::time::Duration;

    use serde_json::json;
    use sitegate_base::plural::count;
    use sitegate_base::url_secrets::without_secrets;
    use sitegate_check::internal::seal::Seal;
    use sitegate_publish::verify;

    use crate::error::Error;
    use crate::export::ExportArgs;
    use crate::store;
    use crate::terminal::{AnswerFormat, DIM, GREEN};

    let export = ExportArgs { dir: None, config: args.config.clone(), no_config: args.no_config };
    let contract = export.contract()?;
    store::run(async {
        let seal = Seal::read(&args.seal)?;
        let timeout = Duration::from_secs(args.timeout.max(1));
        let patience = Duration::from_secs(args.retry_for);
        let address = without_secrets(&args.url);
        let found = verify::verify_until(&args.url, &seal, &contract, timeout, patience).await?;
        if args.answer.format == AnswerFormat::Json {
            let verified = found.wrong.is_empty();
            let document = json!({"schema_version": 1, "url": address, "verified": verified, "requests": found.requests, "wrong": found.wrong});
            store::print(|out| writeln!(out, "{document:#}"))?;
            return Ok(found.or_fail(&address)?);
        }
        found.or_fail(&address)?;
        let counts = format!("{}, {}", count(seal.files.len(), "file"), count(found.requests, "request"));
        store::print(|out| writeln!(out, "{GREEN}verified{GREEN:#}  {address}  {DIM}{counts}{DIM:#}"))
            .map_err(Error::from)
    })
}
