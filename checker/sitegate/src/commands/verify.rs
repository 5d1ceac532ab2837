//! `sitegate verify`: verifies that a live site matches its seal.

use std::path::PathBuf;

#[cfg(not(feature = "network"))]
use sitegate_publish::failure::Failure;

use crate::export_args::ContractArgs;
use crate::terminal::{CommandFormatArgs, Outcome, seconds};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes:\n  0  the site matches the seal\n  2  cannot start: invalid arguments, contract or seal\n  8  the site does not match the seal"
)]
pub struct Args {
    /// URL of the site, such as `https://www.example.com`
    #[arg(value_name = "URL")]
    url: String,
    /// Seal written by `sitegate check --seal`
    #[arg(long, value_name = "FILE")]
    seal: PathBuf,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    output: CommandFormatArgs,
    /// Maximum seconds for a request
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds())]
    timeout: u64,
    /// Seconds to retry the verification
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = seconds())]
    retry_for: u64,
}

#[cfg(not(feature = "network"))]
pub fn run(_args: &Args) -> Outcome {
    Err(Failure::without_network("verifying a live site").into())
}

#[cfg(feature = "network")]
pub fn run(args: &Args) -> Outcome {
    use std::time::Duration;

    use serde_json::json;
    use sitegate_base::plural::count;
    use sitegate_base::url_secrets::without_secrets;
    use sitegate_check::Seal;
    use sitegate_network::verify_until;
    use sitegate_publish::target_state::pending::SiteUrl;

    use crate::error::Error;
    use crate::runtime;
    use crate::terminal::{CommandFormat, DIM, GREEN};

    let contract = args.contract.load()?;
    runtime::run(async {
        let seal = Seal::read(&args.seal)?;
        let timeout = Duration::from_secs(args.timeout.max(1));
        let retry_for = Duration::from_secs(args.retry_for);
        let address = without_secrets(&args.url);
        let found =
            verify_until(SiteUrl::CommandLine(&args.url), &seal, &contract, timeout, retry_for).await?;
        if args.output.format == CommandFormat::Json {
            let verified = found.wrong.is_empty();
            let document = json!({"schema_version": 1, "url": address, "verified": verified, "requests": found.requests, "wrong": found.wrong});
            runtime::print(|out| writeln!(out, "{document:#}"))?;
            return Ok(found.or_fail(&address)?);
        }
        found.or_fail(&address)?;
        let counts = format!("{}, {}", count(seal.files.len(), "file"), count(found.requests, "request"));
        runtime::print(|out| writeln!(out, "{GREEN}verified{GREEN:#}  {address}  {DIM}{counts}{DIM:#}"))
            .map_err(Error::from)
    })
}
