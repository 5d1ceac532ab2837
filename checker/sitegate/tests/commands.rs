//! Runs the commands of each case in `commands/`, and compares output, exit codes and files. `checker/textcase/README.md`
//! describes the format. Each case is a separate test: `cargo test --test commands mv/a-folder`.
//!
//! - Sections are done in order, in a temporary folder, so that files can change between two commands.
//! - Output on standard error is below a line `[stderr]`, and then standard output below `[stdout]`. `{here}` is the
//!   folder, `{version}` the version, `{release}` a release, `{today}` the day, and durations are `0 ms`. Invisible
//!   characters are escaped: `\r`, `\u{1b}`.
//! - `-- expected PATH --` compares a file.
//! - `cd FOLDER && sitegate …` runs it there, `NAME=VALUE` sets a variable, `< FILE` reads standard input from a file, and
//!   `> FILE` writes standard output to one.
//! - Other commands, which are the same on each system:
//!   - `git`, with a name and without the settings of the machine; `repository` commits all files.
//!   - `list FOLDER`; `print FILE`, which shows all its characters; `block FILE LINE` prints what is between that line and
//!     the next empty one; `compare FILE FILE` says whether they differ.
//!   - `folder`, `copy`, `rename` and `remove`; `touch` for a new modification time; `lock` for a file that is read-only.
//! - Cases of `*-network.txt` need the network feature, and those of `*-unix.txt` or with symbolic links need Unix.
//!
//! `UPDATE=1 cargo test --test commands` rewrites output, exit codes and expected files.

#![allow(clippy::disallowed_methods)] // tests start programs
#![allow(clippy::unwrap_used, clippy::shadow_unrelated, clippy::format_push_string, clippy::format_collect)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

use libtest_mimic::{Arguments, Failed, Trial};
use regex::Regex;
use sitegate_textcase::{Section, SectionKind, TextCase};

fn main() -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let cases = sitegate_textcase::read_folder(&folder).unwrap_or_else(|error| panic!("{error}"));
    let trials = cases.into_iter().map(trial).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(case: TextCase) -> Trial {
    let is_link = |section: &Section| matches!(section.kind, SectionKind::SymbolicLink { .. });
    let needs_unix = case.group.ends_with("-unix") || case.sections.iter().any(is_link);
    let is_ignored =
        !cfg!(feature = "network") && case.group.ends_with("-network") || !cfg!(unix) && needs_unix;
    Trial::test(case.full_name(), move || run_case(&case)).with_ignored_flag(is_ignored)
}

/// Does the sections of a case, and compares what they expect.
fn run_case(case: &TextCase) -> Result<(), Failed> {
    let temporary = tempfile::tempdir().unwrap();
    let folder = fs::canonicalize(temporary.path()).unwrap();
    case.write_other_files(&folder)?;
    let mut wrong = String::new();
    for (index, section) in case.sections.iter().enumerate() {
        let (kind, content) = match &section.kind {
            SectionKind::Command { command, .. } => run_command(&folder, command)?,
            SectionKind::Expected(path) => {
                let content = fs::read_to_string(folder.join(path));
                let content = content.map_err(|error| format!("{}: {path}: {error}", case.location()))?;
                (section.kind.clone(), without_differences(&content, &folder))
            }
            _ => {
                let is_replaced =
                    case.sections[..index].iter().any(|earlier| earlier.path() == section.path());
                if is_replaced {
                    fs::remove_file(folder.join(section.path().unwrap())).unwrap();
                }
                section.write(&folder)?;
                continue;
            }
        };
        if kind == section.kind && content == section.content {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            case.update(index, &kind, &content)?;
            continue;
        }
        let (file, line) = (case.file.display(), section.line);
        wrong += &format!("{file}:{line}\n--- expected: {:?}\n{}", section.kind, section.content);
        wrong += &format!("--- found: {kind:?}\n{content}");
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{wrong}`UPDATE=1 cargo test` rewrites it").into()) }
}

/// Runs a command, and returns it with its exit code and its output.
fn run_command(folder: &Path, command: &str) -> Result<(SectionKind, String), Failed> {
    let mut words = words(command);
    let mut work = folder.to_owned();
    if let [first, path, and, ..] = words.as_slice()
        && (first.as_str(), and.as_str()) == ("cd", "&&")
    {
        work.push(path);
        words.drain(..3);
    }
    let mut variables = Vec::new();
    while let Some((name, value)) = words[0].split_once('=') {
        variables.push((name.to_owned(), value.replace("{here}", &folder.display().to_string())));
        words.remove(0);
    }
    let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let (exit_code, output) = match words[0].as_str() {
        "sitegate" => {
            let output = run_program(&work, folder, &arguments, &variables);
            let exit_code = output.status.code().ok_or_else(|| format!("{command}: {}", output.status))?;
            (exit_code, printed(&output, folder))
        }
        program => (0, visible(&run_other(folder, program, &arguments)?)),
    };
    Ok((SectionKind::Command { command: command.to_owned(), exit_code }, output))
}

/// Runs another command, and returns its output.
fn run_other(folder: &Path, program: &str, arguments: &[&str]) -> Result<String, Failed> {
    match (program, arguments) {
        ("git", arguments) => {
            let here = folder.display().to_string();
            let arguments: Vec<String> = arguments.iter().map(|word| word.replace("{here}", &here)).collect();
            return git(folder, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        }
        ("repository", []) => {
            git(folder, &["init", "--quiet", "--initial-branch=main", "--template="])?;
            git(folder, &["add", "."])?;
            git(folder, &["commit", "--quiet", "--message=start"])?;
        }
        ("list", [path]) => {
            let mut files = Vec::new();
            list(&folder.join(path), &mut files);
            let name = |file: &PathBuf| file.strip_prefix(folder).unwrap().display().to_string() + "\n";
            return Ok(files.iter().map(name).collect::<String>().replace('\\', "/"));
        }
        ("print", [path]) => return Ok(fs::read_to_string(folder.join(path))?),
        ("block", [path, first]) => {
            let text = fs::read_to_string(folder.join(path))?;
            let block = text.lines().skip_while(|line| line != first).take_while(|line| !line.is_empty());
            return Ok(block.map(|line| format!("{line}\n")).collect());
        }
        ("compare", [one, other]) => {
            let are_equal = fs::read(folder.join(one))? == fs::read(folder.join(other))?;
            return Ok(if are_equal { String::new() } else { "they differ\n".to_owned() });
        }
        ("touch", [path]) => {
            File::options().write(true).open(folder.join(path))?.set_modified(SystemTime::now())?;
        }
        ("lock", [path]) => {
            let mut permissions = fs::metadata(folder.join(path))?.permissions();
            permissions.set_readonly(true);
            fs::set_permissions(folder.join(path), permissions)?;
        }
        ("remove", [path]) if folder.join(path).is_dir() => fs::remove_dir_all(folder.join(path))?,
        ("remove", [path]) => fs::remove_file(folder.join(path))?,
        ("copy", [from, to]) => drop(fs::copy(folder.join(from), folder.join(to))?),
        ("rename", [from, to]) => fs::rename(folder.join(from), folder.join(to))?,
        ("folder", [path]) => fs::create_dir_all(folder.join(path))?,
        _ => return Err(format!("no test can run `{program} {}`", arguments.join(" ")).into()),
    }
    Ok(String::new())
}

/// Returns the words of a command. Quotes keep spaces; a backslash is a character like others.
fn words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut quote, mut is_between) = (None, true);
    for character in command.chars() {
        match quote {
            Some(end) if character == end => quote = None,
            None if character == ' ' => is_between = true,
            _ => {
                if is_between {
                    words.push(String::new());
                    is_between = false;
                }
                match quote {
                    None if matches!(character, '\'' | '"') => quote = Some(character),
                    _ => words.last_mut().unwrap().push(character),
                }
            }
        }
    }
    words
}

/// Variables of the machine that change the output.
const UNSET: [&str; 4] = ["CI", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"];

/// Runs sitegate in a working directory. Messages name the commands of users who are not in a CI system.
fn run_program(work: &Path, folder: &Path, arguments: &[&str], variables: &[(String, String)]) -> Output {
    let here = folder.display().to_string();
    let (arguments, written) = match arguments {
        [arguments @ .., ">", file] => (arguments, Some(work.join(file))),
        _ => (arguments, None),
    };
    let (arguments, input) = match arguments {
        [arguments @ .., "<", file] => (arguments, Stdio::from(File::open(work.join(file)).unwrap())),
        _ => (arguments, Stdio::null()),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegate"));
    command.current_dir(work).args(arguments.iter().map(|argument| argument.replace("{here}", &here)));
    for name in UNSET {
        command.env_remove(name);
    }
    command.env("COLUMNS", "100");
    // With credentials, messages about buckets are those about the bucket.
    command.env("AWS_ACCESS_KEY_ID", "a").env("AWS_SECRET_ACCESS_KEY", "b");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let mut output = command.stdin(input).output().unwrap();
    if let Some(file) = written {
        fs::write(file, std::mem::take(&mut output.stdout)).unwrap();
    }
    output
}

/// Returns the output of a program as cases have it.
fn printed(output: &Output, folder: &Path) -> String {
    let [errors, text] = [&output.stderr, &output.stdout].map(|stream| String::from_utf8_lossy(stream));
    let text = match (errors.is_empty(), text.is_empty()) {
        (true, _) => text.into_owned(),
        (false, true) => format!("[stderr]\n{errors}"),
        (false, false) => format!("[stderr]\n{errors}[stdout]\n{text}"),
    };
    without_differences(&visible(&text), folder)
}

/// Returns a text with escapes in place of invisible characters.
fn visible(text: &str) -> String {
    let is_hidden = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{feff}';
    let shown = |c: char| if is_hidden(c) { c.escape_debug().to_string() } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// Texts that differ from run to run, with their replacements.
static DIFFERENCES: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
    [
        (r"\bin [\d.]+ m?s\b", "in 0 ms"),
        (r#""elapsed_ms": \d+"#, "\"elapsed_ms\": 0"),
        (r"\b20\d{6}-\d{6}-[0-9a-f]{8}\b", "{release}"),
    ]
    .map(|(pattern, replacement)| (Regex::new(pattern).unwrap(), replacement))
});

/// Returns a text without what differs from run to run.
fn without_differences(text: &str, folder: &Path) -> String {
    let mut text = text.replace(&folder.display().to_string(), "{here}");
    for before in ["sitegate ", "\"version\": \""] {
        let version = format!("{before}{}", env!("CARGO_PKG_VERSION"));
        text = text.replace(&version, &format!("{before}{{version}}"));
    }
    text = text.replace(&chrono::Utc::now().date_naive().to_string(), "{today}");
    text = text.replace("The system cannot find the file specified.", "No such file or directory");
    for (pattern, replacement) in &*DIFFERENCES {
        text = pattern.replace_all(&text, *replacement).into_owned();
    }
    text
}

/// Runs git, and returns its output.
fn git(folder: &Path, arguments: &[&str]) -> Result<String, Failed> {
    let mut command = Command::new("git");
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"]);
    let output = command.args(arguments).output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr)).into())
    }
}

/// Collects the files in a folder, sorted, without those of git.
fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries.into_iter().filter(|entry| !entry.ends_with(".git")) {
        if entry.is_dir() && !entry.is_symlink() { list(&entry, files) } else { files.push(entry) }
    }
}
