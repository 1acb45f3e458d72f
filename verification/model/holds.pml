/*
 * holds.pml: a hold whose commands are lost, late or duplicated.
 *
 * Two clients with one owner each compete for one lock. All faults happen to the first; the second must not be harmed by them.
 * Time is a number of ticks, and any number of them can pass between any two steps.
 *
 *   Owner    acquires, re-enters, leaves a level, unlocks, gives up, releases orphans; its commands one at a time (a lane);
 *            beside the lane, on the same connection, renews its lease, and verifies it after a reconnect
 *   Redis    runs commands in the order of their connection; those of a dead connection late, until it is killed
 *   Nemesis  cuts connections, kills a client; Redis itself may run one command twice
 *   Clock    ages the leases on both sides
 *
 * A lease is represented by the ticks left of it, counted from before its command was sent: a hold is valid while these are more
 * than the ALLOWANCE. When none are left, the allowance has passed since the holder knew of the end.
 *
 * Flags for the checks: FENCED draws tokens, FORGETFUL makes Redis lose its data once (which ends exclusion, and must not end the
 * order of tokens), FAST_SERVER lets Redis's clock gain the allowance, NO_KILL leaves old connections alive. MAY_ORPHAN omits the
 * check for orphans. Flags for defects: those of scripts.pml, AGE_FROM_REPLY, NO_ALLOWANCE, NO_SETTLE. The SHOW_ flags check that
 * a state is reached.
 */
#define OWNERS 2
#define FIRST 0
#define OTHER 1
#define LEASE 3
#define ALLOWANCE 1

/* The later holds of the first owner have shorter leases than its first one. */
#ifdef SHORTER
#define LEASE_OF(o, which)  ((o) == FIRST && (which) > 1 -> LEASE - 1 : LEASE)
#endif

#ifndef TENURES
#define TENURES 2  /* first acquires of each owner */
#endif
#ifndef CUTS
#define CUTS 1
#endif
#ifndef RENEWALS
#define RENEWALS 1
#endif

#include "scripts.pml"

mtype:command = { ACQUIRE, RELEASE, RENEW, VERIFY };
mtype:lane = { IDLE, ACQUIRING, ENTERING, LEAVING, RELEASING, SETTLING };

/* The first client's connection, the answers on it, and the commands of dead connections in Redis's buffers. */
chan wire = [2] of { mtype:command, byte, byte };
chan answers = [2] of { mtype:command, byte, mtype:answer, byte };
chan dead = [8] of { mtype:command, byte, byte };

/* A client's state. */
typedef Client {
    mtype:lane lane;
    bool sent;        /* the lane's command is on the connection, without an answer */
    byte age;         /* ticks since then */
    bool wanted;      /* its caller still waits */
    byte last;        /* the newest tenure that was begun */
    byte unsettled;   /* the orphan: the newest tenure that Redis may have granted without a use for it */

    bool held;        /* the lock was granted to the caller, which has not released it nor learnt of its loss */
    byte tenure;      /* of that hold, or of the hold that is being released */
    byte levels;
    byte left;        /* of its lease, by the client's clock */
    byte token;

    bool asked;       /* a renewal or verification is on the connection, without an answer */
    byte askedAge;
    byte renewals;
    bool verifies;    /* a verification is due after a reconnect */

    bool up;          /* there is a connection */
    bool crashed
};

Client client[OWNERS];
byte cuts;
bool doubled;
bool newcomer;   /* set within one step: Redis had no hold of the owner before the command */
bool forgotten;
byte gained;

#ifdef NO_ALLOWANCE
#define MARGIN 0
#else
#define MARGIN ALLOWANCE
#endif
#define VALID(c)      (client[c].held && client[c].left > MARGIN)
#define RESTING(c)    (client[c].up && client[c].lane == IDLE)
#define QUIET(c)      (client[c].up && client[c].lane == IDLE && !client[c].held && client[c].unsettled == 0 \
                       && empty(wire) && empty(answers) && empty(dead))
#ifdef AGE_FROM_REPLY
#define PROVED(age, which)   (LEASE_OF(FIRST, which))
#else
#define PROVED(age, which)   (LEASE_OF(FIRST, which) - (age))
#endif

/* --- Properties. */

/* No two holds are valid at once. Checked wherever one may become valid. */
inline exclusive() {
    assert(forgotten || !(VALID(0) && VALID(1)))
}

/* Before another client gets the lock, the previous holder has known of its loss for at least the allowance. */
inline known_in_time(c) {
#ifndef FAST_SERVER
    assert(forgotten || !client[1 - (c)].held || client[1 - (c)].left == 0)
#else
    skip
#endif
}

/* An orphan that will never be released by its client. */
#define ORPHAN(c)     (QUIET(c) && lock.tenure[c] != 0)

#ifndef MAY_ORPHAN
active proctype Monitor() {
end:
    atomic { ORPHAN(FIRST) -> assert(false) }
}
#endif

#ifdef SHOW_ADOPTION
#define SHOW  (wire?[ACQUIRE, 2, 1] && lock.tenure[FIRST] == 1 && cuts == 1)
#endif
#ifdef SHOW_LATE_RELEASE
#define SHOW  (dead?[RELEASE, 1, 0] && VALID(FIRST) && client[FIRST].tenure == 2)
#endif
#ifdef SHOW_SUCCESSOR
#define SHOW  (client[FIRST].held && VALID(OTHER))
#endif
#ifdef SHOW
active proctype Witness() {
end:
    atomic { SHOW -> assert(false) }
}
#endif

/* --- The owner. */

inline send(c, script, which, holds) {
    client[c].sent = true;
    client[c].age = 0;
    wire!script(which, holds)
}

inline begin(c, what, script, which, holds) {
    client[c].lane = what;
    send(c, script, which, holds)
}

inline let_go(c) {
    client[c].held = false;
    client[c].levels = 0;
    client[c].left = 0
}

inline unwanted(c, which) {
#ifndef NO_SETTLE
    client[c].unsettled = (client[c].unsettled > (which) -> client[c].unsettled : (which))
#endif
    skip
}

inline settled_below(c, which) {
    client[c].unsettled = (client[c].unsettled <= (which) -> 0 : client[c].unsettled)
}

inline confirmed(c, since) {
    client[c].left = (PROVED(since, client[c].tenure) > client[c].left -> PROVED(since, client[c].tenure) : client[c].left);
    exclusive()
}

inline rest(c) {
    client[c].wanted = false;
    client[c].lane = IDLE
}

/* An answer to the first acquire of a tenure. */
inline acquired(c, which, found, token) {
    assert(found != LATE && found != GONE);
    settled_below(c, which);
    if
    :: found == HELD && client[c].wanted && PROVED(client[c].age, which) > MARGIN ->
        client[c].held = true;
        client[c].tenure = which;
        client[c].levels = 1;
        client[c].token = token;
        client[c].left = 0;
        confirmed(c, client[c].age)
    :: found == HELD && !(client[c].wanted && PROVED(client[c].age, which) > MARGIN) -> unwanted(c, which)
    :: else
    fi
}

inline entered(c, found, token) {
    if
    :: found == HELD && VALID(c) ->
        assert(token == client[c].token);
        client[c].levels = 2;
        confirmed(c, client[c].age)
    :: found == HELD && !VALID(c) ->
        unwanted(c, client[c].tenure);
        let_go(c)
    :: else -> let_go(c)
    fi
}

inline answered(c, which, found, token) {
    client[c].sent = false;
    if
    :: client[c].lane == ACQUIRING -> acquired(c, which, found, token)
    :: client[c].lane == ENTERING && client[c].held -> entered(c, found, token)
    :: client[c].lane == LEAVING && found != HELD -> let_go(c)
    :: else
    fi;
    client[c].age = 0;
    rest(c)
}

/* Beside the lane, on the same connection. */
inline ask(c, script) {
    client[c].asked = true;
    client[c].askedAge = 0;
    wire!script(client[c].tenure, 0)
}

/* An answer about another tenure than the present one is ignored. */
inline kept(c, script, which, found) {
    client[c].asked = false;
    if
    :: which != client[c].tenure || !VALID(c)
    :: else ->
        if
        :: found != HELD -> let_go(c)
        :: found == HELD && script == RENEW -> confirmed(c, client[c].askedAge)
        :: else
        fi
    fi;
    client[c].askedAge = 0
}

/* A command without an answer when its connection ended is sent again on the next one; an acquire with a new tenure. */
inline send_again(c) {
    if
    :: client[c].lane == ACQUIRING ->
        unwanted(c, client[c].last);
        if
        :: client[c].wanted && client[c].last < TENURES + CUTS ->
            client[c].last = client[c].last + 1;
            send(c, ACQUIRE, client[c].last, 1)
        :: else -> rest(c)
        fi
    :: client[c].lane == ENTERING && VALID(c) -> send(c, ACQUIRE, client[c].tenure, 2)
    :: client[c].lane == LEAVING && client[c].held -> send(c, RELEASE, client[c].tenure, 1)
    :: client[c].lane == RELEASING -> send(c, RELEASE, client[c].tenure, 0)
    :: client[c].lane == SETTLING ->
        unwanted(c, client[c].tenure);
        rest(c)
    :: else -> rest(c)
    fi
}

proctype Owner(byte c) {
    mtype:command script;
    byte which;
    byte token;
    mtype:answer found;
end:
    do
    /* lock() */
    :: d_step { RESTING(c) && !client[c].held && client[c].last < TENURES ->
        client[c].last = client[c].last + 1;
        client[c].wanted = true;
        printf("owner %d calls lock(), tenure %d\n", c, client[c].last);
        begin(c, ACQUIRING, ACQUIRE, client[c].last, 1) }
    /* its caller gives up */
    :: d_step { client[c].lane == ACQUIRING && client[c].wanted ->
        printf("owner %d gives up waiting\n", c);
        client[c].wanted = false }
    /* lock() once more */
    :: d_step { RESTING(c) && VALID(c) && client[c].levels == 1 ->
        printf("owner %d calls lock() again\n", c);
        begin(c, ENTERING, ACQUIRE, client[c].tenure, 2) }
    /* the first unlock() of two */
    :: d_step { RESTING(c) && VALID(c) && client[c].levels == 2 ->
        client[c].levels = 1;
        printf("owner %d calls the first unlock() of two\n", c);
        begin(c, LEAVING, RELEASE, client[c].tenure, 1) }
    /* the last unlock() */
    :: d_step { RESTING(c) && VALID(c) && client[c].levels == 1 ->
        printf("owner %d calls unlock()\n", c);
        let_go(c);
        begin(c, RELEASING, RELEASE, client[c].tenure, 0) }
    /* unlock() of a hold whose loss is known */
    :: d_step { client[c].lane == IDLE && client[c].held && !VALID(c) ->
        printf("owner %d calls unlock() of its lost hold\n", c);
        unwanted(c, client[c].tenure);
        let_go(c) }
    /* an orphan is released */
    :: d_step { RESTING(c) && !client[c].held && client[c].unsettled > 0 ->
        client[c].tenure = client[c].unsettled;
        client[c].unsettled = 0;
        printf("owner %d settles tenure %d\n", c, client[c].tenure);
        begin(c, SETTLING, RELEASE, client[c].tenure, 0) }
    /* a release that cannot be sent gives up, and leaves the tenure as an orphan */
    :: d_step { client[c].lane == RELEASING && !client[c].sent ->
        printf("owner %d gives up releasing\n", c);
        unwanted(c, client[c].tenure);
        rest(c) }
    /* a new connection */
    :: d_step { client[c].up && client[c].lane != IDLE && !client[c].sent ->
        printf("owner %d goes on with the new connection\n", c);
        send_again(c) }
    /* the watchdog */
    :: d_step { client[c].up && VALID(c) && !client[c].asked && client[c].renewals < RENEWALS ->
        client[c].renewals = client[c].renewals + 1;
        printf("owner %d has its lease renewed\n", c);
        ask(c, RENEW) }
    :: d_step { client[c].up && VALID(c) && !client[c].asked && client[c].verifies ->
        client[c].verifies = false;
        printf("owner %d asks for its hold\n", c);
        ask(c, VERIFY) }
    /* an answer */
    :: d_step { answers?script, which, found, token ->
        printf("owner %d hears of %e, tenure %d: %e\n", c, script, which, found);
        if
        :: script == RENEW || script == VERIFY -> kept(c, script, which, found)
        :: else -> answered(c, which, found, token)
        fi;
        script = 0;
        which = 0;
        token = 0;
        found = 0 }
    od
}

/* --- Redis. */

inline execute(c, script, which, holds) {
    newcomer = (lock.tenure[c] == 0);
    if
    :: script == ACQUIRE -> acquire(c, which, holds)
    :: script == RELEASE -> release(c, which, holds)
    :: script == RENEW -> renew(c, which)
    :: script == VERIFY -> verify(c, which)
    fi;
    if
    :: script == ACQUIRE && answer == HELD && newcomer -> known_in_time(c)
    :: else
    fi;
    newcomer = false;
    printf("%e of owner %d, tenure %d, holds %d: %e, %d ticks left\n", script, c, which, holds, answer, lock.left)
}

inline reply(c, script, which) {
    answers!script(which, answer, (answer == HELD -> counter : 0));
    answer = 0
}

proctype Redis(byte c) {
    mtype:command script;
    byte which;
    byte holds;
end:
    do
    :: d_step { wire?script, which, holds ->
        printf("Redis runs ");
        execute(c, script, which, holds);
        reply(c, script, which);
        script = 0; which = 0; holds = 0 }
    /* a command of a connection that has ended */
    :: d_step { dead?script, which, holds ->
        printf("Redis runs, late, ");
        execute(c, script, which, holds);
        answer = 0; script = 0; which = 0; holds = 0 }
    /* a duplicated command: it runs twice at once, or, with NO_KILL, a second time at any later step */
    :: d_step { !doubled && nempty(wire) ->
        doubled = true;
        wire?script, which, holds;
        printf("Redis runs, for the first time, ");
        execute(c, script, which, holds);
#ifdef NO_KILL
        dead!script(which, holds);
#else
        printf("Redis runs, for the second time, ");
        execute(c, script, which, holds);
#endif
        reply(c, script, which);
        script = 0; which = 0; holds = 0 }
    od
}

/* --- The other client. It acts on Redis without delay: that is when it can be harmed most. */

proctype Other() {
    byte c = OTHER;
end:
    do
    :: d_step { !client[c].held && client[c].last < TENURES ->
        client[c].last = client[c].last + 1;
        printf("Redis runs, at once, ");
        execute(c, ACQUIRE, client[c].last, 1);
        if
        :: answer == HELD ->
            client[c].held = true;
            client[c].left = 0;
            confirmed(c, 0)
        :: else
        fi;
        answer = 0 }
    :: d_step { client[c].held -> let_go(c) }
    :: d_step { !client[c].held && lock.tenure[c] != 0 ->
        printf("Redis runs, at once, ");
        execute(c, RELEASE, client[c].last, 0);
        answer = 0 }
    od
}

/* --- Faults. */

inline cut(c) {
    do
    :: wire?script, which, holds -> dead!script(which, holds)
    :: empty(wire) -> break
    od;
    do
    :: answers?script, which, found, token
    :: empty(answers) -> break
    od;
    client[c].up = false;
    client[c].sent = false;
    client[c].age = 0;
    client[c].asked = false;
    client[c].askedAge = 0
}

#define FORGET script = 0; found = 0; which = 0; holds = 0; token = 0

proctype Nemesis(byte c) {
    mtype:command script;
    mtype:answer found;
    byte which;
    byte holds;
    byte token;
end:
    do
    :: d_step { client[c].up && cuts < CUTS ->
        cuts = cuts + 1;
        printf("the connection of owner %d is cut\n", c);
        cut(c);
        FORGET }
    /* a new connection; its first command kills the one before */
    :: d_step { !client[c].up && !client[c].crashed ->
#ifndef NO_KILL
        do
        :: dead?script, which, holds
        :: empty(dead) -> break
        od;
#endif
        FORGET;
        client[c].verifies = client[c].held;
        client[c].up = true;
        printf("owner %d has a new connection\n", c) }
    /* the process dies; its commands are still in flight */
    :: d_step { !client[c].crashed ->
        cut(c);
        let_go(c);
        printf("the process of owner %d dies\n", c);
        client[c].crashed = true;
        client[c].lane = IDLE; client[c].wanted = false; client[c].unsettled = 0;
        FORGET }
#ifdef FORGETFUL
    /* a restart without data takes longer than the counter's lead over the time */
    :: d_step { !forgotten ->
        printf("Redis loses its data\n");
        forgotten = true;
        delete();
        counter = 0;
        serverTime = (drawn > serverTime -> drawn : serverTime) + 1 }
#endif
    od
}

/* --- Time. */

#define AGEING(c)   (client[c].left > 0 || client[c].sent && client[c].age < LEASE \
                     || client[c].asked && client[c].askedAge < LEASE)

inline older() {
    lock.left = lock.left - (lock.left > 0 -> 1 : 0);
    if
    :: lock.left == 0 -> delete()
    :: else
    fi
}

inline client_older(c) {
    client[c].left = client[c].left - (client[c].left > 0 -> 1 : 0);
    client[c].age = client[c].age + (client[c].sent && client[c].age < LEASE -> 1 : 0);
    client[c].askedAge = client[c].askedAge + (client[c].asked && client[c].askedAge < LEASE -> 1 : 0)
}

active proctype Clock() {
end:
    do
    :: d_step { lock.left > 0 || AGEING(FIRST) || AGEING(OTHER) ->
        older();
        client_older(FIRST);
        client_older(OTHER);
        printf("a tick goes by\n") }
#ifdef FAST_SERVER
    :: d_step { gained < ALLOWANCE && lock.left > 0 ->
        gained = gained + 1;
        older();
        printf("a tick goes by in Redis only\n") }
#endif
#ifdef FENCED
    :: d_step { serverTime <= drawn -> serverTime = serverTime + 1 }
#endif
    od
}

init {
    atomic {
        client[FIRST].up = true;
        run Owner(FIRST);
        run Redis(FIRST);
        run Nemesis(FIRST);
        run Other()
    }
}
