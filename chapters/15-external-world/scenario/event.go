package scenario

import (
	"fmt"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/15-external-world/kubelet"
)

// Event is what a controller tells of itself.
type Event struct {
	Kind   string
	Object string `json:",omitempty"`
	Text   string `json:",omitempty"`
	Error  string `json:",omitempty"`
}

// The kinds of events that are not the kubelet's.
const (
	Began    = "began"    // the caches are filled
	Write    = "write"    // the API server has accepted a status
	Starting = "starting" // a start begins
	Quiet    = "quiet"    // the noise that was asked for is over, and the runs that it led to
	Started  = "started"  // a start is over, whatever came of it
)

// observe tells what the kubelet tells.
func (t *teller) observe(e kubelet.Event) {
	told := Event{Kind: e.Kind, Object: e.Object.Name, Text: e.Text}
	if e.Err != nil {
		told.Error = fmt.Sprint(e.Err)
	}
	t.tell(told)
}

// Number is a number of a status as text.
func Number(n int32) string { return fmt.Sprint(n) }
