------------------------------ MODULE QuorumLock ------------------------------
(***************************************************************************)
(* A lock over several nodes that may come back empty; see README.md.      *)
(* Commands run at any time, or never; a renewal is one step, which        *)
(* reaches any of the nodes. That no command of an abandoned attempt runs  *)
(* late is LockProtocol's matter.                                          *)
(* Each grant draws a fencing number. A node that came back empty draws by *)
(* its clock: more than whatever was drawn in an earlier tick.             *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
    Nodes,
    Clients,      \* the processes
    Lease,        \* ticks
    RestartDelay, \* for how many ticks a node that came back does not count
    MaxNumber,    \* the greatest number that is looked at; with 0, none are drawn
    InTurn,       \* whether nodes come back only one after the other, and nothing else is slow or fails for the holder
    Broken        \* the rules to omit

Rule(name) == name \notin Broken

CountLater == Rule("count later") \* a node that came back counts only after the delay
HealLater  == Rule("heal later")  \* for a holder that has it again, too
CountAgreed == Rule("count agreed") \* a renewal counts only the nodes that have agreed, not all that have the lock
Heal       == Rule("heal")        \* a holder acquires a node again that has forgotten it
NotGreater == Rule("not greater") \* a node agrees only if it has drawn no greater number
Raise      == Rule("raise")       \* a node that agrees stores that number, so that it draws greater ones
DrawByClock == Rule("draw by clock")

VARIABLES
    node,    \* what each node stores: owner and ttl; and for how many ticks it has been up, at most the delay
    client,  \* mode; age: ticks since the attempt began; left: ticks of the lease; counted: the nodes that have agreed to it
    emptied, \* the nodes that came back empty since the present lease began; only with InTurn
    stored,  \* the number that each node stores: it draws greater ones
    drawn,   \* for each attempt, the number that each node drew for it; 0 if none
    number,  \* of each attempt or holder; 0 before it is known
    clock,   \* the greatest number of all earlier ticks
    top,     \* the greatest number of all
    started  \* the number of the last holder that started, and whether each had a greater one than those before

numbers == <<stored, drawn, number, clock, top, started>>
vars == <<node, client, emptied, numbers>>

Nobody == "nobody"

Less(a, b) == IF a > b THEN a - b ELSE 0
Least(a, b) == IF a < b THEN a ELSE b
Most(a, b) == IF a > b THEN a ELSE b
Max(set) == CHOOSE a \in set : \A b \in set : a >= b

Draws == MaxNumber > 0
None == [n \in Nodes |-> 0]

IsQuorum(nodes) == 2 * Cardinality(nodes) > Cardinality(Nodes)

Holds(c) == client[c].mode = "holding" /\ client[c].left > 0

Init ==
    /\ node = [n \in Nodes |-> [owner |-> Nobody, ttl |-> 0, up |-> RestartDelay]]
    /\ client = [c \in Clients |-> [mode |-> "idle", age |-> 0, left |-> 0, counted |-> {}]]
    /\ emptied = {}
    \* Earlier holders may have left different numbers.
    /\ stored \in [Nodes -> IF Draws THEN 0..1 ELSE {0}]
    /\ drawn = [c \in Clients |-> None]
    /\ number = [c \in Clients |-> 0]
    /\ clock = 0
    /\ top = Max({stored[n] : n \in Nodes})
    /\ started = [last |-> 0, inOrder |-> TRUE]

Try(c) ==
    /\ client[c].mode = "idle"
    /\ client' = [client EXCEPT ![c].mode = "trying"]
    /\ UNCHANGED <<node, emptied, numbers>>

\* The acquire of an attempt, or of a holder that the node has forgotten, which asks for the rest of its lease.
Acquire(c, n) ==
    /\ client[c].mode = "trying" \/ (Heal /\ Holds(c))
    /\ n \notin client[c].counted
    /\ node[n].owner = Nobody
    /\ node' = [node EXCEPT ![n].owner = c, ![n].ttl = IF Holds(c) THEN client[c].left ELSE Lease]
    /\ LET new == 1 + (IF DrawByClock THEN Most(stored[n], clock) ELSE stored[n])
       IN  IF Draws
           THEN /\ stored' = [stored EXCEPT ![n] = new]
                /\ drawn' = IF Holds(c) THEN drawn ELSE [drawn EXCEPT ![c][n] = new]
                /\ top' = Most(top, new)
           ELSE UNCHANGED <<stored, drawn, top>>
    /\ UNCHANGED <<client, emptied, number, clock, started>>

\* The answers of a quorum have come. Another may come later, with a greater number: then the nodes may be asked again to agree, all of them.
Choose(c) ==
    /\ Draws /\ client[c].mode = "trying"
    /\ \E granted \in SUBSET {n \in Nodes : drawn[c][n] > 0} :
          /\ IsQuorum(granted)
          /\ LET greatest == Max({drawn[c][n] : n \in granted})
             IN  /\ greatest > number[c]
                 /\ number' = [number EXCEPT ![c] = greatest]
    /\ client' = [client EXCEPT ![c].counted = {}]
    /\ UNCHANGED <<node, emptied, stored, drawn, clock, top, started>>

\* The node accepts the number, if the claim still owns the lock there. Only now does it count.
Agree(c, n) ==
    /\ client[c].mode \in {"trying", "holding"}
    /\ n \notin client[c].counted
    /\ node[n].owner = c
    /\ node[n].up = RestartDelay \/ ~CountLater \/ (Holds(c) /\ ~HealLater)
    /\ Draws => number[c] > 0 /\ (NotGreater => drawn[c][n] <= number[c])
    /\ client' = [client EXCEPT ![c].counted = @ \cup {n}]
    /\ stored' = IF Raise THEN [stored EXCEPT ![n] = Most(@, number[c])] ELSE stored
    /\ UNCHANGED <<node, emptied, drawn, number, clock, top, started>>

\* The lease counts from when the attempt began.
Start(c) ==
    /\ client[c].mode = "trying"
    /\ IsQuorum(client[c].counted)
    /\ client[c].age < Lease
    /\ client' = [client EXCEPT ![c].mode = "holding", ![c].left = Lease - client[c].age, ![c].age = 0]
    /\ emptied' = {}
    /\ started' = IF Draws
                  THEN [last |-> number[c], inOrder |-> started.inOrder /\ number[c] > started.last]
                  ELSE started
    /\ drawn' = [drawn EXCEPT ![c] = None]
    /\ UNCHANGED <<node, stored, number, clock, top>>

\* Those of the nodes that have forgotten the lock say so, and count no longer.
Renew(c, reached) ==
    LET held == {n \in reached : node[n].owner = c}
    IN  /\ Holds(c) /\ reached # {} /\ (InTurn => reached = client[c].counted)
        /\ node' = [n \in Nodes |-> IF n \in held THEN [node[n] EXCEPT !.ttl = Lease] ELSE node[n]]
        /\ client' = [client EXCEPT ![c].counted = @ \ (reached \ held),
                                    ![c].left = IF IsQuorum(held) THEN Lease ELSE @]
        /\ UNCHANGED <<emptied, numbers>>

\* A holder is done, or an attempt is given up. The releases come one by one, or never.
Leave(c) ==
    /\ client[c].mode = "trying" \/ (client[c].mode = "holding" /\ ~InTurn)
    /\ client' = [client EXCEPT ![c] = [mode |-> "gone", age |-> 0, left |-> 0, counted |-> {}]]
    /\ drawn' = [drawn EXCEPT ![c] = None]
    /\ number' = [number EXCEPT ![c] = 0]
    /\ UNCHANGED <<node, emptied, stored, clock, top, started>>

Release(n) ==
    /\ node[n].owner # Nobody /\ client[node[n].owner].mode = "gone"
    /\ node' = [node EXCEPT ![n].owner = Nobody, ![n].ttl = 0]
    /\ UNCHANGED <<client, emptied, numbers>>

\* The holder has renewed in this tick, if it can, and asked the nodes that do not count.
IsDone(c) ==
    /\ Holds(c)
    /\ client[c].left = Lease \/ ~IsQuorum(client[c].counted)
    /\ \A n \in client[c].counted : node[n].owner = c
    /\ Heal => \A n \in Nodes \ client[c].counted : node[n].owner # Nobody /\ ~ENABLED Agree(c, n)

\* In turn: when the delay of the others is over, and the holder has asked them.
ComeBackEmpty(n) ==
    /\ InTurn => /\ \A m \in Nodes : node[m].up = RestartDelay
                 /\ \E c \in Clients : IsDone(c) /\ \A m \in Nodes : node[m].owner \in {c, Nobody}
    /\ node' = [node EXCEPT ![n] = [owner |-> Nobody, ttl |-> 0, up |-> 0]]
    /\ emptied' = IF InTurn THEN emptied \cup {n} ELSE emptied
    /\ stored' = [stored EXCEPT ![n] = 0]
    /\ UNCHANGED <<client, drawn, number, clock, top, started>>

Tick ==
    /\ InTurn => \A c \in Clients : Holds(c) => IsDone(c)
    /\ node' = [n \in Nodes |->
                   [owner |-> IF node[n].ttl <= 1 THEN Nobody ELSE node[n].owner,
                    ttl   |-> Less(node[n].ttl, 1),
                    up    |-> Least(node[n].up + 1, RestartDelay)]]
    /\ client' = [c \in Clients |->
                     [client[c] EXCEPT !.left = Less(@, 1), !.age = IF client[c].mode = "trying" THEN Least(@ + 1, Lease) ELSE 0]]
    /\ clock' = top
    /\ UNCHANGED <<emptied, stored, drawn, number, top, started>>

Next ==
    \/ \E c \in Clients :
          \/ Try(c) \/ Choose(c) \/ Start(c) \/ Leave(c)
          \/ \E n \in Nodes : Acquire(c, n) \/ Agree(c, n)
          \/ \E reached \in SUBSET (IF CountAgreed THEN client[c].counted ELSE Nodes) : Renew(c, reached)
    \/ \E n \in Nodes : Release(n) \/ ComeBackEmpty(n)
    \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------

Exclusion == \A a, b \in Clients : a # b => ~(Holds(a) /\ Holds(b))

FencingOrder == started.inOrder

KeepsLease == \A c \in Clients : client[c].mode = "holding" => client[c].left > 0

\* Not a property: shows that a lease can outlive all nodes' data.
NotAllEmptied == emptied # Nodes

\* A constraint: they could grow for ever.
Numbered == top <= MaxNumber

Symmetry == Permutations(Nodes) \cup Permutations(Clients)
=============================================================================
