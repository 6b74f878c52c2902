// SPDX-License-Identifier: Apache-2.0
//! Plugins of actord in Rust, without a crate from elsewhere: behaviours as a trait, messages and
//! configs by a macro, panics as failures. Nothing that a plugin calls here is unsafe.
//!
//! ```ignore
//! use actord::{Actor, Context, Failure, Handlers};
//!
//! actord::message! {
//!     pub struct Order = "shop.Order/1" { pub sku: String, pub count: i32 }
//! }
//! actord::message! {
//!     pub struct Done = "shop.Done/1" { pub count: i32 }
//! }
//!
//! struct Clerk;
//!
//! impl Clerk {
//!     fn sell(&mut self, _ctx: &mut Context, order: &Order) -> Result<Done, Failure> {
//!         if order.count > 5 {
//!             return Err(Failure::new("shop::SoldOut", "too many").with("sku", &order.sku));
//!         }
//!         Ok(Done { count: order.count })
//!     }
//! }
//!
//! impl Actor for Clerk {
//!     const NAME: &'static str = "Clerk";
//!     type Config = ();
//!
//!     fn new(_config: (), _ctx: &mut Context) -> Result<Clerk, Failure> {
//!         Ok(Clerk)
//!     }
//!
//!     fn receive(on: &mut Handlers<Clerk>) {
//!         on.message(Clerk::sell);
//!     }
//! }
//!
//! actord::plugin! {
//!     name: "shop",
//!     version: "1.0.0",
//!     doc: "Sells things.",
//!     behaviours: [Clerk],
//!     messages: [Order, Done],
//!     failures: ["shop::SoldOut"],
//! }
//! ```

#[cfg(panic = "abort")]
compile_error!("a plugin is built with -C panic=unwind, so that a panic ends an actor and not actord");

#[doc(hidden)]
pub mod abi;
mod behaviour;
mod context;
mod failure;
mod message;
mod plugin;
mod value;

pub use behaviour::{Actor, Config, ConfigKey, Directive, Handlers, Outcome, Strategy};
pub use context::{Context, Level, LogValue};
pub use failure::{Failure, FailureView, PANIC};
pub use message::{Message, Terminated};
pub use value::{ActorRef, Field, Fields, Member, Rejected, Value, Writer};

#[doc(hidden)]
pub use behaviour::{behaviour_table, key_or_default};
#[doc(hidden)]
pub use message::message_table;
#[doc(hidden)]
pub use plugin::{library_of, padded, plugin_table, NotePadding, Parts};
#[doc(hidden)]
pub use value::{checked_map, member_or_default, plain_name};

/// A text that the host may read as long as the process lives: plugins are never unmapped.
fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn leaked_list<T>(all: impl Iterator<Item = T>) -> &'static [T] {
    Box::leak(all.collect())
}

/// The host stores no function of Rust with data. A named function has none.
fn assert_no_data<F>() {
    assert_eq!(
        std::mem::size_of::<F>(),
        0,
        "a handler is a named function such as Self::sell, and no closure with data"
    );
}

/// The function whose type `F` is. One that was passed to `assert_no_data` exists.
fn function_of<F: Copy>() -> F {
    assert_no_data::<F>();
    // A type of no size has one value, and it is valid, because there was one.
    unsafe { std::mem::MaybeUninit::<F>::uninit().assume_init() }
}
