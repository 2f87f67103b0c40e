package scenario

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// Exchange is a write of a controller, and the answer.
type Exchange struct {
	Method string
	Place  string // as in "north/menu"
	Code   int
}

// String is its name.
func (e Exchange) String() string { return e.Method + " " + e.Place }

// Ledger has the writes that passed it, and counts the reads of single objects.
type Ledger struct {
	lab  *lab.Lab
	next http.RoundTripper

	lock   sync.Mutex // guards what follows
	writes []Exchange
	gets   int
	shown  int // of the writes
}

// NewLedger makes one that shows what it has on a narrator.
func NewLedger(l *lab.Lab) *Ledger { return &Ledger{lab: l} }

// Between puts it between a client and the server.
func (l *Ledger) Between(next http.RoundTripper) http.RoundTripper {
	l.next = next
	return l
}

// RoundTrip implements http.RoundTripper.
func (l *Ledger) RoundTrip(r *http.Request) (*http.Response, error) {
	e, ok := l.exchange(r)
	response, err := l.next.RoundTrip(r)
	if err != nil || !ok {
		return response, err
	}
	l.lock.Lock()
	defer l.lock.Unlock()
	if r.Method == http.MethodGet {
		l.gets++
		return response, nil
	}
	e.Code = response.StatusCode
	l.writes = append(l.writes, e)
	return response, nil
}

// exchange reads what a request is about, if it is about one ConfigMap.
func (l *Ledger) exchange(r *http.Request) (e Exchange, ok bool) {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/") // api v1 namespaces NAMESPACE configmaps NAME
	if len(path) < 5 || path[4] != "configmaps" || r.Method == http.MethodGet && len(path) < 6 {
		return e, false
	}
	name := nameIn(r)
	if len(path) > 5 {
		name = path[5]
	}
	namespace := "home"
	if short, beside := strings.CutPrefix(path[3], l.lab.Namespace+"-"); beside {
		namespace = short
	}
	return Exchange{Method: r.Method, Place: namespace + "/" + name}, true
}

// nameIn is the name of the object in a request's body.
func nameIn(r *http.Request) string {
	var object struct{ Metadata struct{ Name string } }
	if r.GetBody == nil {
		return ""
	}
	body, err := r.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	text, _ := io.ReadAll(body)       // what cannot be read here is not sent either
	_ = json.Unmarshal(text, &object) // without a name it has none
	return object.Metadata.Name
}

// Show waits until there are these writes among those that have not been shown, each answered with success, and shows
// all of them in the order of their places: two workers write in any order.
func (l *Ledger) Show(ctx context.Context, wanted ...string) error {
	if err := scenario.Until(ctx, func() bool { return l.have(wanted) }); err != nil {
		return fmt.Errorf("the controller was to write %v: %w", wanted, err)
	}
	l.Rest()
	return nil
}

// Rest shows the writes that have not been shown, each once, whoever calls it.
func (l *Ledger) Rest() {
	l.lock.Lock()
	fresh := slices.Clone(l.writes[l.shown:])
	l.shown = len(l.writes)
	l.lock.Unlock()
	slices.SortStableFunc(fresh, func(a, b Exchange) int { return cmp.Compare(a.Place, b.Place) })
	for _, e := range fresh {
		l.lab.Sent("controller: %-6s %-12s %d %s", e.Method, e.Place, e.Code, http.StatusText(e.Code))
	}
}

// Wrote says whether there is a write that has not been shown.
func (l *Ledger) Wrote() bool { return len(l.fresh()) > 0 }

// Gets is how many single ConfigMaps were asked for.
func (l *Ledger) Gets() int {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.gets
}

func (l *Ledger) fresh() []Exchange {
	l.lock.Lock()
	defer l.lock.Unlock()
	return slices.Clone(l.writes[l.shown:])
}

func (l *Ledger) have(wanted []string) bool {
	fresh := l.fresh()
	return !slices.ContainsFunc(wanted, func(want string) bool {
		return !slices.ContainsFunc(fresh, func(e Exchange) bool { return e.String() == want && e.Code < 300 })
	})
}
