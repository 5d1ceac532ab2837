//! `sitegate diff`: reviews what a change does to the site that visitors see, by comparing two builds.

use std::fs;
use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser};
use sitegate_base::atomic_file::{self, REPORT};
use sitegate_review::output::{self, ReviewFormat};
use sitegate_review::{Review, ReviewOptions, Texts};
use url::Url;

use crate::error::Error;
use crate::export_args::ContractArgs;
use crate::facts_file::{self, BuildReader};
use crate::report_args::named_values;
use crate::target_args::StoreArgs;
use crate::terminal::{self, Outcome};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "BASE and NEW: a folder, a file of `sitegate check --facts`, a release (file:///FOLDER, s3://BUCKET/PREFIX; \
                  a kept one with #NAME), or the URL of a live site, of which up to 1000 pages are read.\n\n\
                  Exit codes:\n  0  compared\n  1  `[review] fail` of the contract names a kind that was found\n  \
                  2  cannot compare"
)]
pub struct Args {
    /// The build before the change
    #[arg(value_name = "BASE")]
    base: String,
    /// The build with the change
    #[arg(value_name = "NEW")]
    new: String,
    /// Format of standard output [default: human]
    ///
    /// human, markdown, json or html. Markdown is for comments: it is below the limits of GitHub and GitLab.
    #[arg(
        long, value_parser = review_formats(), default_value = "human", hide_default_value = true,
        hide_possible_values = true
    )]
    format: ReviewFormat,
    /// URL of the preview, for links to its pages
    #[arg(long, value_name = "URL", value_parser = web_url)]
    preview: Option<Url>,
    /// Write the pages to look at, one URL per line
    ///
    /// It is the smallest found set of pages that shows every changed template, style and script: a list for screenshots.
    #[arg(long, value_name = "FILE")]
    pages: Option<PathBuf>,
    /// A second build of NEW's commit, to learn noise from
    ///
    /// What differs between both builds is not listed: dates, nonces, random ids.
    #[arg(long, value_name = "DIR")]
    again: Option<String>,
    /// If BASE does not exist, say so and exit with 0
    ///
    /// It is for the first run in CI, before any build was stored.
    #[arg(long)]
    allow_missing_base: bool,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    store: StoreArgs,
}

fn review_formats() -> impl TypedValueParser<Value = ReviewFormat> {
    named_values(ReviewFormat::ALL.map(|format| (PossibleValue::new(format.name()), format)))
}

#[derive(Debug, thiserror::Error)]
enum WebUrlError {
    #[error(transparent)]
    Malformed(#[from] url::ParseError),
    #[error("write a URL that begins with https://")]
    NotWeb,
}

fn web_url(text: &str) -> Result<Url, WebUrlError> {
    let url = Url::parse(text)?;
    let is_web =
        matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
    if is_web { Ok(url) } else { Err(WebUrlError::NotWeb) }
}

pub fn run(args: &Args) -> Outcome {
    if let Some(file) = &args.pages {
        atomic_file::check(file, REPORT).map_err(Error::file(file))?;
    }
    let contract = args.contract.load()?;
    let texts = Texts::default();
    let options = ReviewOptions {
        base: args.base.clone(),
        new: args.new.clone(),
        preview: args.preview.as_ref().map(ToString::to_string),
        fail: contract.review_fail.clone(),
    };
    let mut builds = BuildReader { contract, store: args.store.options(), texts: &texts };
    let review = if args.allow_missing_base && facts_file::is_missing(&args.base) {
        Review::without_base(&builds.read(&args.new)?, &options)
    } else {
        let [base, new] = builds.read_both(&args.base, &args.new)?;
        let again = args.again.as_deref().map(|again| builds.read(again)).transpose()?;
        Review::compare(&base, &new, again.as_ref(), &texts.freeze(), &options)
    };
    if let Some(file) = &args.pages {
        let urls = review.look_at.iter().map(|page| review.url(&page.address));
        // The file has one URL per line, which file names cannot break.
        let lines: Vec<String> =
            urls.filter(|url| !url.contains(['\n', '\r'])).map(|url| url + "\n").collect();
        fs::write(file, lines.concat()).map_err(Error::file(file))?;
    }
    terminal::print(|out| output::write(&review, args.format, out))?;
    Ok(u8::from(!review.failed.is_empty()))
}
