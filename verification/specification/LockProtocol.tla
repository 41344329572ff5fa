---------------------------- MODULE LockProtocol ----------------------------
(***************************************************************************)
(* One lock name: the Redis scripts, the processes that want the lock, and *)
(* everything under way between them. README.md, beside this file,         *)
(* says what is modelled, what is not, and what the properties mean.       *)
(*                                                                         *)
(* All share one clock, but nobody reads it: a deadline is kept as         *)
(* remaining ticks and a send time as ticks since then.                    *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
    Clients,         \* the processes
    Claims,          \* how many claims, successful or not, each process makes
    MaxFence,        \* how many acquisitions succeed in all
    MaxPipe,         \* how many commands of a process are under way at once
    Lease,           \* ticks
    GrantLease,      \* ticks
    LivenessTimeout, \* ticks; the heartbeat is one tick
    MinHoldTime,     \* a minimum hold time that a release may leave behind, in ticks; 0 for none
    Kinds,           \* what claims may ask for: "exclusive", "read", or a permit, knowing of "1 permit" or "2 permits"
    OneProcess,      \* whether all claims belong to one process, so that a heartbeat of one shows that all live
    SingleAttempts,  \* whether some attempts do not wait
    FastPath,        \* whether claims may be acquired by SET and released by a comparing DEL
    Draws,           \* whether a claim that was acquired by SET may be numbered later
    Heartbeats,      \* whether heartbeats are the script heartbeat; otherwise they are acquires, as where replicas must acknowledge
    Quota,           \* how many claims a run of a script admits or drops: a hundred, which is no limit here, or less
    RepeatPause,     \* ticks between two repetitions of a release whose SET may run late
    Clocked,         \* whether numbers come from the time, and the old master stays reachable after a promotion
    FaultKinds,      \* which of "timeout", "replay", "crash", "pause" and "promotion" may happen; one in a run
    Punctual,        \* whether nobody delays anything beyond a tick (faults aside)
    LostMessages,    \* whether grant messages may be lost even if everybody is punctual
    Patience,        \* for how many ticks a lock may stay unused while a live client waits for it
    Broken           \* the rules to omit, to show why they are needed; none in the protocol itself

Rule(name) == name \notin Broken

FreshClaims           == Rule("fresh claims")             \* claims are never reused
Tombstones            == Rule("tombstones")               \* a late acquire of an abandoned claim does nothing
TombstoneIsRemembered == Rule("tombstone is remembered")  \* a waiter that becomes a holder remembers what may run late
RepeatRelease         == Rule("repeat release")           \* an unanswered release is repeated
DeadlineFromSending   == Rule("deadline from sending")    \* a lease counts from the sending of its command
ProlongOnlyWhileValid == Rule("prolong only while valid") \* no reply revives an ended lease
NeverShorten          == Rule("never shorten")            \* no command shortens the time to live
WaitForReaders        == Rule("wait for readers")         \* readers keep exclusive claims out
ReadInTurn            == Rule("read in turn")             \* a reader waits behind a waiting exclusive claim
ReadTogether          == Rule("read together")            \* adjacent readers are admitted together
LeavingAdmits         == Rule("leaving admits")           \* a leaving waiter admits those behind it
TombstoneReaders      == Rule("tombstone readers")        \* tombstones for readers too
ReaderFromSending     == Rule("reader from sending")      \* a reader's lease counts from the sending of its command too
ReaderNeverShorter    == Rule("reader never shorter")     \* no command shortens a reader's lease
NewNumber             == Rule("new number")               \* "still" issues a new number
GiveBackUnwanted      == Rule("give back")                \* a grant to an abandoned claim is released
ProbeOwners           == Rule("probe owners")             \* waiters have holders asked whether they know of their claims
ContendedKey          == Rule("contended key")            \* the owner key outlives the lease while claims wait
ContendedEachTime     == Rule("contended each time")      \* not only a claim's first enqueue makes the owner contended, but each heartbeat
ContendedGrants       == Rule("contended grants")         \* a grant leaves the owner contended if other claims remain queued
ContendedMinHold      == Rule("contended min hold")       \* the owner key outlives a minimum hold time too
CountPermits          == Rule("count permits")            \* a claim that asks for a permit counts itself beside those inside
OwnLimit              == Rule("own limit")                \* it counts by its own limit, whatever the others know
AdmitBeside           == Rule("admit beside")             \* a heartbeat admits beside holders: one permit whose lease ends makes room
AdmitBesideReaders    == Rule("admit beside readers")     \* beside readers too: a writer ahead has died, or an admission is unfinished
ReadersTypeTag        == Rule("readers type tag")         \* the owner key exists while anybody reads
KnowItself            == Rule("know itself")              \* an acquire knows its own claim as the owner
NumberOwner           == Rule("number owner")             \* an acquire numbers the claim that owns the lock already
DropUncontendedOnly   == Rule("drop uncontended only")    \* the fast release leaves a contended owner key alone
ScriptNext            == Rule("script next")              \* a fast release that did nothing is followed by the script
RepeatForLateSet      == Rule("repeat for late set")      \* a release is repeated while the claim's SET may run late
GiveUpSet             == Rule("give up set")              \* the claim of a SET that may be answered late never asks by the script
NumberAtDraw          == Rule("number at draw")           \* a number says when it was drawn, not that less its lock's age

ASSUME /\ Lease > 0 /\ GrantLease > 0 /\ LivenessTimeout > 0
       /\ FaultKinds \subseteq {"timeout", "replay", "crash", "pause", "promotion"}
       /\ Kinds \subseteq {"exclusive", "read", "1 permit", "2 permits", "3 permits"}
       /\ MinHoldTime > 0 => Kinds \subseteq {"exclusive", "read"}

VARIABLES
    server,    \* what Redis stores: owner, ttl, key, readers, fence and whose it is, queue, live, gone; for numbers, time and known
    client,    \* what each process knows, and its commands under way
    stray,     \* commands that nobody waits for but that may still run: at any time, in any order, or never
    granted,   \* messages under way: that a claim was granted the lock, or asking whether it is still wanted
    replica,   \* what a detached replica, which may be promoted, stores, or later the old master: a sequence of one, or empty
    faults,    \* how many faults may still happen
    started,   \* the greatest fence of any holder that has started, and of an exclusive one
    ordered,   \* whether holders started in the order of their fences
    overtaken, \* whether a claim entered before a live one that was queued ahead of it
    orphaned,  \* for how many ticks a late SET has owned the lock for an abandoned claim
    unused     \* for how many ticks since the last hand-over the lock was useless to a live client that could have had it

vars == <<server, client, stray, granted, replica, faults, started, ordered, overtaken, orphaned, unused>>

Nobody == <<>>

\* Who owns the lock, or reads, while the claim's minimum hold time continues after its release.
MinHoldOf(id) == <<"minimum hold", id, id[3]>>
IsMinHold(id) == id # Nobody /\ id[1] = "minimum hold"

Promoted   == FaultKinds = {"promotion"} /\ faults = 0
HasReplica == replica # <<>> /\ ~Promoted

Max(a, b)   == IF a > b THEN a ELSE b
Less(a, b)  == IF a > b THEN a - b ELSE 0
Oldest      == Max(Lease, GrantLease)
Older(age)  == IF age < Oldest THEN age + 1 ELSE age
Among(x, q) == \E i \in 1..Len(q) : q[i] = x
Without(q, x) == SelectSeq(q, LAMBDA y : y # x)
RemoveAt(q, i) == SubSeq(q, 1, i - 1) \o SubSeq(q, i + 1, Len(q))

-----------------------------------------------------------------------------
(* The scripts. A claim's id is <<process, number, kind>>. Each script maps what Redis stores to what it stores afterwards, a reply,
   and published messages. `readers` maps each claim that reads to the remaining ticks of its lease; a permit is a reader that counts.
   The owner key exists for `key` ticks: as long as the owner's lease (`ttl`), or longer by the liveness timeout if it is contended. Without
   an owner it is the readers' type tag, or out of date. *)

NoReaders == [id \in {} |-> 0]
Reads(id) == id[3] # "exclusive"

\* How many permits there are as the claim knows; 0 if it asks for a lock.
Limit(kind) == CASE kind = "1 permit" -> 1 [] kind = "2 permits" -> 2 [] kind = "3 permits" -> 3 [] OTHER -> 0
HasPermit(id) == Limit(id[3]) > 0

Insiders(s) == {id \in DOMAIN s.readers \cup {s.owner} : id # Nobody /\ ~IsMinHold(id)}
IsInside(s, id) == s.owner = id \/ id \in DOMAIN s.readers

Says(kind) == [kind |-> kind, fence |-> 0, given |-> 0, hasMore |-> FALSE]
Numbered(s, kind) == [Says(kind) EXCEPT !.fence = s.fence]

\* The greatest number that anybody knows.
Known == IF Clocked THEN started.any ELSE 0

\* Whose the last number is, and what was known when it was drawn, are forgotten where they make no difference.
Lean(s) ==
    IF ~FreshClaims \/ s.whose = s.owner THEN s
    ELSE [s EXCEPT !.whose = Nobody, !.known = 0]

Answer(s, reply, messages) ==
    [server   |-> Lean(IF s.queue = <<>> THEN [s EXCEPT !.live = [c \in Clients |-> 0]] ELSE s),
     reply    |-> reply,
     messages |-> messages]

\* Without the clock, a number is just the next one. The clock need not go on but for the next number.
Number(s, id, age) ==
    LET time == IF Clocked THEN s.time + 1 ELSE 0
    IN  [s EXCEPT !.time = time, !.fence = Max(@ + 1, Less(time, age)), !.whose = id, !.known = Known]

Given(s) == [Numbered(s, "ok") EXCEPT !.given = s.known]

IsContended(s) == s.key > s.ttl
Own(s, id, time, contended) ==
    [s EXCEPT !.owner = id, !.ttl = time, !.key = time + (IF contended /\ ContendedKey THEN LivenessTimeout ELSE 0)]

\* Readers keep the owner key for as long as the longest of them.
TypeTag(s) ==
    LET longest == CHOOSE t \in {s.readers[r] : r \in DOMAIN s.readers} : \A r \in DOMAIN s.readers : s.readers[r] <= t
    IN  IF ReadersTypeTag THEN [s EXCEPT !.key = Max(@, longest + LivenessTimeout)] ELSE s

ReadFor(s, id, time) == TypeTag([s EXCEPT !.readers = (id :> time) @@ @])

Enter(s, id, time) ==
    LET numbered == [Number(s, id, 0) EXCEPT !.queue = Without(@, id)]
    IN  IF Reads(id) THEN ReadFor(numbered, id, time) ELSE Own(numbered, id, time, ContendedGrants /\ numbered.queue # <<>>)

Prolong(s, id, lease) ==
    IF s.owner = id
    THEN Own(s, id, IF NeverShorten THEN Max(s.ttl, lease) ELSE lease, IsContended(s))
    ELSE TypeTag([s EXCEPT !.readers[id] = IF ReaderNeverShorter THEN Max(@, lease) ELSE lease])

\* The claim waits, so no SET may enter before the liveness timeout after the lease has passed.
Contended(s) == IF s.owner # Nobody THEN Own(s, s.owner, s.ttl, TRUE) ELSE s

\* A claim has left the queue. Behind the last of them, the owner is uncontended again.
Uncontended(s) ==
    IF s.queue = <<>> /\ s.owner # Nobody /\ ~IsMinHold(s.owner) THEN Own(s, s.owner, s.ttl, FALSE) ELSE s

IsFree(s) == s.owner = Nobody /\ s.readers = NoReaders

\* Whether the claim may enter beside those who share the lock, if any do.
MayEnter(s, id) ==
    LET inside == DOMAIN s.readers
        count  == Cardinality(inside) + (IF CountPermits THEN 1 ELSE 0)
        limits == {Limit(r[3]) : r \in IF OwnLimit THEN {id} ELSE inside}
    IN  IF inside = {} THEN TRUE
        ELSE IF \E r \in inside : HasPermit(r) THEN HasPermit(id) /\ \E limit \in limits : count <= limit
        ELSE id[3] = "read" \/ (id[3] = "exclusive" /\ ~WaitForReaders)

\* A lock is held while the claim asks for a permit, or the other way round: a name is one or the other.
IsOpposite(s, id) ==
    \/ s.owner # Nobody /\ HasPermit(id)
    \/ s.readers # NoReaders /\ (\E r \in DOMAIN s.readers : HasPermit(r)) # HasPermit(id)

\* Admits what may enter now; `may` says whether the claim `me`, which is not admitted here, may enter too; `hasMore`, that the quota was
\* used up before; a free lock then is kept from SET. Claims of dead processes at the head are dropped, and count too.
RECURSIVE AdmitWaiters(_, _, _, _)
AdmitWaiters(s, me, messages, quota) ==
    LET first  == Head(s.queue)
        result == [server |-> s, messages |-> messages, may |-> FALSE, quota |-> quota, hasMore |-> FALSE]
        hasMore == [result EXCEPT !.server = IF IsFree(s) THEN [s EXCEPT !.key = LivenessTimeout] ELSE s, !.hasMore = TRUE]
        more   == Enter(s, first, GrantLease)
        told   == messages \cup {[claim |-> first, kind |-> "granted"]}
    IN  IF s.owner # Nobody THEN result
        ELSE IF s.queue = <<>> THEN [result EXCEPT !.may = me # Nobody /\ MayEnter(s, me)]
        ELSE IF s.live[first[1]] = 0
        THEN IF quota = 0 THEN hasMore ELSE AdmitWaiters([s EXCEPT !.queue = Tail(@)], me, messages, quota - 1)
        ELSE IF first = me THEN [result EXCEPT !.may = MayEnter(s, me)]
        ELSE IF ~MayEnter(s, first) THEN [result EXCEPT !.may = ~ReadInTurn /\ me # Nobody /\ MayEnter(s, me)]
        ELSE IF quota = 0 THEN hasMore
        ELSE IF ~ReadTogether /\ me = Nobody THEN [result EXCEPT !.server = more, !.messages = told]
        ELSE AdmitWaiters(more, me, told, quota - 1)

AdmitAny(s) == AdmitWaiters(s, Nobody, {}, Quota)

\* Nobody is inside, and nobody was admitted: the key is deleted.
Freed(in) == IF IsFree(in.server) /\ ~in.hasMore THEN [in.server EXCEPT !.key = 0] ELSE in.server

\* The answer of a script that admits; the caller continues if there is more.
Admitting(s, in, reply) == Answer(s, [reply EXCEPT !.hasMore = in.hasMore], in.messages)

\* Probes whether the holders know of their claims.
Probes(s) == {[claim |-> id, kind |-> "probe"] : id \in Insiders(s)}

Acquire(s, id, wait, lease) ==
    IF id \in s.gone THEN Answer(s, Numbered(s, "gone"), {})
    ELSE IF s.owner = id /\ KnowItself
    THEN LET numbered == IF s.whose = id \/ ~NumberOwner THEN s ELSE Number(s, id, 0)
             longer   == [Prolong(numbered, id, lease) EXCEPT !.queue = Without(@, id)]
             mine     == IF Among(id, s.queue) THEN Uncontended(longer) ELSE longer
         IN  Answer(mine, Given(mine), {})
    ELSE IF id \in DOMAIN s.readers
    THEN LET still == Prolong(IF NewNumber THEN Number(s, id, 0) ELSE s, id, lease)
         IN  Answer(still, Numbered(still, "still"), {})
    ELSE
        LET shows   == OneProcess /\ (s.owner = Nobody \/ Among(id, s.queue))
            present == IF wait
                       THEN [s EXCEPT !.live = [c \in Clients |-> IF c = id[1] \/ shows THEN LivenessTimeout ELSE @[c]]]
                       ELSE s
            in      == AdmitWaiters(present, id, {}, Quota)
            mine    == Enter(in.server, id, lease)
            behind  == AdmitWaiters(mine, Nobody, in.messages, in.quota)
            join(q) == IF wait /\ ~Among(id, q) THEN Append(q, id) ELSE q
            queued  == [in.server EXCEPT !.queue = join(@)]
            again   == ProbeOwners /\ ~Heartbeats /\ wait /\ Among(id, s.queue)
            contends == wait /\ (ContendedEachTime \/ ~Among(id, s.queue))
        IN  IF in.may
            THEN Admitting(behind.server, behind, Given(mine))
            ELSE IF IsOpposite(in.server, id) THEN Admitting(in.server, in, Says("mixed"))
            ELSE Admitting(IF contends THEN Contended(queued) ELSE queued,
                           IF again THEN [in EXCEPT !.messages = @ \cup Probes(in.server)] ELSE in,
                           Numbered(in.server, "busy"))

\* The scripts heartbeat, and probe-owner right behind. A claim that is not queued acquires next: the script does both in one step.
Heartbeat(s, id) ==
    LET living  == [s EXCEPT !.live = [c \in Clients |-> IF c = id[1] \/ OneProcess THEN LivenessTimeout ELSE @[c]]]
        present == IF ContendedEachTime THEN Contended(living) ELSE living
        admits  == \/ s.readers = NoReaders
                   \/ IF \E r \in DOMAIN s.readers : HasPermit(r) THEN AdmitBeside ELSE AdmitBesideReaders
        in      == IF admits THEN AdmitAny(present) ELSE [server |-> present, messages |-> {}, hasMore |-> FALSE]
        after   == IF admits THEN Freed(in) ELSE in.server
        waits   == Among(id, after.queue) /\ after.owner # id
        told    == IF ProbeOwners THEN [in EXCEPT !.messages = @ \cup Probes(after)] ELSE in
    IN  IF s.queue = <<>> THEN Answer(s, Numbered(s, "absent"), {})
        ELSE Admitting(after, told, Numbered(after, IF waits THEN "busy" ELSE "absent"))

\* The script admit: continues for a script that has reached its quota.
Admit(s) ==
    LET in == AdmitAny(s) IN Admitting(Freed(in), in, Says("done"))

LeaveMinHold(s, id, minHold) == IF minHold = 0 THEN s ELSE ReadFor(s, MinHoldOf(id), minHold)

StopReading(s, id) == [s EXCEPT !.readers = [r \in DOMAIN @ \ {id} |-> @[r]]]

Release(s, id, tombstone, minHold) ==
    LET writes == tombstone /\ Tombstones /\ (TombstoneReaders \/ ~Reads(id))
        recorded == IF writes THEN [s EXCEPT !.gone = @ \cup {id}] ELSE s
        left   == IF s.owner = id
                  THEN [Own(recorded, IF minHold > 0 THEN MinHoldOf(id) ELSE Nobody, minHold, minHold > 0 /\ ContendedMinHold)
                            EXCEPT !.queue = Without(@, id)]
                  ELSE IF id \in DOMAIN s.readers THEN LeaveMinHold(StopReading(recorded, id), id, minHold)
                  ELSE [recorded EXCEPT !.queue = Without(@, id)]
        in     == AdmitAny(left)
    IN  IF IsInside(s, id) THEN Admitting(Freed(in), in, Says("released"))
        ELSE IF Among(id, s.queue) /\ LeavingAdmits THEN Admitting(Uncontended(Freed(in)), in, Says("not mine"))
        ELSE Answer(left, Says("not mine"), {})

Renew(s, id, lease) ==
    IF IsInside(s, id) THEN Answer(Prolong(s, id, lease), Says("ok"), {}) ELSE Answer(s, Says("not mine"), {})

\* The fast path: SET NX PX, and a script that compares the uncontended value and deletes the key.
SetIfAbsent(s, id, lease) ==
    IF s.key = 0 THEN Answer(Own(s, id, lease, FALSE), [Says("ok") EXCEPT !.given = Known], {}) ELSE Answer(s, Says("taken"), {})

Drop(s, id) ==
    IF s.owner = id /\ (~IsContended(s) \/ ~DropUncontendedOnly)
    THEN Answer(Own(s, Nobody, 0, FALSE), Says("released"), {})
    ELSE Answer(s, Says("contended"), {})

\* The number of a claim that was acquired by SET.
Draw(s, id, age) ==
    LET drawn == IF s.whose = id THEN s ELSE Number(s, id, IF NumberAtDraw THEN 0 ELSE age)
    IN  IF s.owner = id THEN Answer(drawn, Numbered(drawn, "ok"), {}) ELSE Answer(s, Says("not mine"), {})

Run(s, c, command) ==
    LET id == <<c, command.n, command.kind>>
    IN  CASE command.op = "acquire"   -> Acquire(s, id, command.wait, command.lease)
          [] command.op = "heartbeat" -> Heartbeat(s, id)
          [] command.op = "admit"     -> Admit(s)
          [] command.op = "set"       -> SetIfAbsent(s, id, command.lease)
          [] command.op = "drop"      -> Drop(s, id)
          [] command.op = "draw"      -> Draw(s, id, command.spent)
          [] command.op = "renew"     -> Renew(s, id, command.lease)
          [] command.op = "release"   -> Release(s, id, command.tombstone, command.minHold)

-----------------------------------------------------------------------------
(* The client. A holder has `left` and `fence`. `told`: a waiting claim was answered "busy"; `due`: it asks again, once nothing is under
   way; both only with Punctual. `kind`: what the claim asks for; `tombstone`: a duplicate of one of its acquires may still run, so its
   release writes a tombstone; `loose`: one of its SET may; `uncontended`: it was acquired by SET; `since`: when its first command
   was sent, by Redis's clock; `given`: the greatest number that was known when Redis gave it the lock. `pipe` holds the commands under
   way in the connection's order: those in front have run, and replies return in order. A late command has timed out, and the client no
   longer counts on it. `leaving` holds unanswered releases; `again` the claims whose releases are repeated, answered or not, because
   their SET may run late, next in `rest` ticks. *)

NotYet == Says("none")

Command(op, k) ==
    [op |-> op, n |-> k.n, kind |-> k.kind, wait |-> FALSE, tombstone |-> FALSE, minHold |-> 0, lease |-> Lease, spent |-> 0, age |-> 0,
     late |-> FALSE, reply |-> NotYet]

IsUnderWay(k, op, n) == \E i \in 1..Len(k.pipe) : k.pipe[i].op = op /\ k.pipe[i].n = n /\ ~k.pipe[i].late

IsAsking(k) == \E op \in {"acquire", "set", "heartbeat"} : IsUnderWay(k, op, k.n)
IsReleasing(k, n) == IsUnderWay(k, "release", n) \/ IsUnderWay(k, "drop", n)

Send(k, command) == [k EXCEPT !.pipe = Append(@, command)]
HasRoom(k) == Len(k.pipe) < MaxPipe
Active(k) == k.mode # "dead" /\ ~k.paused

Rest(k, mode) ==
    [k EXCEPT !.mode = mode, !.told = FALSE, !.left = 0, !.fence = 0, !.tombstone = FALSE, !.due = FALSE,
              !.loose = FALSE, !.uncontended = FALSE, !.since = 0, !.given = 0,
              !.kind = IF mode = "holding" THEN @ ELSE "exclusive"]

\* Abandons the claim in any mode: the release also leaves the queue.
Leave(k, minHold) ==
    LET tombstone == k.tombstone \/ IsAsking(k)
        loose   == RepeatForLateSet /\ (k.loose \/ IsUnderWay(k, "set", k.n))
        command == [Command("release", k) EXCEPT !.tombstone = tombstone, !.minHold = minHold]
        fastPath == k.uncontended /\ ~tombstone /\ minHold = 0
    IN  [Send(Rest(k, "idle"), IF fastPath THEN Command("drop", k) ELSE command) EXCEPT
            !.leaving = @ \cup {command},
            !.again = IF loose THEN @ \cup {k.n} ELSE @,
            !.rest = IF loose /\ Punctual THEN RepeatPause ELSE @]

LeftOf(command) ==
    Less(command.lease, IF DeadlineFromSending /\ (ReaderFromSending \/ command.kind = "exclusive") THEN command.age ELSE 0)

Start(k, command) ==
    [Rest(k, "holding") EXCEPT
        !.left = LeftOf(command), !.fence = command.reply.fence, !.given = command.reply.given, !.since = k.since,
        !.tombstone = k.tombstone /\ TombstoneIsRemembered, !.loose = k.loose]

Prolonged(k, command) ==
    IF k.left > 0 \/ ~ProlongOnlyWhileValid THEN [k EXCEPT !.left = Max(@, LeftOf(command))] ELSE k

\* How a client handles the reply to a SET of its current claim. If the key exists, the script follows.
OnSet(k, command) ==
    CASE k.mode \notin {"waiting", "trying"} -> k
      [] command.reply.kind = "ok" ->
            IF LeftOf(command) > 0
            THEN [Start(k, command) EXCEPT !.uncontended = TRUE]
            ELSE Leave(k, 0)
      [] OTHER -> IF IsUnderWay(k, "acquire", k.n) THEN k
                  ELSE Send(k, [Command("acquire", k) EXCEPT !.wait = (k.mode = "waiting")])

\* A number counts while the lease is valid.
OnDrawn(k, command) ==
    IF k.mode # "holding" THEN k
    ELSE IF command.reply.kind # "ok" THEN [k EXCEPT !.left = 0]
    ELSE IF k.left > 0 /\ k.fence = 0 THEN [k EXCEPT !.fence = command.reply.fence] ELSE k

\* How a client handles the reply to an acquire of its current claim.
OnAcquired(k, command) ==
    LET reply == command.reply
    IN  CASE k.mode \in {"waiting", "trying"} /\ reply.kind \in {"ok", "still"} ->
                IF LeftOf(command) > 0 THEN Start(k, command) ELSE Leave(k, 0)
          [] k.mode = "waiting" /\ reply.kind = "busy" ->
                [k EXCEPT !.told = Punctual]
          [] k.mode = "waiting" /\ reply.kind = "mixed" -> Leave(k, 0)
          [] k.mode = "trying" /\ reply.kind \in {"busy", "mixed"} ->
                IF k.tombstone THEN Leave(k, 0) ELSE Rest(k, "idle")
          [] k.mode = "holding" /\ reply.kind = "ok" /\ reply.fence = k.fence -> Prolonged(k, command)
          [] k.mode = "holding" /\ reply.kind = "still" -> Prolonged(k, command)
          [] k.mode = "holding" /\ ~(reply.kind = "busy" /\ reply.fence < k.fence) -> [k EXCEPT !.left = 0]
          [] OTHER -> k

\* How a client handles the reply to a heartbeat. If the claim was not queued, an acquire follows, as if it had been sent with the heartbeat.
OnHeartbeat(k, command) ==
    IF command.reply.kind = "busy" THEN OnAcquired(k, command)
    ELSE IF k.mode \notin {"waiting", "holding"} \/ IsUnderWay(k, "acquire", k.n) THEN k
    ELSE Send(k, [Command("acquire", k) EXCEPT !.wait = TRUE, !.age = command.age])

OnRenewed(k, command) ==
    IF k.mode # "holding" THEN k
    ELSE IF command.reply.kind = "ok" THEN Prolonged(k, command)
    ELSE [k EXCEPT !.left = 0]

Settled(k, command) == [k EXCEPT !.leaving = {r \in @ : r.n # command.n}]

OnDropped(k, command) ==
    IF command.reply.kind = "released" \/ ~ScriptNext THEN Settled(k, command)
    ELSE LET full == {r \in k.leaving : r.n = command.n}
         IN  IF full = {} \/ IsUnderWay(k, "release", command.n) THEN k ELSE Send(k, CHOOSE r \in full : TRUE)

OnReply(old, command) ==
    LET k == IF command.reply.hasMore THEN Send(old, Command("admit", old)) ELSE old
    IN  CASE command.op = "release" -> Settled(k, command)
          [] command.op = "drop" -> OnDropped(k, command)
          [] command.op = "acquire" /\ command.n = k.n -> OnAcquired(k, command)
          [] command.op = "heartbeat" /\ command.n = k.n -> OnHeartbeat(k, command)
          [] command.op = "set" /\ command.n = k.n -> OnSet(k, command)
          [] command.op = "draw" /\ command.n = k.n -> OnDrawn(k, command)
          [] command.op = "renew" /\ command.n = k.n -> OnRenewed(k, command)
          [] OTHER -> k

IsAnswered(k) == k.pipe # <<>> /\ Head(k.pipe).reply # NotYet
Received(k)   == OnReply([k EXCEPT !.pipe = Tail(@)], Head(k.pipe))

-----------------------------------------------------------------------------
(* What no longer makes a difference is forgotten, so that it does not multiply states. *)

IsCurrent(ks, id) == ks[id[1]].n = id[2] /\ ks[id[1]].mode \notin {"idle", "dead"}

AcquireMayRun(ks, strays, id) ==
    \/ \E r \in strays : r.who = id[1] /\ r.command.op = "acquire" /\ r.command.n = id[2]
    \/ LET pipe == ks[id[1]].pipe      \* even if it has run, it may be resent
       IN  \E i \in 1..Len(pipe) : pipe[i].op = "acquire" /\ pipe[i].n = id[2]

SetMayRun(ks, strays, id) ==
    \/ \E r \in strays : r.who = id[1] /\ r.command.op = "set" /\ r.command.n = id[2]
    \/ \E i \in 1..Len(ks[id[1]].pipe) : ks[id[1]].pipe[i].op = "set" /\ ks[id[1]].pipe[i].n = id[2]

Changes(s, ks, strays, r) ==
    LET id == <<r.who, r.command.n, r.command.kind>>
    IN  \/ ~FreshClaims
        \/ r.command.op = "set"
        \/ r.command.op \in {"heartbeat", "admit"} /\ s.queue # <<>>
        \/ r.command.op \notin {"acquire", "heartbeat", "admit"} /\ SetMayRun(ks, strays, id)
        \/ IsCurrent(ks, id)
        \/ IsInside(s, id)
        \/ Among(id, s.queue)
        \/ id \notin s.gone /\ AcquireMayRun(ks, strays, id)

\* A release under way is repeated until answered.
IsUnwanted(ks, id) ==
    ks[id[1]].mode # "dead" /\ ~IsCurrent(ks, id) /\ ~\E r \in ks[id[1]].leaving : r.n = id[2]

\* Otherwise the waiter may ask at any time anyway.
ForWaiter(ks, m) ==
    LET k == ks[m.claim[1]]
    IN  Punctual /\ m.kind = "granted" /\ k.mode = "waiting" /\ k.n = m.claim[2]

\* Releasing what the claim does not hold changes nothing.
ForNobody(s, ks, m) == GiveBackUnwanted /\ IsUnwanted(ks, m.claim) /\ IsInside(s, m.claim)

Matters(s, ks, m) == ForWaiter(ks, m) \/ ForNobody(s, ks, m)

IsReading(k) == k.kind # "exclusive"

Valid(c) == client[c].mode = "holding" /\ client[c].left > 0

\* A holder starts, or learns its number.
Became(k, old) ==
    /\ k.mode = "holding" /\ k.left > 0 /\ k.fence > 0
    /\ ~(old.mode = "holding" /\ old.n = k.n /\ old.left > 0 /\ old.fence = k.fence)

\* A release need not be repeated any more if the claim's SET cannot run late.
Forget(s, ks, strays) ==
    [c \in Clients |->
        LET again == {n \in ks[c].again : LET id == <<c, n, "exclusive">> IN SetMayRun(ks, strays, id) \/ IsInside(s, id)}
        IN  [ks[c] EXCEPT !.again = again, !.rest = IF again = {} THEN 0 ELSE @]]

Become(s, ks, strays, messages) ==
    LET new == {c \in Clients : Became(ks[c], client[c])}
    IN  /\ server' = [s EXCEPT !.gone = {id \in @ : IsCurrent(ks, id) \/ AcquireMayRun(ks, strays, id)},
                                !.key = IF FastPath THEN @ ELSE 0] \* only SET and its release look at it
        /\ client' = Forget(s, ks, strays)
        /\ stray' = {r \in strays : Changes(s, ks, strays, r)}
        /\ granted' = {m \in messages : Matters(s, ks, m)}
        /\ IF new = {} THEN UNCHANGED <<started, ordered>>
           ELSE LET c     == CHOOSE c \in new : TRUE
                    k     == ks[c]
                    again == client[c].mode = "holding"
                    last  == IF IsReading(k) THEN started.exclusive ELSE started.any
                IN  /\ started' = [any |-> Max(started.any, k.fence),
                                   exclusive |-> IF IsReading(k) THEN started.exclusive ELSE Max(started.exclusive, k.fence)]
                    /\ ordered' = (ordered /\ (Clocked \/ k.fence > last \/ (again /\ k.fence = last)))

Update(c, k) == Become(server, [client EXCEPT ![c] = k], stray, granted)

-----------------------------------------------------------------------------
(* Client actions, possible at any time. *)

Attempt(c, wait, kind, fastPath) ==
    LET k == client[c]
        n == IF FreshClaims THEN k.n + 1 ELSE 1
        mode == IF wait THEN "waiting" ELSE "trying"
        claimant == [Rest(k, mode) EXCEPT !.n = n, !.kind = kind, !.since = IF NumberAtDraw THEN 0 ELSE server.time]
        command == [Command(IF fastPath THEN "set" ELSE "acquire", claimant) EXCEPT !.wait = wait]
    IN  /\ k.mode = "idle" /\ Active(k) /\ HasRoom(k)
        /\ FreshClaims => n <= Claims
        /\ wait \/ SingleAttempts
        /\ fastPath => FastPath /\ kind = "exclusive"
        /\ Update(c, Send(claimant, command))
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

\* Asks again, at the latest with the next heartbeat. Any message makes it ask at once, whoever sent it.
SendHeartbeat(c) ==
    LET k == client[c]
    IN  /\ k.mode = "waiting" /\ Active(k) /\ HasRoom(k)
        /\ ~IsAsking(k)
        /\ Punctual => k.due
        /\ Update(c, [Send(k, [Command(IF Heartbeats THEN "heartbeat" ELSE "acquire", k) EXCEPT !.wait = TRUE]) EXCEPT !.due = FALSE])
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

\* A waiter gives up; a holder is done, or finds its lease lost. After a promotion, waiters do not give up.
GiveUp(c) ==
    LET k == client[c]
    IN  /\ k.mode \in {"waiting", "trying", "holding"} /\ Active(k) /\ HasRoom(k)
        /\ Promoted => k.mode = "holding"
        /\ \E minHold \in {0, MinHoldTime} :
              /\ minHold > 0 => k.mode = "holding"
              /\ Update(c, Leave(k, minHold))
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

\* By the rules, one for a shorter lease, as for a short re-entry, would change nothing.
RenewLease(c) ==
    LET k == client[c]
    IN  /\ k.mode = "holding" /\ Active(k) /\ HasRoom(k)
        /\ 0 < k.left /\ k.left < Oldest
        /\ ~IsUnderWay(k, "renew", k.n)
        /\ \E lease \in IF NeverShorten /\ ReaderNeverShorter THEN {Lease} ELSE {1, Lease} :
              Update(c, Send(k, [Command("renew", k) EXCEPT !.lease = lease]))
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

DrawNumber(c) ==
    LET k == client[c]
    IN  /\ Draws
        /\ k.mode = "holding" /\ Active(k) /\ HasRoom(k)
        /\ 0 < k.left /\ k.fence = 0
        /\ ~IsUnderWay(k, "draw", k.n)
        /\ Update(c, Send(k, [Command("draw", k) EXCEPT !.spent = IF NumberAtDraw THEN 0 ELSE server.time - k.since]))
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

SendAgain(c) ==
    LET k == client[c]
    IN  /\ Active(k) /\ HasRoom(k)
        /\ \E command \in k.leaving :
              /\ ~IsUnderWay(k, "release", command.n) /\ ~IsUnderWay(k, "drop", command.n)
              /\ Update(c, Send(k, command))
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

IsLeaving(k, n) == \E r \in k.leaving : r.n = n
Orphans(c) == {n \in client[c].again : IsInside(server, <<c, n, "exclusive">>) /\ ~IsLeaving(client[c], n)}

\* Repeats the releases whose SET may run late. One that would find nothing changes nothing.
RepeatForLate(c) ==
    LET k == client[c]
        command == [Command("release", k) EXCEPT !.n = CHOOSE n \in Orphans(c) : TRUE, !.kind = "exclusive"]
    IN  /\ Active(k) /\ k.again # {} /\ k.rest = 0
        /\ IF Orphans(c) = {}
           THEN Punctual /\ Update(c, [k EXCEPT !.rest = RepeatPause])
           ELSE HasRoom(k) /\ Update(c, [Send(k, command) EXCEPT !.leaving = @ \cup {command},
                                                                 !.rest = IF Punctual THEN RepeatPause ELSE 0])
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

(* Server and network. *)

Before(a, b, q) == \E i, j \in 1..Len(q) : i < j /\ q[i] = a /\ q[j] = b

\* A claim that was not queued ranks behind all that are.
Overtakes(s, id) ==
    /\ ~IsInside(server, id)
    /\ \E i \in 1..Len(s.queue) :
          LET other == s.queue[i]
          IN  s.live[other[1]] > 0 /\ Among(other, server.queue) /\ ~Before(id, other, server.queue)

\* A hand-over restarts the count of unused ticks. After a promotion, one to an abandoned claim does not.
Served(s) ==
    /\ unused' = IF \A id \in Insiders(s) : IsInside(server, id) \/ (Promoted /\ ~IsCurrent(client, id))
                 THEN unused ELSE 0
    /\ UNCHANGED orphaned
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

\* A process that has not noticed the promotion still sends to the old master.
RunNextOnOldMaster(c) ==
    LET k == client[c]
    IN  /\ Clocked /\ Promoted /\ replica # <<>>
        /\ \E i \in 1..Len(k.pipe) :
              /\ k.pipe[i].reply = NotYet
              /\ \A j \in 1..(i - 1) : k.pipe[j].reply # NotYet
              /\ LET answer == Run([replica[1] EXCEPT !.time = server.time], c, k.pipe[i])
                 IN  /\ Become([server EXCEPT !.time = answer.server.time],
                               [client EXCEPT ![c].pipe[i].reply = answer.reply], stray, granted \cup answer.messages)
                     /\ replica' = <<answer.server>>
        /\ UNCHANGED <<faults, overtaken, orphaned, unused>>

RunStray(r) ==
    LET answer == Run(server, r.who, r.command)
    IN  /\ Become(answer.server, client, stray \ {r}, granted \cup answer.messages)
        /\ Served(answer.server)
        /\ UNCHANGED <<replica, faults>>

Receive(c) ==
    LET k == client[c]
    IN  /\ Active(k)
        /\ IsAnswered(k)
        /\ Update(c, Received(k))
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

\* A message proves nothing: the waiter asks, after the answer to what is under way.
ReceiveGrant(m) ==
    LET c == m.claim[1]
    IN  /\ Active(client[c])
        /\ ForWaiter(client, m)
        /\ Become(server, [client EXCEPT ![c].due = TRUE], stray, granted \ {m})
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

\* Nobody wants the grant: release it.
ReceiveUnwanted(m) ==
    LET c == m.claim[1]
        k == client[c]
        command == [Command("release", k) EXCEPT !.n = m.claim[2], !.kind = m.claim[3]]
    IN  /\ Active(k) /\ HasRoom(k)
        /\ ForNobody(server, client, m)
        /\ Update(c, [Send(k, command) EXCEPT !.leaving = @ \cup {command}])
        /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

(* Faults. *)

Fault(kind) == kind \in FaultKinds /\ faults > 0 /\ faults' = faults - 1

AsStray(c, command) == [who |-> c, command |-> [command EXCEPT !.age = 0, !.late = FALSE, !.reply = NotYet]]

IsOfCurrent(k, command) == command.op \in {"acquire", "set", "heartbeat"} /\ command.n = k.n /\ k.mode # "idle"

\* A copy of the command may run later.
Doubtful(k, command) ==
    IF IsOfCurrent(k, command)
    THEN [k EXCEPT !.tombstone = TRUE, !.loose = @ \/ command.op = "set"] ELSE k

\* The client stops waiting for a reply. The reply may still come and counts, or never comes, as when the connection fails; then the
\* command may run at any time. The claim is kept, but not that of a SET that may still be answered.
TimeOut(c) ==
    LET k == client[c]
    IN  /\ Fault("timeout") /\ Active(k)
        /\ \E i \in 1..Len(k.pipe), answered \in BOOLEAN :
              LET command == k.pipe[i]
                  rest    == IF answered THEN [k EXCEPT !.pipe[i].late = TRUE] ELSE [k EXCEPT !.pipe = RemoveAt(@, i)]
                  marked  == Doubtful(rest, command)
                  repeats == command.op \in {"release", "drop"} => RepeatRelease
                  dropped == IF repeats THEN marked ELSE Settled(marked, command)
                  leaves  == GiveUpSet /\ answered /\ command.op = "set" /\ IsOfCurrent(k, command)
              IN  /\ ~command.late
                  /\ Become(server, [client EXCEPT ![c] = IF leaves THEN Leave(dropped, 0) ELSE dropped],
                            IF answered \/ command.reply # NotYet THEN stray ELSE stray \cup {AsStray(c, command)}, granted)
        /\ UNCHANGED <<replica, overtaken, orphaned, unused>>

\* A reconnect while a command is under way: the command is resent, and both copies may run.
Replay(c) ==
    LET k == client[c]
    IN  /\ Fault("replay") /\ k.mode # "dead"
        /\ \E i \in 1..Len(k.pipe) :
              LET command == k.pipe[i]
                  marked  == Doubtful(k, command)
              IN  Become(server, [client EXCEPT ![c] = marked], stray \cup {AsStray(c, command)}, granted)
        /\ UNCHANGED <<replica, overtaken, orphaned, unused>>

Crash(c) ==
    LET k == client[c]
        unread == {i \in 1..Len(k.pipe) : k.pipe[i].reply = NotYet}
    IN  /\ Fault("crash") /\ k.mode # "dead"
        /\ Become(server,
                  [client EXCEPT ![c] = [Rest(k, "dead") EXCEPT !.pipe = <<>>, !.leaving = {}, !.again = {}, !.paused = FALSE]],
                  stray \cup {AsStray(c, k.pipe[i]) : i \in unread}, granted)
        /\ UNCHANGED <<replica, overtaken, orphaned, unused>>

\* Only with Punctual; otherwise everybody may pause anyway.
Pause(c) ==
    /\ Punctual /\ Fault("pause") /\ Active(client[c])
    /\ Update(c, [client[c] EXCEPT !.paused = TRUE])
    /\ UNCHANGED <<replica, overtaken, orphaned, unused>>

\* A replica stops receiving updates. Nothing is under way, so it stores everything that was answered.
Detach ==
    /\ "promotion" \in FaultKinds /\ faults > 0 /\ ~HasReplica
    /\ \A c \in Clients : client[c].pipe = <<>>
    /\ replica' = <<server>>
    /\ UNCHANGED <<server, client, stray, granted, faults, started, ordered, overtaken, orphaned, unused>>

\* The replica becomes the master. Answers under way have arrived; what has not run is resent, and waiters ask at once. Messages under
\* way are lost. Fencing numbers come from Redis's clock, so they continue.
Promote ==
    LET Reconnected(k) == [k EXCEPT !.tombstone = @ \/ IsAsking(k), !.loose = @ \/ IsUnderWay(k, "set", k.n),
                                     !.due = @ \/ (Punctual /\ k.mode = "waiting")]
    IN  /\ HasReplica /\ Fault("promotion")
        /\ \A c \in Clients : \A i \in 1..Len(client[c].pipe) : client[c].pipe[i].reply = NotYet
        /\ Become([replica[1] EXCEPT !.fence = IF Clocked THEN @ ELSE server.fence, !.time = server.time],
                  [c \in Clients |-> Reconnected(client[c])], {}, {})
        /\ replica' = IF Clocked THEN <<server>> ELSE <<>>
        /\ UNCHANGED <<overtaken, orphaned, unused>>

Resume(c) ==
    /\ client[c].paused
    /\ Update(c, [client[c] EXCEPT !.paused = FALSE])
    /\ UNCHANGED <<replica, faults, overtaken, orphaned, unused>>

(* Time. *)

IsDone(k) ==
    IF k.paused THEN \A i \in 1..Len(k.pipe) : k.pipe[i].reply # NotYet
    ELSE /\ k.pipe = <<>> /\ k.leaving = {} /\ ~k.due
         /\ k.again = {} \/ k.rest > 0
         /\ k.mode # "trying"
         /\ k.mode = "holding" => k.left > 0

Later(k) ==
    [k EXCEPT !.left = Less(@, 1),
              !.due  = Punctual /\ k.mode = "waiting",
              !.rest = Less(@, 1),
              !.pipe = [i \in 1..Len(@) |->
                          IF @[i].op \in {"release", "drop", "draw", "admit"} THEN @[i] ELSE [@[i] EXCEPT !.age = Older(@)]]]

\* Whether a client waits although neither a valid holder nor a live waiter ahead of it keeps it out.
Misses(c) ==
    LET k  == client[c]
        id == <<c, k.n, k.kind>>
        valid == {d \in Clients : Valid(d)}
        KeepsOut(d) == IF HasPermit(id) THEN Limit(client[d].kind) = 0 ELSE k.kind # "read" \/ ~IsReading(client[d])
        ComesFirst(d) ==
            LET other == <<d, client[d].n, client[d].kind>>
            IN  /\ d # c /\ client[d].mode = "waiting" /\ Active(client[d]) /\ client[d].kind # "read"
                /\ Among(other, server.queue) /\ ~Before(id, other, server.queue)
    IN  /\ k.mode = "waiting" /\ Active(k)
        /\ ~IsMinHold(server.owner)
        /\ Reads(id) \/ ~\E r \in DOMAIN server.readers : IsMinHold(r)
        /\ ~\E d \in valid : KeepsOut(d)
        /\ HasPermit(id) => Cardinality(valid) < Limit(k.kind)
        /\ Reads(id) /\ valid # {} => ~\E d \in Clients : ComesFirst(d)

Aged(s) ==
    Lean([s EXCEPT !.ttl = Less(@, 1),
                   !.key = Less(@, 1),
                   !.owner = IF s.ttl <= 1 THEN Nobody ELSE @,
                   !.readers = [id \in {r \in DOMAIN @ : @[r] > 1} |-> @[id] - 1],
                   !.live = [c \in Clients |-> Less(@[c], 1)]])

Tick ==
    /\ Punctual => \A c \in Clients : IsDone(client[c])
    /\ ~LostMessages => \A m \in granted : client[m.claim[1]].paused
    /\ Become(Aged(server), [c \in Clients |-> Later(client[c])], stray, granted)
    /\ replica' = IF replica # <<>> THEN <<Aged(replica[1])>> ELSE replica
    /\ orphaned' = IF Punctual /\ \E c \in Clients : Active(client[c]) /\ Orphans(c) # {} THEN orphaned + 1 ELSE 0
    /\ unused' = IF Punctual /\ \E c \in Clients : Misses(c) THEN unused + 1 ELSE 0
    /\ UNCHANGED <<faults, overtaken>>

-----------------------------------------------------------------------------

Init ==
    /\ server = [owner |-> Nobody, ttl |-> 0, key |-> 0, time |-> 0, readers |-> NoReaders, fence |-> 0, whose |-> Nobody,
                  known |-> 0, queue |-> <<>>, live |-> [c \in Clients |-> 0], gone |-> {}]
    /\ client = [c \in Clients |->
                   [mode |-> "idle", n |-> 0, kind |-> "exclusive", told |-> FALSE, left |-> 0, fence |-> 0,
                    tombstone |-> FALSE, loose |-> FALSE, uncontended |-> FALSE, since |-> 0, given |-> 0, due |-> FALSE, paused |-> FALSE,
                    pipe |-> <<>>, leaving |-> {}, again |-> {}, rest |-> 0]]
    /\ stray = {} /\ granted = {} /\ replica = <<>>
    /\ faults = 1
    /\ started = [any |-> 0, exclusive |-> 0] /\ ordered = TRUE /\ overtaken = FALSE /\ orphaned = 0 /\ unused = 0

Next ==
    \/ \E c \in Clients :
          \/ \E wait, fastPath \in BOOLEAN, kind \in Kinds : Attempt(c, wait, kind, fastPath)
          \/ SendHeartbeat(c) \/ GiveUp(c) \/ RenewLease(c) \/ DrawNumber(c) \/ SendAgain(c) \/ RepeatForLate(c)
          \/ RunNext(c) \/ RunNextOnOldMaster(c) \/ Receive(c)
          \/ TimeOut(c) \/ Replay(c) \/ Crash(c) \/ Pause(c) \/ Resume(c)
    \/ \E r \in stray : RunStray(r)
    \/ \E m \in granted : ReceiveGrant(m) \/ ReceiveUnwanted(m)
    \/ Detach \/ Promote
    \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* Properties of every state. *)

Exclusion ==
    \A a, b \in Clients : a # b /\ Valid(a) /\ Valid(b) => IsReading(client[a]) /\ IsReading(client[b])

PermitsCounted ==
    LET holders == {c \in Clients : Valid(c) /\ Limit(client[c].kind) > 0}
    IN  holders # {} => /\ \A c \in Clients : Valid(c) => c \in holders
                        /\ \E c \in holders : Cardinality(holders) <= Limit(client[c].kind)

FencingOrder ==
    /\ ordered
    /\ \A a, b \in Clients : a # b /\ Valid(a) /\ Valid(b) /\ client[a].fence > 0 /\ ~Clocked => client[a].fence # client[b].fence
    /\ \A c \in Clients : client[c].fence > 0 => client[c].fence > client[c].given

OwnerOnly ==
    \A c \in Clients : Valid(c) =>
        LET k  == client[c]
            id == <<c, k.n, k.kind>>
        IN  \/ /\ server.owner = id /\ k.kind = "exclusive"
               /\ server.ttl >= k.left
               /\ server.fence >= k.fence
            \/ /\ id \in DOMAIN server.readers /\ IsReading(k)
               /\ server.readers[id] >= k.left
               /\ server.fence >= k.fence

NoFalseLoss == \A c \in Clients : Valid(c) /\ IsAnswered(client[c]) => Received(client[c]).left > 0

NoOrphan ==
    \A c \in Clients : \A n \in 1..client[c].n, kind \in Kinds :
        \/ client[c].mode = "dead"
        \/ IsCurrent(client, <<c, n, kind>>)
        \/ IsLeaving(client[c], n)
        \/ n \in client[c].again /\ server.owner = <<c, n, kind>>
        \/ ~IsInside(server, <<c, n, kind>>) /\ ~Among(<<c, n, kind>>, server.queue)

InTurn == ~overtaken

NoLostWaiter == unused <= Patience

KeepsPlace ==
    \A c \in Clients :
        client[c].mode = "waiting" /\ Active(client[c]) /\ client[c].told =>
            LET id == <<c, client[c].n, client[c].kind>>
            IN  IsInside(server, id) \/ Among(id, server.queue)

(* A property of every step. *)

PermitsInOrder ==
    LET admitted == {id \in DOMAIN server'.readers \ DOMAIN server.readers : HasPermit(id)}
        used     == Cardinality({c \in Clients : Valid(c)})
    IN  /\ \A id \in admitted : used < Limit(id[3])
        /\ server'.fence >= server.fence + Cardinality(admitted)

PermitsAdmitted == [][PermitsInOrder]_vars

\* Not a property of the protocol but a bound of the exploration.
Bounded == server.fence <= MaxFence /\ server.time <= MaxFence

\* Likewise, to look for other reasons than claims of dead processes.
NoDeadWaiter == Bounded /\ \A i \in 1..Len(server.queue) : client[server.queue[i][1]].mode # "dead"

\* Likewise, to look at one second claim, after a fault, as long as something is under way or a SET may run late.
OneSuccessor ==
    /\ Bounded /\ Cardinality({c \in Clients : client[c].n > 1}) <= 1 - faults
    /\ \A c \in Clients : client[c].n > 1 => client[c].again # {} \/ client[c].pipe # <<>>

Symmetry == Permutations(Clients)
=============================================================================
