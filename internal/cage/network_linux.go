//go:build amd64 || arm64

package cage

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
)

var nativeEndian = binary.NativeEndian

// networkRules refuse all calls that make or use a socket. They are here for their
// targets: without a rule a call is refused as well.
func networkRules() map[string]rule {
	all := map[string]rule{}
	for _, name := range []string{"socket", "socketpair"} {
		all[name] = func(c *call) syscall.Errno { return c.refuse(syscall.EPERM, socketKind(c.args[0], c.args[1])) }
	}
	for name, address := range map[string]int{"connect": 1, "bind": 1, "sendto": 4} {
		all[name] = func(c *call) syscall.Errno { return c.refuse(syscall.EPERM, c.address(address)) }
	}
	return all
}

func socketKind(family, kind uint64) string {
	const kinds = 0xf // the rest are flags
	return named(family, "unix", syscall.AF_UNIX, "inet", syscall.AF_INET, "inet6", syscall.AF_INET6, "netlink", syscall.AF_NETLINK) + " " +
		named(kind&kinds, "stream", syscall.SOCK_STREAM, "datagram", syscall.SOCK_DGRAM, "raw", syscall.SOCK_RAW)
}

// named finds the name of value among pairs of a name and a value.
func named(value uint64, pairs ...any) string {
	for i := 0; i < len(pairs); i += 2 {
		if uint64(pairs[i+1].(int)) == value {
			return pairs[i].(string)
		}
	}
	return strconv.FormatUint(value, 10)
}

func number(what string, n uint64) string { return fmt.Sprintf("%s %#x", what, n) }

// address shows the socket address in an argument, whose length is in the next.
func (c *call) address(arg int) string {
	size := min(c.args[arg+1], 128)
	b, ok := bytesAt(c.tid, c.args[arg], int(size))
	if !ok || len(b) < 2 {
		return ""
	}
	port := func() uint16 { return binary.BigEndian.Uint16(b[2:]) }
	switch family := nativeEndian.Uint16(b); {
	case family == syscall.AF_UNIX:
		return "unix " + strings.TrimRight(string(b[2:]), "\x00")
	case family == syscall.AF_INET && len(b) >= 8:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), port()).String()
	case family == syscall.AF_INET6 && len(b) >= 24:
		return netip.AddrPortFrom(netip.AddrFrom16([16]byte(b[8:24])), port()).String()
	default:
		return number("family", uint64(family))
	}
}
