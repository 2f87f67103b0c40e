// Package mutation is another right solution of exercise 04.3: who received what stands in a journal, and Check reads
// it from where an object was last intact. It compares by a walk of its own.
package mutation

import (
	"reflect"
	"slices"
	"sync"
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
	if r == nil {
		return nil
	}
	return &Recipe{
		Name: r.Name, ResourceVersion: r.ResourceVersion,
		Labels:     copyMap(r.Labels, same[string]),
		Finalizers: copySlice(r.Finalizers, same[string]),
		Owner: copyPointer(r.Owner, func(o Owner) Owner {
			return Owner{Name: o.Name, Controller: copyPointer(o.Controller, same[bool])}
		}),
		Amounts: copyMap(r.Amounts, func(amounts map[string]int) map[string]int {
			return copyMap(amounts, same[int])
		}),
		Steps: copySlice(r.Steps, func(s Step) Step {
			return Step{s.Text, copySlice(s.Uses, same[string]), copyPointer(s.Minutes, same[int])}
		}),
	}
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
	mu      sync.Mutex
	watched []entry[T] // in the order of Add
	journal []reception[T]
}

// New returns a Detector that watches nothing.
func New[T Object[T]]() *Detector[T] {
	return new(Detector[T])
}

// Add has the detector watch an object, which the cache holds from now on.
func (d *Detector[T]) Add(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.find(object) == nil {
		d.watched = append(d.watched, entry[T]{object, object.DeepCopy(), 0})
	}
}

// Remove forgets an object: the cache has dropped it.
func (d *Detector[T]) Remove(object T) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watched = slices.DeleteFunc(d.watched, func(e entry[T]) bool { return e.object == object })
	d.forget(func(r reception[T]) bool { return r.object == object })
}

// Received notes that a call site was handed an object.
func (d *Detector[T]) Received(object T, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.find(object) != nil {
		d.journal = append(d.journal, reception[T]{object, by})
	}
}

// Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
func (d *Detector[T]) Check() []Mutation[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := []Mutation[T]{}
	read := len(d.journal)
	for i := range d.watched {
		e := &d.watched[i]
		if equal(reflect.ValueOf(e.object), reflect.ValueOf(e.was)) {
			e.intact = read
			continue
		}
		m := Mutation[T]{Object: e.object, Was: e.was}
		for _, r := range d.journal[e.intact:] {
			if r.object == e.object {
				m.ReceivedBy = append(m.ReceivedBy, r.by)
			}
		}
		slices.Sort(m.ReceivedBy)
		m.ReceivedBy = slices.Compact(m.ReceivedBy)
		found = append(found, m)
		e.was = e.object.DeepCopy()
	}
	at := 0
	d.forget(func(r reception[T]) bool { at++; return at <= d.find(r.object).intact })
	return found
}

// entry is an object that is watched. Of the journal it needs what comes after the first so many.
type entry[T Object[T]] struct {
	object, was T
	intact      int
}

// reception is a line of the journal.
type reception[T Object[T]] struct {
	object T
	by     string
}

func (d *Detector[T]) find(object T) *entry[T] {
	for i := range d.watched {
		if d.watched[i].object == object {
			return &d.watched[i]
		}
	}
	return nil
}

// forget shortens the journal, of which everybody needs the rest.
func (d *Detector[T]) forget(line func(reception[T]) bool) {
	var rest []reception[T]
	intact := make([]int, len(d.watched))
	for at, r := range d.journal {
		if line(r) {
			continue
		}
		rest = append(rest, r)
		for i, e := range d.watched {
			if at < e.intact {
				intact[i]++
			}
		}
	}
	for i := range d.watched {
		d.watched[i].intact = intact[i]
	}
	d.journal = rest
}

// equal compares what two values lead to.
func equal(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		return equal(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		for _, key := range a.MapKeys() {
			if !equal(a.MapIndex(key), b.MapIndex(key)) {
				return false
			}
		}
		return a.Len() == b.Len()
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return a.Len() == b.Len()
	}
	return !a.IsValid() || a.Equal(b)
}

func same[V any](v V) V { return v }

func copyMap[V any](m map[string]V, value func(V) V) map[string]V {
	if m == nil {
		return nil
	}
	c := make(map[string]V, len(m))
	for key, v := range m {
		c[key] = value(v)
	}
	return c
}

func copySlice[V any](s []V, value func(V) V) []V {
	if s == nil {
		return nil
	}
	c := make([]V, 0, len(s))
	for _, v := range s {
		c = append(c, value(v))
	}
	return c
}

func copyPointer[V any](p *V, value func(V) V) *V {
	if p == nil {
		return nil
	}
	v := value(*p)
	return &v
}
