//! What the resource registry and resource reads decide (`RES`).

use super::in_flight::{InFlightRules, OnLoss, Recipient, StrayAnswer};
use super::registry::{AfterResume, RegistryRules, Snapshot, Tell, Upsert};
use super::{EVERYTHING, Fault};
use iolite_protocol::contract::Rule;

/// Decisions about resources.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceRules {
    /// The registry.
    pub registry: RegistryRules,
    /// Reads in flight.
    pub reads: InFlightRules,
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
            reads: InFlightRules::default(),
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

/// A fault that waives field rules of resource descriptors: `id; rules; title`.
macro_rules! unchecked {
    ($id:literal, [$($rule:ident),+], $title:literal) => {
        Fault {
            id: $id,
            promises: &["BRG-RES-02"],
            title: $title,
            bend: |rules| rules.contract.waived.extend([$(Rule::$rule),+]),
        }
    };
}

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "res-snapshot-merges",
        promises: &["BRG-RES-01", "BRG-RES-05", "BRG-RES-13", "BRG-RPC-13"],
        title: "A resource snapshot is added to what is there",
        bend: |rules| rules.resources.registry.snapshot = Snapshot::Merge,
    },
    Fault {
        id: "res-empty-snapshot-ignored",
        promises: &["BRG-RES-01", "BRG-RES-05", "BRG-RPC-13"],
        title: "An empty resource snapshot changes nothing",
        bend: |rules| rules.resources.registry.snapshot = Snapshot::IgnoreEmpty,
    },
    Fault {
        id: "res-second-snapshot-ignored",
        promises: &["BRG-RES-01", "BRG-RES-05", "BRG-RES-13", "BRG-RPC-13", "BRG-MCP-12", "BRG-MCP-14"],
        title: "Only a session's first resource snapshot counts",
        bend: |rules| rules.resources.registry.snapshot = Snapshot::FirstOnly,
    },
    Fault {
        id: "res-upsert-keeps-old",
        promises: &["BRG-RES-01", "BRG-RES-15"],
        title: "An upsert of a known resource changes nothing",
        bend: |rules| rules.resources.registry.upsert = Upsert::KeepOld,
    },
    Fault {
        id: "res-upsert-moves-entry",
        promises: &["BRG-RPC-13", "BRG-RES-01"],
        title: "An upsert moves a known resource to the end of the list",
        bend: |rules| rules.resources.registry.upsert = Upsert::MoveToEnd,
    },
    Fault {
        id: "res-remove-ignored",
        promises: &["BRG-RES-01", "BRG-RES-13", "BRG-MCP-10"],
        title: "A removed resource stays",
        bend: |rules| rules.resources.registry.remove = false,
    },
    Fault {
        id: "res-remove-unknown-closes",
        promises: &["BRG-RES-01", "BRG-RES-02"],
        title: "Removing an unknown resource closes the socket",
        bend: |rules| rules.resources.registry.remove_unknown = false,
    },
    Fault {
        id: "res-snapshot-empties-tools",
        promises: &["BRG-RES-01", EVERYTHING],
        title: "A resource snapshot empties the tool registry",
        bend: |rules| rules.resources.registry.leave_other = false,
    },
    Fault {
        id: "res-tool-snapshot-empties-resources",
        promises: &["BRG-RES-01"],
        title: "A tool snapshot empties the resource registry",
        bend: |rules| rules.tools.registry.leave_other = false,
    },
    unchecked!(
        "res-uri-missing-accepted",
        [ResourceUriPresent, ResourceUriLength, ResourceUriAbsolute],
        "A resource may lack a URI"
    ),
    unchecked!("res-uri-relative-accepted", [ResourceUriAbsolute], "A resource's URI may be relative"),
    unchecked!(
        "res-uri-non-ascii-accepted",
        [ResourceUriAscii, ResourceUriAbsolute],
        "A resource's URI may hold any character"
    ),
    unchecked!("res-name-pattern-unchecked", [ResourceNamePattern], "Resource names may hold any character"),
    unchecked!(
        "res-description-missing-accepted",
        [ResourceDescriptionPresent, ResourceDescriptionLength],
        "A resource may lack a description"
    ),
    unchecked!(
        "res-mime-type-unchecked",
        [ResourceMimeTypeSyntax, ResourceMimeTypeType],
        "A resource's MIME type may be anything"
    ),
    unchecked!("res-title-empty-accepted", [ResourceTitleLength], "A resource's title may be empty, or endless"),
    unchecked!(
        "res-size-unchecked",
        [ResourceSizeType, ResourceSizeRange],
        "A resource's size may be negative, fractional or no number"
    ),
    unchecked!(
        "res-annotations-unknown-accepted",
        [ResourceAnnotationsUnknownKey],
        "Unknown annotations of a resource are tolerated"
    ),
    unchecked!("res-audience-unchecked", [AudienceType, AudienceValue], "A resource's audience may be anybody"),
    unchecked!("res-priority-unchecked", [PriorityType, PriorityRange], "A resource's priority may lie outside 0 to 1"),
    unchecked!(
        "res-last-modified-unchecked",
        [LastModifiedType, LastModifiedSyntax],
        "A resource's last_modified may be any text"
    ),
    unchecked!("res-icon-source-unchecked", [IconSrcScheme], "An icon's source may be of any scheme"),
    unchecked!("res-icon-theme-unchecked", [IconThemeType, IconThemeValue], "An icon's theme may be anything"),
    Fault {
        id: "res-uri-limit-short",
        promises: &["BRG-RES-02"],
        title: "A URI of exactly 2,048 characters is refused",
        bend: |rules| rules.contract.limits.uri_max = 2_047,
    },
    Fault {
        id: "res-uri-limit-long",
        promises: &["BRG-RES-02"],
        title: "A URI of 2,049 characters is accepted",
        bend: |rules| rules.contract.limits.uri_max = 2_049,
    },
    Fault {
        id: "res-name-limit-long",
        promises: &["BRG-RES-02"],
        title: "A resource name of 65 characters is accepted",
        bend: |rules| rules.contract.limits.resource_name_max = 65,
    },
    Fault {
        id: "res-name-limit-short",
        promises: &["BRG-RES-02"],
        title: "A resource name of exactly 64 characters is refused",
        bend: |rules| rules.contract.limits.resource_name_max = 63,
    },
    Fault {
        id: "res-mime-type-limit-long",
        promises: &["BRG-RES-02"],
        title: "A MIME type of 256 characters is accepted",
        bend: |rules| rules.contract.limits.mime_type_max = 256,
    },
    Fault {
        id: "res-title-limit-short",
        promises: &["BRG-RES-02"],
        title: "A title of exactly 256 characters is refused",
        bend: |rules| rules.contract.limits.title_max = 255,
    },
    Fault {
        id: "res-size-limit-long",
        promises: &["BRG-RES-02"],
        title: "A size of 2^53 is accepted",
        bend: |rules| rules.contract.limits.size_max = 1 << 53,
    },
    Fault {
        id: "res-duplicate-name-accepted",
        promises: &["BRG-RES-03"],
        title: "Of two resources of one name in a snapshot, the last one counts",
        bend: |rules| {
            rules.contract.waived.insert(Rule::DuplicateResourceName);
        },
    },
    Fault {
        id: "res-duplicate-uri-accepted",
        promises: &["BRG-RES-03"],
        title: "Two resources of a snapshot may have one URI",
        bend: |rules| {
            rules.contract.waived.insert(Rule::DuplicateResourceUri);
        },
    },
    Fault {
        id: "res-upsert-shares-uri",
        promises: &["BRG-RES-04"],
        title: "An upsert may take the URI of another name",
        bend: |rules| rules.resources.uri_conflict = UriConflict::Share,
    },
    Fault {
        id: "res-upsert-steals-uri",
        promises: &["BRG-RES-04"],
        title: "An upsert with the URI of another name removes that one",
        bend: |rules| rules.resources.uri_conflict = UriConflict::Steal,
    },
    Fault {
        id: "res-resume-clears",
        promises: &["BRG-RES-05", "BRG-SES-07", "BRG-RPC-03", "BRG-RPC-05"],
        title: "A resume empties the resource registry",
        bend: |rules| rules.resources.registry.after_resume = AfterResume::Clear,
    },
    Fault {
        id: "res-resume-merges",
        promises: &["BRG-RES-05", "BRG-RES-13"],
        title: "The resource snapshot after a resume is added to the kept resources",
        bend: |rules| rules.resources.registry.after_resume = AfterResume::MergeNext,
    },
    Fault {
        id: "res-resume-stale",
        promises: &["BRG-RES-05", "BRG-MCP-12", "BRG-RES-13", "BRG-MCP-14"],
        title: "The resource snapshot after a resume is ignored",
        bend: |rules| rules.resources.registry.after_resume = AfterResume::IgnoreNext,
    },
    Fault {
        id: "res-read-from-first-session",
        promises: &["BRG-RES-06", "BRG-SES-16", "BRG-MCP-04", "BRG-FBK-04", "BRG-FBK-06"],
        title: "Reads go to the session that was claimed first",
        bend: |rules| rules.resources.reads.recipient = Recipient::First,
    },
    Fault {
        id: "res-read-from-last-session",
        promises: &[
            "BRG-RES-06",
            "BRG-MCP-04",
            "BRG-RES-11",
            "BRG-AUD-02",
            "BRG-RES-05",
            "BRG-RES-08",
            "BRG-RES-10",
            "BRG-RPC-03",
            "BRG-MCP-05",
        ],
        title: "Reads go to the session that was claimed last",
        bend: |rules| rules.resources.reads.recipient = Recipient::Last,
    },
    Fault {
        id: "res-read-broadcast",
        promises: &["BRG-RES-06", "BRG-CON-11", "BRG-RES-11"],
        title: "Reads are put to every app",
        bend: |rules| rules.resources.reads.broadcast = true,
    },
    Fault {
        id: "res-read-names-other-session",
        promises: &["BRG-RES-06", EVERYTHING],
        title: "Read frames carry a session id that is not the app's",
        bend: |rules| rules.resources.reads.own_session_id = false,
    },
    Fault {
        id: "res-read-id-reused",
        promises: &["BRG-RES-06", "BRG-RES-11", "BRG-RPC-03"],
        title: "All reads of one resource share one id",
        bend: |rules| rules.resources.reads.fresh_id = false,
    },
    Fault {
        id: "res-read-sent-twice",
        promises: &[
            "BRG-RES-06",
            "BRG-SES-16",
            "BRG-CON-17",
            "BRG-RPC-03",
            "BRG-RES-13",
            "BRG-RES-11",
            "BRG-RES-09",
            "BRG-CON-11",
            "BRG-MCP-10",
            "BRG-TOL-11",
            "BRG-TOL-06",
            "BRG-MCP-23",
        ],
        title: "Every read is sent twice",
        bend: |rules| rules.resources.reads.send_once = false,
    },
    Fault {
        id: "res-equal-read-unsent",
        promises: &["BRG-RES-06", "BRG-RES-11"],
        title: "A read is not sent while another of the same resource is in flight",
        bend: |rules| rules.resources.reads.send_equal = false,
    },
    Fault {
        id: "res-read-of-others-unsent",
        promises: &["BRG-RES-06", "BRG-RES-11"],
        title: "A read is not sent while another caller's of the same resource is in flight",
        bend: |rules| rules.resources.reads.send_for_each_caller = false,
    },
    Fault {
        id: "res-read-carries-arguments",
        promises: &["BRG-RES-06"],
        title: "Read frames carry arguments",
        bend: |rules| rules.resources.no_input = false,
    },
    Fault {
        id: "res-read-names-exposed-uri",
        promises: &["BRG-RES-06"],
        title: "Read frames carry the URI that agents see",
        bend: |rules| rules.resources.descriptor_uri = false,
    },
    Fault {
        id: "res-contents-kept",
        promises: &[
            "BRG-RES-06",
            "BRG-MCP-20",
            "BRG-RES-10",
            "BRG-FBK-04",
            "BRG-RES-14",
            "BRG-RES-07",
            "BRG-AUD-04",
            "BRG-POL-04",
            "BRG-RES-09",
        ],
        title: "Contents read once are served again without asking the app",
        bend: |rules| rules.resources.always_ask = false,
    },
    Fault {
        id: "res-text-trimmed",
        promises: &["BRG-RES-07"],
        title: "Text loses white space at both ends",
        bend: |rules| rules.resources.contents = ContentAlteration::TrimText,
    },
    Fault {
        id: "res-empty-text-dropped",
        promises: &["BRG-RES-07"],
        title: "Items with empty text are left out",
        bend: |rules| rules.resources.contents = ContentAlteration::DropEmptyText,
    },
    Fault {
        id: "res-nul-stripped",
        promises: &["BRG-RES-07"],
        title: "Text loses its NUL characters",
        bend: |rules| rules.resources.contents = ContentAlteration::StripNul,
    },
    Fault {
        id: "res-text-cut",
        promises: &["BRG-RES-07"],
        title: "Text is cut at 64 KiB",
        bend: |rules| rules.resources.contents = ContentAlteration::CutText,
    },
    Fault {
        id: "res-newlines-normalized",
        promises: &["BRG-RES-07"],
        title: "Line ends in text become plain newlines",
        bend: |rules| rules.resources.contents = ContentAlteration::NormalizeNewlines,
    },
    Fault {
        id: "res-blob-url-safe",
        promises: &["BRG-RES-07", "BRG-FBK-04", "BRG-MCP-09", "BRG-MCP-21"],
        title: "Blobs are written in the URL-safe alphabet, without padding",
        bend: |rules| rules.resources.contents = ContentAlteration::BlobUrlSafe,
    },
    Fault {
        id: "res-blob-as-text",
        promises: &["BRG-RES-07"],
        title: "Blobs arrive as text",
        bend: |rules| rules.resources.contents = ContentAlteration::BlobAsText,
    },
    Fault {
        id: "res-first-item-only",
        promises: &["BRG-RES-07", "BRG-MCP-09"],
        title: "Only the first of several items arrives",
        bend: |rules| rules.resources.contents = ContentAlteration::FirstOnly,
    },
    Fault {
        id: "res-items-reversed",
        promises: &["BRG-RES-07"],
        title: "Items arrive in reverse order",
        bend: |rules| rules.resources.contents = ContentAlteration::Reverse,
    },
    Fault {
        id: "res-mime-type-invented",
        promises: &["BRG-RES-07"],
        title: "Items without a MIME type get the descriptor's",
        bend: |rules| rules.resources.contents = ContentAlteration::InventMimeType,
    },
    Fault {
        id: "res-mime-type-dropped",
        promises: &["BRG-RES-07"],
        title: "Items lose their MIME type",
        bend: |rules| rules.resources.contents = ContentAlteration::DropMimeType,
    },
    Fault {
        id: "res-item-uri-dropped",
        promises: &["BRG-RES-07", "BRG-MCP-09"],
        title: "Items lose their own URI",
        bend: |rules| rules.resources.contents = ContentAlteration::DropUri,
    },
    Fault {
        id: "res-empty-contents-not-found",
        promises: &["BRG-RES-08", "BRG-AUD-02"],
        title: "Empty contents are told as an unknown resource",
        bend: |rules| rules.resources.empty_is_success = false,
    },
    Fault {
        id: "res-both-text-and-blob-accepted",
        promises: &["BRG-RES-09"],
        title: "An item may have both text and blob",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ContentExactlyOne);
        },
    },
    Fault {
        id: "res-neither-text-nor-blob-accepted",
        promises: &["BRG-RES-09"],
        title: "An item may have neither text nor blob",
        bend: |rules| {
            rules.contract.waived.insert(Rule::ContentTextOrBlob);
        },
    },
    Fault {
        id: "res-blob-unchecked",
        promises: &["BRG-RES-09"],
        title: "A blob may be no base64",
        bend: |rules| {
            rules.contract.waived.insert(Rule::BlobBase64);
        },
    },
    Fault {
        id: "res-contents-type-unchecked",
        promises: &["BRG-RES-09"],
        title: "Contents that are no array count as empty",
        bend: |rules| {
            rules.contract.waived.extend([Rule::ContentsPresent, Rule::ContentsType]);
        },
    },
    Fault {
        id: "res-invalid-items-skipped",
        promises: &["BRG-RES-09"],
        title: "Invalid items are left out, the others are a success",
        bend: |rules| rules.contract.drop_invalid_items = true,
    },
    Fault {
        id: "res-error-swallowed",
        promises: &["BRG-RES-10", "BRG-MCP-11", "BRG-AUD-02", "BRG-AUD-03", "BRG-AUD-04", "BRG-CLI-03", "BRG-FBK-05"],
        title: "A reader's error is told as empty contents",
        bend: |rules| rules.resources.errors_fail = false,
    },
    Fault {
        id: "res-error-type-rewrapped",
        promises: &["BRG-RES-10"],
        title: "Every error of a reader becomes tool_execution_error",
        bend: |rules| rules.resources.reads.keep_error_type = false,
    },
    Fault {
        id: "res-error-message-prefixed",
        promises: &["BRG-RES-10"],
        title: "Messages of a reader's errors get a prefix",
        bend: |rules| rules.resources.reads.message_prefix = "resource error: ",
    },
    Fault {
        id: "res-caller-timeout-ignored",
        promises: &["BRG-RES-11", "BRG-AUD-02"],
        title: "timeoutMs of a read is ignored",
        bend: |rules| rules.resources.reads.obey_caller_timeout = false,
    },
    Fault {
        id: "res-deadline-never",
        promises: &["BRG-RES-11", "BRG-AUD-02"],
        title: "A read without an answer waits for ever",
        bend: |rules| rules.resources.reads.keep_deadline = false,
    },
    Fault {
        id: "res-timeout-wrong-type",
        promises: &["BRG-RES-11", "BRG-AUD-02"],
        title: "A read's passed deadline is told as tool_execution_error",
        bend: |rules| rules.resources.reads.timeout_type = "tool_execution_error",
    },
    Fault {
        id: "res-stray-result-closes",
        promises: &["BRG-RES-11", "BRG-CON-07", "BRG-TOL-10"],
        title: "A late or unknown answer to a read closes the socket",
        bend: |rules| rules.resources.reads.stray_answer = StrayAnswer::Close,
    },
    Fault {
        id: "res-stray-result-answers-oldest",
        promises: &["BRG-RES-11"],
        title: "An answer of an unknown id answers the oldest read",
        bend: |rules| rules.resources.reads.stray_answer = StrayAnswer::AnswerOldest,
    },
    Fault {
        id: "res-foreign-result-accepted",
        promises: &["BRG-RES-11"],
        title: "Another app's contents answer the read",
        bend: |rules| rules.resources.reads.ignore_foreign = false,
    },
    Fault {
        id: "res-results-in-order",
        promises: &["BRG-RES-11"],
        title: "Contents answer reads in the order of asking, whatever their id",
        bend: |rules| rules.resources.reads.match_by_id = false,
    },
    Fault {
        id: "res-loss-leaves-reads",
        promises: &["BRG-RES-11", "BRG-SES-16", "BRG-AUD-02"],
        title: "Reads wait for their deadline after the socket is lost",
        bend: |rules| rules.resources.reads.on_loss = OnLoss::Wait,
    },
    Fault {
        id: "res-loss-wrong-type",
        promises: &["BRG-RES-11", "BRG-AUD-02"],
        title: "A lost socket fails reads with session_not_active",
        bend: |rules| rules.resources.reads.loss_type = "session_not_active",
    },
    Fault {
        id: "res-revoke-leaves-reads",
        promises: &["BRG-RES-11"],
        title: "Reads wait for their deadline after the session is revoked",
        bend: |rules| rules.resources.reads.end_at_once = false,
    },
    Fault {
        id: "res-revoke-wrong-type",
        promises: &["BRG-RES-11"],
        title: "Revoking fails reads with session_suspended",
        bend: |rules| rules.resources.reads.end_type = "session_suspended",
    },
    Fault {
        id: "res-stale-mark-swallowed",
        promises: &["BRG-RES-12", "BRG-MCP-20", "BRG-MCP-18", "BRG-MCP-19"],
        title: "A resource_updated event never becomes an app_event",
        bend: |rules| rules.resources.stale_is_event = false,
    },
    Fault {
        id: "res-unknown-stale-mark-closes",
        promises: &["BRG-RES-12"],
        title: "A resource_updated event of an unknown name closes the socket",
        bend: |rules| rules.resources.stale_unknown = false,
    },
    Fault {
        id: "res-removed-still-readable",
        promises: &["BRG-RES-13"],
        title: "What was registered once can be read for ever",
        bend: |rules| rules.resources.registered_only = false,
    },
    Fault {
        id: "res-read-on-registration",
        promises: &["BRG-RES-14", "BRG-POL-04"],
        title: "Registering a resource reads it",
        bend: |rules| rules.resources.unasked = Unasked::OnUpsert,
    },
    Fault {
        id: "res-read-on-list",
        promises: &["BRG-RES-14", "BRG-POL-04"],
        title: "Listing resources reads them",
        bend: |rules| rules.resources.unasked = Unasked::OnList,
    },
    Fault {
        id: "res-read-when-stale",
        promises: &["BRG-RES-14"],
        title: "A stale mark makes the daemon read the resource",
        bend: |rules| rules.resources.unasked = Unasked::OnStale,
    },
    Fault {
        id: "res-registry-capped",
        promises: &["BRG-RES-15"],
        title: "More than 512 resources of a session are left out",
        bend: |rules| rules.resources.registry.cap = Some(512),
    },
    Fault {
        id: "res-storm-loses-deltas",
        promises: &["BRG-RES-15"],
        title: "Every 100th resource delta is lost",
        bend: |rules| rules.resources.registry.lose_every = Some(100),
    },
    Fault {
        id: "res-suspended-wrong-type",
        promises: &["BRG-RPC-03", "BRG-RES-11", "BRG-AUD-02"],
        title: "Reading from a suspended session fails with session_not_active",
        bend: |rules| rules.resources.reads.suspended_type = "session_not_active",
    },
    Fault {
        id: "res-suspended-read-waits",
        promises: &["BRG-RPC-03", "BRG-RES-11", "BRG-AUD-02"],
        title: "A read from a suspended session waits for the resume",
        bend: |rules| rules.resources.reads.refuse_suspended = false,
    },
    Fault {
        id: "res-unknown-wrong-type",
        promises: &["BRG-RPC-04", "BRG-AUD-02"],
        title: "An unknown resource is told as invalid_request",
        bend: |rules| rules.resources.reads.unknown_type = "invalid_request",
    },
    Fault {
        id: "res-unknown-sent",
        promises: &["BRG-RPC-04", "BRG-RES-13", "BRG-AUD-02"],
        title: "A read of an unknown resource is sent to the app",
        bend: |rules| rules.resources.reads.refuse_unknown = false,
    },
    Fault {
        id: "res-changes-untold",
        promises: &[
            "BRG-RPC-05",
            "BRG-MCP-12",
            "BRG-MCP-14",
            "BRG-MCP-13",
            "BRG-RES-05",
            "BRG-MCP-24",
            "BRG-FBK-06",
            "BRG-MCP-26",
            "BRG-MCP-03",
            "BRG-MCP-04",
            "BRG-FBK-03",
            "BRG-MCP-22",
        ],
        title: "Changes of the resource registry are no events",
        bend: |rules| rules.resources.registry.tell = Tell::Never,
    },
    Fault {
        id: "res-changes-tell-both",
        promises: &["BRG-RPC-05"],
        title: "A change of the resource registry is told as one of the tools too",
        bend: |rules| rules.resources.registry.tell = Tell::Both,
    },
    Fault {
        id: "res-changes-tell-old-count",
        promises: &["BRG-RPC-05"],
        title: "resources_changed tells the count before the change",
        bend: |rules| rules.resources.registry.tell = Tell::OldCount,
    },
    Fault {
        id: "res-list-sorted",
        promises: &["BRG-RPC-13"],
        title: "Resources are listed by name",
        bend: |rules| rules.resources.registry.registry_order = false,
    },
];
