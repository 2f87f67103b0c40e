// Breaks: It may, too, once the timeout has passed since the set's last new expectation.
// Stage: 4

//go:build wrong

package expectations

import "time"

func (e *Expectations) late(of expected) bool {
	for k := range of.missing {
		if k.uid != "" {
			return false
		}
	}
	return time.Since(of.raised) > e.timeout
}
