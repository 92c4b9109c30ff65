# Builds once, before the first test of a run. `make test` has done so already, and says so with
# HOLMGANG_BUILD.

setup_suite() {
	if [[ ! ${HOLMGANG_BUILD-} ]]; then
		make -s -C "$BATS_TEST_DIRNAME/.." -j "$(nproc)" all drivers benchers
	fi
}
