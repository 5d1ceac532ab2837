//! Invalidates a CloudFront distribution with a signed request.

use object_store::aws::AwsCredential;
use reqwest::StatusCode;

use crate::bucket::aws::signed_request;
use sitegate_publish::failure::{Failure, FailureKind};

/// Invalidates everything that CloudFront has cached for a distribution. Hashed assets are fetched again once,
/// but a single path is also the cheapest request.
///
/// # Errors
/// [`FailureKind::Unverified`] when CloudFront refuses or does not answer: the release is live behind it.
pub(crate) async fn invalidate(
    credential: &AwsCredential,
    distribution: &str,
    reference: &str,
) -> Result<(), Failure> {
    let fail = |why: &str| {
        Failure::new(FailureKind::Unverified, format!("CloudFront distribution {distribution}: {why}"))
    };
    let endpoint =
        signed_request::endpoint("AWS_ENDPOINT_URL_CLOUDFRONT", "https://cloudfront.amazonaws.com")?;
    let url = format!("{endpoint}/2020-05-31/distribution/{distribution}/invalidation");
    let body = format!(
        "<InvalidationBatch xmlns=\"http://cloudfront.amazonaws.com/doc/2020-05-31/\">\
         <CallerReference>{reference}</CallerReference>\
         <Paths><Quantity>1</Quantity><Items><Path>/*</Path></Items></Paths></InvalidationBatch>"
    );
    // CloudFront is a global service. Its requests are signed for this region.
    let answer = signed_request::post(credential, ("cloudfront", "us-east-1"), &url, "text/xml", body).await;
    match answer.map_err(|error| fail(&error.to_string()))? {
        (StatusCode::CREATED, _) => Ok(()),
        (status, text) => {
            let code = signed_request::element(&text, "Code").unwrap_or_default();
            Err(fail(&format!("refused: {} {code}", status.as_u16())))
        }
    }
}
