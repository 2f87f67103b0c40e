// Misconception: after a conflict one reads again, and then it is well.
// Caught by: TestConflict
// Message: the belief that a conflict passes if one tries again at once

//go:build wrong

package status

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func (r Reporter) Report(ctx context.Context, key Key) error {
	err := r.once(ctx, key)
	for n := 1; n < 5 && apierrors.IsConflict(err); n++ {
		err = r.once(ctx, key) // wrong: it reads the cache
	}
	return err
}

func (r Reporter) once(ctx context.Context, key Key) error {
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
	if equality.Semantic.DeepEqual(changed.Status, read.Status) {
		return nil
	}
	return r.write(ctx, changed, read)
}
