//! Emulates S3's multipart uploads: create, upload parts, and complete or abort.

use std::collections::BTreeMap;

use md5::{Digest, Md5};

use super::server::{Modified, Reply, Request, Stored};
use super::signature::hex;

/// Minimum size of a part that is not the last one, in bytes.
const SMALLEST: usize = 5 << 20;

/// An upload that is not completed yet.
#[derive(Default)]
pub struct Upload {
    headers: BTreeMap<String, String>,
    parts: BTreeMap<usize, Vec<u8>>,
}

pub type Uploads = BTreeMap<String, Upload>;

fn reply(body: String) -> Reply {
    Reply { status: 200, headers: Vec::new(), body: body.into_bytes() }
}

/// Creates an upload. Its headers are those of the object.
pub fn begin(uploads: &mut Uploads, headers: BTreeMap<String, String>) -> Reply {
    let id = format!("upload-{}", uploads.len());
    uploads.insert(id.clone(), Upload { headers, ..Upload::default() });
    reply(format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>"))
}

/// Stores a part.
pub fn part(uploads: &mut Uploads, query: &BTreeMap<String, String>, body: &[u8]) -> Option<Reply> {
    let upload = uploads.get_mut(&query["uploadId"])?;
    upload.parts.insert(query["partNumber"].parse().unwrap(), body.to_vec());
    let headers = vec![("etag".to_owned(), format!("\"{}\"", hex(&Md5::digest(body))))];
    Some(Reply { status: 200, headers, body: Vec::new() })
}

/// Joins the parts that a request names.
pub fn complete(uploads: &mut Uploads, id: &str, request: &Request, seconds: u64) -> Option<(Stored, Reply)> {
    let upload = uploads.remove(id)?;
    let text = String::from_utf8(request.body.clone()).unwrap();
    let named: Vec<usize> = text
        .split("<PartNumber>")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap().parse().unwrap())
        .collect();
    assert!(named.is_sorted() && named.len() == upload.parts.len(), "{text}");
    let (mut body, mut digests) = (Vec::new(), Vec::new());
    for (at, number) in named.iter().enumerate() {
        let part = &upload.parts[number];
        assert!(part.len() >= SMALLEST || at + 1 == named.len(), "part {number} is too small");
        body.extend_from_slice(part);
        digests.extend_from_slice(&Md5::digest(part));
    }
    let tag = format!("{}-{}", hex(&Md5::digest(digests)), named.len());
    let answer =
        format!("<CompleteMultipartUploadResult><ETag>\"{tag}\"</ETag></CompleteMultipartUploadResult>");
    let stored = Stored {
        body,
        headers: upload.headers,
        tag: Some(tag),
        modified: Modified(seconds),
        ..Stored::default()
    };
    Some((stored, reply(answer)))
}
