-- latch-look.lua: reads a latch, and renews the life of its keys if that is renewed.
--   KEYS[1]  latch    string: the count, as latch-set.lua has it
--   KEYS[2]  record   hash, as latch-set.lua has it
-- Returns the count, 0 if there is none; the parts of the state: how, generation, since, gone; and the milliseconds for which
--         the count lives, -1 if it has no expiry, -2 if there is none;
--         an error when the keys do not hold a latch.
-- A count above zero may be another one than that of the state, which then has ended: Redisson has set it.
local latch, record = KEYS[1], KEYS[2]
local client
-- include shared/latch-state.lua
prolong()
return {count, how, generation, since, gone, lives}
