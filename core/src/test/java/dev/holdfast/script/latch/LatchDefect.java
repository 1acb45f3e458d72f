package dev.holdfast.script.latch;

import org.jspecify.annotations.Nullable;

/** A defect of the scripts: a fragment, and what is there instead. */
enum LatchDefect {
    SET_OVER_A_COUNT("latch-set.lua", "if count > 0 then", "if false then"),
    SET_AGAIN("latch-set.lua", "if last == tonumber(number) then\n  return {last, result}\nend", ""),
    SET_LATE("latch-set.lua", "if last > tonumber(number) then\n  return {last, '0'}\nend", ""),
    SET_WITHOUT_LIFETIME("latch-set.lua", "ARGV[3], 'PX', lifetime)", "ARGV[3])"),
    SET_WITHOUT_MESSAGE("latch-set.lua", "redis.pcall(publish, channel, '1')", "0"),
    SET_WITHOUT_GENERATION(
            "latch-set.lua",
            "tonumber(generation) < tonumber(now) and now or string.format('%d', generation + 1)",
            "'1'"),
    SET_FORGETS_OPENINGS("latch-set.lua", "how == 'open' and since or generation", "generation"),
    SET_FORGETS_DELETIONS("latch-set.lua", "how == 'open' and since or generation", "since"),
    SET_THAT_RENEWS_NOTHING("latch-set.lua", "  write(number, '0')\n  prolong()", "  write(number, '0')"),
    SET_WITH_A_SHORT_RECORD("latch-set.lua", "lifetime + KEPT", "lifetime"),
    SET_REFUSED_WITH_A_LONGER_RECORD("latch-set.lua", "set.err and kept >= 0", "false"),
    COUNTED_TWICE("latch-count-down.lua", "if tonumber(ARGV[i]) > last then", "if true then"),
    COUNTED_IN_THE_NEXT_GENERATION(
            "latch-count-down.lua",
            "if not number then",
            "if rest == 0 and count == 0 then\n  return {last, result}\nend\nif not number then"),
    COUNTED_IN_ANOTHER_GENERATION("latch-count-down.lua", " or of == present) then", " or true) then"),
    NOT_COUNTED_AGAIN("latch-count-down.lua", "of == '' or of == '1' or present == '0' or of == present", "of == ''"),
    COUNTED_BY_ONE("latch-count-down.lua", "rest - ARGV[i + 1]", "rest - 1"),
    ONLY_THE_FIRST("latch-count-down.lua", "for i = 4, #ARGV, 3 do", "for i = 4, 4 do"),
    COUNT_LOSES_ITS_EXPIRY("latch-count-down.lua", ", 'KEEPTTL')", ")"),
    COUNT_RENEWS_NOTHING("latch-count-down.lua", "  prolong()\n", ""),
    OPENED_LATE("latch-count-down.lua", "count > 0 and rest <= 0", "count > 0 and rest < 0"),
    OPENED_WITHOUT_MESSAGE("latch-count-down.lua", "redis.pcall(publish, channel, '0')", "0"),
    OPENED_WITHOUT_MARK("latch-count-down.lua", "  how = 'open'\n", ""),
    OPENED_FOR_AN_EARLIER_COUNT(
            "latch-count-down.lua", "if opens and (present ~= '0' or how == 'none') then", "if opens then"),
    OPENED_RECORD_LIVES_ON(
            "latch-count-down.lua",
            "redis.pcall('PEXPIRE', record, KEPT)",
            "redis.pcall('PEXPIRE', record, 10 * KEPT)"),
    REFUSED_AND_RECORDED(null, "return redis.pcall('DEL', latch)", "redis.call('DEL', latch)"),
    DELETED_WITHOUT_MARK("latch-delete.lua", "how, gone = 'deleted', 'deleted'", "how = 'open'"),
    DELETED_WITHOUT_CAUSE("latch-delete.lua", "how, gone = 'deleted', 'deleted'", "how = 'deleted'"),
    DELETED_WITHOUT_MESSAGE("latch-delete.lua", "redis.pcall(publish, channel, '1')", "0"),
    DELETED_AGAIN("latch-delete.lua", "if last == tonumber(number) then\n  return {last, result}\nend", ""),
    DELETED_LATE("latch-delete.lua", "if last > tonumber(number) then\n  return {last, '0'}\nend", ""),
    LOOK_RENEWS_NOTHING("latch-look.lua", "prolong()\nreturn", "return"),
    RENEWED_COUNT_ALONE(null, "    redis.pcall('PEXPIRE', record, renewal + KEPT)\n", ""),
    RENEWED_THOUGH_FIXED(null, "if present ~= '0' and renewal ~= '0' then", "if present ~= '0' then\n  renewal = 3000"),
    EXPIRED_IS_OPEN(null, "kept <= KEPT and 'expired' or 'open'", "'open'"),
    OPENED_BY_REDISSON_IS_EXPIRED(null, "kept <= KEPT and 'expired' or 'open'", "'expired'"),
    COUNT_OF_REDISSON_IS_OURS(
            null, "if how == 'counting' and lives < 0 then", "if how == 'counting' and lives == -2 then"),
    RECORD_WITHOUT_EXPIRY(
            null, "redis.call('PEXPIRE', record, math.max(lives, 0) + KEPT)", "redis.call('PTTL', record)"),
    PERMISSION_NOT_CHECKED(null, "  if kept == -2 then\n    redis.call('PEXPIRE', record, KEPT)\n  end\n", ""),
    STATE_NOT_RESTORED(null, "redis.call('HSET', record, 'state', seen[1])", "redis.call('PTTL', record)"),
    NUMBER_NOT_RESTORED(null, "redis.call('HSET', record, client, seen[2])", "redis.call('PTTL', record)");

    private final String file;
    private final String fragment;
    private final String instead;

    /** @param file empty for each that has the fragment */
    LatchDefect(@Nullable String file, String fragment, String instead) {
        this.file = file == null ? "" : file;
        this.fragment = fragment;
        this.instead = instead;
    }

    /** {@return the script with the defect, if it is one that gets it} */
    String change(String script, String text) {
        if (!file.isEmpty() && !script.equals(file)) {
            return text;
        }
        int at = text.indexOf(fragment);
        if (!file.isEmpty() && (at < 0 || text.indexOf(fragment, at + 1) >= 0)) {
            throw new AssertionError("this must be once in the script: " + fragment);
        }
        return at < 0 ? text : text.substring(0, at) + instead + text.substring(at + fragment.length());
    }
}
