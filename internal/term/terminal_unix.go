//go:build unix

package term

import (
	"syscall"
	"unsafe"
)

// terminalWidth asks the kernel: only a terminal has a window size. A terminal that reports 0 columns gets 80.
func terminalWidth(fd uintptr) (int, bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, uintptr(syscall.TIOCGWINSZ), uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, false
	}
	if size.columns == 0 {
		return 80, true
	}
	return int(size.columns), true
}
