//! Ways to mend what the contract refuses (BRG-LNK-03): each makes one kind of wrong spelling count as the right one.

use serde_json::Value;
use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// One kind of wrong spelling that a lenient parser mends. By the contract none is mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mend {
    /// A number in a text is that number, whatever stands around its digits.
    NumberInText,
    /// A fraction is the whole number below it.
    Fraction,
    /// `true` is 1.
    Flag,
    /// A list of one number is that number.
    ListOfOne,
    /// White space around an address does not count.
    Blanks,
    /// Leading zeros of a part do not count.
    LeadingZeros,
    /// An IPv4 address of fewer than four parts is completed as `inet_aton` does it.
    ShortForm,
    /// Parts may be hexadecimal or octal.
    OtherBases,
    /// A sign in front of a part does not count.
    Signs,
    /// An empty part is zero.
    EmptyParts,
    /// What stands behind an address (a zone, a prefix length, a port) does not count.
    Suffix,
    /// Brackets around an IPv6 address do not count.
    Brackets,
    /// Digits of other scripts are digits.
    OtherDigits,
    /// A group of an IPv6 address may have more than four digits.
    LongGroups,
}

/// The whole number that a wrong `value` is taken for.
pub(crate) fn number(value: &Value, mended: &BTreeSet<Mend>) -> Option<i128> {
    let mends = |mend| mended.contains(&mend);
    match value {
        Value::String(text) if mends(Mend::NumberInText) => {
            let digits: String = text.trim().chars().filter(char::is_ascii_digit).collect();
            digits.parse().ok()
        }
        Value::Number(number) if mends(Mend::Fraction) => {
            let whole = number.as_f64()?.floor();
            #[expect(clippy::cast_possible_truncation, reason = "losing digits is the point of this mend")]
            (whole.abs() < 1e15).then_some(whole as i128)
        }
        Value::Bool(flag) if mends(Mend::Flag) => Some((*flag).into()),
        Value::Array(items) if mends(Mend::ListOfOne) => match items.as_slice() {
            [Value::Number(only)] => only.as_i64().map(Into::into),
            _ => None,
        },
        _ => None,
    }
}

/// The address that a wrong `text` is taken for.
pub(crate) fn address(text: &str, mends: &BTreeSet<Mend>) -> Option<IpAddr> {
    mends.iter().find_map(|mend| mended(text, *mend))
}

fn mended(text: &str, mend: Mend) -> Option<IpAddr> {
    match mend {
        Mend::Blanks => text.replace(char::is_whitespace, "").trim_end_matches('\0').parse().ok(),
        Mend::LeadingZeros => parts(text, |part| part.parse().ok().filter(|_| digits(part))),
        Mend::OtherBases => parts(text, any_base).or_else(|| any_base(text).map(|all| Ipv4Addr::from(all).into())),
        Mend::Signs => text.replace(['+', '-'], "").parse().ok(),
        Mend::EmptyParts => {
            parts(text.strip_suffix('.').filter(|rest| rest.matches('.').count() > 2).unwrap_or(text), |part| {
                if part.is_empty() { Some(0) } else { part.parse().ok() }
            })
        }
        Mend::ShortForm => short_form(text),
        Mend::Suffix => match text.split_once(['%', '/']) {
            Some((address, _)) => address.parse().ok(),
            None => text.split_once(':').and_then(|(address, _)| address.parse::<Ipv4Addr>().ok()).map(Into::into),
        },
        Mend::Brackets => {
            let inner = text.strip_prefix('[')?;
            inner.split(']').next()?.parse::<Ipv6Addr>().ok().map(Into::into)
        }
        Mend::OtherDigits => {
            let ascii: String = text.chars().map(|c| digit(c).unwrap_or(if c == '。' { '.' } else { c })).collect();
            ascii.parse().ok()
        }
        Mend::LongGroups => {
            let groups: Vec<&str> = text
                .split(':')
                .map(|group| match group.trim_start_matches('0') {
                    "" if !group.is_empty() => "0",
                    rest => rest,
                })
                .collect();
            groups.join(":").parse::<Ipv6Addr>().ok().map(Into::into)
        }
        Mend::NumberInText | Mend::Fraction | Mend::Flag | Mend::ListOfOne => None,
    }
}

fn digits(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())
}

/// An IPv4 address of four parts, each read by `read`.
fn parts(text: &str, read: impl Fn(&str) -> Option<u32>) -> Option<IpAddr> {
    let parts: Vec<u8> = text.split('.').map(|part| u8::try_from(read(part)?).ok()).collect::<Option<_>>()?;
    let parts: [u8; 4] = parts.try_into().ok()?;
    Some(Ipv4Addr::from(parts).into())
}

fn any_base(part: &str) -> Option<u32> {
    match part.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None if part.len() > 1 && part.starts_with('0') => u32::from_str_radix(part, 8).ok(),
        None => part.parse().ok().filter(|_| digits(part)),
    }
}

fn short_form(text: &str) -> Option<IpAddr> {
    let parts: Vec<&str> = text.split('.').collect();
    let (last, first) = parts.split_last()?;
    if first.len() > 2 || !parts.iter().all(|part| digits(part)) {
        return None;
    }
    let mut all: u32 = last.parse().ok()?;
    for (place, part) in first.iter().enumerate() {
        all |= u32::from(part.parse::<u8>().ok()?) << (24 - 8 * place);
    }
    Some(Ipv4Addr::from(all).into())
}

/// The ASCII digit that a digit of another script stands for.
fn digit(c: char) -> Option<char> {
    let zero = [0xff10, 0x0660].into_iter().find(|zero| (*zero..*zero + 10).contains(&u32::from(c)))?;
    char::from_digit(u32::from(c) - zero, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mend_mends_its_own_spelling_and_the_contract_none() {
        for (mend, text) in [
            (Mend::Blanks, " 127.0.0.1"),
            (Mend::LeadingZeros, "127.0.0.01"),
            (Mend::ShortForm, "127.1"),
            (Mend::ShortForm, "2130706433"),
            (Mend::OtherBases, "0x7f.0.0.1"),
            (Mend::OtherBases, "0x7f000001"),
            (Mend::Signs, "+127.0.0.1"),
            (Mend::EmptyParts, "127..0.1"),
            (Mend::EmptyParts, "127.0.0.1."),
            (Mend::Suffix, "127.0.0.1/32"),
            (Mend::Suffix, "127.0.0.1:443"),
            (Mend::Suffix, "fe80::1%lo"),
            (Mend::Brackets, "[::1]"),
            (Mend::OtherDigits, "１２７.0.0.1"),
            (Mend::LongGroups, "2001:db8::00007"),
        ] {
            assert_eq!(address(text, &BTreeSet::new()), None, "{text}");
            assert!(address(text, &[mend].into()).is_some(), "{mend:?} {text}");
        }
        for (mend, value) in [
            (Mend::NumberInText, Value::from("+60s")),
            (Mend::Fraction, Value::from(60.5)),
            (Mend::Flag, Value::from(true)),
            (Mend::ListOfOne, Value::from(vec![60])),
        ] {
            assert_eq!(number(&value, &BTreeSet::new()), None);
            assert!(number(&value, &[mend].into()).is_some_and(|number| number > 0), "{mend:?}");
        }
    }
}
