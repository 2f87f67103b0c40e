package main

import (
	"context"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// meanwhile is step 2: a key is added while a worker has it.
func (t *tour) meanwhile(ctx context.Context, l *lab.Lab) error {
	t.Pause = 0
	before := len(t.Runs("menu"))
	t.Hold()
	defer t.Release()
	if err := t.Set(ctx, "menu", "write", t.updates+1); err != nil {
		return err
	}
	if err := scenario.Until(ctx, func() bool { return t.Inside("menu") == 1 }); err != nil {
		return err
	}
	l.Became("one worker has menu, and three are free")
	adds := t.Adds("menu")
	for n := 2; n <= 4; n++ {
		if err := t.Set(ctx, "menu", "write", t.updates+n); err != nil {
			return err
		}
	}
	if err := scenario.Until(ctx, func() bool { return t.Adds("menu") == adds+3 }); err != nil {
		return err
	}
	l.Became("menu was added %d times; workers that have it: %d; items in the line: %d", t.Adds("menu")-adds,
		t.Inside("menu"), t.Queue.Len())
	t.Release()
	l.Became("the worker is done with menu")
	if err := t.settle(ctx, l, "menu"); err != nil {
		return err
	}
	for i, run := range t.Runs("menu")[before:] {
		l.Wire("run %d of menu: it read write %s", i+1, run.Write)
	}
	l.Conclude("The queue keeps menu back while a worker has it, and notes that there is news. Done puts it into the "+
		"line, once. A run needs no lock on its object: %d workers, and no two with one key.", workers)
	return nil
}
