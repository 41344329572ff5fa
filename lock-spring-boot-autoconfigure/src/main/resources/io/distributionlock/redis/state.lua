-- Replaces the line "include state.lua" when a script is loaded. Requires clock.lua, fence.lua and owner.lua before it, and the locals
--       value   what the owner key holds, false if it is absent
--       fence   what the fence key holds, false if it is absent
--       micros  Redis's clock, read once for the whole run

local now = millis_of(micros)

-- Whether the owner key exists, its exclusive owner with the last ms of a guarded lease, and its mark if it is one.
local exists, mark = value ~= false, is_mark(value) and value or nil
local owner, ends = owner_in(value, now)
