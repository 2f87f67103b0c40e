package scenario

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Exchange is a request of a controller, and what came back.
type Exchange struct {
	Method string
	Place  string // as in "north/menu"; of a GET, what is asked for
	Body   string // of a DELETE: its preconditions
	Code   int
}

// String is its name.
func (e Exchange) String() string { return e.Method + " " + e.Place }

// Ledger is the transport of a controller, and has what passed it.
type Ledger struct {
	next  http.RoundTripper
	world *World

	lock sync.Mutex // guards all
	all  []Exchange
}

// RoundTrip implements http.RoundTripper.
func (l *Ledger) RoundTrip(r *http.Request) (*http.Response, error) {
	e := l.world.exchange(r)
	response, err := l.next.RoundTrip(r)
	if err == nil {
		e.Code = response.StatusCode
		l.lock.Lock()
		defer l.lock.Unlock()
		l.all = append(l.all, e)
	}
	return response, err
}

// exchange reads what a request is about.
func (w *World) exchange(r *http.Request) Exchange {
	e := Exchange{Method: r.Method}
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v1/"), "/")
	body := copied(r)
	switch {
	case r.Method == http.MethodGet:
		e.Place = path[len(path)-1]
		if r.URL.Query().Get("watch") != "" {
			e.Place += ", a watch"
		}
	case len(path) == 4:
		e.Place = w.short(path[1]) + "/" + path[3]
	default:
		var object struct{ Metadata struct{ Name string } }
		_ = json.Unmarshal(body, &object) // without a name it has none
		e.Place = w.short(path[1]) + "/" + object.Metadata.Name
	}
	if r.Method == http.MethodDelete {
		e.Body = preconditions(body)
	}
	return e
}

func copied(r *http.Request) (text []byte) {
	if r.GetBody == nil {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil
	}
	defer body.Close()
	text, _ = io.ReadAll(body) // what cannot be read here is not sent either
	return text
}

// preconditions are those of a DELETE, with the UID cut.
func preconditions(body []byte) string {
	var options struct {
		Preconditions struct{ UID, ResourceVersion string }
	}
	if json.Unmarshal(body, &options) != nil || options.Preconditions.UID == "" {
		return "whatever is there"
	}
	return "only if uid=" + options.Preconditions.UID[:8] + "… resourceVersion=" + options.Preconditions.ResourceVersion
}

// Writes are those since a moment, and the moment until which they are, in the order of their places: two workers write
// in any order.
func (l *Ledger) Writes(since int) (writes []Exchange, now int) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, e := range l.all[since:] {
		if e.Method != http.MethodGet {
			writes = append(writes, e)
		}
	}
	slices.SortStableFunc(writes, func(a, b Exchange) int { return cmp.Compare(a.Place, b.Place) })
	return writes, len(l.all)
}

// Reads are the GETs since a moment, in the order of what they ask for.
func (l *Ledger) Reads(since int) (reads []Exchange) {
	l.lock.Lock()
	defer l.lock.Unlock()
	for _, e := range l.all[since:] {
		if e.Method == http.MethodGet {
			reads = append(reads, e)
		}
	}
	slices.SortStableFunc(reads, func(a, b Exchange) int { return cmp.Compare(a.Place, b.Place) })
	return reads
}

// Updates are the PUTs of a ConfigMap, in any namespace.
func (l *Ledger) Updates(name string) []Exchange {
	writes, _ := l.Writes(0)
	return slices.DeleteFunc(writes, func(e Exchange) bool {
		return e.Method != http.MethodPut || !strings.HasSuffix(e.Place, "/"+name)
	})
}

// have says whether there were these writes since a moment, each answered with success.
func (l *Ledger) have(since int, wanted []string) bool {
	writes, _ := l.Writes(since)
	return !slices.ContainsFunc(wanted, func(want string) bool {
		return !slices.ContainsFunc(writes, func(e Exchange) bool { return e.String() == want && e.Code < 300 })
	})
}
