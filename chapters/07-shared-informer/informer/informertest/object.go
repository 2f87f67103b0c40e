package informertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// Objects are ConfigMaps in the namespace default. One letter is the name, and what comes after it the state: a1. The
// key is default/a. A deletion is a change of its own, -a. The transformer adds a stroke to a state that has none, a1',
// and refuses a!. A tombstone stands in brackets, with its key: (default/a a1).

var errTransform = errors.New("not to be transformed")

func transform(obj any) (any, error) {
	c := obj.(*corev1.ConfigMap).DeepCopy() // the server has it, too
	if state(c) == "!" {
		return nil, errTransform
	}
	c.Data["value"] = strings.TrimSuffix(state(c), "'") + "'" // client-go transforms a streamed list twice
	return c, nil
}

func state(c *corev1.ConfigMap) string { return c.Data["value"] }

// last is the state that an object or a tombstone holds, or nil.
func last(obj any) *corev1.ConfigMap {
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = t.Obj
	}
	c, _ := obj.(*corev1.ConfigMap)
	return c
}

// describe writes an object as it is written in a sentence.
func describe(obj any) string {
	switch o := obj.(type) {
	case *corev1.ConfigMap:
		if o == nil {
			return "nothing"
		}
		return o.Name + state(o)
	case cache.DeletedFinalStateUnknown:
		return fmt.Sprintf("(%s %s)", o.Key, describe(o.Obj))
	}
	return fmt.Sprintf("%T", obj)
}

// describeUpdate leaves no doubt about which update it is: of one object, from one to another, or none, where somebody
// hears of the same again.
func describeUpdate(from, to any) string {
	old, changed := last(from), last(to)
	switch {
	case old == nil || changed == nil:
	case old.ResourceVersion == changed.ResourceVersion:
		return "again " + describe(to)
	case old.UID != changed.UID:
		return fmt.Sprintf("update %s to another %s", describe(from), describe(to))
	}
	return fmt.Sprintf("update %s %s", describe(from), describe(to))
}

// describeAll is in the order of names.
func describeAll(objects []any) string {
	all := make([]string, len(objects))
	for i, object := range objects {
		all[i] = describe(object)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// outcome is all that the suite asks of an error.
func outcome(err error) string {
	if err != nil {
		return "error"
	}
	return "ok"
}
