# From lines "ROW SUBJECT FIGURE NUMBER" to a table of medians (smallest to largest), and the ratios
# that matter, each with its goal. Rows and subjects are in the order in which they were run.
#
# A ratio within a slice is the median of the ratios of runs that were made one after the other: what else
# the machine does changes from second to second, and falls on such two alike, if on any. Others are of medians.

{
	key = $1 " " $2 " " $3
	raw[key, ++times[key]] = $4 + 0
	value[key, times[key]] = $4 + 0
	if (!($1 in row_seen)) { row_seen[$1] = 1; row[++rows] = $1 }
	if (!(($1, $2) in seen)) { seen[$1, $2] = 1; subjects[$1] = subjects[$1] " " $2 }
}

function sort_values(key,    i, j, swap) {
	for (i = 2; i <= times[key]; i++)
		for (j = i; j > 1 && value[key, j] < value[key, j - 1]; j--) {
			swap = value[key, j]; value[key, j] = value[key, j - 1]; value[key, j - 1] = swap
		}
}

function median_of(key) {
	if (times[key] == 0) return 0
	sort_values(key)
	return (value[key, int((times[key] + 1) / 2)] + value[key, int(times[key] / 2) + 1]) / 2
}

function median(r, subject, figure) { return median_of(r " " subject " " figure) }

function number(x) { return sprintf(x < 100 ? "%.1f" : "%.0f", x) }

function cell(r, subject, figure,    key) {
	key = r " " subject " " figure
	if (!(key in times)) return "-"
	sort_values(key)
	return number(median(r, subject, figure)) " (" number(value[key, 1]) "-" \
		number(value[key, times[key]]) ")"
}

function print_table(pattern, title, figures,    i, j, k, names, list, count, wanted) {
	print ""
	wanted = split(figures, names, " ")
	printf "%-10s %-11s", title, ""
	for (k = 1; k <= wanted; k++) printf " %22s", names[k]
	print ""
	for (i = 1; i <= rows; i++) {
		if (row[i] !~ pattern) continue
		count = split(subjects[row[i]], list, " ")
		for (j = 1; j <= count; j++) {
			printf "%-10s %-11s", row[i], list[j]
			for (k = 1; k <= wanted; k++) printf " %22s", cell(row[i], list[j], names[k])
			print ""
		}
	}
}

# One ratio, one line. how: "at least", "at most", "more than", "less than".
function goal(what, x, how, limit, more,    met) {
	met = how == "at least" ? x >= limit : how == "at most" ? x <= limit : \
		how == "more than" ? x > limit : x < limit
	printf "%-62s %8.2f  %-9s %5.2f  %s%s\n", what, x, how, limit, met ? "yes" : "NO", \
		more == "" ? "" : "  " more
}

function ratio(r, one, figure, r2, other,    above, below, i, key) {
	above = r " " one " " figure
	below = r2 " " other " " figure
	key = above "/" below
	times[key] = 0
	for (i = 1; i <= times[above] && i <= times[below]; i++)
		if (raw[below, i] > 0) value[key, ++times[key]] = raw[above, i] / raw[below, i]
	return median_of(key)
}

function ratio_of_medians(r, one, figure, r2, other,    below) {
	below = median(r2, other, figure)
	return below > 0 ? median(r, one, figure) / below : 0
}

function us(r, one, other, figure) {
	return "(" number(median(r, one, figure)) " : " number(median(r, other, figure)) " us)"
}

function us2(figure) {
	return "(" number(median(many, "holmgang", figure)) " : " number(median(few, "holmgang", figure)) " us)"
}

function goals_of_row(r,    n) {
	n = r; sub(/.*-/, "", n)
	if (r ~ /^duels/) {
		goal("duels a second, " n " at once, to plain fork", ratio(r, "holmgang", "duels_per_s", r, "fork"), "at least", 1.4)
		goal("duels a second, " n " at once, to the spawner floor", ratio(r, "holmgang", "duels_per_s", r, "spawner"), "at least", 0.75)
		goal("CPU time a duel, " n " at once, to the spawner floor", ratio(r, "holmgang", "cpu_us", r, "spawner"), "at most", 1.4, us(r, "holmgang", "spawner", "cpu_us"))
		goal("the same with 16 broadcast ports", ratio(r, "holmgang16", "cpu_us", r, "spawner"), "at most", 1.4, us(r, "holmgang16", "spawner", "cpu_us"))
		goal("the server's own CPU time a duel, " n " at once, to plain fork", ratio(r, "holmgang", "parent_us", r, "fork"), "at most", 40 / 110, us(r, "holmgang", "fork", "parent_us"))
		printf "%-62s %8.2f\n", "   with --spawn direct", ratio(r, "direct", "cpu_us", r, "holmgang")
	} else if (r ~ /^twins/) {
		goal("CPU time a duel, " n " at once, with --trace to without", ratio(r, "traced", "cpu_us", r, "holmgang"), "at most", 1.02, us(r, "traced", "holmgang", "cpu_us"))
	} else if (r ~ /^kept/) {
		goal("duels a second, " n " at once, kept connections to new ones", ratio(r, "holmgang", "duels_per_s", "duels-" n, "holmgang"), "more than", 1)
	} else if (r ~ /^long/) {
		goal("CPU time a move, " n " tables, to the spawner floor", ratio(r, "holmgang", "cpu_us", r, "spawner"), "at most", 1.25, us(r, "holmgang", "spawner", "cpu_us"))
	} else if (r ~ /^way/) {
		goal("a move's way, median, " n " live, to the spawner floor", ratio(r, "holmgang", "way_us", r, "spawner"), "at most", 1.2, us(r, "holmgang", "spawner", "way_us"))
		goal("a move's way, 99th percentile, " n " live", ratio(r, "holmgang", "way_p99_us", r, "spawner"), "at most", 1.4, us(r, "holmgang", "spawner", "way_p99_us"))
	} else if (r ~ /^wall-viewer/) {
		goal("frames dropped by a wall of 16, " number(median(r, "holmgang16", "frames_per_s")) " a second", median(r, "holmgang16", "dropped"), "at most", 0)
		goal("percent of a processor for the viewer", median(r, "holmgang16", "viewer_percent"), "less than", 5)
		printf "%-62s %8.2f\n", "   to hear alone, and draw nothing", median("wall-hear", "holmgang16", "viewer_percent")
	}
}

END {
	if (size == "full") {
		print_table("^(duels|kept|twins)", "duels", "duels_per_s cpu_us parent_us spawner_us client_us frames faults")
		print_table("^long", "long duels", "moves_per_s cpu_us")
		print_table("^way", "a move's way", "way_us way_p99_us")
		print_table("^crowd", "idle tables", "start_us start_p99_us parent_us table_kib table_pss_kib")
		print_table("^wall", "the wall", "frames_per_s dropped viewer_percent")
	}
	print ""
	for (i = 1; i <= rows; i++) {
		goals_of_row(row[i])
		if (row[i] ~ /^crowd/ && few == "") few = row[i]
		if (row[i] ~ /^crowd/) many = row[i]
	}
	n = few; sub(/.*-/, "", n)
	m = many; sub(/.*-/, "", m)
	goal("start of a table with " m " live, to that with " n, ratio_of_medians(many, "holmgang", "start_us", few, "holmgang"), "at most", 1.15, us2("start_us"))
	printf "%-62s %8.2f\n", "   of plain fork", ratio_of_medians(many, "fork", "start_us", few, "fork")
	printf "%-62s %8.2f\n", "   of plain fork that keeps the players' sockets", ratio_of_medians(many, "fork_keep", "start_us", few, "fork_keep")
	printf "%-62s %8.2f\n", "   of the spawner floor", ratio_of_medians(many, "spawner", "start_us", few, "spawner")
	goal("the server's own CPU time for it, " m " live to " n, ratio_of_medians(many, "holmgang", "parent_us", few, "holmgang"), "at most", 1.15, us2("parent_us"))
	goal("memory of an idle table, to the spawner floor", ratio(many, "holmgang", "table_kib", many, "spawner"), "at most", 1.25, "(" number(median(many, "holmgang", "table_kib")) " : " number(median(many, "spawner", "table_kib")) " KiB)")
}
