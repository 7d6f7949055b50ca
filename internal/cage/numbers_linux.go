//go:build amd64 || arm64

package cage

import (
	"strconv"
	"strings"
)

// laterCalls names the system calls from number firstLater on, which are the same on
// all architectures.
const (
	firstLater = 424
	laterCalls = `
pidfd_send_signal io_uring_setup io_uring_enter io_uring_register open_tree move_mount fsopen fsconfig fsmount
fspick pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 process_madvise epoll_pwait2 mount_setattr
quotactl_fd landlock_create_ruleset landlock_add_rule landlock_restrict_self memfd_secret process_mrelease
futex_waitv set_mempolicy_home_node cachestat fchmodat2 map_shadow_stack futex_wake futex_wait futex_requeue
statmount listmount lsm_get_self_attr lsm_set_self_attr lsm_list_modules mseal setxattrat getxattrat
listxattrat removexattrat`
)

var callNames = namesByNumber()

func namesByNumber() map[uint64]string {
	names := map[uint64]string{}
	for first, list := range map[int]string{0: firstCalls, firstLater: laterCalls} {
		for i, name := range strings.Fields(list) {
			if name != "-" {
				names[uint64(first+i)] = name
			}
		}
	}
	return names
}

// callName names system call n; one without a name is shown by its number.
func callName(n uint64) string {
	if name, ok := callNames[n]; ok {
		return name
	}
	return "system call " + strconv.FormatUint(n, 10)
}
