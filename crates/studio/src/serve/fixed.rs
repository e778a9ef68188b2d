//! A server for a page that needs no simulation: a run that has ended.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::guard::Guard;
use super::{HEADERS, listen, refused};

/// The page contains its modules and the recording.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; \
                      img-src data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

type Shared = (Arc<Guard>, Arc<str>);

/// Serves a page on loopback until Ctrl-C. Prints its address.
pub fn page(text: String, port: u16) -> ExitCode {
    match serve(text, port) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If the message cannot be written, the exit code remains.
            let _ = writeln!(std::io::stderr(), "memonet studio: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(text: String, port: u16) -> Result<(), String> {
    let (listener, guard) = listen(port)?;
    let plain = |error: std::io::Error| error.to_string();
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(plain)?;
    let router = Router::new()
        .route("/{token}/", get(index))
        .fallback(|| async {
            refused(StatusCode::NOT_FOUND, "memonet studio prints the address of its page")
        })
        .with_state((guard.clone(), text.into()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(plain)?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            let _ = axum::serve(listener, router).await;
        });
    });
    // Without standard output the page is still served.
    let _ = writeln!(std::io::stdout(), "{}\nCtrl-C ends it.", guard.address());
    signals.forever().next();
    Ok(())
}

async fn index(
    State((guard, text)): State<Shared>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Response {
    if let Err(why) = guard.page(&token, &headers) {
        return refused(StatusCode::FORBIDDEN, why);
    }
    let kind = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let mut response = (HEADERS, kind, text.to_string()).into_response();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}
