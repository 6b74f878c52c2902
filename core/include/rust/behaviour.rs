// SPDX-License-Identifier: Apache-2.0
//! Behaviours: types whose values run as supervised actors.

use crate::context::Context;
use crate::failure::{guarded, quietly, Failure, FailureView, Fault};
use crate::message::{members_of, Message};
use crate::value::{nanoseconds, Fields, Member, Rejected, Value, Writer};
use crate::{abi, assert_no_data, function_of, leaked, leaked_list};
use std::any::TypeId;
use std::collections::HashMap;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::sync::Mutex;
use std::time::Duration;

/// A behaviour. The host makes one value for each incarnation of an actor, calls its handlers one
/// at a time, and drops it at a restart.
pub trait Actor: Sized + Send + 'static {
    /// The name behind the plugin's in a configuration: "Clerk" of "shop/Clerk".
    const NAME: &'static str;
    const DOC: &'static str = "";
    /// What a configuration says; `()`: nothing.
    type Config: Config;

    fn new(config: Self::Config, ctx: &mut Context) -> Result<Self, Failure>;

    /// Names the functions that handle messages, with `on.message(Self::sell)`.
    fn receive(on: &mut Handlers<Self>);

    /// The strategy applied to its children; None: the default one.
    fn supervision() -> Option<Strategy> {
        None
    }

    /// Called before the first message.
    fn pre_start(&mut self, _ctx: &mut Context) -> Result<(), Failure> {
        Ok(())
    }

    /// Called after the last message.
    fn post_stop(&mut self, _ctx: &mut Context) -> Result<(), Failure> {
        Ok(())
    }

    /// Called on the value that has failed, before it is dropped.
    fn pre_restart(&mut self, ctx: &mut Context, _reason: &FailureView) -> Result<(), Failure> {
        ctx.stop_children();
        self.post_stop(ctx)
    }

    /// Called on the value that takes its place.
    fn post_restart(&mut self, ctx: &mut Context, _reason: &FailureView) -> Result<(), Failure> {
        self.pre_start(ctx)
    }
}

/// What a handler may return: nothing, a message, which is the answer, or either in a Result.
pub trait Outcome {
    fn finish(self, ctx: &mut Context) -> Result<(), Failure>;
}

impl Outcome for () {
    fn finish(self, _ctx: &mut Context) -> Result<(), Failure> {
        Ok(())
    }
}

impl<M: Message> Outcome for M {
    fn finish(self, ctx: &mut Context) -> Result<(), Failure> {
        ctx.reply(self);
        Ok(())
    }
}

impl<T: Outcome> Outcome for Result<T, Failure> {
    fn finish(self, ctx: &mut Context) -> Result<(), Failure> {
        self?.finish(ctx)
    }
}

/// The handlers of a behaviour.
pub struct Handlers<A> {
    cases: Vec<abi::Case>,
    otherwise: Option<abi::Handler>,
    actor: PhantomData<A>,
}

impl<A: Actor> Handlers<A> {
    /// `handler` is a function of the behaviour, such as `Self::sell`. A message of a type without
    /// a handler is an unhandled message.
    pub fn message<M, R, F>(&mut self, _handler: F) -> &mut Self
    where
        M: Message,
        R: Outcome,
        F: Fn(&mut A, &mut Context, &M) -> R + Copy,
    {
        assert_no_data::<F>();
        self.cases.push(abi::Case {
            type_name: abi::Str::new(M::NAME),
            handle: handle::<A, M, R, F>,
        });
        self
    }

    /// Gets all messages that no other handler takes.
    pub fn otherwise<R, F>(&mut self, _handler: F) -> &mut Self
    where
        R: Outcome,
        F: Fn(&mut A, &mut Context) -> R + Copy,
    {
        assert_no_data::<F>();
        self.otherwise = Some(handle_any::<A, R, F>);
        self
    }
}

/// What a supervisor does about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    Resume = 1,
    Restart = 2,
    Stop = 3,
    Escalate = 4,
}

/// What is done about failures of children.
#[derive(Clone, Debug)]
pub struct Strategy {
    kind: i32,
    max_restarts: i64,
    within_ns: i64,
    rules: Vec<(String, Directive)>,
    otherwise: i32,
}

impl Strategy {
    fn of(kind: i32) -> Strategy {
        Strategy { kind, max_restarts: -1, within_ns: -1, rules: Vec::new(), otherwise: 0 }
    }

    /// The directive is carried out on the child that has failed.
    pub fn one_for_one() -> Strategy {
        Strategy::of(0)
    }

    /// The directive is carried out on all children.
    pub fn all_for_one() -> Strategy {
        Strategy::of(1)
    }

    /// A child that fails more often in that time is stopped.
    pub fn max_restarts(mut self, times: u32, within: Duration) -> Strategy {
        self.max_restarts = i64::from(times);
        self.within_ns = nanoseconds(within);
        self
    }

    /// What is done about failures of that type, such as `actord::PANIC`.
    pub fn on(mut self, type_name: &str, directive: Directive) -> Strategy {
        self.rules.push((type_name.into(), directive));
        self
    }

    /// What is done about all others. Without it the default strategy decides about them.
    pub fn otherwise(mut self, directive: Directive) -> Strategy {
        self.otherwise = directive as i32;
        self
    }

    fn table(self) -> *const abi::Strategy {
        let rule = |(type_name, directive): (String, Directive)| abi::Rule {
            type_name: abi::Str::new(leaked(type_name)),
            directive: directive as i32,
            level: -1,
        };
        let rules = leaked_list(self.rules.into_iter().map(rule));
        Box::leak(Box::new(abi::Strategy {
            struct_size: std::mem::size_of::<abi::Strategy>() as u32,
            kind: self.kind,
            max_restarts: self.max_restarts,
            within_ns: self.within_ns,
            rules: rules.as_ptr(),
            n_rules: rules.len(),
            otherwise: self.otherwise,
            is_logging: 1,
            backoff: std::ptr::null(),
        }))
    }
}

/// A key of a config, for checks and documentation.
pub struct ConfigKey {
    pub name: &'static str,
    pub doc: &'static str,
    pub is_required: bool,
}

/// The config of a behaviour. The macro `config!` implements it.
pub trait Config: Fields + Clone + Send + 'static {
    fn keys() -> Vec<ConfigKey>;
}

unsafe impl Fields for () {
    fn members() -> Vec<Member> {
        Vec::new()
    }

    fn is_plain() -> bool {
        true
    }

    fn write_members(&self, out: &mut Writer) {
        out.begin_map(0);
        out.end();
    }

    fn read_members(_from: Value) -> Result<(), Rejected> {
        Ok(())
    }
}

impl Config for () {
    fn keys() -> Vec<ConfigKey> {
        Vec::new()
    }
}

/// For the macros: a key that is absent has its default, or is refused.
#[doc(hidden)]
pub fn key_or_default<T: crate::Field>(
    from: Value,
    name: &str,
    default: Option<T>,
) -> Result<T, Rejected> {
    let found = from.member(name);
    if !found.is_absent() {
        return T::read(found);
    }
    default.ok_or_else(|| from.reject(&format!("needs {}", name.replace('_', "-"))))
}

/// Declares the config of a behaviour. A key without a default must be there. The comment above a
/// key documents it. In a configuration `max_orders` is `max-orders`.
///
/// ```ignore
/// actord::config! {
///     pub struct ClerkConfig {
///         /// The actor that gets what is sold.
///         to: actord::ActorRef,
///         /// Orders at once.
///         max_orders: u32 = 8,
///     }
/// }
/// ```
#[macro_export]
macro_rules! config {
    ($(#[$attribute:meta])* $visible:vis struct $name:ident {
        $($(#[doc = $doc:literal])* $field:ident : $type:ty $(= $default:expr)?),* $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        $visible struct $name { $($(#[doc = $doc])* $field: $type),* }

        unsafe impl $crate::Fields for $name {
            fn members() -> Vec<$crate::Member> {
                // No host reads a config through the offsets of its members.
                vec![$($crate::Member {
                    name: $crate::plain_name(stringify!($field)),
                    type_text: <$type as $crate::Field>::type_text(),
                    offset: 0,
                }),*]
            }

            fn is_plain() -> bool {
                false
            }

            fn write_members(&self, out: &mut $crate::Writer) {
                $crate::__write_members!(self, out, $($field),*);
            }

            fn read_members(from: $crate::Value) -> Result<Self, $crate::Rejected> {
                Ok($name {
                    $($field: $crate::key_or_default(
                        from, $crate::plain_name(stringify!($field)),
                        $crate::__default!($($default)?))?),*
                })
            }
        }

        impl $crate::Config for $name {
            fn keys() -> Vec<$crate::ConfigKey> {
                vec![$($crate::ConfigKey {
                    name: $crate::plain_name(stringify!($field)),
                    doc: concat!($($doc),*),
                    is_required: $crate::__is_required!($($default)?),
                }),*]
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __default {
    () => { None };
    ($default:expr) => { Some($default) };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __is_required {
    () => { true };
    ($default:expr) => { false };
}

// ---- the functions that the host calls

unsafe extern "C" fn handle<A, M, R, F>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    message: *const c_void,
    errors: *mut abi::Errors,
) -> i32
where
    A: Actor,
    M: Message,
    R: Outcome,
    F: Fn(&mut A, &mut Context, &M) -> R + Copy,
{
    guarded(errors, || {
        let handler = function_of::<F>();
        let mut context = Context::new::<A>(ctx);
        let outcome = handler(&mut *actor.cast::<A>(), &mut context, &*message.cast::<M>());
        Ok(outcome.finish(&mut context)?)
    })
}

unsafe extern "C" fn handle_any<A, R, F>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    _message: *const c_void,
    errors: *mut abi::Errors,
) -> i32
where
    A: Actor,
    R: Outcome,
    F: Fn(&mut A, &mut Context) -> R + Copy,
{
    guarded(errors, || {
        let handler = function_of::<F>();
        let mut context = Context::new::<A>(ctx);
        let outcome = handler(&mut *actor.cast::<A>(), &mut context);
        Ok(outcome.finish(&mut context)?)
    })
}

unsafe extern "C" fn create<A: Actor>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    config: abi::Value,
    _args: *const c_void,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || {
        let config = A::Config::read_members(Value::new(config, errors)).map_err(Fault::Rejected)?;
        actor.cast::<A>().write(A::new(config, &mut Context::new::<A>(ctx))?);
        Ok(())
    })
}

/// Creates from the config that the parent has given, which is kept for restarts.
pub(crate) unsafe extern "C" fn create_from<A: Actor>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    _config: abi::Value,
    args: *const c_void,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || {
        let config = (*args.cast::<A::Config>()).clone();
        actor.cast::<A>().write(A::new(config, &mut Context::new::<A>(ctx))?);
        Ok(())
    })
}

unsafe extern "C" fn destroy<A: Actor>(actor: *mut c_void) {
    quietly(|| std::ptr::drop_in_place(actor.cast::<A>()));
}

unsafe extern "C" fn pre_start<A: Actor>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || Ok((*actor.cast::<A>()).pre_start(&mut Context::new::<A>(ctx))?))
}

unsafe extern "C" fn post_stop<A: Actor>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || Ok((*actor.cast::<A>()).post_stop(&mut Context::new::<A>(ctx))?))
}

unsafe extern "C" fn pre_restart<A: Actor>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    reason: *const abi::Failure,
    errors: *mut abi::Errors,
) -> i32 {
    let reason = FailureView::new(reason);
    guarded(errors, || Ok((*actor.cast::<A>()).pre_restart(&mut Context::new::<A>(ctx), &reason)?))
}

unsafe extern "C" fn post_restart<A: Actor>(
    actor: *mut c_void,
    ctx: *mut abi::Context,
    reason: *const abi::Failure,
    errors: *mut abi::Errors,
) -> i32 {
    let reason = FailureView::new(reason);
    guarded(errors, || Ok((*actor.cast::<A>()).post_restart(&mut Context::new::<A>(ctx), &reason)?))
}

// ---- the table

fn config_keys<C: Config>() -> &'static [*const abi::ConfigKey] {
    let no_bound = || abi::Bound { kind: abi::NULL, value: abi::BoundValue { i: 0 } };
    leaked_list(C::keys().into_iter().map(|key| -> *const abi::ConfigKey {
        Box::leak(Box::new(abi::ConfigKey {
            struct_size: std::mem::size_of::<abi::ConfigKey>() as u32,
            flags: if key.is_required { abi::REQUIRED } else { 0 },
            path: abi::Str::new(key.name),
            doc: abi::Str::new(key.doc.trim()),
            least: no_bound(),
            most: no_bound(),
            words: std::ptr::null(),
            n_words: 0,
        }))
    }))
}

fn receive_of<A: Actor>() -> *const abi::Receive {
    let mut handlers = Handlers { cases: Vec::new(), otherwise: None, actor: PhantomData };
    A::receive(&mut handlers);
    let cases = leaked_list(handlers.cases.into_iter());
    Box::leak(Box::new(abi::Receive {
        struct_size: std::mem::size_of::<abi::Receive>() as u32,
        n_cases: cases.len() as u32,
        name: abi::Str::new("receive"),
        cases: cases.as_ptr(),
        otherwise: handlers.otherwise,
    }))
}

fn made_table<A: Actor>() -> *const abi::Behaviour {
    let receives = leaked_list(std::iter::once(receive_of::<A>()));
    let config = members_of::<A::Config>();
    let keys = config_keys::<A::Config>();
    Box::leak(Box::new(abi::Behaviour {
        struct_size: std::mem::size_of::<abi::Behaviour>() as u32,
        flags: abi::MARKS_SENDER,
        name: abi::Str::new(A::NAME),
        doc: abi::Str::new(A::DOC),
        size: std::mem::size_of::<A>().max(1) as u32,
        align: std::mem::align_of::<A>() as u32,
        receives: receives.as_ptr(),
        n_receives: receives.len(),
        config: config.as_ptr(),
        n_config: config.len(),
        strategy: A::supervision().map_or(std::ptr::null(), Strategy::table),
        create: create::<A>,
        destroy: destroy::<A>,
        pre_start: Some(pre_start::<A>),
        post_stop: Some(post_stop::<A>),
        pre_restart: Some(pre_restart::<A>),
        post_restart: Some(post_restart::<A>),
        decide: 0,
        log_failure: 0,
        child_terminated: 0,
        review: 0,
        stash_capacity: 0,
        config_keys: keys.as_ptr(),
        n_config_keys: keys.len(),
        validate: 0,
    }))
}

/// The table of a behaviour. The host compares tables by their addresses, so there is one for each.
#[doc(hidden)]
pub fn behaviour_table<A: Actor>() -> *const abi::Behaviour {
    static TABLES: Mutex<Option<HashMap<TypeId, usize>>> = Mutex::new(None);
    let mut tables = TABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let known = tables.get_or_insert_with(HashMap::new);
    *known.entry(TypeId::of::<A>()).or_insert_with(|| made_table::<A>() as usize)
        as *const abi::Behaviour
}
