package machine

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// obey waits for the leash's end, and stops the command: SIGTERM, the grace period, SIGKILL.
//
// The leash is a pipe that nobody writes to. When the program that holds its other end is gone, even by SIGKILL, the
// system closes it, and each shim sees the end. A controller does not hold that end: its processes outlive it.
func (s *shim) obey(leash *os.File) {
	for {
		if n, err := leash.Read(make([]byte, 1)); n == 0 || err != nil {
			break
		}
	}
	s.stop()
}

// stop ends the command, as a kubelet ends a container.
func (s *shim) stop() {
	s.signal(unix.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(s.spec.Grace):
		s.signal(unix.SIGKILL)
	}
}

// signal sends to the command's group, and to nobody once the number may be another's.
func (s *shim) signal(signal unix.Signal) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if !s.over {
		_ = unix.Kill(-s.pid, signal)
	}
}
