%% SPDX-License-Identifier: Apache-2.0
%%
%% Failures handled: by a process that traps exits and spawns anew, and by the supervisor of OTP.
%%
%% A successor has another address and an empty mailbox, so whoever hears of it sends it the next
%% message.
-module(bench_failures).
-behaviour(supervisor).
-export([raw_one/1, raw_many/1, supervised_one/1, supervised_many/1, init/1, start_child/2]).

%% What outlives an incarnation: when it threw, and how long before that its predecessor had.
-define(THROWN_AT, 1).
-define(LATENCY, 2).

spawn_failing(Memory) ->
    spawn_link(fun() ->
        receive
            work ->
                Latency = bench_rows:now_ns() - atomics:get(Memory, ?THROWN_AT),
                atomics:put(Memory, ?LATENCY, Latency),
                atomics:put(Memory, ?THROWN_AT, bench_rows:now_ns()),
                error(no)
        end
    end).

new_memory() -> atomics:new(2, []).

figures(Throws, Seconds, [_BeforeTheFirst | Latencies]) ->
    bench_rows:check(length(Latencies) =:= Throws, "a restart is missing"),
    Sorted = list_to_tuple(lists:sort(Latencies)),
    [{failure1, Throws / Seconds, "failures/s"},
     {failure1_p50_us, bench_rows:percentile(Sorted, 0.50), "us"},
     {failure1_p99_us, bench_rows:percentile(Sorted, 0.99), "us"}].

%% ---- raw processes

raw_one(Throws) ->
    Memory = new_memory(),
    {Seconds, Latencies} = in_trapper(fun() -> respawn(Memory, Throws + 1, []) end),
    figures(Throws, Seconds, Latencies).

respawn(_, 0, Latencies) -> lists:reverse(Latencies);
respawn(Memory, Left, Latencies) ->
    Child = spawn_failing(Memory),
    Child ! work,
    receive {'EXIT', Child, {no, _}} -> ok end,
    respawn(Memory, Left - 1, [atomics:get(Memory, ?LATENCY) | Latencies]).

raw_many(Throws) ->
    Memory = new_memory(),
    {Seconds, _} = in_trapper(fun() ->
        [spawn_failing(Memory) ! work || _ <- lists:seq(1, 1000)],
        respawn_any(Memory, Throws - 1000, Throws)
    end),
    [{failure1000, Throws / Seconds, "failures/s"}].

%% ToStart more are to be started, of Left more the end is to come.
respawn_any(_, _, 0) -> ok;
respawn_any(Memory, ToStart, Left) ->
    receive {'EXIT', _, {no, _}} -> ok end,
    case ToStart of
        0 ->
            respawn_any(Memory, 0, Left - 1);
        _ ->
            spawn_failing(Memory) ! work,
            respawn_any(Memory, ToStart - 1, Left - 1)
    end.

in_trapper(Work) ->
    Me = self(),
    spawn(fun() ->
        process_flag(trap_exit, true),
        Start = bench_rows:now_ns(),
        Result = Work(),
        Me ! {done, (bench_rows:now_ns() - Start) / 1.0e9, Result}
    end),
    receive {done, Seconds, Result} -> {Seconds, Result} end.

%% ---- the supervisor of OTP

init({Driver, Children, Memory}) ->
    Specs = [#{id => N, start => {?MODULE, start_child, [Driver, Memory]}}
             || N <- lists:seq(1, Children)],
    {ok, {#{strategy => one_for_one, intensity => 1000000000, period => 1}, Specs}}.

start_child(Driver, Memory) ->
    Pid = spawn_failing(Memory),
    Driver ! {up, Pid},
    {ok, Pid}.

supervised_one(Throws) ->
    Memory = new_memory(),
    {Seconds, Latencies} = with_supervisor(1, Memory, fun() -> fail_one(Memory, Throws + 1, []) end),
    figures(Throws, Seconds, Latencies).

%% When a successor is up, its predecessor has told how late it was.
fail_one(Memory, Left, Latencies) ->
    receive {up, Child} -> Child ! work end,
    fail_next(Memory, Left, Latencies).

fail_next(_, 0, Latencies) -> lists:reverse(Latencies);
fail_next(Memory, Left, Latencies) ->
    receive
        {up, Child} ->
            Latency = atomics:get(Memory, ?LATENCY),
            Child ! work,
            fail_next(Memory, Left - 1, [Latency | Latencies])
    end.

supervised_many(Throws) ->
    Memory = new_memory(),
    {Seconds, _} = with_supervisor(1000, Memory, fun() -> fail_any(Throws, Throws + 1000) end),
    [{failure1000, Throws / Seconds, "failures/s"}].

%% Each start but the last ones is followed by a failure.
fail_any(_, 0) -> ok;
fail_any(0, Starts) -> receive {up, _} -> fail_any(0, Starts - 1) end;
fail_any(Left, Starts) -> receive {up, Pid} -> Pid ! work, fail_any(Left - 1, Starts - 1) end.

with_supervisor(Children, Memory, Work) ->
    {ok, Supervisor} = supervisor:start_link(?MODULE, {self(), Children, Memory}),
    Start = bench_rows:now_ns(),
    Result = Work(),
    Seconds = (bench_rows:now_ns() - Start) / 1.0e9,
    unlink(Supervisor),
    exit(Supervisor, shutdown),
    {Seconds, Result}.
