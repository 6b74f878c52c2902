%% SPDX-License-Identifier: Apache-2.0
%%
%% The rows of the bench on Erlang/OTP, with raw processes: see ../../README.md for what each does.
%%
%%   erl -noshell +P 3000000 -s bench_rows main ROW [check]
%%
%% prints a line "figure value unit" for each figure. A wrong result ends with status 70.
-module(bench_rows).
-export([main/1, check/2, percentile/2, now_ns/0]).

-define(LEAVES_OF_A_BRANCH, 10).

main([Row]) -> main([Row, full]);
main([Row, How]) ->
    logger:set_primary_config(level, none),
    try
        run(Row, true),
        case How of
            check -> ok;
            full -> [print(Name, Value, Unit) || {Name, Value, Unit} <- run(Row, false)]
        end,
        halt(0)
    catch
        Class:Reason:Stack ->
            io:format(standard_error, "bench_rows: ~p: ~p:~p~n~p~n", [Row, Class, Reason, Stack]),
            halt(70)
    end.

run(pingpong, IsWarmUp) -> play_around(2, size_of(IsWarmUp, 400000, 4000000), pingpong);
run(ring, IsWarmUp) ->
    [Rate, _] = play_around(503, size_of(IsWarmUp, 500000, 5000000), ring),
    [Rate];
run(many2one, IsWarmUp) ->
    Rate = fan(20, 1, size_of(IsWarmUp, 20000, 500000)),
    [{many2one, Rate, "msg/s"}, {many2one_peak_mb, peak_mb(), "MB"}];
run(forkjoin, IsWarmUp) -> [{forkjoin, fan(1, 60, size_of(IsWarmUp, 5000, 100000)), "msg/s"}];
run(big, IsWarmUp) -> big(120, size_of(IsWarmUp, 1000, 20000));
run(tree1m, IsWarmUp) -> tree(size_of(IsWarmUp, 10000, 1000000));
run(spawnstop, IsWarmUp) -> spawnstop(size_of(IsWarmUp, 50000, 1000000));
run(idle_bytes, IsWarmUp) -> idle_bytes(size_of(IsWarmUp, 1000, 1000000));
run(failure1, IsWarmUp) -> bench_failures:raw_one(size_of(IsWarmUp, 5000, 200000));
run(failure1000, IsWarmUp) -> bench_failures:raw_many(size_of(IsWarmUp, 5000, 200000));
run(failure1_supervisor, IsWarmUp) -> bench_failures:supervised_one(size_of(IsWarmUp, 500, 20000));
run(failure1000_supervisor, IsWarmUp) ->
    bench_failures:supervised_many(size_of(IsWarmUp, 2000, 20000));
run(ask, IsWarmUp) ->
    Sorted = ask(size_of(IsWarmUp, 20000, 200000), fun() -> ok end),
    [{ask_p50_us, percentile(Sorted, 0.5), "us"}, {ask_p999_us, percentile(Sorted, 0.999), "us"}];
run(ask_sleeping, IsWarmUp) ->
    Pause = fun() -> erlang:send_after(1, self(), go), receive go -> ok end end,
    Sorted = ask(size_of(IsWarmUp, 100, 3000), Pause),
    [{ask_sleeping_p50_us, percentile(Sorted, 0.5), "us"},
     {ask_sleeping_p99_us, percentile(Sorted, 0.99), "us"}];
run(timers, IsWarmUp) -> timers(size_of(IsWarmUp, 2000, 100000)).

size_of(true, Small, _) -> Small;
size_of(false, _, Full) -> Full.

%% ---- a token that goes round

play_around(Players, Hops, Row) ->
    Me = self(),
    [First | Others] = Circle = [spawn(fun() -> player(Me) end) || _ <- lists:seq(1, Players)],
    lists:foreach(fun({P, Next}) -> P ! {meet, Next} end, lists:zip(Circle, Others ++ [First])),
    Cpu = cpu_s(),
    Start = now_ns(),
    First ! Hops,
    receive done -> ok end,
    Seconds = (now_ns() - Start) / 1.0e9,
    [{Row, Hops / Seconds, "msg/s"},
     {list_to_atom(atom_to_list(Row) ++ "_cpus"), (cpu_s() - Cpu) / Seconds, "CPUs"}].

player(Master) -> receive {meet, Next} -> player(Master, Next) end.
player(Master, Next) ->
    receive
        0 -> Master ! done;
        N -> Next ! N - 1, player(Master, Next)
    end.

%% ---- many to one, one to many

fan(Sources, Sinks, Each) ->
    Me = self(),
    Targets = [spawn(fun() -> Me ! {sum, sink(Sources * Each, 0)} end) || _ <- lists:seq(1, Sinks)],
    Senders = [spawn(fun() -> receive go -> send_all(0, Each, Targets) end end)
               || _ <- lists:seq(1, Sources)],
    Start = now_ns(),
    [Sender ! go || Sender <- Senders],
    Sum = lists:sum([receive {sum, S} -> S end || _ <- Targets]),
    Seconds = (now_ns() - Start) / 1.0e9,
    check(Sum =:= Sources * Sinks * (Each * (Each - 1) div 2), "another sum"),
    Sources * Sinks * Each / Seconds.

sink(0, Sum) -> Sum;
sink(Left, Sum) -> receive N -> sink(Left - 1, Sum + N) end.

send_all(Each, Each, _) -> ok;
send_all(N, Each, Targets) ->
    send_each(N, Targets),
    send_all(N + 1, Each, Targets).

send_each(_, []) -> ok;
send_each(N, [Target | Others]) -> Target ! N, send_each(N, Others).

%% ---- pings at random

big(Members, Pings) ->
    Me = self(),
    Crowd = list_to_tuple([spawn(fun() -> member(Me, Pings, I) end)
                           || I <- lists:seq(1, Members)]),
    Start = now_ns(),
    [Member ! {begin_with, Crowd} || Member <- tuple_to_list(Crowd)],
    Answers = lists:sum([receive {answers, N} -> N end || _ <- lists:seq(1, Members)]),
    Seconds = (now_ns() - Start) / 1.0e9,
    [Member ! stop || Member <- tuple_to_list(Crowd)],
    check(Answers =:= Members * Pings, "an answer is missing"),
    [{big, 2 * Answers / Seconds, "msg/s"}].

member(Master, Pings, Seed) ->
    receive
        {begin_with, Crowd} -> member(Master, Crowd, Pings, 0, ping(Crowd, Seed * 2654435761))
    end.

member(Master, Crowd, Pings, Answers, Random) ->
    receive
        {ping, From, N} ->
            From ! {pong, N},
            member(Master, Crowd, Pings, Answers, Random);
        {pong, N} when Answers + N < Pings ->
            member(Master, Crowd, Pings, Answers + N, ping(Crowd, Random));
        {pong, N} ->
            Master ! {answers, Answers + N},
            member(Master, Crowd, Pings, Answers + N, Random);
        stop -> ok
    end.

ping(Crowd, Random) ->
    Next = (Random * 1103515245 + 12345) band 16#7fffffff,
    element(1 + (Next bsr 8) rem tuple_size(Crowd), Crowd) ! {ping, self(), 1},
    Next.

%% ---- many processes

tree(Leaves) ->
    Me = self(),
    Start = now_ns(),
    spawn(fun() -> grow(Me, 0, Leaves) end),
    Sum = receive {sum, S} -> S end,
    Seconds = (now_ns() - Start) / 1.0e9,
    check(Sum =:= Leaves * (Leaves - 1) div 2, "another sum"),
    [{tree1m, Seconds, "s"}, {tree1m_peak_mb, peak_mb(), "MB"}].

grow(Parent, First, 1) -> Parent ! {sum, First};
grow(Parent, First, Count) ->
    Me = self(),
    Each = Count div ?LEAVES_OF_A_BRANCH,
    grow_branches(Me, First, Each, ?LEAVES_OF_A_BRANCH),
    Parent ! {sum, add(?LEAVES_OF_A_BRANCH, 0)}.

grow_branches(_, _, _, 0) -> ok;
grow_branches(Me, First, Each, Left) ->
    spawn(fun() -> grow(Me, First, Each) end),
    grow_branches(Me, First + Each, Each, Left - 1).

add(0, Sum) -> Sum;
add(Left, Sum) -> receive {sum, N} -> add(Left - 1, Sum + N) end.

spawnstop(Processes) ->
    Batch = 1000,
    Start = now_ns(),
    Sum = spawn_batches(Processes div Batch, Batch, 0),
    Seconds = (now_ns() - Start) / 1.0e9,
    check(Sum =:= Processes div Batch * (Batch * (Batch - 1) div 2), "an answer is missing"),
    [{spawnstop, Processes / Seconds, "actors/s"}].

spawn_batches(0, _, Sum) -> Sum;
spawn_batches(Left, Batch, Sum) ->
    spawn_one(Batch),
    spawn_batches(Left - 1, Batch, await_ends(Batch, Batch, Sum)).

spawn_one(0) -> ok;
spawn_one(Left) ->
    {Pid, _} = spawn_monitor(fun() -> receive {From, N} -> From ! {sum, N} end end),
    Pid ! {self(), Left - 1},
    spawn_one(Left - 1).

%% Of both, in the order they come in: to look for one kind is to pass over the other each time.
await_ends(0, 0, Sum) -> Sum;
await_ends(Answers, Ends, Sum) ->
    receive
        {sum, N} -> await_ends(Answers - 1, Ends, Sum + N);
        {'DOWN', _, process, _, normal} -> await_ends(Answers, Ends - 1, Sum)
    end.

idle_bytes(Processes) ->
    Heard = counters:new(1, [atomics]),
    Before = kilobytes("VmRSS"),
    spawn_idle(Processes, Heard),
    await_count(Heard, Processes),
    Grown = (kilobytes("VmRSS") - Before) * 1024,
    [{idle_bytes, Grown / Processes, "bytes"}].

spawn_idle(0, _) -> ok;
spawn_idle(Left, Heard) ->
    spawn(fun() -> idle(Heard, 0) end) ! 1,
    spawn_idle(Left - 1, Heard).

idle(Heard, Sum) -> receive N -> counters:add(Heard, 1, N), idle(Heard, Sum + N) end.

await_count(Heard, Wanted) ->
    case counters:get(Heard, 1) of
        Wanted -> ok;
        _ -> timer:sleep(1), await_count(Heard, Wanted)
    end.

%% ---- questions

ask(Questions, Pause) ->
    Me = self(),
    Oracle = spawn(fun oracle/0),
    spawn(fun() -> Me ! {latencies, ask(Oracle, Questions, Pause, [])} end),
    Latencies = receive {latencies, L} -> L end,
    Oracle ! stop,
    check(length(Latencies) =:= Questions, "an answer is missing"),
    list_to_tuple(lists:sort(Latencies)).

ask(_, 0, _, Latencies) -> Latencies;
ask(Oracle, Left, Pause, Latencies) ->
    Start = now_ns(),
    Ref = make_ref(),
    Oracle ! {self(), Ref, Left},
    Answer = receive {Ref, N} -> N after 5000 -> timeout end,
    Latency = now_ns() - Start,
    check(Answer =:= Left + 1, "another answer"),
    Pause(),
    ask(Oracle, Left - 1, Pause, [Latency | Latencies]).

oracle() ->
    receive
        {From, Ref, N} -> From ! {Ref, N + 1}, oracle();
        stop -> ok
    end.

%% ---- timers

timers(Timers) ->
    Delays = [rand:uniform(2000) - 1 || _ <- lists:seq(1, Timers)],
    Cpu = cpu_s(),
    Start = now_ns(),
    lists:foreach(fun(Ms) -> erlang:send_after(Ms, self(), now_ns() + Ms * 1000000) end, Delays),
    Insert = (now_ns() - Start) / Timers,
    Late = lists:sort([receive Due -> now_ns() - Due end || _ <- Delays]),
    Used = cpu_s() - Cpu,
    check(hd(Late) >= 0, "one came early"),
    [{timers_p50_late_us, percentile(list_to_tuple(Late), 0.5), "us"},
     {timers_cpu_s, Used, "s"}, {timers_insert_ns, Insert, "ns"}].

%% ---- measuring

now_ns() -> erlang:monotonic_time(nanosecond).

cpu_s() -> element(1, erlang:statistics(runtime)) / 1000.

%% Of this process, from /proc/self/status.
kilobytes(Key) ->
    {ok, Status} = file:read_file("/proc/" ++ os:getpid() ++ "/status"),
    {match, [Number]} = re:run(Status, Key ++ ":\\s*([0-9]+)", [{capture, all_but_first, list}]),
    list_to_integer(Number).

peak_mb() -> kilobytes("VmHWM") / 1024.

%% Microseconds, of a sorted tuple of nanoseconds.
percentile(Sorted, Part) ->
    element(min(1 + trunc(tuple_size(Sorted) * Part), tuple_size(Sorted)), Sorted) / 1000.

check(true, _) -> ok;
check(false, What) -> error({wrong_result, What}).

print(Name, Value, Unit) -> io:format("~s ~.6f ~s~n", [Name, float(Value), Unit]).
