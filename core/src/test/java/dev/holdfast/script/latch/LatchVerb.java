package dev.holdfast.script.latch;

import dev.holdfast.script.readwrite.RedissonScripts;

/** What a command does. */
enum LatchVerb {
    SET("latch-set.lua"),
    COUNT_DOWN("latch-count-down.lua"),
    DELETE("latch-delete.lua"),
    LOOK("latch-look.lua"),
    REDISSON_SET(RedissonScripts.script("RedissonCountDownLatch", "'exists'", "'set'")),
    REDISSON_COUNT_DOWN(RedissonScripts.script("RedissonCountDownLatch", "'decr'")),
    REDISSON_DELETE(RedissonScripts.script("RedissonCountDownLatch", "'del'", "return 0")
            .replaceFirst("^.*? if", "if"));

    private final String script;

    LatchVerb(String script) {
        this.script = script;
    }

    /** {@return the file of the script, or its text} */
    String script() {
        return script;
    }

    boolean isRedissons() {
        return compareTo(LOOK) > 0;
    }

    /** {@return whether it is one of ours that changes the latch, and has a number} */
    boolean isNumbered() {
        return compareTo(LOOK) < 0;
    }
}
