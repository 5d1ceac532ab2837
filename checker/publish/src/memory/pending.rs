//! What was asked for after a release went live: remembered in the run's record until it succeeded, so that running the
//! same command again cannot hide that it failed.

use serde::{Deserialize, Serialize};
use url::Url;

#[cfg(feature = "network")]
use crate::failure::{Exit, Failure};

/// What is still to be done for the live release.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// The CloudFront distribution to tell of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalidate: Option<String>,
    /// The live site to ask whether it answers as sealed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<PendingVerification>,
}

/// A look at the live site that has not succeeded yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingVerification {
    /// The site's address, without the name and password that it may have been given with.
    pub url: String,
    /// Whether it was given with a name or password. They are not remembered.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub needs_login: bool,
    /// How long to ask again until it answers right, in seconds.
    pub patience: u64,
    /// Whether to roll back if it does not.
    pub rollback: bool,
    /// The address as it was given to this run.
    #[serde(skip)]
    given: Option<String>,
}

impl Pending {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.invalidate.is_none() && self.verify.is_none()
    }

    /// What is asked for now, and of what was asked for before all that is not asked for anew.
    pub(crate) fn with(self, asked: Pending) -> Pending {
        Pending { invalidate: asked.invalidate.or(self.invalidate), verify: asked.verify.or(self.verify) }
    }
}

impl PendingVerification {
    /// A look at a site by its address, as the user gave it.
    pub(crate) fn new(given: &str, patience: u64, rollback: bool) -> PendingVerification {
        let mut url = given.to_owned();
        let mut needs_login = false;
        if let Ok(mut parsed) = Url::parse(given)
            && !(parsed.username().is_empty() && parsed.password().is_none())
        {
            // Addresses of sites always can be without; what is no such address is refused when it is asked.
            needs_login = parsed.set_username("").and_then(|()| parsed.set_password(None)).is_ok();
            url = parsed.into();
        }
        PendingVerification { url, needs_login, patience, rollback, given: Some(given.to_owned()) }
    }

    /// The address to ask.
    ///
    /// # Errors
    /// [`crate::failure::Exit::Unverified`] when it needs a name or password, which only the run that was given them knows.
    #[cfg(feature = "network")]
    pub(crate) fn address(&self) -> Result<&str, Failure> {
        match &self.given {
            Some(given) => Ok(given),
            None if self.needs_login => {
                let message =
                    format!("{} cannot be asked: its name and password are not remembered", self.url);
                Err(Failure::new(Exit::Unverified, message)
                    .help("say --verify with the whole address again, or --drop-pending"))
            }
            None => Ok(&self.url),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{Pending, PendingVerification};

    #[test]
    fn a_password_is_used_and_never_remembered() {
        let given = "https://me:secret@www.example.com/";
        let verify = PendingVerification::new(given, 0, false);
        assert_eq!(verify.address().unwrap(), given);
        let text = serde_json::to_string(&Pending { invalidate: None, verify: Some(verify) }).unwrap();
        assert!(!text.contains("secret") && !text.contains("me:"), "{text}");
        let read: Pending = serde_json::from_str(&text).unwrap();
        assert!(read.verify.unwrap().address().unwrap_err().to_string().contains("--drop-pending"));
        let plain = PendingVerification::new("http://127.0.0.1:8/a", 3, true);
        let plain_text = serde_json::to_string(&plain).unwrap();
        let read_plain: PendingVerification = serde_json::from_str(&plain_text).unwrap();
        assert_eq!(read_plain.address().unwrap(), "http://127.0.0.1:8/a");
    }

    #[test]
    fn what_is_asked_for_anew_takes_the_place_of_what_was_asked_before() {
        let verify = |url| Some(PendingVerification::new(url, 0, false));
        let before = Pending { invalidate: Some("E1".to_owned()), verify: verify("https://a/") };
        let both = before.clone().with(Pending { invalidate: None, verify: verify("https://b/") });
        assert_eq!((both.invalidate.as_deref(), both.verify), (Some("E1"), verify("https://b/")));
        assert_eq!(before.clone().with(Pending::default()), before);
    }
}
