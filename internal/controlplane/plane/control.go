package plane

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Dial connects to the supervisor of a run directory. It looks at everything on the way there, the last at the
// process that answers: only one of this user is a supervisor.
func Dial(ctx context.Context, run string) (net.Conn, error) {
	switch err := CheckRun(run); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNoLock):
		return nil, fmt.Errorf("%w (%v)", ErrNoSupervisor, err)
	case err != nil:
		return nil, err
	}
	dialer := net.Dialer{Timeout: AskTimeout}
	conn, err := dialer.DialContext(ctx, "unix", filepath.Join(run, RunControl))
	if err != nil {
		if ended := over(ctx); ended != nil {
			return nil, ended
		}
		return nil, fmt.Errorf("%w (%v)", ErrNoSupervisor, err)
	}
	if err := checkPeer(conn); err != nil {
		conn.Close()
		return nil, fmt.Errorf("%s %w: %w", run, ErrForeign, err)
	}
	return conn, nil
}

// over is why a context has ended, or nil. A connection has the context's deadline, and may notice it before the
// context does.
func over(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// checkControl returns an error when the run directory has something of the socket's name that is no socket of this
// user. None at all is what a supervisor leaves that was killed while it started.
func checkControl(run string) error {
	info, err := os.Lstat(filepath.Join(run, RunControl))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket || !OwnedByUs(info):
		return fmt.Errorf("%s %w: its %s is no socket of yours", run, ErrForeign, RunControl)
	}
	return nil
}

// checkPeer returns an error unless the process at the other end of a unix socket runs as this user. Where the system
// does not tell (neither Linux nor macOS), nothing but the folder of the socket speaks for it.
func checkPeer(conn net.Conn) error {
	socket, ok := conn.(syscall.Conn)
	if !ok {
		return errors.New("the connection to its supervisor is no socket")
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var user int
	var asked error
	if err := raw.Control(func(fd uintptr) { user, asked = peerOfSocket(int(fd)) }); err != nil {
		return err
	}
	if asked != nil {
		return fmt.Errorf("ask who listens on its socket: %w", asked)
	}
	if user != os.Getuid() {
		return fmt.Errorf("a process of user %d listens on its socket, and you are %d", user, os.Getuid())
	}
	return nil
}

// maxAnswer is how much a supervisor may say in one conversation. A failure with its log takes some kilobytes.
const maxAnswer = 1 << 20

// errTalkative ends a conversation with one who would fill the memory.
var errTalkative = errors.New("it answers with more than a megabyte, which no supervisor does")

// Answers reads what the supervisor says, up to maxAnswer.
func Answers(conn net.Conn) *json.Decoder {
	return json.NewDecoder(&bounded{from: conn, left: maxAnswer})
}

// bounded is an io.LimitedReader that calls its end an error.
type bounded struct {
	from io.Reader
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, errTalkative
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
