// Package mutation is another right solution of exercise 04.3: what the detector knows is a value that never changes,
// and each method puts another one in its place. The copy of a recipe goes wherever its fields lead, by reflection.
package mutation

import (
	"maps"
	"reflect"
	"slices"
	"sync/atomic"
)

// Recipe is an object of the kind that a cache holds.
type Recipe struct {
	Name            string            `json:"name"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
	Finalizers      []string          `json:"finalizers,omitempty"`
	Owner           *Owner            `json:"owner,omitempty"`
	// Amounts are by the number of guests, and then by ingredient.
	Amounts map[string]map[string]int `json:"amounts,omitempty"`
	Steps   []Step                    `json:"steps,omitempty"`
}

// Owner is what a recipe belongs to.
type Owner struct {
	Name       string `json:"name"`
	Controller *bool  `json:"controller,omitempty"`
}

// Step is one of those of a recipe.
type Step struct {
	Text    string   `json:"text"`
	Uses    []string `json:"uses,omitempty"`
	Minutes *int     `json:"minutes,omitempty"`
}

// DeepCopy returns a copy of the recipe.
func (r *Recipe) DeepCopy() *Recipe {
	return deepCopy(reflect.ValueOf(r)).Interface().(*Recipe)
}

// Object is the type of what a Detector watches: a pointer type with a DeepCopy like that of *Recipe.
// The types of Kubernetes' API are such, *corev1.ConfigMap for one.
type Object[T any] interface {
	comparable
	DeepCopy() T
}

// Mutation is the report about one object that was written to.
type Mutation[T Object[T]] struct {
	// Object is the pointer that was given to Add.
	Object T
	// Was is a copy of what the object was at its Add or, if it was reported since, at its last report.
	Was T
	// ReceivedBy are the call sites that received the object since the last Check that found it intact,
	// or since its Add if none did: each once, and sorted as strings are. Nobody can tell which of them
	// wrote; it may also have been one from before, who had kept the pointer.
	ReceivedBy []string
}

// Detector watches the objects of a cache. Several goroutines may use it at the same time. Two detectors
// have nothing in common. No method changes an object. Nobody writes to an object at the very time of an
// Add or a Check, which read it: that would be a data race.
type Detector[T Object[T]] struct {
	now atomic.Pointer[[]known[T]] // in the order of Add; what it leads to is never written to
}

// New returns a Detector that watches nothing.
func New[T Object[T]]() *Detector[T] {
	d := &Detector[T]{}
	d.now.Store(&[]known[T]{})
	return d
}

// Add has the detector watch an object, which the cache holds from now on.
func (d *Detector[T]) Add(object T) {
	copied := object.DeepCopy()
	d.change(func(all []known[T]) []known[T] {
		if slices.ContainsFunc(all, is(object)) {
			return all
		}
		return append(slices.Clone(all), known[T]{object: object, was: copied})
	})
}

// Remove forgets an object: the cache has dropped it.
func (d *Detector[T]) Remove(object T) {
	d.change(func(all []known[T]) []known[T] { return slices.DeleteFunc(slices.Clone(all), is(object)) })
}

// Received notes that a call site was handed an object.
func (d *Detector[T]) Received(object T, by string) {
	d.change(func(all []known[T]) []known[T] {
		i := slices.IndexFunc(all, is(object))
		if i < 0 {
			return all
		}
		sites := map[string]bool{by: true}
		maps.Copy(sites, all[i].receivedBy)
		all = slices.Clone(all)
		all[i].receivedBy = sites
		return all
	})
}

// Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
func (d *Detector[T]) Check() []Mutation[T] {
	var found []Mutation[T]
	d.change(func(all []known[T]) []known[T] {
		found = nil // somebody may have been faster, and then this is another attempt
		all = slices.Clone(all)
		for i, k := range all {
			if reflect.DeepEqual(k.object, k.was) {
				all[i].receivedBy = nil
				continue
			}
			found = append(found, Mutation[T]{
				Object: k.object, Was: k.was, ReceivedBy: slices.Sorted(maps.Keys(k.receivedBy)),
			})
			all[i].was = k.object.DeepCopy()
		}
		return all
	})
	return found
}

// known is what is known of an object that is watched.
type known[T Object[T]] struct {
	object, was T
	receivedBy  map[string]bool
}

func is[T Object[T]](object T) func(known[T]) bool {
	return func(k known[T]) bool { return k.object == object }
}

// change replaces what the detector knows, as soon as nobody else did in between.
func (d *Detector[T]) change(with func(all []known[T]) []known[T]) {
	for {
		before := d.now.Load()
		after := with(*before)
		if d.now.CompareAndSwap(before, &after) {
			return
		}
	}
}

// deepCopy copies what v leads to. It has no use for fields that are not exported: a recipe has none.
func deepCopy(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.Field(i).Set(deepCopy(v.Field(i)))
		}
	case reflect.Map:
		if !v.IsNil() {
			c.Set(reflect.MakeMap(v.Type()))
		}
		for _, key := range v.MapKeys() {
			c.SetMapIndex(key, deepCopy(v.MapIndex(key)))
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			c.Index(i).Set(deepCopy(v.Index(i)))
		}
	default:
		c.Set(v)
	}
	return c
}
