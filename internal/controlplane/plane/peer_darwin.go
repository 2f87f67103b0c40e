package plane

import (
	"syscall"
	"unsafe"
)

// From sys/un.h and sys/ucred.h of macOS.
const (
	solLocal      = 0
	localPeerCred = 1
)

// peerOfSocket returns the user id of the process that listens at the other end of a unix socket, as it was when it
// began to.
func peerOfSocket(fd int) (user int, err error) {
	var peer struct {
		version uint32
		user    uint32
		count   int16
		groups  [16]uint32
	}
	size := uint32(unsafe.Sizeof(peer))
	_, _, errno := syscall.Syscall6(syscall.SYS_GETSOCKOPT, uintptr(fd), solLocal, localPeerCred,
		uintptr(unsafe.Pointer(&peer)), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return 0, errno
	}
	return int(peer.user), nil
}
