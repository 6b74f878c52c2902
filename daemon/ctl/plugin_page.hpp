// SPDX-License-Identifier: Apache-2.0
//
// What a plugin declares, for people: its behaviours with their config, the messages that they take
// in each of their states, the messages, failures and configurators.
#pragma once

#include <actord/plugin.h>

#include <string>
#include <utility>
#include <vector>

#include "wire/control_message.hpp"

namespace actord::ctl {

struct PluginPage {
  /// A key of a config, as an operator writes it.
  struct Key {
    std::string name;   // "chaos.probability"; * stands for any element of a list or a map
    std::string type;   // "uint32", "size"
    std::string range;  // "1 to 64", "careful | fast"; may be empty
    std::string default_value;
    std::string doc;
    bool is_needed = false;
    bool is_secret = false;
  };
  struct State {
    std::string name;                   // empty: it has none
    std::vector<std::string> messages;  // "shop.Order/1"
    bool takes_others = false;          // a handler for all other messages
  };
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  struct Behaviour {
    std::string name;  // "shop/Shop"
    std::string doc;
    std::vector<Key> config;
    std::vector<State> states;
    Pairs strategy;  // of its children, key and value; empty: the default one
  };
  struct Message {
    std::string name, family;
    Pairs members;                     // name and type
    std::vector<std::string> secrets;  // members that are never shown
  };
  struct Configurator {
    std::string name, doc;
    Pairs strategy;
  };

  std::string name, version, doc, file;
  std::vector<Behaviour> behaviours;
  std::vector<Message> messages;                   // without those of the runtime
  std::vector<std::vector<std::string>> failures;  // a type and its bases, the most derived first
  std::vector<Configurator> configurators;
};

/// `plugin` is checked: it has passed table_fault().
PluginPage page_of(const actord_plugin& plugin, std::string file);

wire::Json json_of(const PluginPage& page);

/// For a terminal, with indented lines.
std::string text_of(const PluginPage& page);

/// For a file of documentation.
std::string markdown_of(const PluginPage& page);

}  // namespace actord::ctl
