package dev.holdfast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.redis.Call;
import dev.holdfast.redis.Script;
import java.util.List;

/**
 * The plain re-entrant lock: a hash with the owner's hold count and tenure, wire-compatible with Redisson's
 * {@code RLock}, which ignores the tenure's field.
 */
final class PlainLock implements LockKind {
    private static final Script ACQUIRE = Script.load(PlainLock.class, "acquire.lua");
    private static final Script RELEASE = Script.load(PlainLock.class, "release.lua");
    private static final Script HANDOFF = Script.load(PlainLock.class, "handoff.lua");
    private static final Script RENEW = Script.load(PlainLock.class, "renew.lua");
    private static final Script VERIFY = Script.load(PlainLock.class, "verify.lua");
    private static final Script FORCE_UNLOCK = Script.load(PlainLock.class, "force-unlock.lua");
    private static final Script INSPECT = Script.load(PlainLock.class, "inspect.lua");

    private static final byte[] PUBLISH = {'P', 'U', 'B', 'L', 'I', 'S', 'H'};
    private static final byte[][] NONE = {};

    @Override
    public String channelPrefix() {
        return "redisson_lock__channel";
    }

    @Override
    public List<Script> scripts() {
        return List.of(ACQUIRE, RELEASE, HANDOFF, RENEW, VERIFY, FORCE_UNLOCK, INSPECT);
    }

    @Override
    public Call acquire(LockKey lock, byte[] owner, long tenure, int holds, long leaseMillis, Call.Caller caller) {
        return ACQUIRE.call(key(lock), new byte[][] {owner, ascii(tenure), ascii(holds), ascii(leaseMillis)}, caller);
    }

    @Override
    public Call release(LockKey lock, byte[] owner, long tenure, int holdsLeft, Call.Caller caller) {
        byte[][] arguments = {owner, ascii(tenure), ascii(holdsLeft), lock.channelBytes(), PUBLISH};
        return RELEASE.call(key(lock), arguments, caller);
    }

    @Override
    public Call handoff(LockKey lock, List<Hold> from, Hold to, long leaseMillis, boolean inPlace, Call.Caller caller) {
        byte[][] arguments = new byte[3 + 2 * from.size()][];
        arguments[0] = to.ownerField();
        arguments[1] = ascii(to.tenure());
        arguments[2] = ascii(leaseMillis);
        for (int i = 0; i < from.size(); i++) {
            arguments[3 + 2 * i] = from.get(i).ownerField();
            arguments[4 + 2 * i] = ascii(from.get(i).tenure());
        }
        return inPlace ? HANDOFF.callInOrder(key(lock), arguments, caller) : HANDOFF.call(key(lock), arguments, caller);
    }

    @Override
    public Call renew(List<Hold> holds, long leaseMillis, Call.Caller caller) {
        byte[] lease = ascii(leaseMillis);
        byte[][] arguments = new byte[3 * holds.size()][];
        for (int i = 0; i < holds.size(); i++) {
            arguments[3 * i] = holds.get(i).ownerField();
            arguments[3 * i + 1] = ascii(holds.get(i).tenure());
            arguments[3 * i + 2] = lease;
        }
        return RENEW.call(keys(holds), arguments, caller);
    }

    @Override
    public Call verify(List<Hold> holds, Call.Caller caller) {
        byte[][] arguments = new byte[2 * holds.size()][];
        for (int i = 0; i < holds.size(); i++) {
            arguments[2 * i] = holds.get(i).ownerField();
            arguments[2 * i + 1] = ascii(holds.get(i).tenure());
        }
        return VERIFY.call(keys(holds), arguments, caller);
    }

    @Override
    public Call forceUnlock(LockKey lock, Call.Caller caller) {
        return FORCE_UNLOCK.call(key(lock), new byte[][] {lock.channelBytes(), PUBLISH}, caller);
    }

    @Override
    public Call inspect(LockKey lock, Call.Caller caller) {
        return INSPECT.call(key(lock), NONE, caller);
    }

    private static byte[][] key(LockKey lock) {
        return new byte[][] {lock.key()};
    }

    private static byte[][] keys(List<Hold> holds) {
        byte[][] keys = new byte[holds.size()][];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = holds.get(i).lock().key();
        }
        return keys;
    }

    private static byte[] ascii(long number) {
        return Long.toString(number).getBytes(US_ASCII);
    }
}
