-- Dissects frames of GigaE PM in Wireshark and tshark 4 (header: crates/devices/gigae_pm/src/header.rs, decision 0028).
--
-- Once:     tshark -X lua_script:docs/wireshark/gigae_pm.lua -r FILE
-- For good: copy this file into the personal Lua plugins folder that Help > About Wireshark > Folders names.
--
-- Filters: gigae_pm.kind == 1, gigae_pm.channel, gigae_pm.source, gigae_pm.number ...
--          gigae_pm.mpi, gigae_pm.mpi.tag == 7, gigae_pm.mpi.kind == 2, gigae_pm.mpi.collective ...
--
-- A message of PM that begins with an envelope of MPI (crates/mpi/src/envelope.rs) is shown as one: nothing in the frame says what
-- a channel is used for, so it is one if its kind is known and the bytes behind it are zero.

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

local mpi = Proto("gigae_pm.mpi", "MPI over PM")

local MPI_KINDS = { [1] = "Eager", [2] = "Ask", [3] = "Clear", [4] = "Data" }

-- name, offset in the message of PM, bytes. A test compares this table with the library.
local MPI_LAYOUT = {
  { "context", 0, 2 },
  { "rank", 2, 2 },
  { "tag", 4, 4 },
  { "length", 8, 4 },
  { "request", 12, 4 },
  { "kind", 16, 1 },
}
local ENVELOPE_BYTES = 24

local MPI_TITLES = {
  context = "Context (communicator)",
  rank = "Rank of the sender in it",
  tag = "Tag",
  length = "Bytes of the whole message",
  request = "Number at its sender",
  kind = "Kind of packet",
}

local mpi_fields = {}
for _, line in ipairs(MPI_LAYOUT) do
  local name, bytes = line[1], line[3]
  local new = bytes == 1 and ProtoField.uint8 or bytes == 2 and ProtoField.uint16 or ProtoField.uint32
  mpi_fields[name] = new("gigae_pm.mpi." .. name, MPI_TITLES[name], base.DEC, name == "kind" and MPI_KINDS or nil)
end
-- The last bit of a context says so.
mpi_fields.collective = ProtoField.bool("gigae_pm.mpi.collective", "Within a collective operation")
mpi_fields.data = ProtoField.bytes("gigae_pm.mpi.data", "Data")
mpi.fields = mpi_fields

local function is_envelope(message)
  if message:len() < ENVELOPE_BYTES or MPI_KINDS[message(16, 1):uint()] == nil then
    return false
  end
  for at = 17, ENVELOPE_BYTES - 1 do
    if message(at, 1):uint() ~= 0 then
      return false
    end
  end
  return true
end

-- What a packet of MPI is, as a row: what it carries, from which rank, and where it belongs.
local function row(value, bytes)
  local of = string.format("rank %d, tag %d, context %d", value.rank, value.tag, value.context)
  if value.kind == 2 then
    return string.format("a place for %d bytes, %s", value.length, of)
  elseif value.kind == 3 then
    return string.format("%d bytes, message %d", value.length, value.request)
  end
  local what = value.kind == 1 and of or string.format("message %d", value.request)
  return string.format("%d of %d bytes, %s", bytes, value.length, what)
end

local function dissect_mpi(message, pinfo, tree)
  local envelope = tree:add(mpi, message(0, ENVELOPE_BYTES))
  local value = {}
  for _, line in ipairs(MPI_LAYOUT) do
    local name, offset, bytes = line[1], line[2], line[3]
    value[name] = message(offset, bytes):le_uint()
    envelope:add_le(mpi_fields[name], message(offset, bytes))
  end
  local collective = value.context % 2 == 1
  envelope:add(mpi_fields.collective, message(0, 1), collective):set_generated()
  local bytes = message:len() - ENVELOPE_BYTES
  if bytes > 0 then
    tree:add(mpi_fields.data, message(ENVELOPE_BYTES, bytes))
  end
  pinfo.cols.protocol = "MPI"
  return string.format("%s: %s%s", MPI_KINDS[value.kind], row(value, bytes), collective and ", collective" or "")
end

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
      local message = buffer(HEADER_BYTES, value.size)
      tree:add(fields.message, message)
      if is_envelope(message) then
        info = dissect_mpi(message, pinfo, tree) .. " | " .. info
      end
    end
  end
  pinfo.cols.info = info
  return buffer:len()
end

DissectorTable.get("ethertype"):add(ETHER_TYPE, pm)
