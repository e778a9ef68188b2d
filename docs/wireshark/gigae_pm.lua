-- Dissects frames of GigaE PM in Wireshark and tshark 4 (header: crates/gigae_pm/src/header.rs, decision 0028).
--
-- Once:     tshark -X lua_script:docs/wireshark/gigae_pm.lua -r FILE
-- For good: copy this file into the personal Lua plugins folder that Help > About Wireshark > Folders names.
--
-- Filters: gigae_pm.kind == 1, gigae_pm.channel, gigae_pm.source, gigae_pm.number ...

-- A local experimental Ethernet type.
local ETHER_TYPE = 0x88b5

local KINDS = { [1] = "Message", [2] = "Ack", [3] = "Lose", [4] = "Stop", [5] = "Go" }
local MESSAGE = 1

local pm = Proto("gigae_pm", "GigaE PM")

-- name, offset in the payload of the Ethernet frame, bytes, mask. A test compares this table with the card.
local LAYOUT = {
  { "version", 0, 1, 0xf0 },
  { "kind", 0, 1, 0x0f },
  { "channel", 1, 1, 0xff },
  { "source", 4, 2, 0xffff },
  { "destination", 8, 2, 0xffff },
  { "number", 12, 4, 0xffffffff },
  { "control_number", 16, 4, 0xffffffff },
  { "size", 20, 2, 0xffff },
  { "epoch", 22, 2, 0xffff },
}
local HEADER_BYTES = 32

local TITLES = {
  version = "Version",
  kind = "Kind",
  channel = "Channel",
  source = "Source node",
  destination = "Destination node",
  number = "Message number",
  control_number = "Number of a control frame",
  size = "Message size",
  epoch = "Epoch (session)",
}

local fields = {}
for _, line in ipairs(LAYOUT) do
  local name, bytes, mask = line[1], line[3], line[4]
  local new = bytes == 1 and ProtoField.uint8 or bytes == 2 and ProtoField.uint16 or ProtoField.uint32
  local whole = mask == 2 ^ (8 * bytes) - 1
  local names = name == "kind" and KINDS or nil
  fields[name] = new("gigae_pm." .. name, TITLES[name], base.DEC, names, not whole and mask or nil)
end
fields.message = ProtoField.bytes("gigae_pm.message", "Message")
pm.fields = fields

local short = ProtoExpert.new("gigae_pm.short", "The frame is shorter than it says", expert.group.MALFORMED,
  expert.severity.ERROR)
local unknown = ProtoExpert.new("gigae_pm.unknown", "No such kind or version", expert.group.PROTOCOL,
  expert.severity.WARN)
pm.experts = { short, unknown }

function pm.dissector(buffer, pinfo, tree)
  pinfo.cols.protocol = "GigaE PM"
  local header = tree:add(pm, buffer(0, math.min(HEADER_BYTES, buffer:len())))
  if buffer:len() < HEADER_BYTES then
    header:add_proto_expert_info(short)
    return buffer:len()
  end

  -- Little-endian, whatever the order of the other protocols on the wire.
  local value = {}
  for _, line in ipairs(LAYOUT) do
    local name, offset, bytes, mask = line[1], line[2], line[3], line[4]
    value[name] = bit.band(buffer(offset, bytes):le_uint(), mask)
    header:add_le(fields[name], buffer(offset, bytes))
  end

  local kind = KINDS[value.kind]
  if kind == nil or value.version ~= 0x10 then
    header:add_proto_expert_info(unknown)
  end
  local carries = value.kind == MESSAGE
  local number = buffer(carries and 12 or 16, 4):le_uint()
  local info = string.format("%s %d, channel %d, node %d to %d", kind or "Unknown", number, value.channel,
    value.source, value.destination)
  if carries then
    info = info .. string.format(", %d bytes", value.size)
    if buffer:len() < HEADER_BYTES + value.size then
      header:add_proto_expert_info(short)
    elseif value.size > 0 then
      tree:add(fields.message, buffer(HEADER_BYTES, value.size))
    end
  end
  pinfo.cols.info = info
  return buffer:len()
end

DissectorTable.get("ethertype"):add(ETHER_TYPE, pm)
