// SPDX-License-Identifier: Apache-2.0
#include "host/zygote_service.hpp"

#include "host/control_channel.hpp"
#include "os/child_process.hpp"
#include "os/host_setup.hpp"
#include "os/process.hpp"
#include "os/sibling.hpp"

namespace actord::host {

namespace {

constexpr int protocol_error = 76;  // EX_PROTOCOL

}  // namespace

std::string serve_as_zygote() {
  ControlChannel control(os::inherited_descriptor);
  for (;;) {
    isolate::Step step = control.next();
    if (step.kind != isolate::StepKind::fork || step.descriptors.size() != 1)
      os::exit_at_once(protocol_error);
    const int child = os::fork_sibling();
    if (child == 0) {
      os::begin_as_forked_host(step.descriptors.front().get(), os::inherited_descriptor);
      return std::move(step.text);
    }
    control.send(isolate::StepKind::forked, std::to_string(child > 0 ? child : 0));
  }
}

}  // namespace actord::host
