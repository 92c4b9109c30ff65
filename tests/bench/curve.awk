# Draws what build/bench/curve has measured, as SVG. Two panels with one scale of time: by descriptors, by
# heap. The lines of either way differ in dashes and marks too, not only in colour. A first line
# that begins with # becomes the caption. The least times are drawn: what else a machine does only adds.
#
#	awk -f tests/bench/curve.awk build/bench/curve.tsv >tests/tour/fork.svg

BEGIN {
	top = 70; height = 270; bottom = top + height
	panel("descriptors", 90, 400, 20000, 5000, "descriptors that are open in the parent")
	panel("heap", 560, 250, 64, 16, "MiB of heap in the parent")
	text["direct"] = "the parent forks"; text["spawner"] = "a spawner forks"
}

function panel(name, at, wide, end, step, title) {
	left[name] = at; width[name] = wide; last[name] = end; tick[name] = step; title_of[name] = title
}

function add(name, way, x, y) {
	n = ++points[name, way]
	px[name, way, n] = x; py[name, way, n] = y
	if (y > most) most = y
}

/^#/ { caption = substr($0, 3); next }
$3 == 0 { add("descriptors", $1, $2, $6) }
$2 == 10 { add("heap", $1, $3, $6) }

# A round step, of which up to nine reach x.
function step_of(x,    step) {
	for (step = 1; x / step > 90; step *= 10) ;
	return x / step > 45 ? 10 * step : x / step > 18 ? 5 * step : x / step > 9 ? 2 * step : step
}

function thousands(x) { return x >= 1000 ? int(x / 1000) "," substr(1000 + x % 1000, 2) : x }

function across(name, x) { return sprintf("%.1f", left[name] + width[name] * x / last[name]) }
function up(y) { return sprintf("%.1f", bottom - height * y / high) }

function say(class, x, y, words) { printf "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n", class, x, y, words }

function draw_frame(name,    x, y) {
	for (y = 0; y <= high; y += step) {
		printf "<path class=\"grid\" d=\"M%s %sH%s\"/>\n", left[name], up(y), left[name] + width[name]
		if (name == "descriptors") say("tick end", left[name] - 8, up(y) + 4, thousands(y))
	}
	for (x = 0; x <= last[name]; x += tick[name]) {
		printf "<path class=\"axis\" d=\"M%s %sv5\"/>\n", across(name, x), bottom
		say("tick middle", across(name, x), bottom + 20, thousands(x))
	}
	printf "<path class=\"axis\" d=\"M%s %sH%s\"/>\n", left[name], bottom, left[name] + width[name]
	say("middle", left[name] + width[name] / 2, bottom + 42, title_of[name])
}

function draw_line(name, way,    i, d, x, y) {
	for (i = 1; i <= points[name, way]; i++) {
		x = across(name, px[name, way, i]); y = up(py[name, way, i])
		d = d (i == 1 ? "M" : "L") x " " y
	}
	printf "<path class=\"line %s\" d=\"%s\"/>\n", way, d
	for (i = 1; i <= points[name, way]; i++) {
		x = across(name, px[name, way, i]); y = up(py[name, way, i])
		if (way == "direct") printf "<circle class=\"mark %s\" cx=\"%s\" cy=\"%s\" r=\"4\"/>\n", way, x, y
		else printf "<rect class=\"mark %s\" x=\"%s\" y=\"%s\" width=\"8\" height=\"8\"/>\n", way, x - 4, y - 4
	}
	# beside its last point, above the line
	say("end name " way, x, y - 12, text[way] ": " thousands(int(py[name, way, i - 1])) " µs")
}

function draw(name) {
	draw_frame(name)
	draw_line(name, "direct")
	draw_line(name, "spawner")
}

END {
	step = step_of(most); high = step * int(most / step + 1)
	print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 440\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\">"
	print "<title>What a fork costs, by the size of who forks</title>"
	print "<style>"
	print ".paper{fill:#fff}text{fill:#222}.grid{stroke:#ddd}.axis{stroke:#666}.line{fill:none;stroke-width:2}"
	print ".direct{stroke:#b3400f}.spawner{stroke:#0b6aa2}.line.spawner{stroke-dasharray:7 4}.mark.direct{fill:#b3400f}.mark.spawner{fill:#0b6aa2}"
	print "text.name{stroke:none;font-weight:bold}text.direct{fill:#b3400f}text.spawner{fill:#0b6aa2}"
	print ".head{font-size:17px;font-weight:bold}.note{font-size:11px}.end{text-anchor:end}.middle{text-anchor:middle}"
	print "@media(prefers-color-scheme:dark){.paper{fill:#16181c}text{fill:#e6e6e6}.grid{stroke:#34373d}.axis{stroke:#999}"
	print ".direct{stroke:#ff9d6b}.spawner{stroke:#6cc4f5}.mark.direct,text.direct{fill:#ff9d6b}.mark.spawner,text.spawner{fill:#6cc4f5}}"
	print "</style>"
	print "<rect class=\"paper\" width=\"860\" height=\"440\"/>"
	say("head", 20, 28, "What a fork costs, by the size of who forks")
	say("", 20, 50, "µs until the child is there and has closed what is not its own (the least of many)")
	draw("descriptors")
	draw("heap")
	say("note", 20, 426, caption)
	print "</svg>"
}
