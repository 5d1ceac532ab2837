//! Finds the domain that the owner of a host registered.
//!
//! Knows the suffixes of registries by their form, and those of the usual hosts by name. The Public Suffix List has
//! thousands more, so results are only for advice.

use crate::host_name::{is_address, is_below};

/// Names below the domain of a country below which its registry registers names, such as `co.uk`. Those of one or two
/// characters are all assumed to be such names.
const SECOND_LEVEL: [&str; 39] = [
    "adm", "adv", "art", "asn", "asso", "biz", "com", "edu", "eng", "firm", "gen", "geek", "gob", "gouv",
    "gov", "govt", "idv", "ind", "info", "int", "law", "ltd", "med", "mil", "name", "net", "nhs", "nom",
    "org", "plc", "police", "press", "pro", "sch", "school", "store", "tel", "tur", "web",
];

/// Domains whose subdomains belong to different owners.
const HOSTS: [&str; 54] = [
    "000webhostapp.com",
    "azurestaticapps.net",
    "azurewebsites.net",
    "bitbucket.io",
    "blogspot.com",
    "bubbleapps.io",
    "carrd.co",
    "cloudapp.net",
    "codeberg.page",
    "deno.dev",
    "dreamhosters.com",
    "fastly.net",
    "firebaseapp.com",
    "fly.dev",
    "framer.app",
    "framer.website",
    "gitbook.io",
    "github.io",
    "gitlab.io",
    "glitch.me",
    "herokuapp.com",
    "hf.space",
    "ghost.io",
    "js.org",
    "kinsta.app",
    "kinsta.page",
    "lovable.app",
    "myshopify.com",
    "neocities.org",
    "netlify.app",
    "netlify.com",
    "ngrok.app",
    "ngrok.dev",
    "ngrok.io",
    "notion.site",
    "now.sh",
    "onrender.com",
    "pages.dev",
    "readme.io",
    "readthedocs.io",
    "replit.app",
    "repl.co",
    "sourceforge.io",
    "squarespace.com",
    "statichost.page",
    "stackblitz.io",
    "surge.sh",
    "tiiny.site",
    "vercel.app",
    "web.app",
    "webflow.io",
    "wixsite.com",
    "wordpress.com",
    "workers.dev",
];

/// Domains of clouds, which assign hosts at several levels.
const CLOUDS: [&str; 13] = [
    "amazonaws.com",
    "amplifyapp.com",
    "appspot.com",
    "awsapprunner.com",
    "cloudapp.azure.com",
    "cloudfront.net",
    "digitaloceanspaces.com",
    "elasticbeanstalk.com",
    "googleapis.com",
    "ondigitalocean.app",
    "r2.dev",
    "run.app",
    "windows.net",
];

/// Returns the domain that the owner of a host registered: `example.org` for `docs.example.org`. `None` if it is not known.
pub fn registrable_domain(host: &str) -> Option<&str> {
    if is_address(host)
        || CLOUDS.iter().any(|cloud| host.eq_ignore_ascii_case(cloud) || is_below(host, cloud))
    {
        return None;
    }
    let dots = host.rmatch_indices('.').map(|(at, _)| at + 1).chain([0]);
    // The first is the top-level domain.
    dots.skip(1).map(|start| &host[start..]).find(|domain| !is_suffix(domain))
}

/// Whether names below a domain belong to different owners. The domain is below a top-level domain.
fn is_suffix(domain: &str) -> bool {
    let of_country = match domain.split_once('.') {
        Some((name, country)) if country.len() == 2 => {
            name.len() <= 2 || SECOND_LEVEL.iter().any(|known| name.eq_ignore_ascii_case(known))
        }
        _ => false,
    };
    of_country || HOSTS.iter().any(|known| domain.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::registrable_domain;

    #[test]
    fn finds_registered_domains() {
        for (host, domain) in [
            ("docs.example.org", Some("example.org")),
            ("example.org", Some("example.org")),
            ("a.b.example.co.uk", Some("example.co.uk")),
            ("docs.acme.com.au", Some("acme.com.au")),
            ("acme.de", Some("acme.de")),
            ("docs.ibm.de", Some("ibm.de")),
            ("docs.acme.github.io", Some("acme.github.io")),
            ("acme.GitHub.io", Some("acme.GitHub.io")),
            ("github.io", None),
            ("co.uk", None),
            ("localhost", None),
            ("127.0.0.1", None),
            ("[::1]", None),
            ("bucket.s3.eu-west-1.amazonaws.com", None),
            ("", None),
        ] {
            assert_eq!(registrable_domain(host), domain, "{host}");
        }
    }
}
