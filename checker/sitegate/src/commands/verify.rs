//! `sitegate verify`: verifies that a live site matches its seal.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use sitegate_base::plural::count;
use sitegate_base::sanitize::visible;
use sitegate_base::url_secrets::without_secrets;
use sitegate_check::{Seal, SealedCommit};
use sitegate_publish::failure::Failure;
use sitegate_publish::target_state::pending::SiteUrl;
use sitegate_publish::verify::{SealedSite, SiteBefore, SiteVerdict, Verification};

use crate::error::Error;
use crate::export_args::ContractArgs;
use crate::online;
use crate::runtime;
use crate::terminal::{CommandFormat, CommandFormatArgs, DIM, GREEN, Outcome, seconds};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes:\n  0  the site matches the seal\n  2  cannot start: invalid arguments, contract or seal\n  8  the site does not match the seal\n 11  the site could not be verified"
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
    /// Accept lines that an edge adds, and list them
    ///
    /// Hosts such as Cloudflare add rules to robots.txt, or a script to pages. All other bytes must be those of the seal.
    #[arg(long)]
    accept_additions: bool,
    /// Maximum seconds for a request
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = seconds())]
    timeout: u64,
    /// Seconds to retry the verification
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = seconds())]
    retry_for: u64,
}

pub fn run(args: &Args) -> Outcome {
    let contract = args.contract.load()?;
    runtime::run(async {
        let Some(visitors) = online::VISITORS else {
            return Err(Failure::without_network("verifying a live site").into());
        };
        let seal = Seal::read(&args.seal)?;
        let timeout = Duration::from_secs(args.timeout.max(1));
        let visitor = visitors.open(SiteUrl::CommandLine(&args.url), &contract, timeout)?;
        let site = SealedSite { url: &args.url, seal: &seal, contract: &contract };
        let before = SiteBefore { accepts_additions: args.accept_additions, ..SiteBefore::default() };
        let found = site.verify_until(&*visitor, before, Duration::from_secs(args.retry_for)).await?;
        let address = without_secrets(&args.url);
        if args.output.format == CommandFormat::Json {
            let verdict = found.verdict();
            let document = json!({
                "schema_version": 1,
                "url": address,
                "verified": verdict == SiteVerdict::Verified,
                "result": verdict,
                "commit": seal.commit,
                "requests": found.requests,
                "wrong": found.wrong,
                "unanswered": found.unanswered,
                "edge": found.edge_changes().collect::<BTreeMap<_, _>>(),
            });
            runtime::print(|out| writeln!(out, "{document:#}"))?;
            return Ok(found.or_fail(&address)?);
        }
        found.or_fail(&address)?;
        let counts = format!("{}, {}", count(seal.files.len(), "file"), count(found.requests, "request"));
        runtime::print(|out| {
            writeln!(out, "{GREEN}verified{GREEN:#}  {address}  {DIM}{counts}{DIM:#}")?;
            write_receipt(&seal, &found, out)
        })
        .map_err(Error::from)
    })
}

/// Writes which commit the served bytes are, and what the edge changes.
fn write_receipt(seal: &Seal, found: &Verification, out: &mut dyn Write) -> io::Result<()> {
    let changes: Vec<(&str, &[String])> = found.edge_changes().collect();
    let except = if changes.is_empty() { "" } else { ", except what the edge changes:" };
    let of_commit = match &seal.commit {
        Some(SealedCommit { id, modified: false }) => format!("of commit {}", visible(id)),
        Some(SealedCommit { id, modified: true }) => {
            format!("of commit {}, with uncommitted changes", visible(id))
        }
        None => "of the seal, which names no commit".to_owned(),
    };
    writeln!(out, "the served bytes are those {of_commit}{except}")?;
    for (change, names) in changes {
        writeln!(out, "  {}: {}", visible(&names.join(", ")), visible(change))?;
    }
    Ok(())
}
