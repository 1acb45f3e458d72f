package dev.holdfast.benchmarks.measure;

import java.util.Locale;

/** A quantity that can be measured, with its unit and the way it is counted. */
public enum Metric {
    ACQUISITIONS(
            "acq/s",
            "acquisitions per second",
            Better.HIGHER,
            "calls of lock that returned within the window, of all threads and processes, per second"),
    WAIT_P50(
            "wait p50 us",
            "median wait, us",
            Better.LOWER,
            "from just before lock is called to its return, of the acquisitions counted"),
    WAIT_P99("wait p99 us", "wait at p99, us", Better.LOWER, "likewise, 99 of 100 waited no longer"),
    WAIT_MAX(
            "wait max us",
            "longest wait, us",
            Better.LOWER,
            "likewise; a wait in progress when the window is shut counts with its length so far"),
    COLD_CONNECT("connect ms", "connect, ms", Better.LOWER, "from the start of main to the return of connect"),
    COLD_FIRST(
            "first ms",
            "first lock and unlock, ms",
            Better.LOWER,
            "from just before lock is called to the return of unlock"),
    COLD_NEXT_9("next 9 ms", "next 9 locks, ms each", Better.LOWER, "likewise, one of the next 9 on average"),
    COLD_NEXT_90("next 90 ms", "next 90 locks, ms each", Better.LOWER, "likewise, one of the next 90 on average"),
    COLD_PACED("20/s ms", "locks at 20 a second, ms each", Better.LOWER, "likewise, the median of 100 at 20 a second"),
    COLD_CONNECT_CPU(
            "connect CPU ms",
            "processor time of the connect, ms",
            Better.LOWER,
            "run time of all threads of the process until the end of that stage, from schedstat"),
    COLD_FIRST_CPU("first CPU ms", "processor time of the first lock, ms", Better.LOWER, "likewise"),
    COLD_NEXT_9_CPU("9 CPU ms", "processor time of the next 9 locks, ms each", Better.LOWER, "likewise"),
    COLD_NEXT_90_CPU("90 CPU ms", "processor time of the next 90 locks, ms each", Better.LOWER, "likewise"),
    COLD_PACED_CPU("20/s CPU ms", "processor time at 20 a second, ms each", Better.LOWER, "likewise, pauses included"),
    IDEAL(
            "of the ideal %",
            "time in critical sections, %",
            Better.HIGHER,
            "acquisitions per second by the length of the section: 100 if one followed the other without a gap"),
    READS("reads/s", "reads per second", Better.HIGHER, "likewise acquisitions per second, of read locks"),
    WRITES("writes/s", "writes per second", Better.HIGHER, "likewise, of write locks"),
    READ_WAIT_MAX(
            "read wait max us",
            "longest wait to read, us",
            Better.LOWER,
            "counted like the longest wait of all, of read locks"),
    WRITE_WAIT_MAX("write wait max us", "longest wait to write, us", Better.LOWER, "likewise, of write locks"),
    COMMANDS(
            "commands/s",
            "commands per second",
            Better.LOWER,
            "all commands that the server executed within the window, those that scripts call included, per second"),
    CALM_ACQUISITIONS(
            "calm acq/s",
            "acquisitions per second before",
            Better.HIGHER,
            "acquisitions per second, counted while all servers are up"),
    CALM_WAIT_P99(
            "calm p99 us", "wait at p99 before, us", Better.LOWER, "the wait at p99, counted while all servers are up"),
    HANDOVER_P50(
            "handover p50 us",
            "median handover, us",
            Better.LOWER,
            "from just before unlock in one client to the return of lock in the other, the only waiter; of conditions, from just before await to the return of that of the other"),
    HANDOVER_P99("handover p99 us", "handover at p99, us", Better.LOWER, "likewise, 99 of 100 took no longer"),
    HANDOVER_MAX("handover max us", "longest handover, us", Better.LOWER, "likewise, the longest"),
    THREAD_FAIRNESS(
            "Jain threads",
            "fairness over threads",
            Better.HIGHER,
            "Jain's index of the threads' acquisitions: 1 when all are equal, 1/n when one thread has all"),
    PROCESS_FAIRNESS("Jain processes", "fairness over processes", Better.HIGHER, "likewise of the processes'"),
    WITHOUT_TURN(
            "without a turn",
            "threads without a turn",
            Better.LOWER,
            "threads that acquired nothing within the window"),
    FIRST_SHARE(
            "first share",
            "share of the first thread",
            Better.HIGHER,
            "its acquisitions, as a part of what each would have if all had as many"),
    OVERTAKEN(
            "overtaken %",
            "acquisitions that were overtaken, %",
            Better.LOWER,
            "those before which another was granted whose call had begun more than 1 ms later, of those in the window"),
    SCRIPTS(
            "EVALSHA/acq",
            "scripts per acquisition",
            Better.LOWER,
            "EVALSHA and EVAL that the server executed within the window, releases included, per acquisition"),
    WAITS(
            "WAIT/acq",
            "waits for replicas per acquisition",
            Better.LOWER,
            "WAIT that the servers executed within the window, per acquisition"),
    BYTES(
            "bytes/acq",
            "network bytes per acquisition",
            Better.LOWER,
            "bytes that the server received and sent within the window, per acquisition"),
    SERVER_CPU(
            "server us/acq",
            "server CPU per acquisition, us",
            Better.LOWER,
            "user and system time of the server's process within the window, per acquisition"),
    SCRIPT_TIME(
            "script us/acq",
            "time in scripts per acquisition, us",
            Better.LOWER,
            "time that the server has spent in EVALSHA and EVAL within the window, per acquisition"),
    CLIENT_CPU(
            "client us/acq",
            "client CPU per acquisition, us",
            Better.LOWER,
            "CPU time of the clients' processes within the window, per acquisition"),
    CONNECTIONS("connections", "connections", Better.LOWER, "connections to the server in the measurement"),
    ROUND_TRIP(
            "RTT us", "round trip of the link, us", Better.LOWER, "median of PINGs on the same link, outside the run"),
    ROUND_TRIPS("RTT/lock", "round trips per call of lock", Better.LOWER, "median wait, by the round trip of the link"),
    UNDONE(
            "undone/s",
            "members undone per second",
            Better.LOWER,
            "members that were acquired and released again within the window, because another was busy"),
    RESTARTS(
            "restarts/s",
            "attempts begun anew per second",
            Better.LOWER,
            "attempts that released all they had and began anew, within the window"),
    IN_FLIGHT(
            "in flight acq/s",
            "acquisitions per second of the calls in flight",
            Better.HIGHER,
            "likewise acquisitions per second, of the owners that are not threads"),
    STANDSTILL(
            "standstill ms",
            "longest standstill, ms",
            Better.LOWER,
            "longest time between two successive acquisitions by any threads, from the kill to the end"),
    OVERLAPS(
            "overlaps",
            "holds that overlapped",
            Better.LOWER,
            "acquisitions while another thread had the lock and had not called unlock, from the kill to the end"),
    GUEST_TURNS(
            "guest turns %",
            "the guest's share of the turns, %",
            Better.HIGHER,
            "a turn is a sequence of acquisitions by one client with none by another"),
    GUEST_ACQUISITIONS(
            "guest acq %", "the guest's share of the acquisitions, %", Better.HIGHER, "of all clients' acquisitions"),
    GUEST_HELD(
            "guest held %", "the guest's share of the time held, %", Better.HIGHER, "of the total time of all holds"),
    GUEST_WAIT_MAX(
            "guest wait max us",
            "the guest's longest wait, us",
            Better.LOWER,
            "counted like the longest wait of all, of the guest's threads alone"),
    LEAST_TURNS(
            "least host turns %",
            "least share of turns of a host, %",
            Better.HIGHER,
            "of the clients of the library compared, the one with the fewest turns"),
    TURNS("turns/s", "turns per second", Better.HIGHER, "per second between the first and last acquisition counted"),
    FAILURES("failures", "calls that failed", Better.LOWER, "acquisitions that ended with an exception or not at all"),
    WOKEN(
            "all woken ms",
            "until all were woken, ms",
            Better.LOWER,
            "from just before the first release to the last waiter's acquisition"),
    BACK_P50(
            "back p50 us",
            "median return of await, us",
            Better.LOWER,
            "from just before the last countdown to the return of await, of all clients and openings"),
    ALL_BACK_P50(
            "all back p50 us",
            "median until all have returned, us",
            Better.LOWER,
            "likewise, of the last client of each opening"),
    HEAP_PER_WAITER(
            "B/waiter",
            "heap per waiter, B",
            Better.LOWER,
            "bytes of all live objects while all wait, less those before the first wait, per waiter"),
    HEAP_PER_WAITER_OF_ONE(
            "B/waiter of one lock",
            "heap per waiter of one lock, B",
            Better.LOWER,
            "likewise, while all wait for one lock"),
    HEAP_PER_CLIENT("B/client", "heap per client, B", Better.LOWER, "likewise, each has acquired and released a lock"),
    HEAP_PER_NAMES(
            "B/1,000 names",
            "heap per 1,000 names used once, B",
            Better.LOWER,
            "likewise, after locks of as many names were acquired and released"),
    HEAP_PER_READER("B/reader", "heap per read hold, B", Better.LOWER, "likewise, while all read"),
    HEAP_PER_PERMIT("B/permit", "heap per permit, B", Better.LOWER, "likewise, while all are held"),
    HEAP_PER_HOLD("B/hold", "heap per hold, B", Better.LOWER, "likewise, while all are held"),
    LOST("lost", "holds lost", Better.LOWER, "holds whose key is missing after the window, before any release"),
    CLIENT_CPU_SECONDS(
            "client CPU s", "client CPU, s", Better.LOWER, "CPU time of the client's process within the window"),
    SERVER_CPU_SECONDS("server CPU s", "server CPU, s", Better.LOWER, "CPU time of the server within the window"),
    RENEWALS("renewals", "renewals", Better.LOWER, "scripts that the server ran beyond two for each acquisition"),
    RENEWAL_SCRIPTS(
            "scripts", "scripts that renew", Better.LOWER, "EVALSHA and EVAL that the server ran within the window"),
    RENEWAL_BYTES("bytes", "network bytes", Better.LOWER, "bytes that the server received and sent in the window"),
    PENDING_TIMERS(
            "pending timers",
            "pending timers",
            Better.LOWER,
            "live objects of timer entry classes, cancelled or not, and the deadlines that share Holdfast's one entry"),
    VIOLATIONS("violations", "violations of exclusion", Better.LOWER, "times two contenders were inside; must be 0");

    /** The direction in which a figure improves. */
    public enum Better {
        HIGHER,
        LOWER
    }

    private final String label;
    private final String title;
    private final Better better;
    private final String counting;

    Metric(String label, String title, Better better, String counting) {
        this.label = label;
        this.title = title;
        this.better = better;
        this.counting = counting;
    }

    /** {@return the title of a column} */
    public String label() {
        return label;
    }

    /** {@return the title of a chart} */
    public String title() {
        return title;
    }

    /** {@return the direction in which it improves} */
    public Better better() {
        return better;
    }

    /** {@return how it is counted, as part of a sentence} */
    public String counting() {
        return counting;
    }

    /**
     * {@return how many times better {@code ours} is than {@code theirs}; more than 1 is better, in either direction}
     */
    public double ratio(double ours, double theirs) {
        return better == Better.HIGHER ? ours / theirs : theirs / ours;
    }

    /** {@return the value with an appropriate number of digits} */
    public static String format(double value) {
        double size = Math.abs(value);
        if (value == Math.rint(value) || size >= 100) {
            return String.format(Locale.ROOT, "%,d", Math.round(value));
        }
        return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", value);
    }
}
