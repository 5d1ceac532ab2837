//! Plans the requests of an external check without sending them: by host, with the least time that they take.

use std::collections::BTreeMap;
use std::time::Duration;

use sitegate_base::host_name::host_of;
use url::Url;

use crate::pace::min_time;
use crate::settings::Settings;

/// The assumed time per request.
const ANSWER: Duration = Duration::from_millis(300);

/// The requests that a host would get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPlan {
    /// Its name, with its port unless it is the default.
    pub name: String,
    /// URLs, sorted.
    pub urls: Vec<String>,
    /// Requests at once.
    pub concurrency: usize,
    /// The time from the start of one request to the start of the next.
    pub interval: Duration,
    /// The least time that they take, with answers after 300 ms.
    pub min_duration: Duration,
}

/// Plans the requests of these URLs by host, the slowest host first.
pub fn host_plans(urls: impl IntoIterator<Item = Url>, settings: &Settings) -> Vec<HostPlan> {
    let mut hosts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mut url in urls {
        url.set_fragment(None);
        hosts.entry(host_of(&url)).or_default().push(url.into());
    }
    let plan = |(name, mut of_host): (String, Vec<String>)| {
        of_host.sort_unstable();
        of_host.dedup();
        let (concurrency, interval) = settings.pace(&name);
        let min_duration = min_time(of_host.len(), concurrency, interval, ANSWER);
        HostPlan { name, urls: of_host, concurrency, interval, min_duration }
    };
    let mut plans: Vec<HostPlan> = hosts.into_iter().map(plan).collect();
    plans.sort_by(|a, b| b.min_duration.cmp(&a.min_duration).then_with(|| a.name.cmp(&b.name)));
    plans
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::time::Duration;

    use url::Url;

    use super::host_plans;
    use crate::settings::{HostSettings, Settings};

    #[test]
    fn sorts_hosts_by_duration_and_counts_each_url_once() {
        let mut settings = Settings::default();
        let slow =
            HostSettings { concurrency: 1, interval: Duration::from_secs(2), ..HostSettings::default() };
        settings.hosts.insert("slow.example".to_owned(), slow);
        let pages = (0..300).map(|number| format!("https://many.example/{number}#part"));
        let others = [
            "https://slow.example/a",
            "https://slow.example/b#x",
            "https://slow.example/b#y",
            "https://many.example/7",
        ];
        let urls = pages.chain(others.map(str::to_owned)).map(|url| Url::parse(&url).unwrap());
        let plans = host_plans(urls, &settings);
        let found: Vec<_> = plans
            .iter()
            .map(|plan| (plan.name.as_str(), plan.urls.len(), plan.min_duration.as_secs_f64()))
            .collect();
        assert_eq!(found, [("many.example", 300, 15.0), ("slow.example", 2, 2.0)]);
    }
}
