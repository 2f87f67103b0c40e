// Breaks: Instances share nothing: two of them work side by side as if the other were not there.
// Stage: 4

//go:build wrong

package expectations

import "time"

var all = map[string]expected{}

func New(timeout time.Duration) *Expectations {
	clear(all)
	return &Expectations{timeout: timeout, sets: all}
}
