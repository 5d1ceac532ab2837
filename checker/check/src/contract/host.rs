//! Which host a site is for.

use serde::Deserialize;

/// How the host answers what is not the plain name of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TrailingSlash {
    /// `/dir` is redirected to `/dir/`: S3 website endpoints, GitHub Pages, most servers.
    #[default]
    Redirect,
    /// `/dir/` is redirected to `/dir`, which answers with `dir/index.html`: a CDN that strips the slash.
    Never,
}

/// Which host the site is for. Without one, what most hosts do is taken for granted.
///
/// What each makes of paths is in [`crate::resolve::answer`], with the source that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// The website endpoint of S3: index documents, `/dir` redirected to `/dir/`.
    S3Website,
    /// CloudFront in front of a bucket, with the function that `sitegate edge cloudfront` prints: index documents,
    /// `/dir` redirected to `/dir/`.
    Cloudfront,
    /// S3's REST endpoint, behind a CDN that rewrites nothing but `/`: names of files only.
    S3Rest,
    /// GitHub Pages: index documents, and `/page` answered with `page.html`.
    GithubPages,
    /// GitLab Pages: the same, and the `_redirects` file.
    GitlabPages,
    /// Netlify: the same, and the `_redirects` file.
    Netlify,
    /// Cloudflare Pages: the same, and `/page.html` redirected to `/page`.
    CloudflarePages,
    /// Vercel: index documents, with or without the slash.
    Vercel,
    /// Firebase Hosting: index documents, `/dir` redirected to `/dir/`.
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
    /// Every host.
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

    /// Its name in the contract.
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
