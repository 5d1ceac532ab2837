//! Answers of external hosts for tests.

use std::collections::{BTreeSet, HashMap};

use sitegate_check::{ExternalAnswer, ExternalAnswers, ExternalLinks, ExternalVerdict};
use url::Url;

/// Answers of external hosts, parsed from one line for each URL.
pub struct ExternalReferences(HashMap<String, ExternalAnswer>);

impl ExternalReferences {
    pub fn parse(answers: &str) -> ExternalReferences {
        let answer = |line: &str| {
            let (url, answer) = line.split_once(' ').unwrap();
            let (word, rest) = answer.split_once(' ').unwrap_or((answer, ""));
            let verdict = match word {
                "there" | "without" => ExternalVerdict::There,
                "moved" => ExternalVerdict::Moved(rest.to_owned()),
                "broken" => ExternalVerdict::Broken(rest.to_owned()),
                "unverified" => ExternalVerdict::Unverified(rest.to_owned()),
                _ => panic!("`{line}` has no verdict"),
            };
            let missing =
                (word == "without").then(|| rest.trim_start_matches('#').to_owned()).into_iter().collect();
            (url.to_owned(), ExternalAnswer { verdict, missing, present: BTreeSet::new() })
        };
        ExternalReferences(answers.lines().map(answer).collect())
    }
}

impl ExternalLinks for ExternalReferences {
    fn submit(&self, _: &Url) -> bool {
        true
    }

    fn answers(&self) -> ExternalAnswers {
        ExternalAnswers { by_url: self.0.clone(), ..ExternalAnswers::default() }
    }
}
