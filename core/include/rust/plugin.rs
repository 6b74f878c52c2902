// SPDX-License-Identifier: Apache-2.0
//! The plugin as a whole: its table and the note in its file.

use crate::failure::{note_places_of_panics, PANIC};
use crate::{abi, leaked, leaked_list};

/// What `plugin!` lists.
#[doc(hidden)]
pub struct Parts {
    pub name: &'static str,
    pub version: &'static str,
    pub doc: &'static str,
    pub behaviours: Vec<*const abi::Behaviour>,
    pub messages: Vec<*const abi::MessageType>,
    pub failures: Vec<&'static str>,
}

fn chain_of(type_name: &'static str) -> abi::TypeChain {
    let types = leaked_list(std::iter::once(abi::Str::new(type_name)));
    abi::TypeChain { types: types.as_ptr(), n_types: types.len() }
}

#[doc(hidden)]
pub fn plugin_table(parts: Parts) -> *const abi::Plugin {
    note_places_of_panics();
    let behaviours = leaked_list(parts.behaviours.into_iter());
    let messages = leaked_list(parts.messages.into_iter());
    let failures = leaked_list(std::iter::once(PANIC).chain(parts.failures).map(chain_of));
    Box::leak(Box::new(abi::Plugin {
        struct_size: std::mem::size_of::<abi::Plugin>() as u32,
        abi_major: abi::ABI_MAJOR,
        abi_minor: abi::ABI_MINOR,
        flags: 0,
        name: abi::Str::new(parts.name),
        version: abi::Str::new(parts.version),
        doc: abi::Str::new(parts.doc),
        behaviours: behaviours.as_ptr(),
        n_behaviours: behaviours.len(),
        messages: messages.as_ptr(),
        n_messages: messages.len(),
        configurators: std::ptr::null(),
        n_configurators: 0,
        attach: 0,
        detach: 0,
        failures: failures.as_ptr(),
        n_failures: failures.len(),
    }))
}

/// How texts and lists of this plugin are stored: as in no other one, since each version of the
/// compiler may do it otherwise. Two builds of one plugin may be loaded, at two places.
#[doc(hidden)]
pub fn library_of<T>(name: &str, place: *const T) -> &'static str {
    leaked(format!("rust of {name} at {place:p}"))
}

/// The bytes of a text, with zeros behind it.
#[doc(hidden)]
pub const fn padded<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut all = [0u8; N];
    let mut i = 0;
    while i < bytes.len() {
        all[i] = bytes[i];
        i += 1;
    }
    all
}

/// A note of ELF with owner "actord" and type 1.
#[doc(hidden)]
#[repr(C, align(4))]
pub struct NotePadding<const N: usize> {
    pub owner_size: u32,
    pub text_size: u32,
    pub note_type: u32,
    pub owner: [u8; 8],
    pub text: [u8; N],
}

/// Makes a plugin of behaviours and messages: once, in the crate that is built as a `cdylib`. The
/// name is that of the file: `shop` for shop.so. `messages` lists all that the plugin sends or
/// handles. `failures` lists the types of its own failures, so that a check of a configuration finds
/// one that is misspelt in a decider.
#[macro_export]
macro_rules! plugin {
    (
        name: $name:literal,
        version: $version:literal,
        $(doc: $doc:literal,)?
        behaviours: [$($behaviour:ty),* $(,)?],
        messages: [$($message:ty),* $(,)?]
        $(, failures: [$($failure:expr),* $(,)?])?
        $(,)?
    ) => {
        /// The only symbol that the host looks up.
        #[no_mangle]
        pub extern "C" fn actord_plugin_v1() -> *const $crate::abi::Plugin {
            static mut TABLE: *const $crate::abi::Plugin = std::ptr::null();
            static ONCE: std::sync::Once = std::sync::Once::new();
            // Without a table the host refuses the plugin; a panic must not reach it.
            let made = std::panic::catch_unwind(|| ONCE.call_once(|| {
                let library = $crate::library_of($name, &ONCE);
                let table = $crate::plugin_table($crate::Parts {
                    name: $name,
                    version: $version,
                    doc: concat!($($doc)?),
                    behaviours: vec![$($crate::behaviour_table::<$behaviour>()),*],
                    messages: vec![$($crate::message_table::<$message>(library)),*],
                    failures: vec![$($($failure),*)?],
                });
                unsafe { TABLE = table };
            }));
            if made.is_err() {
                return std::ptr::null();
            }
            unsafe { TABLE }
        }

        const ACTORD_NOTE_TEXT: &str = concat!(
            "name=", $name, ";version=", $version,
            ";abi=", $crate::__actord_abi!(), ";cc=rustc;stdlib=none;san=none"
        );
        const ACTORD_NOTE_SIZE: usize = (ACTORD_NOTE_TEXT.len() + 1 + 3) / 4 * 4;

        #[used]
        #[link_section = ".note.actord"]
        static ACTORD_NOTE: $crate::NotePadding<ACTORD_NOTE_SIZE> = $crate::NotePadding {
            owner_size: 7,
            text_size: ACTORD_NOTE_TEXT.len() as u32 + 1,
            note_type: 1,
            owner: *b"actord\0\0",
            text: $crate::padded(ACTORD_NOTE_TEXT),
        };
    };
}

/// ABI_MAJOR and ABI_MINOR for the note, which is put together when a plugin is compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! __actord_abi {
    () => { "1.7" };
}
