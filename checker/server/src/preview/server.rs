//! Runs the preview server: on this machine only, with limits.

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
use tokio::sync::Semaphore;

use super::allowed_hosts::AllowedHosts;
use super::write_timeout::WriteTimeoutStream;
use super::{Preview, plain};
use crate::error::ServerError;
use sitegate_base::sanitize::visible;

/// Maximum number of concurrent connections. A browser opens six.
const MAX_CONNECTIONS: usize = 128;

/// Timeout for the head of a request, including the next one on a kept-alive connection.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD_SIZE: usize = 64 << 10;

/// Pause when the system cannot accept connections.
const ACCEPT_PAUSE: Duration = Duration::from_millis(200);

impl Preview {
    /// Serves requests to this machine and to `hosts` on 127.0.0.1, until Ctrl-C or until `limit` has passed.
    /// Calls `ready` with the URL.
    ///
    /// # Errors
    /// When the port is taken or may not be used.
    pub fn run(
        self,
        port: u16,
        hosts: &[String],
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime?.block_on(self.listen(port, hosts, limit, ready))
    }

    async fn listen(
        self,
        port: u16,
        hosts: &[String],
        limit: Option<Duration>,
        ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> Result<(), ServerError> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let listener = TcpListener::bind(address).await.map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServerError::PortInUse(port),
            _ => ServerError::Listen { address, source: error },
        })?;
        let local_address = listener.local_addr()?;
        let url = format!("http://{local_address}{}", self.base_path());
        ready(&url)?;
        let serve =
            accept(listener, Arc::new(self), Arc::new(AllowedHosts::new(local_address.port(), hosts)));
        let end = async {
            match limit {
                Some(limit) => tokio::time::sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = serve => Ok(()),
            () = end => Ok(()),
            stopped = tokio::signal::ctrl_c() => Ok(stopped?),
        }
    }
}

/// Accepts connections, up to the limit.
async fn accept(listener: TcpListener, preview: Arc<Preview>, hosts: Arc<AllowedHosts>) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // A connection that was aborted before it was accepted affects no other.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            // Without file descriptors or memory, an immediate retry would fail, too.
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (preview, hosts) = (Arc::clone(&preview), Arc::clone(&hosts));
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<hyper::body::Incoming>| {
                let (preview, hosts) = (Arc::clone(&preview), Arc::clone(&hosts));
                async move {
                    Ok::<_, Infallible>(match hosts.reject(&request) {
                        Ok(()) => preview.answer(&request),
                        Err((status, message)) => plain(status, message),
                    })
                }
            });
            let mut server = hyper::server::conn::http1::Builder::new();
            server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(MAX_HEAD_SIZE);
            // A browser that disconnects early is no error.
            let _ = server.serve_connection(TokioIo::new(WriteTimeoutStream::new(stream)), service).await;
            drop(slot);
        });
    }
}

/// Prints the URL, and flushes the output, even into a pipe.
///
/// # Errors
/// When the writer fails. A closed pipe is no error.
pub fn announce(out: &mut dyn Write, url: &str, root: &Path) -> io::Result<()> {
    let root = root.display().to_string();
    let text = format!("{url}\nserving {}; Ctrl-C stops\n", visible(&root));
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
