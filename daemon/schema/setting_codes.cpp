// SPDX-License-Identifier: Apache-2.0
#include "schema/setting_codes.hpp"

#include <array>

namespace actord::schema {

namespace {

constexpr std::array all_codes = {
    CodeMeaning{hocon::codes::unreadable,
                "A file or folder of the configuration cannot be read: check its permissions and "
                "those of the folders above it. Or a file has become empty, which a reload rejects "
                "because it would stop every actor."},
    CodeMeaning{hocon::codes::include,
                "An include failed: the required file does not exist or cannot be read, it "
                "includes itself, or it is not a file."},
    CodeMeaning{hocon::codes::encoding,
                "A file, or a value of --set, is not valid UTF-8. Write it in that encoding."},
    CodeMeaning{
        hocon::codes::secret,
        "A secret that is kept elsewhere cannot be read: its file, credential or variable does not "
        "exist, is not readable or is not text, or the object does not name exactly one place."},
    CodeMeaning{hocon::codes::syntax,
                "The text breaks the rules of its language (HOCON, JSON or YAML). The caret shows "
                "where the parser stopped; the mistake may stand just before."},
    CodeMeaning{hocon::codes::limit,
                "The configuration is larger or more deeply nested than the limit, which guards "
                "against mistakes that grow without end."},
    CodeMeaning{hocon::codes::substitution,
                "A substitution ${...} has no value, or depends on itself. Set the key that it "
                "names, or write "
                "${?...} if it may be absent."},
    CodeMeaning{hocon::codes::join,
                "Adjacent values cannot be joined, such as a list and a string. Only strings, only "
                "lists or only objects can be joined into one value."},
    CodeMeaning{codes::unknown_key,
                "There is no such key. The help names the one that is probably meant; actord "
                "--allow-unknown makes this a warning."},
    CodeMeaning{hocon::codes::mismatch,
                "The value has the wrong type for the key, or lies outside its range."},
    CodeMeaning{hocon::codes::value, "The value has the right type, but is not valid here."},
    CodeMeaning{codes::needed, "A required key is missing."},
    CodeMeaning{codes::conflict, "Two keys, or two values, exclude each other. Keep one of them."},
    CodeMeaning{codes::shown_secret,
                "A secret, or a value that contains one, is set at a key whose value is shown in "
                "logs and messages. Only the config of a behaviour may contain secrets."},
    CodeMeaning{codes::unknown_name,
                "No loaded plugin has this behaviour, configurator or message."},
    CodeMeaning{codes::resource,
                "A folder or file that an actor needs does not exist, is of another kind, or may "
                "not be used. With boot.on-failure = degrade a start goes on without that actor."},
    CodeMeaning{hocon::codes::missing_include,
                "An included file does not exist and is treated as empty. Write include "
                "required(...) if it must exist."},
    CodeMeaning{hocon::codes::writable,
                "Any user may write to a file or folder of the configuration, and so decide what "
                "actord runs."},
    CodeMeaning{hocon::codes::world_readable_secret,
                "Any user may read a secret: in the file of the configuration that contains it, or "
                "in the file where it is kept."},
    CodeMeaning{hocon::codes::no_credentials,
                "A credential exists only when systemd starts actord, so that a check by hand "
                "cannot read it. --strict does not count this as a warning."},
    CodeMeaning{
        hocon::codes::meaning,
        "The value is accepted, but may mean something other than intended. Write what is meant."},
    CodeMeaning{codes::no_effect, "A setting has no effect because of another setting."},
    CodeMeaning{codes::misleading,
                "Two settings have an unexpected effect together. The message names the effect, "
                "and the help the setting that is probably meant."},
    CodeMeaning{codes::not_read, "The key belongs to another system, and actord does not read it."},
    CodeMeaning{codes::unknown_failure,
                "A decider names a failure that no loaded plugin declares and that is none of "
                "actord and the standard library. If the name is misspelt, the rule never applies. "
                "It is only a note if it resembles no known name and its namespace belongs to no "
                "plugin that declares failures."},
    CodeMeaning{codes::port_in_use,
                "A process listens at the port of an actor, and it is not the running actord with "
                "the same key. A start would fail now, and may succeed when the process has "
                "ended."},
    CodeMeaning{codes::unjudged,
                "The check does not run as root, and so cannot tell what the user of the service "
                "may use. Run it as root or as that user, or name another one with --user."},
};

}  // namespace

std::span<const CodeMeaning> code_meanings() { return all_codes; }

}  // namespace actord::schema
