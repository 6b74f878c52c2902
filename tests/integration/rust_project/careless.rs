// SPDX-License-Identifier: Apache-2.0
//! What safe code may do wrong. None of it may end actord.

use actord::{Actor, Context, Failure, FailureView, Handlers};
use std::time::Duration;

actord::message! {
    pub struct Do = "careless.Do/1" { pub what: String }
}
actord::message! {
    pub struct Unlisted = "careless.Unlisted/1" { pub text: String }
}

/// A value of a panic that panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("a bomb");
    }
}

struct Main;

impl Main {
    fn carry_out(&mut self, ctx: &mut Context, order: &Do) -> Result<(), Failure> {
        let own = ctx.own_ref();
        match order.what.as_str() {
            "tell" => ctx.tell(own, Unlisted::default()),
            "reply" => ctx.reply(Unlisted::default()),
            "timer" => {
                ctx.start_timer("t", Duration::ZERO, Duration::ZERO, Unlisted::default())
            }
            "publish" => ctx.publish(Unlisted::default()),
            "ask" => {
                ctx.ask::<Other, Do, Do, _>(own, Do::default(), Duration::MAX, Other::answered)
            }
            "bomb" => std::panic::panic_any(Bomb),
            _ => return Err(Failure::new("careless::Wrong", "no such order").is_a("careless::Base")),
        }
        Ok(())
    }
}

impl Drop for Main {
    fn drop(&mut self) {
        std::panic::panic_any(Bomb);
    }
}

impl Actor for Main {
    const NAME: &'static str = "Main";
    type Config = ();

    fn new(_config: (), _ctx: &mut Context) -> Result<Main, Failure> {
        Ok(Main)
    }

    fn receive(on: &mut Handlers<Main>) {
        on.message(Main::carry_out);
    }
}

struct Other {
    text: String,
}

impl Other {
    fn answered(
        &mut self,
        _ctx: &mut Context,
        _answer: Result<&Do, FailureView>,
    ) -> Result<(), Failure> {
        self.text.push('x');
        Ok(())
    }
}

impl Actor for Other {
    const NAME: &'static str = "Other";
    type Config = ();

    fn new(_config: (), _ctx: &mut Context) -> Result<Other, Failure> {
        Ok(Other { text: String::new() })
    }

    fn receive(_on: &mut Handlers<Other>) {}
}

actord::plugin! {
    name: "careless",
    version: "1.0.0",
    behaviours: [Main, Other],
    messages: [Do],
    failures: ["careless::Wrong"],
}
