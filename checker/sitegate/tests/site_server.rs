//! Servers on this machine whose answers depend on the path: the server of the tests of `sitegate-network`.

#[allow(dead_code)] // those tests use more of it
#[path = "../../network/tests/requests/server.rs"]
mod server;

pub use server::{Reply, Server};

/// Starts a server that answers each path.
pub fn start(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Server {
    Server::start(move |request, _| answer(&request.path))
}

/// Returns an answer of plain text.
pub fn plain(text: &str) -> Reply {
    Reply::Answer(200, vec![("content-type", "text/plain".to_owned())], text.into())
}

/// Returns the requests so far, sorted, each with its credentials.
pub fn requested(server: &Server) -> Vec<String> {
    let line = |request: &server::ReceivedRequest| {
        let credentials =
            request.headers.get("authorization").map(|value| format!(" (authorization: {value})"));
        format!("{} {}{}", request.method, request.path, credentials.unwrap_or_default())
    };
    let mut lines: Vec<String> = server.requests().iter().map(line).collect();
    lines.sort();
    lines
}
