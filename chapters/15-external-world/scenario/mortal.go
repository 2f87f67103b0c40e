package scenario

import (
	"context"
	"net/http"
	"os"
	"sync/atomic"
	"syscall"

	"k8s.io/apimachinery/pkg/types"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/machine"
)

// steps counts what a controller asks of others, and kills it at one of its steps: before it is done, or after.
type steps struct {
	life Life
	n    atomic.Int64
	tell func(Event)
}

// around does a step, unless it is the last.
func (s *steps) around(do func()) {
	n := s.n.Add(1)
	if n == s.life.KillAt && !s.life.Done {
		die()
	}
	do()
	if n == s.life.KillAt {
		die()
	}
}

// die is kill -9: nothing is deferred, flushed or closed.
func die() {
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {}
}

// between is a transport whose requests are steps. It tells each status that was accepted.
func (s *steps) between(next http.RoundTripper) http.RoundTripper {
	return transport(func(r *http.Request) (response *http.Response, err error) {
		s.around(func() { response, err = next.RoundTrip(r) })
		if err == nil && r.Method == http.MethodPatch && response.StatusCode == http.StatusOK {
			s.tell(Event{Kind: Write, Text: r.URL.Path})
		}
		return response, err
	})
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// Mortal is a machine whose changes are steps.
type Mortal struct {
	*machine.Machine
	*steps
}

var _ kubelet.Machine = Mortal{}

// Step does something else that is a step.
func (m Mortal) Step(do func()) { m.around(do) }

// Start implements kubelet.Machine.
func (m Mortal) Start(ctx context.Context, s machine.Spec) (err error) {
	m.tell(Event{Kind: Starting, Object: s.Object.Name})
	m.around(func() { err = m.Machine.Start(ctx, s) })
	m.tell(Event{Kind: Started, Object: s.Object.Name})
	return err
}

// Signal implements kubelet.Machine.
func (m Mortal) Signal(r machine.Run, s syscall.Signal) (err error) {
	m.around(func() { err = m.Machine.Signal(r, s) })
	return err
}

// Forget implements kubelet.Machine.
func (m Mortal) Forget(uid types.UID) (err error) {
	m.around(func() { err = m.Machine.Forget(uid) })
	return err
}
