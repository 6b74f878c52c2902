// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "ctl/completion.hpp"
#include "ctl/verbs.hpp"

namespace actord::ctl {

namespace {

Exit completion(const Call& call) {
  const std::string& shell = call.operands.front();
  call.out << (shell == "bash"  ? bash_completion()
               : shell == "zsh" ? zsh_completion()
                                : fish_completion());
  return Exit::ok;
}

}  // namespace

Verb completion_verb() {
  return {.group = {},
          .name = "completion",
          .summary = "print a completion script for a shell",
          .description =
              "Prints a script with which the shell completes the words of actorctl and actord:\n"
              "verbs, options, files, and the keys and actors of the configuration, which is\n"
              "that of --config or, without it, /etc/actord/actord.conf:\n"
              "\n"
              "  source <(actorctl completion bash)\n"
              "  actorctl completion zsh > \"${fpath[1]}/_actorctl\"\n"
              "  actorctl completion fish > ~/.config/fish/completions/actorctl.fish",
          .operands = {{.name = "SHELL", .takes = Takes::words, .words = {"bash", "zsh", "fish"}}},
          .options = {},
          .run = &completion};
}

}  // namespace actord::ctl
