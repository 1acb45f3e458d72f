package dev.holdfast.internal.kind;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.LockType;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.internal.redis.ArgumentWriter;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.RespWriter;
import dev.holdfast.internal.redis.Script;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The permits of a semaphore: many owners have some at the same time, each with a lease of its own. How many there are is an argument
 * of each request, and so a part of the {@link LockKey}, and not of the kind. A client waits in line also while owners of it have
 * permits, since others may be granted beside them.
 */
public final class PermitsKind implements Kind, Enlists {
    private static final Script ACQUIRE = Script.load(PermitsKind.class, "sem-acquire.lua");
    private static final Script RELEASE = Script.load(PermitsKind.class, "sem-release.lua");
    private static final Script CLOSE_AFTER = Script.load(PermitsKind.class, "sem-close-after.lua");
    private static final Script RENEW = Script.load(PermitsKind.class, "sem-renew.lua");
    private static final Script INSPECT = Script.load(PermitsKind.class, "sem-inspect.lua");

    private final String label;
    private final OtherLimits others = new OtherLimits();

    /** @param label of the client, which {@code inspect} shows with the permits it holds; null if there is none */
    public PermitsKind(@Nullable String label) {
        this.label = label == null ? "" : label;
    }

    @Override
    public LockType type() {
        return LockType.SEMAPHORE;
    }

    @Override
    public String noun() {
        return "semaphore";
    }

    @Override
    public String key(String name) {
        return LockKey.companion("holdfast_semaphore", name);
    }

    @Override
    public String channelPrefix() {
        return "holdfast__channel";
    }

    @Override
    public boolean admitsSeveral() {
        return true;
    }

    @Override
    public boolean waitsBesideHolders() {
        return true;
    }

    @Override
    public List<Script> scripts() {
        return List.of(ACQUIRE, RELEASE, CLOSE_AFTER, RENEW, INSPECT);
    }

    @Override
    public String commandRights() {
        return "+evalsha +eval +script|load +time +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del";
    }

    @Override
    public Call acquire(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame -> claim.lock().publication(request(frame, claim));
        return ACQUIRE.call(1, 8, words, noting(claim.lock(), caller)).expectAtLeast(claim.tenure());
    }

    @Override
    public Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit whose, Call.Callback caller) {
        ArgumentWriter words =
                frame -> claim.lock().publication(request(frame, claim)).number(grantLeaseMillis);
        return ACQUIRE.call(1, 9, words, noting(claim.lock(), caller)).expectAtLeast(claim.tenure());
    }

    private RespWriter request(RespWriter frame, Claim claim) {
        return claim.words(frame.word(claim.lock().key()))
                .number(claim.count())
                .number(claim.lock().limit())
                .number(claim.leaseMillis())
                .word(label);
    }

    private Call.Callback noting(LockKey semaphore, Call.Callback caller) {
        return call -> {
            caller.completed(call);
            others.note(semaphore, call);
        };
    }

    /** With the number of the hold. */
    @Override
    public Answer readGrant(Call call, long tenure) {
        return Answer.of(call, tenure).withDrawn(call);
    }

    /** If it has the number of the hold. */
    @Override
    public boolean startsOn(GrantMessage message) {
        return message.drawn() > 0;
    }

    @Override
    public Call release(Claim claim, Call.Callback caller) {
        ArgumentWriter words = frame ->
                claim.lock().publication(claim.words(frame.word(claim.lock().key())));
        return RELEASE.call(1, 4, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public Call releaseToLine(Claim claim, Call.Callback caller) {
        return release(claim, caller);
    }

    @Override
    public Call closeAfter(Claim claim, long closed, Call.Callback caller) {
        ArgumentWriter words = frame -> claim.lock()
                .publication(claim.words(frame.word(claim.lock().key()))
                        .number(closed)
                        .number(claim.leaseMillis()));
        return CLOSE_AFTER.call(1, 6, words, caller).expectAtLeast(claim.tenure());
    }

    @Override
    public Call renew(List<Claim> claims, Call.Callback caller) {
        return HashKind.renewal(RENEW, claims, caller);
    }

    /** By a renewal for no time at all: the claims have no lease. */
    @Override
    public Call verify(List<Claim> claims, Call.Callback caller) {
        return renew(claims, caller);
    }

    /** Reads the state of a semaphore. */
    public Call inspect(LockKey semaphore, Call.Callback caller) {
        return INSPECT.call(1, 0, frame -> frame.word(semaphore.key()), caller);
    }

    /** {@return its state, as these elements of the reply say; empty if the key is not one of a semaphore} */
    public static Optional<SemaphoreInfo> read(LockKey semaphore, List<Object> state) {
        return SemaphoreHash.read(semaphore.name(), state);
    }

    /**
     * {@return the hold of this owner, which can be released by it; null if it has none}
     *
     * @param state the reply to {@link #inspect}
     */
    public static @Nullable Claim claimOf(LockKey semaphore, String owner, List<Object> state) {
        long tenure = SemaphoreHash.tenureOf(owner, state);
        return tenure == 0 ? null : new Claim(semaphore, owner.getBytes(UTF_8), tenure, 0, 0);
    }

    @Override
    public @Nullable String explain(LockKey lock, String error) {
        return error.contains("HOLDFAST the semaphore")
                ? "the key '" + lock.key() + "' has another format; another program, or a later version, uses the name"
                : null;
    }
}
