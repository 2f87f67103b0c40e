package main

import (
	"context"
	"sync"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// share is step 1: a list comes to two handlers.
func (t *tour) share(ctx context.Context, l *lab.Lab) (err error) {
	t.World, t.Writer, err = begin(ctx, l, []string{"menu", "prices"}, t.fast, t.stuck)
	if err != nil {
		return err
	}
	var first sync.Once
	found := 0
	store := t.Informer.GetStore()
	t.fast.Called = func(string, any, any) { first.Do(func() { found = len(store.List()) }) }
	t.Run(ctx)
	if err := show(ctx, l, t.World, t.Writer); err != nil {
		return err
	}
	l.Became("in its first call, fast found %d objects in the store", found)
	l.Conclude("One request fills one store, and then all handlers hear of it. The informer has synced, and fast " +
		"has. stuck has not: there are objects of the first list for which it has not returned.")
	return nil
}
