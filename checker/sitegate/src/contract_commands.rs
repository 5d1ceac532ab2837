//! What the commands around the contract do with their arguments: init, schema, completions, man.

use std::fs;
use std::io::{self, BufWriter, Write};

use clap::CommandFactory;
use sitegate_check::report::Verdict;
use sitegate_check::{init, schema};

use crate::cli::{Cli, InitArgs};
use crate::commands::{Outcome, finish};

pub fn init(args: &InitArgs) -> Outcome {
    let name = args.config.display();
    if args.config.exists() && !args.force {
        return Err(format!("{name}: is there already; `--force` replaces it").into());
    }
    let Some(root) = args.dir.clone().or_else(init::find_export) else {
        return Err("there is no export where builds usually put it; name it: `sitegate init DIR`".into());
    };
    let text = init::draft(&root, &args.config)?;
    fs::write(&args.config, &text).map_err(|error| format!("{name}: {error}"))?;
    let (report, _) = init::trial(&text, &root, &args.config)?;
    let mut out = BufWriter::new(anstream::stdout());
    let mut say = || -> io::Result<()> {
        let pages = match report.summary.pages {
            1 => "1 page".to_owned(),
            pages => format!("{pages} pages"),
        };
        writeln!(out, "wrote {name}: {pages} in {}", root.display())?;
        match report.verdict() {
            Verdict::Passed if report.diagnostics.is_empty() => writeln!(out, "the export passes it")?,
            Verdict::Passed => writeln!(out, "the export passes it, with warnings:")?,
            _ => writeln!(out, "the export does not pass it yet:")?,
        }
        for (rule, level, count) in init::failing(&report) {
            writeln!(out, "  {count:5}  {:7}  {rule}", level.as_str())?;
        }
        for error in &report.unread {
            writeln!(out, "  cannot check {error}")?;
        }
        if report.verdict() == Verdict::Failed {
            writeln!(out, "`sitegate check` shows each; `--write-baseline FILE` lets only new ones fail")?;
        }
        out.flush()
    };
    finish(say())?;
    Ok(0)
}

pub fn schema() -> Outcome {
    let mut out = BufWriter::new(anstream::stdout());
    finish(out.write_all(schema::text().as_bytes()).and_then(|()| out.flush()))?;
    Ok(0)
}

pub fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sitegate", &mut script);
    finish(io::stdout().write_all(&script))?;
    Ok(0)
}

pub fn man(name: Option<&str>) -> Outcome {
    let mut program = Cli::command();
    // Gives each command its full name and the flags that it shares.
    program.build();
    let command = match name {
        None => Some(&program),
        Some(name) => program.find_subcommand(name),
    };
    let Some(command) = command else {
        let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        return Err(
            format!("there is no command `{}`; known are {}", name.unwrap_or(""), names.join(", ")).into()
        );
    };
    let mut page = Vec::new();
    let source = concat!("sitegate ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command.clone()).source(source).manual("sitegate").render(&mut page)?;
    finish(io::stdout().write_all(&page))?;
    Ok(0)
}
