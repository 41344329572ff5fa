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
    Kinds,          \* in which ways a claim may ask: "exclusive" and "read"
    Downgrades,     \* whether who holds the lock exclusively may go on as a reader
    OneProcess,     \* whether all are attempts of one process, each with a claim of its own, so that all live while one does
    SingleAttempts, \* whether there are attempts without waiting
    FaultKinds,     \* those of "timeout", "replay", "crash", "pause" and "promotion" that happen
    MaxFaults,      \* how many of them happen in one run
    Punctual,       \* whether nobody delays anything over a tick (faults aside)
    LostMessages,   \* whether messages about grants may be lost although everybody is punctual
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
WaitForReaders       == Rule("wait for readers")        \* no exclusive claim enters beside readers
ReadInTurn           == Rule("read in turn")            \* a reader waits behind an exclusive claim that waits
ReadTogether         == Rule("read together")           \* readers in a row are let in together
LeavingLetsIn        == Rule("leaving lets in")         \* a waiter that leaves lets in who may enter then
BuryReaders          == Rule("bury readers")            \* tombstones also for those who ask to read
ReaderFromSending    == Rule("reader from sending")     \* a reader's lease too is counted from the sending of its command
ReaderNeverShorter   == Rule("reader never shorter")    \* no command shortens a reader's lease
NewNumber            == Rule("new number")              \* "still" has a number of its own
DowngradeByOwner     == Rule("downgrade by owner")      \* a downgrade does nothing for a claim that does not own the lock
DowngradeKeepsLease  == Rule("downgrade keeps lease")   \* who is downgraded reads for what is left of the lease
DowngradeLetsIn      == Rule("downgrade lets in")       \* a downgrade lets in the readers that wait right behind
RepeatDowngrade      == Rule("repeat downgrade")        \* a downgrade without an answer is sent again
GiveBackUnwanted     == Rule("give back")               \* what is granted to a claim that was given up is released again
Inquire              == Rule("inquire")                 \* who asks again lets those inside be asked whether they know of it

ASSUME /\ Lease > 0 /\ GrantLease > 0 /\ LiveWindow > 0
       /\ FaultKinds \subseteq {"timeout", "replay", "crash", "pause", "promotion"}
       /\ Kinds \subseteq {"exclusive", "read"}
       /\ Broken \subseteq {"fresh claims", "tombstones", "bury is kept", "repeat release", "deadline from sending", "answered basis",
                            "grant after busy", "prolong only while valid", "never shorten", "wait for readers", "read in turn",
                            "read together", "leaving lets in", "bury readers", "reader from sending", "reader never shorter",
                            "new number", "downgrade by owner", "downgrade keeps lease", "downgrade lets in", "repeat downgrade",
                            "give back", "inquire"}

VARIABLES
    server,    \* what Redis holds: owner, ttl, readers, fence, queue, live, gone
    client,    \* what each process knows, and its commands under way
    stray,     \* commands that nobody waits for any more, yet may still run: at any time, in any order, or never
    granted,   \* messages about grants under way, and those that ask whether a claim is still wanted, with the fence 0
    replica,   \* what a replica holds that hears nothing any more, and may be promoted: a sequence of one, or of none
    faults,    \* how many faults may still happen
    started,   \* the greatest fence of a tenure that has started, and of one that has started exclusively
    ordered,   \* whether tenures started in the order of their fences
    overtaken, \* whether anybody entered before a live claim that had stood before it in the queue
    unused     \* for how many ticks the lock, since it changed hands, was of no use to a live client that might have had it

vars == <<server, client, stray, granted, replica, faults, started, ordered, overtaken, unused>>

Nobody == <<>>
Kept   == <<"kept">>     \* the owner while a minimum hold time runs on after the release

HasReplica == replica # <<>>
Promoted   == FaultKinds = {"promotion"} /\ faults < MaxFaults

Max(a, b)   == IF a > b THEN a ELSE b
Less(a, b)  == IF a > b THEN a - b ELSE 0
Oldest      == Max(Lease, GrantLease)
Older(age)  == IF age < Oldest THEN age + 1 ELSE age
Among(x, q) == \E i \in 1..Len(q) : q[i] = x
Without(q, x) == SelectSeq(q, LAMBDA y : y # x)
RemoveAt(q, i) == SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

-----------------------------------------------------------------------------
(* The scripts. A claim's id is <<its process, its number, whether it asks to read>>. Each script takes what Redis holds and
   gives what it holds then, its reply, and the messages that it publishes. `readers` has for each claim that reads the ticks
   that are left of its lease. *)

NoReaders == [id \in {} |-> 0]
Reads(id) == id[3]
Insiders(s) == (DOMAIN s.readers \cup {s.owner}) \ {Nobody, Kept}
IsInside(s, id) == s.owner = id \/ id \in DOMAIN s.readers

Says(kind) == [kind |-> kind, fence |-> 0]
Numbered(s, kind) == [Says(kind) EXCEPT !.fence = s.fence]

Answer(s, reply, messages) ==
    [server   |-> IF s.queue = <<>> THEN [s EXCEPT !.live = [c \in Clients |-> 0]] ELSE s,
     reply    |-> reply,
     messages |-> messages]

ReadFor(s, id, time) == [s EXCEPT !.readers = (id :> time) @@ @]

Enter(s, id, time) ==
    LET numbered == [s EXCEPT !.fence = @ + 1, !.queue = Without(@, id)]
    IN  IF Reads(id) THEN ReadFor(numbered, id, time) ELSE [numbered EXCEPT !.owner = id, !.ttl = time]

Prolong(s, id) ==
    IF s.owner = id
    THEN [s EXCEPT !.ttl = IF NeverShorten THEN Max(@, Lease) ELSE Lease]
    ELSE [s EXCEPT !.readers[id] = IF ReaderNeverShorter THEN Max(@, Lease) ELSE Lease]

RECURSIVE DropDeadHeads(_)
DropDeadHeads(s) ==
    IF s.queue # <<>> /\ s.live[Head(s.queue)[1]] = 0
    THEN DropDeadHeads([s EXCEPT !.queue = Tail(@)])
    ELSE s

\* Lets in whoever may enter now; `may` says whether the claim `me`, which is not let in here, may enter as well.
RECURSIVE LetIn(_, _, _)
LetIn(before, me, messages) ==
    LET s      == IF before.owner = Nobody THEN DropDeadHeads(before) ELSE before
        first  == Head(s.queue)
        empty  == s.readers = NoReaders \/ ~WaitForReaders
        result == [server |-> s, messages |-> messages, may |-> FALSE]
        more   == Enter(s, first, GrantLease)
        told   == messages \cup {[claim |-> first, fence |-> more.fence]}
    IN  IF s.owner # Nobody THEN result
        ELSE IF s.queue = <<>> \/ first = me THEN [result EXCEPT !.may = me # Nobody /\ (Reads(me) \/ empty)]
        ELSE IF ~Reads(first) /\ ~empty THEN [result EXCEPT !.may = me # Nobody /\ Reads(me) /\ ~ReadInTurn]
        ELSE IF ~ReadTogether /\ me = Nobody THEN [result EXCEPT !.server = more, !.messages = told]
        ELSE LetIn(more, me, told)

\* Whether those who are inside know of it.
Questions(s) == {[claim |-> id, fence |-> 0] : id \in Insiders(s)}

Acquire(s, id, wait) ==
    IF id \in s.gone THEN Answer(s, Numbered(s, "gone"), {})
    ELSE IF s.owner = id THEN Answer(Prolong(s, id), Numbered(s, "ok"), {})
    ELSE IF id \in DOMAIN s.readers
    THEN LET still == [Prolong(s, id) EXCEPT !.fence = IF NewNumber THEN @ + 1 ELSE @]
         IN  Answer(still, Numbered(still, "still"), {})
    ELSE
        LET present == IF wait
                       THEN [s EXCEPT !.live = [c \in Clients |-> IF OneProcess \/ c = id[1] THEN LiveWindow ELSE @[c]]]
                       ELSE s
            in      == LetIn(present, id, {})
            mine    == Enter(in.server, id, Lease)
            behind  == LetIn(mine, Nobody, in.messages)
            join(q) == IF wait /\ ~Among(id, q) THEN Append(q, id) ELSE q
            again   == Inquire /\ wait /\ Among(id, s.queue)
        IN  IF in.may
            THEN Answer(behind.server, Numbered(mine, "ok"), behind.messages)
            ELSE Answer([in.server EXCEPT !.queue = join(@)], Numbered(in.server, "busy"),
                        IF again THEN in.messages \cup Questions(in.server) ELSE in.messages)

\* What is only kept for its minimum time belongs to nobody. Of several such times, only the longest matters.
KeepReading(s, keep) ==
    IF keep = 0 THEN s ELSE ReadFor(s, Kept, Max(keep, IF Kept \in DOMAIN s.readers THEN s.readers[Kept] ELSE 0))

StopReading(s, id) == [s EXCEPT !.readers = [r \in DOMAIN @ \ {id} |-> @[r]]]

Release(s, id, bury, keep) ==
    LET tombstone == bury /\ Tombstones /\ (BuryReaders \/ ~Reads(id))
        buried == IF tombstone THEN [s EXCEPT !.gone = @ \cup {id}] ELSE s
        left   == IF s.owner = id
                  THEN [buried EXCEPT !.owner = IF keep > 0 THEN Kept ELSE Nobody, !.ttl = keep]
                  ELSE IF id \in DOMAIN s.readers THEN KeepReading(StopReading(buried, id), keep)
                  ELSE [buried EXCEPT !.queue = Without(@, id)]
        in     == LetIn(left, Nobody, {})
    IN  IF IsInside(s, id) THEN Answer(in.server, Says("released"), in.messages)
        ELSE IF Among(id, s.queue) /\ LeavingLetsIn THEN Answer(in.server, Says("not mine"), in.messages)
        ELSE Answer(left, Says("not mine"), {})

Renew(s, id) ==
    IF IsInside(s, id) THEN Answer(Prolong(s, id), Says("ok"), {}) ELSE Answer(s, Says("not mine"), {})

Downgrade(s, id) ==
    LET time   == IF DowngradeKeepsLease THEN s.ttl ELSE GrantLease
        shared == ReadFor([s EXCEPT !.owner = Nobody, !.ttl = 0], id, time)
        in     == LetIn(shared, Nobody, {})
    IN  IF s.owner = id
        THEN IF DowngradeLetsIn THEN Answer(in.server, Says("released"), in.messages)
             ELSE Answer(shared, Says("released"), {})
        ELSE IF id \in DOMAIN s.readers THEN Answer(s, Says("released"), {})
        ELSE Answer(IF DowngradeByOwner THEN s ELSE ReadFor(s, id, Lease), Says("not mine"), {})

Run(s, c, command) ==
    LET id == <<c, command.n, command.reads>>
    IN  CASE command.op = "acquire"   -> Acquire(s, id, command.wait)
          [] command.op = "renew"     -> Renew(s, id)
          [] command.op = "release"   -> Release(s, id, command.bury, command.keep)
          [] command.op = "downgrade" -> Downgrade(s, id)

-----------------------------------------------------------------------------
(* A client's side. `age` (the ticks since t) and `told` (f) are those of a waiting claim; `left` and `fence` those of a
   held lease; `reads` says that the claim asks to read, `shared` that it was downgraded; `bury` says that a copy of an acquire
   may still be under way when the claim is given up. `pipe` holds the commands under way in the order of the connection: those
   in front have run, and their replies come back in order. A late one has timed out; the client no longer counts on it.
   `leaving` holds the releases and downgrades that were not answered yet. *)

NotYet == [kind |-> "none", fence |-> 0]

Command(op, k) ==
    [op |-> op, n |-> k.n, reads |-> k.reads, wait |-> FALSE, bury |-> FALSE, keep |-> 0, age |-> 0, late |-> FALSE, reply |-> NotYet]

IsUnderWay(k, op, n) == \E i \in 1..Len(k.pipe) : k.pipe[i].op = op /\ k.pipe[i].n = n /\ ~k.pipe[i].late

Send(k, command) == [k EXCEPT !.pipe = Append(@, command)]
HasRoom(k) == Len(k.pipe) < MaxPipe
Active(k) == k.mode # "dead" /\ ~k.paused

Rest(k, mode) ==
    [k EXCEPT !.mode = mode, !.age = 0, !.told = 0, !.left = 0, !.fence = 0, !.bury = FALSE, !.due = FALSE,
              !.shared = FALSE, !.reads = @ /\ mode = "holding"]

\* Gives the claim up, whatever it has: the release also leaves the queue.
Leave(k, keep) ==
    LET bury    == k.bury \/ IsUnderWay(k, "acquire", k.n)
        command == [Command("release", k) EXCEPT !.bury = bury, !.keep = keep]
    IN  [Send(Rest(k, "idle"), command) EXCEPT !.leaving = @ \cup {command}]

Start(k, left, fence) ==
    [Rest(k, "holding") EXCEPT
        !.left = left, !.fence = fence, !.bury = k.bury /\ (BuryIsKept \/ ~IsUnderWay(k, "acquire", k.n))]

LeftOf(command) ==
    Less(Lease, IF DeadlineFromSending /\ (ReaderFromSending \/ ~command.reads) THEN command.age ELSE 0)

Prolonged(k, command) ==
    IF k.left > 0 \/ ~ProlongOnlyWhileValid THEN [k EXCEPT !.left = Max(@, LeftOf(command))] ELSE k

\* What a client makes of the reply to an acquire of its present claim.
OnAcquired(k, command) ==
    LET reply == command.reply
    IN  CASE k.mode \in {"waiting", "trying"} /\ reply.kind \in {"ok", "still"} ->
                IF LeftOf(command) > 0 THEN Start(k, LeftOf(command), reply.fence) ELSE Leave(k, 0)
          [] k.mode = "waiting" /\ reply.kind = "busy" ->
                [k EXCEPT !.age = command.age, !.told = reply.fence]
          [] k.mode = "trying" /\ reply.kind = "busy" ->
                IF k.bury THEN Leave(k, 0) ELSE Rest(k, "idle")
          [] k.mode = "holding" /\ reply.kind = "ok" /\ reply.fence = k.fence -> Prolonged(k, command)
          [] k.mode = "holding" /\ reply.kind = "still" -> Prolonged(k, command)
          [] k.mode = "holding" /\ reply.kind = "busy" /\ reply.fence >= k.fence -> [k EXCEPT !.left = 0]
          [] OTHER -> k

OnRenewed(k, command) ==
    IF k.mode # "holding" THEN k
    ELSE IF command.reply.kind = "ok" THEN Prolonged(k, command)
    ELSE [k EXCEPT !.left = 0]

Settled(k, command) ==
    [k EXCEPT !.leaving = {r \in @ : r.n # command.n \/ r.op # command.op}]

OnDowngraded(k, command) ==
    LET lost == command.reply.kind = "not mine" /\ k.mode = "holding" /\ k.n = command.n
    IN  Settled(IF lost THEN [k EXCEPT !.left = 0] ELSE k, command)

OnReply(k, command) ==
    CASE command.op = "release" -> Settled(k, command)
      [] command.op = "downgrade" -> OnDowngraded(k, command)
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
    LET id == <<r.who, r.command.n, r.command.reads>>
    IN  \/ ~FreshClaims
        \/ r.command.op = "downgrade" /\ ~DowngradeByOwner
        \/ IsBidding(ks, id)
        \/ IsInside(s, id)
        \/ Among(id, s.queue)
        \/ id \notin s.gone /\ AcquireMayRun(ks, strays, id)

\* A release that is under way is repeated until it is answered.
IsUnwanted(ks, id) ==
    ks[id[1]].mode # "dead" /\ ~IsBidding(ks, id) /\ ~\E r \in ks[id[1]].leaving : r.n = id[2] /\ r.op = "release"

ForWaiter(ks, m) ==
    LET k == ks[m.claim[1]]
    IN  k.mode = "waiting" /\ k.n = m.claim[2] /\ m.fence > 0 /\ (GrantAfterBusy => m.fence > k.told)

\* To give back what Redis does not hold for the claim changes nothing.
ForNobody(s, ks, m) == GiveBackUnwanted /\ IsUnwanted(ks, m.claim) /\ IsInside(s, m.claim)

Matters(s, ks, m) == ForWaiter(ks, m) \/ ForNobody(s, ks, m)

IsReading(k) == k.reads \/ k.shared

Valid(c) == client[c].mode = "holding" /\ client[c].left > 0

Became(k, old) == k.mode = "holding" /\ k.left > 0 /\ ~(old.mode = "holding" /\ old.n = k.n /\ old.left > 0)

Become(s, ks, strays, messages) ==
    LET new == {c \in Clients : Became(ks[c], client[c])}
    IN  /\ server' = [s EXCEPT !.gone = {id \in @ : IsBidding(ks, id) \/ AcquireMayRun(ks, strays, id)}]
        /\ client' = ks
        /\ stray' = {r \in strays : Changes(s, ks, strays, r)}
        /\ granted' = {m \in messages : Matters(s, ks, m)}
        /\ IF new = {} THEN UNCHANGED <<started, ordered>>
           ELSE LET c     == CHOOSE c \in new : TRUE
                    k     == ks[c]
                    again == client[c].mode = "holding"
                    last  == IF IsReading(k) THEN started.exclusive ELSE started.any
                IN  /\ started' = [any |-> Max(started.any, k.fence),
                                   exclusive |-> IF IsReading(k) THEN started.exclusive ELSE Max(started.exclusive, k.fence)]
                    /\ ordered' = (ordered /\ (k.fence > last \/ (again /\ k.fence = last)))

Update(c, k) == Become(server, [client EXCEPT ![c] = k], stray, granted)

-----------------------------------------------------------------------------
(* What a client does of its own accord, at any time. *)

Bid(c, wait, kind) ==
    LET k == client[c]
        n == IF FreshClaims THEN k.n + 1 ELSE 1
        mode == IF wait THEN "waiting" ELSE "trying"
        bidder == [Rest(k, mode) EXCEPT !.n = n, !.reads = (kind = "read")]
        command == [Command("acquire", bidder) EXCEPT !.wait = wait]
    IN  /\ k.mode = "idle" /\ Active(k) /\ HasRoom(k)
        /\ FreshClaims => n <= Claims
        /\ wait \/ SingleAttempts
        /\ Update(c, Send(bidder, command))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

Beat(c) ==
    LET k == client[c]
    IN  /\ k.mode = "waiting" /\ Active(k) /\ HasRoom(k)
        /\ ~IsUnderWay(k, "acquire", k.n)
        /\ IF Punctual THEN k.due ELSE k.age > 0
        /\ Update(c, [Send(k, [Command("acquire", k) EXCEPT !.wait = TRUE]) EXCEPT !.due = FALSE])
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

\* A waiter gives up; a holder is done, or finds its lease lost. After a promotion, whoever waits goes on waiting.
GiveUp(c) ==
    LET k == client[c]
    IN  /\ k.mode \in {"waiting", "trying", "holding"} /\ Active(k) /\ HasRoom(k)
        /\ Promoted => k.mode = "holding"
        /\ \E keep \in {0, Keep} :
              /\ keep > 0 => k.mode = "holding"
              /\ Update(c, Leave(k, keep))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

RenewLease(c) ==
    LET k == client[c]
    IN  /\ k.mode = "holding" /\ Active(k) /\ HasRoom(k)
        /\ 0 < k.left /\ k.left < Oldest
        /\ ~IsUnderWay(k, "renew", k.n)
        /\ Update(c, Send(k, Command("renew", k)))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

\* The last exclusive hold ends, and a reading one is left.
Share(c) ==
    LET k == client[c]
        command == Command("downgrade", k)
    IN  /\ Downgrades
        /\ k.mode = "holding" /\ Active(k) /\ HasRoom(k)
        /\ 0 < k.left /\ ~IsReading(k)
        /\ Update(c, Send([k EXCEPT !.shared = TRUE, !.leaving = @ \cup {command}], command))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

SendAgain(c) ==
    LET k == client[c]
    IN  /\ Active(k) /\ HasRoom(k)
        /\ \E command \in k.leaving :
              /\ ~IsUnderWay(k, command.op, command.n)
              /\ Update(c, Send(k, command))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

(* What the server and the network do. *)

Before(a, b, q) == \E i, j \in 1..Len(q) : i < j /\ q[i] = a /\ q[j] = b

\* Who has not stood in the queue stands behind all who do.
Overtakes(s, id) ==
    /\ ~IsInside(server, id)
    /\ \E i \in 1..Len(s.queue) :
          LET other == s.queue[i]
          IN  s.live[other[1]] > 0 /\ Among(other, server.queue) /\ ~Before(id, other, server.queue)

\* Whenever the lock changes hands, its new owner's time to make use of it begins.
\* After a promotion that does not count for a new owner whose claim nobody has.
Served(s) ==
    /\ unused' = IF \/ s.fence = server.fence
                    \/ Promoted /\ \A id \in Insiders(s) : IsInside(server, id) \/ ~IsBidding(client, id)
                 THEN unused ELSE 0
    /\ overtaken' = (overtaken \/ \E id \in Insiders(s) : Overtakes(s, id))

RunNext(c) ==
    LET k == client[c]
    IN  \E i \in 1..Len(k.pipe) :
          /\ k.pipe[i].reply = NotYet
          /\ \A j \in 1..(i - 1) : k.pipe[j].reply # NotYet
          /\ LET answer == Run(server, c, k.pipe[i])
             IN  /\ Become(answer.server, [client EXCEPT ![c].pipe[i].reply = answer.reply],
                           stray, granted \cup answer.messages)
                 /\ Served(answer.server)
          /\ UNCHANGED <<replica, faults>>

RunStray(r) ==
    LET answer == Run(server, r.who, r.command)
    IN  /\ Become(answer.server, client, stray \ {r}, granted \cup answer.messages)
        /\ Served(answer.server)
        /\ UNCHANGED <<replica, faults>>

Receive(c) ==
    LET k == client[c]
    IN  /\ Active(k)
        /\ k.pipe # <<>>
        /\ Head(k.pipe).reply # NotYet
        /\ Update(c, OnReply([k EXCEPT !.pipe = Tail(@)], Head(k.pipe)))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

\* The section starts at once; a renewal confirms it at any later time, or never.
ReceiveGrant(m) ==
    LET c == m.claim[1]
        k == client[c]
        underWay == {i \in 1..Len(k.pipe) : k.pipe[i].op = "acquire" /\ k.pipe[i].n = k.n}
        age == IF ~AnsweredBasis /\ underWay # {} THEN k.pipe[CHOOSE i \in underWay : TRUE].age ELSE k.age
    IN  /\ Active(k)
        /\ ForWaiter(client, m)
        /\ age < GrantLease
        /\ Update(c, Start(k, GrantLease - age, m.fence))
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

\* Nobody wants it: it goes back.
ReceiveUnwanted(m) ==
    LET c == m.claim[1]
        k == client[c]
        command == [Command("release", k) EXCEPT !.n = m.claim[2], !.reads = m.claim[3]]
    IN  /\ Active(k) /\ HasRoom(k)
        /\ ForNobody(server, client, m)
        /\ Update(c, [Send(k, command) EXCEPT !.leaving = @ \cup {command}])
        /\ UNCHANGED <<replica, faults, overtaken, unused>>

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
                  repeats == CASE command.op = "release" -> RepeatRelease
                               [] command.op = "downgrade" -> RepeatDowngrade
                               [] OTHER -> TRUE
                  dropped == IF repeats THEN marked ELSE Settled(marked, command)
              IN  /\ ~command.late
                  /\ Become(server, [client EXCEPT ![c] = dropped],
                            IF answered \/ command.reply # NotYet THEN stray ELSE stray \cup {AsStray(c, command)}, granted)
        /\ UNCHANGED <<replica, overtaken, unused>>

\* The connection is made anew while a command is under way: the command is sent again, and both copies may run.
Replay(c) ==
    LET k == client[c]
    IN  /\ Fault("replay") /\ k.mode # "dead"
        /\ \E i \in 1..Len(k.pipe) :
              LET command == k.pipe[i]
                  marked  == IF command.op = "acquire" /\ command.n = k.n /\ k.mode # "idle"
                             THEN [k EXCEPT !.bury = TRUE] ELSE k
              IN  Become(server, [client EXCEPT ![c] = marked], stray \cup {AsStray(c, command)}, granted)
        /\ UNCHANGED <<replica, overtaken, unused>>

Crash(c) ==
    LET k == client[c]
        unread == {i \in 1..Len(k.pipe) : k.pipe[i].reply = NotYet}
    IN  /\ Fault("crash") /\ k.mode # "dead"
        /\ Become(server,
                  [client EXCEPT ![c] = [Rest(k, "dead") EXCEPT !.pipe = <<>>, !.leaving = {}, !.paused = FALSE]],
                  stray \cup {AsStray(c, k.pipe[i]) : i \in unread}, granted)
        /\ UNCHANGED <<replica, overtaken, unused>>

\* Only with Punctual; else everybody may pause anyway.
Pause(c) ==
    /\ Punctual /\ Fault("pause") /\ Active(client[c])
    /\ Update(c, [client[c] EXCEPT !.paused = TRUE])
    /\ UNCHANGED <<replica, overtaken, unused>>

\* A replica hears nothing of its master from now on. Nothing is under way, so that it knows all that others have been answered.
Detach ==
    /\ "promotion" \in FaultKinds /\ faults > 0 /\ ~HasReplica
    /\ \A c \in Clients : client[c].pipe = <<>>
    /\ replica' = <<server>>
    /\ UNCHANGED <<server, client, stray, granted, faults, started, ordered, overtaken, unused>>

\* It becomes the master. Answers that were under way have arrived; what has not run is sent again, and waiters ask at once.
\* Messages that were under way are lost. Fencing numbers go by the clock of Redis, so that they go on.
Promote ==
    LET Reconnected(k) == [k EXCEPT !.bury = @ \/ IsUnderWay(k, "acquire", k.n), !.due = @ \/ (Punctual /\ k.mode = "waiting")]
    IN  /\ HasReplica /\ Fault("promotion")
        /\ \A c \in Clients : \A i \in 1..Len(client[c].pipe) : client[c].pipe[i].reply = NotYet
        /\ Become([replica[1] EXCEPT !.fence = server.fence], [c \in Clients |-> Reconnected(client[c])], {}, {})
        /\ replica' = <<>>
        /\ UNCHANGED <<overtaken, unused>>

Resume(c) ==
    /\ client[c].paused
    /\ Update(c, [client[c] EXCEPT !.paused = FALSE])
    /\ UNCHANGED <<replica, faults, overtaken, unused>>

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
                          IF @[i].op \in {"release", "downgrade"} THEN @[i] ELSE [@[i] EXCEPT !.age = Older(@)]]]

\* Whether a client waits although nobody keeps it out who makes use of the lock, or who is alive and stands before it.
Misses(c) ==
    LET k  == client[c]
        id == <<c, k.n, k.reads>>
        KeepsOut(d) == Valid(d) /\ (~k.reads \/ ~IsReading(client[d]))
        ComesFirst(d) ==
            LET other == <<d, client[d].n, client[d].reads>>
            IN  /\ client[d].mode = "waiting" /\ Active(client[d]) /\ ~client[d].reads
                /\ Among(other, server.queue) /\ ~Before(id, other, server.queue)
    IN  /\ k.mode = "waiting" /\ Active(k)
        /\ server.owner # Kept
        /\ k.reads \/ Kept \notin DOMAIN server.readers
        /\ ~\E d \in Clients : KeepsOut(d)
        /\ k.reads /\ (\E d \in Clients : Valid(d)) => ~\E d \in Clients : ComesFirst(d)

Aged(s) ==
    [s EXCEPT !.ttl = Less(@, 1),
              !.owner = IF s.ttl <= 1 THEN Nobody ELSE @,
              !.readers = [id \in {r \in DOMAIN @ : @[r] > 1} |-> @[id] - 1],
              !.live = [c \in Clients |-> Less(@[c], 1)]]

Tick ==
    /\ Punctual => \A c \in Clients : IsDone(client[c])
    /\ ~LostMessages => granted = {}
    /\ Become(Aged(server), [c \in Clients |-> Later(client[c])], stray, granted)
    /\ replica' = IF HasReplica THEN <<Aged(replica[1])>> ELSE replica
    /\ unused' = IF Punctual /\ \E c \in Clients : Misses(c) THEN unused + 1 ELSE 0
    /\ UNCHANGED <<faults, overtaken>>

-----------------------------------------------------------------------------

Init ==
    /\ server = [owner |-> Nobody, ttl |-> 0, readers |-> NoReaders, fence |-> 0, queue |-> <<>>,
                  live |-> [c \in Clients |-> 0], gone |-> {}]
    /\ client = [c \in Clients |->
                   [mode |-> "idle", n |-> 0, reads |-> FALSE, shared |-> FALSE, age |-> 0, told |-> 0, left |-> 0, fence |-> 0, bury |-> FALSE,
                    due |-> FALSE, paused |-> FALSE, pipe |-> <<>>, leaving |-> {}]]
    /\ stray = {} /\ granted = {} /\ replica = <<>>
    /\ faults = MaxFaults
    /\ started = [any |-> 0, exclusive |-> 0] /\ ordered = TRUE /\ overtaken = FALSE /\ unused = 0

Next ==
    \/ \E c \in Clients :
          \/ \E wait \in BOOLEAN, kind \in Kinds : Bid(c, wait, kind)
          \/ Beat(c) \/ GiveUp(c) \/ RenewLease(c) \/ Share(c) \/ SendAgain(c)
          \/ RunNext(c) \/ Receive(c)
          \/ TimeOut(c) \/ Replay(c) \/ Crash(c) \/ Pause(c) \/ Resume(c)
    \/ \E r \in stray : RunStray(r)
    \/ \E m \in granted : ReceiveGrant(m) \/ ReceiveUnwanted(m)
    \/ Detach \/ Promote
    \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold in every state. *)

\* While a client's exclusive lease is valid by its own clock, nobody else has a lease that is.
Exclusion ==
    \A a, b \in Clients : a # b /\ Valid(a) /\ Valid(b) => IsReading(client[a]) /\ IsReading(client[b])

\* Exclusive tenures start after all those of smaller fences, readers after the exclusive ones of smaller fences. None comes
\* back after a later one that it could not stand beside, and no two have the same.
FencingOrder ==
    /\ ordered
    /\ \A a, b \in Clients : a # b /\ Valid(a) /\ Valid(b) => client[a].fence # client[b].fence

\* Nobody takes, shortens or renumbers what somebody validly holds.
OwnerOnly ==
    \A c \in Clients : Valid(c) =>
        LET k  == client[c]
            id == <<c, k.n, k.reads>>
        IN  \/ /\ server.owner = id /\ ~k.reads
               /\ server.ttl >= k.left
               /\ server.fence = k.fence
            \/ /\ id \in DOMAIN server.readers /\ IsReading(k)
               /\ server.readers[id] >= k.left
               /\ server.fence >= k.fence

\* A claim that was given up, and whose release was answered if one was needed, has left nothing behind, for good.
NoOrphan ==
    \A c \in Clients : \A n \in 1..client[c].n, reads \in BOOLEAN :
        \/ client[c].mode = "dead"
        \/ IsBidding(client, <<c, n, reads>>)
        \/ \E r \in client[c].leaving : r.n = n /\ r.op = "release"
        \/ ~IsInside(server, <<c, n, reads>>) /\ ~Among(<<c, n, reads>>, server.queue)

\* Nobody enters before a live claim that stood before it.
InTurn == ~overtaken

\* Who might have the lock, for all who use it and all who stand before it, has it in time. Says something only with Punctual.
NoLostWaiter == unused <= Patience

\* A waiter that was told BUSY and never misses a heartbeat stays in the queue until it owns the lock. Only with Punctual.
KeepsPlace ==
    \A c \in Clients :
        client[c].mode = "waiting" /\ Active(client[c]) /\ client[c].told > 0 =>
            LET id == <<c, client[c].n, client[c].reads>>
            IN  IsInside(server, id) \/ Among(id, server.queue)

\* Not a property of the protocol but of this exploration: how many tenures it looks at.
Bounded == server.fence <= MaxFence

Symmetry == Permutations(Clients)
=============================================================================
