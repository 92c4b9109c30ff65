# What the compiler and the linker put between a mistake with memory and who would make use of it.

load ../lib/common

@test "each program lies anywhere in memory, and writes to nothing that the loader has filled in" {
	local program
	for program in server player viewer web arena rules; do
		echo "$program"
		run -0 readelf --wide --file-header --segments --dynamic "$BUILD/holmgang-$program"
		[[ $output =~ Type:\ +DYN ]]
		[[ $output == *GNU_RELRO* ]]
		[[ $output =~ GNU_STACK[^$'\n']*\ RW\  ]]
		[[ $output =~ \(FLAGS_1\)[^$'\n']*\ NOW ]]
	done
}

# The C library in the server has these names too, so only what we compile tells something.
@test "each part watches over its stack, and over what is copied to where" {
	local folder object objects
	if grep -qa __asan_init "$BUILD/holmgang-server"; then return; fi # it sees more, and must be alone
	# board.css.o and its like hold a file as it is, no code
	for folder in proto server player viewer; do
		echo "$folder"
		mapfile -t objects < <(find "$BUILD/obj/$folder" -name '*.o' ! -name '*.*.o')
		run -0 nm --undefined-only "${objects[@]}"
		[[ $output == *' __stack_chk_fail'* ]]
		[[ $output =~ \ __(read|recv|strcpy|memcpy|printf|fprintf|snprintf|vsnprintf)_chk ]]
		if [[ $(uname -m) != x86_64 ]]; then continue; fi
		for object in "${objects[@]}"; do
			run -0 readelf --notes "$object"
			[[ $output == *'x86 feature: IBT, SHSTK'* ]]
		done
	done
}
