//! Checks of every HTTP request: token, Host and Origin.

use axum::http::{HeaderMap, HeaderName, header};

/// Bytes of the random token.
const TOKEN: usize = 16;

/// Admits pages with the token in their address that this server has served.
pub struct Guard {
    token: String,
    /// Values of Host; a page of another name that resolves to loopback has another one.
    hosts: [String; 2],
}

impl Guard {
    /// A guard with a fresh token.
    pub fn new(port: u16) -> Result<Self, String> {
        let mut bytes = [0; TOKEN];
        let filled = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
        match filled {
            Ok(TOKEN) => {}
            Ok(_) => return Err("the system has no random numbers".to_string()),
            Err(error) => return Err(format!("the system has no random numbers: {error}")),
        }
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { token, hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")] })
    }

    /// Address of the page.
    pub fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token)
    }

    /// Checks a request for a part of the page.
    pub fn page(&self, token: &str, headers: &HeaderMap) -> Result<(), &'static str> {
        let host = text(headers, header::HOST).unwrap_or_default();
        if !self.hosts.iter().any(|known| known == host) {
            return Err("the page is only served as 127.0.0.1 or localhost");
        }
        // The time of the comparison does not depend on where the tokens differ.
        let differ = token.bytes().zip(self.token.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
        if token.len() != self.token.len() || differ != 0 {
            return Err("the address has a wrong token; use the one that memonet studio printed");
        }
        Ok(())
    }

    /// Checks the request that opens a WebSocket.
    pub fn socket(&self, token: &str, headers: &HeaderMap) -> Result<(), &'static str> {
        self.page(token, headers)?;
        let host = text(headers, header::HOST).unwrap_or_default();
        match text(headers, header::ORIGIN) {
            // Programs other than browsers send no Origin.
            None => Ok(()),
            Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
            Some(_) => Err("a page of another origin may not connect"),
        }
    }
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    // A value that is no text is like a wrong one.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_pages_of_this_server_connect() {
        let guard = Guard::new(8080).unwrap();
        let token = guard.token.clone();
        let socket = |host, origin| guard.socket(&token, &headers(host, origin)).is_ok();
        assert!(socket("127.0.0.1:8080", Some("http://127.0.0.1:8080")));
        assert!(socket("localhost:8080", Some("http://localhost:8080")));
        assert!(socket("127.0.0.1:8080", None));
        assert!(!socket("127.0.0.1:8080", Some("http://evil.example")));
        assert!(!socket("127.0.0.1:8080", Some("null")));
        assert!(!socket("evil.example:8080", Some("http://evil.example:8080")));
        assert!(!socket("127.0.0.1:80", Some("http://127.0.0.1:80")));
    }

    #[test]
    fn tokens_are_long_and_fresh() {
        let (one, two) = (Guard::new(1).unwrap(), Guard::new(1).unwrap());
        assert_eq!(one.token.len(), 2 * TOKEN);
        assert_ne!(one.token, two.token);
        let here = headers("127.0.0.1:1", None);
        assert!(one.page(&one.token, &here).is_ok());
        for wrong in ["", &two.token, &one.token[1..], &format!("{}0", one.token)] {
            assert!(one.page(wrong, &here).is_err(), "{wrong}");
        }
    }
}
