package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/01-raw-watch/watch"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// What step 7 does: the changes come at irregular times, some of them close together, as changes do.
const (
	crowd  = 30 // further objects in the collection, which nobody changes
	period = 500 * time.Millisecond
	span   = 3*time.Second + period/4 // so that the poll at three seconds is in it
)

var changes = []time.Duration{200 * time.Millisecond, 700 * time.Millisecond, 800 * time.Millisecond,
	900 * time.Millisecond, 1900 * time.Millisecond, 2300 * time.Millisecond}

// reader is one of the two ways to learn of changes, and what it cost.
type reader struct {
	name string
	run  func(ctx context.Context, r *reader, l *lab.Lab) error

	client   *watch.Client
	received func() int64      // bytes from the wire, TLS and headers included
	requests int               // sent
	seen     map[int]time.Time // when each change was seen first
}

// compare is step 7.
func compare(ctx context.Context, l *lab.Lab) error {
	if err := quietly(l).create(ctx, tea("counter", 1, nil)); err != nil {
		return err
	}
	for i := range crowd {
		if err := quietly(l).create(ctx, tea(fmt.Sprintf("crowd-%02d", i), 1, nil)); err != nil {
			return err
		}
	}
	readers := []*reader{{name: "polling", run: poll}, {name: "watching", run: watchIt}}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan error, len(readers))
	for _, r := range readers {
		stop, err := r.connect(ctx, l)
		if err != nil {
			return err
		}
		defer stop()
	}
	end, stop := context.WithTimeout(ctx, span)
	defer stop()
	for _, r := range readers {
		go func() {
			err := r.run(end, r, l)
			if err != nil && end.Err() == nil {
				cancel(err) // the others need not go on
			}
			done <- err
		}()
	}
	written, err := change(ctx, l)
	for range readers {
		<-done
	}
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	if err != nil {
		return err
	}
	return report(l, readers, written)
}

// connect gives a reader a connection of its own, warm, so that no handshake is counted.
func (r *reader) connect(ctx context.Context, l *lab.Lab) (stop func(), err error) {
	transport := l.NewTransport()
	received := countReceived(transport)
	r.client = &watch.Client{Server: l.Server.String(), HTTP: l.Client(transport)}
	r.seen = map[int]time.Time{}
	_, err = r.client.List(ctx, configMaps(l), watch.Options{Limit: 1})
	before := received.Load()
	r.received = func() int64 { return received.Load() - before }
	return transport.CloseIdleConnections, err
}

// poll asks for the whole collection, again and again.
func poll(ctx context.Context, r *reader, l *lab.Lab) error {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for {
		r.requests++
		page, err := r.client.List(ctx, configMaps(l), watch.Options{FieldSelector: lab.OwnConfigMaps})
		if err != nil {
			return err
		}
		for _, item := range page.Items {
			r.note(item)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// watchIt asks once: a list for what is there, and a watch for what follows.
// The list is the watch's price, so it counts.
func watchIt(ctx context.Context, r *reader, l *lab.Lab) error {
	r.requests = 2
	page, err := r.client.List(ctx, configMaps(l), watch.Options{FieldSelector: lab.OwnConfigMaps})
	if err != nil {
		return err
	}
	from := watch.Options{FieldSelector: lab.OwnConfigMaps, ResourceVersion: page.Metadata.ResourceVersion}
	stream, err := r.client.Watch(ctx, configMaps(l), from)
	if err != nil {
		return err
	}
	defer stream.Close()
	for {
		event, _, err := next(stream)
		if err != nil {
			return err // at the end of the span: that of the context
		}
		r.note(event.Object)
	}
}

// note keeps when a change was seen first.
func (r *reader) note(item json.RawMessage) {
	var o struct{ Data struct{ Change string } }
	if json.Unmarshal(item, &o) != nil {
		return
	}
	if n, _ := strconv.Atoi(o.Data.Change); n > 0 && r.seen[n].IsZero() {
		r.seen[n] = time.Now()
	}
}

// change writes at the times in changes, and returns when each write began.
func change(ctx context.Context, l *lab.Lab) (written map[int]time.Time, err error) {
	written = map[int]time.Time{}
	start := time.Now()
	for i, moment := range changes {
		select {
		case <-time.After(time.Until(start.Add(moment))):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		written[i+1] = time.Now()
		if err := quietly(l).patch(ctx, "counter", object{"data": object{"change": strconv.Itoa(i + 1)}}); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// report prints the table, and complains if a watch missed a change.
func report(l *lab.Lab, readers []*reader, written map[int]time.Time) error {
	rows := [][]string{{"", "requests", "bytes received", "changes seen", "mean delay", "longest"}}
	for _, r := range readers {
		var sum, longest time.Duration
		for n, moment := range r.seen {
			late := moment.Sub(written[n])
			sum, longest = sum+late, max(longest, late)
		}
		mean := sum / time.Duration(max(1, len(r.seen)))
		rows = append(rows, []string{r.name, strconv.Itoa(r.requests), strconv.FormatInt(r.received(), 10),
			fmt.Sprintf("%d of %d", len(r.seen), len(written)), milliseconds(mean), milliseconds(longest)})
	}
	l.Table(rows...)
	if n := len(readers[1].seen); n != len(written) {
		return errors.New("the watch saw " + strconv.Itoa(n) + " changes, which should not be possible")
	}
	l.Conclude("Each poll sends the %d objects that did not change, and of several changes since the last poll it "+
		"sees the last. The watch sends what changed, when it changes.", crowd)
	return nil
}

// countReceived counts the bytes that a transport's connections receive, encrypted and with everything around the body.
func countReceived(t *http.Transport) *atomic.Int64 {
	var n atomic.Int64
	dial := t.DialContext
	t.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return countingConn{conn, &n}, err
	}
	return &n
}

type countingConn struct {
	net.Conn
	n *atomic.Int64
}

func (c countingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}
