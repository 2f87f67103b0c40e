package supervisor

import "syscall"

// diesWithParent asks the kernel to kill the server when its leash is killed: together with the leash itself this covers the
// case that supervisor and leash are killed in the same moment. Only Linux offers it.
func diesWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
