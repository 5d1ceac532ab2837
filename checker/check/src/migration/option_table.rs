//! A table of the options of a checker: what each sets in a contract, or why it has no equivalent.

use serde_json::{Map, Value as Json};
use toml::Value;

use super::draft::ContractDraft;

/// Sets keys of a contract by the value of an option. The error is the reason why it has no equivalent.
type Setter = fn(&Json, &mut ContractDraft) -> Result<(), String>;

/// An option of another checker, and its equivalent.
pub(super) type OptionRow = (&'static str, Equivalent);

/// The equivalent of an option.
#[derive(Clone, Copy)]
pub(super) enum Equivalent {
    /// The folder of the export.
    Root,
    /// The origin and the base path.
    BaseUrl,
    /// Clean URLs, if it is true.
    CleanUrls,
    /// The name of the file of a folder, which is always index.html.
    IndexFile,
    /// Regular expressions of ignored URLs.
    Urls,
    /// Regular expressions of ignored folders.
    Folders,
    /// Headers of requests.
    Headers,
    /// The header `User-Agent`.
    UserAgent,
    /// A number of `[external]`, at least this.
    Number(&'static str, i64),
    /// The level of a rule, if the option has this value.
    Level(bool, &'static str, &'static str),
    /// The rules that are off if it is false.
    RulesOff(&'static [&'static str]),
    /// The behavior of every check if it is true. The text is the reason why it cannot be false.
    IfTrue(&'static str),
    /// The behavior of every check if it is false. The text is the reason why it cannot be true.
    IfFalse(&'static str),
    /// No setting is needed, for any value.
    Automatic,
    /// An option of the command line.
    CommandLine(&'static str),
    /// Nothing, for this reason.
    Nothing(&'static str),
    /// Keys that only this option sets.
    Keys(Setter),
}

/// The reason of a value that should be true or false.
const NO_FLAG: &str = "its value is neither true nor false";

/// Adds options to a draft, and notes those without an equivalent.
pub(super) fn apply(
    table: &[OptionRow],
    options: &Map<String, Json>,
    program: &str,
    draft: &mut ContractDraft,
) {
    for (name, value) in options.iter().filter(|(_, value)| !value.is_null()) {
        let set = match table.iter().find(|(known, _)| known == name) {
            Some((_, equivalent)) => equivalent.set(name, value, draft),
            None => Err(format!("not an option of {program} that this version knows")),
        };
        if let Err(reason) = set {
            draft.note(name, &reason);
        }
    }
}

impl Equivalent {
    /// Sets the keys of a contract. The error is the reason why there are none.
    fn set(self, option: &str, value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
        let flag = || value.as_bool().ok_or_else(|| NO_FLAG.to_owned());
        let unless = |is_same: bool, reason: &str| if is_same { Ok(()) } else { Err(reason.to_owned()) };
        match self {
            Equivalent::Root => strings(value)?.into_iter().for_each(|folder| draft.root(folder)),
            Equivalent::BaseUrl => strings(value)?.into_iter().try_for_each(|url| draft.base_url(url))?,
            Equivalent::CleanUrls if flag()? => {
                draft.site.insert("clean-urls".to_owned(), Value::Boolean(true));
            }
            Equivalent::IndexFile => {
                let reason = "the file of a folder is always index.html, as on static hosts";
                return unless(strings(value)? == ["index.html"], reason);
            }
            Equivalent::Urls => {
                strings(value)?.into_iter().for_each(|pattern| draft.ignore_urls(option, pattern));
            }
            Equivalent::Folders => {
                strings(value)?.into_iter().for_each(|pattern| draft.ignore_folders(option, pattern));
            }
            Equivalent::Headers => headers(option, value, draft)?,
            Equivalent::UserAgent => draft.header(option, "User-Agent", value),
            Equivalent::Number(key, min) => {
                draft.external.insert(key.to_owned(), Value::Integer(number(value, min)?));
            }
            Equivalent::Level(condition, rule, level) if flag()? == condition => draft.rule(rule, level),
            Equivalent::RulesOff(rules) if !flag()? => rules.iter().for_each(|rule| draft.rule(rule, "off")),
            Equivalent::IfTrue(reason) => return unless(value == &Json::Bool(true), reason),
            Equivalent::IfFalse(reason) => return unless(value == &Json::Bool(false), reason),
            Equivalent::CommandLine(arguments) => return Err(format!("on the command line: {arguments}")),
            Equivalent::Nothing(reason) => return Err(reason.to_owned()),
            Equivalent::Keys(set) => return set(value, draft),
            Equivalent::CleanUrls
            | Equivalent::Level(..)
            | Equivalent::RulesOff(_)
            | Equivalent::Automatic => {}
        }
        Ok(())
    }
}

/// Sets headers: a table, a table by host, or a list of `Name: value` or `Name=value`.
fn headers(option: &str, value: &Json, draft: &mut ContractDraft) -> Result<(), String> {
    let Some(table) = value.as_object() else {
        for header in strings(value)? {
            let (name, text) =
                header.split_once([':', '=']).ok_or_else(|| format!("`{header}` is no header"))?;
            draft.header(option, name.trim(), &Json::from(text.trim()));
        }
        return Ok(());
    };
    for (name, own) in table {
        match own.as_object() {
            Some(all) if name == "*" => headers(option, &Json::Object(all.clone()), draft)?,
            Some(_) => draft.note(option, &format!("`{name}`: write them in `[external.hosts.\"HOST\"]`")),
            None => draft.header(option, name, own),
        }
    }
    Ok(())
}

/// Returns the strings of a list, or a single string.
///
/// # Errors
/// If an entry is no string.
pub(super) fn strings(value: &Json) -> Result<Vec<&str>, String> {
    let fail = || "its value is not a list of strings".to_owned();
    match value {
        Json::String(text) => Ok(vec![text]),
        Json::Array(list) => list.iter().map(|entry| entry.as_str().ok_or_else(fail)).collect(),
        _ => Err(fail()),
    }
}

/// Returns a number.
///
/// # Errors
/// If it is none, or less than `min`.
pub(super) fn number(value: &Json, min: i64) -> Result<i64, String> {
    let number = value.as_i64().filter(|number| *number >= min);
    number.ok_or_else(|| format!("its value is not a number of {min} or more"))
}
