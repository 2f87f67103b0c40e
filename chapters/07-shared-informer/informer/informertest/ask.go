package informertest

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/tools/cache"
)

// ask is what an informer is asked, and the settings:
//
//	synced                who has: informer, controller, and handlers
//	versions              the last that informer, controller and store have
//	store                 what is in it
//	by INDEX STATE        what the index has for it; "given" is there from the beginning
//	index NAME            adds an index
//	stopped               whether it is
//	transform, listen     sets the transformer, or one who listens to errors; "listen plainly" the older way
//	requests              whether there were any since the last time
//	count, goroutines     how many there are now; how many more than that
func (r *rig) ask(verb string, args []string) string {
	switch verb {
	case "synced":
		return r.synced()
	case "versions":
		return fmt.Sprintf("informer %q, controller %q, store %q", r.informer.LastSyncResourceVersion(),
			r.informer.GetController().LastSyncResourceVersion(), r.informer.GetStore().LastStoreSyncResourceVersion())
	case "store":
		return r.store()
	case "by":
		objects, err := r.informer.GetIndexer().ByIndex(args[0], args[1])
		if err != nil {
			return outcome(err)
		}
		return describeAll(objects)
	case "index":
		return r.now(func() error { return r.informer.AddIndexers(cache.Indexers{args[0]: r.index}) })
	case "stopped":
		return fmt.Sprint(r.informer.IsStopped())
	case "transform":
		return outcome(r.informer.SetTransform(transform))
	case "listen":
		return r.listen(len(args) > 0)
	case "requests":
		before := r.requests
		r.requests = len(r.source.Requests())
		return map[bool]string{true: "some", false: "none"}[r.requests > before]
	case "count":
		r.routines = goroutines()
		return ""
	case "goroutines":
		return fmt.Sprint(goroutines() - r.routines)
	}
	panic("no operation: " + verb)
}

func (r *rig) synced() string {
	controller := r.informer.GetController()
	all := []string{
		hasSynced("informer", r.informer.HasSynced, r.informer.HasSyncedChecker()),
		hasSynced("controller", controller.HasSynced, controller.HasSyncedChecker()),
	}
	for _, name := range slices.Sorted(maps.Keys(r.handlers)) {
		registration := r.handlers[name].registration
		all = append(all, hasSynced(name, registration.HasSynced, registration.HasSyncedChecker()))
	}
	return strings.TrimSpace(strings.Join(all, ""))
}

// hasSynced names who has, and whatever does not fit together.
func hasSynced(who string, has func() bool, checker cache.DoneChecker) string {
	switch done := cache.IsDone(checker); {
	case checker.Name() == "":
		return " " + who + " without a name"
	case done != has():
		return fmt.Sprintf(" %s: done %v, but HasSynced %v", who, done, has())
	case !done:
		return ""
	}
	return " " + who
}

func (r *rig) store() string {
	content := describeAll(r.informer.GetStore().List())
	if other := describeAll(r.informer.GetIndexer().List()); other != content {
		content += ", but the indexer " + other
	}
	return content
}

func (r *rig) listen(plainly bool) string {
	heard := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !slices.Contains(r.news, "an error") { // how many they are is a matter of chance
			r.news = append(r.news, "an error")
		}
	}
	if plainly {
		return outcome(r.informer.SetWatchErrorHandler(func(*cache.Reflector, error) { heard() }))
	}
	return outcome(r.informer.SetWatchErrorHandlerWithContext(
		func(context.Context, *cache.Reflector, error) { heard() }))
}

// index is an index function: by state. Where the index is to be slow it takes its time, and a faulty one panics on !.
func (r *rig) index(obj any) ([]string, error) {
	object := last(obj)
	if r.setup.has("faulty index") && state(object) == "!" {
		panic("an index function that panics")
	}
	if r.setup.has("slow index") {
		r.indexes(object.Name, 1)
		time.Sleep(indexing)
		r.indexes(object.Name, -1)
	}
	return []string{state(object)}, nil
}

// indexes says whether an object is being indexed, and changes that.
func (r *rig) indexes(name string, change int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.indexing[name] += change
	return r.indexing[name] > 0
}

// goroutines counts those in bubbles.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	return strings.Count(string(stacks[:runtime.Stack(stacks, true)]), "synctest bubble")
}
