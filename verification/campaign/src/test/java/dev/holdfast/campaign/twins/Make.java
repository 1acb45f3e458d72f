package dev.holdfast.campaign.twins;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** How a twin is made: as it should be, but for one thing. */
enum Make {
    /** Nothing is wrong. */
    RIGHT,
    /** An acquisition does not ask who has the lock. */
    NO_OWNER_CHECK("acquire-without-owner", "release", "renew"),
    /** An acquisition that is sent again counts again. */
    INCREMENT_ON_RESEND("acquire-counting", "release-counting", "renew"),
    /** A release gives back whosever lock it is. */
    RELEASE_WITHOUT_OWNER("acquire", "release-without-owner", "renew"),
    /** A release gives back a later hold of its owner. */
    RELEASE_WITHOUT_TENURE("acquire", "release-without-tenure", "renew"),
    /** A waiter does not look again once it listens. */
    NO_TRY_AFTER_SUBSCRIBE,
    /** A lease is renewed after its hold was given back. */
    RENEWAL_AFTER_RELEASE("acquire", "release", "renew-whatever-is-there"),
    /** A re-entry has a token of its own. */
    TOKEN_ON_REENTRY("acquire-new-token", "release", "renew"),
    /** A holder does not look at the clock, and is told nothing. */
    LEASE_WITHOUT_END,
    /** A holder can see that its hold is lost, and is told nothing. */
    SILENT_LOSS;

    private final String acquire;
    private final String release;
    private final String renew;

    Make() {
        this("acquire", "release", "renew");
    }

    Make(String acquire, String release, String renew) {
        this.acquire = read(acquire);
        this.release = read(release);
        this.renew = read(renew);
    }

    String acquire() {
        return acquire;
    }

    String release() {
        return release;
    }

    String renew() {
        return renew;
    }

    boolean triesAfterSubscribe() {
        return this != NO_TRY_AFTER_SUBSCRIBE;
    }

    boolean endsRenewal() {
        return this != RENEWAL_AFTER_RELEASE;
    }

    boolean looksAtTheClock() {
        return this != LEASE_WITHOUT_END;
    }

    boolean tellsLosses() {
        return this != SILENT_LOSS;
    }

    private static String read(String script) {
        try (InputStream file = Make.class.getResourceAsStream(script + ".lua")) {
            if (file == null) {
                throw new IllegalStateException("no script " + script);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the script " + script, e);
        }
    }
}
