# A copy of this folder for tests of its scripts: so kill_all ends what these tests started, and not what others
# are testing. To be loaded after common.
#
#	make_tree			to be called in setup_file: sets TREE, with all that is built
#	ours				prints the pids of all that runs from the copy, zombies apart
#	nothing_of_ours_runs		is there none?
#	end_ours			ends what a test has left
#	pid_of NAME			prints what the pid file of run_linux says: pid_of server-1

make_tree() {
	TREE="$BATS_FILE_TMPDIR/a copy"
	mkdir -p "$TREE/build"
	cp -a "$ROOT"/{compile_linux,run_linux,kill_all,Makefile,proto,server,player,viewer} "$TREE"
	cd "$ROOT" || return
	cp -a --parents tests/rules "$TREE"
	cp -a "${HOLMGANG_BUILD:-build}"/{holmgang-*,obj,lib} "$TREE/build"
	TREE=$(cd "$TREE" && pwd -P)
	export TREE
}

ours() {
	find /proc/[0-9]*/exe -maxdepth 0 -printf '%h %l\n' 2>/dev/null |
		awk -v tree="$TREE/build/" 'substr($0, index($0, " ") + 1, length(tree)) == tree {
			sub("/proc/", "", $1); print $1 }'
}

nothing_of_ours_runs() {
	[[ ! $(ours) ]]
}

# The scripts are tested with what they test; so what they leave is ended by hand.
end_ours() {
	local left
	left=$(ours)
	if [[ $left ]]; then
		xargs kill -KILL <<<"$left"
	fi
}

pid_of() { # server-1
	cat "$HOLMGANG_STATE/$1.pid"
}
