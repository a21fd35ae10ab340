//! Faults of lenient parsers: what a request for a link may say, and what is taken for it.

use super::fault::Fault;
use iolite_protocol::contract::Mend;

/// A fault that mends wrong spellings: its id, its title, and what is mended.
macro_rules! mends {
    ($id:literal, $title:literal, $mend:ident) => {
        Fault {
            id: $id,
            promises: &["BRG-LNK-03", "BRG-LNK-06", "BRG-RPC-16"],
            title: $title,
            bend: |rules| {
                rules.contract.mends.insert(Mend::$mend);
            },
        }
    };
}

pub(super) const FAULTS: &[Fault] = &[
    mends!("lnk-ttl-text-mended", "A life time may be digits in a text", NumberInText),
    mends!("lnk-ttl-fraction-rounded", "A life time of a fraction is rounded down", Fraction),
    mends!("lnk-ttl-flag-counts", "A life time of true is one second", Flag),
    mends!("lnk-ttl-list-unwrapped", "A life time may stand in a list", ListOfOne),
    mends!("lnk-address-blanks-trimmed", "White space in an address does not count", Blanks),
    mends!("lnk-address-leading-zeros", "Leading zeros in an address do not count", LeadingZeros),
    mends!("lnk-address-short-form", "An address may have fewer than four parts", ShortForm),
    mends!("lnk-address-other-bases", "Parts of an address may be hexadecimal or octal", OtherBases),
    mends!("lnk-address-signs", "Signs in an address do not count", Signs),
    mends!("lnk-address-empty-parts", "Empty parts of an address are zero", EmptyParts),
    mends!("lnk-address-suffix-dropped", "A zone, a prefix length or a port behind an address is dropped", Suffix),
    mends!("lnk-address-brackets-dropped", "Brackets around an address are dropped", Brackets),
    mends!("lnk-address-other-digits", "Digits of other scripts count in an address", OtherDigits),
    mends!("lnk-address-long-groups", "A group of an IPv6 address may have five digits", LongGroups),
    Fault {
        id: "lnk-refused-link-stays",
        promises: &["BRG-LNK-06", "BRG-RPC-16"],
        title: "A request for a link that is refused leaves a pending one",
        bend: |rules| rules.link.refused = crate::rules::RefusedLink::Pending,
    },
    Fault {
        id: "lnk-refused-link-is-told",
        promises: &["BRG-LNK-06", "BRG-RPC-16"],
        title: "A request for a link that is refused is told as a link",
        bend: |rules| rules.link.refused = crate::rules::RefusedLink::Event,
    },
];
