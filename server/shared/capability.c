/*
 * capability.c - giving up root's powers. See capability.h.
 */
#include "server/shared/capability.h"

#include <err.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

void capability_keep(int capability)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0},
				      kept[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &header, data) != 0)
		err(1, "cannot ask which powers of root's there are");
	if (capability >= 0) {
		int half = CAP_TO_INDEX(capability);

		kept[half].permitted = data[half].permitted & CAP_TO_MASK(capability);
		kept[half].effective = kept[half].permitted;
	}
	if (syscall(SYS_capset, &header, kept) != 0)
		err(1, "cannot give up root's powers");
}
