// SPDX-License-Identifier: Apache-2.0
#include "manual/catalogue_texts.hpp"

namespace actord::manual {

namespace {

constexpr CatalogueText texts[] = {
    // ---- the life of actors ----
    {"actor.started", "Actor @ACTORD_ACTOR@ has started",
     "The actor is ready and handles messages. It is an instance of @ACTORD_BEHAVIOUR@ from "
     "the plugin @ACTORD_PLUGIN@ @ACTORD_PLUGIN_VERSION@. There is nothing to do."},
    {"actor.failed", "Actor @ACTORD_ACTOR@ has failed: @ACTORD_FAILURE_TYPE@",
     "What the failure says: @ACTORD_FAILURE_MESSAGE@\n"
     "It occurred in @ACTORD_FAILURE_PHASE@ of the behaviour @ACTORD_BEHAVIOUR@ (\"receive\" "
     "is a handler of messages). The supervisor @ACTORD_SUPERVISOR_PATH@ decided "
     "\"@ACTORD_DECISION_DIRECTIVE@\" by the rule \"@ACTORD_DECISION_RULE@\" "
     "(@ACTORD_DECISION_CONFIG_ORIGIN@). After \"resume\" the actor goes on with its state, "
     "after \"restart\" it gets a new instance, and after \"stop\" it ends. The message that "
     "it was handling is not handled again.\n"
     "All entries that this failure caused:\n"
     "    journalctl ACTORD_FAILURE_ID=@ACTORD_FAILURE_ID@ + "
     "ACTORD_COLLATERAL_OF=@ACTORD_FAILURE_ID@\n"
     "All entries about failures of this actor; \"log.suppressed\" counts those that repeat:\n"
     "    journalctl ACTORD_EVENT=actor.failed ACTORD_ACTOR=@ACTORD_ACTOR@\n"
     "If another decision is better, change the rule in the configuration and reload it; the "
     "new rule applies from the next failure on:\n"
     "    systemctl reload actord"},
    {"actor.restarted", "Actor @ACTORD_ACTOR@ was restarted",
     "The actor has a new instance of @ACTORD_BEHAVIOUR@, whose state begins anew. Its "
     "address and the messages that wait for it are kept.\n"
     "The reason is a failure, or a reload that changed the actor's config (then the entry "
     "has ACTORD_RESTART_CAUSE). The id of the failure is at the end of the message above and "
     "in the field ACTORD_FAILURE_ID or, if another actor failed, ACTORD_COLLATERAL_OF. The "
     "entry \"actor.failed\" with this id has the failure, and the rule by which the "
     "supervisor decided. With the id in place of ID, this finds all entries of the failure:\n"
     "    journalctl ACTORD_FAILURE_ID=ID + ACTORD_COLLATERAL_OF=ID\n"
     "All entries about restarts of this actor; \"log.suppressed\" counts those that repeat:\n"
     "    journalctl ACTORD_EVENT=actor.restarted ACTORD_ACTOR=@ACTORD_ACTOR@\n"
     "If the restarts repeat, the supervisor-strategy can limit them (max-restarts and "
     "within) or delay them (backoff); see actord.conf(5)."},
    {"actor.resumed", "Actor @ACTORD_ACTOR@ goes on after a failure",
     "The actor failed, and the rule of its supervisor says \"resume\": it keeps its state "
     "and handles the next message. The message that failed is not handled again. The failure "
     "itself:\n"
     "    journalctl ACTORD_FAILURE_ID=@ACTORD_FAILURE_ID@"},
    {"actor.backoff", "Actor @ACTORD_ACTOR@ waits before it is restarted",
     "A failure is followed by a delay, which grows from failure to failure, so that the "
     "cause has time to go away. Messages wait meanwhile, except for the child of a back-off "
     "supervisor (ACTORD_CHILD). ACTORD_RESTART_DELAY_MS is the delay in milliseconds. It is set "
     "by the backoff of the strategy of its supervisor, by backoff-supervisor, or, for a strategy "
     "without a limit and a backoff, by actord.actor.restart-storm; see actord.conf(5)."},
    {"actor.traced", "Actor @ACTORD_ACTOR@ handles @ACTORD_MESSAGE_TYPE@",
     "An operator lets the next messages of this actor be logged (actorctl trace); "
     "ACTORD_LEFT more will be. The entry has the sender and the content, in which members that "
     "the type calls secret are hidden. It ends by itself, or at once with:\n"
     "    actorctl trace @ACTORD_ACTOR@ --count 0"},
    {"actor.span", "Actor @ACTORD_ACTOR@ has done a step of trace @ACTORD_TRACE_ID@",
     "A request with a W3C traceparent, or a share of the messages (actord.tracing.sample-ratio), "
     "is followed through all actors that it reaches. Each step has an entry with the time it took "
     "and the time the message was under way. All of the trace:\n"
     "    actorctl story @ACTORD_TRACE_ID@"},
    {"actor.stopped", "Actor @ACTORD_ACTOR@ has stopped: @ACTORD_REASON@",
     "The actor has ended, and its messages become dead letters from now on. The reasons "
     "\"failed\", \"init-failed\", \"killed\" and \"limit\" are a failure: the entries with the "
     "same ACTORD_FAILURE_ID tell which, and the supervisor decided that the actor is not "
     "restarted. \"limit\" means that it was restarted as often as max-restarts allows. With the "
     "reason \"parent\" its parent has stopped it, or stops or restarts itself; with \"stopped\" "
     "the actor itself or an actor other than its parent has stopped it, with \"poison\" a "
     "PoisonPill, with \"config\" a reload; with \"shutdown\" actord stops.\n"
     "An actor of the configuration that a failure has stopped stays away until the operator or "
     "the next reload starts it again:\n"
     "    actorctl start @ACTORD_ACTOR@"},
    {"actor.spawn-refused", "A child of @ACTORD_ACTOR@ could not be created",
     "The reason: @ACTORD_REASON@"},
    {"actor.quarantined", "Actor @ACTORD_ACTOR@ is in quarantine and was not started",
     "@ACTORD_REASON@\n"
     "It has crashed actord as often as actord.crashes.quarantine-after allows, or "
     "on-daemon-crash is quarantine, or its plugin is in quarantine. The other actors run. Look at "
     "the crash, and replace the file of the plugin @ACTORD_PLUGIN@ by a build without the "
     "defect:\n"
     "    actorctl crash show @ACTORD_CRASH_ID@\n"
     "A start of actord with another build of the plugin ends the quarantine. So does an operator, "
     "for an actor whose plugin is loaded:\n"
     "    actorctl start @ACTORD_ACTOR@"},
    {"actor.emergency-stop", "Actor @ACTORD_ACTOR@ was stopped for want of memory",
     "A failure could not be handled because there was no memory. The actor and all actors "
     "below it are stopped. Look at the memory of the service, and at its limits:\n"
     "    systemctl status actord"},
    {"actor.reconfiguration-failed", "Actor @ACTORD_ACTOR@ keeps its old configuration",
     "There was not enough memory to apply a new configuration to the actor and to the actors "
     "below it. When there is memory again, reload once more:\n"
     "    systemctl reload actord"},
    {"actor.pre_restart-failed", "The hook pre_restart of @ACTORD_ACTOR@ has failed",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "The restart goes on, but what the hook was to release may still be held. This is a "
     "defect of the behaviour @ACTORD_BEHAVIOUR@; tell its author."},
    {"actor.post_stop-failed", "The hook post_stop of @ACTORD_ACTOR@ has failed",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "The actor stops nevertheless, but what the hook was to release may still be held. This "
     "is a defect of the behaviour @ACTORD_BEHAVIOUR@; tell its author."},
    {"actor.child_terminated-failed", "The hook child_terminated of @ACTORD_ACTOR@ has failed",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "The actor was not running when a child of it ended, so the failure has no other "
     "consequence. This is a defect of the behaviour @ACTORD_BEHAVIOUR@; tell its author."},
    {"actor.log_failure-failed", "The hook log_failure of @ACTORD_ACTOR@ has failed",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "The supervisor was to log the failure of a child. The child is treated as its strategy "
     "says. This is a defect of the behaviour @ACTORD_BEHAVIOUR@; tell its author."},

    // ---- threads ----
    {"actor.stuck", "A handler or a hook of an actor does not return",
     "The actor in ACTORD_ACTOR has been handling one message, or running one hook, for "
     "@ACTORD_DURATION_MS@ milliseconds on the dispatcher \"@ACTORD_DISPATCHER@\". Its other "
     "messages wait, and on the dispatcher "
     "\"default\" other actors have one thread less. ACTORD_STACK has the calls that the thread "
     "was in, the innermost first:\n"
     "    journalctl ACTORD_EVENT=actor.stuck -n 1 -o json --all | jq .ACTORD_STACK\n"
     "If it waits for a disk, a network or a lock, it belongs on the dispatcher blocking-io: set "
     "dispatcher = blocking-io for it. If it computes, it is slow or does not end: tell the author "
     "of the plugin. If it never returns, only a restart of actord helps.\n"
     "If the entry has no ACTORD_STACK, the thread has not answered: it blocks signals, or waits "
     "in the kernel for a device. This may tell more, as root:\n"
     "    cat /proc/PID/task/@ACTORD_THREAD@/stack\n"
     "If such a time is normal, raise stuck-timeout of the dispatcher; see actord.conf(5)."},
    {"actor.unstuck", "A handler or a hook that took long has returned",
     "It has run for @ACTORD_DURATION_MS@ milliseconds; the entry actor.stuck before has the "
     "stack. "
     "The actor handles messages again."},
    {"dispatcher.starved", "All threads of the dispatcher @ACTORD_DISPATCHER@ are taken",
     "@ACTORD_WAITING@ actors wait for a thread, and none of the @ACTORD_THREADS@ threads has "
     "become free for @ACTORD_DURATION_MS@ milliseconds. The entries actor.stuck name the actors "
     "that have the threads:\n"
     "    journalctl ACTORD_EVENT=actor.stuck ACTORD_DISPATCHER=@ACTORD_DISPATCHER@\n"
     "If so many actors have to block at a time, raise threads-max of the dispatcher, which needs "
     "a restart; an actor that blocks for its whole life belongs on the dispatcher pinned."},
    {"dispatcher.recovered", "The dispatcher @ACTORD_DISPATCHER@ has free threads again",
     "The actors that waited are running or will soon. There is nothing to do."},
    {"watchdog.late", "actord does not tell the service manager that it is well",
     "A thread of the dispatcher \"@ACTORD_DISPATCHER@\" has been in one handler for "
     "@ACTORD_DURATION_MS@ milliseconds; ACTORD_ACTOR is its actor. Handlers there must not block, "
     "so actord sends no more WATCHDOG=1 until it returns. If it does not return within half of "
     "WatchdogSec=, systemd ends actord with SIGABRT and starts it again. The entry actor.stuck "
     "has the stack:\n"
     "    journalctl ACTORD_EVENT=actor.stuck -n 1 -o json --all | jq .ACTORD_STACK\n"
     "An actor that has to block belongs on the dispatcher blocking-io or pinned, which the "
     "watchdog does not judge. WatchdogSec=0 in a drop-in of the unit switches the watchdog "
     "off."},

    // ---- supervision ----
    {"supervisor.limit", "@ACTORD_ACTOR@ was restarted as often as its limit allows",
     "The actor failed again after max-restarts restarts within the time of the setting "
     "within, and is stopped instead of restarted. The entries before this one have the "
     "failures. When their cause is removed, an actor of the configuration is started again "
     "by:\n"
     "    actorctl start @ACTORD_ACTOR@\n"
     "If the limit is too low, raise max-restarts in the strategy of its supervisor, or let a "
     "backoff delay the restarts; see actord.conf(5)."},
    {"supervisor.storm", "@ACTORD_ACTOR@ is restarted again and again",
     "The last failure was @ACTORD_FAILURE_TYPE@, and the strategy of "
     "@ACTORD_SUPERVISOR_PATH@ (@ACTORD_DECISION_CONFIG_ORIGIN@) has neither a limit nor a "
     "backoff. From now on actord delays the restarts, so that they do not take the "
     "processors from other actors. No message is lost for it.\n"
     "Remove the cause of the failures, or give the strategy a backoff or a limit of its own; "
     "see actord.conf(5)."},
    {"supervisor.storm-over", "@ACTORD_ACTOR@ is not restarted again and again any more",
     "There was no restart for a while, or the actor has ended. @ACTORD_RESTART_DELAYED@ "
     "restarts were delayed."},
    {"supervisor.resume-became-restart", "@ACTORD_ACTOR@ is restarted instead of resumed",
     "The rule says \"resume\", but the restart of the actor had failed, so it has no "
     "instance that could go on. For failures of restarts (actord::PostRestartFailure) a rule "
     "that says \"restart\" or \"stop\" is right.\n"
     "    journalctl ACTORD_FAILURE_ID=@ACTORD_FAILURE_ID@"},
    {"guardian.terminated", "The guardian @ACTORD_ACTOR@ has failed, and actord ends",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "A failure was escalated up to a guardian, which nothing is above. The entry "
     "\"actor.failed\" of the failure has the way that it took, and the rules that escalated "
     "it:\n"
     "    journalctl ACTORD_FAILURE_ID=@ACTORD_FAILURE_ID@\n"
     "A rule that says \"restart\" or \"stop\" for this type of failure, in the strategy of "
     "the actor's supervisor or in actord.actor.guardian-supervisor-strategy, ends the "
     "escalation."},
    {"guardian.message-ignored", "A message to the supervisor of the root guardian is ignored",
     "The message is of the type @ACTORD_MESSAGE_TYPE@. No actor has a reason to send there; "
     "tell the author of the plugin."},

    // ---- messages ----
    {"deadletter", "A message to @ACTORD_MESSAGE_RECIPIENT@ was not delivered",
     "The message is of the type @ACTORD_MESSAGE_TYPE@, and the reason is "
     "\"@ACTORD_REASON@\": the actor has never existed or has stopped, its mailbox is full, "
     "or an answer came too late. While actors stop this is usual. If it repeats, look for "
     "the stop of the recipient:\n"
     "    journalctl ACTORD_EVENT=actor.stopped ACTORD_ACTOR=@ACTORD_MESSAGE_RECIPIENT@"},
    {"message.unhandled", "@ACTORD_MESSAGE_RECIPIENT@ has no handler for a message",
     "The message is of the type @ACTORD_MESSAGE_TYPE@. Its sender, or the configuration that "
     "gave the sender this address, means another actor."},
    {"message.copy-failed", "A message could not be copied",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "One of several recipients does not get it."},
    {"message.not-translated", "A message to @ACTORD_ACTOR@ could not be translated",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "The plugins of its sender and its receiver have the message in different layouts, and one of "
     "them could not write or read it. It has become a dead letter, or an ask has failed."},
    {"message.redelivered", "@ACTORD_ACTOR@ gets a message again",
     "It has failed on this message of the type @ACTORD_MESSAGE_TYPE@ @ACTORD_MESSAGE_ATTEMPTS@ "
     "times, and on-failure.max-attempts of its node or pattern is "
     "@ACTORD_MESSAGE_ATTEMPTS_MAX@."},
    {"message.quarantined", "A message on which @ACTORD_ACTOR@ fails is kept apart",
     "@ACTORD_FAILURE_TYPE@: @ACTORD_FAILURE_MESSAGE@\n"
     "The actor has failed on it @ACTORD_MESSAGE_ATTEMPTS@ times, as often as on-failure of its "
     "node or pattern says, and goes on without it. What is in the message, and the stack of the "
     "failure:\n"
     "    actorctl quarantine show @ACTORD_QUARANTINE_ID@\n"
     "When the plugin is mended, or whatever the message met is there again:\n"
     "    actorctl quarantine replay @ACTORD_QUARANTINE_ID@"},
    {"quarantine.full", "The quarantine of messages is full",
     "It has @ACTORD_QUARANTINE_MESSAGES@ messages of @ACTORD_QUARANTINE_BYTES@ bytes. Further "
     "messages on which actors fail become dead letters. Make room, or raise "
     "actord.quarantine.max-messages or max-bytes:\n"
     "    actorctl quarantine list"},
    {"ingress.busy", "actord refuses messages from outside, because too many are waiting",
     "The messages that wait take @ACTORD_IN_USE_BYTES@ bytes, and "
     "actord.actor.message-memory-max is @ACTORD_LIMIT_BYTES@. Actors handle messages more "
     "slowly than they arrive. Messages between actors are not refused. \"ingress.relieved\" "
     "tells of the end."},
    {"ingress.relieved", "actord accepts messages from outside again",
     "@ACTORD_REFUSED@ messages were refused."},

    {"mailbox.overflow", "The mailbox of @ACTORD_ACTOR@ is full",
     "It takes @ACTORD_MAILBOX_CAPACITY@ messages, and @ACTORD_OVERFLOWS@ more have come since the "
     "last such line. What becomes of them is decided by mailbox.overflow of the actor's node or "
     "of "
     "its pattern in actord.actor.deployment: @ACTORD_MAILBOX_POLICY@. Messages that are dropped "
     "are dead letters:\n"
     "    actorctl dead-letter list\n"
     "Raise the capacity, divide the work of the actor, or slow down its senders (overflow = wait "
     "in actord.conf(5))."},
    {"mailbox.highwater", "Messages wait faster than actors handle them",
     "The messages that wait take @ACTORD_IN_USE_BYTES@ bytes of @ACTORD_LIMIT_BYTES@ "
     "(actord.actor.message-memory-max), without what they own; the process takes "
     "@ACTORD_MEMORY_RESIDENT_BYTES@ bytes of @ACTORD_MEMORY_LIMIT_BYTES@. They wait "
     "for: @ACTORD_MAILBOXES@. When the memory is used up, the kernel kills the process. Limit the "
     "mailbox (mailbox.capacity in actord.conf(5)), slow down its senders, or divide its work. "
     "\"mailbox.relieved\" tells of the end."},
    {"mailbox.relieved", "Few messages wait again",
     "The messages that wait take @ACTORD_IN_USE_BYTES@ bytes, and the process "
     "@ACTORD_MEMORY_RESIDENT_BYTES@."},

    {"breaker.changed", "The circuit breaker \"@ACTORD_BREAKER_NAME@\" is @ACTORD_BREAKER_STATE@",
     "A call of @ACTORD_ACTOR@ has changed it. open: @ACTORD_BREAKER_FAILURES@ calls in a row have "
     "failed or taken too long, so that calls fail at once for @ACTORD_BREAKER_REMAINING_MS@ "
     "milliseconds. half-open: one call is tried. closed: calls go through again. What becomes of "
     "it is told by\n"
     "    actorctl breakers\n"
     "and how soon it opens, and for how long, is decided by actord.circuit-breaker in "
     "actord.conf(5)."},

    {"actor.recovered", "@ACTORD_ACTOR@ has recovered its state",
     "It has all that is stored for it as \"@ACTORD_PERSISTENCE_ID@\", up to event "
     "@ACTORD_PERSISTENCE_SEQUENCE@."},
    {"actor.recovery-failed", "@ACTORD_ACTOR@ cannot recover its state",
     "What is stored for it as \"@ACTORD_PERSISTENCE_ID@\" could not be replayed after event "
     "@ACTORD_PERSISTENCE_SEQUENCE@: @ACTORD_REASON@. The actor is stopped, whatever its "
     "supervisor would decide. A back-off supervisor in front of it tries again."},
    {"journal.member-unknown", "The journal has a member that @ACTORD_MESSAGE_TYPE@ has no longer",
     "The member @ACTORD_MESSAGE_MEMBER@: @ACTORD_REASON@. An actor that has stored such a message "
     "is stopped when it recovers, so that nothing is lost without a word. Load the plugin as it "
     "was, or one that says what becomes of the member."},
    {"actor.persist-failed", "Events of @ACTORD_ACTOR@ could not be stored",
     "@ACTORD_REASON@. Event @ACTORD_PERSISTENCE_SEQUENCE@ of \"@ACTORD_PERSISTENCE_ID@\" is the "
     "last one that is known to be stored. The actor is stopped, whatever its supervisor would "
     "decide; nothing has been acknowledged that is not stored. A back-off supervisor in front of "
     "it creates it again."},
    {"actor.persist-rejected", "@ACTORD_ACTOR@ has persisted what cannot be stored",
     "A message @ACTORD_MESSAGE_TYPE@ of \"@ACTORD_PERSISTENCE_ID@\": @ACTORD_REASON@. The actor "
     "goes on as if it had not persisted it. This is a mistake in the plugin."},
    {"actor.snapshot-failed", "A snapshot of @ACTORD_ACTOR@ could not be stored or read",
     "@ACTORD_REASON@. No event is lost; the next recovery of \"@ACTORD_PERSISTENCE_ID@\" replays "
     "more of them."},
    {"journal.opened", "The journal of persistent actors is open",
     "It is in @ACTORD_JOURNAL_PATH@ and has @ACTORD_JOURNAL_ROWS@ rows. "
     "@ACTORD_JOURNAL_LOST_ROWS@ rows were acknowledged and are lost."},
    {"journal.failed", "The journal cannot be used: @ACTORD_JOURNAL_FAULT@",
     "@ACTORD_REASON@. Each actor that persists something meanwhile is stopped. Each further "
     "attempt tries the journal anew, and journal.recovered tells when it works again."},
    {"journal.recovered", "The journal works again",
     "What actors persist is stored again. Actors behind a back-off supervisor come back by "
     "themselves."},

    // ---- the log ----
    {"log.suppressed", "@ACTORD_COUNT@ log entries were left out",
     "What was left out: @ACTORD_OF@. Failures that repeat are counted instead of logged, see "
     "actord.log.failure-burst in actord.conf(5): the entry then names the type of failure, "
     "and the first and the last id. Other entries are left out when the log cannot be "
     "written as fast as they come."},
    {"log.journal-unusable", "The socket of the journal cannot be used",
     "@ACTORD_JOURNAL_SOCKET@: @ACTORD_JOURNAL_ERROR@\n"
     "The log goes to standard output instead, as JSON. If that is the journal's stream, each "
     "line has its priority, but the journal does not know the fields. Usually the service "
     "has a root directory of its own, or may not open the socket."},
    {"log.history-unwritable", "The events are not kept beyond a restart",
     "@ACTORD_HISTORY_ERROR@\n"
     "actord goes on, and tries again every 10 s. Until then actorctl events, failures and "
     "story know only what is in memory, actord.log.history-size of actord.conf(5)."},

    // ---- plugins ----
    {"plugin.loaded", "The plugin @ACTORD_PLUGIN@ @ACTORD_PLUGIN_VERSION@ is loaded",
     "Its file is @ACTORD_PLUGIN_FILE@. There is nothing to do."},
    {"plugin.verified", "The plugin @ACTORD_PLUGIN@ @ACTORD_PLUGIN_VERSION@ can be loaded",
     "Its file is @ACTORD_PLUGIN_FILE@. Nothing runs of it yet. It is loaded when the "
     "configuration "
     "names one of its behaviours, or by:\n"
     "    actorctl plugin load @ACTORD_PLUGIN@"},
    {"plugin.discovered", "Another build of the plugin @ACTORD_PLUGIN@ lies there",
     "@ACTORD_PLUGIN_FILE@ is version @ACTORD_PLUGIN_VERSION@ now; version @ACTORD_LOADED_VERSION@ "
     "is loaded and goes on. The new build takes effect at the next start of actord:\n"
     "    systemctl restart actord"},
    {"plugin.rejected", "The file of the plugin @ACTORD_PLUGIN@ cannot be loaded",
     "@ACTORD_PLUGIN_FILE@: @ACTORD_REASON@\n"
     "@ACTORD_HELP@\n"
     "When the file has changed it is looked at again; this looks at it at once:\n"
     "    actorctl plugin verify @ACTORD_PLUGIN_FILE@"},
    {"plugin.broken", "The plugin @ACTORD_PLUGIN@ does not survive being loaded",
     "@ACTORD_PLUGIN_FILE@: @ACTORD_REASON@\n"
     "This happened in a process of its own; actord is unharmed and has not loaded it. Tell the "
     "author of the plugin, or put another build there. This tries it again:\n"
     "    actorctl plugin verify @ACTORD_PLUGIN_FILE@"},
    {"plugin.retired", "The plugin @ACTORD_PLUGIN@ @ACTORD_PLUGIN_VERSION@ is retired",
     "An operator has asked for it. Its actors go on, and no more are created by name until:\n"
     "    actorctl plugin load @ACTORD_PLUGIN@"},
    {"plugin.unwatched", "The folder of plugins @ACTORD_FOLDER@ is not watched",
     "@ACTORD_ERROR@. @ACTORD_HELP@ Until then, tell actord of what is put there:\n"
     "    actorctl plugin rescan"},
    {"plugin.slow", "A plugin takes long to load, or to end",
     "Code of the plugin in ACTORD_PLUGIN_FILE has not returned yet; the message above says which. "
     "While the "
     "plugin is loaded, the start waits for it, until TimeoutStartSec= of the unit ends it. While "
     "it is detached, or its static objects are destroyed, the stop waits for it, until "
     "TimeoutStopSec= ends it; a second SIGTERM to actord ends it at once:\n"
     "    systemctl kill --kill-whom=main actord\n"
     "If it happens again, tell the author of the plugin. ACTORD_STACK has the calls that the "
     "thread was in, if they are known."},
    {"plugin.limit-reached", "The plugin @ACTORD_PLUGIN@ may have no more @ACTORD_RESOURCE@",
     "Its actors have @ACTORD_LIMIT@, which is the limit in actord.plugins.limits of the "
     "configuration. @ACTORD_ACTOR@ wanted more and has failed with actord::LimitReached; its "
     "supervisor decides. If the plugin needs more, raise the limit and reload:\n"
     "    systemctl reload actord\n"
     "If not, the plugin keeps what it should end; tell its author."},
    {"plugin.detach-failed", "The plugin @ACTORD_PLUGIN@ failed when it was detached",
     "@ACTORD_FAILURE_MESSAGE@\n"
     "This is a defect of the plugin; tell its author."},
    {"plugin.event", "An event of a plugin has a name that is reserved",
     "The plugin called it \"@ACTORD_PLUGIN_EVENT@\". The fields are those of the plugin. "
     "Only actord writes events with such a name; tell the author of the plugin."},

    // ---- the configuration ----
    {"config.warning", "The configuration has a value that is likely to be a mistake",
     "@ACTORD_CONFIG_FILE@, line @ACTORD_CONFIG_LINE@, column @ACTORD_CONFIG_COLUMN@. "
     "@ACTORD_HELP@\n"
     "This shows the line:\n"
     "    actorctl config check"},
    {"config.note", "The configuration has a value that deserves a look",
     "@ACTORD_CONFIG_FILE@, line @ACTORD_CONFIG_LINE@, column @ACTORD_CONFIG_COLUMN@. "
     "@ACTORD_HELP@"},
    {"config.reloaded", "A new configuration applies",
     "@ACTORD_ASKED_BY@ asked for the reload; @ACTORD_CHANGED@ things have changed, see "
     "ACTORD_CHANGES. If the entry is a warning, a part does not apply: ACTORD_LOST names "
     "actors that could not be created, ACTORD_LATE names those that still handle a message, "
     "and ACTORD_REASON tells the rest. What ACTORD_PENDING lists applies after a restart:\n"
     "    systemctl restart actord"},
    {"config.rejected", "A new configuration was rejected; the old one stays",
     "@ACTORD_ASKED_BY@ asked for the reload. The reason: @ACTORD_REASON@\n"
     "ACTORD_ERRORS has the first errors, each with its file and line. This shows all of them:\n"
     "    actorctl config check"},
    {"config.not-kept", "The files of the configuration are not kept",
     "@ACTORD_ERROR@\n"
     "actord goes on. If the files are changed to something with which it does not start, there "
     "is no copy of the last good ones in last-good/ of its state directory."},

    // ---- host processes ----
    {"worker.started", "A host process has its first actor",
     "The process @ACTORD_WORKER_PID@ has loaded the plugin @ACTORD_PLUGIN@ for actors with "
     "isolation = process, of the group @ACTORD_WORKER_GROUP@. A crash of their code is a failure "
     "of theirs, and not one of actord. There is nothing to do."},
    {"worker.crashed", "A host process of the plugin @ACTORD_PLUGIN@ has crashed",
     "The process @ACTORD_WORKER_PID@ has ended by the signal in ACTORD_SIGNAL, or with the exit "
     "status in ACTORD_EXIT. ACTORD_ACTOR and ACTORD_BEHAVIOUR name the actor that it was running, "
     "ACTORD_MESSAGE_TYPE what it was handling: most likely the defect is there. ACTORD_STACK has "
     "the calls of the thread, the innermost first:\n"
     "    journalctl ACTORD_EVENT=worker.crashed -n 1 -o json --all | jq .ACTORD_STACK\n"
     "Its @ACTORD_WORKER_RESIDENTS@ actors fail, and their supervisors decide; the entries "
     "actor.failed after this one tell. Give the stack to the author of the plugin. If the signal "
     "is SIGKILL and actord has not sent it, the kernel may have been out of memory:\n"
     "    journalctl -k -g oom-kill\n"
     "    actorctl failures"},
    {"worker.stuck", "Code of the plugin @ACTORD_PLUGIN@ does not return",
     "A handler or a hook of the actor in ACTORD_ACTOR has run for @ACTORD_DURATION_MS@ "
     "milliseconds in the process @ACTORD_WORKER_PID@, or the process was stopped from outside. "
     "ACTORD_STACK has the calls that its thread was in, if it has answered. If it does not return "
     "within actord.worker.stuck-timeout, the process is killed, and the actor fails with "
     "actord::crash::Hang. If such a time is normal, raise stuck-timeout; see actord.conf(5)."},
    {"worker.killed", "actord has killed a host process of the plugin @ACTORD_PLUGIN@",
     "The process @ACTORD_WORKER_PID@ was killed for the reason @ACTORD_REASON@; ACTORD_DETAIL "
     "tells more. hang: the handler or hook of the actor in ACTORD_ACTOR did not return within "
     "actord.worker.stuck-timeout. protocol: the process has sent what it must not send, so its "
     "memory is damaged. start-timeout: it has not loaded the plugin within "
     "actord.worker.start-timeout. stop-timeout: it did not end when it had no more to do. Its "
     "actors fail, and their supervisors decide; the entries actor.failed after this one tell."},
    {"worker.stopped", "A host process of the plugin @ACTORD_PLUGIN@ has ended in order",
     "The process @ACTORD_WORKER_PID@ had no more actors. There is nothing to do."},

    // ---- the daemon ----
    {"daemon.starting", "actord @ACTORD_VERSION@ starts",
     "Its state is in @ACTORD_STATE_DIR@. The rule for plugins is @ACTORD_PLUGINS_TRUST@ "
     "(actord.plugins.trust). \"daemon.ready\" follows when the configured actors "
     "have started."},
    {"daemon.unsafe", "Others have more power over actord, or actord has more, than needed",
     "The message says what it is. actord has started all the same. This mends it:\n"
     "    @ACTORD_HELP@"},
    {"daemon.listening", "HTTP is served at @ACTORD_HTTP_ADDRESS@",
     "It answers /metrics, /livez, /readyz and /startupz; see actord.http in actord.conf(5)."},
    {"daemon.ready", "actord is ready",
     "@ACTORD_LOST@ of @ACTORD_ACTORS@ configured actors could not be created. The start took "
     "@ACTORD_DURATION_MS@ ms."},
    {"daemon.degraded", "@ACTORD_UP@ of @ACTORD_ACTORS@ configured actors are up",
     "ACTORD_DOWN names those that are down, each with the reason: an actor that could not be "
     "created, was stopped because of a failure, or waits longer than 5 s for its restart. "
     "\"daemon.healthy\" follows when none is down any more. Actors that wait start by "
     "themselves. For the others remove the cause, then start all of them again, or one:\n"
     "    systemctl reload actord\n"
     "    actorctl start PATH\n"
     "What actord does in this case is the setting actord.on-actor-lost; see actord.conf(5)."},
    {"daemon.healthy", "No configured actor is down any more",
     "@ACTORD_UP@ of @ACTORD_ACTORS@ configured actors are up; the others have ended by "
     "themselves. It took @ACTORD_DURATION_MS@ ms."},
    {"daemon.stopping", "actord stops: @ACTORD_REASON@",
     "The actors are stopped, children before parents, and each finishes its message. If the "
     "entry is a warning, ACTORD_WAITS_FOR names actors that have not ended yet; if one "
     "does not end within actord.stop-timeout, actord names it and ends without it."},
    {"shutdown.phase", "The shutdown is in its phase @ACTORD_SHUTDOWN_PHASE@",
     "@ACTORD_SHUTDOWN_TASKS@ tasks, which actors have registered, run now, while all actors still "
     "live. What does not end within the timeout of the phase is named by shutdown.task-failed. "
     "The phases are set in actord.coordinated-shutdown; see actord.conf(5)."},
    {"shutdown.phase-skipped", "The shutdown skips its phase @ACTORD_SHUTDOWN_PHASE@",
     "@ACTORD_SHUTDOWN_TASKS@ tasks do not run, because the configuration disables the phase "
     "(enabled = off in actord.coordinated-shutdown.phases)."},
    {"shutdown.task-failed", "A task of the shutdown is not done: @ACTORD_SHUTDOWN_TASK@",
     "It belongs to @ACTORD_ACTOR@ and the phase @ACTORD_SHUTDOWN_PHASE@. The fault is "
     "@ACTORD_SHUTDOWN_FAULT@. failed: the actor has answered with a failure. timeout: it has not "
     "answered in time; raise the timeout of the phase if the task needs longer. late: the task "
     "was added when its phase was over, and has not run. Unless an entry shutdown.aborted "
     "follows, the shutdown goes on."},
    {"shutdown.aborted", "The shutdown is aborted in its phase @ACTORD_SHUTDOWN_PHASE@",
     "A task of the phase has failed, as the entry before this one says, and the configuration "
     "wants no later phase to run then (recover = off); or the handlers of actors have kept all "
     "threads busy for longer than all phases may take together. The actors are stopped at once, "
     "and the "
     "exit status is 70. What the later phases were to do has not been done."},
    {"daemon.stopped", "actord has stopped with the exit status @ACTORD_EXIT@",
     "The reason: @ACTORD_REASON@. If the status is not 0, ACTORD_ERROR tells more, and the "
     "entries before this one have the details. The statuses are those of sysexits(3): 64 the "
     "command line, 65 a refused plugin, 66 no configuration file, 69 a guardian failed or an "
     "actor is lost "
     "(actord.on-actor-lost), 70 "
     "an internal error, a plugin that called exit(), or actors that did not stop in time, 71 the "
     "system refused a resource, 75 the "
     "start failed and may "
     "succeed later, 77 no permission, 78 errors in the configuration."},
    {"daemon.crashed", "actord has crashed",
     "The process has ended, and all its actors with it: by the signal ACTORD_SIGNAL, or because "
     "code of a plugin has called ACTORD_CALL, such as exit(0). ACTORD_ACTOR and ACTORD_BEHAVIOUR "
     "name the actor that the thread was running, ACTORD_MESSAGE_TYPE what it was handling, "
     "and ACTORD_PLUGIN or ACTORD_PLUGIN_FILE the plugin, if the thread ran one: most likely "
     "the defect is there. Records that were not written yet are lost. If systemd-coredump is "
     "installed, the stack is in the core file:\n"
     "    coredumpctl info actord"},
    {"daemon.crash-found", "The run of actord before this one has crashed",
     "It was ended at @ACTORD_CRASH_TS@ as the entry daemon.crashed of that run says, which may be "
     "missing if the machine has gone down with it. ACTORD_STACK has the calls of the thread, the "
     "innermost first. ACTORD_CRASH_CHARGED is charged with it: a configured actor fails with the "
     "crash before it is created, and its supervisor decides; the next entries tell. All that is "
     "known, and what an author of the plugin needs:\n"
     "    actorctl crash show @ACTORD_CRASH_ID@\n"
     "    actorctl crash export @ACTORD_CRASH_ID@"},
    {"quarantine.failed", "A file of the quarantine of messages cannot be used",
     "@ACTORD_QUARANTINE_ERROR@\n"
     "@ACTORD_HELP@."},
    {"daemon.crash-unrecorded",
     "A crash of actord would leave no record, or has left a damaged one",
     "@ACTORD_CRASH_ERROR@\n"
     "actord runs all the same. Until that is mended, what crashes it is not held to account."},
    {"daemon.signal-ignored", "actord has ignored @ACTORD_SIGNAL@",
     "A process has sent it, probably by mistake: ACTORD_PEER_PID, of the user ACTORD_PEER_USER. "
     "It came @ACTORD_COUNT@ times since the last such entry. SIGHUP reloads the configuration, "
     "SIGTERM stops actord, and actorctl does the rest."},

    // ---- clients ----
    {"admin.command", "The user @ACTORD_PEER_UID@ asked for @ACTORD_VERB@",
     "The process id of the command is @ACTORD_PEER_PID@, and its name is ACTORD_PEER_COMMAND if "
     "/proc shows it. The arguments: @ACTORD_ARGUMENTS@"},
    {"admin.denied", "The user @ACTORD_PEER_UID@ has asked for what it may not do",
     "The process id of the command is @ACTORD_PEER_PID@. Root and the members of the socket's "
     "group may use the admin socket; this adds a user to the group:\n"
     "    usermod -aG actord NAME\n"
     "If the entry has a field ACTORD_VERB, the user may use the socket, and its role, "
     "ACTORD_ROLE, "
     "does not suffice for that verb: see actord.admin.roles in actord.conf(5)."},
    {"admin.accept-failed", "A client of the admin socket cannot be connected",
     "@ACTORD_ADMIN_SOCKET@: @ACTORD_ADMIN_ERROR@\n"
     "The client waits, and actord tries again five times a second. If it has too many open files, "
     "a plugin may leave them open, or the limit of the unit is too low (LimitNOFILE=):\n"
     "    ls -l /proc/$(systemctl show -P MainPID actord)/fd"},
};

}  // namespace

std::span<const CatalogueText> catalogue_texts() noexcept { return texts; }

}  // namespace actord::manual
