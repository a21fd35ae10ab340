use super::*;

const KEY: [u8; 4] = [7, 1, 250, 66];

fn decoder() -> MessageDecoder {
    inbox_with(|_| {})
}

fn inbox_with(bend: impl FnOnce(&mut DecoderRules)) -> MessageDecoder {
    let mut rules = DecoderRules {
        limit: 262_144,
        fragments: Fragments::Join,
        utf8: Utf8::WholeMessage,
        strict: true,
        waives_one_rule: false,
        binary_is_text: false,
        control_between_fragments: true,
    };
    bend(&mut rules);
    MessageDecoder::new(rules, Vec::new())
}

fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = frame::server_frame(0, payload);
    bytes[0] = first;
    bytes[1] |= 0x80;
    let at = bytes.len() - payload.len();
    let mut masked = payload.to_vec();
    unmask(&mut masked, KEY);
    bytes.truncate(at);
    bytes.extend_from_slice(&KEY);
    bytes.extend_from_slice(&masked);
    bytes
}

fn all(decoder: &mut MessageDecoder, bytes: &[u8]) -> Vec<Received> {
    decoder.feed(bytes);
    std::iter::from_fn(|| decoder.next_message()).collect()
}

fn text(text: &str) -> Received {
    Received::Text(text.to_owned())
}

#[test]
fn bytes_may_come_one_by_one() {
    let mut decoder = decoder();
    let mut arrivals = Vec::new();
    for byte in [frame(0x81, "é".as_bytes()), frame(0x8A, b""), frame(0x81, b"{}")].concat() {
        arrivals.extend(all(&mut decoder, &[byte]));
    }
    assert_eq!(arrivals, [text("é"), Received::Pong, text("{}")]);
}

#[test]
fn fragments_join_around_control_frames() {
    let bytes = [frame(0x01, &[0xC3]), frame(0x89, b"hi"), frame(0x00, b""), frame(0x80, &[0xA9, b'!'])].concat();
    assert_eq!(all(&mut decoder(), &bytes), [Received::Ping(b"hi".to_vec()), text("é!")]);
}

#[test]
fn the_limit_counts_all_fragments_and_nothing_over_it_is_kept() {
    let limit = 262_144;
    let exactly = [frame(0x01, &vec![b'a'; 200_000]), frame(0x80, &vec![b'a'; limit - 200_000])].concat();
    assert_eq!(all(&mut decoder(), &exactly), [text(&"a".repeat(limit))]);
    assert_eq!(all(&mut decoder(), &frame(0x81, &vec![b'a'; limit])), [text(&"a".repeat(limit))]);

    let mut over = decoder();
    assert_eq!(all(&mut over, &frame(0x81, &vec![b'a'; limit + 1])), [Received::TooBig]);
    assert!(over.bytes.is_empty());
    let bytes = [frame(0x01, &vec![b'a'; 200_000]), frame(0x80, &vec![b'a'; limit - 199_999])].concat();
    assert_eq!(all(&mut decoder(), &bytes), [Received::TooBig]);

    let mut announced = decoder();
    assert_eq!(all(&mut announced, &[0x81, 0xFF, 0x7F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), [Received::TooBig]);
    announced.skip_to_close();
    assert_eq!(all(&mut announced, &[0; 4096]), []);
    assert!(announced.bytes.is_empty());
}

#[test]
fn utf8_is_judged_over_the_whole_message() {
    assert_eq!(all(&mut decoder(), &frame(0x81, &[0xFF])), [Received::InvalidUtf8]);
    let split = [frame(0x01, &[b'a', 0xC3]), frame(0x80, b"(")].concat();
    assert_eq!(all(&mut decoder(), &split), [Received::InvalidUtf8]);
    assert_eq!(all(&mut inbox_with(|a| a.utf8 = Utf8::Repair), &frame(0x81, &[0xFF])), [text("\u{FFFD}")]);
}

#[test]
fn a_stream_out_of_order_is_a_violation() {
    let first = |bytes: &[u8]| all(&mut decoder(), bytes).into_iter().next();
    let told = |violation| Some(Received::Violation(violation));
    assert_eq!(first(&frame(0x80, b"x")), told(Violation::NothingToContinue));
    assert_eq!(first(&[frame(0x01, b"x"), frame(0x81, b"y")].concat()), told(Violation::MessageInsideMessage));
    assert_eq!(first(&frame(0x88, &[3])), told(Violation::MalformedClose));
    assert_eq!(first(&frame(0x88, &1005_u16.to_be_bytes())), told(Violation::MalformedClose));
    assert_eq!(first(&frame(0x88, &1000_u16.to_be_bytes())), Some(Received::Close(Some(1000))));
    assert_eq!(first(&frame(0x88, b"")), Some(Received::Close(None)));
    assert_eq!(first(&frame(0x82, b"bytes")), Some(Received::Binary));
    assert_eq!(first(&frame(0x02, b"bytes")), Some(Received::Binary));
}

#[test]
fn skimming_hears_only_the_close_frame() {
    let mut decoder = decoder();
    assert_eq!(all(&mut decoder, &frame(0x82, b"")), [Received::Binary]);
    decoder.skip_to_close();
    let bytes = [
        frame(0x81, b"{\"type\":\"session_claim\"}"),
        frame(0xF3, b"nonsense"),
        frame(0x01, b"half"),
        frame(0x88, &1003_u16.to_be_bytes()),
    ]
    .concat();
    assert_eq!(all(&mut decoder, &bytes), [Received::Close(None)]);
}

#[test]
fn bent_rules_change_the_outcome() {
    let pieces = [frame(0x01, b"a"), frame(0x89, b""), frame(0x80, b"b")].concat();
    let first = |bend: fn(&mut DecoderRules)| all(&mut inbox_with(bend), &pieces).into_iter().next();
    assert_eq!(first(|a| a.fragments = Fragments::Refuse), Some(Received::Violation(Violation::Fragmented)));
    assert_eq!(first(|a| a.fragments = Fragments::DeliverEach), Some(text("a")));
    assert_eq!(
        first(|a| a.control_between_fragments = false),
        Some(Received::Violation(Violation::MessageInsideMessage))
    );
    let split = [frame(0x01, &[0xC3]), frame(0x80, &[0xA9])].concat();
    assert_eq!(all(&mut inbox_with(|a| a.utf8 = Utf8::EachFragment), &split).first(), Some(&Received::InvalidUtf8));
}

#[test]
fn what_is_wrong_in_one_way_is_read_in_the_measuring_mode() {
    let measuring = |bytes: &[u8]| all(&mut inbox_with(|rules| rules.waives_one_rule = true), bytes);
    let waived = |text: &str, refusal: Received| Received::Waived {
        readings: vec![text.to_owned()],
        refusal: Box::new(refusal),
    };
    assert_eq!(measuring(&frame(0xC1, b"a")), [waived("a", Received::Violation(Violation::ReservedBits))]);
    assert_eq!(measuring(&frame(0x82, b"a")), [waived("a", Received::Binary)]);
    assert_eq!(measuring(&frame(0x80, b"a")), [waived("a", Received::Violation(Violation::NothingToContinue))]);
    let inside = [frame(0x01, b" "), frame(0x81, b"a")].concat();
    assert_eq!(measuring(&inside), [waived(" a", Received::Violation(Violation::MessageInsideMessage))]);
    let repaired = Received::Waived {
        readings: vec!["a".to_owned(), "a\u{fffd}".to_owned()],
        refusal: Box::new(Received::InvalidUtf8),
    };
    assert_eq!(measuring(&frame(0x81, b"a\xFF")), [repaired]);
    // Wrong in two ways, or a control frame: told as always.
    assert_eq!(measuring(&frame(0xC1, b"\xFF")), [Received::Violation(Violation::ReservedBits)]);
    assert_eq!(measuring(&frame(0xC9, b"a")), [Received::Violation(Violation::ReservedBits)]);
}
