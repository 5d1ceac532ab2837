//! Rounds with faults of the store or the disk: failed, lost, truncated, slow and wrong responses, a full or failing disk.

use std::time::Duration;

use super::kills::publish_with_trouble;
use super::program::{Trouble, is_installed};
use super::round::Round;
use super::target::TestTarget;
use crate::s3::server::{Fault, Rule, When};

/// Error responses of real stores.
const ANSWERS: [(u16, &str); 7] = [
    (429, "TooManyRequests"),
    (503, "SlowDown"),
    (503, "ServiceUnavailable"),
    (403, "AccessDenied"),
    (400, "RequestTimeout"),
    (409, "OperationAborted"),
    (301, "PermanentRedirect"),
];

/// Creates one to three faults at random requests.
fn bucket_fault(round: &mut Round) -> Trouble {
    let rng = &mut round.rng;
    let rules = (0..rng.between(1, 3)).map(|_| {
        let fault = match rng.between(0, 12) {
            0 => Fault::Slow,
            1 => Fault::Broken,
            2 | 3 => Fault::Reset,
            4 | 5 => Fault::Lost,
            6 => Fault::Cut,
            7 => Fault::Stall(Duration::from_millis(2_500)),
            8 => Fault::Flipped,
            9 => Fault::WrongTag,
            10 => Fault::Trickle,
            _ => {
                let (status, code) = rng.pick(&ANSWERS);
                Fault::Answer(status, code)
            }
        };
        let method = rng.pick(&["*", "PUT", "PUT", "GET", "POST"]);
        let contains = rng.pick(&[
            "",
            "",
            "",
            ".sitegate/runs/",
            ".sitegate/releases/",
            ".sitegate/kept/",
            ".html",
            "/distribution/",
        ]);
        let long = matches!(fault, Fault::Stall(_));
        let when = match rng.between(0, 9) {
            0..=6 => When::At(rng.between(1, if contains.is_empty() { 40 } else { 6 })),
            7 | 8 if !long => When::Every(rng.between(2, 9)),
            9 if !long => When::From(rng.between(1, 30)),
            _ => When::At(1),
        };
        Rule { method, contains, when, fault }
    });
    Trouble::Faults(rules.collect())
}

/// Creates a disk that is full, fails or is read-only, once or from some write on, or a limit of the file size.
fn disk_fault(round: &mut Round) -> Trouble {
    let rng = &mut round.rng;
    if rng.chance(35) || !is_installed("strace", &["-f", "true"]) {
        // In blocks of 512 bytes. The signal is ignored, so a larger write fails.
        let blocks = rng.between(0, 200);
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        return Trouble::Within(["sh", "-c", &script, "sh"].map(str::to_owned).to_vec());
    }
    // Not `write`, because threads also use it to wake each other.
    let calls = ["renameat,renameat2", "unlinkat", "mkdirat", "fsync,fdatasync,syncfs"];
    let call = rng.pick(&calls);
    let error = match call {
        "mkdirat" => rng.pick(&["ENOSPC", "EIO", "EDQUOT"]),
        "renameat,renameat2" | "unlinkat" => rng.pick(&["EIO", "EROFS", "EACCES"]),
        _ => "EIO",
    };
    let (time, more) = (rng.between(1, 10), if rng.chance(60) { "+" } else { "" });
    Trouble::Within(
        ["strace", "-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e"]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("inject={call}:error={error}:when={time}{more}")])
            .collect(),
    )
}

fn fault(round: &mut Round) -> Trouble {
    match round.target {
        TestTarget::Bucket(..) => bucket_fault(round),
        TestTarget::Folder(_) => disk_fault(round),
    }
}

/// # Errors
/// If an invariant is violated.
pub fn round(round: &mut Round) -> Result<(), String> {
    publish_with_trouble(round, fault)
}
