//! Lists the hosts that a site can be deployed to.

use serde::Deserialize;

/// The host's treatment of trailing slashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrailingSlash {
    /// Redirects `/dir` to `/dir/`: S3 website endpoints, GitHub Pages, most servers.
    #[default]
    Redirect,
    /// Redirects `/dir/` to `/dir`, which serves `dir/index.html`: a CDN that strips the slash.
    Never,
}

/// The host that serves the site. Without one, the behavior of most hosts is assumed.
///
/// [`crate::resolve::answer`] implements the treatment of paths, with its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// S3 website endpoint: index documents; redirects `/dir` to `/dir/`.
    S3Website,
    /// CloudFront in front of a bucket, with the function that `sitegate edge cloudfront` prints: index documents;
    /// redirects `/dir` to `/dir/`.
    Cloudfront,
    /// S3's REST endpoint, behind a CDN that rewrites only `/`: file names only.
    S3Rest,
    /// GitHub Pages: index documents; serves `page.html` for `/page`.
    GithubPages,
    /// GitLab Pages: as GitHub Pages, and the `_redirects` file.
    GitlabPages,
    /// Netlify: as GitHub Pages, and the `_redirects` file.
    Netlify,
    /// Cloudflare Pages: as Netlify; redirects `/page.html` to `/page`.
    CloudflarePages,
    /// Vercel: index documents, with or without the slash.
    Vercel,
    /// Firebase Hosting: index documents; redirects `/dir` to `/dir/`.
    Firebase,
    /// Azure Static Web Apps: index documents and pages, with or without the slash.
    AzureStaticWebApps,
    /// nginx with `index index.html`.
    Nginx,
    /// Apache with `DirectoryIndex index.html`.
    Apache,
    /// Caddy with `file_server`.
    Caddy,
}

impl Host {
    /// All hosts.
    pub const ALL: [Host; 13] = [
        Host::S3Website,
        Host::Cloudfront,
        Host::S3Rest,
        Host::GithubPages,
        Host::GitlabPages,
        Host::Netlify,
        Host::CloudflarePages,
        Host::Vercel,
        Host::Firebase,
        Host::AzureStaticWebApps,
        Host::Nginx,
        Host::Apache,
        Host::Caddy,
    ];

    /// Returns the name of the configuration file with the host's redirects, if it has one besides `_redirects`.
    pub fn config_file(self) -> Option<&'static str> {
        match self {
            Host::Netlify => Some("netlify.toml"),
            Host::Vercel => Some("vercel.json"),
            Host::Firebase => Some("firebase.json"),
            Host::AzureStaticWebApps => Some("staticwebapp.config.json"),
            _ => None,
        }
    }

    /// Returns the host that reads a configuration file, by the file's name.
    pub fn of_config_file(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.config_file() == Some(name))
    }

    /// Returns the host's name in the contract.
    pub fn name(self) -> &'static str {
        match self {
            Host::S3Website => "s3-website",
            Host::Cloudfront => "cloudfront",
            Host::S3Rest => "s3-rest",
            Host::GithubPages => "github-pages",
            Host::GitlabPages => "gitlab-pages",
            Host::Netlify => "netlify",
            Host::CloudflarePages => "cloudflare-pages",
            Host::Vercel => "vercel",
            Host::Firebase => "firebase",
            Host::AzureStaticWebApps => "azure-static-web-apps",
            Host::Nginx => "nginx",
            Host::Apache => "apache",
            Host::Caddy => "caddy",
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::Host;

    #[test]
    fn a_host_is_read_by_its_name() {
        for host in Host::ALL {
            let read = toml::from_str::<std::collections::BTreeMap<String, Host>>(&format!(
                "h = \"{}\"",
                host.name()
            ));
            assert_eq!(read.unwrap()["h"], host);
        }
    }
}
