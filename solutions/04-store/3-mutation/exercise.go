// Package mutation finds out that somebody wrote to an object of a cache. A cache hands out pointers to
// the objects that it holds, since a copy for each reader would cost too much: whoever writes through
// such a pointer changes the object for everybody.
package mutation

import (
	"maps"
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
//
//   - The copy has the recipe's values as they are now, on every level.
//   - What is nil stays nil, and what is empty stays empty: an empty list is not nil, and a nil list is
//     not an empty one.
//   - The copy shares nothing with the recipe that could be written to, on no level. An empty slice with
//     room behind it can be written to: by an append.
//   - The recipe stays as it is.
//   - The copy of a nil *Recipe is nil.
func (r *Recipe) DeepCopy() *Recipe {
	//solution:begin
	//todo: copy the struct, and then whatever its fields point to
	//stub: return nil
	if r == nil {
		return nil
	}
	c := *r
	c.Labels = maps.Clone(r.Labels)
	c.Finalizers = slices.Clone(r.Finalizers)
	if r.Owner != nil {
		c.Owner = &Owner{Name: r.Owner.Name, Controller: clone(r.Owner.Controller)}
	}
	c.Amounts = maps.Clone(r.Amounts)
	for guests, amounts := range r.Amounts {
		c.Amounts[guests] = maps.Clone(amounts)
	}
	c.Steps = slices.Clone(r.Steps)
	for i, step := range r.Steps {
		c.Steps[i].Uses = slices.Clone(step.Uses)
		c.Steps[i].Minutes = clone(step.Minutes)
	}
	return &c
	//solution:end
}

//solution:begin

// clone copies a number, a text or the like, if there is one.
func clone[V any](p *V) *V {
	if p == nil {
		return nil
	}
	return new(*p)
}

//solution:end

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
	//solution:begin
	//todo: add the fields you need
	mu      sync.Mutex
	watched map[T]*record[T]
	added   int // so many objects were added so far
	//solution:end
}

//solution:begin

// record is what is known of an object that is watched.
type record[T any] struct {
	nth        int // its place in the order of Add
	was        T
	receivedBy map[string]bool
}

//solution:end

// New returns a Detector that watches nothing.
func New[T Object[T]]() *Detector[T] {
	//solution:begin
	//stub: return &Detector[T]{}
	return &Detector[T]{watched: map[T]*record[T]{}}
	//solution:end
}

// Add has the detector watch an object, which the cache holds from now on.
//
//   - The object should stay what it is now. Was can tell it later, whoever wrote in between.
//   - An object is its pointer: another pointer is another object, even to the same name or to equal
//     values. An update comes as a new object, and the one before is watched until its Remove, since
//     somebody may still read it.
//   - An Add of an object that is watched already changes nothing, also after somebody wrote to it.
func (d *Detector[T]) Add(object T) {
	//solution:begin
	//todo: keep what Check needs, at the right moment
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.watched[object]; ok {
		return
	}
	d.added++
	d.watched[object] = &record[T]{nth: d.added, was: object.DeepCopy(), receivedBy: map[string]bool{}}
	//solution:end
}

// Remove forgets an object: the cache has dropped it.
//
//   - No later Check reports it, not even if somebody wrote to it before.
//   - Nothing of it is kept: no pointer to it, no copy, and no call site. After another Add it is like an
//     object that was never seen before.
//   - A Remove of an object that is not watched changes nothing.
func (d *Detector[T]) Remove(object T) {
	//solution:begin
	//todo: forget it
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.watched, object)
	//solution:end
}

// Received notes that a call site was handed an object.
//
//   - Each object has call sites of its own.
//   - Of an object that is not watched, nothing is noted: it is not watched because of that, and a later
//     Add begins without call sites.
func (d *Detector[T]) Received(object T, by string) {
	//solution:begin
	//todo: note who received it
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.watched[object]; ok {
		r.receivedBy[by] = true
	}
	//solution:end
}

// Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
//
//   - Every field counts, on every level: also one that is not exported, what is in a map of a map or
//     in an element of a slice, and what a pointer behind a pointer leads to. Nil is not empty.
//   - Only the values count. An object is intact if each of them is what it was, wherever it lies now.
//   - A write counts whether or not the resourceVersion is another one afterwards, and whether or not any
//     call site has received the object.
//   - A change is reported once, also by several Checks at the same time. From then on the object is
//     watched as it is now: when somebody writes the old value back, that is a change like any other.
//   - The call sites of an object that is found intact are forgotten, and only they. Those of an object
//     that is reported may write again: they are in its next report, too, if no Check finds it intact
//     before.
//   - What Check returns is the caller's. The detector does not change it later; and what the caller
//     writes to it, to all but the Object, changes no later report.
func (d *Detector[T]) Check() []Mutation[T] {
	//solution:begin
	//todo: which objects are not what they were? and what has to be so for the next Check?
	//stub: return nil
	d.mu.Lock()
	defer d.mu.Unlock()
	var found []Mutation[T]
	for _, object := range slices.SortedFunc(maps.Keys(d.watched), d.inOrder) {
		r := d.watched[object]
		if reflect.DeepEqual(object, r.was) {
			clear(r.receivedBy)
			continue
		}
		sites := slices.Sorted(maps.Keys(r.receivedBy))
		found = append(found, Mutation[T]{Object: object, Was: r.was, ReceivedBy: sites})
		r.was = object.DeepCopy()
	}
	return found
	//solution:end
}

//solution:begin

// inOrder compares objects by when they were added.
func (d *Detector[T]) inOrder(a, b T) int { return d.watched[a].nth - d.watched[b].nth }

//solution:end
