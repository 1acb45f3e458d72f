package dev.holdfast.script.readwrite;

import dev.holdfast.script.TimedScripts;

/** A defect of a script: a fragment of it, and what is there instead. */
enum ReadWriteDefect {
    ACQUIRE_OVER_A_NEWER_TENURE("rw-acquire.lua", "if mine > tenure then", "if false then"),
    ACQUIRE_ACROSS_SIDES(
            "rw-acquire.lua",
            "local wrongSide = mine > 0 and (side == 'write') ~= (mode == 'write')",
            "local wrongSide"),
    ACQUIRE_WITHOUT_EXPIRY("rw-acquire.lua", """
            if left == -2 then
              redis.call('PEXPIRE', lock, lease)
            end
            return""", "return"),
    ACQUIRE_BEYOND_THE_KEY("rw-acquire.lua", "sets and lease or left)", "sets and side == 'write' and lease or left)"),
    ADMITTED_PAST_A_WRITER(
            "rw-acquire.lua",
            "side == 'read' and mode == 'shared' and w.count == 0\nif",
            "side == 'read' and mode == 'shared'\nif"),
    ADMITTED_WITHOUT_COUNT("rw-acquire.lua", "  r.holding = r.holding + 1\n", ""),
    ADMITTED_WITHOUT_DUE("rw-acquire.lua", "r.holding == 0 and till or math.min(r.due, till)", "till"),
    ADOPTED_WITHOUT_DUE("rw-acquire.lua", "    r.due = math.min(r.due, till)\n", ""),
    ADOPTED_WITH_THE_OLDER_LEASE("rw-acquire.lua", "sets = sets or mine ~= tenure", ""),
    ENTERED_AGAIN_WITH_A_SHORTER_LEASE(
            "rw-acquire.lua",
            "till = math.max(till, tonumber(string.match(redis.call('HGET', lock, owner .. ':until'), '^%d+')))",
            ""),
    ENTERED_A_HOLD_THAT_IS_GONE("rw-acquire.lua", "if holds > 1 and mine ~= tenure then", "if false then"),
    WRITTEN_INTO_REDISSONS_HASH("rw-acquire.lua", "if foreign or wrongSide or", "if wrongSide or"),
    DEAD_READERS_STAY("rw-acquire.lua", "mode == 'shared' and nowMs > r.due and", "mode == 'shared' and nowMs < 0 and"),
    ADMITTED_OVER_A_NEWER_PLACE("rw-acquire.lua", "if mine > 0 then", "if false then"),
    LOOKED_AT_BY_EVERY_READER("rw-acquire.lua", "nowMs > r.due and (side == 'write' or w.count > 0)", "nowMs > r.due"),
    LIVE_READERS_DROPPED("rw-acquire.lua", "if till and till >= nowMs then", "if till and till >= nowMs + 500 then"),
    JOIN_OF_A_CLIENT_THAT_DOES_NOT_LISTEN("rw-acquire.lua", "if heard[2] == 0 then", "if false then"),
    JOIN_OVER_A_NEWER_ENTRY("rw-acquire.lua", "(not waits or waits <= tenure) and ", ""),
    JOIN_COUNTED_TWICE("rw-acquire.lua", "w.count = w.count + (waits and 0 or 1)", "w.count = w.count + 1"),
    JOIN_OF_A_READER_WITHOUT_COUNT("rw-acquire.lua", "r.count = r.count + (waits and 0 or 1)", ""),
    JOIN_AT_EVERY_ATTEMPT("rw-acquire.lua", "    if not place then", "    if true then"),
    JOIN_WITHOUT_CLOSING("rw-acquire.lua", "if closes and heard[4] > 1 then", "if false then"),
    JOIN_WITHOUT_OPENED("rw-acquire.lua", "if opens and heard[4] > 1 then", "if false then"),
    BUSY_UNTIL_THE_KEY_ENDS("rw-acquire.lua", "mode == 'shared' and math.min(left, r.due - nowMs) or left", "left"),
    HELD_WITHOUT_THE_WRITERS(
            "rw-acquire.lua", "side == 'read' and w.count > 0 and {tenure, w.count} or tenure", "tenure"),
    RELEASE_OF_A_NEWER_TENURE("rw-release.lua", "if mine > tenure then", "if false then"),
    PARTIAL_RELEASE_OF_AN_OLDER_TENURE(
            "rw-release.lua", "local held = mine == tenure or older", "local held = mine > 0"),
    RELEASE_OF_REDISSONS_LOCK(
            "rw-release.lua",
            "local held = mine == tenure or older",
            "local held = mine == tenure or older or mode == 'write' and mine == 0"),
    RELEASE_WITHOUT_COUNT("rw-release.lua", "  r.holding = r.holding - 1\n", ""),
    RELEASE_BY_THE_LAST_BUT_ONE(
            "rw-release.lua", "mode == 'shared' and r.holding > 1 then", "mode == 'shared' and r.holding > 2 then"),
    RELEASE_WHILE_READERS_WAIT(
            "rw-release.lua", "w.count + r.count > 0 and redis.pcall", "w.count > 0 and redis.pcall"),
    RELEASE_WHILE_WRITERS_WAIT(
            "rw-release.lua", "w.count + r.count > 0 and redis.pcall", "r.count > 0 and redis.pcall"),
    RELEASE_WITHOUT_MESSAGE(
            "rw-release.lua",
            "  redis.call('DEL', lock)\n  local told = redis.pcall(publish, channel, '1')",
            "  redis.call('DEL', lock)\n  local told = 0"),
    LEAVE_OF_ANOTHER_OWNER("rw-release.lua", "(held or waiter == owner)", "true"),
    LEAVE_OF_A_NEWER_TENURE("rw-release.lua", "and tonumber(number) <= tenure\n", "\n"),
    LEAVE_WITHOUT_COUNT("rw-release.lua", "  w.count = math.max(0, w.count - 1)\n", ""),
    LEAVE_WITHOUT_WATCH(
            "rw-release.lua", "watch(math.max(mode == 'shared' and math.min(left, r.due - nowMs) or left, 1))", ""),
    LAST_WRITER_LEAVES_AND_READERS_STAY(
            "rw-release.lua", "    elseif mode == 'shared' then\n      joinReaders()\n", ""),
    WRITER_AFTER_WRITER("rw-release.lua", "    if mode == 'write' then", "    if false then"),
    READERS_AFTER_READERS("rw-release.lua", "    if mode == 'write' then", "    if true then"),
    GRANT_TO_ONE_READER("rw-release.lua", "told = told + 1\n", "told = told + 1\n        break\n"),
    GRANT_TO_A_DEAF_WRITER(
            "rw-release.lua",
            "if waits and redis.call('PUBSUB', numsub, channel .. ':' .. client)[2] > 0 then",
            "if waits then"),
    GRANT_TO_A_DEAF_READER(
            "rw-release.lua",
            "if to and redis.call('PUBSUB', numsub, channel .. ':' .. client .. ':read')[2] > 0 then",
            "if to then"),
    GRANT_WITHOUT_REMOVING_THE_ENTRY(
            "rw-release.lua",
            "  local client = to:match('^(.*):')\n  redis.call('HDEL', lock, at, client .. ':writer')\n",
            "  local client = to:match('^(.*):')\n"),
    GRANT_WITHOUT_REMOVING_THE_OWNER(
            "rw-release.lua",
            "redis.call('HDEL', lock, owner, owner .. ':tenure', owner .. ':until', owner:match('^.*:') .. 'label')",
            ""),
    GRANT_WITHOUT_LEASE("rw-release.lua", "  redis.call('PEXPIRE', lock, lease)\n  local message", "  local message"),
    GRANT_WITHOUT_MESSAGE("rw-release.lua", "  redis.call(publish, channel .. ':' .. client, message)\n", ""),
    GRANT_WITHOUT_WATCH("rw-release.lua", "  told = 1\n  watch(lease)\n", "  told = 1\n"),
    GRANT_OF_THE_KEY_TO_ONE_READER("rw-release.lua", "if left < lease then", "if true then"),
    GRANT_WITHOUT_THE_WRITERS("rw-release.lua", ", w.count > 0 and w.count or nil}", "}"),
    TURN_BEFORE_ITS_TIME("rw-release.lua", "since >= 15000 and", ""),
    TURN_BEFORE_THE_READERS("rw-release.lua", "if not isTurnOfReaders and (", "if ("),
    TURN_WITHOUT_END("rw-release.lua", "since >= 15000 and", "false and"),
    TURN_BEFORE_ALL_WERE_GRANTED("rw-release.lua", "(since >= 15000 and w.grants >= count)", "since >= 15000"),
    DOWNGRADE_OF_ANOTHER_TENURE("rw-downgrade.lua", "if (mine < tenure or", "if (mine == 0 or"),
    DOWNGRADE_TWICE("rw-downgrade.lua", "local again = seen[5] == number", "local again = false"),
    DOWNGRADE_WITHOUT_READERS("rw-downgrade.lua", "\n  joinReaders()\n", "\n"),
    DOWNGRADE_OF_THE_KEY_ALONE(
            "rw-downgrade.lua",
            "  redis.call('HDEL', lock, owner, owner .. ':tenure', owner:match('^.*:') .. 'label')\n",
            ""),
    DOWNGRADE_WITHOUT_THE_WRITERS(
            "rw-downgrade.lua", "return w.count > 0 and {tenure, w.count} or tenure", "return tenure"),
    SETTLED_WITHOUT_A_RELEASED_HOLD(
            "rw-settle.lua", "if found > 0 and found <= tonumber(ARGV[i + 1]) then", "if true then"),
    SETTLED_IN_PLACE_OF_A_NEWER_HOLD(
            "rw-settle.lua", "if found > 0 and found <= tonumber(ARGV[i + 1]) then", "if found > 0 then"),
    SETTLED_OVER_A_NEWER_TENURE("rw-settle.lua", "if mine >= tenure then", "if false then"),
    SETTLED_IN_PLACE_OF_A_WRITER("rw-settle.lua", "seen[2] == 'shared' and #ARGV or 0", "#ARGV"),
    SETTLED_BESIDE_THE_RELEASED_HOLD("rw-settle.lua", "if from ~= owner then", "if false then"),
    SETTLED_SHORTENING("rw-settle.lua", "math.max(left, lease))\n    r.due", "lease)\n    r.due"),
    SETTLED_WITHIN_THE_KEY("rw-settle.lua", "math.max(left, lease))\n    r.due", "left)\n    r.due"),
    SETTLED_WITHOUT_DUE("rw-settle.lua", "    r.due = math.min(r.due, till)\n", ""),
    RENEW_OF_ANOTHER_TENURE("rw-renew.lua", "if mine < tenure then", "if mine == 0 then"),
    RENEW_WITHOUT_THE_KEY("rw-renew.lua", "if time or left < lease then", "if false then"),
    RENEW_SHORTENING("rw-renew.lua", "if tonumber(till) < ends then", "if true then"),
    RENEW_OF_THE_KEY_ALONE("rw-renew.lua", "if tonumber(till) < ends then", "if false then"),
    ADMITTED_WITH_AN_EARLY_DUE(
            "rw-acquire.lua", "r.holding == 0 and till or math.min(r.due, till)", "math.min(r.due, till)"),
    BARRED_BY_A_DEAF_WRITER("rw-acquire.lua", "  pcall(firstWriter)\n", ""),
    PASSED_WITHOUT_WATCH("rw-acquire.lua", "    watch(math.max(math.min(left, r.due - nowMs), 1))\n", ""),
    PASSED_BY_ONE_READER("rw-acquire.lua", "    joinReaders()\n", ""),
    ADMITTED_WITH_AN_OLDER_ENTRY("rw-acquire.lua", "if own and tonumber", "if false and tonumber"),
    ADMITTED_WITHIN_THE_OLDER_EXPIRY("rw-acquire.lua", "    left = redis.call('PTTL', lock)\n", ""),
    JOIN_OPENING_THE_LINES_AGAIN("rw-acquire.lua", "closes, before = w.opened == 0,", "closes, before = true,"),
    JOIN_OF_EACH_READER_AS_THE_FIRST("rw-acquire.lua", "    before = r.count - 1\n", ""),
    LEAVE_WITHOUT_THE_LAST_PLACE("rw-release.lua", "while w.last >= w.first do", "while false do"),
    RELEASE_WITH_AN_OLDER_PLACE("rw-release.lua", "      leaveWriters()\n", ""),
    GRANT_WITHOUT_NUMBER(
            "rw-release.lua",
            "  w.grants = w.grants + 1\n  redis.call('HSET', lock, 'mode'",
            "  redis.call('HSET', lock, 'mode'"),
    GRANT_WITH_THE_LEASE_OF_THE_WRITER("rw-release.lua", "if r.holding > 0 and longest < left then", "if false then"),
    TURN_BEFORE_EACH_WRITER_WAS_GRANTED(
            "rw-release.lua",
            "r.count > 0 and math.max(2 * w.count, 1) or w.count",
            "w.count + (r.count > 0 and 1 or 0)"),
    DOWNGRADE_OF_A_READER("rw-downgrade.lua", "(mine < tenure or seen[2] ~= 'write')", "mine < tenure"),
    ACQUIRE_REFUSED_WITH_THE_LEASE(true, "rw-acquire.lua", "  restore(lock, left)\n", ""),
    DOWNGRADE_REFUSED_WITH_THE_LEASE(true, "rw-downgrade.lua", "    restore(lock, left)\n", ""),
    SETTLE_REFUSED_WITH_THE_LEASE(true, "rw-settle.lua", "      restore(lock, left)\n", ""),
    SETTLE_REFUSED_WITH_THE_HOLD(true, "rw-settle.lua", "    redis.call('HDEL', lock, '')\n", ""),
    GRANT_REFUSED_WITHOUT_MESSAGE(
            true,
            "rw-release.lua",
            "  if not pcall(grantReaders) then\n    redis.pcall(publish, channel, '1')\n  end\n",
            "  pcall(grantReaders)\n"),
    GRANT_REFUSED_IN_PART_WITHOUT_MESSAGE(true, "rw-release.lua", "if not whole then", "if false then"),
    RELEASE_REFUSED_WITHOUT_TIME(true, "rw-release.lua", "redis.pcall('TIME')", "redis.call('TIME')"),
    LEAVE_REFUSED_WITH_THE_ENTRY(
            true, "rw-release.lua", "    redis.call('HDEL', lock, '')\n    r.count", "    r.count"),
    RELEASE_REFUSED_WITH_THE_COUNT(
            true, "rw-release.lua", "  redis.call('HDEL', lock, '')\n  r.holding", "  r.holding");

    private final boolean refusals;
    private final String file;
    private final String fragment;
    private final String instead;

    ReadWriteDefect(String file, String fragment, String instead) {
        this(false, file, fragment, instead);
    }

    /** @param refusals whether it matters only when Redis refuses a part of a command */
    ReadWriteDefect(boolean refusals, String file, String fragment, String instead) {
        this.refusals = refusals;
        this.file = file;
        this.fragment = fragment;
        this.instead = instead;
    }

    boolean needsRefusals() {
        return refusals;
    }

    /** {@return the script with the defect, if that is its file} */
    String change(String script, String text) {
        return script.equals(file) ? TimedScripts.changed(text, fragment, instead) : text;
    }
}
