package machine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// shimName is what a shim is called in a list of processes, and how this program knows that it is one. A command is
// called what its spec says, but no environment can make a shim of it.
const shimName = "process-shim"

// RunIfShim does the work of a shim and exits, if this process was started as one; else it returns. Call it first in
// main, and in TestMain: a shim is the same program, started again.
//
// A shim is the parent of one command. It outlives the controller that started it, as only a parent is told of an
// exit code. It is killed by nothing but SIGKILL; SIGTERM has it stop its command. What it has started dies with it on
// Linux; macOS has nothing for that.
//
// Upstream's counterpart is containerd's cmd/containerd-shim-runc-v2.
func RunIfShim() {
	if len(os.Args) == 3 && os.Args[0] == shimName {
		os.Exit(runShim(folder(os.Args[1]), os.Args[2]))
	}
}

// orders are what a shim is told beside the folder.
type orders struct {
	LogLimit int64
	Leash    bool
}

// shim is a command's parent.
type shim struct {
	folder folder
	orders orders
	spec   Spec
	cmd    *exec.Cmd
	pid    int
	asked  chan os.Signal // to end
	ended  chan struct{}  // closed when the command has ended

	lock sync.Mutex // guards over
	over bool       // the pid may be another's from now on
}

// The files that a shim is born with, in this order.
const (
	fdLock = 3 + iota
	fdAlive
	fdStarting
	fdLeash
)

func runShim(f folder, told string) int {
	runtime.LockOSThread() // a command dies with the thread that has started it
	unix.Umask(0o077)
	s := &shim{folder: f, asked: make(chan os.Signal, 1), ended: make(chan struct{})}
	signal.Notify(s.asked, unix.SIGTERM, unix.SIGINT, unix.SIGHUP) // and not Ignore, which a command would inherit
	err := json.Unmarshal([]byte(told), &s.orders)
	keep := fdStarting
	if s.orders.Leash {
		keep = fdLeash
	}
	keepFiles(keep)
	if err == nil {
		s.spec, err = read[Spec](f, "spec")
	}
	// Before the command: from here on it may have run.
	if err == nil {
		err = f.write("started", started{Attempt: s.spec.Attempt})
	}
	var pipe *os.File
	if err == nil {
		pipe, err = s.start()
	}
	if err != nil {
		s.say(Exit{Error: err.Error()}, later(err))
		unix.Close(fdStarting)
		return 1
	}
	unix.Close(fdStarting)
	s.say(s.run(pipe), false)
	return 0
}

// keepFiles keeps the files up to a number from the command, which would hold them when the shim has ended. The others
// that this process was born with it closes: the controller was started with them, and whoever did may wait for their
// end.
func keepFiles(last int) {
	open, _ := os.ReadDir("/dev/fd")
	for _, entry := range open {
		fd, _ := strconv.Atoi(entry.Name())
		flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
		switch {
		case fd < fdLock || err != nil || flags&unix.FD_CLOEXEC != 0: // Go has opened it since
		case fd <= last:
			unix.CloseOnExec(fd)
		default:
			unix.Close(fd)
		}
	}
}

// start starts the command, and writes down which process that is. It returns the pipe that the command writes to.
func (s *shim) start() (*os.File, error) {
	pipe, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	s.cmd = exec.Command(s.spec.Command, s.spec.Args...)
	s.cmd.Env = append(os.Environ(), s.spec.Env...) // the shim's own has been made small
	s.cmd.Stdout, s.cmd.Stderr = theirs, theirs
	s.cmd.SysProcAttr = command()
	adopt()
	if err := s.cmd.Start(); err != nil {
		return nil, explain(s.spec.Command, s.cmd.Path, err)
	}
	s.pid = s.cmd.Process.Pid
	who, _, err := identify(s.pid)
	if err == nil {
		err = s.folder.write("started", started{s.spec.Attempt, who, os.Getpid(), time.Now()})
	}
	if err != nil { // nobody could stop it later
		s.end()
		return nil, err
	}
	return pipe, nil
}

// run is what a shim does while its command runs.
func (s *shim) run(pipe *os.File) Exit {
	if s.orders.Leash {
		go s.obey(os.NewFile(fdLeash, "leash"))
	}
	go func() {
		<-s.asked
		s.stop()
	}()
	_ = os.Remove(s.folder.path("log.old"))
	log, copied := newOutput(s.folder, s.orders.LogLimit), make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(log, pipe)
	}()
	waitUntilEnded(s.pid)
	close(s.ended)
	exit := s.end()
	_ = pipe.SetReadDeadline(time.Unix(1, 0))
	<-copied
	log.drain(pipe)
	return exit
}

// end kills what the command has left in its group, and reads how it ended itself. The group is killed before the
// command's exit code is fetched: until then the number is nobody else's. Who left the group, as a daemon does, lives
// on.
func (s *shim) end() Exit {
	s.signal(unix.SIGKILL)
	s.lock.Lock()
	s.over = true
	s.lock.Unlock()
	var status unix.WaitStatus
	reap(s.pid, &status)
	for reap(-s.pid, nil) { // those whose parents ended before them, where the shim has adopted them
	}
	code := int32(status.ExitStatus())
	if status.Signaled() {
		code = 128 + int32(status.Signal()) // as shells have it
		return Exit{Code: &code, Signal: unix.SignalName(status.Signal())}
	}
	return Exit{Code: &code}
}

// say writes down how it ended, for whoever asks, and lets go of the folder: an exit may take a while.
func (s *shim) say(exit Exit, retry bool) {
	exit.At = time.Now()
	_ = s.folder.write("exit", ended{s.spec.Attempt, exit, retry}) // if even this fails it is Lost
	for _, fd := range []int{fdLock, fdAlive} {
		unix.Close(fd)
	}
}

// reap waits for a child, and says whether there was one.
func reap(pid int, status *unix.WaitStatus) bool {
	for {
		_, err := unix.Wait4(pid, status, 0, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}

// explain says more of an error than the system does. A script whose interpreter is missing is said not to exist.
func explain(command, path string, err error) error {
	if _, there := os.Stat(path); errors.Is(err, fs.ErrNotExist) && there == nil {
		err = fmt.Errorf("%w: the file exists, but the program of its first line (#!) does not", err)
	} else if errors.Is(err, syscall.ENOEXEC) {
		err = fmt.Errorf("%w: no program of this system, and no script with #! in its first line", err)
	}
	return fmt.Errorf("start %q: %w", command, err)
}
