package dev.holdfast.script.line;

/** A defect of a script: a fragment of it, and what is there instead. */
enum LineDefect {
    ACQUIRE_OVER_A_NEWER_TENURE("acquire.lua", "if mine > tenure then", "if false then", "the holder was changed"),
    ACQUIRE_WITHOUT_EXPIRY("acquire.lua", """
            if left == -2 then
              redis.call('PEXPIRE', lock, lease)
            end
            """, "", "the key has no expiry"),
    JOIN_OF_A_CLIENT_THAT_DOES_NOT_LISTEN(
            "acquire.lua", "if heard[2] == 0 then", "if false then", "a client joins at the end"),
    JOIN_OVER_A_NEWER_ONE(
            "acquire.lua",
            "elseif tonumber(known:match('^%S+ (%d+)') or 0) <= tenure then",
            "else",
            "a late command replaced a newer place"),
    JOIN_AT_EVERY_ATTEMPT(
            "acquire.lua", "if not known then\n    place", "if true then\n    place", "is not that of its"),
    JOIN_WITHOUT_COUNT("acquire.lua", "count = string.format('%d', count + 1)", "", "the line counts"),
    JOIN_WITH_THE_WRONG_RANK("acquire.lua", "math.min(place - first, count - 1)", "place - 1", ""),
    MOVED_UP_WITHOUT_ITS_CLIENT(
            "acquire.lua",
            "whose .. ':line', string.format('%d', to))",
            "whose .. ':line', place)",
            "is not that of its"),
    MOVED_UP_TO_ONE_PLACE("acquire.lua", "to = to + 1", "to = tonumber(first)", "the line counts"),
    OPENED_WITHOUT_MESSAGE("acquire.lua", "if not seen[1] and (ARGV[9] or heard[4] > 1) then", "if false then", ""),
    OPENED_MESSAGE_TO_A_LONE_CLIENT("acquire.lua", "(ARGV[9] or heard[4] > 1)", "true", ""),
    OPENED_MESSAGE_OF_EVERY_JOIN("acquire.lua", "not seen[1] and (ARGV[9] or heard[4] > 1)", "heard[4] > 1", ""),
    FAIR_OPENED_WITHOUT_MESSAGE_TO_ITSELF(
            LineKind.FAIR, "acquire.lua", "(ARGV[9] or heard[4] > 1)", "heard[4] > 1", ""),
    FAIR_WITH_THE_PLACE_OF_THE_CLIENT(
            LineKind.FAIR,
            "acquire.lua",
            "local unit = ARGV[9] and owner or client",
            "local unit = client",
            "is not that of its"),
    FAIR_MOVED_UP_AS_THE_CLIENT(
            LineKind.FAIR,
            "acquire.lua",
            "if redis.call('HGET', lock, whose .. ':line') ~= string.format('%d', at) then",
            "if true then",
            "is not that of its"),
    MOVED_UP_AS_THE_OWNER(
            "acquire.lua",
            "if redis.call('HGET', lock, whose .. ':line') ~= string.format('%d', at) then",
            "if false then",
            "is not that of its"),
    FAIR_LEAVE_OF_THE_CLIENT_ALONE(
            LineKind.FAIR,
            "release.lua",
            "ipairs({client, owner})",
            "ipairs({client})",
            "a client keeps its place until"),
    FAIR_GRANT_WITH_THE_POINTER_OF_THE_OWNER(
            LineKind.FAIR,
            "release.lua",
            "client .. ':line', to .. ':line', gone,",
            "client .. ':line', gone,",
            "fields of no"),
    FAIR_WITH_A_TURN_FOR_POLLERS(LineKind.FAIR, "release.lua", "local due = not ARGV[6] and", "local due =", ""),
    FAIR_WATCH_BY_THE_GRANTED(
            LineKind.FAIR,
            "release.lua",
            "local watches = client and client ~= granted",
            "local watches = client",
            "the next that hears watches"),
    LEAVE_WITHOUT_COUNT("release.lua", "string.format('%d', count - 1)", "count", "the line counts"),
    LEAVE_OF_A_NEWER_TENURE(
            "release.lua", "tonumber(number) <= tenure and (held", "(held", "the grant went to another"),
    LEAVE_OF_ANOTHER_OWNER(
            "release.lua", "and (held or waiter == owner) then", "then", "a client keeps its place until"),
    LEAVE_WITHOUT_ENTRY(
            "release.lua", "redis.pcall('HDEL', lock, 'line:' .. place, whose .. ':line')", "1", "the line counts"),
    RELEASE_OF_ANY_HOLD(
            "release.lua",
            "local held = mine == tenure or older",
            "local held = mine ~= 0 or holds == 0 and redis.call('EXISTS', lock) == 1",
            "the holder was changed"),
    RELEASE_WITHOUT_MESSAGE(
            "release.lua",
            "local told = redis.pcall(publish, channel, '0')",
            "local told = 0",
            "all waiters are notified"),
    GRANT_WITHOUT_REMOVING_THE_ENTRY(
            "release.lua",
            "redis.call('HDEL', lock, at, client .. ':line', to .. ':line', gone,",
            "redis.call('HDEL', lock, gone,",
            "fields of no"),
    GRANT_WITHOUT_REMOVING_THE_OWNER(
            "release.lua", "gone, gone .. ':tenure', gone .. ':token'", "gone .. ':token'", "the owners are"),
    GRANT_WITHOUT_REMOVING_THE_LABEL("release.lua", ", gone:match('^.*:') .. 'label')", ")", "fields of no"),
    GRANT_WITHOUT_REMOVING_THE_TOKEN(LineKind.FENCED, "release.lua", ", gone .. ':token'", "", "fields of no"),
    GRANT_WITHOUT_LEASE(
            "release.lua",
            "if type(redis.pcall('PEXPIRE', lock, lease)) == 'table' then",
            "if false then",
            "the lease is another"),
    GRANT_AFTER_THE_MESSAGE(
            "release.lua",
            "return {older and 0 or tenure, told, -1}",
            "redis.call('HSET', lock, to .. ':tenure', number)\n        return {older and 0 or tenure, told, -1}",
            "the message came before the grant") {
        @Override
        String in(String text) {
            return replace(
                    super.in(text), "to, 1, to .. ':tenure', number, 'line'", "to, 1, to .. ':tenure', 0, 'line'");
        }
    },
    GRANT_TO_THE_LAST(
            "release.lua",
            "local at = 'line:' .. string.format('%d', first)",
            "local at = 'line:' .. last",
            "the grant went to another"),
    GRANT_TOLD_TWICE(
            "release.lua",
            "if type(told) == 'number' and told > 0 then",
            "if told and redis.pcall(publish, channel .. ':' .. client, to .. ' ' .. number .. ' ' .. now) then",
            "a grant is one message"),
    GRANT_TO_ONE_THAT_DOES_NOT_LISTEN(
            "release.lua",
            "if type(told) == 'number' and told > 0 then",
            "told = told or 0\n      if true then",
            "the grant went to another"),
    GRANT_WITHOUT_WATCH(
            "release.lua", "watch(first, tonumber(last), lease, client)", "", "the next that hears watches"),
    LEAVE_WITHOUT_WATCH("release.lua", "watch(at + 1, tonumber(last), math.max(left, 1))", "", ""),
    LEAVE_OF_ANY_WITH_WATCH("release.lua", "if left >= 0 and at >= tonumber(place) then", "if left >= 0 then", ""),
    GRANTS_NOT_COUNTED("release.lua", "count, grants = count - 1, grants + 1", "count = count - 1", ""),
    TURN_WITHOUT_END("release.lua", "since >= 15000 and", "false and", ""),
    TURN_BEFORE_ALL_WERE_GRANTED("release.lua", " and tonumber(grants) >= tonumber(count)", "", ""),
    OPEN_WITHOUT_MESSAGE_TO_THE_LINE(
            "release.lua", "redis.pcall(publish, channel .. ':line', string.format('%d %s', others, left))", "", ""),
    OPEN_WITH_THE_TIME_OF_THE_LINE("release.lua", "left = time.err and opened or now", "left = opened", ""),
    GRANT_WITHOUT_TOKEN(LineKind.FENCED, "release.lua", "drawn, token = pcall(draw, tokens)", "", ""),
    GRANT_WITHOUT_STORED_TOKEN(
            LineKind.FENCED, "release.lua", "fields[#fields + 1] = token", "fields[#fields + 1] = '1'", ""),
    FENCED_WITHOUT_TOKEN(LineKind.FENCED, "acquire.lua", "or draw(tokens))", "or nil)", "");

    private final LineKind kind;
    private final String file;
    private final String fragment;
    private final String instead;
    private final String rule;

    /** @param rule a part of what the rules say about it; empty if only the prediction shows it */
    LineDefect(String file, String fragment, String instead, String rule) {
        this(LineKind.PLAIN, file, fragment, instead, rule);
    }

    LineDefect(LineKind kind, String file, String fragment, String instead, String rule) {
        this.kind = kind;
        this.file = file;
        this.fragment = fragment;
        this.instead = instead;
        this.rule = rule;
    }

    LineKind kind() {
        return kind;
    }

    String rule() {
        return rule;
    }

    /** {@return the script with the defect, if that is its file} */
    String change(String script, String text) {
        return script.equals(file) ? in(text) : text;
    }

    String in(String text) {
        return replace(text, fragment, instead);
    }

    static String replace(String text, String fragment, String instead) {
        int at = text.indexOf(fragment);
        if (at < 0 || text.indexOf(fragment, at + 1) >= 0) {
            throw new AssertionError("this must be once in the script: " + fragment);
        }
        return text.substring(0, at) + instead + text.substring(at + fragment.length());
    }
}
