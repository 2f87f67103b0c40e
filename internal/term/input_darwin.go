package term

import (
	"syscall"
	"unsafe"
)

// dropInput is tcflush(fd, TCIFLUSH). A terminal that does not know it keeps what was typed.
func dropInput(fd uintptr) {
	what := int32(syscall.TCIFLUSH)
	_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, uintptr(syscall.TIOCFLUSH), uintptr(unsafe.Pointer(&what)))
}
