//! Tells CloudFront that pages have changed, by a signed request.

use std::time::Duration;

use object_store::aws::AwsAuthorizer;
use object_store::client::HttpRequestBody;
use reqwest::{Client, StatusCode};

use super::failure::{Exit, Failure};
use super::target::Target;

/// The variable that names another address than CloudFront's own, as AWS's programs know it.
const ENDPOINT: &str = "AWS_ENDPOINT_URL_CLOUDFRONT";

/// Asks CloudFront to forget everything it keeps of a distribution. Hashed assets are asked for again once;
/// one path for all of them is also the cheapest request.
///
/// # Errors
/// [`Exit::Unverified`] when CloudFront refuses or does not answer: the release is live behind it.
pub async fn invalidate(target: &Target, distribution: &str, reference: &str) -> Result<(), Failure> {
    let endpoint = std::env::var(ENDPOINT).unwrap_or_else(|_| "https://cloudfront.amazonaws.com".to_owned());
    let plain = distribution.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !plain || distribution.is_empty() {
        return Err(Failure::new(Exit::Usage, format!("`{distribution}` is no CloudFront distribution")));
    }
    let fail = |why: &dyn std::fmt::Display| {
        Failure::new(Exit::Unverified, format!("CloudFront distribution {distribution}: {why}"))
    };
    let credential = target.credentials().await?;
    let url =
        format!("{}/2020-05-31/distribution/{distribution}/invalidation", endpoint.trim_end_matches('/'));
    let body = format!(
        "<InvalidationBatch xmlns=\"http://cloudfront.amazonaws.com/doc/2020-05-31/\">\
         <CallerReference>{reference}</CallerReference>\
         <Paths><Quantity>1</Quantity><Items><Path>/*</Path></Items></Paths></InvalidationBatch>"
    );
    let mut request = hyper::Request::post(&url)
        .header("content-type", "text/xml")
        .body(HttpRequestBody::from(body.clone()))
        .map_err(|error| fail(&error))?;
    // CloudFront is one service for the whole world, and its requests are signed for this region.
    AwsAuthorizer::new(&credential, "cloudfront", "us-east-1")
        .try_authorize(&mut request, None)
        .map_err(|error| fail(&error))?;
    super::choose_cryptography();
    let client = Client::builder().timeout(Duration::from_secs(30)).build().map_err(|error| fail(&error))?;
    let sent = client.post(&url).headers(request.headers().clone()).body(body).send().await;
    let answer = sent.map_err(|error| fail(&error.without_url()))?;
    match answer.status() {
        StatusCode::CREATED => Ok(()),
        status => {
            let text = answer.text().await.unwrap_or_default();
            let code = text.split("<Code>").nth(1).and_then(|rest| rest.split("</Code>").next());
            Err(fail(&format!("refused: {} {}", status.as_u16(), code.unwrap_or_default())))
        }
    }
}
