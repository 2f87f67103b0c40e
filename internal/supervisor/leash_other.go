//go:build !linux

package supervisor

import "syscall"

func diesWithParent() *syscall.SysProcAttr { return nil }
