package gone_test

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/tools/cache"

	. "github.com/controllers-from-scratch/controllers-from-scratch/chapters/06-delta-fifo/exercises/1-gone"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/exercise"
)

// object is what the queue, the list and the known objects hold here. It can't be compared.
type object map[string]string

// empty is how the key that is empty is written.
const empty = `""`

// String is "default/a v2".
func (o object) String() string { return cmp.Or(o["key"], empty) + " " + o["state"] }

// at is a new object with a key and a state, "default/a v2".
func at(what string) object {
	key, state, _ := strings.Cut(what, " ")
	if key == empty {
		key = ""
	}
	return object{"key": key, "state": state}
}

// void is how an object that is nil is written, and its key: keyOf takes it.
const void = "<nil>"

// given is what "default/a v2" is in a queue or in a list.
func given(what string) any {
	if what == void {
		return nil
	}
	return at(what)
}

var errKey = errors.New("the object has no key")

// keyOf knows no objects but those of this package and nil, and none whose key is "none".
func keyOf(obj any) (string, error) {
	if obj == nil {
		return void, nil
	}
	o, ok := obj.(object)
	if !ok || o["key"] == "none" {
		return "", errKey
	}
	return o["key"], nil
}

// queue reads "Added default/a v1", "Updated default/a v2", "Deleted default/a v2"; "Deleted †default/a v2" holds a
// tombstone.
func queue(deltas ...string) []cache.Delta {
	q := make([]cache.Delta, 0, len(deltas)+2) // with room, so that an append to it would be noticed
	for _, d := range deltas {
		kind, what, _ := strings.Cut(d, " ")
		delta := cache.Delta{Type: cache.DeltaType(kind), Object: given(what)}
		if what, ok := strings.CutPrefix(what, "†"); ok {
			o := at(what)
			delta.Object = cache.DeletedFinalStateUnknown{Key: o["key"], Obj: o}
		}
		q = append(q, delta)
	}
	return q
}

// list reads "default/a v1".
func list(objects ...string) []any {
	l := make([]any, 0, len(objects)+2)
	for _, what := range objects {
		l = append(l, given(what))
	}
	return l
}

// What a consumer says about a key when something is wrong. Beside it comes an object that does not count.
const (
	missing = "missing" // GetByKey does not find it
	broken  = "broken"  // GetByKey returns an error
)

// consumer has objects: "default/a v1". The state may also be missing or broken.
type consumer []object

// has makes a consumer.
func has(objects ...string) consumer {
	c := consumer{}
	for _, what := range objects {
		c = append(c, at(what))
	}
	return c
}

func (c consumer) ListKeys() (keys []string) {
	for _, o := range c {
		keys = append(keys, o["key"])
	}
	return keys
}

func (c consumer) GetByKey(key string) (any, bool, error) {
	for _, o := range c {
		switch {
		case o["key"] != key:
		case o["state"] == missing:
			return at(key + " not-this"), false, nil
		case o["state"] == broken:
			return at(key + " not-this"), true, errors.New("the store can't be read")
		default:
			return o, true, nil
		}
	}
	return nil, false, nil
}

// scene is what Tombstones is called with.
type scene struct {
	queued []cache.Delta
	known  cache.KeyListerGetter
	list   []any
}

func (s scene) String() string {
	known := "known is nil"
	if c, ok := s.known.(consumer); ok {
		known = "known has " + tell(c)
	}
	return fmt.Sprintf("queued has %s; %s; list has %s", tell(s.queued), known, tell(s.list))
}

// tell writes down deltas, objects or tombstones.
func tell[T any](all []T) string {
	if len(all) == 0 {
		return "nothing"
	}
	var out []string
	for _, one := range all {
		out = append(out, describe(one))
	}
	return strings.Join(out, ", ")
}

func describe(one any) string {
	switch x := one.(type) {
	case cache.Delta:
		return string(x.Type) + " " + describe(x.Object)
	case cache.DeletedFinalStateUnknown:
		if o, ok := x.Obj.(object); ok && o["key"] == x.Key {
			return "†" + o.String()
		}
		return fmt.Sprintf("†%s holding %s", x.Key, describe(x.Obj))
	}
	return fmt.Sprint(one)
}

// clues tells which belief a result points to, as tell writes it, or "an error".
type clues map[string]string

// wants calls Tombstones and compares, also what it was given, before and after. The tombstones wanted are written
// as "default/a v2"; in the state nil they hold nil.
func (s scene) wants(t *testing.T, about clues, want ...string) {
	t.Helper()
	var wanted []cache.DeletedFinalStateUnknown
	for _, what := range want {
		o := at(what)
		tombstone := cache.DeletedFinalStateUnknown{Key: o["key"], Obj: o}
		if o["state"] == "nil" {
			tombstone.Obj = nil
		}
		wanted = append(wanted, tombstone)
	}
	before := scene{slices.Clone(s.queued), s.known, slices.Clone(s.list)}
	check := s.unchanged(t)
	var asked []any
	got, err := Tombstones(s.queued, s.known, s.list, func(obj any) (string, error) {
		asked = append(asked, obj)
		return keyOf(obj)
	})
	before.asks(t, asked)
	if err != nil || len(got) != len(wanted) || len(got) > 0 && !reflect.DeepEqual(got, wanted) {
		happened := tell(got)
		if err != nil {
			happened = "an error"
		}
		exercise.Fail(t, exercise.Verdict{
			Expected: fmt.Sprintf("%s; the tombstones (†) are %s", before, tell(wanted)),
			Happened: fmt.Sprintf("Tombstones returned %s and the error %v", tell(got), err),
			PointsTo: about[happened],
		})
	}
	check()
	before.asksAll(t, asked)
}

// unchanged wants the queue and the list to be, when check is called, what they are now.
func (s scene) unchanged(t *testing.T) (check func()) {
	t.Helper()
	before := scene{slices.Clone(s.queued), s.known, slices.Clone(s.list)}
	queued, listed := fully(s.queued), fully(s.list)
	return func() {
		t.Helper()
		if reflect.DeepEqual(queued, fully(s.queued)) && reflect.DeepEqual(listed, fully(s.list)) {
			return
		}
		exercise.Fail(t, exercise.Verdict{
			Expected: fmt.Sprintf("%s, before and after the call", before),
			Happened: fmt.Sprintf("an element of one of the two slices, or the room behind it, was written to: "+
				"queued has %s; list has %s", tell(s.queued), tell(s.list)),
		})
	}
}

// asks wants key to have been asked only about what has a key.
func (s scene) asks(t *testing.T, asked []any) {
	t.Helper()
	for _, obj := range asked {
		_, tombstone := obj.(cache.DeletedFinalStateUnknown)
		if !tombstone && s.has(obj) {
			continue
		}
		about := ""
		if tombstone {
			about = "the belief that a tombstone is an object like others. It has neither a name nor a namespace: " +
				"its key was found out when it was made"
		}
		exercise.Fail(t, exercise.Verdict{
			Expected: fmt.Sprintf("%s; key is called with objects of the list and of the queue", s),
			Happened: fmt.Sprintf("it was called with %s", describe(obj)),
			PointsTo: about,
		})
	}
}

// asksAll wants key to have been asked about all that has a key.
func (s scene) asksAll(t *testing.T, asked []any) {
	t.Helper()
	objects := slices.Clone(s.list)
	for _, delta := range s.queued {
		if _, tombstone := delta.Object.(cache.DeletedFinalStateUnknown); !tombstone {
			objects = append(objects, delta.Object)
		}
	}
	for _, obj := range objects {
		was := slices.ContainsFunc(asked, func(o any) bool { return same(o, obj) })
		exercise.Expect(t, was, exercise.Verdict{
			Expected: fmt.Sprintf("%s; key is called with each object of the list and of the queue", s),
			Happened: fmt.Sprintf("it was not called with %s", describe(obj)),
		})
	}
}

// has says whether an object is in the list or in the queue.
func (s scene) has(obj any) bool {
	return slices.ContainsFunc(s.list, func(o any) bool { return same(o, obj) }) ||
		slices.ContainsFunc(s.queued, func(d cache.Delta) bool { return same(d.Object, obj) })
}

// same says whether two are one object, and not only equal.
func same(a, b any) bool {
	x, ok := a.(object)
	y, also := b.(object)
	if !ok || !also {
		return reflect.DeepEqual(a, b)
	}
	return reflect.ValueOf(x).Pointer() == reflect.ValueOf(y).Pointer()
}

// fully is a copy of a slice and of the room behind it.
func fully[T any](s []T) []T { return slices.Clone(s[:cap(s)]) }
