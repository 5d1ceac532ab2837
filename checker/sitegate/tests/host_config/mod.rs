//! Tests the output of `sitegate host-config` for several hosts. `commands/host-config.txt` has whole outputs.

pub mod site;

use std::path::Path;

use sitegate_host::redirect_page::SCRIPT_HASH;

use crate::folders::{sitegate, stderr, stdout, write};
use site::site;

/// Prints the configuration of a host. Returns the exit code, the output and the errors.
fn host_config(folder: &Path, host: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let output = sitegate(folder, &[&["host-config", host], args].concat());
    (output.status.code(), stdout(&output), stderr(&output))
}

#[test]
fn hashes_inline_code_within_the_limits_of_the_host() {
    const HASH: &str = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
    let folder = site("redirect");
    write(folder.path(), "export/index.html", "<!doctype html><title>Home</title><script>1</script>");
    write(folder.path(), "export/terms/index.html", "<!doctype html><title>Terms</title><script>2</script>");
    let print = |host: &str, source: &str| {
        let policy = format!("set.Content-Security-Policy = \"script-src {source}\"");
        write(folder.path(), "auto.toml", &format!("[[headers]]\npaths = [\"/**\"]\n{policy}\n"));
        let (code, output, errors) = host_config(folder.path(), host, &["export", "--config", "auto.toml"]);
        (code, output + &errors)
    };
    for host in ["nginx", "cloudfront"] {
        let (code, text) = print(host, "'self' 'auto'");
        assert!(
            code == Some(0) && text.contains("script-src 'self' 'sha256-") && text.contains(HASH),
            "{text}"
        );
    }
    let (code, text) = print("nginx", "'auto-per-page'");
    assert!(code == Some(0) && text.contains(&format!("\"script-src {HASH}\"")), "{text}");
    assert!(text.contains("script-src 'none'"), "files without inline code: {text}");
    let (code, text) = print("cloudfront", "'auto-per-page'");
    assert!(code == Some(2) && text.contains("use `'auto'` instead"), "{text}");
    for number in 0..40 {
        let page = format!("<!doctype html><title>{number}</title><script>{number}</script>");
        write(folder.path(), &format!("export/{number}.html"), &page);
    }
    let (code, text) = print("cloudfront", "'auto'");
    assert!(code == Some(2) && text.contains("CloudFront accepts at most 1783; move inline code"), "{text}");
    assert_eq!(print("nginx", "'auto'").0, Some(0));
    let (code, text) = print("s3-website", "'auto'");
    assert!(code == Some(0) && text.contains("content-security-policy"), "{text}");
}

#[test]
fn hashes_the_script_of_redirect_pages() {
    let folder = site("redirect");
    let contract = "[[redirects]]\nfrom = \"/old\"\nto = \"/terms/\"\n[[headers]]\npaths = [\"/**\"]\n\
                    set.Content-Security-Policy = \"script-src 'auto'\"\n";
    write(folder.path(), "auto.toml", contract);
    for host in ["nginx", "cloudfront", "caddy", "netlify", "vercel"] {
        let (_, text, _) = host_config(folder.path(), host, &["export", "--config", "auto.toml"]);
        assert!(text.contains(&format!("script-src {SCRIPT_HASH}")), "{host}: {text}");
    }
}

#[test]
fn escapes_wildcards_in_names() {
    let folder = site("redirect");
    for host in ["s3-website", "cloudfront"] {
        let names = ["--bucket", "my-site", "--prefix", "/w*w/?$/"];
        let (_, text, _) = host_config(folder.path(), host, &names);
        assert!(text.contains("my-site/w${*}w/${?}${$}/.sitegate/*") && !text.contains("w*w/?$/*"), "{text}");
        assert_eq!(host_config(folder.path(), host, &["--bucket", "*"]).0, Some(2));
    }
}

#[test]
fn hosts_without_status_410_get_a_note() {
    let folder = site("redirect");
    let gone = "[permalinks]\ngone = [{ paths = [\"/old/**\"], reason = \"x\", status = 410 }]\n";
    write(folder.path(), "gone.toml", gone);
    let print = |host: &str| {
        let (code, text, errors) = host_config(folder.path(), host, &["--config", "gone.toml"]);
        assert_eq!(code, Some(0), "{host}");
        (text.contains("/old/"), errors.contains("status 410"))
    };
    for host in ["nginx", "apache", "caddy"] {
        assert_eq!(print(host), (true, false), "{host}");
    }
    for host in ["netlify", "cloudflare-pages", "vercel", "firebase", "cloudfront", "s3-website"] {
        assert_eq!(print(host), (false, true), "{host}");
    }
    write(folder.path(), "gone.toml", &gone.replace("410", "404"));
    let (code, _, errors) = host_config(folder.path(), "nginx", &["--config", "gone.toml"]);
    assert!(code == Some(2) && errors.contains("`status` must be 410"), "{errors}");
}
