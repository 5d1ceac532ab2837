//! AWS profile files: the settings that `~/.aws/credentials` and `~/.aws/config` hold.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::failure::{Exit, Failure};

/// The settings of one profile, by lowercase name; those of the credentials file win.
pub type Profile = BTreeMap<String, String>;

/// What AWS's own programs call the profile that needs no name.
pub const DEFAULT: &str = "default";

/// Reads a profile. None where no name was given and there is no default profile.
///
/// # Errors
/// [`Exit::Credentials`] when the named profile is not there.
pub fn load(name: Option<&str>) -> Result<Option<Profile>, Failure> {
    let credentials = file("AWS_SHARED_CREDENTIALS_FILE", "credentials");
    let config = file("AWS_CONFIG_FILE", "config");
    let text = |path: &Option<PathBuf>| path.as_ref().and_then(|path| fs::read_to_string(path).ok());
    let (credentials, config) = (text(&credentials).unwrap_or_default(), text(&config).unwrap_or_default());
    let wanted = name.unwrap_or(DEFAULT);
    let section = if wanted == DEFAULT { DEFAULT.to_owned() } else { format!("profile {wanted}") };
    let mut profile = settings(&config, &section);
    let from_credentials = settings(&credentials, wanted);
    let found = profile.is_some() || from_credentials.is_some();
    let profile = match (&mut profile, from_credentials) {
        (Some(profile), more) => {
            profile.extend(more.unwrap_or_default());
            std::mem::take(profile)
        }
        (None, more) => more.unwrap_or_default(),
    };
    if !found {
        return match name {
            None => Ok(None),
            Some(name) => Err(Failure::new(Exit::Credentials, format!("there is no AWS profile `{name}`"))
                .help("profiles stand in ~/.aws/credentials and ~/.aws/config")),
        };
    }
    Ok(Some(profile))
}

/// The settings of a sign-in that several profiles share.
pub fn session(name: &str) -> Option<Profile> {
    let text = fs::read_to_string(file("AWS_CONFIG_FILE", "config")?).ok()?;
    settings(&text, &format!("sso-session {name}"))
}

fn file(variable: &str, name: &str) -> Option<PathBuf> {
    match std::env::var_os(variable) {
        Some(path) if !path.is_empty() => Some(PathBuf::from(path)),
        _ => std::env::home_dir().map(|home| home.join(".aws").join(name)),
    }
}

/// The settings below `[section]`; none where there is no such section.
fn settings(text: &str, section: &str) -> Option<Profile> {
    let mut found: Option<Profile> = None;
    let mut inside = false;
    for line in text.lines() {
        // An indented line belongs to a nested setting, such as `s3 =`.
        let nested = line.starts_with([' ', '\t']);
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            inside = name.split_whitespace().eq(section.split_whitespace());
            if inside {
                found.get_or_insert_default();
            }
        } else if inside
            && !nested
            && let Some((key, value)) = line.split_once('=')
            && let Some(profile) = &mut found
        {
            let value = value.split(" #").next().unwrap_or_default().trim();
            profile.insert(key.trim().to_ascii_lowercase(), value.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::settings;

    #[test]
    fn a_section_is_read_to_its_end() {
        let text = "[default]\naws_access_key_id = A\n# no\nregion=eu-west-1 # here\n\
                    s3 =\n    addressing_style = path\n[profile other]\nregion = us-east-2\n";
        let default = settings(text, "default").unwrap_or_default();
        assert_eq!(default.get("aws_access_key_id").map(String::as_str), Some("A"));
        assert_eq!(default.get("region").map(String::as_str), Some("eu-west-1"));
        assert!(!default.contains_key("addressing_style"));
        assert_eq!(settings(text, "profile other").map(|other| other.len()), Some(1));
        assert_eq!(settings(text, "other"), None);
    }
}
