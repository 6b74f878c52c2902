// SPDX-License-Identifier: Apache-2.0
//
// The table of the plugin: its programs, messages and failures.
#include "a_star.hpp"
#include "bank.hpp"
#include "barber.hpp"
#include "buffer.hpp"
#include "chameneos.hpp"
#include "dictionary.hpp"
#include "fork_join.hpp"
#include "philosophers.hpp"
#include "queens.hpp"
#include "sieve.hpp"
#include "thread_ring.hpp"

namespace savina {

using Programs =
    actord::Behaviours<ThreadRing, Chameneos, ConcurrentDictionary, ProducerConsumer, Philosophers,
                       SleepingBarber, BankTransaction, Sieve, NQueens, AStar, ForkJoin>;
using AllMessages = actord::Messages<
    Run, Result, Finished, Deadline,                                 // of every program
    NextInRing, Token, LastToken,                                    // ThreadRing
    Meet, Met, Closing, MetInAll,                                    // Chameneos
    Store, Stored, Look, Looked, ClientDone, GetContents, Contents,  // ConcurrentDictionary
    GetRoom, Produce, Item, GetItem, SoldOut, Consumed, Peak,        // ProducerConsumer
    Take, Taken, PutBack, BeginMeal, Eating, EndMeal, Eaten, AwaitFree, Free,  // Philosophers
    Enter, RoomFull, ComeBack, Cut, Shorn, CallNext, RoomEmpty, WentHome, GetHairCuts,
    HairCuts,                                                    // SleepingBarber
    Transfer, Receipt, Deposit, Deposited, GetBalance, Balance,  // BankTransaction
    Candidate, Sieved,                                           // Sieve
    Board, Boards, Solutions,                                    // NQueens
    Expand, Steps,                                               // AStar
    Task, Join, Joined>;                                         // ForkJoin

}  // namespace savina

ACTORD_PLUGIN("savina", "1.0.0", savina::Programs, savina::AllMessages,
              actord::Failures<savina::WrongResult, savina::Unfinished>)
