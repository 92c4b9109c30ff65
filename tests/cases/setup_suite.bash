# Before the first test of a run: builds, and finds out what this machine refuses. `make test` has built
# already, and says so with HOLMGANG_BUILD; tests/run has done both, and says so with HOLMGANG_LACKS.

# shellcheck source=tests/lib/powers.bash
source "$(dirname "${BASH_SOURCE[0]}")/../lib/powers.bash"

setup_suite() {
	local root
	root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
	if [[ ! ${HOLMGANG_BUILD-} ]]; then
		make -s -C "$root" -j "$(nproc)" all drivers benchers
		export HOLMGANG_BUILD=build
	fi
	if [[ ! ${HOLMGANG_LACKS+set} ]]; then
		HOLMGANG_LACKS=$(find_lacks "$(cd "$root" && cd "$HOLMGANG_BUILD" && pwd -P)")
		export HOLMGANG_LACKS
	fi
}
