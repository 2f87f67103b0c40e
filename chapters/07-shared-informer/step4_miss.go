package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/07-shared-informer/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// happened is what becomes of each object of step 4.
var happened = map[string]string{
	"hours": "updated", "menu": "deleted, and created again", "prices": "deleted", "rules": "nothing"}

// miss is step 4: what a handler is told of what nobody saw.
func miss(ctx context.Context, l *lab.Lab) (err error) {
	fast := scenario.NewHandler("fast")
	names := slices.Sorted(maps.Keys(happened))
	direct, err := scenario.Direct(l)
	if err != nil {
		return err
	}
	writer, err := scenario.NewWriter(ctx, l, direct, names...)
	if err != nil {
		return err
	}
	unseen := *writer
	over, end, err := scenario.Expiring(l, len(names)+1, func() { // the first events are those of the streaming list
		unseen.Delete("prices")
		unseen.Delete("menu")
		unseen.Create("menu")
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	world, err := join(over, l, fast)
	if err != nil {
		return err
	}
	told := &told{store: world.Informer.GetStore(), of: map[string]string{}}
	fast.Called = told.add
	if err := start(ctx, world); err != nil {
		return err
	}
	defer world.Stop()
	l.Became("the store and fast have %s", strings.Join(names, ", "))
	writer.Seen = world
	writer.Update("hours")
	if err := errors.Join(writer.Err, unseen.Err); err != nil {
		return err
	}
	if err := scenario.Until(ctx, func() bool { return told.objects() == len(names) }); err != nil {
		return err
	}
	told.show(l, names)
	l.Conclude("No deletion was seen. That prices is gone follows from the list. menu is there under its name, so " +
		"it was updated: only its UID tells that it is another one. And rules is as it was.")
	return nil
}

// told is what a handler is told after the first list.
type told struct {
	store cache.Store

	lock  sync.Mutex        // guards what is below
	of    map[string]string // by the object's name
	found []string          // what the store had in the first call
}

func (t *told) add(call string, old, object any) {
	if call == "OnAdd" {
		return
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.found == nil {
		t.found = t.inStore()
	}
	t.of[scenario.Name(old)] = inWords(call, old, object)
}

// objects is how many there are of which the handler was told.
func (t *told) objects() int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return len(t.of)
}

// inWords says what a handler is given, with versions.
func inWords(call string, old, object any) string {
	if tombstone, is := old.(cache.DeletedFinalStateUnknown); is {
		return fmt.Sprintf("%s(tombstone of %s)", call, inVersion(tombstone.Obj))
	}
	if old == nil || object == nil {
		return fmt.Sprintf("%s(%s)", call, inVersion(cmp.Or(old, object)))
	}
	text := fmt.Sprintf("%s(%s, %s)", call, inVersion(old), inVersion(object))
	if old.(*corev1.ConfigMap).UID != object.(*corev1.ConfigMap).UID {
		text += ": two UIDs"
	}
	return text
}

func inVersion(object any) string {
	return scenario.Name(object) + " " + object.(*corev1.ConfigMap).ResourceVersion
}

// inStore is what the store has, by name.
func (t *told) inStore() []string {
	var all []string
	for _, object := range t.store.List() {
		all = append(all, inVersion(object))
	}
	slices.Sort(all)
	return all
}

// show lines up what happened and what was told.
func (t *told) show(l *lab.Lab, names []string) {
	t.lock.Lock()
	defer t.lock.Unlock()
	rows := [][]string{{"", "on the server", "what fast is told"}}
	for _, name := range names {
		rows = append(rows, []string{name, happened[name], t.of[name]})
	}
	l.Table(toTheLeft(rows)...)
	l.Became("in the first of these calls, the store had %s", strings.Join(t.found, ", "))
}

// toTheLeft pads the cells, since a table's columns end at the right.
func toTheLeft(rows [][]string) [][]string {
	for column := range rows[0] {
		width := 0
		for _, row := range rows {
			width = max(width, len(row[column]))
		}
		for _, row := range rows {
			row[column] = fmt.Sprintf("%-*s", width, row[column])
		}
	}
	return rows
}
