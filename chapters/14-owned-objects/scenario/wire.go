package scenario

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// ErrLost is what a client gets for a request whose answer was lost. The API server has done it.
var ErrLost = errors.New("the connection broke before the answer came")

// Wire is a transport that counts what comes of requests for Processes, and can lose an answer.
type Wire struct {
	next  http.RoundTripper
	tally *Tally

	lock     sync.Mutex // guards the rest
	requests int
	creates  int
	lose     int // the create whose answer is lost
	first    func(context.Context)
}

// NewWire makes one. Several may share a tally.
func NewWire(next http.RoundTripper, tally *Tally) *Wire { return &Wire{next: next, tally: tally} }

// Lose loses the answer to the n-th create.
func (w *Wire) Lose(n int) { w.lose = n }

// Requests is how many were sent, without watches.
func (w *Wire) Requests() int {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.requests
}

// RoundTrip implements http.RoundTripper.
func (w *Wire) RoundTrip(r *http.Request) (*http.Response, error) {
	create := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/processes")
	number := w.count(r, create)
	if create && number == 1 && w.first != nil {
		w.first(r.Context())
	}
	response, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	w.tally.note(r, create, response.StatusCode)
	if create && number == w.lose {
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
		return nil, ErrLost
	}
	return response, nil
}

// count returns which create it is.
func (w *Wire) count(r *http.Request, create bool) int {
	w.lock.Lock()
	defer w.lock.Unlock()
	if r.URL.Query().Get("watch") == "" {
		w.requests++
	}
	if create {
		w.creates++
	}
	return w.creates
}

// Together has the first creates of several wires wait for each other: both have read before either has written. A
// controller that creates nothing is not waited for longer than ten seconds: a slow machine needs some.
func Together(wires ...*Wire) {
	all := make(chan struct{})
	var lock sync.Mutex
	here := 0
	for _, w := range wires {
		w.first = func(ctx context.Context) {
			lock.Lock()
			if here++; here == len(wires) {
				close(all)
			}
			lock.Unlock()
			select {
			case <-all:
			case <-ctx.Done():
			case <-time.After(10 * time.Second):
			}
		}
	}
}

// Tally counts the Processes that are alive, by the answers of the API server. None of them has a finalizer, and nobody
// else makes or deletes any.
type Tally struct {
	lock  sync.Mutex // guards the rest
	alive int
	most  int
	least int
	made  int
	no    int
}

// NewTally begins with so many that are alive.
func NewTally(alive int) *Tally { return &Tally{alive: alive, most: alive, least: alive} }

// Most and Fewest are how many were alive at one time, Made how many were created, and Refused how many creates and
// deletions were.
func (t *Tally) Most() int    { return t.read(&t.most) }
func (t *Tally) Fewest() int  { return t.read(&t.least) }
func (t *Tally) Made() int    { return t.read(&t.made) }
func (t *Tally) Refused() int { return t.read(&t.no) }

func (t *Tally) read(n *int) int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return *n
}

func (t *Tally) note(r *http.Request, create bool, code int) {
	t.lock.Lock()
	defer t.lock.Unlock()
	deletion := r.Method == http.MethodDelete && strings.Contains(r.URL.Path, "/processes/")
	switch {
	case !create && !deletion:
	case code >= http.StatusBadRequest:
		t.no++
	case create:
		t.made++
		t.alive++
		t.most = max(t.most, t.alive)
	default:
		t.alive--
		t.least = min(t.least, t.alive)
	}
}
