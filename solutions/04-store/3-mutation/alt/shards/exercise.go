// Package mutation is another right solution of exercise 04.3: objects lie in shards, each with a lock of its own, and
// know their number. Each type of a recipe copies itself, as in the code that is generated for Kubernetes' types.
package mutation

import (
	"cmp"
	"hash/maphash"
	"reflect"
	"slices"
	"sync"
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
	if r == nil {
		return nil
	}
	out := new(Recipe)
	*out = *r
	if r.Labels != nil {
		out.Labels = make(map[string]string, len(r.Labels))
		for key, value := range r.Labels {
			out.Labels[key] = value
		}
	}
	if r.Finalizers != nil {
		out.Finalizers = make([]string, len(r.Finalizers))
		copy(out.Finalizers, r.Finalizers)
	}
	out.Owner = r.Owner.DeepCopy()
	if r.Amounts != nil {
		out.Amounts = make(map[string]map[string]int, len(r.Amounts))
		for guests, amounts := range r.Amounts {
			var c map[string]int
			if amounts != nil {
				c = make(map[string]int, len(amounts))
			}
			for key, value := range amounts {
				c[key] = value
			}
			out.Amounts[guests] = c
		}
	}
	if r.Steps != nil {
		out.Steps = make([]Step, len(r.Steps))
		for i := range r.Steps {
			r.Steps[i].DeepCopyInto(&out.Steps[i])
		}
	}
	return out
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
	seed    maphash.Seed
	numbers atomic.Int64
	shards  [16]shard[T]
}

// New returns a Detector that watches nothing.
func New[T Object[T]]() *Detector[T] {
	d := &Detector[T]{seed: maphash.MakeSeed()}
	for i := range d.shards {
		d.shards[i].watched = map[T]*watched[T]{}
	}
	return d
}

// Add has the detector watch an object, which the cache holds from now on.
func (d *Detector[T]) Add(object T) {
	s := d.shard(object)
	defer s.mu.Unlock()
	if s.watched[object] == nil {
		s.watched[object] = &watched[T]{number: d.numbers.Add(1), was: object.DeepCopy()}
	}
}

// Remove forgets an object: the cache has dropped it.
func (d *Detector[T]) Remove(object T) {
	s := d.shard(object)
	defer s.mu.Unlock()
	delete(s.watched, object)
}

// Received notes that a call site was handed an object.
func (d *Detector[T]) Received(object T, by string) {
	s := d.shard(object)
	defer s.mu.Unlock()
	w := s.watched[object]
	if w == nil {
		return
	}
	if i, there := slices.BinarySearch(w.receivedBy, by); !there {
		w.receivedBy = slices.Insert(w.receivedBy, i, by)
	}
}

// Check compares each object that is watched with what it was, and returns a Mutation for each one that
// somebody wrote to, in the order in which they were added.
func (d *Detector[T]) Check() []Mutation[T] {
	type numbered struct {
		number int64
		Mutation[T]
	}
	var all []numbered
	for i := range d.shards {
		s := &d.shards[i]
		s.mu.Lock()
		for object, w := range s.watched {
			if reflect.DeepEqual(object, w.was) {
				w.receivedBy = nil
				continue
			}
			all = append(all, numbered{w.number, Mutation[T]{object, w.was, slices.Clone(w.receivedBy)}})
			w.was = object.DeepCopy()
		}
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Compare(a.number, b.number) })
	found := make([]Mutation[T], len(all))
	for i, m := range all {
		found[i] = m.Mutation
	}
	return found
}

// shard holds some of the objects.
type shard[T Object[T]] struct {
	mu      sync.Mutex
	watched map[T]*watched[T]
}

// watched is what is known of an object.
type watched[T Object[T]] struct {
	number     int64
	was        T
	receivedBy []string // sorted
}

// shard is the one of an object, locked.
func (d *Detector[T]) shard(object T) *shard[T] {
	s := &d.shards[maphash.Comparable(d.seed, object)%uint64(len(d.shards))]
	s.mu.Lock()
	return s
}

// DeepCopy copies the owner, if there is one.
func (o *Owner) DeepCopy() *Owner {
	if o == nil {
		return nil
	}
	out := new(Owner)
	*out = *o
	if o.Controller != nil {
		out.Controller = new(bool)
		*out.Controller = *o.Controller
	}
	return out
}

// DeepCopyInto makes out a copy of the step.
func (s *Step) DeepCopyInto(out *Step) {
	*out = *s
	if s.Uses != nil {
		out.Uses = make([]string, len(s.Uses))
		copy(out.Uses, s.Uses)
	}
	if s.Minutes != nil {
		out.Minutes = new(int)
		*out.Minutes = *s.Minutes
	}
}
