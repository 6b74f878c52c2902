// SPDX-License-Identifier: Apache-2.0
//! An echo in Rust, and an actor that panics: what a plugin in Rust looks like. README.md explains
//! it.

use actord::{Actor, ActorRef, Context, Failure, Handlers};

actord::message! {
    /// The message of the plugin `echo`. The host translates between a text of C++ and of Rust.
    pub struct Text = "echo.Text/1" { pub text: String }
}
actord::message! {
    pub struct Divide = "rust_echo.Divide/1" { pub dividend: i64, pub divisor: i64 }
}
actord::message! {
    pub struct Quotient = "rust_echo.Quotient/1" { pub quotient: i64, pub answers: i64 }
}

struct Echo;

impl Echo {
    fn answer(&mut self, _ctx: &mut Context, question: &Text) -> Text {
        question.clone()
    }
}

impl Actor for Echo {
    const NAME: &'static str = "Echo";
    const DOC: &'static str = "Answers every echo.Text/1 with the same text.";
    type Config = ();

    fn new(_config: (), _ctx: &mut Context) -> Result<Echo, Failure> {
        Ok(Echo)
    }

    fn receive(on: &mut Handlers<Echo>) {
        on.message(Echo::answer);
    }
}

actord::config! {
    struct RelayConfig {
        /// The actor that gets the texts.
        to: ActorRef,
    }
}

struct Relay {
    to: ActorRef,
}

impl Relay {
    fn hand_on(&mut self, ctx: &mut Context, text: &Text) -> Result<(), Failure> {
        if text.text.is_empty() {
            return Err(Failure::new("rust_echo::NothingToSay", "the text is empty"));
        }
        ctx.tell_from(self.to, text.clone(), ctx.sender());
        Ok(())
    }
}

impl Actor for Relay {
    const NAME: &'static str = "Relay";
    const DOC: &'static str = "Hands every echo.Text/1 on, and the answer goes to who has sent it.";
    type Config = RelayConfig;

    fn new(config: RelayConfig, _ctx: &mut Context) -> Result<Relay, Failure> {
        Ok(Relay { to: config.to })
    }

    fn receive(on: &mut Handlers<Relay>) {
        on.message(Relay::hand_on);
    }
}

/// Counts its answers; a restart begins with 0 again.
struct Divider {
    answers: i64,
}

impl Divider {
    fn divide(&mut self, _ctx: &mut Context, question: &Divide) -> Quotient {
        let quotient = question.dividend / question.divisor;
        self.answers += 1;
        Quotient { quotient, answers: self.answers }
    }
}

impl Actor for Divider {
    const NAME: &'static str = "Divider";
    const DOC: &'static str = "Divides. By zero it panics, which its supervisor decides about.";
    type Config = ();

    fn new(_config: (), _ctx: &mut Context) -> Result<Divider, Failure> {
        Ok(Divider { answers: 0 })
    }

    fn receive(on: &mut Handlers<Divider>) {
        on.message(Divider::divide);
    }
}

actord::plugin! {
    name: "rust_echo",
    version: "1.0.0",
    doc: "An echo in Rust, and a division that panics.",
    behaviours: [Echo, Relay, Divider],
    messages: [Text, Divide, Quotient],
    failures: ["rust_echo::NothingToSay"],
}
