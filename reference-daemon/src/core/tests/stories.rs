//! Stories that together touch every rule of the table. They assert nothing and survive any bent table: what a fault
//! changes shows in the transcript.

mod connections;
mod operation;
mod past;
mod refusals;
mod traffic;

use super::bench::Bench;
use crate::core::io::{CoreConfig, Input, Output};
use crate::rules::Rules;
use connections::{aliases, claims, first_frames, frames, keepalive, links, replacements, sizes, suspensions};
use operation::{events, governed, operator};
use past::{cancels, long_texts, long_times, spellings};
use refusals::refusals;
use serde_json::{Value, json};
use traffic::{calls, crowd, descriptors, reads, registries};

/// A story and the policy it is told under.
pub(super) type Story = (fn(&mut Bench), Value);

/// All stories, first those that are quick and show much.
pub(super) fn all() -> Vec<Story> {
    let plain: [fn(&mut Bench); 21] = [
        links,
        first_frames,
        operator,
        suspensions,
        calls,
        claims,
        reads,
        replacements,
        frames,
        registries,
        aliases,
        descriptors,
        keepalive,
        events,
        sizes,
        spellings,
        long_times,
        past::past,
        cancels,
        long_texts,
        refusals,
    ];
    let policies = [
        json!({}),
        json!({
            "default": "deny", "destructive": "prompt",
            "tools": {"a/t": "allow", "b/t": "prompt", "a/wipe": "allow"},
        }),
        json!({"default": "prompt", "destructive": "deny", "resources": "deny"}),
    ];
    plain
        .map(|story| (story, json!({})))
        .into_iter()
        .chain(policies.map(|policy| (governed as fn(&mut Bench), policy)))
        .chain([(refusals as fn(&mut Bench), json!({"default": "deny", "tools": {"a/t": "allow"}}))])
        .chain([(crowd as fn(&mut Bench), json!({}))])
        .collect()
}

/// Everything the daemon says in one story, or, where something else was `expected`, no more than up to there.
pub(super) fn tell((story, policy): &Story, rules: &Rules, expected: Option<&[Output]>) -> Vec<Output> {
    let config = CoreConfig {
        policy: serde_json::from_value(policy.clone()).unwrap(),
        used_before: true,
        left_behind: vec!["left-behind-by-another".into()],
        ..CoreConfig::default()
    };
    let mut bench = Bench::with(config, rules.clone());
    bench.expected = expected.map(<[Output]>::to_vec);
    let listener = bench.listener(json!({}));
    story(&mut bench);
    bench.rpc("sessions.list", json!({}));
    bench.put(Input::RpcClosed { connection: listener });
    bench.put(Input::Shutdown);
    bench.outputs
}
