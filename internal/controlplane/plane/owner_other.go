//go:build !unix

package plane

import (
	"errors"
	"io/fs"
	"syscall"
)

const noFollow, noWait = 0, 0

var errLink = errors.New("no error of this system")

func ownedByUs(fs.FileInfo) bool { return true }

func owner(fs.FileInfo) int { return -1 }

func group(fs.FileInfo) int { return -1 }

func detached() *syscall.SysProcAttr { return nil }

func kill(int) error { return errors.New("on Windows, work inside WSL2") }
