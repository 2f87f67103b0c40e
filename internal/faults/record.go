package faults

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Record is what the proxy saw of one request.
type Record struct {
	// N is the ordinal of the request, from 1.
	N int
	// Verb and Query are what was asked for.
	Verb  Verb
	Query url.Values
	// Fired are the faults that came to pass, in order.
	Fired []Fault
	// Status is the code of the answer; 0 when there was none.
	Status int
	// Events counts the events that were passed on whole, bookmarks left out.
	Events int
	// Synced is when the bookmark that ends the initial state came, and Initial how many events that state had.
	Synced  time.Time
	Initial int
	// Opaque says that the watch is in another encoding than JSON: its events are not told, and no fault meets one.
	Opaque bool
	// Bytes counts the bytes of the response's body, uncompressed.
	Bytes int64
	// End says how the response ended: "whole" for a list, "server closed", "client closed", the fault
	// that ended it, or "open".
	End string
}

// String is the record on one line, with name in place of each resourceVersion, because those differ
// from run to run. What depends on the server's discretion (bookmarks, bytes) is left out.
func (r Record) String(name func(resourceVersion string) string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", r.N, r.Verb)
	for _, key := range []string{"resourceVersion", "resourceVersionMatch", "sendInitialEvents", "limit", "continue"} {
		value, ok := r.Query[key]
		if !ok {
			continue
		}
		switch key {
		case "resourceVersion":
			fmt.Fprintf(&b, " rv=%s", name(value[0]))
		case "continue":
			b.WriteString(" continue")
		default:
			fmt.Fprintf(&b, " %s=%s", key, value[0])
		}
	}
	fmt.Fprintf(&b, " -> %d, %d events, %s", r.Status, r.Events, r.End)
	for _, f := range r.Fired {
		f.Request = r.N
		fmt.Fprintf(&b, " [%s]", f)
	}
	return b.String()
}

// Stats adds up a run.
type Stats struct {
	// Faults counts the faults that came to pass, by kind, and Total all of them.
	Faults map[Kind]int
	Total  int
	// Lists and Watches count the requests, those that failed included.
	Lists, Watches int
	// ListBytes and WatchBytes count the bytes of the bodies that came back, uncompressed.
	ListBytes, WatchBytes int64
}

// Stats adds up what the proxy saw so far.
func (p *Proxy) Stats() Stats {
	s := Stats{Faults: map[Kind]int{}}
	for _, r := range p.Records() {
		if r.Verb == List {
			s.Lists++
			s.ListBytes += r.Bytes
		} else {
			s.Watches++
			s.WatchBytes += r.Bytes
		}
		for _, f := range r.Fired {
			s.Faults[f.Kind]++
			s.Total++
		}
	}
	return s
}

// Requests is how many requests were counted so far.
func (p *Proxy) Requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.records)
}

// Records returns a copy of what the proxy saw so far.
func (p *Proxy) Records() []Record {
	p.mu.Lock()
	defer p.mu.Unlock()
	records := make([]Record, len(p.records))
	for i, r := range p.records {
		records[i] = r.copy()
	}
	return records
}

// Record returns a copy of what the proxy saw so far of the n-th request, which there has to be.
func (p *Proxy) Record(n int) Record {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.records[n-1].copy()
}

func (r *Record) copy() Record {
	c := *r
	c.Fired = slices.Clone(r.Fired)
	return c
}

// Transcript is the records on a line each, comparable between two runs of one seed. The name of a
// resourceVersion is up to the caller, who knows which write made it.
func (p *Proxy) Transcript(name func(resourceVersion string) string) string {
	var b strings.Builder
	for _, r := range p.Records() {
		b.WriteString(r.String(name))
		b.WriteByte('\n')
	}
	return b.String()
}
