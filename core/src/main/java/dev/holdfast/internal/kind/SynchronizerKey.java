package dev.holdfast.internal.kind;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command is about: a lock or a latch, its name, and what belongs to it in Redis. All its keys and its channel are in
 * one slot of a cluster.
 */
public interface SynchronizerKey {
    /** {@return the name the user gave} */
    String name();

    /** {@return the key that exists while it is in use} */
    String key();

    /** {@return all its keys, that one first} */
    List<String> keys();

    /** {@return the channel on which its changes are published} */
    String channel();

    /** {@return the hash slot of its key, which decides where in a cluster it is} */
    int slot();

    /** {@return what it is, for messages: such as "lock"} */
    String noun();

    /** {@return the type of its key in Redis} */
    String redisType();

    /** {@return the rights to run the commands of its scripts but for that which publishes, in the syntax of ACL rules} */
    String commandRights();

    /** {@return what an error means that only its scripts can cause; null for any other error} */
    @Nullable
    String explain(String error);

    /** {@return what it is and its name, for messages} */
    default String subject() {
        return noun() + " '" + name() + "'";
    }
}
