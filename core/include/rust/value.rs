// SPDX-License-Identifier: Apache-2.0
//! The types that a member of a message or a key of a config may have, and how each is written to
//! the host and read from it.

use crate::abi;
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::time::Duration;

/// The address of an actor; the default one is that of no actor. It may be copied, compared, and
/// sent in messages.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActorRef(pub(crate) u64);

impl ActorRef {
    /// The address of no actor.
    pub const NOBODY: ActorRef = ActorRef(0);

    pub fn is_nobody(self) -> bool {
        self == Self::NOBODY
    }
}

/// A value was refused. The host knows why and where it stands already.
#[derive(Debug)]
pub struct Rejected(pub(crate) ());

/// A value of the host's: of a config, or of a message that comes from elsewhere.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    raw: abi::Value,
    errors: *mut abi::Errors,
    lent: PhantomData<&'a ()>,
}

impl<'a> Value<'a> {
    pub(crate) fn new(raw: abi::Value, errors: *mut abi::Errors) -> Value<'a> {
        Value { raw, errors, lent: PhantomData }
    }

    fn reader(&self) -> &'a abi::Reader {
        unsafe { &*self.raw.reader }
    }

    fn of(&self, raw: abi::Value) -> Value<'a> {
        Value { raw, ..*self }
    }

    pub fn is_absent(&self) -> bool {
        self.raw.node.is_null()
    }

    fn kind(&self) -> i64 {
        i64::from(unsafe { (self.reader().kind)(self.raw) })
    }

    /// Tells the host that the value is wrong. The host adds its place: file, line and column.
    pub fn reject(&self, reason: &str) -> Rejected {
        unsafe { (self.reader().reject)(self.raw, abi::Str::new(reason), self.errors) };
        Rejected(())
    }

    /// The member of that name, in which `_` may be written `-`.
    pub fn member(&self, name: &str) -> Value<'a> {
        if self.is_absent() {
            return *self;
        }
        let find = |name: &str| unsafe { (self.reader().member)(self.raw, abi::Str::new(name)) };
        let found = find(name);
        if found.node.is_null() && name.contains('_') {
            return self.of(find(&name.replace('_', "-")));
        }
        self.of(found)
    }

    fn len(&self) -> usize {
        unsafe { (self.reader().size)(self.raw) }
    }

    fn at(&self, index: usize) -> (String, Value<'a>) {
        let mut key = abi::Str::EMPTY;
        let found = unsafe { (self.reader().at)(self.raw, index, &mut key) };
        (unsafe { key.to_text() }, self.of(found))
    }

    fn get<T: Default>(
        &self,
        read: unsafe extern "C" fn(abi::Value, *mut T) -> i32,
    ) -> Option<T> {
        let mut found = T::default();
        (unsafe { read(self.raw, &mut found) } != 0).then(|| found)
    }
}

/// Takes down a value for the host, which formats it.
pub struct Writer<'a> {
    raw: *mut abi::Writer,
    lent: PhantomData<&'a mut ()>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(raw: *mut abi::Writer) -> Writer<'a> {
        Writer { raw, lent: PhantomData }
    }

    fn call(&mut self, with: impl FnOnce(&abi::Writer, *mut abi::Writer)) {
        with(unsafe { &*self.raw }, self.raw);
    }

    /// Begins a structure of so many members; `end` ends it.
    pub fn begin_map(&mut self, size: usize) {
        self.call(|w, raw| unsafe { (w.begin_map)(raw, size) });
    }

    pub fn key(&mut self, key: &str) {
        self.call(|w, raw| unsafe { (w.key)(raw, abi::Str::new(key)) });
    }

    pub fn end(&mut self) {
        self.call(|w, raw| unsafe { (w.end)(raw) });
    }
}

/// A type that a member of a message or a key of a config may have. `fields!` makes more of them.
///
/// # Safety
/// `IS_PLAIN` is true only if any bytes are a value, and every language stores it so.
pub unsafe trait Field: Clone + Default {
    /// Every language stores it in the same bytes.
    const IS_PLAIN: bool = false;

    /// The type as `plugin.h` writes it: `list<int64>`.
    fn type_text() -> String;
    fn write(&self, out: &mut Writer);
    fn read(from: Value) -> Result<Self, Rejected>;
}

macro_rules! integers {
    ($($type:ty, $text:literal, $wide:ty, $read:ident;)*) => {$(
        unsafe impl Field for $type {
            const IS_PLAIN: bool = true;

            fn type_text() -> String {
                String::from($text)
            }

            fn write(&self, out: &mut Writer) {
                out.call(|w, raw| unsafe { (w.$read)(raw, <$wide>::from(*self)) });
            }

            fn read(from: Value) -> Result<Self, Rejected> {
                from.get(from.reader().$read)
                    .and_then(|wide| <$type>::try_from(wide).ok())
                    .ok_or_else(|| {
                        from.reject(&format!(
                            "expected an integer from {} to {}", <$type>::MIN, <$type>::MAX
                        ))
                    })
            }
        }
    )*};
}
integers! {
    i8, "int8", i64, integer;
    i16, "int16", i64, integer;
    i32, "int32", i64, integer;
    i64, "int64", i64, integer;
    u8, "uint8", u64, natural;
    u16, "uint16", u64, natural;
    u32, "uint32", u64, natural;
    u64, "uint64", u64, natural;
}

unsafe impl Field for bool {
    fn type_text() -> String {
        String::from("bool")
    }

    fn write(&self, out: &mut Writer) {
        out.call(|w, raw| unsafe { (w.boolean)(raw, i32::from(*self)) });
    }

    fn read(from: Value) -> Result<Self, Rejected> {
        from.get(from.reader().boolean)
            .map(|truth| truth != 0)
            .ok_or_else(|| from.reject("expected true or false"))
    }
}

macro_rules! reals {
    ($($type:ty, $text:literal;)*) => {$(
        unsafe impl Field for $type {
            const IS_PLAIN: bool = true;

            fn type_text() -> String {
                String::from($text)
            }

            fn write(&self, out: &mut Writer) {
                out.call(|w, raw| unsafe { (w.real)(raw, f64::from(*self)) });
            }

            fn read(from: Value) -> Result<Self, Rejected> {
                from.get(from.reader().real)
                    .map(|wide| wide as $type)
                    .ok_or_else(|| from.reject("expected a number"))
            }
        }
    )*};
}
reals! {
    f32, "float";
    f64, "double";
}

unsafe impl Field for String {
    fn type_text() -> String {
        String::from("text")
    }

    fn write(&self, out: &mut Writer) {
        out.call(|w, raw| unsafe { (w.text)(raw, abi::Str::new(self)) });
    }

    /// What is no UTF-8 in a text of another language is replaced.
    fn read(from: Value) -> Result<Self, Rejected> {
        let mut text = abi::Str::EMPTY;
        if unsafe { (from.reader().text)(from.raw, &mut text) } == 0 {
            return Err(from.reject("expected a text"));
        }
        Ok(unsafe { text.to_text() })
    }
}

unsafe impl Field for ActorRef {
    const IS_PLAIN: bool = true;

    fn type_text() -> String {
        String::from("ref")
    }

    fn write(&self, out: &mut Writer) {
        out.call(|w, raw| unsafe { (w.reference)(raw, self.0) });
    }

    fn read(from: Value) -> Result<Self, Rejected> {
        from.get(from.reader().reference)
            .map(ActorRef)
            .ok_or_else(|| from.reject("expected the path of an actor"))
    }
}

unsafe impl Field for Duration {
    fn type_text() -> String {
        String::from("duration")
    }

    fn write(&self, out: &mut Writer) {
        let ns = nanoseconds(*self);
        out.call(|w, raw| unsafe { (w.duration)(raw, ns) });
    }

    fn read(from: Value) -> Result<Self, Rejected> {
        from.get(from.reader().duration)
            .and_then(|ns| u64::try_from(ns).ok())
            .map(Duration::from_nanos)
            .ok_or_else(|| from.reject("expected a duration such as 500ms, which is not negative"))
    }
}

/// At most the longest time that the host knows: 292 years.
pub(crate) fn nanoseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}

unsafe impl<T: Field> Field for Option<T> {
    fn type_text() -> String {
        format!("optional<{}>", T::type_text())
    }

    fn write(&self, out: &mut Writer) {
        match self {
            Some(value) => value.write(out),
            None => out.call(|w, raw| unsafe { (w.null)(raw) }),
        }
    }

    fn read(from: Value) -> Result<Self, Rejected> {
        if from.kind() == abi::NULL {
            return Ok(None);
        }
        T::read(from).map(Some)
    }
}

unsafe impl<T: Field> Field for Vec<T> {
    fn type_text() -> String {
        format!("list<{}>", T::type_text())
    }

    fn write(&self, out: &mut Writer) {
        out.call(|w, raw| unsafe { (w.begin_list)(raw, self.len()) });
        self.iter().for_each(|each| each.write(out));
        out.end();
    }

    fn read(from: Value) -> Result<Self, Rejected> {
        if from.kind() != abi::LIST {
            return Err(from.reject("expected a list"));
        }
        (0..from.len()).map(|i| T::read(from.at(i).1)).collect()
    }
}

unsafe impl<T: Field> Field for BTreeMap<String, T> {
    fn type_text() -> String {
        format!("map<{}>", T::type_text())
    }

    fn write(&self, out: &mut Writer) {
        out.begin_map(self.len());
        for (key, each) in self {
            out.key(key);
            each.write(out);
        }
        out.end();
    }

    fn read(from: Value) -> Result<Self, Rejected> {
        if from.kind() != abi::MAP {
            return Err(from.reject("expected an object"));
        }
        let pair = |(key, value)| Ok((key, T::read(value)?));
        (0..from.len()).map(|i| pair(from.at(i))).collect()
    }
}

/// One member of a structure.
pub struct Member {
    pub name: &'static str,
    pub type_text: String,
    pub offset: usize,
}

/// A structure whose members are known. The macros implement it.
///
/// # Safety
/// Offsets and types are those of the members, and `is_plain` is true only if all of them are plain.
pub unsafe trait Fields: Sized {
    fn members() -> Vec<Member>;
    /// All members have the same bytes in every language.
    fn is_plain() -> bool;
    fn write_members(&self, out: &mut Writer);
    /// A member that is absent has its default.
    fn read_members(from: Value) -> Result<Self, Rejected>;

    /// The type of the structure as a member of another one.
    fn type_text() -> String {
        let members: Vec<String> =
            Self::members().iter().map(|m| format!("{}:{}", m.name, m.type_text)).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// For the macros.
#[doc(hidden)]
pub fn member_or_default<T: Field>(from: Value, name: &str) -> Result<T, Rejected> {
    let member = from.member(name);
    if member.is_absent() {
        return Ok(T::default());
    }
    T::read(member)
}

/// For the macros.
#[doc(hidden)]
pub fn checked_map(from: Value) -> Result<(), Rejected> {
    if !from.is_absent() && from.kind() != abi::MAP {
        return Err(from.reject("expected an object"));
    }
    Ok(())
}

/// For the macros: the name of a member, which may be a keyword of Rust.
#[doc(hidden)]
pub fn plain_name(name: &'static str) -> &'static str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// For the macros: writes the members of a structure.
#[doc(hidden)]
#[macro_export]
macro_rules! __write_members {
    ($of:ident, $out:ident, $($field:ident),*) => {
        let names: &[&str] = &[$(stringify!($field)),*];
        $out.begin_map(names.len());
        $(
            $out.key($crate::plain_name(stringify!($field)));
            $crate::Field::write(&$of.$field, $out);
        )*
        $out.end();
    };
}

/// For the macros: a structure with these members.
#[doc(hidden)]
#[macro_export]
macro_rules! __fields {
    ($name:ident { $($field:ident : $type:ty),* }) => {
        unsafe impl $crate::Fields for $name {
            fn members() -> Vec<$crate::Member> {
                #[allow(unused_variables)]
                let place = std::mem::MaybeUninit::<$name>::uninit();
                vec![$($crate::Member {
                    name: $crate::plain_name(stringify!($field)),
                    type_text: <$type as $crate::Field>::type_text(),
                    // No member is read: the addresses are those of memory without a value.
                    offset: unsafe {
                        std::ptr::addr_of!((*place.as_ptr()).$field) as usize
                    } - place.as_ptr() as usize,
                }),*]
            }

            fn is_plain() -> bool {
                true $(&& <$type as $crate::Field>::IS_PLAIN)*
            }

            fn write_members(&self, out: &mut $crate::Writer) {
                $crate::__write_members!(self, out, $($field),*);
            }

            fn read_members(from: $crate::Value) -> Result<Self, $crate::Rejected> {
                $crate::checked_map(from)?;
                Ok($name {
                    $($field: $crate::member_or_default(
                        from, $crate::plain_name(stringify!($field)))?),*
                })
            }
        }
    };
}

/// A structure that may be a member of messages and configs.
///
/// ```ignore
/// actord::fields! {
///     pub struct Point { pub x: i64, pub y: i64 }
/// }
/// ```
#[macro_export]
macro_rules! fields {
    ($(#[$attribute:meta])* $visible:vis struct $name:ident {
        $($(#[$note:meta])* $field_visible:vis $field:ident : $type:ty),* $(,)?
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[repr(C)]
        $visible struct $name { $($(#[$note])* $field_visible $field: $type),* }

        $crate::__fields!($name { $($field: $type),* });

        unsafe impl $crate::Field for $name {
            fn type_text() -> String {
                <$name as $crate::Fields>::type_text()
            }

            fn write(&self, out: &mut $crate::Writer) {
                $crate::Fields::write_members(self, out);
            }

            fn read(from: $crate::Value) -> Result<Self, $crate::Rejected> {
                <$name as $crate::Fields>::read_members(from)
            }
        }
    };
}
