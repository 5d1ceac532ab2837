//! Simulates the AWS services that issue credentials: roles, sign-ins, containers and machine metadata.

use std::collections::BTreeMap;

use super::server::{Reply, Request};

/// Temporary credentials from a role, a sign-in or a program.
pub const TEMPORARY: [&str; 3] = ["AKTEMP", "SKTEMP", "TOKENTEMP"];
pub const ROLE: &str = "arn:aws:iam::123456789012:role/publisher";
/// A role that only [`ROLE`] may assume.
pub const SECOND: &str = "arn:aws:iam::123456789012:role/second";
/// The token of a sign-in, and the credentials to renew it.
pub const SIGN_IN: &str = "SIGNEDIN";
pub const RENEWAL: [&str; 2] = ["RENEWSIGNIN", "CLIENTSECRET"];
/// The token of another identity provider.
pub const WEB_TOKEN: &str = "WEBTOKEN";
/// The token of a container for its agent.
pub const CONTAINER: &str = "CONTAINERTOKEN";
/// The token of a machine for its metadata service.
const MACHINE: &str = "MACHINETOKEN";
const ROLES: &str = "/latest/meta-data/iam/security-credentials/";

fn reply(status: u16, body: String) -> Reply {
    Reply { status, headers: Vec::new(), body: body.into_bytes() }
}

fn denied(status: u16, code: &str) -> Reply {
    let headers = vec![("x-amzn-errortype".to_owned(), code.to_owned())];
    Reply { status, headers, body: b"{}".to_vec() }
}

/// Answers requests without signature. Returns `None` for other requests.
pub fn unsigned(request: &Request) -> Option<Reply> {
    let header = |name: &str| request.headers.get(name).map_or("", String::as_str);
    let path = request.target.split('?').next().unwrap_or_default();
    Some(match (request.method.as_str(), path) {
        ("GET", "/federation/credentials") => sign_in_credentials(request),
        ("POST", "/token") => renew_sign_in(request),
        ("POST", "/") if field(request, "Action") == "AssumeRoleWithWebIdentity" => {
            if field(request, "WebIdentityToken") == WEB_TOKEN && field(request, "RoleArn") == ROLE {
                role("AssumeRoleWithWebIdentity", "2099-01-01T00:00:00Z")
            } else {
                not_taken("InvalidIdentityToken")
            }
        }
        ("GET", "/container") if header("authorization") == CONTAINER => instance_credentials(),
        ("GET", "/container") => denied(403, "AccessDenied"),
        ("PUT", "/latest/api/token") => Reply {
            status: 200,
            headers: vec![("x-aws-ec2-metadata-token-ttl-seconds".to_owned(), "21600".to_owned())],
            body: MACHINE.as_bytes().to_vec(),
        },
        ("GET", path) if path.starts_with("/latest/") => {
            match (header("x-aws-ec2-metadata-token") == MACHINE, path.strip_prefix(ROLES)) {
                (true, Some("")) => reply(200, "machine".to_owned()),
                (true, Some("machine")) => instance_credentials(),
                _ => denied(401, "Unauthorized"),
            }
        }
        _ => return None,
    })
}

fn field(request: &Request, name: &str) -> String {
    let mut form = url::form_urlencoded::parse(&request.body);
    form.find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// Returns the credentials of a role if the request is signed and has the external id. The second role needs the
/// credentials of the first.
pub fn assume_role(request: &Request) -> Reply {
    let authorization = request.headers.get("authorization").map_or("", String::as_str);
    let first = field(request, "RoleArn") == ROLE && field(request, "ExternalId") == "us & them";
    let second = field(request, "RoleArn") == SECOND && authorization.contains(TEMPORARY[0]);
    if field(request, "Action") == "AssumeRole" && (first || second) {
        role("AssumeRole", "2099-01-01T00:00:00Z")
    } else {
        not_taken("AccessDenied")
    }
}

fn role(action: &str, end: &str) -> Reply {
    let [key, secret, token] = TEMPORARY;
    reply(
        200,
        format!(
            "<{action}Response><{action}Result><Credentials><AccessKeyId>{key}</AccessKeyId>\
             <SecretAccessKey>{secret}</SecretAccessKey><SessionToken>{token}</SessionToken>\
             <Expiration>{end}</Expiration></Credentials></{action}Result></{action}Response>"
        ),
    )
}

fn not_taken(code: &str) -> Reply {
    let body =
        format!("<ErrorResponse><Error><Code>{code}</Code><Message>test</Message></Error></ErrorResponse>");
    reply(403, body)
}

/// Returns the credentials of a role for a valid sign-in.
fn sign_in_credentials(request: &Request) -> Reply {
    if request.headers.get("x-amz-sso_bearer_token").map(String::as_str) != Some(SIGN_IN) {
        return denied(401, "UnauthorizedException");
    }
    let asked = |part: &str| request.target.contains(part);
    if !asked("role_name=Publisher") || !asked("account_id=123456789012") {
        return denied(403, "ForbiddenException");
    }
    let [key, secret, token] = TEMPORARY;
    reply(
        200,
        format!(
            "{{\"roleCredentials\": {{\"accessKeyId\": \"{key}\", \"secretAccessKey\": \"{secret}\", \
             \"sessionToken\": \"{token}\", \"expiration\": 4070908800000}}}}"
        ),
    )
}

/// Renews a sign-in.
fn renew_sign_in(request: &Request) -> Reply {
    let asked: BTreeMap<String, String> = serde_json::from_slice(&request.body).unwrap_or_default();
    let known = |name: &str, value: &str| asked.get(name).map(String::as_str) == Some(value);
    if !known("refreshToken", RENEWAL[0]) || !known("clientSecret", RENEWAL[1]) {
        return denied(400, "InvalidGrantException");
    }
    reply(200, format!("{{\"accessToken\": \"{SIGN_IN}\", \"expiresIn\": 3600, \"tokenType\": \"Bearer\"}}"))
}

/// Returns the credentials of a container's agent or a machine's metadata.
fn instance_credentials() -> Reply {
    let [key, secret, token] = TEMPORARY;
    reply(
        200,
        format!(
            "{{\"Code\": \"Success\", \"Type\": \"AWS-HMAC\", \"AccessKeyId\": \"{key}\", \"SecretAccessKey\": \
             \"{secret}\", \"Token\": \"{token}\", \"LastUpdated\": \"2024-09-11T14:30:00Z\", \
             \"Expiration\": \"2099-01-01T00:00:00Z\"}}"
        ),
    )
}
