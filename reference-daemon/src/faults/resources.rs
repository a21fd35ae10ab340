//! Faults of the resource registry and resource reads.

use super::fault::{EVERYTHING, Fault, waives};
use super::{in_flight, registry};
use crate::rules::{ContentAlteration, Recipient, Tell, Unasked, UriConflict};

pub(super) const FAULTS: &[Fault] = &[
    registry::SNAPSHOT_MERGES.resources,
    registry::EMPTY_SNAPSHOT_IGNORED.resources,
    registry::SECOND_SNAPSHOT_IGNORED.resources,
    registry::UPSERT_KEEPS_OLD.resources,
    registry::UPSERT_MOVES_ENTRY.resources,
    registry::REMOVE_IGNORED.resources,
    registry::REMOVE_UNKNOWN_CLOSES.resources,
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
    waives!(
        "res-uri-missing-accepted",
        ["BRG-RES-02"],
        "A resource may lack a URI",
        [ResourceUriPresent, ResourceUriLength, ResourceUriAbsolute]
    ),
    waives!("res-uri-relative-accepted", ["BRG-RES-02"], "A resource's URI may be relative", [ResourceUriAbsolute]),
    waives!(
        "res-uri-non-ascii-accepted",
        ["BRG-RES-02"],
        "A resource's URI may hold any character",
        [ResourceUriAscii, ResourceUriAbsolute]
    ),
    waives!(
        "res-name-pattern-unchecked",
        ["BRG-RES-02"],
        "Resource names may hold any character",
        [ResourceNamePattern]
    ),
    waives!(
        "res-description-missing-accepted",
        ["BRG-RES-02"],
        "A resource may lack a description",
        [ResourceDescriptionPresent, ResourceDescriptionLength]
    ),
    waives!(
        "res-mime-type-unchecked",
        ["BRG-RES-02"],
        "A resource's MIME type may be anything",
        [ResourceMimeTypeSyntax, ResourceMimeTypeType]
    ),
    waives!(
        "res-title-empty-accepted",
        ["BRG-RES-02"],
        "A resource's title may be empty, or endless",
        [ResourceTitleLength]
    ),
    waives!(
        "res-size-unchecked",
        ["BRG-RES-02"],
        "A resource's size may be negative, fractional or no number",
        [ResourceSizeType, ResourceSizeRange]
    ),
    waives!(
        "res-annotations-unknown-accepted",
        ["BRG-RES-02"],
        "Unknown annotations of a resource are tolerated",
        [ResourceAnnotationsUnknownKey]
    ),
    waives!(
        "res-audience-unchecked",
        ["BRG-RES-02"],
        "A resource's audience may be anybody",
        [AudienceType, AudienceValue]
    ),
    waives!(
        "res-priority-unchecked",
        ["BRG-RES-02"],
        "A resource's priority may lie outside 0 to 1",
        [PriorityType, PriorityRange]
    ),
    waives!(
        "res-last-modified-unchecked",
        ["BRG-RES-02"],
        "A resource's last_modified may be any text",
        [LastModifiedType, LastModifiedSyntax]
    ),
    waives!("res-icon-source-unchecked", ["BRG-RES-02"], "An icon's source may be of any scheme", [IconSrcScheme]),
    waives!(
        "res-icon-theme-unchecked",
        ["BRG-RES-02"],
        "An icon's theme may be anything",
        [IconThemeType, IconThemeValue]
    ),
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
    waives!(
        "res-duplicate-name-accepted",
        ["BRG-RES-03"],
        "Of two resources of one name in a snapshot, the last one counts",
        [DuplicateResourceName]
    ),
    waives!(
        "res-duplicate-uri-accepted",
        ["BRG-RES-03"],
        "Two resources of a snapshot may have one URI",
        [DuplicateResourceUri]
    ),
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
    registry::RESUME_CLEARS.resources,
    registry::RESUME_MERGES.resources,
    registry::RESUME_STALE.resources,
    in_flight::TO_FIRST_SESSION.resources,
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
        bend: |rules| rules.resources.in_flight.recipient = Recipient::Last,
    },
    Fault {
        id: "res-read-broadcast",
        promises: &["BRG-RES-06", "BRG-CON-11", "BRG-RES-11"],
        title: "Reads are put to every app",
        bend: |rules| rules.resources.in_flight.broadcast = true,
    },
    in_flight::NAMES_OTHER_SESSION.resources,
    in_flight::ID_REUSED.resources,
    in_flight::SENT_TWICE.resources,
    Fault {
        id: "res-equal-read-unsent",
        promises: &["BRG-RES-06", "BRG-RES-11"],
        title: "A read is not sent while another of the same resource is in flight",
        bend: |rules| rules.resources.in_flight.send_equal = false,
    },
    Fault {
        id: "res-read-of-others-unsent",
        promises: &["BRG-RES-06", "BRG-RES-11"],
        title: "A read is not sent while another caller's of the same resource is in flight",
        bend: |rules| rules.resources.in_flight.send_for_each_caller = false,
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
    waives!(
        "res-both-text-and-blob-accepted",
        ["BRG-RES-09"],
        "An item may have both text and blob",
        [ContentExactlyOne]
    ),
    waives!(
        "res-neither-text-nor-blob-accepted",
        ["BRG-RES-09"],
        "An item may have neither text nor blob",
        [ContentTextOrBlob]
    ),
    waives!("res-blob-unchecked", ["BRG-RES-09"], "A blob may be no base64", [BlobBase64]),
    waives!(
        "res-contents-type-unchecked",
        ["BRG-RES-09"],
        "Contents that are no array count as empty",
        [ContentsPresent, ContentsType]
    ),
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
    in_flight::ERROR_TYPE_REWRAPPED.resources,
    Fault {
        id: "res-error-message-prefixed",
        promises: &["BRG-RES-10"],
        title: "Messages of a reader's errors get a prefix",
        bend: |rules| rules.resources.in_flight.message_prefix = "resource error: ",
    },
    in_flight::CALLER_TIMEOUT_IGNORED.resources,
    in_flight::DEADLINE_NEVER.resources,
    in_flight::TIMEOUT_WRONG_TYPE.resources,
    in_flight::STRAY_RESULT_CLOSES.resources,
    in_flight::STRAY_RESULT_ANSWERS_OLDEST.resources,
    in_flight::FOREIGN_RESULT_ACCEPTED.resources,
    in_flight::RESULTS_IN_ORDER.resources,
    in_flight::WAITS_AFTER_LOSS.resources,
    in_flight::LOSS_WRONG_TYPE.resources,
    in_flight::WAITS_AFTER_REVOKE.resources,
    in_flight::REVOKE_WRONG_TYPE.resources,
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
    in_flight::SUSPENDED_WRONG_TYPE.resources,
    in_flight::WAITS_FOR_RESUME.resources,
    in_flight::UNKNOWN_WRONG_TYPE.resources,
    in_flight::UNKNOWN_SENT.resources,
    registry::CHANGES_UNTOLD.resources,
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
    registry::LIST_SORTED.resources,
];
