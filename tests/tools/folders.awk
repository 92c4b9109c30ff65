# folders.awk - reads the #include "..." lines of the files it is given, and fails, naming these lines, where
# a folder includes what stands above it, or folders include each other in a circle.

function folder_of(path) { return path ~ "/" ? substr(path, 1, match(path, "/[^/]*$") - 1) : "." }
function top_of(path) { return substr(path, 1, index(path "/", "/") - 1) }
function complain(where, why) { print where ": " why; bad = 1 }

BEGIN {
	below["proto"] = " proto "
	below["viewer"] = " proto viewer "
	below["server"] = " proto viewer server "
	below["player"] = " proto viewer player "
	below["tests"] = " proto viewer server player tests "
}

/^#include "/ {
	split($0, word, "\"")
	from = folder_of(FILENAME); to = folder_of(word[2])
	if (!(top_of(to) in below))
		complain(FILENAME ":" FNR, "say the path from the top, not \"" word[2] "\"")
	else if (!index(below[top_of(from)], " " top_of(to) " "))
		complain(FILENAME ":" FNR, top_of(from) " must not include " top_of(to))
	else if (from != to) {
		lines[from, to] = lines[from, to] " " FILENAME ":" FNR
		folder[from]; folder[to]; leads[from, to]
	}
}

END {
	for (via in folder) for (from in folder) for (to in folder)
		if ((from, via) in leads && (via, to) in leads) leads[from, to]
	for (edge in lines) {
		split(edge, end, SUBSEP)
		if ((end[2], end[1]) in leads)
			complain(end[1] " includes " end[2] ", which leads back to it", substr(lines[edge], 2))
	}
	exit bad
}
