//go:build amd64 || arm64 || s390x || riscv64

package term

import "syscall"

// tcflsh has this number on these machines; the syscall package names it on some of them.
const tcflsh = 0x540b

// dropInput is tcflush(fd, TCIFLUSH). A terminal that does not know it keeps what was typed.
func dropInput(fd uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_IOCTL, fd, tcflsh, syscall.TCIFLUSH)
}
