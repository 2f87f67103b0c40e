//go:build unix

package filelock

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
)

// lock uses flock, which belongs to the open file: two Locks in one process exclude each other too.
func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrHeld
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS), errors.Is(err, syscall.ENOLCK):
			return fmt.Errorf("%w: this file system has no file locks; put the cache on a local disk", err)
		default:
			return err
		}
	}
}

// unlock gives the lock back explicitly: closing the file would not, while a child that is just being started still has
// it.
func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// heldByOther asks for a share of the lock, which nobody gets while another holds it, and gives it back at once.
func heldByOther(file *os.File) bool {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err == nil {
			_ = unlock(file)
		}
		return errors.Is(err, syscall.EWOULDBLOCK)
	}
}
