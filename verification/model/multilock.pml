/*
 * multilock.pml: calls for all of several locks, whose sets overlap.
 *
 * Each lock is served in the order of its queue: a release grants it to the first that waits. A grant is noticed later, or not before
 * its caller has given up. A caller attempts all its locks at once and waits for none; if one is busy, it releases those behind that
 * in the order, and waits for one after the other, holding only those before.
 *
 *   Caller   acquires its set, holds it, releases it, again and again; or gives up at any moment
 *
 * The patient caller never gives up: under weak fairness it gets its turn each time (LIVENESS), whatever the others do. Flags for the
 * checks: PATIENT=n, which one it is; NO_LIMIT, all are patient; COMMON, the first
 * lock is in all sets. Flags for defects: UNSORTED, BEHIND_KEPT, LATE_KEPT, NOT_IN_TURN,
 * FROM_THE_START. The SHOW_ flags check that a state is reached.
 */
#define CALLERS 3
#define NOBODY  CALLERS
#define LOCKS   4
#define BIT(l)  (1 << (l))

#ifndef PATIENT
#define PATIENT 0
#endif
#define SET_0 (BIT(0) | BIT(1) | BIT(3))
#define SET_2 (BIT(0) | BIT(2) | BIT(3))
#ifdef COMMON
#define SET_1 (BIT(0) | BIT(1) | BIT(2))
#else
#define SET_1 (BIT(1) | BIT(2) | BIT(3))
#endif

#ifdef NO_LIMIT
#define MAY_GIVE_UP (false)
#else
#define MAY_GIVE_UP (me != PATIENT)
#endif

/* The order in which a caller waits for its locks: the lock at a position. */
#ifdef UNSORTED
#define AT(p)  (me == 1 -> LOCKS - 1 - (p) : (p))
#else
#define AT(p)  (p)
#endif

byte holder[LOCKS];
chan queue[LOCKS] = [CALLERS] of { byte };
bool calls[CALLERS];

#ifdef LIVENESS
ltl turn { [] (calls[PATIENT] -> <> !calls[PATIENT]) }
#endif

#ifdef SHOW_ALL_WAIT
#define SHOW  (len(queue[0]) + len(queue[1]) + len(queue[2]) + len(queue[3]) == CALLERS - 1)
#endif
#ifdef SHOW
active proctype Witness() {
end:
    atomic { SHOW -> assert(false) }
}
#endif

/* Redis grants the lock to the first that waits, or frees it. */
inline release(l) {
    assert(holder[l] == me);
    if
    :: empty(queue[l]) -> holder[l] = NOBODY
#ifdef NOT_IN_TURN
    :: queue[l]??[0] -> queue[l]??0; holder[l] = 0
    :: queue[l]??[1] -> queue[l]??1; holder[l] = 1
    :: queue[l]??[2] -> queue[l]??2; holder[l] = 2
#else
    :: nempty(queue[l]) -> queue[l]?holder[l]
#endif
    fi
}

/* An attempt that waits for nothing. */
inline attempt(l) {
    if
    :: holder[l] == NOBODY ->
        holder[l] = me;
        have = have | BIT(l)
    :: else
    fi
}

#define HAS(l)   (have & BIT(l))
#define WANTS(l) (set & BIT(l))

proctype Caller(byte me; byte set) {
    byte have;      /* what it knows to be granted to it */
    byte asked;     /* whose attempts are to be answered */
    byte p;         /* the position of the lock that it waits for */
    byte q;

idle:
    atomic {
        for (q : 0 .. LOCKS - 1) {
            assert(holder[q] != me && !queue[q]??[eval(me)])
        }
        q = 0;
        p = 0
    }
    atomic { calls[me] = true; asked = set; printf("caller %d calls\n", me) }

    /* TRYING: the replies come in any order */
    do
    :: d_step { asked & BIT(0) -> asked = asked & ~BIT(0); attempt(0) }
    :: d_step { asked & BIT(1) -> asked = asked & ~BIT(1); attempt(1) }
    :: d_step { asked & BIT(2) -> asked = asked & ~BIT(2); attempt(2) }
    :: d_step { asked & BIT(3) -> asked = asked & ~BIT(3); attempt(3) }
    :: asked == 0 -> break
    od;
    if
    :: have == set -> goto held
    :: have != set
    :: MAY_GIVE_UP -> goto over
    fi;
    d_step {
        do
        :: WANTS(AT(p)) && !HAS(AT(p)) -> break
        :: else -> p = p + 1
        od;
        q = p + 1
    }

    /* Those behind the first that is busy are released. */
    do
#ifndef BEHIND_KEPT
    :: atomic { q < LOCKS && HAS(AT(q)) ->
        printf("caller %d releases lock %d, which is behind lock %d\n", me, AT(q), AT(p));
        have = have & ~BIT(AT(q));
        release(AT(q));
        q = q + 1 }
    :: q < LOCKS && !HAS(AT(q)) -> q = q + 1
#else
    :: q < LOCKS -> q = q + 1
#endif
    :: q >= LOCKS -> q = 0; break
    od;
#ifdef FROM_THE_START
    goto retry;
#endif

wait:
    /* WAITING for one, holding those before it */
    atomic {
        if
        :: holder[AT(p)] == NOBODY -> holder[AT(p)] = me
        :: holder[AT(p)] != NOBODY -> queue[AT(p)]!me; printf("caller %d waits for lock %d\n", me, AT(p))
        fi
    }
    if
    :: atomic { holder[AT(p)] == me ->
        printf("caller %d notices that it has lock %d\n", me, AT(p));
        have = have | BIT(AT(p)) }
    :: atomic { MAY_GIVE_UP -> printf("caller %d gives up waiting\n", me) } goto withdraw
    fi;
    if
    :: have == set -> goto held
    :: have != set
    :: MAY_GIVE_UP -> goto over
    fi;
    d_step {
        do
        :: WANTS(AT(p)) && !HAS(AT(p)) -> break
        :: else -> p = p + 1
        od
    }
    goto wait;

withdraw:
    atomic {
        if
        :: holder[AT(p)] == me ->
            printf("caller %d was granted lock %d just before\n", me, AT(p));
#ifndef LATE_KEPT
            release(AT(p))
#endif
        :: holder[AT(p)] != me -> queue[AT(p)]??eval(me)
        fi
    }
    goto over;

held:
    atomic {
        printf("caller %d has all its locks\n", me);
        for (q : 0 .. LOCKS - 1) {
            assert(!WANTS(q) || holder[q] == me)
        }
        q = 0;
        calls[me] = false
    }

over:
    /* what it has is released, one lock after the other */
    do
    :: atomic { q < LOCKS && HAS(q) -> have = have & ~BIT(q); release(q); q = q + 1 }
    :: q < LOCKS && !HAS(q) -> q = q + 1
    :: q >= LOCKS -> break
    od;
    atomic { q = 0; calls[me] = false };
    goto idle;

#ifdef FROM_THE_START
retry:
    do
    :: atomic { q < LOCKS && HAS(q) -> have = have & ~BIT(q); release(q); q = q + 1 }
    :: q < LOCKS && !HAS(q) -> q = q + 1
    :: q >= LOCKS -> q = 0; break
    od;
    goto idle
#endif
}

init {
    atomic {
        byte l;
        for (l : 0 .. LOCKS - 1) {
            holder[l] = NOBODY
        }
        run Caller(0, SET_0);
        run Caller(1, SET_1);
        run Caller(2, SET_2)
    }
}
