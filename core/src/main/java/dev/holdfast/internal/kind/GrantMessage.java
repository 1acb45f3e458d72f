package dev.holdfast.internal.kind;

/**
 * The message with which a release tells a client that it has granted it the lock.
 *
 * @param owner the name of the new owner, as in Redis
 * @param ownerId the same owner within its client
 * @param tenure of its hold
 * @param serverMicros when the lock was granted, by the server's clock, in microseconds
 * @param token the hold's token, if the release has drawn one; 0 otherwise
 */
public record GrantMessage(String owner, long ownerId, long tenure, long serverMicros, long token) {
    /**
     * Parses what {@code release.lua} publishes.
     *
     * @throws IllegalArgumentException if this is no message of a grant
     */
    public static GrantMessage parse(String message) {
        String[] words = message.split(" ", -1);
        if (words.length != 3 && words.length != 4) {
            throw new IllegalArgumentException("a grant must have three words, or four with a token: " + message);
        }
        String owner = words[0];
        return new GrantMessage(
                owner,
                Long.parseLong(owner.substring(owner.lastIndexOf(':') + 1)),
                Long.parseLong(words[1]),
                Long.parseLong(words[2]),
                words.length == 3 ? 0 : Long.parseLong(words[3]));
    }

    /** {@return whether it grants the lock to this tenure of this owner} */
    public boolean isTo(String name, long granted) {
        return tenure == granted && owner.equals(name);
    }
}
