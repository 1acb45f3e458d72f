package dev.holdfast.campaign.twins;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The variants of a twin: one without a defect, and one for each defect. */
enum Make {
    /** Without a defect. */
    RIGHT,
    /** An acquire ignores the owner of the lock. */
    NO_OWNER_CHECK("acquire-without-owner", "release", "renew"),
    /** An acquire that is sent again counts again. */
    INCREMENT_ON_RESEND("acquire-counting", "release-counting", "renew"),
    /** A release ignores the owner of the lock. */
    RELEASE_WITHOUT_OWNER("acquire", "release-without-owner", "renew"),
    /** A release ignores the tenure, and so may release a later hold of its owner. */
    RELEASE_WITHOUT_TENURE("acquire", "release-without-tenure", "renew"),
    /** A waiter does not try again after it has subscribed. */
    NO_TRY_AFTER_SUBSCRIBE,
    /** A lease is still renewed after the release of its hold. */
    RENEWAL_AFTER_RELEASE("acquire", "release", "renew-whatever-is-there"),
    /** A re-entry draws a new token. */
    TOKEN_ON_REENTRY("acquire-new-token", "release", "renew"),
    /** A hold counts as valid for ever, and its loss is not reported. */
    LEASE_WITHOUT_END,
    /** A hold becomes invalid in time, but its loss is not reported. */
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

    boolean checksTheClock() {
        return this != LEASE_WITHOUT_END;
    }

    boolean reportsLosses() {
        return this != SILENT_LOSS;
    }

    static String read(String script) {
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
