//! Suggests the URL of a target for one that is not.

/// Returns how to write a target.
pub(super) fn target_help(url: &str) -> String {
    match url.split_once("://") {
        Some(("http" | "https", rest)) => match bucket_url(rest) {
            Some(bucket) => format!("did you mean {bucket}?"),
            None => {
                "write a bucket as s3://BUCKET/PREFIX, gs://… or az://…, and set its server with --endpoint"
                    .to_owned()
            }
        },
        Some((scheme, rest)) if is_other_case(scheme) => {
            format!("did you mean {}://{rest}?", scheme.to_ascii_lowercase())
        }
        None if !url.is_empty() => match std::path::absolute(url) {
            Ok(path) if url.contains(['/', '\\', '.']) => {
                format!("write a folder as file://{}", path.display())
            }
            Ok(path) => format!("write a folder as file://{}, or a bucket as s3://{url}", path.display()),
            Err(_) => "write a folder as file:///FOLDER".to_owned(),
        },
        _ => "write a target as s3://BUCKET/PREFIX, gs://…, az://… or file:///FOLDER".to_owned(),
    }
}

/// Whether a scheme is one of targets in upper case. Schemes of targets are compared byte for byte.
fn is_other_case(scheme: &str) -> bool {
    let lower = scheme.to_ascii_lowercase();
    lower != scheme && ["s3", "gs", "az", "file"].contains(&lower.as_str())
}

/// Returns the target that the web address of a bucket means.
fn bucket_url(address: &str) -> Option<String> {
    let (host, path) = address.split_once('/').unwrap_or((address, ""));
    let named = |scheme: &str, bucket: &str, prefix: &str| {
        let url = format!("{scheme}://{bucket}/{prefix}");
        (!bucket.is_empty()).then(|| url.trim_end_matches('/').to_owned())
    };
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    if host == "storage.googleapis.com" {
        return named("gs", first, rest);
    }
    if host.ends_with(".blob.core.windows.net") {
        return named("az", first, rest);
    }
    let service = host.strip_suffix(".amazonaws.com")?;
    if service == "s3" || service.starts_with("s3.") || service.starts_with("s3-") {
        return named("s3", first, rest);
    }
    let bucket = service.rfind(".s3").map(|at| &service[..at])?;
    named("s3", bucket, path)
}
