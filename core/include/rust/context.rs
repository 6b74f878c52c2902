// SPDX-License-Identifier: Apache-2.0
//! What an actor can do besides computing: the context of a call.

use crate::behaviour::{behaviour_table, Actor};
use crate::failure::{guarded, quietly, Failure, FailureView, Receiver};
use crate::message::{is_type, type_id, Message, Sent};
use crate::value::{nanoseconds, ActorRef};
use crate::{abi, assert_no_data};
use std::any::TypeId;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::time::Duration;

/// How much a line of the log matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Error = 0,
    Warning = 1,
    Info = 2,
    Debug = 3,
}

/// A value of a field of the log.
pub enum LogValue<'a> {
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(&'a str),
    Ref(ActorRef),
}

/// Lent for one call, on the thread of the actor.
pub struct Context<'a> {
    raw: *mut abi::Context,
    actor: TypeId,
    lent: PhantomData<&'a mut ()>,
}

impl<'a> Context<'a> {
    pub(crate) fn new<A: Actor>(raw: *mut abi::Context) -> Context<'a> {
        Context { raw, actor: TypeId::of::<A>(), lent: PhantomData }
    }

    fn get(&self) -> &abi::Context {
        unsafe { &*self.raw }
    }

    fn host(&self) -> &'static abi::Host {
        unsafe { &*self.get().host }
    }

    pub fn own_ref(&self) -> ActorRef {
        ActorRef(self.get().own)
    }

    pub fn parent(&self) -> ActorRef {
        ActorRef(self.get().parent)
    }

    /// The sender of the message; for an ask a ref that takes one answer. An ask on which the actor
    /// fails after it has read this does not fail at once: others may answer it.
    pub fn sender(&self) -> ActorRef {
        let sender = self.get().sender;
        let has_mark = self.get().struct_size as usize >= std::mem::size_of::<abi::Context>();
        if has_mark {
            unsafe { (*self.raw).taken_sender = sender };
        }
        ActorRef(sender)
    }

    /// The message that is handled; in `pre_restart` and `post_stop` the one on which the actor has
    /// failed. None if it is another one.
    pub fn message<M: Message>(&self) -> Option<&M> {
        let raw = self.get();
        let is_it = !raw.message.is_null() && is_type::<M>(raw.message_type);
        is_it.then(|| unsafe { &*raw.message.cast::<M>() })
    }

    // ---- messages

    /// A message that cannot be delivered becomes a dead letter; that is no failure.
    pub fn tell<M: Message>(&mut self, to: ActorRef, message: M) {
        let mut sent = Sent::new(message);
        unsafe { (self.host().tell)(self.raw, to.0, type_id::<M>(), sent.address()) };
    }

    /// As `tell`, and the receiver sees another sender.
    pub fn tell_from<M: Message>(&mut self, to: ActorRef, message: M, sender: ActorRef) {
        let mut sent = Sent::new(message);
        let id = type_id::<M>();
        unsafe { (self.host().tell_from)(self.raw, to.0, id, sent.address(), sender.0) };
    }

    pub fn reply<M: Message>(&mut self, message: M) {
        let mut sent = Sent::new(message);
        unsafe { (self.host().reply)(self.raw, type_id::<M>(), sent.address()) };
    }

    /// Answers an ask with a failure.
    pub fn reply_failure(&mut self, failure: &Failure) {
        failure.lend(|lent| unsafe { (self.host().reply_failure)(self.raw, lent) });
    }

    /// Sends the current message on, with its sender.
    pub fn forward(&mut self, to: ActorRef) {
        unsafe { (self.host().forward)(self.raw, to.0) };
    }

    /// `on_reply` is a function of the actor, and is called exactly once, unless the actor restarts
    /// or stops before: with the answer, or with a failure, which may be that no answer has come in
    /// time. Panics if it is a function of another behaviour than the one that runs.
    pub fn ask<A, M, R, F>(&mut self, to: ActorRef, message: M, timeout: Duration, _on_reply: F)
    where
        A: Actor,
        M: Message,
        R: Message,
        F: Fn(&mut A, &mut Context, Result<&R, FailureView>) -> Result<(), Failure> + Copy,
    {
        assert_no_data::<F>();
        assert!(self.actor == TypeId::of::<A>(), "the answer is for another behaviour, {}", A::NAME);
        let mut sent = Sent::new(message);
        let host = self.host();
        let timeout = nanoseconds(timeout);
        let on_reply = take_reply::<A, R, F>;
        unsafe { (host.ask)(self.raw, to.0, type_id::<M>(), sent.address(), timeout, on_reply) };
    }

    pub fn publish<M: Message>(&mut self, message: M) {
        let mut sent = Sent::new(message);
        unsafe { (self.host().publish)(self.raw, type_id::<M>(), sent.address()) };
    }

    pub fn subscribe<M: Message>(&mut self) {
        unsafe { (self.host().subscribe)(self.raw, abi::Str::new(M::NAME)) };
    }

    pub fn unsubscribe<M: Message>(&mut self) {
        unsafe { (self.host().unsubscribe)(self.raw, abi::Str::new(M::NAME)) };
    }

    /// Keeps the current message until `unstash_all`.
    pub fn stash(&mut self) -> Result<(), Failure> {
        let mut receiver = Receiver::new();
        let status = unsafe { (self.host().stash)(self.raw, receiver.errors()) };
        if status == abi::OK {
            return Ok(());
        }
        Err(receiver.failure())
    }

    pub fn unstash_all(&mut self) {
        unsafe { (self.host().unstash_all)(self.raw) };
    }

    // ---- the tree

    /// Creates a child. With an empty name the host makes one.
    pub fn spawn<A: Actor>(&mut self, name: &str, config: A::Config) -> Result<ActorRef, Failure> {
        self.spawn_props(name, &abi::Props {
            behaviour: behaviour_table::<A>(),
            create: Some(crate::behaviour::create_from::<A>),
            args: Box::into_raw(Box::new(config)).cast(),
            args_destroy: Some(drop_args::<A::Config>),
            ..no_props()
        })
    }

    /// Creates a child whose behaviour any plugin has: "shop/Clerk".
    pub fn spawn_named(&mut self, name: &str, behaviour: &str) -> Result<ActorRef, Failure> {
        let behaviour_name = abi::Str::new(behaviour);
        self.spawn_props(name, &abi::Props { behaviour_name, ..no_props() })
    }

    fn spawn_props(&mut self, name: &str, props: &abi::Props) -> Result<ActorRef, Failure> {
        let mut receiver = Receiver::new();
        let name = abi::Str::new(name);
        let child = unsafe { (self.host().spawn)(self.raw, name, props, receiver.errors()) };
        if child != 0 {
            return Ok(ActorRef(child));
        }
        Err(receiver.failure())
    }

    /// Stops an actor after the message that it handles.
    pub fn stop(&mut self, actor: ActorRef) {
        unsafe { (self.host().stop)(self.raw, actor.0) };
    }

    pub fn stop_self(&mut self) {
        self.stop(self.own_ref());
    }

    pub fn stop_children(&mut self) {
        unsafe { (self.host().stop_children)(self.raw) };
    }

    /// The children that are not stopping.
    pub fn children(&mut self) -> Vec<ActorRef> {
        let host = self.host();
        let n = unsafe { (host.children)(self.raw, std::ptr::null_mut(), 0) };
        let mut refs = vec![0u64; n];
        let found = unsafe { (host.children)(self.raw, refs.as_mut_ptr(), n) };
        refs.truncate(found);
        refs.into_iter().map(ActorRef).collect()
    }

    /// Delivers `Terminated` when the actor has stopped. Without a handler for it the watcher fails.
    pub fn watch(&mut self, actor: ActorRef) {
        unsafe { (self.host().watch)(self.raw, actor.0) };
    }

    pub fn unwatch(&mut self, actor: ActorRef) {
        unsafe { (self.host().unwatch)(self.raw, actor.0) };
    }

    /// The actor at that path, if there is one.
    pub fn find(&self, path: &str) -> Option<ActorRef> {
        let found = unsafe { (self.host().find)(self.get().system, abi::Str::new(path)) };
        (found != 0).then(|| ActorRef(found))
    }

    pub fn path(&self, actor: ActorRef) -> String {
        let write = |out: &mut [u8]| unsafe {
            (self.host().path)(self.get().system, actor.0, out.as_mut_ptr(), out.len())
        };
        let mut text = vec![0u8; 256];
        let size = write(&mut text);
        if size >= text.len() {
            text = vec![0u8; size + 1];
            write(&mut text);
        }
        text.truncate(size);
        String::from_utf8_lossy(&text).into_owned()
    }

    // ---- time, chance, log

    /// Sends the actor itself a message after `delay`, then in every `period` unless that is zero.
    /// It replaces the timer of that key, and ends with a restart.
    pub fn start_timer<M: Message>(
        &mut self,
        key: &str,
        delay: Duration,
        period: Duration,
        message: M,
    ) {
        let mut sent = Sent::new(message);
        let (host, key) = (self.host(), abi::Str::new(key));
        let (delay, period) = (nanoseconds(delay), nanoseconds(period));
        let id = type_id::<M>();
        unsafe { (host.start_timer)(self.raw, key, delay, period, id, sent.address()) };
    }

    pub fn cancel_timer(&mut self, key: &str) {
        unsafe { (self.host().cancel_timer)(self.raw, abi::Str::new(key)) };
    }

    /// On the monotonic clock; in a test, on that of the test.
    pub fn now(&mut self) -> Duration {
        let ns = unsafe { (self.host().now_ns)(self.raw) };
        Duration::from_nanos(u64::try_from(ns).unwrap_or(0))
    }

    /// In a test, the same in each run.
    pub fn random(&mut self) -> u64 {
        unsafe { (self.host().random)(self.raw) }
    }

    /// Writes a line. `text` is the same each time, and what differs is in `fields`.
    pub fn log(&mut self, level: Level, text: &'static str, fields: &[(&str, LogValue)]) {
        let field = |(key, value): &(&str, LogValue)| {
            let (kind, value) = match value {
                LogValue::Bool(b) => (abi::BOOL, abi::FieldValue { i: i64::from(*b) }),
                LogValue::Int(i) => (abi::INT, abi::FieldValue { i: *i }),
                LogValue::Real(d) => (abi::DOUBLE, abi::FieldValue { d: *d }),
                LogValue::Text(text) => (abi::TEXT, abi::FieldValue { text: abi::Str::new(text) }),
                LogValue::Ref(actor) => (abi::REF, abi::FieldValue { u: actor.0 }),
            };
            abi::Field { key: abi::Str::new(key), kind, value }
        };
        let fields: Vec<abi::Field> = fields.iter().map(field).collect();
        let text = abi::Str::new(text);
        let (log, none) = (self.host().log, abi::Str::EMPTY);
        unsafe { log(self.raw, level as i32, none, text, fields.as_ptr(), fields.len()) };
    }
}

fn no_props() -> abi::Props {
    abi::Props {
        struct_size: std::mem::size_of::<abi::Props>() as u32,
        flags: 0,
        behaviour: std::ptr::null(),
        behaviour_name: abi::Str::EMPTY,
        create: None,
        args: std::ptr::null_mut(),
        args_destroy: None,
        dispatcher: abi::Str::EMPTY,
        strategy: std::ptr::null(),
    }
}

unsafe extern "C" fn drop_args<C>(args: *mut c_void) {
    quietly(|| drop(Box::from_raw(args.cast::<C>())));
}

unsafe extern "C" fn take_reply<A, R, F>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    message: *const c_void,
    failure: *const abi::Failure,
    errors: *mut abi::Errors,
) -> i32
where
    A: Actor,
    R: Message,
    F: Fn(&mut A, &mut Context, Result<&R, FailureView>) -> Result<(), Failure> + Copy,
{
    guarded(errors, || {
        let on_reply = crate::function_of::<F>();
        let actor = &mut *actor.cast::<A>();
        let mut context = Context::new::<A>(ctx);
        if message.is_null() {
            let told = FailureView::new(failure);
            return Ok(on_reply(actor, &mut context, Err(told))?);
        }
        if is_type::<R>((*ctx).message_type) {
            return Ok(on_reply(actor, &mut context, Ok(&*message.cast::<R>()))?);
        }
        let unexpected = Failure::new(
            "actord::UnexpectedReply",
            "the answer is of another type than the one asked for",
        );
        unexpected.lend(|lent| {
            Ok(on_reply(actor, &mut context, Err(FailureView::new(lent)))?)
        })
    })
}
