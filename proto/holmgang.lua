-- holmgang.lua - shows Wireshark and tshark the lines and the frames of PROTOCOL.md, word by word.
--
--     tshark -X lua_script:proto/holmgang.lua -i lo -Y 'holmgang.verb == "MOVE"'
--
-- Copied to ~/.local/lib/wireshark/plugins it is always there. Connections and frames are known by what
-- is in them, whatever their ports are; only a capture must hold the PLAY (or another line that a
-- client says) of a connection. Of the HTTP of a viewer it knows nothing.
--
-- A word is never shown as what it is not: what does not fit PROTOCOL.md is a line like any other,
-- marked "malformed".

local holmgang = Proto("holmgang", "Holmgang")

-- What may be in a line or a frame: the word of the field, what it is, and its type.
local fields, kinds = {}, {}
local function add(word, text, kind)
	kinds[word] = kind or "string"
	fields[word] = ProtoField[kinds[word]]("holmgang." .. word, text)
end
add("line", "Line")
add("verb", "Verb")
add("frame", "Frame")
add("dialect", "Dialect")
add("from", "Said by")
add("id", "Id")
add("token", "Token")
add("first", "Moves first", "bool")
add("side", "Side")
add("side_value", "Has that side, or its number", "uint32")
add("seconds", "Seconds", "uint32")
add("move", "Move")
add("event", "Event")
add("may_move", "May move now", "bool")
add("why", "Why")
add("model", "Board")
add("verdict", "Verdict")
add("code", "Code")
add("text", "Text")
add("address", "Address")
add("status", "Status")
add("points", "Points")
add("tiles", "Tiles")
add("won", "Rounds won, by seat")
-- keys of PLAY, START and frames
add("game", "Game")
add("name", "Name")
add("names", "Names, by seat")
add("vs", "Wanted opponent")
add("table", "Table")
add("rounds", "Rounds", "uint32")
add("clock", "Clock")
add("strict", "Strict")
add("wait", "Seconds to look for opponents", "uint32")
add("legal", "Wants the legal moves")
add("cheat", "Cheat")
add("size", "Size", "uint32")
add("duel", "Duel")
add("seat", "Seat", "uint32")
add("seats", "Seats", "uint32")
add("round", "Round")
add("n", "State number", "uint32")
add("turn", "Whose turn")
add("ids", "Ids, by seat")
add("scores", "Points, by seat")
add("out", "Seats that are out")
for _, field in pairs(fields) do
	table.insert(holmgang.fields, field)
end

local malformed = ProtoExpert.new("holmgang.malformed", "This is not as PROTOCOL.md has it",
	expert.group.MALFORMED, expert.severity.WARN)
holmgang.experts = { malformed }

-- By verb: the fields that its words are. `word*` is the rest of the line, `word?` need not be there,
-- and `=` stands for words key=value. One list for each dialect where they differ.
local said_by_player = {
	PLAY = { classic = {}, full = { "game", "=" } },
	MOVE = { "move*" },
	LIST = {},
	GAMES = {},
	RESIGN = {},
	RESUME = { "token" },
	LOGOUT = {},
}
local said_by_server = {
	ID = { classic = { "id" }, full = { "id", "token" } },
	NO_OPPONENTS = { "seconds?" },
	START = { classic = { "first", "side", "side_value" }, full = { "first", "side", "side_value", "=" } },
	STATE = { full = { "seat", "event+", "may_move" }, classic = { "event+", "may_move" } },
	BOARD = { "model" },
	RACK = { "tiles*" },
	SCORE = { "points*" },
	LEGAL = { "move*" },
	WIN = { "why" },
	LOSE = { classic = { "why", "move*" }, full = { "why" } },
	UNRESOLVED = { classic = { "move*" }, full = { "why" } },
	ROUND = { "round", "rounds", "won*" },
	AWAY = { "seat", "seconds" },
	BACK = { "seat" },
	FROZEN = {},
	UNFROZEN = {},
	ABORTED = { "why?" },
	ERROR = { "code", "text*" },
	END = {},
}
local frame_words = { "id", "id", "model", "verdict", "=" }

local UUID = "%x%x%x%x%x%x%x%x%-%x%x%x%x%-%x%x%x%x%-%x%x%x%x%-%x%x%x%x%x%x%x%x%x%x%x%x"
local IDS_OF_FRAME = 36 + 1 + 36 + 1

-- The words of a text, each with where it begins.
local function split(text)
	local words = {}
	for from, word in text:gmatch("()([^ ]+)") do
		table.insert(words, { text = word, from = from - 1 })
	end
	return words
end

-- Adds a field with the bytes that it is in. False: they are not of its type.
local function show(tree, buffer, word, text, from)
	local value = text
	if kinds[word] == "bool" then
		if text ~= "0" and text ~= "1" then return false end
		value = text == "1"
	elseif kinds[word] == "uint32" then
		value = text:match("^%d+$") and #text < 10 and tonumber(text)
		if not value then return false end
	end
	tree:add(fields[word], buffer:range(from, #text), value)
	return true
end

-- Words key=value, from the given one. False: one is unknown.
local function show_keys(tree, buffer, words, n)
	for i = n, #words do
		local key, value = words[i].text:match("^(%l+)=(.*)$")
		if not key or not fields[key] or not show(tree, buffer, key, value, words[i].from + #key + 1) then
			return false
		end
	end
	return true
end

-- From word `from` to word `to`, as one text.
local function join(words, from, to)
	local texts = {}
	for i = from, to do
		table.insert(texts, words[i].text)
	end
	return table.concat(texts, " ")
end

-- The words from the n-th on, as the list has them. False: they do not fit.
local function show_words(tree, buffer, list, words, n)
	for at, name in ipairs(list) do
		local word, how = name:match("^([%l_]+)(.?)$")
		if name == "=" then
			return show_keys(tree, buffer, words, n)
		elseif not words[n] then
			return how == "?" or how == "*"
		end
		local last = n
		if how == "*" then
			last = #words
		elseif how == "+" then
			last = #words - (#list - at)
		end
		if last < n or not show(tree, buffer, word, join(words, n, last), words[n].from) then
			return false
		end
		n = last + 1
	end
	return n > #words
end

-- A connection: the port of its player, and from which packet on it speaks which dialect. Packets are
-- dissected again in any order, so what was learnt from one is kept with its number.
local connections = {}
local stream_of = Field.new("tcp.stream")

function holmgang.init()
	connections = {}
end

local function dialect_at(connection, packet)
	local dialect = "classic"
	for _, change in ipairs(connection.changes) do
		if change.packet <= packet then dialect = change.dialect end
	end
	return dialect
end

local function learn(connection, packet, verb, words)
	if packet.visited then return end
	if verb == "PLAY" or verb == "RESUME" then
		local dialect = #words > 1 and "full" or "classic"
		table.insert(connection.changes, { packet = packet.number, dialect = dialect })
	end
end

-- A line of the answers to LIST and GAMES begins with no verb.
local function show_entry(tree, buffer, words)
	if words[1].text:match("^" .. UUID .. "$") then
		local list = #words == 2 and { "id", "address" } or { "id", "address", "name", "game", "status" }
		return show_words(tree, buffer, list, words, 1)
	end
	return words[1].text:match("^%l+$") ~= nil
end

local function show_line(tree, buffer, packet, connection)
	local text = buffer:raw():gsub("\r?\n$", "")
	local words = split(text)
	local from_player = packet.src_port == connection.port
	local verb = words[1] and words[1].text or ""
	local list = (from_player and said_by_player or said_by_server)[verb]
	local line = tree:add(fields.line, buffer, text)
	local fits

	if from_player then learn(connection, packet, verb, words) end
	local dialect = dialect_at(connection, packet.number)
	line:add(fields.from, from_player and "player" or "server"):set_generated()
	line:add(fields.dialect, dialect):set_generated()
	if list then
		line:add(fields.verb, buffer:range(0, #verb), verb)
		fits = show_words(line, buffer, list[dialect] or list, words, 2)
	else
		fits = not from_player and #words > 0 and show_entry(line, buffer, words)
	end
	if not fits then line:add_proto_expert_info(malformed) end
	return text
end

-- Whole lines; the rest is asked for again, with what comes after it.
local function dissect_lines(buffer, packet, tree)
	local stream = stream_of()()
	local connection = connections[stream]
	if not connection then
		connection = { port = packet.src_port, changes = {} }
		connections[stream] = connection
	end
	packet.cols.protocol = "Holmgang"
	local root = tree:add(holmgang, buffer)
	local said, from = {}, 0
	while from < buffer:len() do
		local stop = buffer:raw(from):find("\n", 1, true)
		if not stop then
			packet.desegment_offset = from
			packet.desegment_len = DESEGMENT_ONE_MORE_SEGMENT
			break
		end
		table.insert(said, show_line(root, buffer:range(from, stop), packet, connection))
		from = from + stop
	end
	packet.cols.info = table.concat(said, " | ")
	return buffer:len()
end

local function dissect_frame(buffer, packet, tree)
	local text = buffer:raw():gsub("\n$", "")
	local root = tree:add(holmgang, buffer)
	packet.cols.protocol = "Holmgang"
	packet.cols.info = text:sub(IDS_OF_FRAME + 1)
	root:add(fields.frame, buffer, text)
	if not show_words(root, buffer, frame_words, split(text), 1) then
		root:add_proto_expert_info(malformed)
	end
end

-- A connection is ours when somebody begins it with a verb of a player.
holmgang:register_heuristic("tcp", function(buffer, packet, tree)
	local verb = buffer:raw():match("^(%u+)[ \r\n]")
	if not verb or not said_by_player[verb] then return false end
	packet.conversation = holmgang
	dissect_lines(buffer(), packet, tree)
	return true
end)

holmgang:register_heuristic("udp", function(buffer, packet, tree)
	if not buffer:raw():match("^" .. UUID .. " " .. UUID .. " ") then return false end
	dissect_frame(buffer(), packet, tree)
	return true
end)

function holmgang.dissector(buffer, packet, tree)
	return dissect_lines(buffer(), packet, tree)
end
