//! The preview's socket: listens on this machine only, and stops by itself.

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper::Request;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use super::Preview;
use sitegate_check::visible::visible;

impl Preview {
    /// Listens on 127.0.0.1 and answers until Ctrl-C, or until `limit` has passed. `ready` is told the
    /// address.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub fn run(
        self,
        port: u16,
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), String> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.map_err(|error| error.to_string())?.block_on(self.listen(port, limit, ready))
    }

    async fn listen(
        self,
        port: u16,
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), String> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!(
                    "port {port} is in use; choose another with `--port N`, or any free one with `--port 0`"
                )
            }
            _ => format!("{address}: {error}"),
        })?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let url = format!("http://{address}{}", self.base_path());
        ready(&url).map_err(|error| error.to_string())?;
        let preview = Arc::new(self);
        let serve = async {
            loop {
                // A connection that failed before it was accepted concerns nobody else.
                let Ok((stream, _)) = listener.accept().await else { continue };
                let preview = Arc::clone(&preview);
                tokio::spawn(async move {
                    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                        let preview = Arc::clone(&preview);
                        async move { Ok::<_, Infallible>(preview.answer(&request)) }
                    });
                    let mut server = hyper::server::conn::http1::Builder::new();
                    let connection = server.timer(TokioTimer::new());
                    // A browser that hangs up early is not a failure of the server.
                    let _ = connection.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        };
        let end = async {
            match limit {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = serve => Ok(()),
            () = end => Ok(()),
            stopped = tokio::signal::ctrl_c() => stopped.map_err(|error| error.to_string()),
        }
    }
}

/// Writes the address where people look for it, at once, even into a pipe.
///
/// # Errors
/// When the writer fails; a reader that has gone is not a failure.
pub fn announce(out: &mut dyn Write, url: &str, root: &Path) -> io::Result<()> {
    let root = root.display().to_string();
    let text = format!("{url}\nserving {}; Ctrl-C stops\n", visible(&root));
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
