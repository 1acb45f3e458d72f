package dev.holdfast.cli;

/** The environment variables that the program reads, and those that it sets for the command it runs. */
enum Variable {
    REDIS_URI(
            "HOLDFAST_REDIS_URI",
            "the address of Redis: redis://[[user:]password@]host[:port][/database], rediss:// for TLS;"
                    + " redis://host:port,host:port for nodes of a cluster;"
                    + " redis-sentinel://host:port,host:port/database#name for the master of sentinels"),
    REDIS_URI_FILE("HOLDFAST_REDIS_URI_FILE", "the file whose first line is that address"),
    LOCK("HOLDFAST_LOCK", "set by run: the name of the lock, or of the semaphore"),
    OWNER(
            "HOLDFAST_OWNER",
            "set by run: the owner of the lock or the permits, as who prints it; with --shared, who prints another number at its end"),
    TOKEN("HOLDFAST_TOKEN", "set by run --token: the fencing token, a number that grows from owner to owner"),
    NUMBER(
            "HOLDFAST_NUMBER",
            "set by run --permits: the worker number, from 0 on and below the number of permits, which no other owner has"
                    + " at the same time");

    private final String word;
    private final String meaning;

    Variable(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    /** {@return its name in the environment} */
    String word() {
        return word;
    }

    /** {@return the meaning, for the help} */
    String meaning() {
        return meaning;
    }
}
