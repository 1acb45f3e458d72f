/*
 * scripts.pml: the lock's state in Redis, and the effect of each script on it.
 *
 * One inline for each of acquire, release, renew, verify, handoff and settle.lua, with the cases of the script in their order; each
 * runs within one step, as Redis runs a script. The including model defines the number of OWNERS and the ticks of a LEASE; one with
 * several nodes also defines the name lock, as the hash of the node that runs the script. An answer has the name of its Answer in
 * Java.
 *
 * Flags for defects: KEEP_LEASE, NO_TENURE, INCREMENT, RELEASE_OF_ANYBODY, NEWEST_ONLY, TOKEN_PER_COMMAND, COUNTER_ONLY.
 */
mtype:answer = { HELD, LATE, BUSY, GONE, REFUSED };

typedef Hash {
    byte count[OWNERS];   /* field <owner> */
    byte tenure[OWNERS];  /* field <owner>:tenure, 0 when there is none */
    byte left;            /* ticks until it expires; 0: there is no such key */
};

#ifndef lock
Hash lock;
#endif
mtype:answer answer;  /* returned by the script that ran last */
byte i;               /* of the loops, 0 outside of them */

#ifdef NO_TENURE
#define IS_NEWER(o, which)   (false)
#define IS_MINE(o, which)    (lock.tenure[o] != 0)
#define IS_OLDER(o, which)   (false)
#else
#define IS_NEWER(o, which)   (lock.tenure[o] > (which))
#define IS_MINE(o, which)    (lock.tenure[o] == (which))
#ifdef NEWEST_ONLY
#define IS_OLDER(o, which)   (false)
#else
#define IS_OLDER(o, which)   (lock.tenure[o] > 0 && lock.tenure[o] < (which))
#endif
#endif

/* The hash has no owner but this one. */
inline alone(o) {
    for (i : 0 .. OWNERS - 1) {
        assert(i == o || lock.tenure[i] == 0)
    }
    i = 0
}

/* The length of the lease that a tenure asks for. */
#ifndef LEASE_OF
#define LEASE_OF(o, which)  (LEASE)
#endif

inline extend(o, which) {
    lock.left = (lock.left < LEASE_OF(o, which) -> LEASE_OF(o, which) : lock.left)
}

/* A new tenure sets the lease to its own length, whatever is left of the tenure that it adopts. */
inline begin_lease(o, which) {
#ifdef KEEP_LEASE
    extend(o, which);
#else
    lock.left = LEASE_OF(o, which);
#endif
    assert(lock.left <= LEASE_OF(o, which))
}

inline delete() {
    for (i : 0 .. OWNERS - 1) {
        lock.count[i] = 0;
        lock.tenure[i] = 0
    }
    i = 0;
    lock.left = 0
}

inline not_held(o) {
    answer = (lock.tenure[o] == 0 && lock.left > 0 -> BUSY : GONE)
}

/* --- The token of a fenced lock: one for each new tenure. */

byte counter;     /* the key of the token */
byte serverTime;  /* in units of one token */
byte drawn;       /* the highest token so far; used by the property only, no state of the lock */

inline draw_token() {
#ifdef COUNTER_ONLY
    counter = counter + 1;
#else
    counter = (counter + 1 > serverTime -> counter + 1 : serverTime);
#endif
    assert(counter > drawn);
    drawn = counter
}

/* --- The scripts. */

inline acquire(o, which, holds) {
    if
    :: IS_NEWER(o, which) -> answer = LATE
    :: else ->
        if
        :: lock.tenure[o] == 0 && lock.left > 0 -> answer = BUSY
        :: else ->
            if
            :: (holds) > 1 && !IS_MINE(o, which) -> answer = GONE
            :: else ->
                if
#ifdef FENCED
#ifdef TOKEN_PER_COMMAND
                :: true -> draw_token()
#else
                :: !IS_MINE(o, which) -> draw_token()
#endif
#endif
                :: else
                fi;
#ifdef INCREMENT
                lock.count[o] = lock.count[o] + 1;
#else
                lock.count[o] = (IS_MINE(o, which) && lock.count[o] > (holds) -> lock.count[o] : (holds));
#endif
                if
                :: IS_MINE(o, which) -> extend(o, which)
                :: else -> begin_lease(o, which)
                fi;
                lock.tenure[o] = which;
                alone(o);
                answer = HELD
            fi
        fi
    fi
}

inline release(o, which, holds) {
#ifdef RELEASE_OF_ANYBODY
    delete();
    answer = HELD
#else
    if
    :: IS_NEWER(o, which) -> answer = LATE
    :: else ->
        if
        :: (holds) == 0 && IS_OLDER(o, which) ->
            delete();
            answer = GONE
        :: !IS_MINE(o, which) && !((holds) == 0 && IS_OLDER(o, which)) -> not_held(o)
        :: else ->
#ifdef INCREMENT
            lock.count[o] = lock.count[o] - 1;
            if
            :: lock.count[o] == 0 -> delete()
            :: else
            fi;
#else
            if
            :: (holds) > 0 -> lock.count[o] = (holds)
            :: else -> delete()
            fi;
#endif
            answer = HELD
        fi
    fi
#endif
}

inline renew(o, which) {
    if
    :: IS_NEWER(o, which) -> answer = LATE
    :: else ->
        if
        :: !IS_MINE(o, which) -> not_held(o)
        :: else ->
            extend(o, which);
            answer = HELD
        fi
    fi
}

inline verify(o, which) {
    if
    :: IS_NEWER(o, which) -> answer = LATE
    :: else ->
        if
        :: !IS_MINE(o, which) -> not_held(o)
        :: else -> answer = HELD
        fi
    fi
}

#ifdef HANDING_ON
/* befores: the tenures, one bit each, that may have the lock now; ownerOf maps them to their owners. */
inline handoff(o, which, befores) {
    if
    :: IS_NEWER(o, which) -> answer = LATE
    :: lock.tenure[o] == which ->
        extend(o, which);
        answer = HELD
    :: lock.tenure[o] < which ->
        answer = (lock.left > 0 -> BUSY : GONE);
        for (i : 1 .. TENURES) {
            if
            :: (befores & BIT(i)) && lock.tenure[ownerOf[i]] == i && answer != HELD ->
                lock.count[ownerOf[i]] = 0;
                lock.tenure[ownerOf[i]] = 0;
                lock.count[o] = 1;
                lock.tenure[o] = which;
                lock.left = LEASE_OF(o, which);
                answer = HELD
            :: else
            fi
        }
        i = 0;
        if
        :: answer == HELD -> alone(o)
        :: else
        fi
    fi
}
#endif

#ifdef SETTLING
/*
 * Gives the lock to a hold, in place of a tenure that its client has released. The including model defines newest(i), the newest such
 * tenure of owner i, and rest_of_lease(o), what the hold has left.
 */
inline settle(o, which) {
    if
    :: IS_NEWER(o, which) -> answer = LATE
    :: IS_MINE(o, which) -> answer = HELD
    :: else ->
        not_held(o);
        for (i : 0 .. OWNERS - 1) {
            if
            :: lock.tenure[i] > 0 && lock.tenure[i] <= newest(i) && answer != HELD ->
                lock.count[i] = 0;
                lock.tenure[i] = 0;
                lock.count[o] = 1;
                lock.tenure[o] = which;
                lock.left = rest_of_lease(o);
                answer = HELD
            :: else
            fi
        }
        i = 0;
#ifdef TAKEN_AGAIN
        if
        :: lock.left == 0 ->
            lock.count[o] = 1;
            lock.tenure[o] = which;
            lock.left = rest_of_lease(o);
            answer = HELD
        :: else
        fi;
#endif
        if
        :: answer == HELD -> alone(o)
        :: else
        fi
    fi
}
#endif
