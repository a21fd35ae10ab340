//! What an operator may choose about names.

/// Prefix and schemes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// What the server's own tools begin with, before an underscore.
    pub tool_prefix: String,
    /// Scheme of resource URIs.
    pub uri_scheme: String,
    /// Scheme of bootstrap links.
    pub link_scheme: String,
    /// Entries per page of a list; all in one where absent.
    pub page_size: Option<usize>,
}

impl Default for Naming {
    fn default() -> Self {
        Self {
            tool_prefix: "cordierite".to_owned(),
            uri_scheme: "cordierite".to_owned(),
            link_scheme: "iolite".to_owned(),
            page_size: None,
        }
    }
}

impl Naming {
    /// URI of the resource that lists the sessions.
    pub fn sessions_uri(&self) -> String {
        format!("{}://sessions", self.uri_scheme)
    }

    /// URI of an app's resource (`BRG-MCP-03`). Characters that a URI cannot hold are percent-encoded, each in one
    /// way only, so different names have different URIs.
    pub fn resource_uri(&self, alias: &str, name: &str) -> String {
        let (alias, name) = (encoded(alias), encoded(name));
        format!("{}://{alias}/{name}", self.uri_scheme)
    }

    /// The same without the alias, which is wrong.
    pub fn bare_resource_uri(&self, name: &str) -> String {
        format!("{}://{}", self.uri_scheme, encoded(name))
    }
}

fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_built_of_alias_and_name() {
        let naming = Naming::default();
        assert_eq!(naming.resource_uri("pixel-8", "cart"), "cordierite://pixel-8/cart");
        assert_eq!(naming.resource_uri("é", "a/b%"), "cordierite://%C3%A9/a%2Fb%25");
        assert_ne!(naming.resource_uri("sessions", "x"), naming.sessions_uri());
    }
}
