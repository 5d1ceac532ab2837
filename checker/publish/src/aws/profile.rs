//! What the chosen AWS profile says, as AWS's own library reads `~/.aws/config` and `~/.aws/credentials`.

use aws_config::profile::{Profile, ProfileSet};

use crate::failure::{Exit, Failure};

/// The profile that is asked for credentials and settings, among all that there are.
#[derive(Clone, Debug)]
pub struct AwsProfile {
    set: ProfileSet,
    /// Whether the command line names it, so that it wins over the keys of the environment.
    pub is_asked_for: bool,
}

/// How a profile gets its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProfileWay {
    /// A program prints them.
    Process,
    /// A role is taken with the token of another identity provider, which stands in a file.
    WebIdentity(String),
    /// A role is taken with other credentials.
    Role(String),
    /// A sign-in in the browser at this address, done before by `aws sso login`, is exchanged for them.
    SignIn(String),
    /// They stand in it, or it has none.
    Keys,
}

/// Reads the profiles. None where no profile is named and the files cannot be read: then they are not needed, or
/// whoever needs them says what is wrong.
///
/// # Errors
/// [`Exit::Credentials`] when the files cannot be read, or the profile that is named is not in them.
pub async fn load(name: Option<&str>) -> Result<Option<AwsProfile>, Failure> {
    let selected = name.map(|name| name.to_owned().into());
    // The files, the environment and the places that the library takes by itself. It does not export their types.
    #[allow(clippy::default_trait_access)]
    let read =
        aws_config::profile::load(&Default::default(), &Default::default(), &Default::default(), selected)
            .await;
    match (read, name) {
        (Ok(set), Some(name)) if set.get_profile(name).is_none() => {
            Err(Failure::new(Exit::Credentials, format!("there is no AWS profile `{name}`"))
                .help("profiles stand in ~/.aws/credentials and ~/.aws/config"))
        }
        (Ok(set), name) => Ok(Some(AwsProfile { set, is_asked_for: name.is_some() })),
        (Err(_), None) => Ok(None),
        (Err(error), Some(_)) => {
            Err(Failure::new(Exit::Credentials, format!("the AWS profiles cannot be read: {error}")))
        }
    }
}

impl AwsProfile {
    /// The profile's name.
    pub fn name(&self) -> &str {
        self.set.selected_profile()
    }

    /// A setting of it; none where it is empty.
    pub fn get(&self, key: &str) -> Option<&str> {
        setting(self.set.get_profile(self.name())?, key)
    }

    /// The way in which it gets its credentials.
    pub fn way(&self) -> ProfileWay {
        if let Some(role) = self.get("role_arn") {
            return match self.get("web_identity_token_file") {
                Some(_) => ProfileWay::WebIdentity(role.to_owned()),
                None => ProfileWay::Role(role.to_owned()),
            };
        }
        let session = self.get("sso_session").and_then(|name| self.set.sso_session(name));
        let start = session.and_then(|session| session.get("sso_start_url")).or(self.get("sso_start_url"));
        match (start, self.get("credential_process")) {
            (Some(start), _) => ProfileWay::SignIn(start.to_owned()),
            (None, Some(_)) => ProfileWay::Process,
            (None, None) => ProfileWay::Keys,
        }
    }

    /// The profile that asks for a one-time code on the way to the credentials, which nobody could type here.
    pub fn asks_for_code(&self) -> Option<&str> {
        let mut profile = self.set.get_profile(self.name())?;
        // A chain that is longer than there are profiles leads round in a circle.
        for _ in self.set.profiles() {
            setting(profile, "role_arn")?;
            if setting(profile, "mfa_serial").is_some() {
                return Some(profile.name());
            }
            profile = self.set.get_profile(setting(profile, "source_profile")?)?;
        }
        None
    }
}

fn setting<'p>(profile: &'p Profile, key: &str) -> Option<&'p str> {
    profile.get(key).filter(|value| !value.is_empty())
}
