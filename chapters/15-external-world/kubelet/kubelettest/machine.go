package kubelettest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// Behaviour is what a command is like.
type Behaviour struct {
	Slow  time.Duration // until it runs
	Fails error         // why it can't be started: a *machine.StartError, which the folder tells, or another error
	Deaf  bool          // it ignores SIGTERM
	Takes time.Duration // between SIGTERM and its end
	Ends  time.Duration // how long it runs; 0: until somebody ends it
	Code  int32         // what it ends with then
}

// Sent is a signal that the machine was asked to send.
type Sent struct {
	Run    machine.Run
	Signal syscall.Signal
	Err    error
	At     time.Time
}

// Machine has processes that are nothing but entries of a map. It outlives each Kubelet that works on it. Its time is
// that of the bubble it is used in.
//
// It keeps the rules of a real one, and notes what a Kubelet must never do: see [Machine.Problems].
type Machine struct {
	lock       sync.Mutex // guards what follows
	folders    map[types.UID]*folder
	behaviours map[string]Behaviour
	pids       int
	starts     int
	starting   int // now
	most       int // that were being started at once
	sent       []Sent
	problems   []string
}

// folder is what there is of one object.
type folder struct {
	seen   machine.Seen
	began  chan struct{} // closed when it is no longer Starting
	ended  chan struct{} // closed when it has ended
	failed error         // why it could not be started
}

var _ kubelet.Machine = (*Machine)(nil)

// NewMachine makes one on which nothing runs.
func NewMachine() *Machine {
	return &Machine{folders: map[types.UID]*folder{}, behaviours: map[string]Behaviour{}, pids: 4710}
}

// Behave says what a command is like from now on. What runs already is as it was.
func (m *Machine) Behave(command string, b Behaviour) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.behaviours[command] = b
}

// Start implements kubelet.Machine. A start goes on when ctx ends, as that of a shim does.
func (m *Machine) Start(ctx context.Context, s machine.Spec) error {
	f, err := m.begin(s)
	if err != nil {
		return err
	}
	select {
	case <-f.began:
	case <-ctx.Done():
		return ctx.Err()
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	return f.failed
}

// begin begins a start, and returns the folder in which it can be waited for.
func (m *Machine) begin(s machine.Spec) (*folder, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	b := m.behaviours[s.Command]
	if f := m.folders[s.UID]; f != nil {
		switch {
		case f.alive() && f.seen.Spec.Run == s.Run:
			return f, nil
		case f.alive():
			return nil, machine.ErrRuns
		case f.seen.Spec.Run == s.Run && f.seen.State != machine.Nothing:
			return f, nil
		case f.seen.Spec.Attempt > s.Attempt:
			return nil, machine.ErrGone
		}
	}
	var cant *machine.StartError
	if b.Fails != nil && !errors.As(b.Fails, &cant) {
		return nil, b.Fails
	}
	for _, other := range m.folders {
		if other.alive() && other.seen.Spec.Object == s.Object {
			m.wrong("%v was started beside %v, of the same object", s.Run, other.seen.Spec.Run)
		}
	}
	m.starts++
	m.starting++
	m.most = max(m.most, m.starting)
	f := &folder{seen: machine.Seen{Spec: s, State: machine.Starting}, began: make(chan struct{}),
		ended: make(chan struct{})}
	m.folders[s.UID] = f
	if b.Slow == 0 {
		m.started(f, b)
	} else {
		time.AfterFunc(b.Slow, func() {
			m.lock.Lock()
			defer m.lock.Unlock()
			m.started(f, b)
		})
	}
	return f, nil
}

// started says what came of a start. The lock is held.
func (m *Machine) started(f *folder, b Behaviour) {
	m.starting--
	defer close(f.began)
	var cant *machine.StartError
	switch {
	case f.seen.State != machine.Starting: // it was lost meanwhile
	case errors.As(b.Fails, &cant) && cant.Retry:
		f.failed, f.seen.State = b.Fails, machine.Nothing
	case b.Fails != nil:
		f.failed = b.Fails
		m.end(f, machine.Exit{Error: b.Fails.Error()})
	default:
		m.pids++
		f.seen.State, f.seen.StartedAt = machine.Running, time.Now()
		f.seen.Identity = machine.Identity{PID: m.pids, Start: fmt.Sprint(m.pids), Boot: "this one"}
		if b.Ends > 0 {
			m.later(f, b.Ends, machine.Exit{Code: &b.Code})
		}
	}
}

// Look implements kubelet.Machine.
func (m *Machine) Look(uid types.UID) (machine.Seen, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if f := m.folders[uid]; f != nil {
		return f.seen, nil
	}
	return machine.Seen{}, nil
}

// List implements kubelet.Machine.
func (m *Machine) List() (all []machine.Seen, err error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	for _, uid := range slices.Sorted(maps.Keys(m.folders)) {
		all = append(all, m.folders[uid].seen)
	}
	return all, nil
}

// Signal implements kubelet.Machine.
func (m *Machine) Signal(r machine.Run, s syscall.Signal) (err error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	defer func() { m.sent = append(m.sent, Sent{Run: r, Signal: s, Err: err, At: time.Now()}) }()
	f := m.folders[r.UID]
	if f == nil || f.seen.Spec.Run != r {
		m.wrong("signal %v for %v, which is no object's run any more", s, r)
		return machine.ErrGone
	}
	if f.seen.State != machine.Running {
		return machine.ErrGone
	}
	b := m.behaviours[f.seen.Spec.Command]
	code := int32(128 + s)
	exit := machine.Exit{Code: &code, Signal: s.String()}
	switch {
	case s == syscall.SIGTERM && b.Deaf:
	case s == syscall.SIGTERM && b.Takes > 0:
		m.later(f, b.Takes, exit)
	default:
		m.end(f, exit)
	}
	return nil
}

// Wait implements kubelet.Machine.
func (m *Machine) Wait(ctx context.Context, r machine.Run) (machine.Seen, error) {
	m.lock.Lock()
	f := m.folders[r.UID]
	m.lock.Unlock()
	if f == nil || f.seen.Spec.Run != r {
		return machine.Seen{}, machine.ErrGone
	}
	select {
	case <-f.ended:
	case <-ctx.Done():
		return machine.Seen{}, ctx.Err()
	}
	m.lock.Lock()
	defer m.lock.Unlock()
	return f.seen, nil
}

// Forget implements kubelet.Machine.
func (m *Machine) Forget(uid types.UID) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	if f := m.folders[uid]; f != nil && f.alive() {
		return machine.ErrRuns
	}
	delete(m.folders, uid)
	return nil
}

// Log is what the last run has written: which one it is.
func (m *Machine) Log(uid types.UID) (string, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if f := m.folders[uid]; f != nil {
		return fmt.Sprintf("attempt %d of %s\n", f.seen.Spec.Attempt, uid), nil
	}
	return "", nil
}

// End has an object's process end by itself, and says whether one ran.
func (m *Machine) End(uid types.UID, code int32) bool {
	return m.strike(uid, func(f *folder) { m.end(f, machine.Exit{Code: &code}) })
}

// Kill has somebody else kill an object's process, and says whether one ran.
func (m *Machine) Kill(uid types.UID, s syscall.Signal) bool {
	code := int32(128 + s)
	return m.strike(uid, func(f *folder) { m.end(f, machine.Exit{Code: &code, Signal: s.String()}) })
}

// Lose ends the shim of an object's process, and the process with it, so that nobody knows how. It says whether one
// ran.
func (m *Machine) Lose(uid types.UID) bool {
	return m.strike(uid, func(f *folder) {
		f.seen.State = machine.Lost
		close(f.ended)
	})
}

// Leave leaves a folder behind in which nothing was started: its controller died in between. Nothing happens if there
// is one.
func (m *Machine) Leave(s machine.Spec) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.folders[s.UID] == nil {
		m.folders[s.UID] = &folder{seen: machine.Seen{Spec: s}, began: make(chan struct{}), ended: make(chan struct{})}
	}
}

func (m *Machine) strike(uid types.UID, do func(*folder)) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	f := m.folders[uid]
	if f == nil || f.seen.State != machine.Running {
		return false
	}
	do(f)
	return true
}

// later ends a process after a while, unless it has ended by then. The lock is held.
func (m *Machine) later(f *folder, after time.Duration, exit machine.Exit) {
	time.AfterFunc(after, func() {
		m.lock.Lock()
		defer m.lock.Unlock()
		if f.alive() {
			m.end(f, exit)
		}
	})
}

// end ends a process. The lock is held.
func (m *Machine) end(f *folder, exit machine.Exit) {
	exit.At = time.Now()
	f.seen.State, f.seen.Exit = machine.Ended, &exit
	close(f.ended)
}

func (f *folder) alive() bool {
	return f.seen.State == machine.Running || f.seen.State == machine.Starting
}

// Alive are the runs whose processes live, or are about to, by UID.
func (m *Machine) Alive() (all []machine.Run) {
	m.lock.Lock()
	defer m.lock.Unlock()
	for _, uid := range slices.Sorted(maps.Keys(m.folders)) {
		if f := m.folders[uid]; f.alive() {
			all = append(all, f.seen.Spec.Run)
		}
	}
	return all
}

// Sent are the signals that the machine was asked to send, in order.
func (m *Machine) Sent() []Sent {
	m.lock.Lock()
	defer m.lock.Unlock()
	return slices.Clone(m.sent)
}

// Starts are how many starts there were, and how many went on at once.
func (m *Machine) Starts() (all, most int) {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.starts, m.most
}

// Problems are what a Kubelet has done that it must never do: two processes of one object, or a signal for a run that
// is not its object's.
func (m *Machine) Problems() []string {
	m.lock.Lock()
	defer m.lock.Unlock()
	return slices.Clone(m.problems)
}

// wrong notes a problem. The lock is held.
func (m *Machine) wrong(format string, args ...any) {
	m.problems = append(m.problems, fmt.Sprintf(format, args...))
}
