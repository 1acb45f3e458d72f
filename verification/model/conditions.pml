/*
 * conditions.pml: a buffer over processes. Its consumers wait for a condition of the lock, its producer signals it.
 *
 * Two consumers and a producer, a client each, and a server with the lock, its one wait set, and the clients that are registered. Commands
 * and their replies are in order on one connection of a client, and messages on another. There is no time. The lock is acquired in one
 * step, since its own commands are in the other models.
 *
 *   Consumer  locks, takes an item or waits for one; its wait is over by a signal, in doubt, or by its time; then it locks again
 *   Producer  locks, adds an item, signals, unlocks
 *   Redis     runs the commands: part (signals, begins a wait), release, leave, watch (the heartbeat), rouse, and the end of a registration
 *   Nemesis   loses or doubles a message; cuts a connection of either sort; deletes the lock or the wait set; stops a client, which
 *             may continue, or for ever, whose connections last or end
 *
 * A consumer that is woken looks for an item, and one whose time is over does not: so a signal must not be received by it.
 *
 * Flags for defects: PART_BEHIND, DEAD_FORGOTTEN, UNREGISTERED_AT_ONCE, TIME_WINS, DOUBT_IGNORED, NOT_ASKED, STALE_IGNORED,
 * LOSS_IGNORED, NO_TICKET, RETURNS_AT_ONCE, ROUSED_ONCE, ENTRY_REMAINS.
 * The SHOW_ flags check that a state is reached.
 */
#ifndef ITEMS
#define ITEMS 1                /* which the producer adds */
#endif
#ifndef WAITS
#define WAITS 1                /* of a consumer */
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#define CONSUMERS 2
#define PRODUCER 2
#define CLIENTS 3
#define NOBODY 3
#define ROOM 5                 /* of a channel */

mtype:command = { PART, RELEASE, LEAVE, WATCH, ROUSE, UNREGISTER };
mtype:message = { SIGNAL, ALL };
mtype:phase = { WANTS, HOLDS, CHANGED, WAITS_FOR, LEAVES, WOKEN, TIMED_OUT, DONE };

/* --- Redis. */

byte holder = NOBODY;
byte queue[CONSUMERS];               /* the wait set, first come, first served */
byte inQueue;
byte ticketIn[CONSUMERS];            /* of the wait that is in it; 0: none */
bool registered[CONSUMERS];
bool expired[CONSUMERS];             /* it is registered, and has not proved to be alive for a watchdog timeout */
bool hears[CONSUMERS];               /* subscribed */

/* --- The clients. */

mtype:phase phase[CLIENTS] = WANTS;
byte ticket[CONSUMERS];              /* of its latest wait */
bool lost[CLIENTS];                  /* its hold is; it finds that when it releases, or would wait */
bool stopped[CLIENTS];
bool dead[CLIENTS];                  /* it is stopped for ever */
bool retired[CONSUMERS];             /* it waits no more, and has ended its registration */
byte items;                          /* in the buffer */
byte unsaid;                         /* how many of them were added, and no script has signalled that */
byte faults;

/* What is sent and not answered. */
bool parting[CLIENTS];
bool releasing[CLIENTS];
bool leaving[CLIENTS];
bool rousing[CLIENTS];

chan commands[CLIENTS] = [ROOM] of { mtype:command, byte };
chan replies[CLIENTS] = [ROOM] of { mtype:command, byte, bool };
chan messages[CONSUMERS] = [ROOM] of { mtype:message, byte };

#define MAY_SEND(c) (len(commands[c]) + len(replies[c]) < ROOM - 2)
#define FEW_MESSAGES (len(messages[0]) + len(messages[1]) < 3)
#define WAITS_NOW(c) (phase[c] == WAITS_FOR || phase[c] == LEAVES)

/* --- The scripts. The locals i, w and n are theirs. */

inline shift(from) {
  ticketIn[queue[from]] = 0;
  i = from;
  do
  :: i + 1 < inQueue -> queue[i] = queue[i + 1]; i++
  :: i + 1 >= inQueue -> break
  od;
  inQueue--;
  queue[inQueue] = 0;
  i = 0
}

inline take(c) {
  if
  :: ticketIn[c] > 0 && queue[0] == c -> shift(0)
  :: ticketIn[c] > 0 && queue[0] != c -> shift(1)
  :: else
  fi
}

inline clear() {
  do
  :: inQueue > 0 -> shift(0)
  :: inQueue == 0 -> break
  od
}

inline tell(c, what, t) {
  if
  :: hears[c] -> messages[c] ! what, t
  :: else
  fi
}

/* The first one in the wait set whose client is alive and subscribed. */
inline signal() {
  do
  :: inQueue == 0 -> break
  :: inQueue > 0 ->
    w = queue[0];
    n = ticketIn[w];
    shift(0);
    if
    :: registered[w] && !expired[w] && hears[w] -> tell(w, SIGNAL, n); break
    :: else
    fi
  od;
  w = 0; n = 0
}

inline rouse() {
  clear();
  if
  :: registered[0] -> tell(0, ALL, 0)
  :: else
  fi;
  if
  :: registered[1] -> tell(1, ALL, 0)
  :: else
  fi
}

inline part(c, t) {
#ifdef PART_BEHIND
  if
  :: c == PRODUCER && holder != c -> replies[c] ! PART, t, false
  :: else ->
#else
  if
  :: holder != c -> replies[c] ! PART, t, false
  :: holder == c ->
#endif
    if
    :: c == PRODUCER -> signal(); unsaid = 0
    :: c != PRODUCER ->
      take(c);
      registered[c] = true;
      expired[c] = false;
      queue[inQueue] = c;
      inQueue++;
      ticketIn[c] = t;
#ifndef PART_BEHIND
      holder = NOBODY
#endif
    fi;
    replies[c] ! PART, t, true
  fi
}

/* Who is registered, and not alive or not subscribed. */
#define FOUND_DEAD(o) (registered[o] && (expired[o] || !hears[o]))

inline watch(c, t) {
  registered[c] = true;
  expired[c] = false;
  n = (t > 0 && ticketIn[c] != t -> 1 : 0);
#ifdef NOT_ASKED
  n = 0;
#endif
  if
  :: FOUND_DEAD(1 - c) ->
#ifdef SHOW_FOUND
    assert(!dead[1 - c]);
#endif
    registered[1 - c] = false;
    expired[1 - c] = false;
#ifndef DEAD_FORGOTTEN
    n = 1;
    rouse()
#endif
  :: else
  fi;
  replies[c] ! WATCH, t, n == 1;
  n = 0
}

inline free(c) {
  releasing[c] = false;
  lost[c] = false;
  if
  :: holder == c -> holder = NOBODY
  :: else
  fi
}

inline runOne(c) {
  commands[c] ? what, t;
  if
  :: what == PART -> part(c, t)
  :: what == RELEASE -> free(c)
  :: what == ROUSE -> rouse(); rousing[c] = false
  :: what == LEAVE ->
    if
    :: ticketIn[c] == t -> take(c); replies[c] ! LEAVE, t, true
    :: else -> replies[c] ! LEAVE, t, false
    fi
  :: what == WATCH -> watch(c, t)
  :: what == UNREGISTER -> registered[c] = false; expired[c] = false
  fi;
  what = PART; t = 0
}

/* The producer waits for nothing. */
inline runProducer() {
  commands[PRODUCER] ? what, t;
  if
  :: what == PART -> part(PRODUCER, t)
  :: what == RELEASE -> free(PRODUCER)
  :: what == ROUSE -> rouse(); unsaid = 0; rousing[PRODUCER] = false
  fi;
  what = PART; t = 0
}

proctype Redis() {
  mtype:command what;
  byte t;
  byte i;
  byte w;
  byte n;
  end:
  do
  :: d_step { len(commands[0]) > 0 -> runOne(0) }
  :: d_step { len(commands[1]) > 0 -> runOne(1) }
  :: d_step { len(commands[2]) > 0 -> runProducer() }
  /* A client that is stopped proves nothing, and its lease of the lock ends. */
  :: d_step { stopped[0] && registered[0] && !expired[0] -> expired[0] = true }
  :: d_step { stopped[1] && registered[1] && !expired[1] -> expired[1] = true }
  :: d_step { holder != NOBODY && stopped[holder] -> lost[holder] = true; holder = NOBODY }
  od
}

/* --- What a client does. */

#define ROUSES(c) rousing[c] = true; commands[c] ! ROUSE, 0

/* The waiter of this client is woken in doubt. Its entry, which may still be there, is not left for a signal. */
inline wake(c) {
  if
#ifndef ENTRY_REMAINS
  :: phase[c] == WAITS_FOR -> phase[c] = WOKEN; leaving[c] = true; commands[c] ! LEAVE, ticket[c]
  :: phase[c] == LEAVES -> phase[c] = WOKEN
#else
  :: WAITS_NOW(c) -> phase[c] = WOKEN
#endif
  :: else
  fi
}

inline unlock(c) {
  releasing[c] = true;
  commands[c] ! RELEASE, 0
}

/* The command connection of a client is lost, with what was not executed, and the replies; it has another one. */
inline cut(c, t) {
  do
  :: len(commands[c]) > 0 -> commands[c] ? _, _
  :: len(commands[c]) == 0 && len(replies[c]) > 0 -> replies[c] ? _, _, _
  :: len(commands[c]) + len(replies[c]) == 0 -> break
  od
}

inline afterCut(c) {
  if
  :: parting[c] ->
    parting[c] = false;
    if
    :: c == PRODUCER ->
#ifndef DOUBT_IGNORED
      rousing[c] = true
#else
      skip
#endif
    :: c != PRODUCER -> wake(c)
    fi
  :: else
  fi;
#ifdef ROUSED_ONCE
  rousing[c] = false;
#endif
  if
  :: rousing[c] -> commands[c] ! ROUSE, 0
  :: else
  fi;
  if
  :: releasing[c] -> commands[c] ! RELEASE, 0
  :: else
  fi
}

inline afterCutOfConsumer(c) {
  if
  :: leaving[c] -> commands[c] ! LEAVE, ticket[c]
  :: else
  fi;
  afterCut(c)
}

#define BUSY(c) (len(commands[c]) + len(replies[c]) > 0)

inline stop(c) {
  stopped[c] = true;
  faults++;
  if
  :: true
  :: true -> dead[c] = true
  fi
}

proctype Nemesis() {
  byte i;
  mtype:message said;
  byte t;
  end:
  do
  /* A lost message, and one that comes twice. */
  :: d_step { faults < FAULTS && len(messages[0]) > 0 -> messages[0] ? _, _; faults++ }
  :: d_step { faults < FAULTS && len(messages[0]) > 0 && nfull(messages[0]) ->
      messages[0] ? said, t; messages[0] ! said, t; messages[0] ! said, t; t = 0; faults++ }
  /* The connections. */
  :: d_step { faults < FAULTS && BUSY(0) -> cut(0, t); afterCutOfConsumer(0); faults++ }
  :: d_step { faults < FAULTS && BUSY(2) -> cut(2, t); afterCut(2); faults++ }
  :: d_step { faults < FAULTS && hears[0] ->
      hears[0] = false;
      do
      :: len(messages[0]) > 0 -> messages[0] ? _, _
      :: len(messages[0]) == 0 -> break
      od;
      faults++ }
  /* The keys. */
  :: d_step { faults < FAULTS && holder != NOBODY -> lost[holder] = true; holder = NOBODY; faults++ }
  :: d_step { faults < FAULTS && inQueue > 0 -> clear(); registered[0] = false; registered[1] = false;
      expired[0] = false; expired[1] = false; faults++ }
  /* The clients. */
  :: atomic { faults < FAULTS && !stopped[0] && !retired[0] && phase[0] != WANTS -> stop(0) }
  :: atomic { faults < FAULTS && !stopped[2] && (phase[2] == HOLDS || phase[2] == CHANGED || BUSY(2)) -> stop(2) }
  :: d_step { stopped[0] && !dead[0] -> stopped[0] = false }
  :: d_step { stopped[2] && !dead[2] -> stopped[2] = false }
  /* The connections of one that is stopped for ever end, or not. */
  :: d_step { dead[0] && hears[0] -> cut(0, t); hears[0] = false }
  :: d_step { dead[2] && BUSY(2) -> cut(2, t); t = 0 }
  od
}

/* --- The consumers. */

/* A heartbeat that finds anything; those that do not are left out. */
#define ASKS(c) (WAITS_NOW(c) && !parting[c] -> ticket[c] : 0)
#define FINDS(c) (ticket[c] > 0 && !retired[c] && (FOUND_DEAD(1 - c) || !registered[c] || expired[c] || \
  (WAITS_NOW(c) && !parting[c] && ticketIn[c] != ticket[c])))

inline looks(c) {
  assert(holder == c || lost[c]);
  if
  :: items > 0 && !lost[c] ->
#ifdef SHOW_TAKEN
    assert(ticket[c] == 0);
#endif
    items--;
    phase[c] = DONE;
    unlock(c)
  :: items == 0 && !lost[c] && ticket[c] < WAITS ->
    ticket[c]++;
    hears[c] = true;
    phase[c] = WAITS_FOR;
    parting[c] = true;
#ifdef PART_BEHIND
    unlock(c);
    commands[c] ! PART, ticket[c]
#else
    commands[c] ! PART, ticket[c]
#endif
  :: items == 0 && !lost[c] && ticket[c] == WAITS -> phase[c] = DONE; unlock(c)
  :: lost[c] -> lost[c] = false; phase[c] = WANTS
  fi
}

inline rousesAll(c) {
  wake(c);
  ROUSES(c)
}

proctype Consumer(byte c) {
  mtype:command what;
  mtype:message said;
  byte t;
  bool yes;

  end:
  do
  :: dead[c] -> break
  :: atomic { retired[c] && !BUSY(c) && len(messages[c]) == 0 -> break }

  /* Locks, for the first time or again. */
  :: atomic { !stopped[c] && (phase[c] == WANTS || phase[c] == WOKEN) && holder == NOBODY && !releasing[c] && !parting[c] &&
      MAY_SEND(c) ->
      holder = c;
      lost[c] = false;
      phase[c] = HOLDS }
#ifdef RETURNS_AT_ONCE
  :: atomic { !stopped[c] && phase[c] == WOKEN -> phase[c] = HOLDS }
#endif
  :: atomic { !stopped[c] && phase[c] == HOLDS && MAY_SEND(c) -> looks(c) }

  /* Its time is over, or it is interrupted. */
  :: atomic { !stopped[c] && phase[c] == WAITS_FOR && !parting[c] && !leaving[c] && MAY_SEND(c) ->
      phase[c] = LEAVES;
      leaving[c] = true;
      commands[c] ! LEAVE, ticket[c] }
  :: atomic { !stopped[c] && phase[c] == TIMED_OUT && holder == NOBODY && !releasing[c] && MAY_SEND(c) ->
      phase[c] = DONE }

  /* The heartbeat. */
  :: atomic { !stopped[c] && !BUSY(c) && FEW_MESSAGES && FINDS(c) -> commands[c] ! WATCH, ASKS(c) }
  /* It is subscribed again. */
  :: atomic { !stopped[c] && ticket[c] > 0 && !retired[c] && !hears[c] && !BUSY(c) ->
      hears[c] = true;
      commands[c] ! WATCH, ASKS(c) }

  /* A watchdog timeout after its last wait; or at once. */
#ifdef UNREGISTERED_AT_ONCE
  :: atomic { !stopped[c] && ticket[c] > 0 && phase[c] != WAITS_FOR && phase[c] != LEAVES && registered[c] && MAY_SEND(c) ->
      commands[c] ! UNREGISTER, 0 }
#endif
  :: atomic { !stopped[c] && phase[c] == DONE && !retired[c] && !BUSY(c) && len(messages[c]) == 0 ->
      retired[c] = true;
      commands[c] ! UNREGISTER, 0 }

  /* Replies. */
  :: atomic { !stopped[c] && len(replies[c]) > 0 && MAY_SEND(c) ->
      replies[c] ? what, t, yes;
      if
      :: what == PART ->
        parting[c] = false;
        if
        :: !yes && WAITS_NOW(c) -> lost[c] = false; phase[c] = WANTS
        :: else
        fi
      :: what == WATCH ->
        if
        :: yes && t == ticket[c] -> wake(c)
        :: else
        fi
      :: what == LEAVE ->
        leaving[c] = false;
        if
        :: t == ticket[c] && phase[c] == LEAVES ->
#ifdef TIME_WINS
          phase[c] = TIMED_OUT
#else
#ifdef SHOW_SIGNAL_WINS
          assert(yes || faults > 0);
#endif
          phase[c] = (yes -> TIMED_OUT : WOKEN)
#endif
        :: else
        fi
      fi;
      what = PART; t = 0; yes = false }

  /* Messages. */
  :: atomic { !stopped[c] && len(messages[c]) > 0 && MAY_SEND(c) ->
      messages[c] ? said, t;
      if
      :: retired[c]
      :: !retired[c] && said == ALL -> wake(c)
#ifdef NO_TICKET
      :: !retired[c] && said == SIGNAL && WAITS_NOW(c) ->
#else
      :: !retired[c] && said == SIGNAL && WAITS_NOW(c) && t == ticket[c] ->
#endif
        /* No signal is received twice. */
        assert(ticketIn[c] != ticket[c]);
        phase[c] = WOKEN
      :: !retired[c] && said == SIGNAL && phase[c] == WOKEN && t == ticket[c]
      :: else ->
#ifdef SHOW_STALE
        assert(false);
#endif
#ifndef STALE_IGNORED
        rousesAll(c)
#endif
      fi;
      said = SIGNAL; t = 0 }
  od
}

/* --- The producer. */

proctype Producer() {
  byte added;
  bool yes;

  end:
  do
  :: dead[PRODUCER] -> break
  :: atomic { phase[PRODUCER] == DONE && !BUSY(PRODUCER) -> break }
  :: atomic { !stopped[PRODUCER] && phase[PRODUCER] == WANTS && added < ITEMS && holder == NOBODY && !releasing[PRODUCER] ->
      holder = PRODUCER;
      lost[PRODUCER] = false;
      phase[PRODUCER] = HOLDS }
  /* A change by an owner that has lost the lock is refused, by its token. */
  :: atomic { !stopped[PRODUCER] && phase[PRODUCER] == HOLDS && lost[PRODUCER] -> phase[PRODUCER] = WANTS }
  :: atomic { !stopped[PRODUCER] && phase[PRODUCER] == HOLDS && !lost[PRODUCER] ->
      added++;
      items++;
      unsaid++;
      phase[PRODUCER] = CHANGED }
  :: atomic { !stopped[PRODUCER] && phase[PRODUCER] == CHANGED && MAY_SEND(PRODUCER) ->
      parting[PRODUCER] = true;
      commands[PRODUCER] ! PART, 0;
      unlock(PRODUCER);
      phase[PRODUCER] = (added < ITEMS -> WANTS : DONE) }
  :: atomic { !stopped[PRODUCER] && len(replies[PRODUCER]) > 0 && MAY_SEND(PRODUCER) ->
      replies[PRODUCER] ? _, _, yes;
      parting[PRODUCER] = false;
      if
      :: !yes ->
        /* It has lost the lock. */
#ifndef LOSS_IGNORED
        ROUSES(PRODUCER)
#else
        skip
#endif
      :: yes
      fi;
      yes = false }
  od
}

/*
 * There is an item, the lock is free, a live consumer waits, and nothing is under way: no command, reply or message, no consumer that is
 * woken, no heartbeat that would find anything. Unless a producer has died between its change and its signal, which nobody can know.
 */
#define IDLE(c) (stopped[c] || !BUSY(c))
#define SILENT (IDLE(0) && IDLE(1) && IDLE(2) && (stopped[0] || len(messages[0]) == 0) && (stopped[1] || len(messages[1]) == 0))
#define GOES_ON(c) (!stopped[c] && (phase[c] == WANTS || phase[c] == HOLDS || phase[c] == CHANGED || phase[c] == WOKEN))
#ifdef NOT_ASKED
#define WOULD_FIND(c) (FOUND_DEAD(1 - c) || (stopped[1 - c] && registered[1 - c]))
#else
#define WOULD_FIND(c) (ticketIn[c] != ticket[c] || FOUND_DEAD(1 - c) || (stopped[1 - c] && registered[1 - c]))
#endif
#define SLEEPS(c) (!stopped[c] && phase[c] == WAITS_FOR && !parting[c])
#define STAYS(c) (!SLEEPS(c) || !WOULD_FIND(c))
#define MAY_CONTINUE (stopped[0] && !dead[0] || stopped[2] && !dead[2])

proctype Monitor() {
  end:
  do
  :: atomic { items > 0 && holder == NOBODY && SILENT && !MAY_CONTINUE && !GOES_ON(0) && !GOES_ON(1) && !GOES_ON(2) &&
      (SLEEPS(0) || SLEEPS(1)) && STAYS(0) && STAYS(1) && !(dead[PRODUCER] && unsaid > 0) -> assert(false) }
  od
}

init {
  atomic {
    run Redis();
    run Nemesis();
    run Consumer(0);
    run Consumer(1);
    run Producer();
    run Monitor()
  }
}
