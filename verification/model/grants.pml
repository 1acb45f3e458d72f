/*
 * grants.pml: the line of clients; a release grants the lock to the first of them.
 *
 * Two clients with one owner each, which acquire the lock a few times, and a server with the line in the lock's key. Commands and
 * their replies are in order on one connection of a client, the messages of grants on another; between the two anything may
 * overtake anything. There is no time in this model: a lease runs out when nobody considers itself its holder, and a grant that
 * ran out says so, as its time does. An attempt after a long wait is possible when nothing else would serve its client; the next
 * in line watches over a grant, and may try at any time before its owner starts.
 *
 *   Client   tries, is in line, starts with a grant, holds the lock, releases it; gives up at any time; may stop for ever
 *   Redis    runs the commands, and lets a lease run out
 *   Nemesis  loses a message; deletes the key
 *
 * Flags for defects: MATCH_OWNER, NO_WITHDRAWAL, FROM_ARRIVAL, EARLY_DROPPED, NO_ADOPTION, NOT_DECLINED.
 * The SHOW_ flags check that a state is reached.
 */
#define CLIENTS 2
#define NOBODY  2

#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#define MOST 3                 /* attempts of a client */

mtype:command = { TRY, RELEASE };
mtype:reply = { YOURS, IN_LINE };
mtype:phase = { IDLE, TRYING, WAITING, HOLDING, STOPPED };

/* --- Redis. */

byte owner = NOBODY;
byte tenure;                   /* of the owner */
byte place[CLIENTS];           /* the tenure that is in line; 0: none */
byte first = NOBODY;           /* who is first in line, if two are */
bool ranOut[8];               /* the grant of this tenure ran out before its owner started; index: client * 4 + tenure */

/* --- The clients. */

mtype:phase phase[CLIENTS] = IDLE;
byte held[CLIENTS];            /* the tenure that the client considers valid */
byte rounds[CLIENTS];
byte attempts[CLIENTS];
chan commands0 = [3] of { mtype:command, byte };
chan commands1 = [3] of { mtype:command, byte };
chan replies0 = [1] of { mtype:reply, byte };
chan replies1 = [1] of { mtype:reply, byte };
chan grants0 = [2] of { byte };
chan grants1 = [2] of { byte };
byte faults;

#define IS_HELD (phase[0] == HOLDING || phase[1] == HOLDING)
#define BOTH_HOLD (phase[0] == HOLDING && phase[1] == HOLDING)
/* The owner works with the lock, or may: it knows of it, or a message or a reply tells it. */
#define KNOWN(c, grants, replies, commands) (owner == c && (phase[c] == HOLDING || len(grants) > 0 || len(replies) > 0 || len(commands) > 0))
#define GRANT_KNOWN (KNOWN(0, grants0, replies0, commands0) || KNOWN(1, grants1, replies1, commands1))

inline clearLine() {
  place[0] = 0;
  place[1] = 0;
  first = NOBODY
}

inline leaveLine(c) {
  place[c] = 0;
  if
  :: first == c -> first = (place[1 - c] > 0 -> 1 - c : NOBODY)
  :: else
  fi
}

inline free() {
  owner = NOBODY;
  tenure = 0;
  clearLine()
}

/* --- The scripts. */

inline runTry(c, t, replies) {
  if
  :: owner == NOBODY ->
    owner = c;
    tenure = t;
    replies ! YOURS, t
  :: owner == c ->
#ifdef NO_ADOPTION
    replies ! IN_LINE, t
#else
    tenure = t;
    replies ! YOURS, t
#endif
  :: owner == 1 - c ->
    if
    :: place[c] == 0 && first == NOBODY -> first = c
    :: else
    fi;
    place[c] = t;
    replies ! IN_LINE, t
  fi
}

inline runRelease(c, t) {
  if
  :: place[c] > 0 && place[c] <= t -> leaveLine(c)
  :: else
  fi;
  if
  :: owner == c && tenure <= t ->
    if
    :: first == NOBODY -> free()
    :: first != NOBODY ->
      owner = first;
      tenure = place[owner];
      leaveLine(owner);
      if
      :: owner == 0 -> grants0 ! tenure
      :: owner == 1 -> grants1 ! tenure
      fi
    fi
  :: else
  fi
}

proctype Redis() {
  mtype:command what;
  byte t;
  end:
  do
  :: atomic { commands0 ? what, t ->
      if
      :: what == TRY -> runTry(0, t, replies0)
      :: what == RELEASE -> runRelease(0, t)
      fi }
  :: atomic { commands1 ? what, t ->
      if
      :: what == TRY -> runTry(1, t, replies1)
      :: what == RELEASE -> runRelease(1, t)
      fi }
  /* The lease of somebody who does not work with the lock: a grant that nobody knows of, or that was late. */
  :: atomic { owner != NOBODY && phase[owner] != HOLDING && faults > 0 && len(commands0) == 0 && len(commands1) == 0 ->
      ranOut[owner * 4 + tenure] = true;
      free() }
  od
}

proctype Nemesis() {
  byte lost;
  end:
  do
  :: atomic { faults < FAULTS && len(grants0) > 0 -> grants0 ? lost; faults++ }
  :: atomic { faults < FAULTS && len(grants1) > 0 -> grants1 ? lost; faults++ }
  /* A pause for longer than a lease. */
  :: atomic { faults < FAULTS && len(grants0) > 0 -> faults++ }
  :: atomic { faults < FAULTS && len(grants1) > 0 -> faults++ }
  :: atomic { faults < FAULTS && !IS_HELD && owner != NOBODY && len(replies0) == 0 && len(replies1) == 0 ->
      ranOut[owner * 4 + tenure] = true;
      free();
      faults++ }
  /* A client stops for ever. */
  :: atomic { faults < FAULTS && phase[0] == WAITING -> phase[0] = STOPPED; faults++ }
  od
}

inline start(c, t) {
  phase[c] = HOLDING;
  held[c] = t;
  assert(!BOTH_HOLD)
}

inline attempt(c, commands, t) {
  attempts[c]++;
  t = attempts[c];
  phase[c] = TRYING;
  commands ! TRY, t
}

/* The lease ran out before the owner could start. */
inline again(c, commands, t, unwanted) {
  if
  :: attempts[c] < MOST -> attempt(c, commands, t)
  :: attempts[c] == MOST -> phase[c] = IDLE; rounds[c] = ROUNDS; commands ! RELEASE, unwanted
  fi
}

proctype Client(byte c; chan commands; chan replies; chan grants) {
  byte t;                      /* the tenure of the last attempt */
  byte inLine;                 /* the tenure that is believed to be in line; 0: none */
  byte early;                  /* a grant that arrived while an attempt was in flight */
  byte g;
  byte answered;
  mtype:reply said;
  bool gone;                   /* the caller has given up while an attempt was in flight */

  end:
  do
  :: phase[c] == STOPPED -> break
  :: atomic { phase[c] == IDLE && rounds[c] == ROUNDS && len(grants) == 0 -> break }
  :: atomic { phase[c] == IDLE && rounds[c] < ROUNDS && attempts[c] < MOST && len(commands) < 3 ->
      gone = false;
      attempt(c, commands, t) }

  /* Replies. */
  :: atomic { phase[c] == TRYING && len(replies) > 0 && len(commands) < 3 ->
      replies ? said, answered;
      if
      :: gone ->
        phase[c] = IDLE;
        rounds[c]++;
        inLine = 0;
        early = 0;
        commands ! RELEASE, answered
      :: !gone && said == YOURS && !ranOut[c * 4 + answered] ->
        inLine = 0;
        early = 0;
        start(c, answered)
      :: !gone && said == YOURS && ranOut[c * 4 + answered] ->
        inLine = 0;
        early = 0;
        again(c, commands, t, answered)
      :: !gone && said == IN_LINE ->
        inLine = answered;
        phase[c] = WAITING;
        if
        :: early == inLine -> early = 0; again(c, commands, t, inLine)
        :: else -> early = 0
        fi
      fi }

  /* Messages. */
  :: atomic { len(grants) > 0 && len(commands) < 3 && phase[c] != STOPPED ->
      grants ? g;
      if
      :: phase[c] == TRYING ->
#ifndef EARLY_DROPPED
        early = g
#endif
#ifdef MATCH_OWNER
      :: phase[c] == WAITING ->
#else
      :: phase[c] == WAITING && g == inLine ->
#endif
#ifdef SHOW_GRANT
        assert(false);
#endif
        if
#ifdef FROM_ARRIVAL
        :: start(c, inLine)
#else
        :: !ranOut[c * 4 + g] -> start(c, inLine)
        :: ranOut[c * 4 + g] -> again(c, commands, t, inLine)
#endif
        fi
      :: else ->
#ifdef SHOW_DECLINE
        assert(false);
#endif
#ifndef NOT_DECLINED
        if
        :: g < held[c] || phase[c] == IDLE || phase[c] == WAITING -> commands ! RELEASE, g
        :: else
        fi
#endif
      fi }

  /* Gives up. */
  :: atomic { phase[c] == TRYING && !gone && rounds[c] < ROUNDS -> gone = true }
  :: atomic { phase[c] == WAITING && len(commands) < 3 ->
      phase[c] = IDLE;
      rounds[c]++;
#ifndef NO_WITHDRAWAL
      commands ! RELEASE, inLine;
#endif
      inLine = 0 }

  /* A long wait: nothing that is under way serves this client. */
  :: atomic { phase[c] == WAITING && attempts[c] < MOST && len(commands) < 3 && !IS_HELD && !GRANT_KNOWN && len(commands0) == 0 && len(commands1) == 0 ->
      attempt(c, commands, t) }

  /* Watches over a grant to the other client, which may be late: the lock may be had when the lease of the grant has run out. */
  :: atomic { phase[c] == WAITING && owner == 1 - c && phase[1 - c] != HOLDING && attempts[c] < MOST && len(commands) < 3 ->
#ifdef SHOW_WATCH
      assert(false);
#endif
      attempt(c, commands, t) }

  /* Works, and releases. */
  :: atomic { phase[c] == HOLDING && len(commands) < 3 ->
      phase[c] = IDLE;
      rounds[c]++;
      commands ! RELEASE, held[c] }
  od
}

/*
 * Without a fault, the lock is not kept for a client that does not know of it, and no client waits for a lock that is free, while
 * nothing is under way.
 */
#define SILENT (len(commands0) + len(commands1) + len(replies0) + len(replies1) + len(grants0) + len(grants1) == 0)
#define KEPT_FOR_NOBODY (owner != NOBODY && phase[owner] != HOLDING)
#define ASLEEP (owner == NOBODY && (phase[0] == WAITING || phase[1] == WAITING))

proctype Monitor() {
  end:
  do
  :: atomic { faults == 0 && SILENT && (KEPT_FOR_NOBODY || ASLEEP) -> assert(false) }
  od
}

init {
  atomic {
    run Redis();
    run Nemesis();
    run Client(0, commands0, replies0, grants0);
    run Client(1, commands1, replies1, grants1);
    run Monitor()
  }
}
