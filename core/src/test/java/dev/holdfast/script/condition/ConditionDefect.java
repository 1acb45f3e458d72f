package dev.holdfast.script.condition;

import dev.holdfast.script.TimedScripts;
import org.jspecify.annotations.Nullable;

/** A defect of the scripts: a fragment, and what is there instead. */
enum ConditionDefect {
    PART_OF_ANOTHER_HOLD("part", "if redis.call('HGET', lock, owner .. ':tenure') ~= tenure then", "if false then"),
    SIGNAL_TO_THE_DEAD("part", "'client:' .. client) or 0) > now", "'client:' .. client) or 0) > 0"),
    SIGNAL_TO_THE_DEAF("part", "local reached = receivers > 0 or alive and not counted", "local reached = alive"),
    SIGNAL_WHERE_NOBODY_COUNTS(
            "part", "local reached = receivers > 0 or alive and not counted", "local reached = receivers > 0"),
    SIGNAL_STOPS_AT_THE_DEAD("part", "(all or not reached)", "all"),
    SIGNAL_WAKES_TWO("part", "whose = number and (all or not reached) and", "whose = number and (all or i == 9) and"),
    SIGNAL_WAKES_ALL("part", "(all or not reached)", "true"),
    SIGNAL_FOR_ALL_WAKES_ONE("part", "(all or not reached)", "not reached"),
    SIGNAL_TO_THE_LAST("part", "local whose = ends(of)", "local _, whose = ends(of)"),
    SIGNAL_LEAVES_THE_WAIT(
            "part", "local number = take(whose)", "local number = i == 9 and wait_of(whose) or take(whose)"),
    SIGNAL_OF_ANOTHER_TICKET("part", "whose .. ' ' .. number)", "whose .. ' ' .. tenure)"),
    SIGNAL_ONCE_A_HOLD("part", "for i = 9, #ARGV, 2 do", "for i = 9, math.min(#ARGV, 10), 2 do"),
    WAIT_IN_FRONT(
            "part",
            "    set_wait(last, number, before, owner, condition)\n  end\n  set_wait(owner, ticket, last or '-', '-', condition)\n"
                    + "  set_ends(condition, first or owner, owner)",
            "    local _, _, behind = wait_of(first)\n    set_wait(first, wait_of(first), owner, behind, condition)\n  end\n"
                    + "  set_wait(owner, ticket, '-', first or '-', condition)\n  set_ends(condition, owner, last or owner)"),
    WAIT_BESIDE_THE_FORMER("part", "  take(owner)\n", ""),
    WAIT_NOT_LINKED("part", "    set_wait(last, number, before, owner, condition)\n", ""),
    WAIT_DROPS_THE_OTHERS("part", "first or owner, owner)", "owner, owner)"),
    WAIT_WITHOUT_LIFE("part", "  live(owner:match('^(.*):'), lease)\n", ""),
    LEAVE_OF_ANOTHER_TICKET("leave", "take(ARGV[1], ARGV[2])", "take(ARGV[1])"),
    LEAVE_AFTER_A_SIGNAL("leave", "take(ARGV[1], ARGV[2]) and 1 or 0", "take(ARGV[1], ARGV[2]) and 1 or 1"),
    LEAVE_CUTS_THE_QUEUE("leave", "    set_wait(before, number, one, behind, condition)\n", ""),
    LEAVE_CUTS_THE_WAY_BACK("leave", "    set_wait(behind, number, before, other, condition)\n", ""),
    QUEUE_STAYS_EMPTY(null, "redis.call('HDEL', conditions, 'queue:' .. condition)", "set_ends(condition, '-', '-')"),
    WATCH_OF_ANOTHER_TICKET("watch", "wait_of(ARGV[i]) == ARGV[i + 1]", "wait_of(ARGV[i])"),
    WATCH_MISSES_THE_DEAD("watch", "deaf or tonumber(all[i + 1]) <= now", "deaf"),
    WATCH_MISSES_THE_DEAF("watch", "deaf or tonumber", "tonumber"),
    WATCH_FINDS_ITSELF("watch", "if other and other ~= client then", "if other then"),
    WATCH_WAKES_NOBODY("watch", "if answer[1] > 0 then\n  rouse()", "if false then\n  rouse()"),
    WATCH_WAKES_ALWAYS("watch", "if answer[1] > 0 then\n  rouse()", "if true then\n  rouse()"),
    WATCH_OF_NONE_STAYS("watch", "  redis.call('HDEL', conditions, 'client:' .. client)\n  return {0}", "  return {0}"),
    WATCH_FINDS_THEM_AGAIN("watch", "      redis.call('HDEL', conditions, all[i])\n      answer[1]", "      answer[1]"),
    ROUSE_LEAVES_THE_SETS(
            null,
            "    else\n      redis.call('HDEL', conditions, all[i])\n",
            "    else\n      redis.call('PTTL', conditions)\n"),
    ROUSE_WITHOUT_MESSAGE(null, "      tell(client, 'rouse')\n", "      redis.call('PTTL', conditions)\n"),
    KEY_SHORTENED(null, "if left < 2 * lease then", "if true then"),
    KEY_ENDS_WITH_A_FORMER_LEASE(null, "if left < 2 * lease then", "if left < 0 then"),
    KEY_WITHOUT_END(null, "if left == -2 then", "if false then"),
    PERMISSION_NOT_CHECKED(
            null,
            "  if left < 2 * lease then\n",
            "  redis.call('HSET', conditions, 'client:' .. client, '0')\n  if left < 2 * lease then\n");

    private final String file;
    private final String fragment;
    private final String instead;

    /** @param script null for all */
    ConditionDefect(@Nullable String script, String fragment, String instead) {
        this.file = script == null ? "" : "condition-" + script + ".lua";
        this.fragment = fragment;
        this.instead = instead;
    }

    /** {@return the script with the defect, if it is one that gets it} */
    String change(String script, String text) {
        return file.isEmpty() || script.equals(file) ? TimedScripts.changed(text, fragment, instead) : text;
    }
}
