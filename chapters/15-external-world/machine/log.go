package machine

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// output writes what a command says, and keeps the last of it: of a limit's worth at least a half, and never more than
// all. A disk that takes nothing costs the output, and nothing else.
//
// The command has a pipe, and the shim reads it. Without a pipe a command writes as much as it likes before somebody
// looks at the file's size, and RLIMIT_FSIZE ends the command, and holds for its other files too. The shim is never
// what the command waits for: it reads on whatever becomes of the file. It does not wait for the pipe's end either,
// which comes when the last has closed it who inherited it, but stops when the command has ended.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/kubelet/logs, in container_log_manager.go.
type output struct {
	folder folder
	half   int64
	file   *os.File
	size   int64
}

func newOutput(f folder, limit int64) *output {
	o := &output{folder: f, half: max(1, limit/2)}
	o.open()
	return o
}

// open makes an empty log. Where it can't, writes to it fail, as those to a full disk do.
func (o *output) open() {
	o.file, _ = os.OpenFile(o.folder.path("log"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	o.size = 0
}

// Write never fails.
func (o *output) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		if o.size >= o.half {
			o.file.Close()
			_ = os.Rename(o.folder.path("log"), o.folder.path("log.old"))
			o.open()
		}
		n, err := o.file.Write(rest[:min(int64(len(rest)), o.half-o.size)])
		if err != nil {
			break
		}
		o.size += int64(n)
		rest = rest[n:]
	}
	return len(data), nil
}

// drain writes what a pipe still has. What a command wrote before its end is there by then, and no more than a pipe
// holds: to bound it keeps a grandchild that writes on from holding the shim up.
func (o *output) drain(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	buffer := make([]byte, 1<<16)
	for range 16 { // what F_SETPIPE_SZ lets a pipe hold at most
		n := 0
		err := raw.Control(func(fd uintptr) { n, err = unix.Read(int(fd), buffer) })
		if err != nil || n <= 0 {
			return
		}
		_, _ = o.Write(buffer[:n])
	}
}

// log reads what was kept.
func (f folder) log() (string, error) {
	old, err := os.ReadFile(f.path("log.old"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	now, err := os.ReadFile(f.path("log"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return string(old) + string(now), err
}
