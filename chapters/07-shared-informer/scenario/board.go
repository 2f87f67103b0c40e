package scenario

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// nothing is what stands where there is nothing.
const nothing = "-"

// Board lines up what the store has and what each handler knows, who has synced, and what waits.
func (w *World) Board(l *lab.Lab) {
	head, working := []string{"", "store"}, []string{"in a call", nothing}
	waiting, synced := []string{"waiting", nothing}, []string{"HasSynced", yes(w.Informer.HasSynced())}
	names := versions(w.Informer.GetStore())
	for _, h := range w.Handlers {
		head = append(head, h.Name)
		working = append(working, yes(h.InCall()))
		waiting = append(waiting, fmt.Sprint(h.Registration.Waiting()))
		synced = append(synced, yes(h.Registration.HasSynced()))
	}
	rows := [][]string{head}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		row := []string{name, names[name]}
		for _, h := range w.Handlers {
			row = append(row, h.Knows(name))
		}
		rows = append(rows, row)
	}
	l.Table(append(rows, working, waiting, synced)...)
}

// Counts lines up how often each handler was called, by what it was told.
func (w *World) Counts(l *lab.Lab) {
	rows := [][]string{{"calls"}, {"OnAdd, initial list"}, {"OnAdd"}, {"OnUpdate"}, {"OnDelete"}}
	for _, h := range w.Handlers {
		c := h.Calls()
		rows[0] = append(rows[0], h.Name)
		for i, n := range []int{c.Initial, c.Add, c.Update, c.Delete} {
			rows[i+1] = append(rows[i+1], fmt.Sprint(n))
		}
	}
	l.Table(rows...)
}

// versions are those of what a store has, by name.
func versions(store cache.Store) map[string]string {
	all := map[string]string{}
	for _, object := range store.List() {
		all[Name(object)] = object.(*corev1.ConfigMap).ResourceVersion
	}
	return all
}

// Name is an object's name, or that of the object that a tombstone is for.
func Name(object any) string {
	if t, isTombstone := object.(cache.DeletedFinalStateUnknown); isTombstone {
		return t.Key[strings.LastIndexByte(t.Key, '/')+1:]
	}
	return object.(*corev1.ConfigMap).Name
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
