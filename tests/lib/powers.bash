# What a machine may refuse that some tests need. Whether it does is tried once for all tests of a run,
# since no list of rights tells: a container, a chroot and an ordinary user are each refused something
# else. A test says `needs POWER`, or asks `has_power POWER`; see common.bash. The powers:
#
#	six		the address ::1
#	network		a network namespace, with addresses and limits of its own
#	disk		a file system that is mounted for some processes alone
#	room		that of the tour: networks, processes and mounts of its own
#	trace		ptrace of another process of the same user
#	look		the /proc of a process that hides from all but root

POWERS=(six network disk room trace look)
HERE_ARE_POWERS=${BASH_SOURCE[0]%/*}

# Sets NAMESPACE, a command whose arguments are run as a command in a namespace of its own: root's, or
# one of root of a user namespace. What the latter may is less.
own_namespace() { # OPTION
	NAMESPACE=(unshare "$1" --)
	if ! "${NAMESPACE[@]}" true 2>/dev/null && unshare --map-root-user "$1" true 2>/dev/null; then
		NAMESPACE=(unshare --map-root-user "$1" --)
	fi
}

try_six() {
	python3 -c 'import socket; socket.socket(socket.AF_INET6).bind(("::1", 0))'
}

try_network() {
	own_namespace --net
	"${NAMESPACE[@]}" bash -euc '
		ip link set lo up
		ip address add 10.9.0.1/32 dev lo
		ip address add 2001:db8::1/128 dev lo nodad
		echo 4096 4096 8192 >/proc/sys/net/ipv4/tcp_wmem'
}

try_disk() {
	own_namespace --mount
	"${NAMESPACE[@]}" mount -t tmpfs -o size=128k none /mnt
}

try_room() {
	"$HERE_ARE_POWERS/../tour/run" --try
}

# It is killed when strike has it.
try_trace() { # BUILD
	local pid status=0
	sleep 60 &
	pid=$!
	timeout 10 "$1/tests/strike" "$pid" any - || status=$?
	kill -KILL "$pid" 2>/dev/null || true
	wait "$pid" 2>/dev/null || true
	return "$status"
}

try_look() {
	local pid ready status=0
	exec {ready}< <(exec python3 -c '
import ctypes, time
ctypes.CDLL(None).prctl(4, 0) # PR_SET_DUMPABLE
print("hidden", flush=True)
time.sleep(60)')
	pid=$!
	read -r -t 20 -u "$ready" || true
	readlink -v "/proc/$pid/exe" && cat "/proc/$pid/smaps" >/dev/null || status=$?
	kill "$pid"
	exec {ready}<&-
	return "$status"
}

# Prints "POWER: why" for each that this machine refuses.
find_lacks() { # BUILD
	local power said
	for power in "${POWERS[@]}"; do
		said=$("try_$power" "$1" 2>&1) || echo "$power: $(tail -n 1 <<<"${said:-it is refused}")"
	done
}
