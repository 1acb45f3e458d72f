package dev.holdfast.campaign.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The rights of a client's Redis user. */
public enum Rights {
    /** The default user, with all rights. */
    ALL(""),
    /** A user of its own with all rights, so that some can be revoked. */
    OWN(""),
    /** No right to set an expiry or to delete a key, so that no key written by this user could ever end. */
    NO_END("-pexpire -del"),
    /** No right to query the number of subscribers of a channel. */
    NO_AUDIENCE("-pubsub");

    private final String without;

    Rights(String without) {
        this.without = without;
    }

    /** {@return whether the client can join the line of clients for a lock} */
    boolean joinLines() {
        return this == ALL || this == OWN;
    }

    /** {@return whether the client has a user of its own} */
    public boolean isOwn() {
        return this != ALL;
    }

    /**
     * {@return the command that creates the user}
     *
     * @param user its name, which is also its password
     */
    public String[] user(String user) {
        List<String> command =
                new ArrayList<>(List.of("ACL", "SETUSER", user, "reset", "on", ">" + user, "~*", "&*", "+@all"));
        command.addAll(
                Stream.of(without.split(" ")).filter(rule -> !rule.isEmpty()).toList());
        return command.toArray(String[]::new);
    }
}
