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
    /// Netlify: the same, and the `_redirects` file.
    Netlify,
    /// nginx with `index index.html`.
    Nginx,
}

impl Host {
    /// Whether `/page` is answered with `page.html`.
    pub fn adds_html(self) -> bool {
        matches!(self, Host::GithubPages | Host::Netlify)
    }
}
