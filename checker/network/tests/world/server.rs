//! A server that answers as a test wants it, on this machine only.

use std::collections::HashMap;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub host: String,
    pub headers: HashMap<String, String>,
}

/// What is answered.
#[derive(Clone, Debug)]
pub enum Reply {
    /// Status, headers, body.
    Answer(u16, Vec<(&'static str, String)>, Vec<u8>),
    /// The same after a while.
    Late(Duration, Box<Reply>),
    /// Nothing, ever.
    Hang,
    /// The connection is closed.
    HangUp,
    /// A beginning, and then nothing.
    Stuck(Vec<u8>),
}

impl Reply {
    pub fn status(status: u16) -> Reply {
        Reply::Answer(status, Vec::new(), Vec::new())
    }

    pub fn page(html: &str) -> Reply {
        Reply::Answer(200, vec![("content-type", "text/html; charset=utf-8".to_owned())], html.into())
    }

    pub fn to(status: u16, location: &str) -> Reply {
        Reply::Answer(status, vec![("location", location.to_owned())], Vec::new())
    }
}

type Answering = Arc<dyn Fn(&Asked, usize) -> Reply + Send + Sync>;

/// A server; it stops when it is dropped.
pub struct Server {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    most: Arc<Mutex<(usize, usize)>>,
    _runtime: Runtime,
}

impl Server {
    /// Begins to answer by a function of what is asked, and of how often just that was asked before.
    pub fn start(answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Server {
        Server::at("127.0.0.1:0", answer)
    }

    pub fn at(address: &str, answer: impl Fn(&Asked, usize) -> Reply + Send + Sync + 'static) -> Server {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind(address)).unwrap();
        let local_address = listener.local_addr().unwrap();
        let (asked, most) = (Arc::default(), Arc::new(Mutex::new((0, 0))));
        let shared = (Arc::clone(&asked), Arc::clone(&most), Arc::new(answer) as Answering);
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (log, open, answering) = shared.clone();
                tokio::spawn(async move { serve(stream, &log, &open, &answering).await });
            }
        });
        Server { address: local_address, asked, most, _runtime: runtime }
    }

    /// What was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Methods and paths, in the order of their asking.
    pub fn lines(&self) -> Vec<String> {
        self.asked().iter().map(|asked| format!("{} {}", asked.method, asked.path)).collect()
    }

    /// The most requests that were open at once.
    pub fn most_at_once(&self) -> usize {
        self.most.lock().unwrap().1
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

async fn serve(
    mut stream: TcpStream,
    asked: &Mutex<Vec<Asked>>,
    most: &Mutex<(usize, usize)>,
    answer: &Answering,
) {
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    loop {
        let end = loop {
            if let Some(end) = buffer.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            match stream.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
        };
        let head = String::from_utf8(buffer.drain(..end).collect()).unwrap();
        let request = parse(&head);
        let before = {
            let mut asked = asked.lock().unwrap();
            let same = |other: &&Asked| other.path == request.path && other.method == request.method;
            let before = asked.iter().filter(same).take(100).count();
            asked.push(request.clone());
            before
        };
        {
            let mut most = most.lock().unwrap();
            most.0 += 1;
            most.1 = most.1.max(most.0);
        }
        let reply = answer(&request, before);
        let goes_on = send(&mut stream, &request, reply).await;
        most.lock().unwrap().0 -= 1;
        if !goes_on {
            return;
        }
    }
}

fn send<'s>(
    stream: &'s mut TcpStream,
    request: &'s Asked,
    reply: Reply,
) -> Pin<Box<dyn Future<Output = bool> + Send + 's>> {
    Box::pin(async move {
        match reply {
            Reply::Late(after, reply) => {
                tokio::time::sleep(after).await;
                send(stream, request, *reply).await
            }
            Reply::Hang => {
                tokio::time::sleep(Duration::from_mins(1)).await;
                false
            }
            Reply::HangUp => false,
            Reply::Stuck(beginning) => {
                let _ = stream.write_all(&beginning).await;
                tokio::time::sleep(Duration::from_mins(1)).await;
                false
            }
            Reply::Answer(status, headers, body) => {
                let mut head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\n", body.len());
                for (name, value) in headers {
                    head.extend([name, ": ", &value, "\r\n"]);
                }
                head.push_str("\r\n");
                let mut bytes = head.into_bytes();
                if request.method != "HEAD" {
                    bytes.extend(body);
                }
                stream.write_all(&bytes).await.is_ok()
            }
        }
    })
}

fn parse(head: &str) -> Asked {
    let mut lines = head.lines();
    let mut first = lines.next().unwrap().split(' ');
    let (method, path) = (first.next().unwrap().to_owned(), first.next().unwrap().to_owned());
    let headers: HashMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    Asked { method, path, host: headers.get("host").cloned().unwrap_or_default(), headers }
}
