//! Lists what hosts leave out of an upload, and how much they take.
//!
//! Each row names its source, read in November 2026, or says that it is from memory.

use crate::hosts::Host;

/// Files that a host, or the usual way to upload to it, leaves out.
#[derive(Clone, Copy, Debug)]
pub struct DroppedNames {
    /// The host.
    pub host: Host,
    /// The names.
    pub names: UploadNames,
    /// The folder at the root of an export that is kept.
    pub except: Option<&'static str>,
    /// The file at the root of an export that turns this off.
    pub unless: Option<&'static str>,
    /// The program that drops them, in a sentence with the names as its subject.
    pub reason: &'static str,
    /// How to publish them.
    pub help: &'static str,
}

/// A set of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadNames {
    /// Paths with a part that begins with this text.
    BeginningWith(&'static str),
    /// Paths below this folder at the root.
    Below(&'static str),
    /// Paths below this folder at the root, which matter only if something refers to them.
    UsedBelow(&'static str),
    /// Paths with one of these characters.
    With(&'static [char]),
}

impl UploadNames {
    /// Returns the part of a path, up to its end, that a host drops as a whole; `None` if it keeps the path.
    pub fn dropped_part(self, path: &str) -> Option<&str> {
        let mut ends = path.match_indices('/').map(|(at, _)| at + 1).chain([path.len()]);
        match self {
            UploadNames::BeginningWith(start) => {
                let mut begin = 0;
                ends.find_map(|end| {
                    let name = &path[std::mem::replace(&mut begin, end)..end];
                    name.starts_with(start).then(|| &path[..end])
                })
            }
            UploadNames::Below(folder) | UploadNames::UsedBelow(folder) => {
                path.starts_with(folder).then(|| &path[..folder.len()])
            }
            UploadNames::With(characters) => path.contains(characters).then_some(path),
        }
    }
}

/// The names, by host.
pub const DROPPED_NAMES: [DroppedNames; 8] = [
    DroppedNames {
        host: Host::GithubPages,
        // "About GitHub Pages and Jekyll": files and folders that begin with `_`.
        names: UploadNames::BeginningWith("_"),
        except: None,
        unless: Some(".nojekyll"),
        reason: "GitHub Pages drops names with `_` if it publishes a branch, because Jekyll does",
        help: NO_JEKYLL,
    },
    DroppedNames {
        host: Host::GithubPages,
        // `SPECIAL_LEADING_CHAR_REGEX` in entry_filter.rb of Jekyll (github/docs, issue 30779).
        names: UploadNames::BeginningWith("~"),
        except: None,
        unless: Some(".nojekyll"),
        reason: "GitHub Pages drops names with `~` if it publishes a branch, because Jekyll does",
        help: NO_JEKYLL,
    },
    DroppedNames {
        host: Host::GithubPages,
        // The default of `exclude` in configuration.rb of Jekyll; it means names at the root.
        names: UploadNames::UsedBelow("node_modules/"),
        except: None,
        unless: Some(".nojekyll"),
        reason: "GitHub Pages drops `node_modules` if it publishes a branch, because Jekyll does",
        help: NO_JEKYLL,
    },
    DroppedNames {
        host: Host::GithubPages,
        // actions/upload-pages-artifact, release notes of 4.0.0 and `include-hidden-files` of 5.0.0 (issues 129 and 147).
        names: UploadNames::BeginningWith("."),
        except: None,
        unless: None,
        reason: "actions/upload-pages-artifact drops names with `.` since version 4",
        help: "set `include-hidden-files: true` of actions/upload-pages-artifact@v5",
    },
    DroppedNames {
        host: Host::Netlify,
        // Its deploys fail: "Deployed filenames cannot contain # or ? characters" (netlify/cli, issue 7340).
        names: UploadNames::With(&['#', '?']),
        except: None,
        unless: None,
        reason: "Netlify refuses a deploy with `#` or `?` in a name",
        help: "rename it",
    },
    DroppedNames {
        host: Host::CloudflarePages,
        // The list `IGNORE_LIST` of `wrangler pages deploy` (cloudflare/workers-sdk).
        names: UploadNames::Below("functions/"),
        except: None,
        unless: None,
        reason: "Cloudflare Pages takes the folder `functions` for Functions, and does not publish it",
        help: "rename the folder",
    },
    DroppedNames {
        host: Host::CloudflarePages,
        // The same list.
        names: UploadNames::BeginningWith("node_modules/"),
        except: None,
        unless: None,
        reason: "Cloudflare Pages does not publish folders `node_modules`",
        help: "rename the folder, or bundle its files",
    },
    DroppedNames {
        host: Host::Netlify,
        // `ignoreFile` of netlify/open-api and `defaultFilter` of netlify/cli; from memory.
        names: UploadNames::BeginningWith("."),
        except: Some(".well-known/"),
        unless: None,
        reason: "Netlify does not publish names with `.`, besides `.well-known`",
        help: "rename it",
    },
];

const NO_JEKYLL: &str = "add an empty file `.nojekyll`; if a workflow deploys the site, Jekyll does not run";

/// Maximum numbers and sizes of an upload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UploadLimits {
    /// Number of files.
    pub files: Option<usize>,
    /// Size of a file in bytes.
    pub file_size: Option<u64>,
    /// Size of all files in bytes.
    pub total_size: Option<u64>,
}

/// Returns the limits of a host for an upload. Of several plans, the smallest: the message names the number.
pub fn upload_limits(host: Host) -> UploadLimits {
    const NONE: UploadLimits = UploadLimits { files: None, file_size: None, total_size: None };
    const MIB: u64 = 1 << 20;
    match host {
        // "GitHub Pages limits": a published site of 1 GB; "About large files on GitHub": a file of 100 MiB in a branch.
        Host::GithubPages => UploadLimits { file_size: Some(100 * MIB), total_size: Some(1 << 30), ..NONE },
        // "GitLab.com settings", "GitLab Pages": 1 GB; from memory.
        Host::GitlabPages => UploadLimits { total_size: Some(1 << 30), ..NONE },
        // "Limits" of Cloudflare Pages: 25 MiB; 20,000 files, 100,000 on paid plans since January 2026.
        Host::CloudflarePages => UploadLimits { files: Some(20_000), file_size: Some(25 * MIB), ..NONE },
        // "Limits" of Vercel: 15,000 files for an upload of the command line; from memory, an older version has 10,000.
        Host::Vercel => UploadLimits { files: Some(15_000), ..NONE },
        // "Firebase Hosting quotas": 2 GB for a file; from memory.
        Host::Firebase => UploadLimits { file_size: Some(2 << 30), ..NONE },
        // "Quotas in Azure Static Web Apps": 15,000 files; 250 MB, 500 MB on the standard plan (dapr/docs issue 4792).
        Host::AzureStaticWebApps => UploadLimits { files: Some(15_000), total_size: Some(250 * MIB), ..NONE },
        Host::S3Website
        | Host::Cloudfront
        | Host::S3Rest
        | Host::Netlify
        | Host::Nginx
        | Host::Apache
        | Host::Caddy => NONE,
    }
}

#[cfg(test)]
mod tests {
    use super::UploadNames;

    #[test]
    fn finds_the_part_that_is_dropped() {
        let underscore = UploadNames::BeginningWith("_");
        assert_eq!(underscore.dropped_part("a/_next/b/_c.js"), Some("a/_next/"));
        assert_eq!(underscore.dropped_part("_headers"), Some("_headers"));
        assert_eq!(underscore.dropped_part("a_/b_c"), None);
        assert_eq!(UploadNames::BeginningWith(".").dropped_part(".well-known/x"), Some(".well-known/"));
        assert_eq!(UploadNames::Below("functions/").dropped_part("functions/a.html"), Some("functions/"));
        assert_eq!(UploadNames::Below("functions/").dropped_part("docs/functions/a.html"), None);
        assert_eq!(UploadNames::With(&['#']).dropped_part("a/c#.html"), Some("a/c#.html"));
    }
}
