// SPDX-License-Identifier: Apache-2.0
#include <actord/actord.hpp>
#include <actord/at_least_once.hpp>

#include "votes.hpp"

ACTORD_PLUGIN(
    "votes", "1.0.0",
    actord::Behaviours<votes::Counter, votes::Door, votes::Poll, votes::Post, votes::Archive>,
    actord::Messages<votes::Vote, votes::Voted, votes::Count, votes::Open, votes::IsOpen,
                     votes::Answer, votes::Answered, votes::Thanks, votes::GetResult, votes::Result,
                     votes::Poll::Stored, votes::Publish, votes::Published, votes::Page,
                     votes::Kept, votes::Shelf>)
