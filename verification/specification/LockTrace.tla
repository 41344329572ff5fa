------------------------------ MODULE LockTrace ------------------------------
(***************************************************************************)
(* What the real scripts do, compared with LockProtocol; see README.md.    *)
(* Processes are not looked at: the steps are random, and reuse claims.    *)
(* Times are in ms: steps happen at whole seconds, which are the ticks,    *)
(* and leases end at half ones.                                            *)
(***************************************************************************)
EXTENDS Integers, Sequences, TLC, Steps \* Steps is made from a trace: Runs, each a sequence of steps

VARIABLES
    run,    \* which run this is
    step,   \* how many of its steps have been taken
    seen,   \* the last one
    server, \* what Redis stores by the specification
    answer, \* the script's reply and its messages, and whether it drew a number
    living  \* the processes that have not died

Processes == {"host:a", "host:b", "host:c"}

INSTANCE LockProtocol WITH
    Clients <- Processes, GrantLease <- 4, LivenessTimeout <- 4, FastPath <- TRUE, Draws <- TRUE, Heartbeats <- TRUE, Quota <- 100,
    Broken <- {"fresh claims"}, OneProcess <- FALSE, Clocked <- FALSE,
    \* Scripts do not look at these.
    Claims <- 0, MaxFence <- 0, MaxPipe <- 0, Lease <- 1, MinHoldTime <- 0, Kinds <- {}, SingleAttempts <- TRUE,
    RepeatPause <- 0, FaultKinds <- {}, Punctual <- FALSE, LostMessages <- TRUE, Patience <- 0,
    client <- <<>>, stray <- {}, granted <- {}, replica <- <<>>, faults <- 0, started <- <<>>, ordered <- TRUE, overtaken <- FALSE,
    orphaned <- 0, unused <- 0

Ticks(millis) == (millis + 999) \div 1000

-----------------------------------------------------------------------------
(* The commands of a process, some of which are two scripts. *)

\* A contended key lives for the lease and the liveness timeout. Each ends at a half second, so together one tick earlier than their ticks
\* say: at a moment of a step, which may find the key or not.
SetOrAcquire(s) ==
    LET ends == s.key = 1 /\ s.ttl = 0
        set  == SetIfAbsent([s EXCEPT !.key = 0], seen'.id, Ticks(seen'.lease))
    IN  IF s.key = 0 \/ (ends /\ seen'.reply = "no number")
        THEN [set EXCEPT !.reply.kind = "no number"]
        ELSE Acquire(s, seen'.id, seen'.wait, Ticks(seen'.lease))

DropOrRelease(s) ==
    LET dropped == Drop(s, seen'.id)
    IN  IF dropped.reply.kind = "released" THEN dropped ELSE Release(s, seen'.id, FALSE, 0)

\* After the heartbeat left this behind, those of the claims acquire that are not queued.
RECURSIVE AcquireAbsent(_, _, _)
AcquireAbsent(s, after, entries) ==
    IF entries = <<>> THEN [server |-> s, replies |-> <<>>, messages |-> {}]
    ELSE LET first == Head(entries)
             waits == Among(first.id, after.queue) /\ after.owner # first.id
             one   == IF waits THEN [server |-> s, reply |-> Says("busy"), messages |-> {}]
                      ELSE Acquire(s, first.id, TRUE, Ticks(first.lease))
             rest  == AcquireAbsent(one.server, after, Tail(entries))
         IN  [rest EXCEPT !.replies = <<one.reply.kind>> \o @, !.messages = one.messages \cup @]

HeartbeatAndAcquire(s) ==
    LET heartbeat == Heartbeat(s, Head(seen'.entries).id)
        all  == AcquireAbsent(heartbeat.server, heartbeat.server, seen'.entries)
    IN  [server |-> all.server, reply |-> [kind |-> all.replies], messages |-> heartbeat.messages \cup all.messages]

\* Not in the specification: whoever is inside loses the lock, and the queue comes next.
ForceRelease(s) ==
    LET in == AdmitAny([Own(s, Nobody, 0, FALSE) EXCEPT !.readers = NoReaders])
    IN  IF IsFree(s) THEN Answer(s, Says("nobody"), {}) ELSE Admitting(Freed(in), in, Says("released"))

Answered(s) ==
    CASE seen'.verb = "acquire"       -> Acquire(s, seen'.id, seen'.wait, Ticks(seen'.lease))
      [] seen'.verb = "uncontended acquire" -> SetOrAcquire(s)
      [] seen'.verb = "heartbeat"     -> HeartbeatAndAcquire(s)
      [] seen'.verb = "release"       -> Release(s, seen'.id, seen'.tombstone, Ticks(seen'.minHold))
      [] seen'.verb = "uncontended release" -> DropOrRelease(s)
      [] seen'.verb = "renew"         -> Renew(s, seen'.id, Ticks(seen'.lease))
      [] seen'.verb = "number"        -> Draw(s, seen'.id, 0)
      [] seen'.verb = "force release" -> ForceRelease(s)

RECURSIVE Passed(_, _)
Passed(s, seconds) == IF seconds = 0 THEN s ELSE Passed(Aged(s), seconds - 1)

\* A queue that nobody looks at for half a minute is forgotten. Only a single step takes that long.
Forgotten(s, seconds) == IF seconds < 30 THEN s ELSE [s EXCEPT !.queue = <<>>]

-----------------------------------------------------------------------------

Nothing == [reply |-> "", told |-> {}, drew |-> FALSE]

TraceInit ==
    /\ run \in 1..Len(Runs) /\ step = 0 /\ seen = [verb |-> "begin"] /\ answer = Nothing /\ living = Processes
    /\ server = [owner |-> Nobody, ttl |-> 0, key |-> 0, time |-> 0, readers |-> NoReaders, fence |-> 0, whose |-> Nobody,
                 known |-> 0, queue |-> <<>>, live |-> [p \in Processes |-> 0], gone |-> {}]

TraceNext ==
    /\ step < Len(Runs[run])
    /\ step' = step + 1
    /\ seen' = Runs[run][step']
    /\ CASE seen'.verb = "pass" -> server' = Passed(Forgotten(server, seen'.seconds), seen'.seconds) /\ answer' = Nothing /\ UNCHANGED living
         [] seen'.verb = "die"  -> living' = living \ {seen'.process} /\ answer' = Nothing /\ UNCHANGED server
         [] OTHER ->
              LET result == Answered(server)
              IN  /\ server' = result.server
                  /\ answer' = [reply |-> result.reply.kind,
                                told  |-> {m.claim : m \in {n \in result.messages : n.kind = "granted"}},
                                drew  |-> server'.fence > server.fence]
                  /\ UNCHANGED living
    /\ UNCHANGED run

TraceSpec == TraceInit /\ [][TraceNext]_<<run, step, seen, server, answer, living>>

-----------------------------------------------------------------------------

IsCommand == seen.verb \notin {"begin", "pass", "die"}

SameReply == IsCommand => answer.reply = seen.reply

\* Who was told that it holds the lock now.
SameMessages == IsCommand => answer.told = seen.told

SameNumbers == IsCommand => answer.drew = seen.drew

SameHolders ==
    LET owner   == IF server.owner = Nobody THEN {} ELSE {<<server.owner, server.ttl>>}
        readers == {<<id, server.readers[id]>> : id \in DOMAIN server.readers}
    IN  IsCommand => /\ owner = {<<holder.id, Ticks(holder.left)>> : holder \in seen.owner}
                     /\ readers = {<<holder.id, Ticks(holder.left)>> : holder \in seen.readers}

\* Whether the owner is contended shows in how long its key lives. A key of a lease and a liveness timeout ends at a whole second, one tick
\* early; see SetOrAcquire. Claims of the dead may stay queued, and the owner contended, for longer than the specification says.
SameKey ==
    LET uncontended == server.owner # Nobody /\ ~IsContended(server)
    IN  IsCommand /\ living = Processes =>
            IF uncontended THEN Ticks(seen.key) = server.key ELSE (seen.key + 500) \div 1000 = Less(server.key, 1)

\* Claims of the dead stay queued until somebody comes by.
SameQueue == IsCommand => SelectSeq(server.queue, LAMBDA id : id[1] \in living) = seen.queue
=============================================================================
