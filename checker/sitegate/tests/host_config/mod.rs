//! Tests the output of `sitegate host-config` for CloudFront and S3 websites.

pub mod site;

use serde_json::Value;
use sitegate_host::redirect_page::SCRIPT_HASH;

use site::{site, sitegate, write_file};

fn document(host: &str, slash: &str) -> Value {
    let folder = site(slash);
    let output = sitegate(folder.path(), &["host-config", host, "--bucket", "my-site", "--prefix", "www"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn cloudfront_has_error_responses_headers_and_minimal_permissions() {
    let edge = document("cloudfront", "never");
    let errors = &edge["distribution"]["CustomErrorResponses"]["Items"];
    assert_eq!((&errors[0]["ErrorCode"], &errors[0]["ResponseCode"]), (&403.into(), &"404".into()));
    assert_eq!(edge["distribution"]["OriginPath"], "/www");
    let policies = edge["response_headers_policies"].as_array().unwrap();
    assert_eq!(policies[0]["path_patterns"][0], "/*");
    let security = &policies[1]["policy"]["SecurityHeadersConfig"];
    assert_eq!(security["ContentSecurityPolicy"]["ContentSecurityPolicy"], "default-src 'none'");
    assert_eq!(policies[1]["policy"]["CustomHeadersConfig"]["Items"][1]["Value"], "none");
    let code = edge["function"]["Code"].as_str().unwrap();
    assert!(code.contains("\"/old/terms\":\"/terms\""), "{code}");
    let text = edge.to_string();
    assert!(text.contains("arn:aws:s3:::my-site/www/.sitegate/*"), "{text}");
    assert!(!text.contains("s3:*"), "no right that is not needed");
}

#[test]
fn s3_website_lists_unsupported_settings() {
    let edge = document("s3-website", "redirect");
    assert_eq!(edge["website_configuration"]["ErrorDocument"]["Key"], "404.html");
    assert_eq!(edge["not_possible"], serde_json::json!(["content-security-policy", "x-odd", "x-robots-tag"]));
    let [site, deny, list] = edge["bucket_policy"]["Statement"].as_array().unwrap().as_slice() else {
        panic!("{edge}")
    };
    assert_eq!(site["Resource"], "arn:aws:s3:::my-site/www/*");
    assert_eq!(list["Condition"], serde_json::json!({"StringLike": {"s3:prefix": "www/*"}}));
    assert_eq!(
        (&deny["Effect"], &deny["Resource"]),
        (&"Deny".into(), &"arn:aws:s3:::my-site/www/.sitegate/*".into())
    );
}

#[test]
fn hashes_inline_code_within_the_limits_of_the_host() {
    const HASH: &str = "'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='";
    let folder = site("redirect");
    let root = folder.path().join("export");
    write_file(&root, "index.html", "<!doctype html><title>Home</title><script>1</script>");
    write_file(&root, "terms/index.html", "<!doctype html><title>Terms</title><script>2</script>");
    let print = |host: &str, source: &str| {
        let policy = format!("set.Content-Security-Policy = \"script-src {source}\"");
        write_file(folder.path(), "auto.toml", &format!("[[headers]]\npaths = [\"/**\"]\n{policy}\n"));
        let output = sitegate(folder.path(), &["host-config", host, "export", "--config", "auto.toml"]);
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        (output.status.code(), text)
    };
    for host in ["nginx", "cloudfront"] {
        let (status, text) = print(host, "'self' 'auto'");
        assert!(
            status == Some(0) && text.contains("script-src 'self' 'sha256-") && text.contains(HASH),
            "{text}"
        );
    }
    let (status, text) = print("nginx", "'auto-per-page'");
    assert!(status == Some(0) && text.contains(&format!("\"script-src {HASH}\"")), "{text}");
    assert!(text.contains("script-src 'none'"), "files without inline code: {text}");
    let (status, text) = print("cloudfront", "'auto-per-page'");
    assert!(status == Some(2) && text.contains("use `'auto'` instead"), "{text}");
    for number in 0..40 {
        let page = format!("<!doctype html><title>{number}</title><script>{number}</script>");
        write_file(&root, &format!("{number}.html"), &page);
    }
    let (status, text) = print("cloudfront", "'auto'");
    assert!(
        status == Some(2) && text.contains("CloudFront accepts at most 1783; move inline code"),
        "{text}"
    );
    assert_eq!(print("nginx", "'auto'").0, Some(0));
    let (status, text) = print("s3-website", "'auto'");
    assert!(status == Some(0) && text.contains("content-security-policy"), "{text}");
}

#[test]
fn hashes_the_script_of_redirect_pages() {
    let folder = site("redirect");
    let contract = "[[redirects]]\nfrom = \"/old\"\nto = \"/terms/\"\n[[headers]]\npaths = [\"/**\"]\n\
                    set.Content-Security-Policy = \"script-src 'auto'\"\n";
    write_file(folder.path(), "auto.toml", contract);
    for host in ["nginx", "cloudfront", "caddy", "netlify", "vercel"] {
        let output = sitegate(folder.path(), &["host-config", host, "export", "--config", "auto.toml"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(&format!("script-src {SCRIPT_HASH}")), "{host}: {text}");
    }
}

#[test]
fn escapes_wildcards_in_names() {
    let folder = site("redirect");
    for host in ["s3-website", "cloudfront"] {
        let output =
            sitegate(folder.path(), &["host-config", host, "--bucket", "my-site", "--prefix", "/w*w/?$/"]);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("my-site/w${*}w/${?}${$}/.sitegate/*") && !text.contains("w*w/?$/*"), "{text}");
        let output = sitegate(folder.path(), &["host-config", host, "--bucket", "*"]);
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn headers_contain_no_line_breaks() {
    let folder = site("redirect");
    write_file(folder.path(), "sitegate.toml", "[[headers]]\npaths = [\"/**\"]\nset = { X-A = \"a\\nb\" }\n");
    for host in ["nginx", "cloudfront"] {
        let output = sitegate(folder.path(), &["host-config", host]);
        assert_eq!(output.status.code(), Some(2), "{host}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("is not a valid header"), "{text}");
    }
}

#[test]
fn bucket_without_prefix_hides_the_target_state() {
    let folder = site("redirect");
    let output = sitegate(folder.path(), &["host-config", "s3-website", "--bucket", "my-site"]);
    let edge: Value = serde_json::from_slice(&output.stdout).unwrap();
    let statement = &edge["bucket_policy"]["Statement"][0];
    assert_eq!(statement["NotResource"], "arn:aws:s3:::my-site/.sitegate/*");
    assert_eq!(statement.get("Resource"), None);
}

/// Anyone may list the bucket, unless the user does without status 404.
#[test]
fn s3_website_says_that_anyone_may_list() {
    let folder = site("redirect");
    let print = |more: &[&str]| {
        let output =
            sitegate(folder.path(), &[&["host-config", "s3-website", "--bucket", "my-site"], more].concat());
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        let policy = document["bucket_policy"].to_string();
        (policy, document["not_possible"].to_string(), String::from_utf8(output.stderr).unwrap())
    };
    let (policy, _, note) = print(&[]);
    assert!(policy.contains("s3:ListBucket") && policy.contains("AnyoneMayList"), "{policy}");
    assert!(note.starts_with("note: this policy lets anyone list all keys of the bucket"), "{note}");
    let (policy, missing, note) = print(&["--no-listing"]);
    assert!(!policy.contains("ListBucket"), "{policy}");
    assert!(missing.contains("403") && note.is_empty(), "{missing} {note}");
    let other = sitegate(folder.path(), &["host-config", "nginx", "--no-listing"]);
    assert_eq!(other.status.code(), Some(2));
}

#[test]
fn prints_two_files_with_their_names_or_one_of_them() {
    let folder = site("redirect");
    let contract = "[[headers]]\npaths = [\"/**\"]\nset = { X-A = \"a\" }\n[[redirects]]\nfrom = \"/old\"\nto = \"/terms/\"\n";
    write_file(folder.path(), "sitegate.toml", contract);
    let print = |args: &[&str]| {
        let output = sitegate(folder.path(), args);
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let both = "# _headers\n/*\n  X-A: a\n# _redirects\n/old /terms/ 301!\n";
    assert_eq!(print(&["host-config", "netlify"]), (Some(0), both.to_owned()));
    let one = "/old /terms/ 301\n".to_owned();
    assert_eq!(print(&["host-config", "cloudflare-pages", "--file", "_redirects"]), (Some(0), one));
    assert_eq!(print(&["host-config", "netlify", "--file", "netlify.toml"]).0, Some(2));
    for host in ["apache", "caddy", "vercel", "firebase"] {
        let (code, text) = print(&["host-config", host]);
        assert!(code == Some(0) && text.contains("X-A") || text.contains("x-a"), "{host}: {text}");
    }
}

#[test]
fn a_hidden_site_is_not_sealed() {
    let folder = tempfile::tempdir().unwrap();
    write_file(folder.path(), "export/robots.txt", "User-agent: *\nDisallow: /\n");
    write_file(
        folder.path(),
        "export/index.html",
        "<!doctype html><html lang=en><meta charset=utf-8><title>A</title>",
    );
    let check = |args: &[&str]| {
        let output = sitegate(folder.path(), &[&["check", "export"], args].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(check(&[]).0, Some(0));
    let (code, text) = check(&["--seal", "seal.json"]);
    assert!(code == Some(1) && text.contains("error[hidden-site]"), "{text}");
    assert!(!folder.path().join("seal.json").exists());
    write_file(folder.path(), "sitegate.toml", "[rules]\nhidden-site = \"warn\"\n");
    assert_eq!(check(&["--seal", "seal.json"]).0, Some(0), "the contract sets the level");
}

#[test]
fn hosts_without_status_410_get_a_note() {
    let folder = site("redirect");
    let gone = "[permalinks]\ngone = [{ paths = [\"/old/**\"], reason = \"x\", status = 410 }]\n";
    write_file(folder.path(), "gone.toml", gone);
    let print = |host: &str| {
        let output = sitegate(folder.path(), &["host-config", host, "--config", "gone.toml"]);
        assert_eq!(output.status.code(), Some(0), "{host}");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (text(&output.stdout).contains("/old/"), text(&output.stderr).contains("status 410"))
    };
    for host in ["nginx", "apache", "caddy"] {
        assert_eq!(print(host), (true, false), "{host}");
    }
    for host in ["netlify", "cloudflare-pages", "vercel", "firebase", "cloudfront", "s3-website"] {
        assert_eq!(print(host), (false, true), "{host}");
    }
    write_file(folder.path(), "gone.toml", &gone.replace("410", "404"));
    let output = sitegate(folder.path(), &["host-config", "nginx", "--config", "gone.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`status` must be 410"));
}
