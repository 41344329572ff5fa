---------------------------- MODULE FencedCommit ----------------------------
(***************************************************************************)
(* A transaction under a lock that another holder has overtaken does not   *)
(* commit. The lock itself is not modelled: any number of holders believe  *)
(* at any time that they hold it, with tokens in any order, even equal     *)
(* ones. A holder is one lease. It may pause before each step.             *)
(*                                                                         *)
(* The database has one row for each name. A holder announces: it puts its *)
(* mark into the row, unless a greater token is there. Then it begins      *)
(* transactions, and each locks the row and compares before it commits.    *)
(* A mark is unique, and belongs to one announcement.                      *)
(*                                                                         *)
(* The database does not notice that two transactions write the same       *)
(* counter. So the counters stand for any data, in whatever rows.          *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Holders,    \* leases; a process that acquires again is another one
    Tokens,     \* each holder draws any of these
    Names,      \* numbers, to have an order; a holder has one or more of them
    Levels,     \* "outer" transactions; "inner" ones too, with a connection of their own (REQUIRES_NEW)
    Commits,    \* how many transactions of each level a holder commits
    Attempts,   \* how many times a holder may announce, if it has no answer
    Isolations, \* any of "read committed"; "snapshot", as REPEATABLE READ of PostgreSQL; "old reads", as that of InnoDB
    Events,     \* which of "prune", "lost commit", "lost announcement" may happen
    Broken      \* the rules to omit

Rule(name) == name \notin Broken

Announces             == Rule("announce")                \* otherwise the compare itself raises the row, as a fence in each statement does
AnnounceBeforeBegin   == Rule("announce before begin")   \* no transaction, whose snapshot would be older, is open yet
AnnounceBeforeReading == Rule("announce before reading")
AnnounceOnce          == Rule("announce once")           \* later transactions of the holder do not put its mark there again
UnlessGreater         == Rule("unless greater")          \* a stale holder does not overtake whoever overtook it
RaiseAfterDuplicate   == Rule("raise after duplicate")   \* an insert that comes second is followed by an update
FreshMark             == Rule("fresh mark")              \* an announcement without an answer, which may run late, is repeated with another mark
CompareMarks          == Rule("compare marks")           \* not tokens, which may be equal
LockTheRow            == Rule("lock the row")            \* from the compare to the end of the transaction
MissingIsOvertaken    == Rule("missing is overtaken")    \* a row that is gone is nobody's
CompareLast           == Rule("compare last")            \* no work between the compare and the commit
CompareInOrder        == Rule("compare in order")        \* of the names
CompareOnly           == Rule("compare only")            \* without changing the row, which another transaction of the holder compares too
EndAfterLostCommit    == Rule("end after lost commit")   \* a holder begins nothing after a commit without an answer
KeepYoungRows         == Rule("keep young rows")         \* pruning leaves rows whose holder may still work

ASSUME Isolations \subseteq {"read committed", "snapshot", "old reads"}

VARIABLES
    holder,    \* wants: its names; token; step; announced: names; tries: announcements
    tx,        \* each holder's transaction of each level; made: how many it has committed; changed: a row has, since the snapshot
    row,       \* the mark in each name's row
    late,      \* commits under way that nobody waits for
    lateMarks, \* announcements under way that nobody waits for
    data,      \* counters, one for each name and level; each transaction writes what it read, and one more
    count,     \* of those: commits that were reported, and commits that happened without an answer
    announced, \* each name's marks that ever were in its row, and the last of them, although it may be pruned
    inOrder    \* whether only holders committed that were the last to announce

vars == <<holder, tx, row, late, lateMarks, data, count, announced, inOrder>>

NoRow == <<>>
Counters == Names \X Levels
Txs == Holders \X Levels

None(made) ==
    [step |-> "none", isolation |-> "", snapshot |-> <<>>, changed |-> FALSE, value |-> <<>>, compared |-> {}, made |-> made]

Mark(h) == <<h, IF FreshMark THEN holder[h].tries ELSE 1>>
Token(mark) == holder[mark[1]].token

IsReady(h)    == holder[h].step = "ready"
IsOpen(t)     == tx[t].step # "none"
IsInnermost(t) == t[2] = "outer" => \A l \in Levels \ {"outer"} : ~IsOpen(<<t[1], l>>)
First(names)  == CHOOSE n \in names : \A m \in names : n <= m

\* The row lock is the transaction's, even if nobody waits for its commit any longer.
IsLocked(n) ==
    /\ LockTheRow
    /\ (\E t \in Txs : n \in tx[t].compared) \/ (\E c \in late : n \in DOMAIN c.value)

Init ==
    /\ holder \in [Holders -> [wants : (SUBSET Names) \ {{}}, token : Tokens, step : {IF Announces THEN "update" ELSE "ready"},
                               announced : {{}}, tries : {1}]]
    /\ tx = [t \in Txs |-> None(0)]
    /\ row = [n \in Names |-> NoRow]
    /\ late = {} /\ lateMarks = {}
    /\ data = [c \in Counters |-> 0]
    /\ count = [c \in Counters |-> [reported |-> 0, unanswered |-> 0]]
    /\ announced = [n \in Names |-> [marks |-> {}, last |-> NoRow]]
    /\ inOrder = TRUE

-----------------------------------------------------------------------------
(* The row. A change shows in the snapshots of open transactions. *)

Change(n, mark) ==
    /\ row' = [row EXCEPT ![n] = mark]
    /\ tx' = [t \in Txs |->
                 IF tx[t].isolation = "snapshot" /\ n \in holder[t[1]].wants THEN [tx[t] EXCEPT !.changed = TRUE] ELSE tx[t]]

Put(n, mark) ==
    /\ Change(n, mark)
    /\ announced' = [announced EXCEPT ![n] = [marks |-> @.marks \cup {mark}, last |-> mark]]

MayRaise(n, mark) == ~UnlessGreater \/ Token(row[n]) <= Token(mark)

RollBackAll(h) == tx' = [t \in Txs |-> IF t[1] = h THEN None(tx[t].made) ELSE tx[t]]

\* The lease is lost: a compare or an announcement found another mark.
Refuse(h) ==
    /\ holder' = [holder EXCEPT ![h].step = "refused"]
    /\ RollBackAll(h)
    /\ UNCHANGED <<row, announced>>

Told(h, n) ==
    LET all == holder[h].announced \cup {n}
    IN  holder' = [holder EXCEPT ![h].announced = all, ![h].step = IF all = holder[h].wants THEN "ready" ELSE "update"]

Unannounced(h) == First(holder[h].wants \ holder[h].announced)

\* UPDATE … SET mark WHERE name AND token <= ours.
Update(h) ==
    LET n == Unannounced(h)
    IN  /\ holder[h].step = "update" /\ ~IsLocked(n)
        /\ IF row[n] = NoRow
           THEN holder' = [holder EXCEPT ![h].step = "insert"] /\ UNCHANGED <<row, tx, announced>>
           ELSE IF MayRaise(n, Mark(h)) THEN Put(n, Mark(h)) /\ Told(h, n)
           ELSE Refuse(h)
        /\ UNCHANGED <<late, lateMarks, data, count, inOrder>>

\* INSERT. Somebody else may have done so since the update found nothing.
Insert(h) ==
    LET n == Unannounced(h)
    IN  /\ holder[h].step = "insert"
        /\ IF row[n] = NoRow THEN Put(n, Mark(h)) /\ Told(h, n)
           ELSE IF RaiseAfterDuplicate
           THEN holder' = [holder EXCEPT ![h].step = "update"] /\ UNCHANGED <<row, tx, announced>>
           ELSE Told(h, n) /\ UNCHANGED <<row, tx, announced>>
        /\ UNCHANGED <<late, lateMarks, data, count, inOrder>>

\* Connection lost, or no answer in time. The announcement was done, will be done at any time, or never. Another attempt may follow.
LoseAnnouncement(h) ==
    /\ "lost announcement" \in Events /\ holder[h].step \in {"update", "insert"}
    /\ lateMarks' = lateMarks \cup {<<Unannounced(h), Mark(h)>>}
    /\ holder' = IF holder[h].tries < Attempts
                 THEN [holder EXCEPT ![h].tries = @ + 1, ![h].step = "update", ![h].announced = {}]
                 ELSE [holder EXCEPT ![h].step = "ended"]
    /\ RollBackAll(h)
    /\ UNCHANGED <<row, late, data, count, announced, inOrder>>

LateAnnouncement(n, mark) ==
    /\ ~IsLocked(n)
    /\ lateMarks' = lateMarks \ {<<n, mark>>}
    /\ IF row[n] = NoRow \/ MayRaise(n, mark) THEN Put(n, mark) ELSE UNCHANGED <<row, tx, announced>>
    /\ UNCHANGED <<holder, late, data, count, inOrder>>

AnnounceAgain(h, n) ==
    /\ ~AnnounceOnce /\ IsReady(h) /\ n \in holder[h].wants /\ ~IsLocked(n)
    /\ IF row[n] = NoRow \/ MayRaise(n, Mark(h)) THEN Put(n, Mark(h)) /\ UNCHANGED holder ELSE Refuse(h)
    /\ UNCHANGED <<late, lateMarks, data, count, inOrder>>

\* A DELETE waits for the row lock too.
Prune(n) ==
    /\ "prune" \in Events /\ row[n] # NoRow /\ ~IsLocked(n)
    /\ KeepYoungRows => LET h == row[n][1] IN holder[h].step \in {"refused", "ended"} \/ row[n] # Mark(h)
    /\ Change(n, NoRow)
    /\ UNCHANGED <<holder, late, lateMarks, data, count, announced, inOrder>>

-----------------------------------------------------------------------------
(* Transactions. *)

Seen(t) == [n \in holder[t[1]].wants |-> data[<<n, t[2]>>]]

\* The first statement, which fixes the snapshot. An inner transaction begins within an outer one.
Begin(t, isolation) ==
    LET h == t[1]
    IN  /\ \/ IsReady(h)
           \/ holder[h].step \in {"update", "insert"} /\ ~(AnnounceBeforeBegin /\ AnnounceBeforeReading)
        /\ ~IsOpen(t) /\ tx[t].made < Commits
        /\ t[2] = "inner" => LET outer == tx[<<h, "outer">>]
                             IN  outer.step = "read" /\ (CompareLast => outer.compared = {})
        /\ tx' = [tx EXCEPT ![t].step = "begun", ![t].isolation = isolation,
                            ![t].snapshot = IF isolation = "read committed" THEN <<>> ELSE Seen(t)]
        /\ UNCHANGED <<holder, row, late, lateMarks, data, count, announced, inOrder>>

Read(t) ==
    /\ tx[t].step = "begun"
    /\ IsReady(t[1]) \/ ~AnnounceBeforeReading
    /\ tx' = [tx EXCEPT ![t].step = "read",
                        ![t].value = IF tx[t].isolation = "read committed" THEN Seen(t) ELSE tx[t].snapshot]
    /\ UNCHANGED <<holder, row, late, lateMarks, data, count, announced, inOrder>>

\* A transaction that only read ends, and the next one writes what it read.
ReadOnlyEnds(t) ==
    /\ tx[t].step = "read" /\ tx[t].compared = {} /\ IsReady(t[1]) /\ IsInnermost(t)
    /\ tx' = [tx EXCEPT ![t].changed = FALSE]
    /\ UNCHANGED <<holder, row, late, lateMarks, data, count, announced, inOrder>>

IsOwn(n, h) == row[n] # NoRow /\ (IF CompareMarks THEN row[n] = Mark(h) ELSE Token(row[n]) = holder[h].token)

\* Only "snapshot" fails if the row has changed since then. "old reads" compares the newest mark beside old data.
Passes(t, n) ==
    \/ row[n] = NoRow /\ ~MissingIsOvertaken
    \/ IsOwn(n, t[1]) /\ ~tx[t].changed
    \/ ~Announces /\ (row[n] = NoRow \/ Token(row[n]) <= holder[t[1]].token)

\* SELECT … FOR UPDATE.
Compare(t, n) ==
    LET more == holder[t[1]].wants \ tx[t].compared
    IN  /\ IsReady(t[1]) /\ IsInnermost(t)
        /\ tx[t].step = (IF CompareLast THEN "read" ELSE "begun")
        /\ n \in more /\ (CompareInOrder => n = First(more)) /\ ~IsLocked(n)
        /\ IF Passes(t, n)
           THEN tx' = [tx EXCEPT ![t].compared = @ \cup {n}] /\ UNCHANGED <<holder, row, announced>>
           ELSE Refuse(t[1])
        /\ UNCHANGED <<late, lateMarks, data, count, inOrder>>

MayCommit(t) == IsReady(t[1]) /\ tx[t].step = "read" /\ tx[t].compared = holder[t[1]].wants /\ IsInnermost(t)

Write(t, value, as) ==
    LET written == {<<n, t[2]>> : n \in DOMAIN value}
    IN  /\ data' = [c \in Counters |-> IF c \in written THEN value[c[1]] + 1 ELSE data[c]]
        /\ count' = [c \in Counters |-> IF c \in written THEN [count[c] EXCEPT ![as] = @ + 1] ELSE count[c]]

Commit(t) ==
    /\ MayCommit(t)
    /\ Write(t, tx[t].value, "reported")
    /\ inOrder' = (inOrder /\ \A n \in tx[t].compared : announced[n].last = Mark(t[1]))
    /\ tx' = [u \in Txs |-> IF u = t THEN None(tx[t].made + 1)
                           ELSE [tx[u] EXCEPT !.changed = @ \/ (~CompareOnly /\ tx[u].isolation = "snapshot")]]
    /\ row' = IF Announces THEN row ELSE [n \in Names |-> IF n \in tx[t].compared THEN Mark(t[1]) ELSE row[n]]
    /\ UNCHANGED <<holder, late, lateMarks, announced>>

\* Connection lost. The database has committed, will commit, or will not.
LoseCommit(t) ==
    /\ "lost commit" \in Events /\ MayCommit(t)
    /\ late' = late \cup {[tx |-> t, value |-> tx[t].value, mark |-> Mark(t[1])]}
    /\ IF EndAfterLostCommit
       THEN holder' = [holder EXCEPT ![t[1]].step = "ended"] /\ RollBackAll(t[1])
       ELSE tx' = [tx EXCEPT ![t] = None(@.made + 1)] /\ UNCHANGED holder
    /\ UNCHANGED <<row, lateMarks, data, count, announced, inOrder>>

LateCommit(c) ==
    /\ Write(c.tx, c.value, "unanswered")
    /\ inOrder' = (inOrder /\ \A n \in DOMAIN c.value : announced[n].last = c.mark)
    /\ late' = late \ {c}
    /\ UNCHANGED <<holder, tx, row, lateMarks, announced>>

LateRollback(c) ==
    /\ late' = late \ {c}
    /\ UNCHANGED <<holder, tx, row, lateMarks, data, count, announced, inOrder>>

\* The work fails, a wait for a row lock ends, or the connection is lost. The holder may begin again.
Rollback(t) ==
    /\ IsOpen(t) /\ IsInnermost(t)
    /\ tx' = [tx EXCEPT ![t] = None(@.made)]
    /\ UNCHANGED <<holder, row, late, lateMarks, data, count, announced, inOrder>>

\* Released, given up, or crashed.
End(h) ==
    /\ holder[h].step \in {"update", "insert", "ready"}
    /\ holder' = [holder EXCEPT ![h].step = "ended"]
    /\ RollBackAll(h)
    /\ UNCHANGED <<row, late, lateMarks, data, count, announced, inOrder>>

GoOn(h) ==
    \/ Update(h) \/ Insert(h)
    \/ \E l \in Levels :
          LET t == <<h, l>>
          IN  Read(t) \/ Commit(t) \/ (\E n \in Names : Compare(t, n)) \/ (\E i \in Isolations : Begin(t, i))

Next ==
    \/ \E h \in Holders :
          \/ GoOn(h) \/ LoseAnnouncement(h) \/ End(h)
          \/ \E n \in Names : AnnounceAgain(h, n)
          \/ \E l \in Levels : ReadOnlyEnds(<<h, l>>) \/ LoseCommit(<<h, l>>) \/ Rollback(<<h, l>>)
    \/ \E c \in late : LateCommit(c) \/ LateRollback(c)
    \/ \E m \in lateMarks : LateAnnouncement(m[1], m[2])
    \/ \E n \in Names : Prune(n)

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

\* As long as its mark is in the row, what a holder has read is what is there, in whatever number of transactions it read it.
ReadsAreCurrent ==
    \A t \in Txs : tx[t].step = "read" =>
        \A n \in DOMAIN tx[t].value : row[n] = Mark(t[1]) => tx[t].value[n] = data[<<n, t[2]>>]

\* Each counter is the number of commits that were reported, and of those that happened without an answer.
NoLostUpdate == \A c \in Counters : data[c] = count[c].reported + count[c].unanswered

\* A holder that commits was the last to announce. So commits happen in the order of announcements, and none after it was superseded.
CommitOrder == inOrder

\* A holder is refused only if another announcement, of a token that is no smaller, came to the row.
RefusedForAReason ==
    \A h \in Holders : holder[h].step = "refused" =>
        \E n \in holder[h].wants : \E m \in announced[n].marks : m # Mark(h) /\ Token(m) >= holder[h].token

\* A row is locked only while nothing remains but to compare other names and to commit.
LockedBriefly == \A t \in Txs : tx[t].compared # {} => tx[t].step = "read" /\ IsInnermost(t)

\* A holder goes on by itself, or waits for the lock of another's row, which goes on by itself or has no more to do.
HasWork(h) ==
    \/ holder[h].step \in {"update", "insert"}
    \/ IsReady(h) /\ (tx[<<h, "outer">>].made < Commits \/ \E l \in Levels : IsOpen(<<h, l>>))

NeverStuck ==
    \A h \in Holders :
        HasWork(h) /\ late = {} /\ ~ENABLED GoOn(h) =>
            \E t \in Txs : t[1] # h /\ tx[t].compared \cap holder[h].wants # {} /\ ENABLED GoOn(t[1])

\* Not a property but a bound of the exploration: what is wrong although no two tokens are equal.
UniqueTokens == \A a, b \in Holders : a # b => holder[a].token # holder[b].token

\* Not a property: shows that all holders can commit all they want.
NotAllCommit == \E t \in Txs : tx[t].made < Commits

Symmetry == Permutations(Holders)
=============================================================================
