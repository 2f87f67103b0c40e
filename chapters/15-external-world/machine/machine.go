package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Run is one start of one object's command. A restart is another run, with the next attempt.
type Run struct {
	UID     types.UID
	Attempt int // from 1
}

// Spec is what is to run, and for whom. All of it stays in the folder, for a controller that comes later.
type Spec struct {
	Run
	Object     types.NamespacedName // whose it is: a later controller finds the object by it
	Generation int64                // of the object's spec that this was made of
	Restarts   int32                // how often it was started again before, as the object's status says
	Command    string               // a path, from this program's folder, or a name that PATH leads to
	Args       []string
	Env        []string      // "NAME=value", beside the machine's and over it
	Grace      time.Duration // between SIGTERM and SIGKILL when the leash ends
}

// Exit is how a run ended.
type Exit struct {
	Code   *int32 // 128 and the signal's number if a signal ended it; nil if it could not be started
	Signal string // such as SIGKILL, if one ended it
	Error  string // why it could not be started
	At     time.Time
}

// State is what a run is in.
type State int

// The states.
const (
	Nothing  State = iota // nothing was started: there is no folder, or a starter ended before it came so far
	Starting              // a starter or a shim lives, and has not said yet
	Running               // the command runs
	Ended                 // it ended, and Seen.Exit says how
	Lost                  // it ended, and nobody knows how: its shim was killed
)

func (s State) String() string {
	return [...]string{"Nothing", "Starting", "Running", "Ended", "Lost"}[s]
}

// Seen is what Look has seen.
type Seen struct {
	Spec      Spec
	State     State
	Identity  Identity  // once it was started
	StartedAt time.Time // once it was started
	Exit      *Exit     // if State is Ended, and only then
}

// Options are a Machine's. The zero value is one.
type Options struct {
	Most     int      // processes at once; 32 unless set
	LogLimit int64    // bytes that a run's log takes on the disk; 1 MiB unless set
	Leash    *os.File // the read end of a pipe: when it ends, each shim stops its command, and ends. nil: none
	Env      []string // "NAME=value"; nil: PATH, HOME, LANG and TMPDIR of this program
	Commands []string // if not nil, the only ones that may be started, in the words of Spec.Command
}

// Machine starts processes, and tells what became of them. It keeps nothing in memory: another Machine over the same
// folder, in this program or the next one, knows the same.
//
// Upstream's counterpart is the kubelet's runtime, k8s.io/cri-api's RuntimeService.
type Machine struct {
	dir, self string
	o         Options
}

// New makes a machine over a folder, which it creates if need be. It refuses one that others may write or look into,
// and one of somebody else: pids are taken from there.
//
// Each Start leaves a goroutine, which ends when its shim does.
func New(dir string, o Options) (*Machine, error) {
	if len(os.Args) > 0 && os.Args[0] == shimName {
		return nil, errors.New("this process is to be a shim: call machine.RunIfShim first in main, and in TestMain")
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || int(owner) != os.Geteuid() {
		return nil, fmt.Errorf("%s (%s, of user %d) must be a folder of user %d alone, mode 0700: pids are read there",
			dir, info.Mode(), owner, os.Geteuid())
	}
	if o.Most == 0 {
		o.Most = 32
	}
	if o.LogLimit == 0 {
		o.LogLimit = 1 << 20
	}
	if o.Env == nil {
		o.Env = smallEnv()
	}
	return &Machine{dir: dir, self: self, o: o}, nil
}

// Look says what a UID's last run is in. Without one it is Nothing, and no error.
//
// What a Lost run has left in its group, it kills: nobody else is there to do so.
func (m *Machine) Look(uid types.UID) (Seen, error) {
	f, err := m.at(uid)
	if err != nil {
		return Seen{}, err
	}
	seen, _, err := f.look()
	return seen, err
}

// List looks at all UIDs that have a folder. What it can't read it leaves out, and says so in the error. A folder in
// which nothing has begun is left out, too.
func (m *Machine) List() ([]Seen, error) {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return nil, err
	}
	var all []Seen
	var failed []error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue // on its way out
		}
		seen, err := m.Look(types.UID(entry.Name()))
		failed = append(failed, err)
		if err == nil && seen.Spec.Attempt != 0 {
			all = append(all, seen)
		}
	}
	return all, errors.Join(failed...)
}

// Wait blocks until a run has ended, and says how. It is ErrGone if the run was never begun, if it was forgotten, or if
// another one came after it.
func (m *Machine) Wait(ctx context.Context, r Run) (Seen, error) {
	f, err := m.at(r.UID)
	if err != nil {
		return Seen{}, err
	}
	for {
		seen, _, err := f.look()
		switch {
		case err != nil || seen.State == Ended && seen.Spec.Run == r || seen.State == Lost && seen.Spec.Run == r:
			return seen, err
		case seen.State == Nothing || seen.Spec.Run != r:
			return seen, fmt.Errorf("attempt %d of %s: %w", r.Attempt, r.UID, ErrGone)
		}
		if err := await(ctx, f.path(alive(r.Attempt))); err != nil {
			return seen, err
		}
	}
}

// Log returns what the last run has written, or the last of it.
func (m *Machine) Log(uid types.UID) (string, error) {
	f, err := m.at(uid)
	if err != nil {
		return "", err
	}
	return f.log()
}

// Forget removes all that is known of a UID. It is ErrRuns while a shim of it lives. A UID that nobody knows is no
// error.
func (m *Machine) Forget(uid types.UID) error {
	f, err := m.at(uid)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(string(f)); err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	held, err := f.takeSoon(ctx, func() (bool, error) {
		seen, _, err := f.look()
		return seen.State == Starting || seen.State == Running, err
	})
	if held == nil && (err == nil || errors.Is(err, context.DeadlineExceeded)) {
		err = fmt.Errorf("%s: %w", uid, ErrRuns)
	}
	if err != nil {
		return err
	}
	defer held.close()
	if _, _, err := f.look(); err != nil { // what a Lost run has left goes with it
		return err
	}
	// All at once: half a folder would tell half a story.
	gone, err := os.MkdirTemp(m.dir, ".gone-")
	if err != nil {
		return err
	}
	if err := os.Rename(string(f), filepath.Join(gone, string(uid))); err != nil {
		return err
	}
	return os.RemoveAll(gone)
}
