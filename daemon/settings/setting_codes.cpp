// SPDX-License-Identifier: Apache-2.0
#include "settings/setting_codes.hpp"

#include <array>

namespace actord::settings {

namespace {

constexpr std::array all_codes = {
    CodeMeaning{hocon::codes::unreadable,
                "A file or folder of the configuration cannot be read: look at its permissions and "
                "at those of the folders above it. Or a file has become empty, and a reload does "
                "not take that for a wish to stop every actor."},
    CodeMeaning{hocon::codes::include,
                "An include cannot be followed: the file that it requires does not exist or cannot "
                "be read, it includes itself, or it is nothing that can be included. Only files "
                "can."},
    CodeMeaning{hocon::codes::encoding,
                "A text is not valid UTF-8. Save the file in that encoding."},
    CodeMeaning{hocon::codes::secret,
                "A secret that is kept elsewhere cannot be had: its file, credential or variable "
                "is not there, not readable, or no text, or it is not said which one it is."},
    CodeMeaning{hocon::codes::syntax,
                "The text breaks the rules of its language (HOCON, JSON or YAML). The caret stands "
                "where it no longer could be followed; what is wrong may stand just before."},
    CodeMeaning{hocon::codes::limit,
                "The configuration is larger, or more deeply nested, than any that is meant. This "
                "guards against mistakes that grow without end."},
    CodeMeaning{hocon::codes::substitution,
                "A ${...} leads nowhere, or to itself. Set the key that it names, or write ${?...} "
                "if it may be absent."},
    CodeMeaning{hocon::codes::join,
                "Values that stand side by side cannot be joined, such as a list and a text. Only "
                "texts, only lists or only objects make one value together."},
    CodeMeaning{codes::unknown_key,
                "There is no such key. The help names the one that is probably meant; actord "
                "--allow-unknown makes this a warning."},
    CodeMeaning{hocon::codes::mismatch,
                "The value has another type than the key takes, or lies outside its range."},
    CodeMeaning{hocon::codes::value, "The value is of the right type, but not possible here."},
    CodeMeaning{codes::needed, "A key that is needed here is missing."},
    CodeMeaning{codes::conflict, "Two keys, or two values, exclude each other. Keep one of them."},
    CodeMeaning{codes::shown_secret,
                "A secret, or a value that one went into, stands at a key whose value is shown in "
                "logs and messages. Only the config of a behaviour takes secrets."},
    CodeMeaning{codes::unknown_name,
                "No loaded plugin has this behaviour, configurator or message."},
    CodeMeaning{hocon::codes::missing_include,
                "A file that is included does not exist, and counts as empty. Write include "
                "required(...) if it must exist."},
    CodeMeaning{hocon::codes::writable,
                "Everybody may write to a file or folder of the configuration, and so decide what "
                "actord runs."},
    CodeMeaning{hocon::codes::open_secret,
                "Everybody may read a secret: the file of the configuration that it is written in, "
                "or the file that it is kept in."},
    CodeMeaning{hocon::codes::no_credentials,
                "A credential is there only when systemd starts actord, so that a check by hand "
                "cannot see it. --strict lets this pass."},
    CodeMeaning{hocon::codes::meaning,
                "The value is taken, but means something else than it may seem. Write what it "
                "means."},
    CodeMeaning{codes::no_effect, "What is written has no effect, because of something else."},
    CodeMeaning{codes::trap,
                "Two settings work together in a way that few expect. The message says how, the "
                "help how it is probably meant."},
    CodeMeaning{codes::not_read, "The key is one of another system, which actord does not read."},
};

}  // namespace

std::span<const CodeMeaning> code_meanings() { return all_codes; }

}  // namespace actord::settings
