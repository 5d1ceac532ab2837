//! Reads the chosen AWS profile with AWS's own library, from `~/.aws/config` and `~/.aws/credentials`.

use aws_config::profile::{Profile, ProfileSet};

use sitegate_publish::failure::{Failure, FailureKind};

/// The chosen profile, and all others that it may refer to.
#[derive(Clone, Debug)]
pub(crate) struct AwsProfile {
    set: ProfileSet,
    /// Whether the command line names it. Then it takes precedence over keys in the environment.
    pub is_explicit: bool,
}

/// The way in which a profile gets its credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CredentialMethod {
    /// From the output of a program.
    Process,
    /// By assuming a role with a token file of another identity provider.
    WebIdentity(String),
    /// By assuming a role with other credentials.
    Role(String),
    /// By single sign-on at this URL, after `aws sso login`.
    SignIn(String),
    /// From keys in the profile, or not at all.
    Keys,
}

/// Reads the profiles. Returns none if no profile is named and the files cannot be read: then they are not
/// needed, or their user reports the problem.
///
/// # Errors
/// [`FailureKind::Credentials`] when the files cannot be read, or do not have the named profile.
pub(crate) async fn load(name: Option<&str>) -> Result<Option<AwsProfile>, Failure> {
    let selected = name.map(|name| name.to_owned().into());
    // The default files, environment and locations. The library does not export their types.
    #[allow(clippy::default_trait_access)]
    let read =
        aws_config::profile::load(&Default::default(), &Default::default(), &Default::default(), selected)
            .await;
    match (read, name) {
        (Ok(set), Some(name)) if set.get_profile(name).is_none() => {
            Err(Failure::new(FailureKind::Credentials, format!("there is no AWS profile `{name}`"))
                .help("profiles are defined in ~/.aws/credentials and ~/.aws/config"))
        }
        (Ok(set), name) => Ok(Some(AwsProfile { set, is_explicit: name.is_some() })),
        (Err(_), None) => Ok(None),
        (Err(error), Some(_)) => {
            Err(Failure::new(FailureKind::Credentials, format!("the AWS profiles cannot be read: {error}")))
        }
    }
}

impl AwsProfile {
    /// Returns the profile's name.
    pub(crate) fn name(&self) -> &str {
        self.set.selected_profile()
    }

    /// Returns a setting; none if it is empty.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        setting(self.set.get_profile(self.name())?, key)
    }

    /// Returns the way in which the profile gets its credentials.
    pub(crate) fn credential_method(&self) -> CredentialMethod {
        if let Some(role) = self.get("role_arn") {
            return match self.get("web_identity_token_file") {
                Some(_) => CredentialMethod::WebIdentity(role.to_owned()),
                None => CredentialMethod::Role(role.to_owned()),
            };
        }
        let session = self.get("sso_session").and_then(|name| self.set.sso_session(name));
        let start = session.and_then(|session| session.get("sso_start_url")).or(self.get("sso_start_url"));
        match (start, self.get("credential_process")) {
            (Some(start), _) => CredentialMethod::SignIn(start.to_owned()),
            (None, Some(_)) => CredentialMethod::Process,
            (None, None) => CredentialMethod::Keys,
        }
    }

    /// Returns the profile in the chain that requires a one-time code, which cannot be entered here.
    pub(crate) fn requires_code(&self) -> Option<&str> {
        let mut profile = self.set.get_profile(self.name())?;
        // A chain that is longer than the number of profiles is a cycle.
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
