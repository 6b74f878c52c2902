// SPDX-License-Identifier: Apache-2.0
//! Messages: structures with a name that other plugins know.

use crate::failure::{guarded, quietly, Failure, Fault};
use crate::value::{Fields, Value, Writer};
use crate::{abi, leaked};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, Ordering};

/// A message. The macro `message!` implements it.
///
/// # Safety
/// No other type has its `id`.
pub unsafe trait Message: Fields + Clone + Default + Send + Sync + 'static {
    /// Never changes: a message with other members has another name, `shop.Order/2`.
    const NAME: &'static str;

    /// The number of the type. The host writes it once, before it calls anything else.
    #[doc(hidden)]
    fn id() -> &'static AtomicU32;
}

/// Declares a message. Its members are the same as those of the messages of that name in other
/// plugins, of whichever language: the host translates.
///
/// ```ignore
/// actord::message! {
///     /// A text.
///     pub struct Text = "echo.Text/1" { pub text: String }
/// }
/// ```
#[macro_export]
macro_rules! message {
    ($(#[$attribute:meta])* $visible:vis struct $name:ident = $text:literal {
        $($(#[$note:meta])* $field_visible:vis $field:ident : $type:ty),* $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[repr(C)]
        $visible struct $name { $($(#[$note])* $field_visible $field: $type),* }

        $crate::__fields!($name { $($field: $type),* });

        unsafe impl $crate::Message for $name {
            const NAME: &'static str = $text;

            fn id() -> &'static std::sync::atomic::AtomicU32 {
                static ID: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
                &ID
            }
        }
    };
}

/// The number of the type. A message that the plugin does not list is a failure, as in C++.
pub(crate) fn type_id<M: Message>() -> u32 {
    match M::id().load(Ordering::Relaxed) {
        0 => std::panic::panic_any(Failure::new(
            "actord::UnlistedMessage",
            format!("{} is missing from the messages of the plugin", M::NAME),
        )),
        id => id,
    }
}

/// Whether that is the number of the type, which a plugin that does not list it never gets.
pub(crate) fn is_type<M: Message>(id: u32) -> bool {
    id != 0 && id == M::id().load(Ordering::Relaxed)
}

/// A message that is being sent. The host moves it out, and the rest is dropped here. A message
/// without members takes no memory in Rust, and a byte elsewhere.
#[repr(C)]
pub(crate) struct Sent<M> {
    message: M,
    byte: u8,
}

impl<M: Message> Sent<M> {
    pub fn new(message: M) -> Sent<M> {
        Sent { message, byte: 0 }
    }

    pub fn address(&mut self) -> *mut c_void {
        (self as *mut Sent<M>).cast()
    }
}

/// The host destroys both objects, so the one that was moved from has its default afterwards.
unsafe extern "C" fn move_to<M: Message>(to: *mut c_void, from: *mut c_void) {
    // All members are of this crate or of one of its macros, so that no default panics.
    to.cast::<M>().write(std::mem::take(&mut *from.cast::<M>()));
}

unsafe extern "C" fn copy<M: Message>(
    to: *mut c_void,
    from: *const c_void,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || {
        to.cast::<M>().write((*from.cast::<M>()).clone());
        Ok(())
    })
}

unsafe extern "C" fn destroy<M: Message>(message: *mut c_void) {
    quietly(|| std::ptr::drop_in_place(message.cast::<M>()));
}

unsafe extern "C" fn write<M: Message>(
    message: *const c_void,
    out: *mut abi::Writer,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || {
        (*message.cast::<M>()).write_members(&mut Writer::new(out));
        Ok(())
    })
}

unsafe extern "C" fn read<M: Message>(
    to: *mut c_void,
    from: abi::Value,
    errors: *mut abi::Errors,
) -> i32 {
    guarded(errors, || {
        let message = M::read_members(Value::new(from, errors)).map_err(Fault::Rejected)?;
        to.cast::<M>().write(message);
        Ok(())
    })
}

/// The members of a structure, for the host, which keeps them.
pub(crate) fn members_of<T: Fields>() -> &'static [abi::Member] {
    let members = T::members().into_iter().map(|member| abi::Member {
        name: abi::Str::new(member.name),
        type_text: abi::Str::new(leaked(member.type_text)),
        offset: member.offset,
    });
    Box::leak(members.collect())
}

/// The table of a message. `library` says how its texts and lists are stored.
#[doc(hidden)]
pub fn message_table<M: Message>(library: &'static str) -> *const abi::MessageType {
    let members = members_of::<M>();
    let is_trivial = M::is_plain() && !std::mem::needs_drop::<M>();
    Box::leak(Box::new(abi::MessageType {
        struct_size: std::mem::size_of::<abi::MessageType>() as u32,
        flags: if is_trivial { abi::TRIVIAL } else { 0 },
        name: abi::Str::new(M::NAME),
        members: members.as_ptr(),
        n_members: members.len(),
        size: std::mem::size_of::<M>().max(1) as u32,
        align: std::mem::align_of::<M>() as u32,
        library: if is_trivial { abi::Str::EMPTY } else { abi::Str::new(library) },
        id: M::id(),
        move_to: move_to::<M>,
        copy: copy::<M>,
        destroy: destroy::<M>,
        write: write::<M>,
        read: read::<M>,
    }))
}

/// To each watcher of `who`, once, when it has stopped. List it in `messages` to use it.
#[derive(Clone, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Terminated {
    pub who: crate::ActorRef,
    /// False: no such actor was there when the watch began.
    pub existence_confirmed: bool,
    /// stopped, parent, poison, killed, failed, limit, restart, shutdown, config …
    pub reason: String,
}

crate::__fields!(Terminated {
    who: crate::ActorRef,
    existence_confirmed: bool,
    reason: String
});

unsafe impl Message for Terminated {
    const NAME: &'static str = "actord.Terminated/1";

    fn id() -> &'static AtomicU32 {
        static ID: AtomicU32 = AtomicU32::new(0);
        &ID
    }
}
