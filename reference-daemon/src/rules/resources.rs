//! What the resource registry and resource reads decide (`RES`).

use super::in_flight::InFlightRules;
use super::registry::RegistryRules;

/// Decisions about resources.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceRules {
    /// The registry.
    pub registry: RegistryRules,
    /// Reads in flight.
    pub in_flight: InFlightRules,
    /// What an upsert does whose URI belongs to another name (`RES-04`).
    pub uri_conflict: UriConflict,
    /// What happens to contents on their way back (`RES-07`).
    pub contents: ContentAlteration,
    /// A read carries name and URI only (`RES-06`); otherwise empty arguments too.
    pub no_input: bool,
    /// A read carries the URI of the descriptor (`RES-06`); otherwise the one the agent sees.
    pub descriptor_uri: bool,
    /// Empty contents are a success (`RES-08`); otherwise told as an unknown resource.
    pub empty_is_success: bool,
    /// A name not registered now cannot be read (`RES-13`); otherwise what was registered once can.
    pub registered_only: bool,
    /// When a resource is read without being asked (`RES-14`: never).
    pub unasked: Unasked,
    /// A reader's error fails the read (`RES-10`); otherwise the read has empty contents.
    pub errors_fail: bool,
    /// Every read asks the app (`RES-06`); otherwise the first contents are kept.
    pub always_ask: bool,
    /// A `resource_updated` event is also an ordinary one (`RES-12`).
    pub stale_is_event: bool,
    /// A `resource_updated` event of an unknown name is no error (`RES-12`); otherwise it breaks a rule.
    pub stale_unknown: bool,
}

/// What an upsert does whose URI belongs to another name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriConflict {
    /// It breaks a rule.
    Refuse,
    /// Both names have the URI.
    Share,
    /// The other name is removed.
    Steal,
}

/// When a resource is read without being asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unasked {
    /// Never.
    Never,
    /// When it is registered.
    OnUpsert,
    /// When the registry is listed.
    OnList,
    /// When it is marked stale.
    OnStale,
}

/// What happens to contents that should pass unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentAlteration {
    /// Nothing.
    None,
    /// Text loses white space at both ends.
    TrimText,
    /// Items with empty text are left out.
    DropEmptyText,
    /// Text loses its NUL characters.
    StripNul,
    /// Text is cut at 65,536 bytes.
    CutText,
    /// A character that lies across a border of 64 KiB becomes a replacement character.
    SplitText,
    /// Line ends become `\n`.
    NormalizeNewlines,
    /// Blobs are written in the URL-safe alphabet, without padding.
    BlobUrlSafe,
    /// Blobs arrive as text.
    BlobAsText,
    /// Only the first item arrives.
    FirstOnly,
    /// Items arrive in reverse order.
    Reverse,
    /// The descriptor's MIME type is written on items without one.
    InventMimeType,
    /// Items lose their MIME type.
    DropMimeType,
    /// Items lose their URI.
    DropUri,
}

impl Default for ResourceRules {
    fn default() -> Self {
        Self {
            registry: RegistryRules::default(),
            in_flight: InFlightRules::default(),
            uri_conflict: UriConflict::Refuse,
            contents: ContentAlteration::None,
            no_input: true,
            descriptor_uri: true,
            empty_is_success: true,
            registered_only: true,
            unasked: Unasked::Never,
            errors_fail: true,
            always_ask: true,
            stale_is_event: true,
            stale_unknown: true,
        }
    }
}
