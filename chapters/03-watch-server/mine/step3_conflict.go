package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/03-watch-server/exercises/3-conflict"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// moreStore is where a reader whose Store or Change fails goes next.
const moreStore = "make grade EX=03.3 says more"

// clients is how many add cups at one time, and cups how many each adds.
const clients, cups = 4, 5

// count has clients add cups to a pot, in the reader's Store and on the API server, by the reader's Change.
func count(ctx context.Context, l *lab.Lab) error {
	yours := conflict.New()
	if _, err := yours.Create("pot", "0"); err != nil {
		return fmt.Errorf("your Create: %v: %s", err, moreStore)
	}
	t := newTeas(l)
	if err := t.create(ctx, l.Aloud(l.HTTPClient()), "pot", "tea"); err != nil {
		return err
	}
	rows := [][]string{{"", "increments", "cups in the pot", "conflicts on the way"}}
	for _, s := range []struct {
		name   string
		server conflict.Server
	}{{"your Store", yours}, {"the API server", &remote{ctx, t}}} {
		counted := &conflicts{Server: s.server}
		pot, err := pourTogether(ctx, counted)
		if err != nil {
			return fmt.Errorf("on %s: %v: %s", s.name, err, moreStore)
		}
		rows = append(rows, []string{s.name, fmt.Sprint(clients * cups), pot.Value, fmt.Sprint(counted.n.Load())})
		if pot.Value != fmt.Sprint(clients*cups) {
			l.Table(rows...)
			return fmt.Errorf("on %s %d clients added %d cups each, and %s are in the pot: a write was lost: %s", s.name,
				clients, cups, pot.Value, moreStore)
		}
	}
	l.Table(rows...)
	l.Conclude("No cup was lost: each that was refused was added to what was there by then.")
	return nil
}

// pourTogether has each client add its cups, and returns the pot.
func pourTogether(ctx context.Context, server conflict.Server) (conflict.Object, error) {
	pot, late, err := within(ctx, func() (conflict.Object, error) {
		failed := make([]error, clients)
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				for range cups {
					if _, err := conflict.Change(server, "pot", oneMore); err != nil {
						failed[i] = err
						return
					}
				}
			})
		}
		all.Wait()
		if err := errors.Join(failed...); err != nil {
			return conflict.Object{}, fmt.Errorf("your Change: %v", err)
		}
		return server.Get("pot")
	})
	if late {
		return pot, fmt.Errorf("%d clients have not added their %d cups in %v", clients, cups, patience)
	}
	return pot, err
}

// thinking is how long a client takes from what it has read to what it writes: long enough for the others to write.
const thinking = time.Millisecond

// oneMore is what each client makes of what it has read.
func oneMore(value string) string {
	time.Sleep(thinking)
	n, err := strconv.Atoi(value)
	if err != nil {
		return "no number: " + value
	}
	return strconv.Itoa(n + 1)
}

// conflicts counts the updates that a server refuses.
type conflicts struct {
	conflict.Server
	n atomic.Int64
}

// Update implements conflict.Server.
func (c *conflicts) Update(o conflict.Object) (conflict.Object, error) {
	after, err := c.Server.Update(o)
	if errors.Is(err, conflict.ErrConflict) {
		c.n.Add(1)
	}
	return after, err
}

// remote is the API server as the exercise's client sees it. An object is a ConfigMap of so many cups.
type remote struct {
	ctx  context.Context
	teas *teas
}

// Get implements conflict.Server.
func (r *remote) Get(name string) (conflict.Object, error) { return r.ask(http.MethodGet, name, nil) }

// Update implements conflict.Server.
func (r *remote) Update(o conflict.Object) (conflict.Object, error) {
	meta := object{"name": o.Name, "labels": object{"drink": "tea"}}
	if o.Revision != 0 {
		meta["resourceVersion"] = strconv.FormatUint(o.Revision, 10)
	}
	return r.ask(http.MethodPut, o.Name, object{"metadata": meta, "data": object{"cups": o.Value}})
}

// ask sends one request and makes the exercise's object or error of the answer.
func (r *remote) ask(method, name string, body any) (conflict.Object, error) {
	code, raw, err := lab.SendJSON(r.ctx, r.teas.lab.HTTPClient(), method, r.teas.url(name), body)
	if err != nil {
		return conflict.Object{}, err
	}
	switch code {
	case http.StatusOK:
	case http.StatusConflict:
		return conflict.Object{}, conflict.ErrConflict
	case http.StatusNotFound:
		return conflict.Object{}, conflict.ErrNotFound
	default:
		return conflict.Object{}, fmt.Errorf("%s of %s: %d: %s", method, name, code, raw)
	}
	var answer struct {
		Metadata struct{ ResourceVersion string }
		Data     struct{ Cups string }
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return conflict.Object{}, err
	}
	revision, err := strconv.ParseUint(answer.Metadata.ResourceVersion, 10, 64)
	return conflict.Object{Name: name, Value: answer.Data.Cups, Revision: revision}, err
}
