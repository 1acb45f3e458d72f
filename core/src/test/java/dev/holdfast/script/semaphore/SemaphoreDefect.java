package dev.holdfast.script.semaphore;

import dev.holdfast.script.TimedScripts;

/** A defect of a script: a fragment of it, and what is there instead. */
enum SemaphoreDefect {
    HELD_BEYOND_THE_LIMIT("sem-acquire.lua", "count == 0 and held + permits <= limit then", "count == 0 then"),
    HELD_UP_TO_THE_LIMIT_NAMED_BEFORE(
            "sem-acquire.lua",
            "count == 0 and held + permits <= limit then",
            "count == 0 and held + permits <= (other or limit) then"),
    HELD_PAST_THE_LINE("sem-acquire.lua", "not slot and count == 0 and held", "not slot and held"),
    HELD_PAST_THE_LINE_BY_ONE_THAT_TRIES(
            "sem-acquire.lua", "not slot and count == 0 and held", "not slot and (not granted or count == 0) and held"),
    HELD_WITHOUT_A_COUNT("sem-acquire.lua", "  held = held + permits\n", ""),
    HELD_BY_A_LATE_COMMAND("sem-acquire.lua", "if mine > tenure then", "if false then"),
    HELD_AGAIN_AFTER_ITS_END("sem-acquire.lua", "mine > 0 and till > now and amount", "mine > 0 and amount"),
    HELD_AGAIN_WITH_A_SHORTER_LEASE("sem-acquire.lua", "mine == tenure and math.max(till, wanted) or wanted", "wanted"),
    HELD_AGAIN_WITHOUT_ITS_LEASE("sem-acquire.lua", "mine == tenure and math.max(till, wanted) or wanted", "till"),
    ADOPTED_WITH_OTHER_PERMITS("sem-acquire.lua", "and amount == permits and", "and"),
    ADOPTED_WITH_A_NUMBER_ABOVE_THE_LIMIT(
            "sem-acquire.lua", "amount == permits and slot <= limit", "amount == permits"),
    ADOPTED_BESIDE_THE_OLDER_ONE("sem-acquire.lua", "    give(owner, amount, slot)\n", ""),
    NUMBER_ABOVE_THE_LIMIT("sem-acquire.lua", "    if tonumber(each) <= limit then", "    if true then"),
    NUMBER_GIVEN_TWICE("sem-acquire.lua", "free:sub(1, from - 1) .. free:sub(to)", "free"),
    NUMBER_NEVER_GIVEN_AGAIN("sem-release.lua", "  free = string.format(' %d%s', number, free)\n", ""),
    NUMBERS_LOST_BY_A_LOOK(
            "sem-acquire.lua", "numbers[#numbers + 1] = not used[number]", "numbers[#numbers + 1] = not true"),
    NUMBERS_ALL_FREE_AFTER_A_LOOK(
            "sem-acquire.lua", "numbers[#numbers + 1] = not used[number]", "numbers[#numbers + 1] = true"),
    LOOK_NEVER("sem-acquire.lua", "if held > 0 and now >= due then", "if false then"),
    LOOK_TOO_LATE("sem-acquire.lua", "if held > 0 and now >= due then", "if held > 0 and now > due + 5 then"),
    LOOK_AT_EVERY_ACQUIRE("sem-acquire.lua", "if held > 0 and now >= due then", "if held > 0 then"),
    LOOK_DROPS_THE_LIVE("sem-acquire.lua", "      if till <= now then", "      if till <= now + 20 then"),
    LOOK_KEEPS_THE_DEAD("sem-acquire.lua", "      if till <= now then", "      if till <= now - 20 then"),
    LOOK_WITHOUT_THE_NEXT_END("sem-acquire.lua", "earliest = math.min(earliest or till, till)", "earliest = till"),
    LOOK_IS_NOT_SAVED(
            "sem-acquire.lua",
            "due = math.max(earliest or now, now + math.floor(holds / 10))\n  dirty = true",
            "due = math.max(earliest or now, now + math.floor(holds / 10))"),
    LOOK_AFTER_THE_LINE_WAS_SERVED("sem-release.lua", "  if held > 0 and now >= due then\n    look()\n  end\n", ""),
    DUE_AFTER_A_SHORTER_LEASE(
            "sem-acquire.lua", "held == permits and till or math.min(", "held == permits and till or math.max("),
    DUE_OF_AN_OLDER_HOLD("sem-acquire.lua", "held == permits and till or math.min(", "math.min("),
    KEY_ENDS_BEFORE_A_HOLD("sem-acquire.lua", "if left < wanted + 30000 then", "if left < 0 then"),
    KEY_ENDS_WITH_A_HOLD(
            "sem-acquire.lua",
            "    redis.call('PEXPIRE', lock, wanted + 60000)\n  end\n  dirty",
            "    redis.call('PEXPIRE', lock, wanted)\n  end\n  dirty"),
    KEY_WITHOUT_END(
            "sem-acquire.lua", "  if left == -2 then\n    redis.call('PEXPIRE', lock, wanted + 60000)\n  end\n", ""),
    KEY_STAYS_TOO_LONG(
            "sem-acquire.lua",
            "    redis.call('PEXPIRE', lock, wanted + 60000)\n  end\n  dirty",
            "    redis.call('PEXPIRE', lock, wanted + 90000)\n  end\n  dirty"),
    KEY_STAYS_WITHOUT_HOLDERS("sem-release.lua", "  redis.call('DEL', lock)\n", "  save()\n"),
    KEY_DELETED_UNDER_THE_LINE(
            "sem-release.lua",
            "if mine > 0 and held == permits and count == 0 then",
            "if mine > 0 and held == permits then"),
    JOIN_OF_A_CLIENT_THAT_DOES_NOT_LISTEN("sem-acquire.lua", "not heard.err and heard[2] > 0", "not heard.err"),
    JOIN_AT_EVERY_ATTEMPT("sem-acquire.lua", "(not place or tonumber(place) < first) then", "true then"),
    JOIN_AT_A_PLACE_THAT_WAS_PASSED("sem-acquire.lua", "(not place or tonumber(place) < first) then", "not place then"),
    JOIN_OVER_A_NEWER_ENTRY("sem-acquire.lua", "joins and tonumber(waiting or 0) <= tenure", "joins"),
    JOIN_IN_FRONT("sem-acquire.lua", "  last = last + 1\n  count", "  last = math.max(last, 1)\n  count"),
    JOIN_WITHOUT_COUNT("sem-acquire.lua", "  count = count + 1\n", ""),
    JOIN_COUNTED_TWICE("sem-acquire.lua", "count = count + (whose and 0 or 1)", "count = count + 1"),
    JOIN_WITHOUT_OPENED("sem-acquire.lua", "if opens and heard[4] > 1 then", "if false then"),
    JOIN_WITH_OPENED_EACH_TIME("sem-acquire.lua", "local opens = last == 0", "local opens = count == 0"),
    ENTRY_STAYS_AFTER_A_TRY(
            "sem-acquire.lua", "elseif not joins and whose == owner", "elseif false and whose == owner"),
    BUSY_FOR_TOO_LONG("sem-acquire.lua", "-math.max(due - now, 1)\nif", "-math.max(due - now, 100)\nif"),
    BUSY_WITH_ANOTHER_PLACE("sem-acquire.lua", "math.max(0, math.min(place - first, count - 1))", "place - 1"),
    LIMIT_OF_BEFORE_IS_NOT_NAMED("sem-acquire.lua", "named > 0 and named ~= limit and named or nil", "nil"),
    LIMIT_IS_NOT_KEPT("sem-acquire.lua", "named = limit\n", "\n"),
    GRANT_BEYOND_THE_LIMIT(
            "sem-release.lua", "held + permits > tonumber(limit)", "held + permits > tonumber(limit) + 1"),
    GRANT_DROPS_THE_FIRST_THAT_WAITS(
            "sem-release.lua",
            "      break\n    end\n    redis.call('HDEL', lock, at",
            "      count = count + 1\n      listens = false\n    end\n    redis.call('HDEL', lock, at"),
    GRANT_TO_ONE("sem-release.lua", "        told = told + 1\n", "        told = told + 1\n        break\n"),
    GRANT_TO_A_DEAF_CLIENT("sem-release.lua", "(heard.err and watch(whose) or heard[2]) ~= 0", "true"),
    GRANT_WITHOUT_REMOVING_THE_ENTRY("sem-release.lua", "    redis.call('HDEL', lock, at, whose .. ':line')\n", ""),
    GRANT_WITHOUT_COUNT("sem-release.lua", "    count = count - (to and 1 or 0)\n", ""),
    GRANT_WITHOUT_MESSAGE("sem-release.lua", "redis.pcall(publish, channel .. ':' .. whose, message)", "0"),
    GRANT_WITHOUT_WATCH("sem-release.lua", "if first > before and to ~= owner then", "if false then"),
    GRANT_WITH_WATCH_EACH_TIME("sem-release.lua", "if first > before and to ~= owner then", "if true then"),
    GRANT_TO_ITSELF_BY_A_MESSAGE("sem-acquire.lua", "      if not own then", "      if true then"),
    GRANT_TO_ITSELF_FOR_THE_SHORT_LEASE("sem-acquire.lua", "own and lease or tonumber(granted)", "tonumber(granted)"),
    GRANT_TO_A_NEWER_TENURE_IS_NOT_SEEN("sem-acquire.lua", "if served > tenure then", "if false then"),
    LINE_IS_NOT_SERVED_BY_AN_ACQUIRE("sem-acquire.lua", "if first <= last then", "if false then"),
    LINE_IS_NOT_SERVED_BY_A_RELEASE("sem-release.lua", "  if first <= last then", "  if false then"),
    RELEASE_OF_A_NEWER_TENURE("sem-release.lua", "if mine > tenure then", "if false then"),
    RELEASE_TWICE("sem-release.lua", "waiter ~= owner or tonumber(waiting) > tenure then", "false then"),
    RELEASE_WITHOUT_COUNT("sem-release.lua", "  held = held - permits\n", ""),
    RELEASE_OF_ONE_PERMIT("sem-release.lua", "  held = held - permits\n", "  held = held - 1\n"),
    RELEASE_IS_NOT_SAVED("sem-release.lua", "elseif dirty then\n  save()\n", ""),
    RELEASE_WITHOUT_MESSAGE("sem-release.lua", "count == 0 and redis.pcall(publish, channel, '0') or 0", "0"),
    RELEASE_OF_A_HOLD_THAT_WAS_OVER(
            "sem-release.lua", "mine == tenure and till > now and tenure", "mine == tenure and tenure"),
    RELEASE_WHILE_OTHERS_WAIT_FOR_A_MESSAGE(
            "sem-release.lua",
            "count == 0 and redis.pcall(publish, channel, '0')",
            "redis.pcall(publish, channel, '0')"),
    LEAVE_OF_ANOTHER_OWNER("sem-release.lua", "if waiter ~= owner or tonumber", "if not waiter or tonumber"),
    LEAVE_OF_A_NEWER_TENURE("sem-release.lua", " or tonumber(waiting) > tenure then", " then"),
    LEAVE_WITHOUT_COUNT("sem-release.lua", "  count = count - 1\n", ""),
    RENEW_OF_ANOTHER_TENURE(
            "sem-renew.lua", "if mine < tenure or tonumber(till) <= now then", "if tonumber(till) <= now then"),
    RENEW_OF_A_HOLD_THAT_IS_OVER(
            "sem-renew.lua", "if mine < tenure or tonumber(till) <= now then", "if mine < tenure then"),
    RENEW_BY_A_LATE_COMMAND("sem-renew.lua", "if mine > tenure then", "if false then"),
    RENEW_SHORTENING("sem-renew.lua", "if tonumber(till) < now + lease then", "if true then"),
    RENEW_WITHOUT_THE_KEY("sem-renew.lua", "if redis.call('PTTL', lock) < lease + 30000 then", "if false then"),
    RENEW_OF_THE_KEY_ALONE(
            "sem-renew.lua",
            "    redis.call('HSET', lock, 'hold:' .. owner, string.format('%s %s %d %s', number, permits, now + lease, label))\n",
            ""),
    CLOSE_OF_A_NEWER_TENURE("sem-close-after.lua", "if mine > tenure then", "if false then"),
    CLOSE_OF_AN_OLDER_TENURE(
            "sem-close-after.lua", "if mine < tenure or till <= now then", "if mine == 0 or till <= now then"),
    CLOSE_OF_A_HOLD_THAT_IS_OVER(
            "sem-close-after.lua", "if mine < tenure or till <= now then", "if mine < tenure then"),
    CLOSE_TWICE("sem-close-after.lua", "if mine == closed then\n  return tenure\nend\n", ""),
    CLOSE_UNDER_THE_SAME_TENURE("sem-close-after.lua", "put(owner, closed, permits", "put(owner, tenure, permits"),
    CLOSE_WITHOUT_MESSAGE("sem-close-after.lua", "  told = redis.pcall(publish, channel, '0')\n", ""),
    CLOSE_TELLS_ALL_IN_LINE("sem-close-after.lua", "if count == 0 then\n  told", "if true then\n  told");

    private final String file;
    private final String fragment;
    private final String instead;

    SemaphoreDefect(String file, String fragment, String instead) {
        this.file = file;
        this.fragment = fragment;
        this.instead = instead;
    }

    /** {@return the script with the defect, if that is its file} */
    String change(String script, String text) {
        return script.equals(file) ? TimedScripts.changed(text, fragment, instead) : text;
    }
}
