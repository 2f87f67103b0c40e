// Breaks: Instances share nothing: two of them work side by side as if the other were not there.
// Stage: 4

//go:build wrong

package starts

import "context"

var all = map[string]context.CancelFunc{}

// New has one map for all Starts.
func New(most int, done func(key string, err error)) *Starts {
	return &Starts{most: most, done: done, running: all}
}
