// SPDX-License-Identifier: Apache-2.0
//! Failures: what a handler returns or panics with, as data for the host, and what the host tells
//! of those of others.

use crate::abi;
use crate::value::Rejected;
use std::any::Any;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The name under which deciders and the log know a panic.
pub const PANIC: &str = "rust::Panic";

/// Why a handler or a hook has failed. The supervisor of the actor decides by the name of the type.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    types: Vec<String>,
    what: String,
    details: Vec<(String, String)>,
}

impl Failure {
    /// `type_name` is what deciders name: "shop::SoldOut".
    pub fn new(type_name: &str, what: impl Into<String>) -> Failure {
        Failure { types: vec![type_name.into()], what: what.into(), details: Vec::new() }
    }

    /// A decider that names `base` names this failure, too, unless it also names a nearer base.
    pub fn is_a(mut self, base: &str) -> Failure {
        self.types.push(base.into());
        self
    }

    /// A detail, which is a field of the log line.
    pub fn with(mut self, key: &str, value: impl ToString) -> Failure {
        self.details.push((key.into(), value.to_string()));
        self
    }

    /// The type and its bases, the most derived first.
    pub fn types(&self) -> &[String] {
        &self.types
    }

    pub fn what(&self) -> &str {
        &self.what
    }

    /// Lends the failure to the host in its own form.
    pub(crate) fn lend<R>(&self, to: impl FnOnce(*const abi::Failure) -> R) -> R {
        let types: Vec<abi::Str> = self.types.iter().map(|each| abi::Str::new(each)).collect();
        let detail = |(key, value): &(String, String)| abi::Field {
            key: abi::Str::new(key),
            kind: abi::TEXT,
            value: abi::FieldValue { text: abi::Str::new(value) },
        };
        let details: Vec<abi::Field> = self.details.iter().map(detail).collect();
        to(&abi::Failure {
            struct_size: std::mem::size_of::<abi::Failure>() as u32,
            flags: 0,
            types: types.as_ptr(),
            n_types: types.len() as u32,
            n_frames: 0,
            frames: std::ptr::null(),
            what: abi::Str::new(&self.what),
            cause: std::ptr::null(),
            details: details.as_ptr(),
            n_details: details.len(),
            payload_type: 0,
            payload: std::ptr::null_mut(),
            original: std::ptr::null(),
        })
    }

    fn report(&self, errors: *mut abi::Errors) {
        self.lend(|failure| unsafe { ((*errors).report)(errors, failure) });
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}: {}", self.types.first().map_or("", |each| each), self.what)
    }
}

/// With `?` any error is a failure, whose type is that of the error.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(std::any::type_name::<E>(), error.to_string())
    }
}

/// A failure that the host tells of.
pub struct FailureView<'a> {
    raw: *const abi::Failure,
    lent: PhantomData<&'a ()>,
}

impl<'a> FailureView<'a> {
    pub(crate) fn new(raw: *const abi::Failure) -> FailureView<'a> {
        FailureView { raw, lent: PhantomData }
    }

    fn get(&self) -> &'a abi::Failure {
        unsafe { &*self.raw }
    }

    /// The printed type and its bases, the most derived first.
    pub fn types(&self) -> Vec<String> {
        let raw = self.get();
        (0..raw.n_types as usize).map(|i| unsafe { (*raw.types.add(i)).to_text() }).collect()
    }

    /// Whether that is the type or one of its bases.
    pub fn is(&self, type_name: &str) -> bool {
        self.types().iter().any(|each| each == type_name)
    }

    pub fn what(&self) -> String {
        unsafe { self.get().what.to_text() }
    }

    /// A copy that may be kept, returned and sent on as an own failure; without numbers among its
    /// details.
    pub fn to_owned(&self) -> Failure {
        let raw = self.get();
        let fields = (0..raw.n_details).map(|i| unsafe { &*raw.details.add(i) });
        let texts = fields.filter(|field| field.kind == abi::TEXT);
        let pair = |field: &abi::Field| unsafe { (field.key.to_text(), field.value.text.to_text()) };
        Failure { types: self.types(), what: self.what(), details: texts.map(pair).collect() }
    }
}

/// How a call of the host's ends that does not succeed.
pub(crate) enum Fault {
    Failed(Failure),
    Rejected(Rejected),
}

impl From<Failure> for Fault {
    fn from(failure: Failure) -> Fault {
        Fault::Failed(failure)
    }
}

thread_local! {
    static PANICKED_AT: RefCell<String> = RefCell::new(String::new());
}

/// The host logs a panic, so the standard library need not print it. This is about the plugin
/// alone, which has a standard library of its own.
pub(crate) fn note_places_of_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or(String::new(), |location| location.to_string());
        let _ = PANICKED_AT.try_with(|at| at.replace(place));
    }));
}

fn failure_of(panic: &(dyn Any + Send)) -> Failure {
    if let Some(failure) = panic.downcast_ref::<Failure>() {
        return failure.clone();
    }
    let what = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).into(),
        (_, Some(text)) => text.clone(),
        _ => String::from("a panic with a value that is no text"),
    };
    let place = PANICKED_AT.try_with(|at| at.take()).unwrap_or_default();
    Failure::new(PANIC, what).with("place", place)
}

/// Calls the code of an author. No panic leaves it: each is a failure that is reported.
pub(crate) fn guarded(
    errors: *mut abi::Errors,
    call: impl FnOnce() -> Result<(), Fault>,
) -> i32 {
    let failure = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => return abi::OK,
        Ok(Err(Fault::Rejected(_))) => return abi::FAILED,
        Ok(Err(Fault::Failed(failure))) => failure,
        Err(panic) => {
            let failure = failure_of(panic.as_ref());
            // The value may panic again when it is dropped.
            std::mem::forget(panic);
            failure
        }
    };
    failure.report(errors);
    abi::FAILED
}

/// Calls a destructor of an author, whose panic must not reach the host. It is not reported.
pub(crate) fn quietly(call: impl FnOnce()) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(call)) {
        std::mem::forget(panic);  // it may panic again when it is dropped
    }
}

/// Receives what the host reports when one of its functions fails.
#[repr(C)]
pub(crate) struct Receiver {
    errors: abi::Errors,
    failure: Option<Failure>,
}

impl Receiver {
    pub fn new() -> Receiver {
        unsafe extern "C" fn take(errors: *mut abi::Errors, failure: *const abi::Failure) {
            (*errors.cast::<Receiver>()).failure = Some(FailureView::new(failure).to_owned());
        }
        Receiver { errors: abi::Errors { report: take }, failure: None }
    }

    pub fn errors(&mut self) -> *mut abi::Errors {
        (self as *mut Receiver).cast()
    }

    pub fn failure(self) -> Failure {
        self.failure.unwrap_or_else(|| Failure::new("actord::Failure", "the host gives no reason"))
    }
}
