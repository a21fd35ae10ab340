//! Messages and bytes as written.

use super::Client;
use super::lane::{NoAnswer, cursor_at, shown, value_of};
use crate::engine::cue::Cue;
use crate::engine::outcome::{Deed, Done};
use crate::scenario::matcher::Matcher;
use iolite_mock_client::raw::{Message, SendError};

impl Client {
    pub(super) async fn notify(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        let method = cue.needed_text("method")?;
        let sent = lane.raw()?.lane().notify(&method, cue.value("params")?).await;
        Ok(self.sent(sent))
    }

    pub(super) async fn send(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        let message = cue.evaluate(cue.body())?;
        self.note_raw(cue);
        let sent = lane.raw()?.lane().send(&message).await;
        Ok(self.sent(sent))
    }

    pub(super) async fn send_line(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        let mut bytes = cue.needed_bytes("text")?;
        self.note_raw(cue);
        let lane = lane.raw()?.lane();
        let sent = match std::str::from_utf8(&bytes) {
            Ok(text) => lane.send_text(text).await,
            Err(_) => {
                bytes.push(b'\n');
                lane.send_bytes(&bytes).await
            }
        };
        Ok(self.sent(sent))
    }

    pub(super) async fn send_bytes(&self, cue: &Cue<'_>) -> Done {
        let lane = self.lane()?;
        let bytes = cue.needed_bytes("bytes")?;
        self.note_raw(cue);
        let sent = lane.raw()?.lane().send_bytes(&bytes).await;
        Ok(self.sent(sent))
    }

    pub(super) async fn expect_response(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of_body()?;
        self.expect_line(cue, "response", &matcher, |message| matches!(message, Message::Response(_))).await
    }

    pub(super) async fn expect_message(&self, cue: &Cue<'_>) -> Done {
        let matcher = cue.matcher_of_body()?;
        self.expect_line(cue, "message", &matcher, |_| true).await
    }

    /// Waits for the first line that no step has used and that fits.
    async fn expect_line(&self, cue: &Cue<'_>, what: &str, matcher: &Matcher, is: impl Fn(&Message) -> bool) -> Done {
        let lane = self.lane()?;
        let session = lane.raw()?;
        let taken = self.state().hearing.taken();
        let from = self.state().hearing.looked();
        let arrived = session.lane().wait(cursor_at(session, 0), cue.deadline, what, |arrived| {
            !taken.contains(&arrived.cursor.position()) && is(&arrived.message) && matcher.matches(&value_of(arrived))
        });
        Ok(match arrived.await {
            Ok(arrived) => {
                let value = value_of(&arrived);
                cue.bind_all(matcher.check(&value).captures);
                self.state().hearing.take(arrived.cursor.position());
                Deed::of(value)
            }
            Err(error) => {
                let since = shown(&session.lane().since(cursor_at(session, from)));
                let why = NoAnswer { arrived: since, ..NoAnswer::from(error) };
                self.unanswered(&why)
            }
        })
    }

    fn note_raw(&self, cue: &Cue<'_>) {
        let connection = self.state().connection;
        cue.world.run.note_client(&self.name, connection, |facts| facts.raw = true);
    }

    fn sent(&self, sent: Result<(), SendError>) -> Deed {
        match sent {
            Ok(()) => Deed::nothing(),
            Err(error) => self.unanswered(&NoAnswer::from(error)),
        }
    }
}
