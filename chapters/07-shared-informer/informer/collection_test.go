package informer_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// collection is a server for those who write a lot: nobody waits for a watch that is behind. Each write makes the next
// version. It streams its lists.
type collection struct {
	mu        sync.Mutex
	version   int
	objects   map[string]*corev1.ConfigMap
	deleted   map[string]int // the version of each name's last deletion
	history   []watch.Event  // of the versions after forgotten
	forgotten int
	lost      int           // how often all connections were lost
	changed   chan struct{} // closed, and replaced, with each write
}

// fill makes a collection of so many objects.
func fill(objects int) *collection {
	c := &collection{objects: map[string]*corev1.ConfigMap{}, deleted: map[string]int{}, changed: make(chan struct{})}
	for i := range objects {
		c.put(i)
	}
	c.forget()
	return c
}

func name(i int) string { return fmt.Sprint("cm-", i) }

// versionOf is the version of an object, or of a tombstone's.
func versionOf(object any) int {
	if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = tombstone.Obj
	}
	version, _ := strconv.Atoi(object.(*corev1.ConfigMap).ResourceVersion)
	return version
}

// put creates or changes an object.
func (c *collection) put(i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version++
	kind, uid := watch.Added, types.UID(fmt.Sprint("uid-", c.version))
	if old := c.objects[name(i)]; old != nil {
		kind, uid = watch.Modified, old.UID
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name(i), UID: uid,
		ResourceVersion: strconv.Itoa(c.version)}, Data: map[string]string{"n": strconv.Itoa(c.version % 7)}}
	c.objects[object.Name] = object
	c.tell(kind, object)
}

// delete deletes an object, if there is one.
func (c *collection) delete(i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.objects[name(i)]
	if old == nil {
		return
	}
	c.version++
	object := old.DeepCopy()
	object.ResourceVersion = strconv.Itoa(c.version)
	delete(c.objects, object.Name)
	c.deleted[object.Name] = c.version
	c.tell(watch.Deleted, object)
}

// tell is called with the lock held.
func (c *collection) tell(kind watch.EventType, object *corev1.ConfigMap) {
	c.history = append(c.history, watch.Event{Type: kind, Object: object})
	c.wake()
}

func (c *collection) wake() {
	close(c.changed)
	c.changed = make(chan struct{})
}

// forget leaves nobody the changes so far.
func (c *collection) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history, c.forgotten = nil, c.version
}

// lose breaks all connections, and nobody hears of what is done in between but by a list.
func (c *collection) lose(do func()) {
	c.mu.Lock()
	c.lost++
	c.wake()
	c.mu.Unlock()
	do()
	c.forget()
}

// next is closed with the next write.
func (c *collection) next() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}

// deletion is the version of a name's last deletion.
func (c *collection) deletion(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.deleted[name]
}

// versions are the objects' versions by key.
func (c *collection) versions() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[string]int{}
	for name, object := range c.objects {
		all["default/"+name] = versionOf(object)
	}
	return all
}

// listerWatcher is what an informer is given.
func (c *collection) listerWatcher() cache.ListerWatcher {
	return &cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (runtime.Object, error) {
			return nil, errors.New("nobody lists")
		},
		WatchFuncWithContext: c.watch,
	}
}

func (c *collection) watch(_ context.Context, o metav1.ListOptions) (watch.Interface, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn := &connection{collection: c, lost: c.lost, events: make(chan watch.Event), stopped: make(chan struct{})}
	conn.sent, _ = strconv.Atoi(o.ResourceVersion)
	if o.SendInitialEvents != nil {
		conn.sent = c.version
		for _, name := range slices.Sorted(maps.Keys(c.objects)) {
			conn.waiting = append(conn.waiting, watch.Event{Type: watch.Added, Object: c.objects[name]})
		}
		conn.waiting = append(conn.waiting, watch.Event{Type: watch.Bookmark, Object: &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{ResourceVersion: strconv.Itoa(c.version),
				Annotations: map[string]string{metav1.InitialEventsAnnotationKey: "true"}}}})
	}
	go conn.run()
	return conn, nil
}

// connection is a watch.Interface.
type connection struct {
	collection *collection
	lost       int           // what the collection had lost when it was opened
	sent       int           // the last version that it knows of
	waiting    []watch.Event // that nobody has read
	events     chan watch.Event
	once       sync.Once
	stopped    chan struct{}
}

// ResultChan implements watch.Interface.
func (c *connection) ResultChan() <-chan watch.Event { return c.events }

// Stop implements watch.Interface.
func (c *connection) Stop() { c.once.Do(func() { close(c.stopped) }) }

// run sends what changes, until the connection is lost.
func (c *connection) run() {
	defer close(c.events)
	for {
		for _, event := range c.waiting {
			select {
			case c.events <- event:
			case <-c.stopped:
				return
			}
		}
		changed, ok := c.more()
		if !ok {
			return
		}
		if len(c.waiting) > 0 {
			continue
		}
		select {
		case <-changed:
		case <-c.stopped:
			return
		}
	}
}

// more takes what has changed, and returns what is closed when there is more. The last event of a connection is the
// error that it was lost.
func (c *connection) more() (changed <-chan struct{}, ok bool) {
	from := c.collection
	from.mu.Lock()
	defer from.mu.Unlock()
	if c.lost < 0 {
		return nil, false
	}
	if c.lost != from.lost || c.sent < from.forgotten {
		expired := apierrors.NewResourceExpired("too old resource version")
		c.waiting, c.lost = []watch.Event{{Type: watch.Error, Object: &expired.ErrStatus}}, -1
		return from.changed, true
	}
	c.waiting = slices.Clone(from.history[c.sent-from.forgotten:])
	c.sent = from.version
	return from.changed, true
}
