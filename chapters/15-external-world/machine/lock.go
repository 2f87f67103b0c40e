package machine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// errBusy is that somebody else holds a folder.
var errBusy = errors.New("another one starts or runs it")

// hold is what a starter holds of a folder, and hands down to the shim: the same open files, not new ones, so that
// there is no moment at which nobody holds them. The system lets go of them when the last who has them ends, however
// it ends.
//
// The lock keeps starters apart. Nobody else takes it, not even to ask: a starter that tries at that moment would
// think that somebody lives. Who asks, and who waits, does it at a FIFO of the run, where readers hear that there is
// no more writer. To block in flock would also do, but nothing ends such a goroutine when its context does, and each
// has a thread.
//
// A FIFO is of one run. A reader of one that a later run opens again could miss the end in between.
type hold struct{ lock, alive, starting *os.File }

// alive is the FIFO that a run's shim holds as long as it lives, and starting the one it holds until it has said.
func alive(attempt int) string    { return fmt.Sprintf("alive.%d", attempt) }
func starting(attempt int) string { return fmt.Sprintf("starting.%d", attempt) }

// takeSoon takes a folder's lock. While somebody else has it, busy decides whether that settles the matter; then there
// is no hold. If it does not, a starter has not come far, or a shim is about to end: a matter of a moment.
func (f folder) takeSoon(ctx context.Context, busy func() (settled bool, err error)) (*hold, error) {
	for {
		held, err := f.take()
		if !errors.Is(err, errBusy) {
			return held, err
		}
		if settled, err := busy(); settled || err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// take makes the folder, and takes its lock, or says errBusy.
func (f folder) take() (*hold, error) {
	if err := os.Mkdir(string(f), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, f.advise(err)
	}
	file, err := os.OpenFile(f.path("lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errBusy // forgotten since
	} else if err != nil {
		return nil, f.advise(err)
	}
	if err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil {
		mine, err1 := file.Stat()
		there, err2 := os.Stat(file.Name())
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return &hold{lock: file}, nil
		}
		err = unix.EWOULDBLOCK // the folder was forgotten, and who locks a file that is gone keeps nobody away
	}
	file.Close()
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		err = errBusy
	}
	return nil, err
}

// announce shows others that an attempt is being made.
func (h *hold) announce(f folder, attempt int) (err error) {
	for _, pattern := range []string{"alive.*", "starting.*"} {
		old, err := fs.Glob(os.DirFS(string(f)), pattern)
		for _, name := range old {
			err = errors.Join(err, os.Remove(f.path(name)))
		}
		if err != nil {
			return err
		}
	}
	if h.alive, err = newFIFO(f.path(alive(attempt))); err != nil {
		return f.advise(err)
	}
	h.starting, err = newFIFO(f.path(starting(attempt)))
	return f.advise(err)
}

// close lets go, unless a shim has it too.
func (h *hold) close() {
	for _, file := range []*os.File{h.lock, h.starting, h.alive} {
		if file != nil {
			file.Close()
		}
	}
}

// newFIFO makes a FIFO and holds it. Opened for reading as well, no open and no write waits for a reader.
func newFIFO(path string) (*os.File, error) {
	if err := unix.Mkfifo(path, 0o600); err != nil {
		return nil, &fs.PathError{Op: "mkfifo", Path: path, Err: err}
	}
	return os.OpenFile(path, os.O_RDWR|unix.O_NONBLOCK, 0)
}

// lives says whether somebody holds a FIFO: a read finds its end, or that there is nothing yet.
func lives(path string) (bool, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if errors.Is(err, unix.ENOENT) {
		return false, nil
	} else if err != nil {
		return false, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	for {
		_, err := unix.Read(fd, make([]byte, 1))
		switch {
		case errors.Is(err, unix.EAGAIN):
			return true, nil
		case err == nil:
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, &fs.PathError{Op: "read", Path: path, Err: err}
		}
	}
}
