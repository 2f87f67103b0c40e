package plane

import "syscall"

// peerOfSocket returns the user id of the process that listens at the other end of a unix socket, as it was when it
// began to.
func peerOfSocket(fd int) (user int, err error) {
	peer, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(peer.Uid), nil
}
