/*
 * failover.pml: a master is replaced by a replica that lacks its last writes, and may go on answering.
 *
 * Two clients: the first with two owners, which hand the lock off to each other; the other with one, whose commands are run and
 * answered without delay, as in holds.pml. A replica is at every moment
 * as its master, or as that was when its writes last reached it: so the one that is promoted lacks any number of the last writes,
 * and a WAIT is answered by those that lack none. There is one failover.
 *
 *   Lane     an owner of the first client acquires, releases, hands off, renews, releases orphans; one command at a time
 *   Reader   the first client reads replies; hears of the new master, at any time, and then settles, repairs and verifies its holds
 *            there, repeats its releases, and sends again what had no answer
 *   Other    the other client acquires, releases, hears of the new master
 *   Server   runs the commands of the first client in their order, at the old master also after it was replaced
 *   Nemesis  keeps writes from a replica, promotes a replica, stops the master and lets it continue
 *   Clock    ages the leases on all sides
 *
 * A lease is represented by the ticks left of it, as in holds.pml; a hold is valid as long as there are any. There is no allowance
 * for clocks that drift, since none does, and a hold whose lease has run out is unlocked at once.
 *
 * The window: while the old master runs although it was replaced, each client hears of that, and is told what it has lost, before a
 * tick has passed. A master that is stopped answers nothing; so by then a client may hear of nothing, but nothing is prolonged.
 *
 * Flags for the checks: STOPS, the master may be stopped; REPLICATED=n, a grant or a renewal is believed when n of two replicas have
 * it, and then the clients need never hear of the failover, and no window is allowed; AWAY, one replica cannot be reached from the
 * start. Flags for defects: TAKEN_AGAIN, of scripts.pml, NO_VERIFY, NO_SETTLE, NO_REPAIR, NO_REPEAT, BELIEVE_FORMER, NO_SILENCE,
 * VERIFY_ONLY, WAIT_ELSEWHERE, RENEW_AT_ONCE, and REPLICATED=1, which is not all of them. The SHOW_ flags check that a state is
 * reached.
 */
#define OWNERS 3
#define OTHER 2
#define CLIENT(o) ((o) / 2)      /* owners 0 and 1 are of the first client, 0, and OTHER is of client 1 */
#define LEASE 2

#ifndef TENURES
#define TENURES 2                /* of the first client, those of repeated attempts included */
#endif
#ifndef TENURES_OF_OTHER
#define TENURES_OF_OTHER 1
#endif
#ifndef RENEWALS
#define RENEWALS 1               /* of the first client, besides those that verify */
#endif

#define NODES 2

#define HANDING_ON
#define SETTLING
#define BIT(which) (1 << (which))
#define lock node[here]
#define newest(i) (CLIENT(i) == CLIENT(o) -> owner[i].released : 0)
#define rest_of_lease(o) (owner[o].left > 0 -> owner[o].left : 1)

byte ownerOf[5];                 /* which owner of the first client has this tenure of it */
byte fromOf[5];                  /* the tenure that it was handed off from */
byte here;                       /* the node that runs a script; 0 outside of that */
byte j;                          /* of loops, like i; 0 outside of them */

#include "scripts.pml"

Hash node[NODES];                /* node 0 is the master at first, node 1 its replica that replaces it */
bool cutOff[3];                  /* no writes reach the replica any more; 2: one that is not promoted, and only confirms writes */
byte master;                     /* as the sentinels, or most nodes, say */

mtype:phase = { RUNS, STOPPED, STOPPED_LONG, CONTINUES };
mtype:phase phase = RUNS;        /* of node 0; STOPPED_LONG: for longer than it takes to be replaced */

mtype:command = { ACQUIRE, RELEASE, RENEW, COMMIT, SETTLE, WAIT_GRANT, WAIT_RENEWAL };
mtype:lane = { IDLE, ACQUIRING, AWAITING, ASKING, RELEASING, ORPHANED };

/* The first client's connection to the master that it knows, and with BELIEVE_FORMER that to the former one; commands by tenure. */
chan wire = [5] of { mtype:command, byte };
chan answers = [5] of { mtype:command, byte, mtype:answer };
#ifdef BELIEVE_FORMER
chan former = [5] of { mtype:command, byte };
#endif

typedef Owner {
    mtype:lane lane;
    bool sent;           /* the lane's command is on the connection, without an answer */
    byte age;            /* ticks since then; of a hold that was handed off to it, since the commit was sent */
    byte tenure;         /* of the hold, or of the lane's command */
    byte unsettled;      /* the orphan: the newest tenure that Redis may have granted without a use for it */
    byte released;       /* the newest tenure whose release or handoff was acknowledged */
    bool held;
    byte left;           /* of its lease, by the client's clock */
    bool asked;          /* a renewal has no answer */
    bool awaited;        /* it was answered, and replicas are to confirm it */
    byte askedAge;
    bool verifying;      /* that renewal is the verification at the new master */
    bool afterSilence;   /* the lane's command was sent before the end of a silence */
    bool stale;          /* it was sent before node 0 continued, which had been replaced meanwhile */
};

Owner owner[OWNERS];

typedef Client {
    bool moved;          /* it has heard of the new master */
    byte last;           /* the newest tenure that was begun */
    bool kept;           /* the promoted replica had the lock for it at all times, if only for an earlier hold */
    bool overtaken;      /* the new master has granted the lock to the other client since it was promoted */
};

Client client[2];

/* Of the first client. */
bool silent;                     /* nothing was read from node 0 for longer than it takes to be replaced */
byte renewals;
byte chain;                      /* the tenure whose handoff has no answer to its commit; 0: there is none */

#define ROOM         (len(wire) < 3)
#define RESTING(o)   (owner[o].lane == IDLE)
#define HELD_BY(o)   (owner[o].held)

/* A client is told what it has lost when its holds are verified at the new master. */
#define TOLD         (client[0].moved && !owner[0].verifying && !owner[1].verifying && client[1].moved)

/* --- Properties. */

#ifdef REPLICATED
#define EXCUSED  (false)
#else
#define EXCUSED  (master != 0 && !TOLD)
#endif
#define OVERLAP  ((HELD_BY(0) || HELD_BY(1)) && HELD_BY(OTHER))

/* No two holds are valid at once within a client, nor of two clients, except in the window. Checked wherever that may change. */
inline exclusive() {
    assert(!(HELD_BY(0) && HELD_BY(1)));
    assert(!OVERLAP || EXCUSED)
}

/* Nothing is under way: then the new master has no tenure whose release or handoff was acknowledged. */
#define RESTS(o)     (RESTING(o) && !HELD_BY(o) && owner[o].unsettled == 0)
#define QUIET        (TOLD && RESTS(0) && RESTS(1) && RESTS(OTHER) && chain == 0 && empty(wire) && empty(answers))

#define COMES_BACK(o)  (node[master].tenure[o] > 0 && node[master].tenure[o] <= owner[o].released)

active proctype Monitor() {
end:
    atomic { QUIET && (COMES_BACK(0) || COMES_BACK(1) || COMES_BACK(OTHER)) -> assert(false) }
}

#ifdef SHOW_OVERLAP
#define SHOW  (OVERLAP)
#endif
#ifdef SHOW_KEPT
#define SHOW  (TOLD && client[0].kept && HELD_BY(1) && owner[1].tenure == 2 && node[master].tenure[1] == 2 && owner[0].released == 1)
#endif
#ifdef SHOW_ASKED
#define SHOW  (owner[0].lane == ASKING && master != 0 && node[0].tenure[0] > 0 && HELD_BY(OTHER) && client[1].moved)
#endif
#ifdef SHOW_GIVEN_BACK
#define SHOW  (answers?[WAIT_GRANT, 1, REFUSED] && node[0].tenure[0] == 1)
#endif
#ifdef SHOW_SURVIVOR
#define SHOW  (TOLD && HELD_BY(0) && master != 0 && owner[0].tenure == 1)
#endif
#ifdef SHOW
active proctype Witness() {
end:
    atomic { SHOW -> assert(false) }
}
#endif

/* --- The owners. */

inline send(script, o) {
    owner[o].sent = true;
    owner[o].age = 0;
    wire!script(owner[o].tenure)
}

inline rest(o) {
    owner[o].lane = IDLE;
    owner[o].sent = false;
    owner[o].age = 0;
    owner[o].afterSilence = false;
    owner[o].stale = false;
    owner[o].tenure = (owner[o].held -> owner[o].tenure : 0)
}

inline let_go(o) {
    owner[o].held = false;
    owner[o].left = 0;
    owner[o].asked = false;
    owner[o].awaited = false;
    owner[o].askedAge = 0;
    owner[o].verifying = false
}

inline unwanted(o, which) {
    owner[o].unsettled = (owner[o].unsettled > (which) -> owner[o].unsettled : (which))
}

inline settled_below(o, which) {
    owner[o].unsettled = (owner[o].unsettled <= (which) -> 0 : owner[o].unsettled)
}

inline acknowledged(o, which) {
    owner[o].released = (owner[o].released > (which) -> owner[o].released : (which))
}

inline confirmed(o, elapsed) {
    owner[o].left = (LEASE - (elapsed) > owner[o].left -> LEASE - (elapsed) : owner[o].left);
    exclusive()
}

inline begin_tenure(o) {
    client[0].last = client[0].last + 1;
    owner[o].tenure = client[0].last;
    ownerOf[owner[o].tenure] = o
}

/* --- Replies. */

inline lose(o) {
    printf("owner %d is told that tenure %d is lost\n", o, owner[o].tenure);
#ifdef REPLICATED
    assert(!HELD_BY(o));
#endif
    assert(!(owner[o].verifying && client[CLIENT(o)].kept));
    let_go(o);
    rest(o)
}

inline granted(o, which) {
    assert(!owner[o].stale);
#ifdef AWAY
    assert(false);
#endif
    if
    :: owner[o].age < LEASE ->
        owner[o].held = true;
        confirmed(o, owner[o].age)
    :: else -> unwanted(o, which)
    fi;
    rest(o)
}

/* The reply to a first acquire. */
inline acquire_answered(o, which, found) {
    settled_below(o, which);
    if
    :: found != HELD -> rest(o)
    :: found == HELD && owner[o].afterSilence ->
        unwanted(o, which);
        rest(o);
        owner[o].lane = ASKING
    :: else ->
#ifdef REPLICATED
        owner[o].lane = AWAITING;
        wire!WAIT_GRANT(which)
#else
        granted(o, which)
#endif
    fi
}

inline release_answered(o, which, found) {
    settled_below(o, which);
    if
    :: found == HELD -> acknowledged(o, which)
    :: else
    fi;
    rest(o)
}

inline prolonged(o, proven) {
    if
    :: proven -> confirmed(o, owner[o].askedAge)
    :: else
    fi;
    assert(!(owner[o].verifying && client[CLIENT(o)].overtaken));
    owner[o].verifying = false;
    owner[o].asked = false;
    owner[o].awaited = false;
    owner[o].askedAge = 0;
    exclusive()
}

/* The reply to a renewal; that to one of an earlier hold is ignored. */
inline renewal_answered(o, which, found) {
    if
    :: owner[o].tenure == which && owner[o].held && owner[o].asked && !owner[o].awaited && found != HELD -> lose(o)
    :: owner[o].tenure == which && owner[o].held && owner[o].asked && !owner[o].awaited && found == HELD ->
#if defined(REPLICATED) && !defined(RENEW_AT_ONCE)
        owner[o].awaited = true;
        wire!WAIT_RENEWAL(which)
#else
#ifdef VERIFY_ONLY
        prolonged(o, !owner[o].verifying)
#else
        prolonged(o, true)
#endif
#endif
    :: else
    fi
}

/* The replicas have confirmed what was written before, or too few have. */
inline grant_replicated(o, which, found) {
    if
    :: owner[o].lane == AWAITING && owner[o].tenure == which && found == HELD -> granted(o, which)
    :: owner[o].lane == AWAITING && owner[o].tenure == which && found != HELD ->
        printf("owner %d gives tenure %d back\n", o, which);
        unwanted(o, which);
        rest(o)
    :: else
    fi
}

inline renewal_replicated(o, which, found) {
    if
    :: owner[o].held && owner[o].awaited && owner[o].tenure == which -> prolonged(o, found == HELD)
    :: else
    fi
}

/* The reply to a commit. It prolongs the new hold, except where replicas would have to confirm that. */
inline committed(o, which, found) {
    if
    :: chain == which && found == HELD ->
        acknowledged(ownerOf[fromOf[which]], fromOf[which]);
        chain = 0;
        if
        :: owner[o].held && owner[o].tenure == which ->
#ifndef REPLICATED
            confirmed(o, owner[o].age);
#endif
            owner[o].age = 0
        :: else
        fi
    :: chain == which && found != HELD ->
        chain = 0;
        if
        :: owner[o].held && owner[o].tenure == which -> lose(o)
        :: else
        fi
    :: else
    fi
}

/* The first reply after a silence: what was sent before may have been run by a node that was replaced meanwhile. */
inline heard() {
    if
    :: silent ->
        silent = false;
#ifndef NO_SILENCE
        owner[0].afterSilence = (owner[0].lane == ACQUIRING && owner[0].sent);
        owner[1].afterSilence = (owner[1].lane == ACQUIRING && owner[1].sent)
#endif
    :: else
    fi
}

/* --- Another home. */

/* What the lane had sent to the former home has an unknown outcome. */
inline unknown(o) {
    if
    :: owner[o].lane == ACQUIRING || owner[o].lane == AWAITING ->
        unwanted(o, owner[o].tenure);
        owner[o].lane = ACQUIRING
    :: else
    fi;
    owner[o].sent = false;
    owner[o].age = 0;
    owner[o].afterSilence = false;
    owner[o].stale = false;
    owner[o].asked = false;
    owner[o].awaited = false;
    owner[o].askedAge = 0
}

/* The new home is told of a hold that it may have missed, and which tenures were released. */
inline settle_first(o, which) {
#ifndef NO_SETTLE
    if
    :: owner[0].released > 0 || owner[1].released > 0 -> wire!SETTLE(which)
    :: else
    fi
#else
    skip
#endif
}

inline verify_there(o) {
#ifndef NO_VERIFY
    if
    :: HELD_BY(o) ->
        owner[o].verifying = true;
        owner[o].asked = true;
        wire!RENEW(owner[o].tenure)
    :: else
    fi
#else
    skip
#endif
}

inline move() {
    printf("the first client hears that node %d is the master\n", master);
    client[0].moved = true;
    silent = false;
    do
    :: wire?script, which ->
#ifdef BELIEVE_FORMER
        former!script(which)
#endif
    :: empty(wire) -> break
    od;
    do
    :: answers?script, which, found
    :: empty(answers) -> break
    od;
    for (j : 0 .. 1) {
        unknown(j);
        if
        :: HELD_BY(j) && chain != owner[j].tenure || owner[j].lane == RELEASING -> settle_first(j, owner[j].tenure)
        :: else
        fi
    }
    if
    :: chain > 0 ->
#ifdef NO_REPAIR
        chain = 0
#else
        settle_first(ownerOf[fromOf[chain]], fromOf[chain]);
        wire!COMMIT(chain)
#endif
    :: else
    fi;
    for (j : 0 .. 1) {
        verify_there(j);
#ifndef NO_REPEAT
        unwanted(j, owner[j].released)
#endif
    }
    j = 0;
    script = 0;
    which = 0;
    found = 0
}

/* --- The processes of the first client. */

/* An owner waits for the answer to its own handoff before it tries. */
#define MAY_TRY(o)  (chain == 0 || ownerOf[fromOf[chain]] != (o))

proctype Lane(byte me) {
end:
    do
    /* tryLock() */
    :: d_step { RESTING(me) && !HELD_BY(me) && client[0].last < TENURES && ROOM && MAY_TRY(me) ->
        begin_tenure(me);
        printf("owner %d tries, tenure %d\n", me, owner[me].tenure);
        owner[me].lane = ACQUIRING;
        send(ACQUIRE, me) }
    /* an acquire that had no answer, or one that is not believed, is sent again with another tenure */
    :: d_step { owner[me].lane == ACQUIRING && !owner[me].sent && ROOM ->
        if
        :: client[0].last < TENURES ->
            begin_tenure(me);
            printf("owner %d tries again, tenure %d\n", me, owner[me].tenure);
            send(ACQUIRE, me)
        :: else ->
            printf("owner %d gives up\n", me);
            rest(me)
        fi }
    /* unlock() */
    :: d_step { RESTING(me) && HELD_BY(me) && ROOM ->
        printf("owner %d unlocks tenure %d\n", me, owner[me].tenure);
        let_go(me);
        owner[me].lane = RELEASING;
        send(RELEASE, me) }
    :: d_step { (owner[me].lane == RELEASING || owner[me].lane == ORPHANED) && !owner[me].sent && ROOM ->
        printf("owner %d releases tenure %d again\n", me, owner[me].tenure);
        send(RELEASE, me) }
    /* unlock() while the other owner of this client waits: that one starts, and Redis is told */
    :: d_step { RESTING(me) && HELD_BY(me) && RESTING(1 - me) && !HELD_BY(1 - me) && chain == 0 &&
                !owner[me].verifying && client[0].last < TENURES && ROOM ->
        begin_tenure(1 - me);
        chain = owner[1 - me].tenure;
        fromOf[chain] = owner[me].tenure;
        printf("owner %d hands tenure %d on to owner %d, tenure %d, who starts\n", me, fromOf[chain], 1 - me, chain);
        owner[1 - me].held = true;
        owner[1 - me].left = owner[me].left;
        let_go(me);
        rest(me);
        wire!COMMIT(chain) }
    /* an orphan is released; so is a tenure whose release is repeated at the new master */
    :: d_step { RESTING(me) && !HELD_BY(me) && owner[me].unsettled > 0 && ROOM ->
        owner[me].lane = ORPHANED;
        owner[me].tenure = owner[me].unsettled;
        owner[me].unsettled = 0;
        printf("owner %d releases the orphan %d\n", me, owner[me].tenure);
        send(RELEASE, me) }
    /* the watchdog, or an extension */
    :: d_step { RESTING(me) && HELD_BY(me) && !owner[me].asked && renewals < RENEWALS && ROOM ->
        renewals = renewals + 1;
        printf("owner %d has its lease renewed\n", me);
        owner[me].asked = true;
        wire!RENEW(owner[me].tenure) }
    od
}

proctype Reader() {
    mtype:command script;
    byte which;
    mtype:answer found;
end:
    do
    :: d_step { nempty(answers) && ROOM ->
        answers?script, which, found;
        printf("the first client hears of %e, tenure %d: %e\n", script, which, found);
        heard();
        j = ownerOf[which];
        if
        :: script == ACQUIRE && owner[j].lane == ACQUIRING && owner[j].sent && owner[j].tenure == which -> acquire_answered(j, which, found)
        :: script == RELEASE && owner[j].sent && owner[j].tenure == which -> release_answered(j, which, found)
        :: script == RENEW -> renewal_answered(j, which, found)
        :: script == COMMIT -> committed(j, which, found)
        :: script == WAIT_GRANT -> grant_replicated(j, which, found)
        :: script == WAIT_RENEWAL -> renewal_replicated(j, which, found)
        :: else
        fi;
        j = 0; script = 0; which = 0; found = 0 }
    :: d_step { master != 0 && !client[0].moved -> move() }
    /* after a silence, others have said which node is the master */
    :: d_step { owner[0].lane == ASKING || owner[1].lane == ASKING ->
        printf("the first client has asked who the master is\n");
        for (j : 0 .. 1) {
            owner[j].lane = (owner[j].lane == ASKING -> ACQUIRING : owner[j].lane)
        }
        j = 0;
        if
        :: master != 0 && !client[0].moved -> move()
        :: else
        fi }
    od
}

/* --- The nodes. */

inline replicate() {
    for (j : 1 .. NODES - 1) {
        if
        :: here == 0 && !cutOff[j] && master != j ->
            for (i : 0 .. OWNERS - 1) {
                node[j].count[i] = node[0].count[i];
                node[j].tenure[i] = node[0].tenure[i]
            }
            i = 0;
            node[j].left = node[0].left
        :: else
        fi
    }
    j = 0
}

/* The new master grants a free lock: the other client's hold, if it was lost, has been followed by another. */
inline overtakes(o) {
    if
    :: master != 0 && here == master && answer == HELD && newcomer -> client[1 - CLIENT(o)].overtaken = true
    :: else
    fi
}

bool newcomer;  /* set within one step: the lock was free before the command */

/* Whether replica r has all writes of the former master; those of the new one are confirmed in any case. */
#ifdef WAIT_ELSEWHERE
#define CONFIRMED  (true)
#else
#ifdef REPLICATED
#define FOLLOWS(r) (!cutOff[r] && master != (r))
#ifdef AWAY
#define CONFIRMED  (here == 0 && FOLLOWS(1) + FOLLOWS(2) >= REPLICATED)
#else
#define CONFIRMED  (here > 0 || FOLLOWS(1) + FOLLOWS(2) >= REPLICATED)
#endif
#else
#define CONFIRMED  (true)
#endif
#endif

inline execute(script, o, which) {
    if
    :: script == ACQUIRE ->
        newcomer = (lock.left == 0);
        acquire(o, which, 1);
        overtakes(o);
        newcomer = false
    :: script == RELEASE -> release(o, which, 0)
    :: script == RENEW ->
#ifdef VERIFY_ONLY
        if
        :: owner[o].verifying -> verify(o, which)
        :: else -> renew(o, which)
        fi
#else
        renew(o, which)
#endif
    :: script == COMMIT -> handoff(o, which, BIT(fromOf[which]))
    :: script == SETTLE -> settle(o, which)
    :: script == WAIT_GRANT || script == WAIT_RENEWAL -> answer = (CONFIRMED -> HELD : REFUSED)
    fi;
    printf("node %d runs %e of owner %d, tenure %d: %e, %d ticks left\n", here, script, o, which, answer, lock.left)
}

#define NODE_0_RUNS  (phase == RUNS || phase == CONTINUES)

proctype Server() {
    mtype:command script;
    byte o;
    byte which;
end:
    do
    :: d_step { (client[0].moved || NODE_0_RUNS) && nempty(wire) && nfull(answers) ->
        wire?script, which;
        o = ownerOf[which];
        here = (client[0].moved -> master : 0);
        execute(script, o, which);
        if
        :: script != SETTLE -> answers!script(which, answer)
        :: else
        fi;
        replicate();
        here = 0; answer = 0; script = 0; o = 0; which = 0 }
#ifdef REPLICATED
    /* the replicas confirm it too late */
    :: d_step { (client[0].moved || NODE_0_RUNS) && wire?[WAIT_GRANT, which] && nfull(answers) ->
        wire?script, which;
        answers!script(which, REFUSED);
        script = 0; which = 0 }
#endif
#ifdef BELIEVE_FORMER
    :: d_step { NODE_0_RUNS && nempty(former) && nfull(answers) ->
        former?script, which;
        o = ownerOf[which];
        execute(script, o, which);
        answers!script(which, answer);
        replicate();
        answer = 0; script = 0; o = 0; which = 0 }
#endif
    od
}

/* --- The other client. */

inline let_go_other() {
    owner[OTHER].held = false;
    owner[OTHER].left = 0;
    owner[OTHER].tenure = 0
}

#define REACHES  (client[1].moved || NODE_0_RUNS)
#define ITS_NODE (client[1].moved -> master : 0)

proctype Other() {
    mtype:command script;
end:
    do
    :: d_step { REACHES && !HELD_BY(OTHER) && client[1].last < TENURES_OF_OTHER ->
        printf("the other client tries: ");
        client[1].last = client[1].last + 1;
        owner[OTHER].tenure = client[1].last;
        here = ITS_NODE;
        script = ACQUIRE;
        execute(script, OTHER, owner[OTHER].tenure);
        if
        :: answer == HELD && CONFIRMED ->
            owner[OTHER].held = true;
            owner[OTHER].left = LEASE;
#ifdef AWAY
            assert(false);
#endif
            exclusive()
        :: answer == HELD && !CONFIRMED ->
            script = RELEASE;
            execute(script, OTHER, owner[OTHER].tenure);
            owner[OTHER].tenure = 0
        :: else -> owner[OTHER].tenure = 0
        fi;
        replicate();
        here = 0; answer = 0; script = 0 }
    :: d_step { REACHES && HELD_BY(OTHER) ->
        printf("the other client unlocks: ");
        here = ITS_NODE;
        script = RELEASE;
        execute(script, OTHER, owner[OTHER].tenure);
        owner[OTHER].released = (answer == HELD -> owner[OTHER].tenure : owner[OTHER].released);
        let_go_other();
        replicate();
        here = 0; answer = 0; script = 0 }
    :: d_step { master != 0 && !client[1].moved ->
        printf("the other client hears that node %d is the master\n", master);
        client[1].moved = true;
        here = master;
        if
        :: HELD_BY(OTHER) ->
            script = SETTLE;
            execute(script, OTHER, owner[OTHER].tenure);
            script = RENEW;
            execute(script, OTHER, owner[OTHER].tenure);
            if
            :: answer == HELD ->
                assert(!client[1].overtaken);
                owner[OTHER].left = LEASE
            :: else ->
                printf("the other client is told that it has lost the lock\n");
#ifdef REPLICATED
                assert(false);
#endif
                assert(!client[1].kept);
                let_go_other()
            fi
        :: else
        fi;
        if
        :: owner[OTHER].released > 0 ->
            script = RELEASE;
            execute(script, OTHER, owner[OTHER].released)
        :: else
        fi;
        exclusive();
        here = 0; answer = 0; script = 0 }
    od
}

/* --- Faults. */

/* The replica has the lock for this owner: for its hold, or one that it has released or handed off. */
#define HAS(r, o)  (node[r].tenure[o] > 0 && (node[r].tenure[o] <= owner[o].released || \
                    owner[o].held && owner[o].tenure == node[r].tenure[o] || \
                    (o) != OTHER && chain > 0 && ownerOf[fromOf[chain]] == (o) && fromOf[chain] == node[r].tenure[o]))

inline promote(r) {
    printf("node %d becomes the master\n", r);
    master = r;
    client[0].kept = HAS(r, 0) || HAS(r, 1);
    client[1].kept = HAS(r, OTHER)
}

proctype Nemesis() {
end:
    do
    :: d_step { !cutOff[1] && master == 0 -> printf("no writes reach node 1 any more\n"); cutOff[1] = true }
    :: d_step { master == 0 && phase != STOPPED -> promote(1) }
#ifdef REPLICATED
    :: d_step { !cutOff[2] -> printf("no writes reach node 2 any more\n"); cutOff[2] = true }
#endif
#ifdef STOPS
    :: d_step { phase == RUNS && master == 0 -> printf("node 0 stops\n"); phase = STOPPED }
    /* what it had replied before has arrived */
    :: d_step { phase == STOPPED && empty(answers) ->
        printf("node 0 has been stopped for long\n");
        phase = STOPPED_LONG;
        silent = !client[0].moved }
    :: d_step { phase == STOPPED_LONG ->
        printf("node 0 continues\n");
        phase = CONTINUES;
        owner[0].stale = (master != 0 && !client[0].moved && owner[0].lane == ACQUIRING && owner[0].sent);
        owner[1].stale = (master != 0 && !client[0].moved && owner[1].lane == ACQUIRING && owner[1].sent) }
#endif
    od
}

/* --- Time. */

#define CHAINED(o)    ((o) != OTHER && chain > 0 && owner[o].held && owner[o].tenure == chain)
#define AGEING(o)     (owner[o].left > 0 || (owner[o].sent || CHAINED(o)) && owner[o].age < LEASE)
#define NODES_AGE     (node[0].left > 0 || node[1].left > 0)

#ifdef REPLICATED
#define IN_TIME       (true)
#else
#define IN_TIME       (master == 0 || phase == STOPPED_LONG || TOLD)
#endif

inline node_older(r) {
    node[r].left = node[r].left - (node[r].left > 0 -> 1 : 0);
    if
    :: node[r].left == 0 ->
        for (i : 0 .. OWNERS - 1) {
            node[r].count[i] = 0;
            node[r].tenure[i] = 0
        }
        i = 0;
        client[0].kept = client[0].kept && r != master;
        client[1].kept = client[1].kept && r != master
    :: else
    fi
}

inline owner_older(o) {
    owner[o].left = owner[o].left - (owner[o].left > 0 -> 1 : 0);
    owner[o].age = owner[o].age + ((owner[o].sent || CHAINED(o)) && owner[o].age < LEASE -> 1 : 0);
    owner[o].askedAge = owner[o].askedAge + (owner[o].asked && owner[o].askedAge < LEASE -> 1 : 0);
    if
    :: owner[o].held && owner[o].left == 0 && o == OTHER -> let_go_other()
    :: owner[o].held && owner[o].left == 0 && o != OTHER ->
        client[0].kept = false;
        unwanted(o, owner[o].tenure);
        let_go(o);
        rest(o)
    :: else
    fi
}

active proctype Clock() {
end:
    do
    :: d_step { (NODES_AGE || AGEING(0) || AGEING(1) || AGEING(2)) && IN_TIME ->
        printf("a tick goes by\n");
        for (j : 0 .. NODES - 1) {
            node_older(j)
        }
        for (j : 0 .. OWNERS - 1) {
            owner_older(j)
        }
        j = 0;
        exclusive() }
    od
}

init {
    atomic {
        for (j : 0 .. OWNERS - 1) {
            owner[j].lane = IDLE
        }
        j = 0;
#ifdef AWAY
        cutOff[2] = true;
#endif
        run Lane(0);
        run Lane(1);
        run Reader();
        run Server();
        run Other();
        run Nemesis()
    }
}
