//! The web server: one page on loopback, and a WebSocket for each open page.

mod connection;
mod fixed;
mod guard;

pub use fixed::page;

use std::fmt::Display;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};

use axum::Router;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use dsh::Boards;
use machine_api::Subject;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tokio::sync::{Semaphore, broadcast, watch};

use crate::page;
use crate::protocol::{Message, Said};
use crate::simulator::{Asked, Audience, Simulator, check_nodes, shell};
use crate::snapshot::Snapshot;
use crate::tours::TOURS;
use guard::Guard;

/// Most pages that are open at the same time.
const MOST_PAGES: usize = 8;

/// Lines of other pages that wait for a slow page; it misses older ones.
const LINES: usize = 64;

/// Exit code for wrong arguments.
const WRONG_ARGUMENTS: u8 = 2;

/// Choices of a run.
pub struct Options {
    /// Number of nodes.
    pub nodes: usize,
    /// Port on loopback; 0 selects a free one.
    pub port: u16,
    /// Lines that are executed before the first page.
    pub script: Vec<String>,
    /// Tours besides those of this program: file name and text.
    pub tours: Vec<(String, String)>,
}

/// State that all connections share.
#[derive(Clone)]
struct Shared {
    guard: Arc<Guard>,
    hello: Arc<str>,
    moments: watch::Receiver<Option<Snapshot>>,
    said: broadcast::Sender<Said>,
    requests: Sender<Asked>,
    stop: Arc<AtomicBool>,
    places: Arc<Semaphore>,
    numbers: Arc<std::sync::atomic::AtomicU64>,
}

struct Pages {
    moments: watch::Sender<Option<Snapshot>>,
    said: broadcast::Sender<Said>,
}

impl Audience for Pages {
    fn show(&self, snapshot: Snapshot) {
        self.moments.send_replace(Some(snapshot));
    }

    fn tell(&self, said: Said) {
        // An error means that no page is open.
        let _ = self.said.send(said);
    }
}

/// Serves a cluster until Ctrl-C. Prints the address of the page.
pub fn run<M: Subject>(options: Options, boards: Rc<dyn Boards<M>>, kind: &str) -> ExitCode {
    let (error, code) = match check_nodes::<M>(options.nodes) {
        Err(error) => (error, WRONG_ARGUMENTS.into()),
        Ok(()) => match serve(options, boards, kind) {
            Ok(()) => return ExitCode::SUCCESS,
            Err(error) => (error, ExitCode::FAILURE),
        },
    };
    // If the message cannot be written, the exit code remains.
    let _ = writeln!(std::io::stderr(), "memonet studio: {error}");
    code
}

fn serve<M: Subject>(options: Options, boards: Rc<dyn Boards<M>>, kind: &str) -> Result<(), String> {
    let Options { nodes, port, script, tours } = options;
    let text = |error: std::io::Error| error.to_string();
    let (listener, guard) = listen(port)?;
    let shell = shell(nodes, boards, kind)?;
    let stop = Arc::new(AtomicBool::new(false));
    let mut simulator = Simulator::new(shell, stop.clone());
    if nodes > 1 {
        TOURS.iter().try_for_each(|(name, text)| simulator.add_tour(name, text))?;
    }
    for (name, text) in &tours {
        simulator.add_tour(name, text)?;
    }
    let (requests, queue) = channel();
    let (moments, newest) = watch::channel(None);
    let said = broadcast::channel(LINES).0;
    let pages = Pages { moments, said: said.clone() };
    script.iter().try_for_each(|line| simulator.enter(line, &pages))?;
    let hello = simulator.hello();
    let hello = serde_json::to_string(&Message::Hello(Box::new(hello))).expect("it is text and numbers");

    end_at_signals(requests.clone(), stop.clone()).map_err(text)?;
    let shared = Shared {
        guard: guard.clone(),
        hello: hello.into(),
        moments: newest,
        said,
        requests,
        stop,
        places: Arc::new(Semaphore::new(MOST_PAGES)),
        numbers: Arc::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(text)?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            let _ = axum::serve(listener, router(shared)).await;
        });
    });
    // Without standard output the page is still served.
    let _ = writeln!(std::io::stdout(), "{}\nCtrl-C ends it.", guard.address());
    simulator.run(&queue, &pages);
    simulator.finish()
}

/// Opens a port of loopback, and makes the guard of its page.
fn listen(port: u16) -> Result<(TcpListener, Arc<Guard>), String> {
    let text = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        format!("port {port} of 127.0.0.1 cannot be opened: {error}; choose another with --port, or 0 for a free one")
    })?;
    listener.set_nonblocking(true).map_err(text)?;
    let port = listener.local_addr().map_err(text)?.port();
    Ok((listener, Arc::new(Guard::new(port)?)))
}

/// Ends the run at Ctrl-C.
fn end_at_signals(requests: Sender<Asked>, stop: Arc<AtomicBool>) -> std::io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    std::thread::spawn(move || {
        signals.forever().next();
        // The run may have ended already.
        let _ = requests.send(Asked::End);
        stop.store(true, Ordering::SeqCst);
        // A second signal ends a run that does not stop.
        signals.forever().next();
        std::process::exit(1);
    });
    Ok(())
}

fn router(shared: Shared) -> Router {
    Router::new()
        .route("/{token}/", get(index))
        .route("/{token}/socket", get(socket))
        .route("/{token}/page/{*file}", get(file))
        .route("/{token}/figures/{name}", get(figure))
        .fallback(|| async {
            refused(StatusCode::NOT_FOUND, "memonet studio prints the address of its page")
        })
        .with_state(shared)
}

/// Headers of everything that is served: only this server is asked for anything; no page frames this one.
const HEADERS: [(header::HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    ),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

fn refused(code: StatusCode, why: impl Display) -> Response {
    (code, HEADERS, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{why}\n")).into_response()
}

/// Content of the page, with its type, or why there is none, for requests with the token.
fn content<T: IntoResponse>(
    shared: &Shared,
    token: &str,
    headers: &HeaderMap,
    find: impl FnOnce() -> Result<(&'static str, T), &'static str>,
) -> Response {
    if let Err(why) = shared.guard.page(token, headers) {
        return refused(StatusCode::FORBIDDEN, why);
    }
    match find() {
        Ok((kind, content)) => (HEADERS, [(header::CONTENT_TYPE, kind)], content).into_response(),
        Err(why) => refused(StatusCode::NOT_FOUND, why),
    }
}

async fn index(State(shared): State<Shared>, Path(token): Path<String>, headers: HeaderMap) -> Response {
    content(&shared, &token, &headers, || Ok(("text/html; charset=utf-8", page::INDEX)))
}

async fn file(
    State(shared): State<Shared>,
    Path((token, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    content(&shared, &token, &headers, || page::file(&name).ok_or("the page has no such file"))
}

async fn figure(
    State(shared): State<Shared>,
    Path((token, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let find = || page::figure(&name).ok_or("this state machine has no drawing here");
    content(&shared, &token, &headers, || Ok(("image/svg+xml", find()?)))
}

async fn socket(
    State(shared): State<Shared>,
    Path(token): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(why) = shared.guard.socket(&token, &headers) {
        return refused(StatusCode::FORBIDDEN, why);
    }
    let Ok(place) = shared.places.clone().try_acquire_owned() else {
        return refused(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{MOST_PAGES} pages are open; close one of them"),
        );
    };
    let limited = upgrade.max_message_size(connection::MOST_BYTES).max_frame_size(connection::MOST_BYTES);
    limited.on_upgrade(move |socket| async move {
        connection::run(socket, shared).await;
        drop(place);
    })
}
