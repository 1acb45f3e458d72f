package dev.holdfast;

import static java.util.Objects.requireNonNull;

import dev.holdfast.testkit.RedisReplyException;
import dev.holdfast.testkit.RedisServer;
import java.io.UncheckedIOException;

/** A state of a server in which it replies to all commands, or to writes, with an error, and executes none of them. */
public enum Refusing {
    /** Too few replicas. */
    NOREPLICAS {
        @Override
        public void begin(RedisServer server) {
            server.command("CONFIG", "SET", "min-replicas-to-write", "1");
        }

        @Override
        public void end(RedisServer server) {
            server.command("CONFIG", "SET", "min-replicas-to-write", "0");
        }
    },
    /** A replica. */
    READONLY {
        @Override
        public void begin(RedisServer server) {
            server.command("REPLICAOF", "127.0.0.1", "1");
        }

        @Override
        public void end(RedisServer server) {
            server.command("REPLICAOF", "NO", "ONE");
        }

        @Override
        public boolean isOfReplica() {
            return true;
        }
    },
    /** A replica without its master. */
    MASTERDOWN {
        @Override
        public void begin(RedisServer server) {
            server.command("CONFIG", "SET", "replica-serve-stale-data", "no");
            READONLY.begin(server);
        }

        @Override
        public void end(RedisServer server) {
            READONLY.end(server);
            server.command("CONFIG", "SET", "replica-serve-stale-data", "yes");
        }

        @Override
        public boolean isOfReplica() {
            return true;
        }
    },
    /** Another client's script that does not end. */
    BUSY {
        @Override
        public void begin(RedisServer server) {
            server.command("CONFIG", "SET", "lua-time-limit", "5");
            Thread script = new Thread(() -> {
                try {
                    server.command("EVAL", "while true do end", "0");
                } catch (RedisReplyException | UncheckedIOException e) {
                    requireNonNull(e); // The script is killed in the end, which is its only way to end.
                }
            });
            script.setDaemon(true);
            script.start();
            Patience.await().until(() -> refuses(server));
        }

        @Override
        public void end(RedisServer server) {
            server.command("SCRIPT", "KILL");
            Patience.await().until(() -> !refuses(server));
        }

        private boolean refuses(RedisServer server) {
            try {
                server.command("PING");
                return false;
            } catch (RedisReplyException e) {
                return true;
            }
        }
    };

    /** Returns when the server is in that state. */
    public abstract void begin(RedisServer server);

    /** Returns when the server is no longer in that state. */
    public abstract void end(RedisServer server);

    /** {@return whether the server is a replica, of which a client asks whether it is the master again} */
    public boolean isOfReplica() {
        return false;
    }

    /** {@return a command that a client with a pending call repeats while the server is in that state} */
    public String repeated() {
        return isOfReplica() ? "HELLO" : "EVALSHA";
    }

    /** {@return what the messages of exceptions say of the state} */
    public String words() {
        return isOfReplica() ? "read-only replica" : name();
    }
}
