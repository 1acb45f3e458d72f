/*
 * waiting.pml: how waiters are woken when the lock becomes free.
 *
 * One client with two owners that share a queue, a head that tries and listens for both, and one subscription; and a rival, which
 * stands for any other client. There is no time in this model: the end of a lease wakes only after a lease did run out without a
 * message. So a defect that would cost a waiter the length of a lease shows as a waiter that sleeps for ever.
 *
 *   Owner    tries, joins the line, leaves it at any time, holds the lock, releases it
 *   Ear      receives from the subscription, subscribes, detects that its connection is dead
 *   Redis    runs the tries and releases of the owners, in any order among them
 *   Rival    acquires the lock and releases it, or dies while it holds the lock
 *   Nemesis  cuts the subscriber's connection with all messages on it, drops answers
 *
 * Flags for defects: NOTIFY_FIRST, NO_TRY_AFTER_SUBSCRIBE, DRAIN_LATE, NO_WAKE_FOR_NEXT, WAKE_UP_DROPPED, SILENT_SETTLE.
 * LIVENESS checks progress instead of a state; the SHOW_ flags check that a state is reached.
 */
#define OWNERS 2
#define NOBODY 2
#define RIVAL  3

#ifndef CUTS
#define CUTS 2
#endif

mtype:phase = { RESTING, LISTENING, TRYING };
mtype:try = { NONE, DUE, SENT, SAID_HELD, SAID_BUSY, SETTLING };
mtype:heard = { MESSAGE, CONFIRMED };
mtype:channel = { ABSENT, SUBSCRIBING, SUBSCRIBED };

/* --- Redis. */

byte holder = NOBODY;    /* of the lock */
bool told = true;        /* the lock is held, or its release was published; false: its lease ran out without a message */
bool listens;            /* Redis has the subscription, on a live connection */
bool asked;              /* SUBSCRIBE is in flight */
chan pubsub = [3] of { mtype:heard };

/* --- The client. */

chan line = [OWNERS] of { byte };
bool waits[OWNERS];      /* the owner is in the line */
mtype:phase phase = RESTING;
byte trying = NOBODY;    /* the owner whose try the head awaits */
bool permit;             /* a stored permit: a message that found no listening waiter */
bool opened;             /* the queue has requested the subscription */
mtype:channel channel = ABSENT;
bool half;               /* the subscriber's connection is dead, and the client has not detected it */
mtype:try try[OWNERS] = NONE;
bool has[OWNERS];        /* the lock was granted to the owner */
bool gone[OWNERS];       /* the owner has left the line while its try was in flight */
byte cuts;

#define HELD_HERE    (has[0] || has[1])
#define SOMEBODY     (waits[0] || waits[1])

/* --- Properties. */

/* The lock is free, an owner waits, and nothing in flight would wake it. */
#define FREE_AND_WANTED (holder == NOBODY && SOMEBODY)
#define ASLEEP (FREE_AND_WANTED && told && phase != TRYING && !permit && channel == SUBSCRIBED && listens \
                && empty(pubsub) && try[0] == NONE && try[1] == NONE && !HELD_HERE && !between)

bool between;  /* the rival is between the message and the deletion */

#ifdef LIVENESS
/* While an owner waits for a free lock, the head tries eventually, or the lock is no longer free. */
ltl no_sleep_on_a_free_lock { [] ((FREE_AND_WANTED && phase != TRYING) -> <> !(FREE_AND_WANTED && phase != TRYING)) }
#else
active proctype Monitor() {
end:
    atomic { ASLEEP -> assert(false) }
}
#endif

#ifdef SHOW_MESSAGE_DURING_TRY
#define SHOW  (permit && holder == RIVAL && phase == TRYING && try[0] == SAID_BUSY)
#endif
#ifdef SHOW_DEAF
#define SHOW  (half && FREE_AND_WANTED && phase == LISTENING)
#endif
#ifdef SHOW_HANDED_ON
#define SHOW  (has[0] && holder == 0 && waits[1] && phase == LISTENING)
#endif
#ifdef SHOW
active proctype Witness() {
end:
    atomic { SHOW -> assert(false) }
}
#endif

/* --- The head. */

/* The first in line tries. A stored permit is discarded before the try is sent: the try sees the lock as it is after that message. */
inline try_first() {
    line?<first>;
    phase = TRYING;
    trying = first;
#ifndef DRAIN_LATE
    permit = false;
#endif
    try[first] = DUE;
    printf("owner %d tries, as the first in line\n", first);
    first = NOBODY
}

inline wake() {
    if
    :: phase == TRYING
    :: phase != TRYING && !SOMEBODY -> phase = RESTING
    :: phase != TRYING && SOMEBODY -> try_first()
    fi
}

/* A message or a confirmation: it wakes the listening waiter, or is stored. */
inline hear() {
    if
    :: phase == LISTENING && SOMEBODY -> try_first()
    :: else ->
        permit = true;
        phase = (phase == LISTENING -> RESTING : phase)
    fi
}

inline listen() {
    trying = NOBODY;
#ifdef DRAIN_LATE
    permit = false;
#endif
    if
    :: !SOMEBODY -> phase = RESTING
    :: SOMEBODY && permit ->
        permit = false;
        try_first()
    :: SOMEBODY && !permit -> phase = LISTENING
    fi
}

/* The owner's try does not count any more: the next one in line tries in its place. If there is none, the wake-up is stored. */
inline go_on_without(c) {
    if
    :: trying == c ->
        trying = NOBODY;
        phase = RESTING;
        if
#ifdef NO_WAKE_FOR_NEXT
        :: SOMEBODY -> phase = LISTENING
#else
        :: SOMEBODY -> try_first()
#endif
#ifdef WAKE_UP_DROPPED
        :: else
#else
        :: else -> permit = true
#endif
        fi
    :: else
    fi
}

inline leave(who) {
    line??eval(who);
    waits[who] = false
}

inline join(c) {
    line!c;
    waits[c] = true;
    if
    :: !opened -> opened = true
    :: else
    fi;
    if
    :: phase == RESTING -> listen()
    :: else
    fi
}

/* --- Redis's side. */

inline publish() {
    if
    :: listens -> pubsub!MESSAGE
    :: else
    fi;
    told = true
}

inline release() {
    holder = NOBODY;
    publish()
}

/* --- The owners. */

proctype Owner(byte c) {
    byte first = NOBODY;
end:
    do
    /* lock(): a try past the queue if it is empty and no owner of this client has the lock; else the owner joins at once */
    :: d_step { try[c] == NONE && !has[c] && !waits[c] ->
        if
        :: !SOMEBODY && !HELD_HERE && !opened ->
            try[c] = DUE;
            printf("owner %d tries\n", c)
        :: !SOMEBODY && !HELD_HERE && opened ->
            printf("owner %d joins the line\n", c);
            line!c;
            waits[c] = true;
            wake()
        :: else ->
            printf("owner %d joins the line\n", c);
            join(c)
        fi }
    :: d_step { try[c] == DUE -> try[c] = SENT }
    /* the answer to a try */
    :: d_step { try[c] == SAID_BUSY ->
        printf("owner %d hears that the lock is busy\n", c);
        try[c] = NONE;
        if
        :: waits[c] && trying == c -> listen()
        :: !waits[c] && !gone[c] -> join(c)
        :: else
        fi;
        gone[c] = false }
    :: d_step { try[c] == SAID_HELD && !gone[c] ->
        printf("owner %d has the lock\n", c);
        try[c] = NONE;
        has[c] = true;
        if
        :: waits[c] -> leave(c)
        :: else
        fi;
        if
        :: trying == c -> listen()
        :: else
        fi }
    /* a grant to an owner that has left: it is released, with a message */
    :: d_step { try[c] == SAID_HELD && gone[c] ->
        printf("owner %d has the lock and does not want it\n", c);
        gone[c] = false;
        try[c] = SETTLING }
    /* the owner stops waiting; a try that was not sent yet is not sent */
    :: d_step { waits[c] && !has[c] && !gone[c] ->
        printf("owner %d leaves the line\n", c);
        leave(c);
        try[c] = (try[c] == DUE -> NONE : try[c]);
        gone[c] = (try[c] != NONE);
        go_on_without(c) }
    /* unlock(): a handoff to the next in line, unless its try is in flight; or a release */
    :: d_step { has[c] && holder == c && try[1 - c] == NONE && waits[1 - c] ->
        printf("owner %d hands the lock on\n", c);
        has[c] = false;
        has[1 - c] = true;
        holder = 1 - c;
        leave(1 - c);
        if
        :: phase == LISTENING -> phase = RESTING
        :: else
        fi }
    :: d_step { has[c] ->
        printf("owner %d lets go of the lock\n", c);
        has[c] = false;
        try[c] = SETTLING }
    od
}

/* --- Redis, for the owners' commands. */

proctype Redis(byte c) {
end:
    do
    :: d_step { try[c] == SENT ->
        if
        :: holder == NOBODY || holder == c ->
            holder = c;
            told = true;
            try[c] = SAID_HELD
        :: else -> try[c] = SAID_BUSY
        fi;
        printf("Redis runs the try of owner %d: %e\n", c, try[c]) }
    :: d_step { try[c] == SETTLING && nfull(pubsub) ->
        printf("Redis runs the release of owner %d\n", c);
        try[c] = NONE;
        if
#ifdef SILENT_SETTLE
        :: holder == c -> holder = NOBODY
#else
        :: holder == c -> release()
#endif
        :: else
        fi }
    od
}

/* --- The subscription. */

proctype Ear() {
    byte first = NOBODY;
end:
    do
    :: d_step { opened && channel == ABSENT && !half ->
        printf("the client subscribes\n");
        channel = SUBSCRIBING;
        asked = true }
    :: d_step { asked && nfull(pubsub) ->
        printf("Redis confirms the subscription\n");
        asked = false;
        listens = true;
        pubsub!CONFIRMED }
    :: d_step { pubsub?[MESSAGE] ->
        pubsub?MESSAGE;
        printf("the client hears a message\n");
        hear() }
    :: d_step { pubsub?[CONFIRMED] ->
        pubsub?CONFIRMED;
        printf("the client hears the confirmation\n");
        channel = SUBSCRIBED;
#ifndef NO_TRY_AFTER_SUBSCRIBE
        hear()
#endif
        }
    /* pings had no answer */
    :: d_step { half ->
        printf("the client notices that its subscriber is dead\n");
        half = false;
        channel = ABSENT }
    /* the lease has ended that the first in line learnt from its busy answer */
    :: d_step { phase == LISTENING && holder == NOBODY && !told ->
        printf("the end of the lease wakes\n");
        wake() }
    /* no owner waits for a while: the queue retires */
    :: d_step { opened && !SOMEBODY && !HELD_HERE && phase != TRYING && try[0] == NONE && try[1] == NONE ->
        printf("the queue retires\n");
        opened = false;
        phase = RESTING }
    /* and the subscription ends a little later */
    :: d_step { !opened && channel == SUBSCRIBED && empty(pubsub) ->
        printf("the client unsubscribes\n");
        channel = ABSENT;
        listens = false;
        permit = false }
    od
}

/* --- The rival, and faults. */

proctype Rival() {
end:
    do
    :: holder != RIVAL -> break
    :: d_step { holder == NOBODY && !between ->
        printf("the rival takes the lock\n");
        holder = RIVAL;
        told = true }
#ifdef NOTIFY_FIRST
    :: d_step { holder == RIVAL && nfull(pubsub) && !between ->
        printf("the rival announces its release\n");
        publish();
        between = true }
    :: d_step { between ->
        printf("the rival's key is deleted\n");
        holder = NOBODY;
        between = false }
#else
    :: d_step { holder == RIVAL && nfull(pubsub) ->
        printf("the rival releases the lock\n");
        release() }
#endif
    :: d_step { holder == RIVAL && !between ->
        printf("the rival dies, and its lease runs out\n");
        holder = NOBODY;
        told = false }
    od
}

proctype Nemesis() {
    mtype:heard lost;
end:
    do
    /* the subscriber's connection ends, which the client does not detect for a while */
    :: d_step { cuts < CUTS && (channel == SUBSCRIBED || channel == SUBSCRIBING) && !half ->
        printf("the subscriber's connection is cut\n");
        cuts = cuts + 1;
        half = true;
        listens = false;
        asked = false;
        do
        :: pubsub?lost
        :: empty(pubsub) -> break
        od;
        lost = 0 }
    /* an answer is lost, and the try is sent again; it then finds its own grant */
    :: d_step { cuts < CUTS && (try[0] == SAID_HELD || try[0] == SAID_BUSY) ->
        printf("the answer to owner 0 is lost, and it tries again\n");
        cuts = cuts + 1;
        try[0] = SENT }
    od
}

init {
    atomic {
        run Owner(0);
        run Owner(1);
        run Redis(0);
        run Redis(1);
        run Ear();
        run Rival();
        run Nemesis()
    }
}
