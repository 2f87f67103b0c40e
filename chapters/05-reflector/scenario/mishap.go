package scenario

import (
	"net/http"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// Mishap is something that goes wrong with the requests of one reflector.
type Mishap struct {
	// Name is what -fault calls it.
	Name string
	// Text says in a few words what happens.
	Text string
	// Script is what the fault proxy does, as [faults.Parse] reads it.
	Script string
	// Instead are answers to requests, by their ordinal from 1, that the script does not know. Such a request does not
	// reach the proxy, and the proxy does not count it.
	Instead map[int]Answer
	// Start says that it happens before the store was filled for the first time.
	Start bool
	// Quiet says that no request follows.
	Quiet bool
	// Deaf says that the reflector learns of nothing from then on.
	Deaf bool
}

// Answer is what a request meets in place of the server. It may ask the server, by next.
type Answer struct {
	Text string
	Give func(r *http.Request, next http.RoundTripper) (*http.Response, error)
}

// faults is how many things go wrong before the request that is looked at.
func (m Mishap) faults() (int, faults.Written, error) {
	script, err := faults.Parse(m.Script)
	return len(script) + len(m.Instead), script, err
}

// Next is the first request after the last thing that went wrong.
type Next struct {
	// Kind is watch, stream (a streaming list) or list; empty if there was none.
	Kind string
	// From says which version it asked for: that of the last thing seen, "0" (any), or none, which is the newest.
	From string
	// After is how long the reflector waited.
	After time.Duration
}

// String is the request in two words.
func (n Next) String() string {
	if n.Kind == "" {
		return "no request"
	}
	return n.Kind + ", " + n.From
}
