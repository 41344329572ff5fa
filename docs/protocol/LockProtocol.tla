---------------------------- MODULE LockProtocol ----------------------------
(***************************************************************************)
(* One lock name: the Redis side with its scripts, the processes that want *)
(* the lock, and everything under way between them. What is modelled, what *)
(* is not, and what was explored: specification.md beside this file.       *)
(*                                                                         *)
(* Time is a number of ticks that is the same for all, but nobody reads    *)
(* it: every deadline is kept as the ticks that are left of it and every   *)
(* send time as the ticks since then, so runs of any length are covered by *)
(* a finite number of states. A client may do nothing for any number of    *)
(* ticks, which is a pause; a command, a reply or a message may take for   *)
(* ever, which for a message is also its loss. With Punctual, time waits   *)
(* until everybody has done what is due: only then can we ask how long a   *)
(* waiter waits.                                                           *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Clients,        \* the processes
    Claims,         \* how many claims (tenures or vain bids) each process makes
    MaxFence,       \* how many tenures there are in all
    MaxPipe,        \* how many commands of one process are under way at once
    Lease,          \* ticks
    GrantLease,     \* ticks
    LiveWindow,     \* ticks; the heartbeat is one tick
    Keep,           \* a minimum hold time that a release may leave behind, in ticks; 0: none does
    SingleAttempts, \* whether there are attempts without waiting
    FaultKinds,     \* those of "timeout", "replay", "crash" and "pause" that happen
    MaxFaults,      \* how many of them happen in one run
    Punctual,       \* whether nobody delays anything over a tick (faults aside)
    Patience,       \* how many ticks a lock may stay unused while a live client waits for it
    Broken          \* the rules that are left out, to show what they are for; none in the protocol itself

Rule(name) == name \notin Broken

FreshClaims          == Rule("fresh claims")            \* every tenure has an id of its own
Tombstones           == Rule("tombstones")              \* an acquire that comes after its claim was given up does nothing
BuryIsKept           == Rule("bury is kept")            \* what may run late is remembered when waiting turns into holding
RepeatRelease        == Rule("repeat release")          \* a release without an answer is sent again
DeadlineFromSending  == Rule("deadline from sending")   \* a lease is counted from the sending of its command
AnsweredBasis        == Rule("answered basis")          \* a grant is counted from the last acquire that was answered
GrantAfterBusy       == Rule("grant after busy")        \* a grant older than what BUSY told is ignored
ProlongOnlyWhileValid == Rule("prolong only while valid") \* no reply revives a lease whose deadline has passed
NeverShorten         == Rule("never shorten")           \* no command shortens the time to live

ASSUME /\ Lease > 0 /\ GrantLease > 0 /\ LiveWindow > 0
       /\ FaultKinds \subseteq {"timeout", "replay", "crash", "pause"}
       /\ Broken \subseteq {"fresh claims", "tombstones", "bury is kept", "repeat release", "deadline from sending", "answered basis",
                            "grant after busy", "prolong only while valid", "never shorten"}

VARIABLES
    server,    \* what Redis holds: owner, ttl, fence, queue, live, gone
    client,    \* what each process knows, and its commands under way
    stray,     \* commands that nobody waits for any more, yet may still run: at any time, in any order, or never
    granted,   \* messages about grants under way
    faults,    \* how many faults may still happen
    started,   \* the fence of the tenure that started last
    ordered,   \* whether tenures started in the order of their fences
    unused     \* for how many ticks the lock, since it changed hands, was of no use to anybody while a live client waited

vars == <<server, client, stray, granted, faults, started, ordered, unused>>

Nobody == <<>>
Kept   == <<"kept">>     \* the owner while a minimum hold time runs on after the release

Max(a, b)   == IF a > b THEN a ELSE b
Less(a, b)  == IF a > b THEN a - b ELSE 0
Oldest      == Max(Lease, GrantLease)
Older(age)  == IF age < Oldest THEN age + 1 ELSE age
Among(x, q) == \E i \in 1..Len(q) : q[i] = x
Without(q, x) == SelectSeq(q, LAMBDA y : y # x)
RemoveAt(q, i) == SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

-----------------------------------------------------------------------------
(* The scripts. A claim's id is <<its process, its number>>. Each script takes what Redis holds and gives what it holds
   then, its reply, and the messages that it publishes. *)

Answer(s, kind, messages) ==
    [server   |-> IF s.queue = <<>> THEN [s EXCEPT !.live = [c \in Clients |-> 0]] ELSE s,
     reply    |-> [kind |-> kind, fence |-> s.fence],
     messages |-> messages]

Give(s, id, time) ==
    [s EXCEPT !.owner = id, !.ttl = time, !.fence = @ + 1, !.queue = Without(@, id)]

RECURSIVE DropDeadHeads(_)
DropDeadHeads(s) ==
    IF s.queue # <<>> /\ s.live[Head(s.queue)[1]] = 0
    THEN DropDeadHeads([s EXCEPT !.queue = Tail(@)])
    ELSE s

Prolong(s) == [s EXCEPT !.ttl = IF NeverShorten THEN Max(@, Lease) ELSE Lease]

Grant(s) == Give(s, Head(s.queue), GrantLease)
GrantMessage(s) == {[claim |-> Head(s.queue), fence |-> s.fence + 1]}

Acquire(s, id, wait) ==
    IF id \in s.gone THEN Answer(s, "gone", {})
    ELSE IF s.owner = id THEN Answer(Prolong(s), "ok", {})
    ELSE
        LET present == IF wait THEN [s EXCEPT !.live[id[1]] = LiveWindow] ELSE s
            purged  == IF present.owner = Nobody THEN DropDeadHeads(present) ELSE present
            free    == purged.owner = Nobody
            join(q) == IF wait /\ ~Among(id, q) THEN Append(q, id) ELSE q
        IN  IF free /\ (purged.queue = <<>> \/ Head(purged.queue) = id)
            THEN Answer(Give(purged, id, Lease), "ok", {})
            ELSE IF free
            THEN Answer([Grant(purged) EXCEPT !.queue = join(@)], "busy", GrantMessage(purged))
            ELSE Answer([purged EXCEPT !.queue = join(@)], "busy", {})

Release(s, id, bury, keep) ==
    LET buried == IF bury /\ Tombstones THEN [s EXCEPT !.gone = @ \cup {id}] ELSE s
        purged == DropDeadHeads(buried)
    IN  IF buried.owner # id
        THEN Answer([buried EXCEPT !.queue = Without(@, id)], "not mine", {})
        ELSE IF keep > 0
        THEN Answer([buried EXCEPT !.owner = Kept, !.ttl = keep], "released", {})
        ELSE IF purged.queue = <<>>
        THEN Answer([purged EXCEPT !.owner = Nobody, !.ttl = 0], "released", {})
        ELSE Answer(Grant(purged), "released", GrantMessage(purged))

Renew(s, id) ==
    IF s.owner = id THEN Answer(Prolong(s), "ok", {}) ELSE Answer(s, "not mine", {})

Run(s, c, command) ==
    LET id == <<c, command.n>>
    IN  CASE command.op = "acquire" -> Acquire(s, id, command.wait)
          [] command.op = "renew"   -> Renew(s, id)
          [] command.op = "release" -> Release(s, id, command.bury, command.keep)

-----------------------------------------------------------------------------
(* A client's side. `age` (the ticks since t) and `told` (f) are those of a waiting claim; `left` and `fence` those of a
   held lease; `bury` says that a copy of an acquire may still be under way when the claim is given up. `pipe` holds the
   commands under way in the order of the connection: those in front have run, and their replies come back in order. A late
   one has timed out; the client no longer counts on it. *)

NotYet == [kind |-> "none", fence |-> 0]

Command(op, n) ==
    [op |-> op, n |-> n, wait |-> FALSE, bury |-> FALSE, keep |-> 0, age |-> 0, late |-> FALSE, reply |-> NotYet]

IsUnderWay(k, op, n) == \E i \in 1..Len(k.pipe) : k.pipe[i].op = op /\ k.pipe[i].n = n /\ ~k.pipe[i].late

Send(k, command) == [k EXCEPT !.pipe = Append(@, command)]
HasRoom(k) == Len(k.pipe) < MaxPipe
Active(k) == k.mode # "dead" /\ ~k.paused

Rest(k, mode) ==
    [k EXCEPT !.mode = mode, !.age = 0, !.told = 0, !.left = 0, !.fence = 0, !.bury = FALSE, !.due = FALSE]

\* Gives the claim up, whatever it has: the release also leaves the queue.
Leave(k, keep) ==
    LET bury    == k.bury \/ IsUnderWay(k, "acquire", k.n)
        command == [Command("release", k.n) EXCEPT !.bury = bury, !.keep = keep]
    IN  [Send(Rest(k, "idle"), command) EXCEPT !.leaving = @ \cup {command}]

Start(k, left, fence) ==
    [Rest(k, "holding") EXCEPT
        !.left = left, !.fence = fence, !.bury = k.bury /\ (BuryIsKept \/ ~IsUnderWay(k, "acquire", k.n))]

LeftOf(command) == Less(Lease, IF DeadlineFromSending THEN command.age ELSE 0)

Prolonged(k, command) ==
    IF k.left > 0 \/ ~ProlongOnlyWhileValid THEN [k EXCEPT !.left = Max(@, LeftOf(command))] ELSE k

\* What a client makes of the reply to an acquire of its present claim.
OnAcquired(k, command) ==
    LET reply == command.reply
    IN  CASE k.mode \in {"waiting", "trying"} /\ reply.kind = "ok" ->
                IF LeftOf(command) > 0 THEN Start(k, LeftOf(command), reply.fence) ELSE Leave(k, 0)
          [] k.mode = "waiting" /\ reply.kind = "busy" ->
                [k EXCEPT !.age = command.age, !.told = reply.fence]
          [] k.mode = "trying" /\ reply.kind = "busy" ->
                IF k.bury THEN Leave(k, 0) ELSE Rest(k, "idle")
          [] k.mode = "holding" /\ reply.kind = "ok" /\ reply.fence = k.fence -> Prolonged(k, command)
          [] k.mode = "holding" /\ reply.kind = "busy" /\ reply.fence >= k.fence -> [k EXCEPT !.left = 0]
          [] OTHER -> k

OnRenewed(k, command) ==
    IF k.mode # "holding" THEN k
    ELSE IF command.reply.kind = "ok" THEN Prolonged(k, command)
    ELSE [k EXCEPT !.left = 0]

OnReleased(k, command) ==
    [k EXCEPT !.leaving = {r \in @ : r.n # command.n}]

OnReply(k, command) ==
    CASE command.op = "release" -> OnReleased(k, command)
      [] command.op = "acquire" /\ command.n = k.n -> OnAcquired(k, command)
      [] command.op = "renew" /\ command.n = k.n -> OnRenewed(k, command)
      [] OTHER -> k

-----------------------------------------------------------------------------
(* What can make no difference any more is forgotten, so that states are not told apart by it. *)

IsBidding(ks, id) == ks[id[1]].n = id[2] /\ ks[id[1]].mode \notin {"idle", "dead"}

AcquireMayRun(ks, strays, id) ==
    \/ \E r \in strays : r.who = id[1] /\ r.command.op = "acquire" /\ r.command.n = id[2]
    \/ LET pipe == ks[id[1]].pipe      \* even if it has run: it may be sent again
       IN  \E i \in 1..Len(pipe) : pipe[i].op = "acquire" /\ pipe[i].n = id[2]

Changes(s, ks, strays, r) ==
    LET id == <<r.who, r.command.n>>
    IN  \/ ~FreshClaims
        \/ IsBidding(ks, id)
        \/ s.owner = id
        \/ Among(id, s.queue)
        \/ id \notin s.gone /\ AcquireMayRun(ks, strays, id)

Matters(ks, m) ==
    LET k == ks[m.claim[1]]
    IN  k.mode = "waiting" /\ k.n = m.claim[2] /\ (GrantAfterBusy => m.fence > k.told)

Became(k, old) == k.mode = "holding" /\ k.left > 0 /\ ~(old.mode = "holding" /\ old.n = k.n /\ old.left > 0)

Become(s, ks, strays, messages) ==
    LET new == {c \in Clients : Became(ks[c], client[c])}
    IN  /\ server' = [s EXCEPT !.gone = {id \in @ : IsBidding(ks, id) \/ AcquireMayRun(ks, strays, id)}]
        /\ client' = ks
        /\ stray' = {r \in strays : Changes(s, ks, strays, r)}
        /\ granted' = {m \in messages : Matters(ks, m)}
        /\ IF new = {} THEN UNCHANGED <<started, ordered>>
           ELSE LET c == CHOOSE c \in new : TRUE
                    again == client[c].mode = "holding"
                IN  /\ started' = Max(started, ks[c].fence)
                    /\ ordered' = (ordered /\ (ks[c].fence > started \/ (again /\ ks[c].fence = started)))

Update(c, k) == Become(server, [client EXCEPT ![c] = k], stray, granted)

-----------------------------------------------------------------------------
(* What a client does of its own accord, at any time. *)

Bid(c, wait) ==
    LET k == client[c]
        n == IF FreshClaims THEN k.n + 1 ELSE 1
        command == [Command("acquire", n) EXCEPT !.wait = wait]
        mode == IF wait THEN "waiting" ELSE "trying"
    IN  /\ k.mode = "idle" /\ Active(k) /\ HasRoom(k)
        /\ FreshClaims => n <= Claims
        /\ wait \/ SingleAttempts
        /\ Update(c, Send([Rest(k, mode) EXCEPT !.n = n], command))
        /\ UNCHANGED <<faults, unused>>

Beat(c) ==
    LET k == client[c]
    IN  /\ k.mode = "waiting" /\ Active(k) /\ HasRoom(k)
        /\ ~IsUnderWay(k, "acquire", k.n)
        /\ IF Punctual THEN k.due ELSE k.age > 0
        /\ Update(c, [Send(k, [Command("acquire", k.n) EXCEPT !.wait = TRUE]) EXCEPT !.due = FALSE])
        /\ UNCHANGED <<faults, unused>>

\* A waiter gives up; a holder is done, or finds its lease lost.
GiveUp(c) ==
    LET k == client[c]
    IN  /\ k.mode \in {"waiting", "trying", "holding"} /\ Active(k) /\ HasRoom(k)
        /\ \E keep \in {0, Keep} :
              /\ keep > 0 => k.mode = "holding"
              /\ Update(c, Leave(k, keep))
        /\ UNCHANGED <<faults, unused>>

RenewLease(c) ==
    LET k == client[c]
    IN  /\ k.mode = "holding" /\ Active(k) /\ HasRoom(k)
        /\ 0 < k.left /\ k.left < Oldest
        /\ ~IsUnderWay(k, "renew", k.n)
        /\ Update(c, Send(k, Command("renew", k.n)))
        /\ UNCHANGED <<faults, unused>>

ReleaseAgain(c) ==
    LET k == client[c]
    IN  /\ Active(k) /\ HasRoom(k)
        /\ \E command \in k.leaving :
              /\ ~IsUnderWay(k, "release", command.n)
              /\ Update(c, Send(k, command))
        /\ UNCHANGED <<faults, unused>>

(* What the server and the network do. *)

\* Whenever the lock changes hands, its new owner's time to make use of it begins.
Wasted(s) == unused' = IF s.fence = server.fence THEN unused ELSE 0

RunNext(c) ==
    LET k == client[c]
    IN  \E i \in 1..Len(k.pipe) :
          /\ k.pipe[i].reply = NotYet
          /\ \A j \in 1..(i - 1) : k.pipe[j].reply # NotYet
          /\ LET answer == Run(server, c, k.pipe[i])
             IN  /\ Become(answer.server, [client EXCEPT ![c].pipe[i].reply = answer.reply],
                           stray, granted \cup answer.messages)
                 /\ Wasted(answer.server)
          /\ UNCHANGED faults

RunStray(r) ==
    LET answer == Run(server, r.who, r.command)
    IN  /\ Become(answer.server, client, stray \ {r}, granted \cup answer.messages)
        /\ Wasted(answer.server)
        /\ UNCHANGED faults

Receive(c) ==
    LET k == client[c]
    IN  /\ Active(k)
        /\ k.pipe # <<>>
        /\ Head(k.pipe).reply # NotYet
        /\ Update(c, OnReply([k EXCEPT !.pipe = Tail(@)], Head(k.pipe)))
        /\ UNCHANGED <<faults, unused>>

\* The section starts at once; a renewal confirms it at any later time, or never.
ReceiveGrant(m) ==
    LET c == m.claim[1]
        k == client[c]
        underWay == {i \in 1..Len(k.pipe) : k.pipe[i].op = "acquire" /\ k.pipe[i].n = k.n}
        age == IF ~AnsweredBasis /\ underWay # {} THEN k.pipe[CHOOSE i \in underWay : TRUE].age ELSE k.age
    IN  /\ Active(k)
        /\ age < GrantLease
        /\ Update(c, Start(k, GrantLease - age, m.fence))
        /\ UNCHANGED <<faults, unused>>

(* Faults. *)

Fault(kind) == kind \in FaultKinds /\ faults > 0 /\ faults' = faults - 1

AsStray(c, command) == [who |-> c, command |-> [command EXCEPT !.age = 0, !.late = FALSE, !.reply = NotYet]]

\* The client stops waiting for a reply, and keeps its claim. The reply may come all the same and is taken as what it is, or
\* never; then nobody knows when the command runs.
TimeOut(c) ==
    LET k == client[c]
    IN  /\ Fault("timeout") /\ Active(k)
        /\ \E i \in 1..Len(k.pipe), answered \in BOOLEAN :
              LET command == k.pipe[i]
                  rest    == IF answered THEN [k EXCEPT !.pipe[i].late = TRUE] ELSE [k EXCEPT !.pipe = RemoveAt(@, i)]
                  marked  == IF command.op = "acquire" /\ command.n = k.n /\ k.mode # "idle"
                             THEN [rest EXCEPT !.bury = TRUE] ELSE rest
                  dropped == IF command.op = "release" /\ ~RepeatRelease
                             THEN OnReleased(marked, command) ELSE marked
              IN  /\ ~command.late
                  /\ Become(server, [client EXCEPT ![c] = dropped],
                            IF answered \/ command.reply # NotYet THEN stray ELSE stray \cup {AsStray(c, command)}, granted)
        /\ UNCHANGED unused

\* The connection is made anew while a command is under way: the command is sent again, and both copies may run.
Replay(c) ==
    LET k == client[c]
    IN  /\ Fault("replay") /\ k.mode # "dead"
        /\ \E i \in 1..Len(k.pipe) :
              LET command == k.pipe[i]
                  marked  == IF command.op = "acquire" /\ command.n = k.n /\ k.mode # "idle"
                             THEN [k EXCEPT !.bury = TRUE] ELSE k
              IN  Become(server, [client EXCEPT ![c] = marked], stray \cup {AsStray(c, command)}, granted)
        /\ UNCHANGED unused

Crash(c) ==
    LET k == client[c]
        unread == {i \in 1..Len(k.pipe) : k.pipe[i].reply = NotYet}
    IN  /\ Fault("crash") /\ k.mode # "dead"
        /\ Become(server,
                  [client EXCEPT ![c] = [Rest(k, "dead") EXCEPT !.pipe = <<>>, !.leaving = {}, !.paused = FALSE]],
                  stray \cup {AsStray(c, k.pipe[i]) : i \in unread}, granted)
        /\ UNCHANGED unused

\* Only with Punctual; else everybody may pause anyway.
Pause(c) ==
    /\ Punctual /\ Fault("pause") /\ Active(client[c])
    /\ Update(c, [client[c] EXCEPT !.paused = TRUE])
    /\ UNCHANGED unused

Resume(c) ==
    /\ client[c].paused
    /\ Update(c, [client[c] EXCEPT !.paused = FALSE])
    /\ UNCHANGED <<faults, unused>>

(* Time. *)

IsDone(k) ==
    IF k.paused THEN \A i \in 1..Len(k.pipe) : k.pipe[i].reply # NotYet
    ELSE /\ k.pipe = <<>> /\ k.leaving = {} /\ ~k.due
         /\ k.mode # "trying"
         /\ k.mode = "holding" => k.left > 0

Later(k) ==
    [k EXCEPT !.left = Less(@, 1),
              !.age  = IF k.mode = "waiting" THEN Older(@) ELSE @,
              !.due  = Punctual /\ k.mode = "waiting",
              !.pipe = [i \in 1..Len(@) |->
                          IF @[i].op = "release" THEN @[i] ELSE [@[i] EXCEPT !.age = Older(@)]]]

InUse == server.owner = Kept \/ \E c \in Clients : client[c].mode = "holding" /\ client[c].left > 0
Wanted == \E c \in Clients : client[c].mode = "waiting" /\ Active(client[c])

Tick ==
    /\ Punctual => \A c \in Clients : IsDone(client[c])
    /\ Become([server EXCEPT !.ttl = Less(@, 1),
                             !.owner = IF server.ttl <= 1 THEN Nobody ELSE @,
                             !.live = [c \in Clients |-> Less(@[c], 1)]],
              [c \in Clients |-> Later(client[c])], stray, granted)
    /\ unused' = IF Punctual /\ Wanted /\ ~InUse THEN unused + 1 ELSE 0
    /\ UNCHANGED faults

-----------------------------------------------------------------------------

Init ==
    /\ server = [owner |-> Nobody, ttl |-> 0, fence |-> 0, queue |-> <<>>, live |-> [c \in Clients |-> 0], gone |-> {}]
    /\ client = [c \in Clients |->
                   [mode |-> "idle", n |-> 0, age |-> 0, told |-> 0, left |-> 0, fence |-> 0, bury |-> FALSE,
                    due |-> FALSE, paused |-> FALSE, pipe |-> <<>>, leaving |-> {}]]
    /\ stray = {} /\ granted = {}
    /\ faults = MaxFaults
    /\ started = 0 /\ ordered = TRUE /\ unused = 0

Next ==
    \/ \E c \in Clients :
          \/ \E wait \in BOOLEAN : Bid(c, wait)
          \/ Beat(c) \/ GiveUp(c) \/ RenewLease(c) \/ ReleaseAgain(c)
          \/ RunNext(c) \/ Receive(c)
          \/ TimeOut(c) \/ Replay(c) \/ Crash(c) \/ Pause(c) \/ Resume(c)
    \/ \E r \in stray : RunStray(r)
    \/ \E m \in granted : ReceiveGrant(m)
    \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold in every state. *)

Valid(c) == client[c].mode = "holding" /\ client[c].left > 0

\* No two clients have a lease that is valid by their own clocks.
Exclusion == \A a, b \in Clients : Valid(a) /\ Valid(b) => a = b

\* Tenures start in the order of their fences, and none comes back after a later one.
FencingOrder == ordered

\* Nobody takes, shortens or renumbers what somebody validly holds.
OwnerOnly ==
    \A c \in Clients : Valid(c) =>
        /\ server.owner = <<c, client[c].n>>
        /\ server.ttl >= client[c].left
        /\ server.fence = client[c].fence

\* A claim that was given up, and whose release was answered if one was needed, has left nothing behind, for good.
NoOrphan ==
    \A c \in Clients : \A n \in 1..client[c].n :
        \/ client[c].mode = "dead"
        \/ IsBidding(client, <<c, n>>)
        \/ \E r \in client[c].leaving : r.n = n
        \/ server.owner # <<c, n>> /\ ~Among(<<c, n>>, server.queue)

\* A lock that is of use to nobody goes to a waiter in time. Says something only with Punctual.
NoLostWaiter == unused <= Patience

\* A waiter that was told BUSY and never misses a heartbeat stays in the queue until it owns the lock. Only with Punctual.
KeepsPlace ==
    \A c \in Clients :
        client[c].mode = "waiting" /\ Active(client[c]) /\ client[c].told > 0 =>
            server.owner = <<c, client[c].n>> \/ Among(<<c, client[c].n>>, server.queue)

\* Not a property of the protocol but of this exploration: how many tenures it looks at.
Bounded == server.fence <= MaxFence

Symmetry == Permutations(Clients)
=============================================================================
