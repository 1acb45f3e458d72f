package dev.holdfast.campaign.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the Redis user of a client may do. */
public enum Rights {
    /** It is the default user, who may do all. */
    ALL(""),
    /** It may do all, as a user of its own, whose rights can be taken away. */
    OWN(""),
    /** Nothing that it writes could ever end: it may neither set an expiry nor delete a key. */
    NO_END("-pexpire -del"),
    /** It may not ask how many clients listen to a channel. */
    NO_AUDIENCE("-pubsub");

    private final String without;

    Rights(String without) {
        this.without = without;
    }

    /** {@return whether it needs a user of its own} */
    public boolean isOwn() {
        return this != ALL;
    }

    /**
     * {@return the command that makes the user}
     *
     * @param user its name, which is its password as well
     */
    public String[] user(String user) {
        List<String> command =
                new ArrayList<>(List.of("ACL", "SETUSER", user, "reset", "on", ">" + user, "~*", "&*", "+@all"));
        command.addAll(
                Stream.of(without.split(" ")).filter(rule -> !rule.isEmpty()).toList());
        return command.toArray(String[]::new);
    }
}
