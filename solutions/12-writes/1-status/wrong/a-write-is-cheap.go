// Misconception: a patch that changes nothing is nothing to the server.
// Caught by: TestFirstReport
// Message: the belief that a patch without a change costs nothing

//go:build wrong

package status

import (
	"context"
	"fmt"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	read, err := r.Reader.Get(ctx, key)
	if err != nil {
		return unlessGone(err)
	}
	observed, err := r.Observer.Observe(ctx, read.DeepCopy())
	if err != nil {
		return fmt.Errorf("observing %s: %w", key, err)
	}
	changed := read.DeepCopy()
	r.fill(&changed.Status, observed, read.Generation)
	return r.write(ctx, changed, read)
}
