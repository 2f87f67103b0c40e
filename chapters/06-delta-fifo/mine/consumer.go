package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// pops has the consumer pop n times.
func (k *kitchen) pops(ctx context.Context, n int) error {
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < n && err == nil; i++ {
			err = k.queue.pop(k.process)
		}
		done <- err
	}()
	err := k.await(ctx, done, popping, "a Pop of your queue has not returned")
	if errors.Is(err, cache.ErrFIFOClosed) {
		return k.wrong("a Pop of your queue says that it is closed, and it is not")
	}
	return err
}

// popping is how long all Pops may take, with what happens during them.
const popping = 2 * patience

// most is more often than a queue of any step can be popped.
const most = 50

// rest closes the queue, and has the consumer pop what is left.
func (k *kitchen) rest(ctx context.Context) error {
	done := make(chan error, 1)
	go func() {
		k.queue.Close()
		for range most {
			if err := k.queue.pop(k.process); err != nil {
				done <- err
				return
			}
		}
		done <- k.wrong("your queue is closed, and after %d Pops it still gives deltas", most)
	}()
	err := k.await(ctx, done, popping, "your queue is closed, and a Pop has not returned")
	if errors.Is(err, cache.ErrFIFOClosed) {
		return nil
	}
	return err
}

// process shows what came out of the queue in one piece, and takes it into the store.
func (k *kitchen) process(deltas []cache.Delta) error {
	var words []string
	var failed error
	for _, d := range deltas {
		text, err := k.take(d)
		words, failed = append(words, text), errors.Join(failed, err)
	}
	piece := "[" + strings.Join(words, ", ") + "]"
	k.came = append(k.came, piece)
	k.lab.Became("%s", piece)
	if during := k.during; during != nil {
		k.during = nil
		failed = errors.Join(failed, during())
	}
	return failed
}

// take takes a delta into the store, and says what it is.
func (k *kitchen) take(d cache.Delta) (text string, err error) {
	switch object := d.Object.(type) {
	case cache.ReplacedAllInfo:
		tombstones, err := k.gone(object.Objects)
		if err != nil {
			return "", err
		}
		for _, t := range tombstones {
			text += "; " + shown(cache.Delta{Type: cache.Deleted, Object: t})
		}
		return shown(d) + text, k.store.Replace(object.Objects, object.ResourceVersion)
	case cache.DeletedFinalStateUnknown:
		return shown(d), k.store.Delete(object)
	case *corev1.ConfigMap:
		if d.Type == cache.Deleted {
			return shown(d), k.store.Delete(object)
		}
		return shown(d), k.store.Update(object)
	}
	return "", k.wrong("your queue gives a delta of the type %q with the object %v", d.Type, d.Object)
}

// shown is a delta in words: Added cake.
func shown(d cache.Delta) string {
	of := ""
	switch object := d.Object.(type) {
	case cache.ReplacedAllInfo:
		var names []string
		for _, o := range sorted(object.Objects) {
			names = append(names, nameOf(o))
		}
		of = strings.Join(names, " and ")
	case cache.DeletedFinalStateUnknown:
		of = "as a tombstone of " + nameOf(object.Obj)
	default:
		of = nameOf(object)
	}
	return string(d.Type) + " " + of
}

func nameOf(object any) string {
	if c, ok := object.(*corev1.ConfigMap); ok && c != nil {
		return c.Name
	}
	return fmt.Sprintf("a %T", object)
}

// sorted are the objects of a list by name. Those of a streaming list come in any order.
func sorted(list []any) []any {
	return slices.SortedFunc(slices.Values(list), func(a, b any) int { return cmp.Compare(nameOf(a), nameOf(b)) })
}

// expect compares what came out of the queue with what has to.
func (k *kitchen) expect(want ...string) error {
	if !slices.Equal(k.came, want) {
		return k.wrong("out of your queue came:\n%s\nand what has to come is:\n%s",
			strings.Join(k.came, "\n"), strings.Join(want, "\n"))
	}
	return nil
}
