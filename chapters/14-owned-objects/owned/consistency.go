package owned

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// Synced returns the resourceVersion up to which a cache has shown everything, such as the method
// LastStoreSyncResourceVersion of k8s.io/client-go/tools/cache.Store.
type Synced func() string

// Consistency is a Memory of versions: the highest that was written for a set, of its children and of itself. Until
// both caches have come so far, a run is an error. It knows nothing of a write whose answer it has not got, nor of a
// deletion, whose answer has no version of the event.
//
// What it can't compare does not hold a run up.
//
// Upstream's counterpart is k8s.io/kubernetes/pkg/controller/util/consistency.ConsistencyStore, in consistency.go.
type Consistency struct {
	Nothing
	children, sets Synced

	lock  sync.Mutex // guards wrote
	wrote map[types.UID]*versions
}

// versions are the highest that were written: of children, and of the set.
type versions struct{ child, set string }

// NewConsistency makes a memory over two caches.
func NewConsistency(children, sets Synced) *Consistency {
	return &Consistency{children: children, sets: sets, wrote: map[types.UID]*versions{}}
}

// Late implements Memory.
func (c *Consistency) Late(set types.UID) (bool, time.Duration, error) {
	c.lock.Lock()
	defer c.lock.Unlock()
	wrote := c.wrote[set]
	if wrote == nil {
		return false, 0, nil
	}
	if at := c.children(); behind(at, wrote.child) {
		return false, 0, fmt.Errorf("the cache of Processes is at version %s, and %s was written", at, wrote.child)
	}
	if at := c.sets(); behind(at, wrote.set) {
		return false, 0, fmt.Errorf("the cache of ProcessSets is at version %s, and %s was written", at, wrote.set)
	}
	delete(c.wrote, set)
	return false, 0, nil
}

// behind says whether a cache at one version has yet to show another one.
func behind(at, wrote string) bool {
	order, err := resourceversion.CompareResourceVersion(at, wrote)
	return err == nil && order < 0
}

// Created implements Memory.
func (c *Consistency) Created(set types.UID, child *v1alpha1.Process, err error) {
	if err == nil {
		c.note(set, func(v *versions) { v.child = higher(v.child, child.ResourceVersion) })
	}
}

// Saved implements Memory.
func (c *Consistency) Saved(set *v1alpha1.ProcessSet) {
	c.note(set.UID, func(v *versions) { v.set = higher(v.set, set.ResourceVersion) })
}

// Forget implements Memory.
func (c *Consistency) Forget(set types.UID) {
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.wrote, set)
}

func (c *Consistency) note(set types.UID, raise func(*versions)) {
	c.lock.Lock()
	defer c.lock.Unlock()
	v := c.wrote[set]
	if v == nil {
		v = &versions{}
		c.wrote[set] = v
	}
	raise(v)
}

// higher is the higher of two versions, and the second one if they can't be compared.
func higher(a, b string) string {
	if order, err := resourceversion.CompareResourceVersion(a, b); err == nil && order > 0 {
		return a
	}
	return b
}
