package dev.holdfast.script.semaphore;

import java.util.List;

/**
 * One command for a semaphore.
 *
 * @param tenure the hold it is about
 * @param permits how many it acquires; 0 if it acquires none
 * @param limit how many may be held with these; 0 if it acquires none
 * @param lease milliseconds that it requests; 0 if it requests none
 * @param joins whether an acquire joins the line
 * @param closed of a delayed close, the tenure that the permits are left with; 0 of others
 */
record SemaphoreCommand(
        Verb verb, String owner, long tenure, long permits, long limit, long lease, boolean joins, long closed) {
    static final String LOCK = "semaphore";
    static final String CHANNEL = "channel of it";
    static final String LINE = CHANNEL + ":line";

    enum Verb {
        ACQUIRE("sem-acquire.lua"),
        RELEASE("sem-release.lua"),
        RENEW("sem-renew.lua"),
        CLOSE_AFTER("sem-close-after.lua");

        private final String file;

        Verb(String file) {
            this.file = file;
        }

        String file() {
            return file;
        }
    }

    static SemaphoreCommand acquire(String owner, long tenure, long permits, long limit, long lease, boolean joins) {
        return new SemaphoreCommand(Verb.ACQUIRE, owner, tenure, permits, limit, lease, joins, 0);
    }

    static SemaphoreCommand release(String owner, long tenure) {
        return new SemaphoreCommand(Verb.RELEASE, owner, tenure, 0, 0, 0, false, 0);
    }

    static SemaphoreCommand renew(String owner, long tenure, long lease) {
        return new SemaphoreCommand(Verb.RENEW, owner, tenure, 0, 0, lease, false, 0);
    }

    static SemaphoreCommand closeAfter(String owner, long tenure, long closed, long left) {
        return new SemaphoreCommand(Verb.CLOSE_AFTER, owner, tenure, 0, 0, left, false, closed);
    }

    static String clientOf(String owner) {
        return owner.substring(0, owner.indexOf(':'));
    }

    static String labelOf(String owner) {
        return clientOf(owner).equals("b") ? "" : "label of " + clientOf(owner);
    }

    static String grantChannel(String client) {
        return CHANNEL + ":" + client;
    }

    String client() {
        return clientOf(owner);
    }

    /** {@return the lease with which a release grants what this acquire requests} */
    long claim() {
        return Math.min(lease, 300);
    }

    List<Object> arguments(String publish) {
        return switch (verb) {
            case ACQUIRE ->
                joins
                        ? List.of(owner, tenure, permits, limit, lease, labelOf(owner), CHANNEL, publish, claim())
                        : List.of(owner, tenure, permits, limit, lease, labelOf(owner), CHANNEL, publish);
            case RELEASE -> List.of(owner, tenure, CHANNEL, publish);
            case RENEW -> List.of(owner, tenure, lease);
            case CLOSE_AFTER -> List.of(owner, tenure, closed, lease, CHANNEL, publish);
        };
    }

    @Override
    public String toString() {
        return switch (verb) {
            case ACQUIRE ->
                "acquire(" + owner + " " + tenure + ", " + permits + " of " + limit + ", " + lease + " ms"
                        + (joins ? ", joining)" : ")");
            case RELEASE -> "release(" + owner + " " + tenure + ")";
            case RENEW -> "renew(" + owner + " " + tenure + ", " + lease + " ms)";
            case CLOSE_AFTER -> "closeAfter(" + owner + " " + tenure + ", as " + closed + ", " + lease + " ms)";
        };
    }
}
