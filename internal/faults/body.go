package faults

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// errCut makes httputil.ReverseProxy break the connection to the client.
var errCut = errors.New("connection cut by the fault proxy")

// intrude puts a body of ours in place of the response's, to do what the script says.
func intrude(resp *http.Response) error {
	x, ok := resp.Request.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil
	}
	b := &body{x: x, ctx: resp.Request.Context(), from: resp.Body, lines: bufio.NewReader(resp.Body)}
	watching := x.record.Verb == Watch && resp.StatusCode == http.StatusOK
	opaque := watching && !inLines(resp.Header)
	switch {
	case opaque:
		b.fill = b.raw
	case watching:
		b.fill = b.event
	default:
		b.fill = b.list
		resp.ContentLength = -1 // it may get shorter
		resp.Header.Del("Content-Length")
	}
	x.update(func(r *Record) {
		r.Status, r.Opaque = resp.StatusCode, opaque
		x.idle = watching && r.Query.Get("sendInitialEvents") != "true" // or else when those are over
	})
	for _, f := range x.faults {
		if watching && !opaque && f.Kind == DropBookmarks {
			x.fire(f, nil) // once, and even if the server sends no bookmark: that is its own affair
		}
	}
	resp.Body = b
	return nil
}

// inLines says whether a watch has an event on each line: JSON has, protobuf and CBOR have frames of another form.
func inLines(h http.Header) bool {
	media := h.Get("Content-Type")
	return !strings.Contains(media, "protobuf") && !strings.Contains(media, "cbor")
}

// body is a response on its way to the client, piece by piece: an event, or a whole list.
type body struct {
	x     *exchange
	ctx   context.Context
	from  io.Closer
	lines *bufio.Reader

	fill func() // puts the next piece into rest, or sets err, or both: the error comes after the piece
	rest []byte
	err  error
	n    int // events so far, bookmarks left out
}

// Read hands out the current piece and fetches the next.
func (b *body) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.err != nil {
			return 0, b.err
		}
		b.fill()
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	b.x.update(func(r *Record) { r.Bytes += int64(n) })
	return n, nil
}

// Close closes the response of the server.
func (b *body) Close() error { return b.from.Close() }

// event fetches the next event of a watch.
func (b *body) event() {
	line, err := b.lines.ReadBytes('\n')
	if err != nil {
		b.rest = line
		b.finish("server closed", err)
		return
	}
	b.rest = line
	switch bookmark, last := isBookmark(line); {
	case last:
		b.x.update(func(r *Record) { r.Synced, r.Initial, b.x.idle = time.Now(), r.Events, true })
		return
	case bookmark:
		if b.has(DropBookmarks) {
			b.rest = nil
		}
		return
	}
	b.n++
	for _, f := range b.x.faults {
		if f.Event == b.n || f.Event == 0 && b.n == 1 && f.Kind.inStream() {
			b.strike(f)
		}
	}
	if b.err == nil || b.x.record.End == string(Close) {
		b.x.update(func(r *Record) { r.Events++ })
	}
}

// raw fetches what there is of a watch whose events can't be told.
func (b *body) raw() {
	piece := make([]byte, 4<<10)
	n, err := b.lines.Read(piece)
	b.rest = piece[:n]
	if err != nil {
		b.finish("server closed", err)
	}
}

// has tells whether the response has a fault of the kind.
func (b *body) has(k Kind) bool {
	return slices.ContainsFunc(b.x.faults, func(f Fault) bool { return f.Kind == k })
}

// list fetches a whole list, or an error's body.
func (b *body) list() {
	whole, err := io.ReadAll(b.lines)
	b.rest = whole
	if err == nil {
		err = io.EOF
	}
	b.finish("whole", err)
	if b.x.record.Verb == Watch || b.x.record.Status != http.StatusOK {
		return // the server's own error
	}
	for _, f := range b.x.faults {
		if f.Kind == Cut || f.Kind == Truncate || f.Kind == Stall || f.Kind == Delay && f.Event > 0 {
			b.strike(f)
		}
	}
}

// strike lets a fault happen to the piece that was fetched. What it does to the exchange is written
// down before the client sees a byte of it: a client that has seen it may send its next request.
func (b *body) strike(f Fault) {
	half := b.rest[:len(b.rest)/2]
	switch f.Kind {
	case Cut:
		b.rest = half
		b.end(f, errCut)
	case Truncate:
		b.rest = half
		b.end(f, io.EOF)
	case Expired, ErrorEvent:
		b.rest = answerFor(f, b.x.record.Query.Get("resourceVersion")).event()
		b.end(f, io.EOF)
	case Close:
		b.end(f, io.EOF)
	case Delay:
		b.x.fire(f, nil)
		pause(b.ctx, f.After)
	case Stall:
		b.rest = nil
		b.end(f, errCut)
		if f.Lasts > 0 {
			pause(b.ctx, f.Lasts)
			return
		}
		<-b.ctx.Done() // the client gives up some time
	}
}

// end notes that a fault ends the response.
func (b *body) end(f Fault, err error) {
	b.finish(string(f.Kind), err)
	b.x.fire(f, nil)
}

// finish notes how the response ends, unless the client has gone already.
func (b *body) finish(end string, err error) {
	b.err = err
	if b.ctx.Err() != nil {
		end = "client closed"
	}
	b.x.update(func(r *Record) { r.End = end; b.x.idle = false })
}

// isBookmark tells whether an event is a bookmark, and whether it is the one that ends the initial
// events. Only what may be a bookmark is parsed: bookmarks are small.
func isBookmark(line []byte) (bookmark, last bool) {
	if !bytes.Contains(line, []byte(`"BOOKMARK"`)) {
		return false, false
	}
	type object struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	var e struct {
		Type   string `json:"type"`
		Object struct {
			object
			Rows []struct { // of a Table
				Object object `json:"object"`
			} `json:"rows"`
		} `json:"object"`
	}
	if json.Unmarshal(line, &e) != nil || e.Type != "BOOKMARK" {
		return false, false
	}
	ends := func(o object) bool { return o.Metadata.Annotations["k8s.io/initial-events-end"] == "true" }
	last = ends(e.Object.object)
	for _, row := range e.Object.Rows {
		last = last || ends(row.Object)
	}
	return true, last
}
