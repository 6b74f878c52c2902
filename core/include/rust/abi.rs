// SPDX-License-Identifier: Apache-2.0
//! The part of `actord/plugin.h` that this crate uses, in Rust. The interface only grows: a
//! structure without `struct_size` never changes, and one with it grows at its end.
//!
//! A function that this crate does not call stands as a `usize`, so that the ones behind it are at
//! their places.

use std::ffi::c_void;

pub const ABI_MAJOR: u16 = 1;
/// The version that this file was written for. A host of another minor version loads it, too.
pub const ABI_MINOR: u16 = 7;

pub const OK: i32 = 0;
pub const FAILED: i32 = -1;

pub const BOOL: i64 = 0;
pub const INT: i64 = 1;
pub const UINT: i64 = 2;
pub const DOUBLE: i64 = 3;
pub const TEXT: i64 = 4;
pub const REF: i64 = 5;
pub const DURATION: i64 = 6;
pub const NULL: i64 = 16;
pub const LIST: i64 = 17;
pub const MAP: i64 = 18;

pub const TRIVIAL: u32 = 1;
pub const REQUIRED: u32 = 1;
/// Of a behaviour: it writes the sender that it reads to `taken_sender`.
pub const MARKS_SENDER: u32 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Str {
    pub data: *const u8,
    pub size: usize,
}

impl Str {
    pub const EMPTY: Str = Str { data: std::ptr::null(), size: 0 };

    pub const fn new(text: &str) -> Str {
        Str { data: text.as_ptr(), size: text.len() }
    }

    /// # Safety
    /// The bytes are there for `'a`.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.data.is_null() {
            return &[];
        }
        std::slice::from_raw_parts(self.data, self.size)
    }

    /// As UTF-8, in which what is none is replaced.
    ///
    /// # Safety
    /// As for `bytes`.
    pub unsafe fn to_text(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub union FieldValue {
    pub i: i64,
    pub u: u64,
    pub d: f64,
    pub text: Str,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Field {
    pub key: Str,
    pub kind: i64,
    pub value: FieldValue,
}

#[repr(C)]
pub struct Member {
    pub name: Str,
    pub type_text: Str,
    pub offset: usize,
}

#[repr(C)]
pub struct Failure {
    pub struct_size: u32,
    pub flags: u32,
    pub types: *const Str,
    pub n_types: u32,
    pub n_frames: u32,
    pub frames: *const *const c_void,
    pub what: Str,
    pub cause: *const Failure,
    pub details: *const Field,
    pub n_details: usize,
    pub payload_type: u32,
    pub payload: *mut c_void,
    pub original: *const Failure,
}

#[repr(C)]
pub struct Errors {
    pub report: unsafe extern "C" fn(*mut Errors, *const Failure),
}

#[repr(C)]
pub struct Writer {
    pub struct_size: u32,
    pub null: unsafe extern "C" fn(*mut Writer),
    pub boolean: unsafe extern "C" fn(*mut Writer, i32),
    pub integer: unsafe extern "C" fn(*mut Writer, i64),
    pub natural: unsafe extern "C" fn(*mut Writer, u64),
    pub real: unsafe extern "C" fn(*mut Writer, f64),
    pub text: unsafe extern "C" fn(*mut Writer, Str),
    pub reference: unsafe extern "C" fn(*mut Writer, u64),
    pub duration: unsafe extern "C" fn(*mut Writer, i64),
    pub begin_list: unsafe extern "C" fn(*mut Writer, usize),
    pub begin_map: unsafe extern "C" fn(*mut Writer, usize),
    pub key: unsafe extern "C" fn(*mut Writer, Str),
    pub end: unsafe extern "C" fn(*mut Writer),
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Value {
    pub reader: *const Reader,
    pub node: *const c_void,
}

#[repr(C)]
pub struct Reader {
    pub struct_size: u32,
    pub kind: unsafe extern "C" fn(Value) -> i32,
    pub size: unsafe extern "C" fn(Value) -> usize,
    pub at: unsafe extern "C" fn(Value, usize, *mut Str) -> Value,
    pub member: unsafe extern "C" fn(Value, Str) -> Value,
    pub boolean: unsafe extern "C" fn(Value, *mut i32) -> i32,
    pub integer: unsafe extern "C" fn(Value, *mut i64) -> i32,
    pub natural: unsafe extern "C" fn(Value, *mut u64) -> i32,
    pub real: unsafe extern "C" fn(Value, *mut f64) -> i32,
    pub text: unsafe extern "C" fn(Value, *mut Str) -> i32,
    pub reference: unsafe extern "C" fn(Value, *mut u64) -> i32,
    pub duration: unsafe extern "C" fn(Value, *mut i64) -> i32,
    pub bytes: unsafe extern "C" fn(Value, *mut i64) -> i32,
    pub reject: unsafe extern "C" fn(Value, Str, *mut Errors) -> i32,
}

#[repr(C)]
pub struct Context {
    pub struct_size: u32,
    pub message_type: u32,
    pub host: *const Host,
    pub system: *mut c_void,
    pub cell: *mut c_void,
    pub own: u64,
    pub parent: u64,
    pub sender: u64,
    pub message: *const c_void,
    /// Since 1.15, see MARKS_SENDER.
    pub taken_sender: u64,
}

#[repr(C)]
pub struct MessageType {
    pub struct_size: u32,
    pub flags: u32,
    pub name: Str,
    pub members: *const Member,
    pub n_members: usize,
    pub size: u32,
    pub align: u32,
    pub library: Str,
    pub id: *const std::sync::atomic::AtomicU32,
    pub move_to: unsafe extern "C" fn(*mut c_void, *mut c_void),
    pub copy: unsafe extern "C" fn(*mut c_void, *const c_void, *mut Errors) -> i32,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub write: unsafe extern "C" fn(*const c_void, *mut Writer, *mut Errors) -> i32,
    pub read: unsafe extern "C" fn(*mut c_void, Value, *mut Errors) -> i32,
}

pub type Handler =
    unsafe extern "C" fn(*mut c_void, *mut Context, *const c_void, *mut Errors) -> i32;
pub type ReplyHandler = unsafe extern "C" fn(
    *mut c_void,
    *mut Context,
    *const c_void,
    *const Failure,
    *mut Errors,
) -> i32;
pub type Hook = unsafe extern "C" fn(*mut c_void, *mut Context, *mut Errors) -> i32;
pub type RestartHook =
    unsafe extern "C" fn(*mut c_void, *mut Context, *const Failure, *mut Errors) -> i32;

pub type Create =
    unsafe extern "C" fn(*mut c_void, *mut Context, Value, *const c_void, *mut Errors) -> i32;

#[repr(C)]
pub struct Case {
    pub type_name: Str,
    pub handle: Handler,
}

#[repr(C)]
pub struct Receive {
    pub struct_size: u32,
    pub n_cases: u32,
    pub name: Str,
    pub cases: *const Case,
    pub otherwise: Option<Handler>,
}

#[repr(C)]
pub struct Rule {
    pub type_name: Str,
    pub directive: i32,
    pub level: i32,
}

#[repr(C)]
pub struct Strategy {
    pub struct_size: u32,
    pub kind: i32,
    pub max_restarts: i64,
    pub within_ns: i64,
    pub rules: *const Rule,
    pub n_rules: usize,
    pub otherwise: i32,
    pub is_logging: i32,
    pub backoff: *const c_void,
}

#[repr(C)]
pub union BoundValue {
    pub i: i64,
    pub u: u64,
    pub d: f64,
}

#[repr(C)]
pub struct Bound {
    pub kind: i64,
    pub value: BoundValue,
}

/// As of 1.3: without what later versions have added at its end.
#[repr(C)]
pub struct ConfigKey {
    pub struct_size: u32,
    pub flags: u32,
    pub path: Str,
    pub doc: Str,
    pub least: Bound,
    pub most: Bound,
    pub words: *const Str,
    pub n_words: usize,
}

#[repr(C)]
pub struct Behaviour {
    pub struct_size: u32,
    pub flags: u32,
    pub name: Str,
    pub doc: Str,
    pub size: u32,
    pub align: u32,
    pub receives: *const *const Receive,
    pub n_receives: usize,
    pub config: *const Member,
    pub n_config: usize,
    pub strategy: *const Strategy,
    pub create: Create,
    pub destroy: unsafe extern "C" fn(*mut c_void),
    pub pre_start: Option<Hook>,
    pub post_stop: Option<Hook>,
    pub pre_restart: Option<RestartHook>,
    pub post_restart: Option<RestartHook>,
    pub decide: usize,
    pub log_failure: usize,
    pub child_terminated: usize,
    pub review: usize,
    pub stash_capacity: i64,
    pub config_keys: *const *const ConfigKey,
    pub n_config_keys: usize,
    pub validate: usize,
}

#[repr(C)]
pub struct Props {
    pub struct_size: u32,
    pub flags: u32,
    pub behaviour: *const Behaviour,
    pub behaviour_name: Str,
    pub create: Option<Create>,
    pub args: *mut c_void,
    pub args_destroy: Option<unsafe extern "C" fn(*mut c_void)>,
    pub dispatcher: Str,
    pub strategy: *const Strategy,
}

#[repr(C)]
pub struct TypeChain {
    pub types: *const Str,
    pub n_types: usize,
}

#[repr(C)]
pub struct Plugin {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub flags: u64,
    pub name: Str,
    pub version: Str,
    pub doc: Str,
    pub behaviours: *const *const Behaviour,
    pub n_behaviours: usize,
    pub messages: *const *const MessageType,
    pub n_messages: usize,
    pub configurators: *const c_void,
    pub n_configurators: usize,
    pub attach: usize,
    pub detach: usize,
    pub failures: *const TypeChain,
    pub n_failures: usize,
}

type Ctx = *mut Context;

#[repr(C)]
pub struct Host {
    pub struct_size: u32,
    pub abi_major: u16,
    pub abi_minor: u16,
    pub tell: unsafe extern "C" fn(Ctx, u64, u32, *mut c_void),
    pub tell_from: unsafe extern "C" fn(Ctx, u64, u32, *mut c_void, u64),
    pub reply: unsafe extern "C" fn(Ctx, u32, *mut c_void),
    pub reply_failure: unsafe extern "C" fn(Ctx, *const Failure),
    pub forward: unsafe extern "C" fn(Ctx, u64),
    pub ask: unsafe extern "C" fn(Ctx, u64, u32, *mut c_void, i64, ReplyHandler),
    pub spawn: unsafe extern "C" fn(Ctx, Str, *const Props, *mut Errors) -> u64,
    pub stop: unsafe extern "C" fn(Ctx, u64),
    pub stop_children: unsafe extern "C" fn(Ctx),
    pub children: unsafe extern "C" fn(Ctx, *mut u64, usize) -> usize,
    pub watch: unsafe extern "C" fn(Ctx, u64),
    pub unwatch: unsafe extern "C" fn(Ctx, u64),
    pub become_state: usize,
    pub unbecome: usize,
    pub stash: unsafe extern "C" fn(Ctx, *mut Errors) -> i32,
    pub unstash_all: unsafe extern "C" fn(Ctx),
    pub start_timer: unsafe extern "C" fn(Ctx, Str, i64, i64, u32, *mut c_void),
    pub cancel_timer: unsafe extern "C" fn(Ctx, Str),
    pub receive_timeout: unsafe extern "C" fn(Ctx, i64),
    pub now_ns: unsafe extern "C" fn(Ctx) -> i64,
    pub random: unsafe extern "C" fn(Ctx) -> u64,
    pub log: unsafe extern "C" fn(Ctx, i32, Str, Str, *const Field, usize),
    pub subscribe: unsafe extern "C" fn(Ctx, Str),
    pub unsubscribe: unsafe extern "C" fn(Ctx, Str),
    pub publish: unsafe extern "C" fn(Ctx, u32, *mut c_void),
    pub system_tell: usize,
    pub system_log: usize,
    pub path: unsafe extern "C" fn(*mut c_void, u64, *mut u8, usize) -> usize,
    pub find: unsafe extern "C" fn(*mut c_void, Str) -> u64,
}
