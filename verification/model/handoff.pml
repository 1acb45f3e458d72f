/*
 * handoff.pml: handoffs within one client with early start and group commit: the next owner starts at once, and a command tells
 * Redis later, perhaps of several handoffs.
 *
 * One client with three owners on one connection, and another client. A hold is named by its tenure. Only the latest hold can be
 * valid, since an owner that hands off has released its own. The belief in the latest hold is wrong if an earlier handoff did
 * not happen.
 *
 *   Client   acquires, hands off, commits its handoffs at any time, at the latest before another command; releases, releases
 *            orphans; begins a new connection with the repair of its chain
 *   Redis    runs commands in order, those of a dead connection until it is killed; may refuse one commit
 *   Other    acquires and releases the lock, without delay
 *   Nemesis  cuts the connection
 *   Clock    as in holds.pml
 *
 * Flags for defects: NO_MINIMUM, NO_REPAIR, BARGE_IN, NO_COMMIT_BEFORE, FROM_CONFIRMED. The SHOW_ flags check that a state is reached.
 */
#define OWNERS 4
#define OTHER 3
#define LEASE 3
#define ALLOWANCE 1

#ifndef TENURES
#define TENURES 3
#endif
#ifndef CUTS
#define CUTS 2
#endif

#define HANDING_ON
#define BIT(which)  (1 << (which))

byte ownerOf[5];

#include "scripts.pml"

mtype:command = { ACQUIRE, COMMIT, REPAIR, RELEASE };

chan wire = [5] of { mtype:command, byte, byte };   /* the tenure, and the tenures that it may be handed off from */
chan answers = [5] of { mtype:command, byte, mtype:answer };
chan dead = [12] of { mtype:command, byte, byte };

/* The client's state. */
byte last;         /* the newest tenure that was begun */
byte now;          /* the latest hold */
bool held;         /* its owner takes itself for the holder */
byte left;         /* of its lease, by the client's clock */
byte age[5];  /* ticks since the command of that tenure was sent */
byte inFlight;     /* tenures whose acquire or commit is on the connection without an answer; bits */
byte chain;        /* tenures that started early and that no answer has decided; bits */
byte uncommitted;  /* those of them that no commit was sent for; bits */
byte befores;      /* the tenures that the chain was handed off from; bits */
byte fromOf[5];    /* the tenure that a tenure was handed off from */
byte told;         /* the tenures that Redis may know; bits */
bool broken;       /* the answer to one handoff of the chain was that it did not happen */
bool repairing;
byte repairAge;
byte attempt;      /* the tenure of a first acquire in flight, 0 if there is none */
byte unsettled;    /* tenures to be released whose release has no answer; bits */
byte settling;     /* the one whose release is on the connection, 0 if there is none */
bool up = true;

/* The other client's state. */
bool otherHeld;
byte otherLeft;
byte otherLast;

byte cuts;
bool refused;
bool newcomer;  /* set within one step: the lock was free before the command */

#define VALID        (held && left > ALLOWANCE)
#define OTHER_VALID  (otherHeld && otherLeft > ALLOWANCE)

/* --- Properties. */

inline exclusive() {
    assert(!(VALID && OTHER_VALID))
}

#define QUIET  (up && !held && attempt == 0 && unsettled == 0 && chain == 0 && empty(wire) && empty(answers) && empty(dead))
#define ORPHAN (QUIET && (lock.tenure[0] != 0 || lock.tenure[1] != 0 || lock.tenure[2] != 0))

active proctype Monitor() {
end:
    atomic { ORPHAN -> assert(false) }
}

#ifdef SHOW_CHAIN_OF_TWO
#define SHOW  (VALID && chain == (BIT(2) | BIT(3)))
#endif
#ifdef SHOW_GROUP
#define SHOW  (VALID && now == 3 && answers?[COMMIT, 3, HELD] && !(told & BIT(2)))
#endif
#ifdef SHOW_REPAIRED
#define SHOW  (VALID && answers?[REPAIR, 3, HELD])
#endif
#ifdef SHOW_LOST_IN_CHAIN
#define SHOW  (held && chain != 0 && OTHER_VALID)
#endif
#ifdef SHOW
active proctype Witness() {
end:
    atomic { SHOW -> assert(false) }
}
#endif

/* --- The client. */

inline let_go() {
    held = false;
    left = 0
}

/* A new tenure, of an owner other than the last holder. */
inline begin_tenure(o) {
    last = last + 1;
    ownerOf[last] = o;
    age[last] = 0;
    inFlight = inFlight | BIT(last)
}

inline hand_on(o) {
    printf("owner %d hands tenure %d on to owner %d, tenure %d, who starts\n", ownerOf[now], now, o, last + 1);
    last = last + 1;
    ownerOf[last] = o;
    fromOf[last] = now;
    chain = chain | BIT(last);
    uncommitted = uncommitted | BIT(last);
    befores = befores | BIT(now);
#ifdef NO_MINIMUM
    left = LEASE;
#endif
    now = last
}

#define HIGHEST(bits)  ((bits) & BIT(4) -> 4 : ((bits) & BIT(3) -> 3 : ((bits) & BIT(2) -> 2 : 1)))
#define LOWEST(bits)   ((bits) & BIT(1) -> 1 : ((bits) & BIT(2) -> 2 : ((bits) & BIT(3) -> 3 : 4)))

/* The hold that the first of the handoffs starts from, to which the commit before gave the lock. */
#ifdef FROM_CONFIRMED
#define FROM  BIT(LOWEST(befores))
#else
#define FROM  BIT(fromOf[LOWEST(uncommitted)])
#endif

/* Tells Redis of all handoffs that no commit was sent for. */
inline commit() {
    age[HIGHEST(uncommitted)] = 0;
    inFlight = inFlight | BIT(HIGHEST(uncommitted));
    wire!COMMIT(HIGHEST(uncommitted), FROM);
    told = told | BIT(HIGHEST(uncommitted));
    uncommitted = 0
}

/* Another command about the lock follows. */
inline commit_before() {
    if
#ifndef NO_COMMIT_BEFORE
    :: uncommitted != 0 && !repairing -> commit()
#endif
    :: else
    fi
}

inline confirmed(since) {
    left = (LEASE - (since) > left -> LEASE - (since) : left);
    exclusive()
}

inline forget_chain() {
    chain = 0;
    uncommitted = 0;
    befores = 0;
    broken = false
}

/* The chain without the handoffs up to one that was answered. */
inline decide(which) {
    befores = 0;
    for (i : 1 .. TENURES) {
        if
        :: i <= which && !(uncommitted & BIT(i)) -> chain = chain & ~BIT(i)
        :: else
        fi;
        befores = ((chain & BIT(i)) -> befores | BIT(fromOf[i]) : befores)
    }
    i = 0
}

/* A commit was answered. */
inline passed(which, found) {
    if
    :: found == REFUSED ->
        /* the client ends the connection, and repairs the chain on the next one */
        cut()
    :: found == HELD && (chain & BIT(which)) ->
        decide(which);
        if
        :: which == now && VALID -> confirmed(age[which])
        :: else
        fi
    :: found != HELD && found != REFUSED && (chain & BIT(which)) ->
        decide(which);
        broken = true;
        if
        :: which == now -> let_go()
        :: else
        fi
    :: else
    fi;
    if
    :: chain == 0 -> forget_chain()
    :: else
    fi
}

inline repaired(which, found) {
    repairing = false;
    if
    :: found == HELD && which == now && VALID -> confirmed(repairAge)
    :: found == HELD && !(which == now && VALID) ->
        unsettled = unsettled | BIT(which);
        if
        :: which == now -> let_go()
        :: else
        fi
    :: found != HELD && which == now -> let_go()
    :: else
    fi;
    repairAge = 0;
    forget_chain()
}

inline acquired(which, found) {
    attempt = 0;
    if
    :: found == HELD && LEASE - age[which] > ALLOWANCE ->
        assert(!VALID);
        now = which;
        held = true;
        left = 0;
        confirmed(age[which])
    :: found == HELD && LEASE - age[which] <= ALLOWANCE -> unsettled = unsettled | BIT(which)
    :: else
    fi
}

/* Commands on the connection may have arrived, and Redis may run them until the next connection kills this one. */
inline cut() {
    do
    :: wire?script, args, more -> dead!script(args, more)
    :: empty(wire) -> break
    od;
    do
    :: answers?script, args, found
    :: empty(answers) -> break
    od;
    up = false;
    inFlight = 0;
    repairing = false;
    repairAge = 0;
    settling = 0;
    if
    :: attempt != 0 ->
        unsettled = unsettled | BIT(attempt);
        attempt = 0
    :: else
    fi;
    for (i : 1 .. TENURES) {
        age[i] = 0
    }
    i = 0
}

#define FORGET script = 0; args = 0; more = 0; found = 0

#ifdef BARGE_IN
#define MAY_TRY(o) (true)
#else
/* An owner waits for the answer to its own handoff before it tries. */
#define MAY_TRY(o) (befores == 0 || !handed_on_by(o))
#define handed_on_by(o) ((befores & BIT(1)) && ownerOf[1] == (o) || (befores & BIT(2)) && ownerOf[2] == (o) \
                         || (befores & BIT(3)) && ownerOf[3] == (o))
#endif

proctype Client() {
    mtype:command script;
    mtype:answer found;
    byte args;
    byte more;
end:
    do
    /* tryLock() of owner 0, which holds nothing; another owner of this client may hold the lock */
    :: d_step { up && attempt == 0 && last < TENURES && len(wire) < 4 && !(held && ownerOf[now] == 0) && MAY_TRY(0) ->
        printf("owner 0 tries, tenure %d\n", last + 1);
        begin_tenure(0);
        attempt = last;
        told = told | BIT(last);
        commit_before();
        wire!ACQUIRE(last, 0) }
    /* Redis is told, at once, or after the reply to the last commit, or on a slow link before it */
    :: d_step { up && uncommitted != 0 && !repairing && nfull(wire) -> commit() }
    /* unlock() while another owner waits: the lock is handed off to it */
    :: d_step { up && VALID && !broken && !repairing && attempt == 0 && last < TENURES && ownerOf[now] != 1 -> hand_on(1) }
    :: d_step { up && VALID && !broken && !repairing && attempt == 0 && last < TENURES && ownerOf[now] != 2 -> hand_on(2) }
    /* unlock() without a waiter */
    :: d_step { VALID ->
        printf("owner %d releases tenure %d\n", ownerOf[now], now);
        unsettled = unsettled | BIT(now);
        let_go() }
    /* unlock() of a hold whose lease is known to be lost */
    :: d_step { held && !VALID ->
        printf("owner %d unlocks tenure %d, which is lost\n", ownerOf[now], now);
        unsettled = unsettled | BIT(now);
        let_go() }
    /* a tenure to be released is released, repeated until it is answered */
    :: d_step { up && settling == 0 && unsettled != 0 && len(wire) < 4 ->
        commit_before();
        do
        :: unsettled & BIT(args) -> break
        :: else -> args = args + 1
        od;
        settling = args;
        wire!RELEASE(args, 0);
        FORGET }
    /* an answer */
    :: d_step { answers?script, args, found ->
        printf("the client hears of %e, tenure %d: %e\n", script, args, found);
        inFlight = (script == ACQUIRE || script == COMMIT -> inFlight & ~BIT(args) : inFlight);
        if
        :: script == ACQUIRE -> acquired(args, found)
        :: script == COMMIT -> passed(args, found)
        :: script == REPAIR -> repaired(args, found)
        :: script == RELEASE ->
            unsettled = unsettled & ~BIT(args);
            settling = 0
        fi;
        FORGET }
    /* a new connection: the one before is killed, and the chain is repaired before all other commands */
    :: d_step { !up ->
        printf("the client has a new connection\n");
        do
        :: dead?script, args, more
        :: empty(dead) -> break
        od;
        up = true;
        if
#ifdef NO_REPAIR
        :: chain != 0 -> forget_chain()
#else
        :: chain != 0 ->
            args = TENURES;
            do
            :: chain & BIT(args) -> break
            :: else -> args = args - 1
            od;
            repairing = true;
            uncommitted = 0;
            wire!REPAIR(args, befores & told);
            told = told | BIT(args)
#endif
        :: else
        fi;
        FORGET }
    od
}

/* --- Redis. */

inline execute(script, args, more) {
    newcomer = (lock.left == 0);
    if
    :: script == ACQUIRE -> acquire(ownerOf[args], args, 1)
    :: script == RELEASE -> release(ownerOf[args], args, 0)
    :: script == COMMIT || script == REPAIR -> handoff(ownerOf[args], args, more)
    fi;
    if
    :: script == ACQUIRE && answer == HELD && newcomer -> assert(!otherHeld || otherLeft == 0)
    :: else
    fi;
    newcomer = false;
    printf("%e of owner %d, tenure %d: %e, %d ticks left\n", script, ownerOf[args], args, answer, lock.left)
}

proctype Redis() {
    mtype:command script;
    mtype:answer found;
    byte args;
    byte more;
end:
    do
    :: d_step { wire?script, args, more ->
        printf("Redis runs ");
        execute(script, args, more);
        answers!script(args, answer);
        answer = 0; FORGET }
    :: d_step { dead?script, args, more ->
        printf("Redis runs, late, ");
        execute(script, args, more);
        answer = 0; FORGET }
    :: d_step { !refused && wire?[COMMIT, args, more] ->
        wire?script, args, more;
        refused = true;
        printf("Redis refuses the commit of tenure %d\n", args);
        answers!script(args, REFUSED);
        FORGET }
    od
}

/* --- The other client. */

proctype Other() {
end:
    do
    :: d_step { !otherHeld && otherLast < 2 && lock.left == 0 ->
        printf("the other client takes the lock\n");
        otherLast = otherLast + 1;
        acquire(OTHER, otherLast, 1);
        answer = 0;
        assert(!held || left == 0);
        otherHeld = true;
        otherLeft = LEASE;
        exclusive() }
    :: d_step { otherHeld ->
        printf("the other client lets go\n");
        otherHeld = false;
        otherLeft = 0;
        release(OTHER, otherLast, 0);
        answer = 0 }
    od
}

/* --- Faults, and time. */

proctype Nemesis() {
    mtype:command script;
    mtype:answer found;
    byte args;
    byte more;
end:
    do
    :: d_step { up && cuts < CUTS ->
        printf("the connection is cut\n");
        cuts = cuts + 1;
        cut();
        FORGET }
    od
}

#define OLDER(which)  age[which] = age[which] + ((inFlight & BIT(which)) && age[which] < LEASE -> 1 : 0)
#define AGEING(which) ((inFlight & BIT(which)) && age[which] < LEASE)

active proctype Clock() {
end:
    do
    :: d_step { lock.left > 0 || left > 0 || otherLeft > 0 || repairing && repairAge < LEASE ||
                AGEING(1) || AGEING(2) || AGEING(3) || AGEING(4) ->
        printf("a tick goes by\n");
        lock.left = lock.left - (lock.left > 0 -> 1 : 0);
        if
        :: lock.left == 0 -> delete()
        :: else
        fi;
        left = left - (left > 0 -> 1 : 0);
        otherLeft = otherLeft - (otherLeft > 0 -> 1 : 0);
        repairAge = repairAge + (repairing && repairAge < LEASE -> 1 : 0);
        OLDER(1); OLDER(2); OLDER(3); OLDER(4) }
    od
}

init {
    atomic {
        run Client();
        run Redis();
        run Other();
        run Nemesis()
    }
}
