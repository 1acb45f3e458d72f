/*
 * phases.pml: the read-write lock; phases of readers and of writers follow each other, and a release grants the next one.
 *
 * Clients whose owners read, and others with one owner that writes, and may go on reading (downgrade), and a server with both lines in
 * the lock's key. As in grants.pml, commands and their replies are in order on one connection of a client, and messages on another.
 * There is no time: a lease runs out when its hold is not in use, and an attempt may be made at any time by those that wait.
 *
 *   Reader   all readers of a client: they join its open group without a command, or wait for one request; a group has an owner id of its
 *            own, and is released by its last reader; closes when a writer waits; asks whether one does, as long as it is not subscribed
 *   Writer   tries, is in line, starts with a grant, works, releases or downgrades; gives up
 *   Redis    runs the commands, and lets leases run out, of each reader by itself
 *   Nemesis  loses a message; has a grant arrive late; deletes the key; stops a client for ever, whose connections last or end
 *
 * Flags for defects: READER_PASSES, READERS_FIRST, WRITERS_FIRST, NOT_LAST, KEY_ENDS_FIRST, READERS_STAY, NO_CLOSING, NO_ASK,
 * EARLY_CLOSING_DROPPED, GRANT_LEAVES_OPEN, JOIN_RELEASED, ONE_REMAINS, SAME_TENURE, NO_ADOPTION, EARLY_DROPPED,
 * FROM_ARRIVAL, DOWNGRADE_FREES, DOWNGRADE_ALONE.
 * The SHOW_ flags check that a state is reached.
 */
#ifndef READERS
#define READERS 2              /* clients that read */
#endif
#ifndef WRITERS
#define WRITERS 1              /* clients that write */
#endif
#ifndef JOINS
#define JOINS 2                /* calls of a reading client */
#endif
#ifndef ROUNDS
#define ROUNDS 1               /* calls of a writing client */
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef MOST
#define MOST 3                 /* attempts of a client */
#endif
#define GROUPS 2               /* requests of a reading client */
#define NOBODY 7
#define TENURES (MOST + 1)
#define ROOM 4                 /* of a channel */

mtype:mode = { FREE, WRITE, SHARED };
mtype:command = { TRY, RELEASE, ASK, DOWNGRADE, END_OF_READ };
mtype:reply = { YOURS, IN_LINE, BUSY, ASKED };
mtype:message = { GRANT, CLOSING };
mtype:phase = { IDLE, TRYING, WAITING, HOLDING, READING, STOPPED };

/* --- Redis. */

mtype:mode mode = FREE;
byte owner = NOBODY;                 /* the writer */
byte tenure;                         /* of the writer */
byte group[READERS * GROUPS];        /* the tenure of a group's hold; 0: none */
byte downgraded[WRITERS];            /* the tenure of a read hold that was a write hold; 0: none */
bool ended[READERS * GROUPS];        /* the lease of this hold has run out, and it is still in the hash */
bool endedDown[WRITERS];
byte holding;                        /* how many read holds there are */
byte writer[WRITERS];                /* the tenure that is in line; 0: none */
byte queue[WRITERS];                 /* the writers in line, first come, first served */
byte inQueue;
byte reader[READERS];                /* the tenure that is in line; 0: none */
byte readerGroup[READERS];           /* of that entry */
byte inRead;

/* --- The clients. */

bool hears[READERS];                 /* subscribed */
bool deaf[WRITERS];
bool stopped[READERS];
mtype:phase phase[WRITERS] = IDLE;
byte in[READERS * GROUPS];           /* the readers of a group that work */
byte waiting[READERS];               /* the readers that wait */
byte writing;                        /* how many writers work */
byte reading;                        /* how many readers work */
bool ranOutR[READERS * TENURES];     /* the grant of this tenure ran out before it was used */
bool ranOutW[WRITERS * TENURES];
byte faults;

chan commandsR[READERS] = [ROOM] of { mtype:command, byte, byte };
chan commandsW[WRITERS] = [ROOM] of { mtype:command, byte };
chan repliesR[READERS] = [ROOM] of { mtype:reply, byte, bool };
chan repliesW[WRITERS] = [ROOM] of { mtype:reply, byte };
chan messagesR[READERS] = [ROOM] of { mtype:message, byte, byte, bool };
chan messagesW[WRITERS] = [ROOM] of { byte };

/* --- What the properties need. */

byte writesLeft[READERS];            /* how many write phases may begin before this reader in line has the lock */
byte readsLeft[WRITERS];             /* how many read phases may begin before this writer in line has the lock */

inline exclude() {
  assert(writing == 0 || (writing == 1 && reading == 0))
}

/* --- The scripts. The locals i, k and n are theirs. */

inline clearLines() {
  i = 0;
  do
  :: i < READERS -> reader[i] = 0; readerGroup[i] = 0; writesLeft[i] = 0; i++
  :: i == READERS -> break
  od;
  i = 0;
  do
  :: i < WRITERS -> writer[i] = 0; queue[i] = 0; readsLeft[i] = 0; i++
  :: i == WRITERS -> break
  od;
  inQueue = 0;
  inRead = 0
}

inline clearReaders() {
  i = 0;
  do
  :: i < READERS * GROUPS -> group[i] = 0; ended[i] = false; i++
  :: i == READERS * GROUPS -> break
  od;
  i = 0;
  do
  :: i < WRITERS -> downgraded[i] = 0; endedDown[i] = false; i++
  :: i == WRITERS -> break
  od;
  holding = 0
}

inline free() {
  mode = FREE;
  owner = NOBODY;
  tenure = 0;
  clearReaders();
  clearLines()
}

/* A hold joins a read phase that others are in: no writer waits for it. */
inline admit(g, t) {
  assert(mode != SHARED || inQueue == 0);
  group[g] = t;
  ended[g] = false;
  holding++
}

inline beginReads() {
  mode = SHARED;
  owner = NOBODY;
  tenure = 0;
  i = 0;
  do
  :: i < WRITERS ->
    if
    :: writer[i] > 0 -> assert(readsLeft[i] > 0); readsLeft[i]--
    :: else
    fi;
    i++
  :: i == WRITERS -> break
  od
}

/* All readers in line whose clients are subscribed. */
inline grantReaders(granted) {
  granted = 0;
  i = 0;
  do
  :: i < READERS ->
    if
    :: reader[i] > 0 && hears[i] ->
      group[i * GROUPS + readerGroup[i]] = reader[i];
      ended[i * GROUPS + readerGroup[i]] = false;
      holding++;
      granted++;
      assert(nfull(messagesR[i]));
#ifdef GRANT_LEAVES_OPEN
      messagesR[i] ! GRANT, readerGroup[i], reader[i], false
#else
      messagesR[i] ! GRANT, readerGroup[i], reader[i], inQueue > 0
#endif
    :: else
    fi;
    reader[i] = 0;
    readerGroup[i] = 0;
    writesLeft[i] = 0;
    i++
  :: i == READERS -> break
  od;
  inRead = 0
}

/* Takes the first out of the line of writers. */
inline shift() {
  i = 1;
  do
  :: i < inQueue -> queue[i - 1] = queue[i]; i++
  :: i >= inQueue -> break
  od;
  inQueue--;
  queue[inQueue] = 0
}

/* Writers whose clients are not subscribed any more are passed over. */
inline passOver() {
  do
  :: inQueue > 0 && deaf[queue[0]] -> writer[queue[0]] = 0; readsLeft[queue[0]] = 0; shift()
  :: else -> break
  od
}

inline grantWriter(granted) {
  granted = 0;
  passOver();
  if
  :: inQueue > 0 ->
    mode = WRITE;
    owner = queue[0];
    tenure = writer[owner];
    writer[owner] = 0;
    readsLeft[owner] = 0;
    shift();
    granted = 1;
    assert(nfull(messagesW[owner]));
    messagesW[owner] ! tenure;
    i = 0;
    do
    :: i < READERS ->
      if
      :: reader[i] > 0 -> assert(writesLeft[i] > 0); writesLeft[i]--
      :: else
      fi;
      i++
    :: i == READERS -> break
    od
  :: else
  fi
}

inline afterWrite() {
  n = 0;
#ifdef WRITERS_FIRST
  grantWriter(n);
#endif
  if
  :: n == 0 && inRead > 0 -> beginReads(); grantReaders(n)
  :: else
  fi;
  if
  :: n == 0 -> clearReaders(); grantWriter(n)
  :: else
  fi;
  if
  :: n == 0 -> free()
  :: else
  fi
}

inline afterRead() {
  clearReaders();
  n = 0;
#ifdef READERS_FIRST
  if
  :: inRead > 0 -> beginReads(); grantReaders(n)
  :: else
  fi;
#endif
  if
  :: n == 0 -> grantWriter(n)
  :: else
  fi;
  if
  :: n == 0 && inRead > 0 -> beginReads(); grantReaders(n)
  :: else
  fi;
  if
  :: n == 0 -> free()
  :: else
  fi
}

/* An attempt that cannot share the lock looks whose leases have run out. If none is left, the lock is free. */
inline scan() {
  if
  :: mode == SHARED ->
    k = 0;
    do
    :: k < READERS * GROUPS ->
      if
      :: ended[k] -> ended[k] = false; group[k] = 0; holding--
      :: else
      fi;
      k++
    :: k == READERS * GROUPS -> break
    od;
    k = 0;
    do
    :: k < WRITERS ->
      if
      :: endedDown[k] -> endedDown[k] = false; downgraded[k] = 0; holding--
      :: else
      fi;
      k++
    :: k == WRITERS -> break
    od;
    if
    :: holding == 0 -> free()
    :: else
    fi
  :: else
  fi
}

inline tryRead(c, q, t) {
  g = c * GROUPS + q;
  if
#ifndef NO_ADOPTION
  :: group[g] > 0 ->
    group[g] = t;
    ended[g] = false;
    repliesR[c] ! YOURS, t, inQueue > 0
#endif
  :: else ->
    if
    :: mode == SHARED && inQueue > 0 -> scan()
    :: else
    fi;
    if
    :: mode == SHARED && inQueue > 0 && hears[c] ->
      passOver();
      if
      :: inQueue == 0 ->
        if
        :: reader[c] > 0 -> reader[c] = 0; readerGroup[c] = 0; inRead--
        :: else
        fi;
        grantReaders(n)
      :: else
      fi
    :: else
    fi;
    if
    :: mode == FREE ->
      clearLines();
      mode = SHARED;
      admit(g, t);
      repliesR[c] ! YOURS, t, false
#ifdef READER_PASSES
    :: mode == SHARED ->
#else
    :: mode == SHARED && inQueue == 0 ->
#endif
      admit(g, t);
      repliesR[c] ! YOURS, t, false
    :: else ->
      if
      :: !hears[c] -> repliesR[c] ! BUSY, t, false
      :: hears[c] ->
        if
        :: reader[c] == 0 -> inRead++; writesLeft[c] = (mode == SHARED -> 1 : 0)
        :: else
        fi;
        reader[c] = t;
        readerGroup[c] = q;
        repliesR[c] ! IN_LINE, t, false
      fi
    fi
  fi
}

inline leaveReaders(c, q, t) {
  if
  :: reader[c] > 0 && readerGroup[c] == q && reader[c] <= t -> reader[c] = 0; readerGroup[c] = 0; writesLeft[c] = 0; inRead--
  :: else
  fi
}

inline endOfRead() {
  holding--;
#ifdef NOT_LAST
  if
  :: true -> afterRead()
#else
  if
  :: holding == 0 -> afterRead()
  :: holding > 0
#endif
  fi
}

inline releaseRead(c, q, t) {
  g = c * GROUPS + q;
  if
  :: group[g] > 0 && group[g] <= t ->
    group[g] = 0;
    ended[g] = false;
    endOfRead()
  :: else -> leaveReaders(c, q, t)
  fi
}

inline tryWrite(v, t) {
  if
#ifndef NO_ADOPTION
  :: mode == WRITE && owner == v ->
    tenure = t;
    repliesW[v] ! YOURS, t
#endif
  :: else ->
    scan();
    if
    :: mode == FREE ->
      clearLines();
      mode = WRITE;
      owner = v;
      tenure = t;
      repliesW[v] ! YOURS, t
    :: else ->
      if
      :: writer[v] == 0 ->
        readsLeft[v] = inQueue + (mode == WRITE -> 1 : 0);
        queue[inQueue] = v;
        inQueue++;
#ifndef NO_CLOSING
        if
        :: inQueue == 1 && mode == SHARED ->
          i = 0;
          do
          :: i < READERS ->
            if
            :: hears[i] -> assert(nfull(messagesR[i])); messagesR[i] ! CLOSING, 0, 0, false
            :: else
            fi;
            i++
          :: i == READERS -> break
          od
        :: else
        fi
#endif
      :: else
      fi;
      writer[v] = t;
      repliesW[v] ! IN_LINE, t
    fi
  fi
}

inline leaveWriters(v, t) {
  if
  :: writer[v] > 0 && writer[v] <= t ->
    writer[v] = 0;
    readsLeft[v] = 0;
    k = 0;
    do
    :: k < inQueue && queue[k] == v -> break
    :: k < inQueue && queue[k] != v -> k++
    od;
    inQueue--;
    do
    :: k < inQueue -> queue[k] = queue[k + 1]; k++
    :: k == inQueue -> break
    od;
    queue[inQueue] = 0;
#ifndef READERS_STAY
    if
    :: inQueue == 0 && mode == SHARED -> grantReaders(n)
    :: else
    fi
#endif
  :: else
  fi
}

inline releaseWrite(v, t) {
  if
  :: mode == WRITE && owner == v && tenure <= t -> afterWrite()
  :: else -> leaveWriters(v, t)
  fi
}

inline downgrade(v, t) {
  if
  :: mode == WRITE && owner == v && tenure == t ->
#ifdef DOWNGRADE_FREES
    afterWrite()
#else
    beginReads();
    downgraded[v] = t;
    holding = 1;
#ifndef DOWNGRADE_ALONE
    grantReaders(n)
#endif
#endif
  :: else
  fi
}

inline releaseDowngraded(v, t) {
  if
  :: downgraded[v] == t && t > 0 -> downgraded[v] = 0; endedDown[v] = false; endOfRead()
  :: else
  fi
}

#define IN_FLIGHT_R(c) (len(commandsR[c]) + len(repliesR[c]) + len(messagesR[c]))
#define IN_FLIGHT_W(v) (len(commandsW[v]) + len(repliesW[v]) + len(messagesW[v]))
#define STILL_R(c) (len(commandsR[c]) + len(repliesR[c]) == 0)
#define STILL_W(v) (len(commandsW[v]) + len(repliesW[v]) == 0)

/* A read hold that is not in use has run out. The key ends with the last of them. */
inline runOut() {
  k = 0;
  n = 0;
  do
  :: k < READERS * GROUPS -> n = n + (ended[k] -> 1 : 0); k++
  :: k == READERS * GROUPS -> break
  od;
  k = 0;
  do
  :: k < WRITERS -> n = n + (endedDown[k] -> 1 : 0); k++
  :: k == WRITERS -> break
  od;
#ifdef KEY_ENDS_FIRST
  if
  :: true -> free()
#else
  if
  :: n == holding -> free()
  :: n < holding
#endif
  fi
}

#define AT(c, q) ((c) * GROUPS + (q))
#define GROUP_UNUSED(c, q) (faults > 0 && mode == SHARED && group[AT(c, q)] > 0 && !ended[AT(c, q)] && in[AT(c, q)] == 0 && STILL_R(c))
#define DOWNGRADED_UNUSED(v) (faults > 0 && mode == SHARED && downgraded[v] > 0 && !endedDown[v] && phase[v] != READING && STILL_W(v))

inline groupEnds(c, q) {
  ended[AT(c, q)] = true;
  ranOutR[c * TENURES + group[AT(c, q)]] = true;
  runOut();
  i = 0; k = 0; n = 0
}

inline downgradedEnds(v) {
  endedDown[v] = true;
  runOut();
  i = 0; k = 0; n = 0
}

inline runRead(c) {
  commandsR[c] ? what, q, t;
  if
  :: what == TRY -> tryRead(c, q, t)
  :: what == RELEASE -> releaseRead(c, q, t)
  :: what == ASK -> repliesR[c] ! ASKED, q, inQueue > 0
  fi;
  what = TRY; t = 0; q = 0; g = 0; i = 0; k = 0; n = 0
}

inline runWrite(v) {
  commandsW[v] ? what, t;
  if
  :: what == TRY -> tryWrite(v, t)
  :: what == RELEASE -> releaseWrite(v, t)
  :: what == DOWNGRADE -> downgrade(v, t)
  :: what == END_OF_READ -> releaseDowngraded(v, t)
  fi;
  what = TRY; t = 0; i = 0; k = 0; n = 0
}

proctype Redis() {
  mtype:command what;
  byte t;
  byte q;
  byte g;
  byte i;
  byte k;
  byte n;
  end:
  do
  :: d_step { len(commandsR[0]) > 0 -> runRead(0) }
#if READERS > 1
  :: d_step { len(commandsR[1]) > 0 -> runRead(1) }
#endif
  :: d_step { len(commandsW[0]) > 0 -> runWrite(0) }
#if WRITERS > 1
  :: d_step { len(commandsW[1]) > 0 -> runWrite(1) }
#endif
  /* The lease of a writer that does not work with the lock. */
  :: d_step { faults > 0 && mode == WRITE && phase[owner] != HOLDING && STILL_W(owner) ->
      ranOutW[owner * TENURES + tenure] = true;
      free();
      i = 0 }
  /* The lease of a group that nobody reads in. */
  :: d_step { GROUP_UNUSED(0, 0) -> groupEnds(0, 0) }
  :: d_step { GROUP_UNUSED(0, 1) -> groupEnds(0, 1) }
#if READERS > 1
  :: d_step { GROUP_UNUSED(1, 0) -> groupEnds(1, 0) }
  :: d_step { GROUP_UNUSED(1, 1) -> groupEnds(1, 1) }
#endif
  :: d_step { DOWNGRADED_UNUSED(0) -> downgradedEnds(0) }
#if WRITERS > 1
  :: d_step { DOWNGRADED_UNUSED(1) -> downgradedEnds(1) }
#endif
  od
}

/* A client stops for ever; its connections may last. */
inline stopReader(c) {
  d_step {
    stopped[c] = true;
    reading = reading - in[c * GROUPS] - in[c * GROUPS + 1];
    in[c * GROUPS] = 0;
    in[c * GROUPS + 1] = 0;
    waiting[c] = 0;
    faults++
  };
  if
  :: true
  :: hears[c] -> hears[c] = false
  fi
}

inline stopWriter(v) {
  d_step {
    writing = writing - (phase[v] == HOLDING -> 1 : 0);
    reading = reading - (phase[v] == READING -> 1 : 0);
    phase[v] = STOPPED;
    faults++
  };
  if
  :: true
  :: deaf[v] = true
  fi
}

proctype Nemesis() {
  byte i;
  end:
  do
  /* A lost message. */
  :: d_step { faults < FAULTS && len(messagesR[0]) > 0 -> messagesR[0] ? _, _, _, _; faults++ }
  :: d_step { faults < FAULTS && len(messagesW[0]) > 0 -> messagesW[0] ? _; faults++ }
  /* A pause for longer than a lease: what is not in use runs out. */
  :: d_step { faults < FAULTS && len(messagesR[0]) + len(messagesW[0]) > 0 -> faults++ }
  :: d_step { faults < FAULTS && writing + reading == 0 && mode == WRITE && STILL_W(owner) ->
      ranOutW[owner * TENURES + tenure] = true;
      free();
      i = 0;
      faults++ }
  :: atomic { faults < FAULTS && !stopped[0] && (waiting[0] > 0 || in[0] + in[1] > 0) -> stopReader(0) }
  :: atomic { faults < FAULTS && (phase[0] == WAITING || phase[0] == HOLDING || phase[0] == READING) -> stopWriter(0) }
  od
}

/* --- The client that reads. */

/* The readers that wait have a group, if its grant has not run out. */
inline begin(q, t, closed) {
  if
  :: waiting[c] == 0 -> commandsR[c] ! RELEASE, q, t
  :: waiting[c] > 0 ->
    in[c * GROUPS + q] = waiting[c];
    reading = reading + waiting[c];
    waiting[c] = 0;
    held[q] = t;
    latest = q;
    open = !(closed);
    exclude()
  fi;
  request = IDLE;
  inLine = 0
}

inline attemptRead() {
#ifdef SAME_TENURE
  if
  :: request == WAITING
  :: else -> attempts++
  fi;
#else
  attempts++;
#endif
  request = TRYING;
  early = 0;
  told = false;
  commandsR[c] ! TRY, requests - 1, attempts
}

/* The grant is not to be had any more. */
inline againRead(t) {
  if
  :: attempts < MOST -> attemptRead()
  :: else ->
    waiting[c] = 0;
    request = IDLE;
    inLine = 0;
    calls = JOINS;
    commandsR[c] ! RELEASE, requests - 1, t
  fi
}

#define MAY_SEND_R (len(commandsR[c]) < ROOM - 1)
/* Whether a writer is in line, and nothing is on its way that says so. */
#define UNNOTICED (inQueue > 0 && !deaf[queue[0]] && len(commandsR[c]) + len(repliesR[c]) + len(messagesR[c]) == 0 && !asking)

proctype Reader(byte c) {
  mtype:phase request = IDLE;
  byte requests;
  byte attempts;
  byte calls;
  byte inLine;                 /* the tenure that is believed to be in line; 0: none */
  byte early;                  /* a grant that arrived while an attempt was in flight */
  bool told;                   /* a message has arrived since the attempt was sent: a writer waits */
  byte held[GROUPS];
  byte latest = GROUPS;        /* the group that was granted last; GROUPS: none */
  bool open;
  bool asking;
  bool gone;                   /* the readers have given up while an attempt was in flight */
  byte q;
  byte t;
  bool closed;
  mtype:message said;
  mtype:reply answered;

  end:
  do
  :: stopped[c] -> break
  :: atomic { calls == JOINS && request == IDLE && waiting[c] == 0 && in[c * GROUPS] + in[c * GROUPS + 1] == 0 &&
      len(messagesR[c]) == 0 && len(repliesR[c]) == 0 -> break }

  /* Joins the open group; another call than that which has requested it. */
  :: atomic { !stopped[c] && calls < JOINS && latest < GROUPS && open && MAY_SEND_R ->
      calls++;
#ifdef SHOW_JOIN
      assert(false);
#endif
      if
#ifndef NO_ASK
      :: !asking && (!hears[c] || faults > 0) -> asking = true; commandsR[c] ! ASK, latest, 0
#endif
      :: else
      fi;
      assert(faults > 0 || !UNNOTICED);
      in[c * GROUPS + latest]++;
      reading++;
      exclude() }

  /* Waits: all that wait have one request. */
  :: atomic { !stopped[c] && calls < JOINS && (latest == GROUPS || !open) && !gone && MAY_SEND_R &&
      (request != IDLE || (requests < GROUPS && attempts < MOST)) ->
      calls++;
      waiting[c]++;
      if
      :: request == IDLE -> requests++; attemptRead()
      :: else
      fi }

  /* Attempts again, at any time. */
  :: atomic { !stopped[c] && request == WAITING && attempts < MOST && MAY_SEND_R -> attemptRead() }

  /* Replies. */
  :: atomic { !stopped[c] && len(repliesR[c]) > 0 && MAY_SEND_R ->
      repliesR[c] ? answered, t, closed;
      if
      :: answered == ASKED ->
        asking = false;
        if
        :: closed && latest == t -> open = false
        :: else
        fi
      :: answered != ASKED && gone ->
        gone = false;
        request = IDLE;
        early = 0;
        commandsR[c] ! RELEASE, requests - 1, t
      :: answered == YOURS && !gone ->
        early = 0;
        if
        :: ranOutR[c * TENURES + t] -> againRead(t)
#ifdef EARLY_CLOSING_DROPPED
        :: else -> begin(requests - 1, t, closed)
#else
        :: else -> begin(requests - 1, t, closed || told)
#endif
        fi
      :: answered == BUSY && !gone ->
        hears[c] = true;
        request = WAITING;
        againRead(t)
      :: answered == IN_LINE && !gone ->
        inLine = t;
        request = WAITING;
        if
        :: early == t -> againRead(t)
        :: else -> early = 0
        fi
      fi;
      t = 0; closed = false }

  /* Messages. */
  :: atomic { !stopped[c] && len(messagesR[c]) > 0 && MAY_SEND_R ->
      messagesR[c] ? said, q, t, closed;
      if
      :: said == CLOSING -> open = false; told = (request == TRYING)
      :: said == GRANT && request == TRYING && q == requests - 1 && !gone ->
#ifndef EARLY_DROPPED
        early = t
#endif
      :: said == GRANT && request == WAITING && q == requests - 1 && t == inLine ->
#ifdef SHOW_READ_GRANT
        assert(false);
#endif
        if
#ifndef FROM_ARRIVAL
        :: ranOutR[c * TENURES + t] -> againRead(t)
#endif
        :: else -> begin(q, t, closed)
        fi
      :: else ->
#ifdef SHOW_DECLINE
        assert(false);
#endif
        commandsR[c] ! RELEASE, q, t
      fi;
      q = 0; t = 0; closed = false }

  /* Gives up. */
  :: atomic { !stopped[c] && request == TRYING && waiting[c] > 0 && !gone -> waiting[c] = 0; gone = true }
  :: atomic { !stopped[c] && request == WAITING && waiting[c] > 0 && MAY_SEND_R ->
      waiting[c] = 0;
      request = IDLE;
      commandsR[c] ! RELEASE, requests - 1, inLine;
      inLine = 0 }

  /* A reader of a group ends; the last one releases it. */
  :: atomic { !stopped[c] && in[c * GROUPS] + in[c * GROUPS + 1] > 0 && MAY_SEND_R ->
      if
      :: in[c * GROUPS] > 0 -> q = 0
      :: in[c * GROUPS + 1] > 0 -> q = 1
      fi;
      in[c * GROUPS + q]--;
      reading--;
      if
#ifdef ONE_REMAINS
      :: true ->
#else
      :: in[c * GROUPS + q] == 0 ->
#endif
        commandsR[c] ! RELEASE, q, held[q];
#ifndef JOIN_RELEASED
        if
        :: latest == q -> latest = GROUPS; open = false
        :: else
        fi
#endif
      :: else
      fi;
      q = 0 }
  od
}

/* --- The client that writes. */

#define MAY_SEND_W (len(commandsW[v]) < ROOM - 1)

inline start(t) {
  phase[v] = HOLDING;
  held = t;
  inLine = 0;
  early = 0;
  writing++;
  exclude()
}

inline attemptWrite() {
#ifdef SAME_TENURE
  if
  :: phase[v] == WAITING
  :: else -> attempts++
  fi;
#else
  attempts++;
#endif
  phase[v] = TRYING;
  early = 0;
  commandsW[v] ! TRY, attempts
}

inline againWrite(t) {
  if
  :: attempts < MOST -> attemptWrite()
  :: else ->
    phase[v] = IDLE;
    inLine = 0;
    rounds = ROUNDS;
    commandsW[v] ! RELEASE, t
  fi
}

proctype Writer(byte v) {
  byte attempts;
  byte rounds;
  byte inLine;
  byte early;
  byte held;
  byte t;
  bool gone;
  mtype:reply answered;

  end:
  do
  :: phase[v] == STOPPED -> break
  :: atomic { phase[v] == IDLE && rounds == ROUNDS && len(messagesW[v]) == 0 -> break }
  :: atomic { phase[v] == IDLE && rounds < ROUNDS && attempts < MOST && MAY_SEND_W ->
      rounds++;
      gone = false;
      attemptWrite() }
  :: atomic { phase[v] == WAITING && attempts < MOST && MAY_SEND_W -> attemptWrite() }

  /* Replies. */
  :: atomic { phase[v] == TRYING && len(repliesW[v]) > 0 && MAY_SEND_W ->
      repliesW[v] ? answered, t;
      if
      :: gone ->
        phase[v] = IDLE;
        early = 0;
        commandsW[v] ! RELEASE, t
      :: !gone && answered == YOURS && !ranOutW[v * TENURES + t] -> start(t)
      :: !gone && answered == YOURS && ranOutW[v * TENURES + t] -> againWrite(t)
      :: !gone && answered == IN_LINE ->
        inLine = t;
        phase[v] = WAITING;
        if
        :: early == t -> againWrite(t)
        :: else -> early = 0
        fi
      fi;
      t = 0 }

  /* Messages. */
  :: atomic { phase[v] != STOPPED && len(messagesW[v]) > 0 && MAY_SEND_W ->
      messagesW[v] ? t;
      if
      :: phase[v] == TRYING && !gone ->
#ifndef EARLY_DROPPED
        early = t
#endif
      :: phase[v] == WAITING && t == inLine ->
#ifdef SHOW_WRITE_GRANT
        assert(false);
#endif
        if
#ifndef FROM_ARRIVAL
        :: ranOutW[v * TENURES + t] -> againWrite(t)
#endif
        :: else -> start(t)
        fi
      :: else -> commandsW[v] ! RELEASE, t
      fi;
      t = 0 }

  /* Gives up. */
  :: atomic { phase[v] == TRYING && !gone -> gone = true }
  :: atomic { phase[v] == WAITING && MAY_SEND_W ->
      phase[v] = IDLE;
      commandsW[v] ! RELEASE, inLine;
      inLine = 0 }

  /* Releases, or goes on reading. */
  :: atomic { phase[v] == HOLDING && MAY_SEND_W ->
      writing--;
      phase[v] = IDLE;
      commandsW[v] ! RELEASE, held;
      held = 0 }
  :: atomic { phase[v] == HOLDING && MAY_SEND_W ->
      writing--;
      reading++;
      phase[v] = READING;
      commandsW[v] ! DOWNGRADE, held }
  :: atomic { phase[v] == READING && MAY_SEND_W ->
#ifdef SHOW_DOWNGRADE
      assert(reading == 1);
#endif
      reading--;
      phase[v] = IDLE;
      commandsW[v] ! END_OF_READ, held;
      held = 0 }
  od
}

/*
 * Without a fault, and while nothing is under way: the lock is not kept for a client that does not know of it, nobody waits for a lock
 * that is free, and no reader for one that others read and no writer waits for.
 */
#define UNUSED(g) (group[g] > 0 && in[g] == 0)
#if READERS > 1
#define SILENT_R (IN_FLIGHT_R(0) + IN_FLIGHT_R(1) == 0)
#define WAITS_R (waiting[0] + waiting[1] > 0)
#define UNUSED_R (UNUSED(0) || UNUSED(1) || UNUSED(2) || UNUSED(3))
#else
#define SILENT_R (IN_FLIGHT_R(0) == 0)
#define WAITS_R (waiting[0] > 0)
#define UNUSED_R (UNUSED(0) || UNUSED(1))
#endif
#if WRITERS > 1
#define SILENT_W (IN_FLIGHT_W(0) + IN_FLIGHT_W(1) == 0)
#define WAITS_W (phase[0] == WAITING || phase[1] == WAITING)
#define UNUSED_DOWN ((downgraded[0] > 0 && phase[0] != READING) || (downgraded[1] > 0 && phase[1] != READING))
#else
#define SILENT_W (IN_FLIGHT_W(0) == 0)
#define WAITS_W (phase[0] == WAITING)
#define UNUSED_DOWN (downgraded[0] > 0 && phase[0] != READING)
#endif
#define KEPT_FOR_NOBODY ((mode == WRITE && phase[owner] != HOLDING) || (mode == SHARED && (UNUSED_R || UNUSED_DOWN)))
#define ASLEEP ((mode == FREE && (WAITS_R || WAITS_W)) || (mode == SHARED && inQueue == 0 && WAITS_R))

proctype Monitor() {
  end:
  do
  :: atomic { faults == 0 && SILENT_R && SILENT_W && (KEPT_FOR_NOBODY || ASLEEP) -> assert(false) }
  od
}

init {
  atomic {
    run Redis();
    run Nemesis();
    run Reader(0);
#if READERS > 1
    run Reader(1);
#endif
    run Writer(0);
#if WRITERS > 1
    run Writer(1);
#endif
    run Monitor()
  }
}
