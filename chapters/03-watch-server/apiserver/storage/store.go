package storage

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"sync"
)

// What a read or a write can be refused with, besides an ExpiredError.
var (
	ErrNotFound = errors.New("no such object")
	ErrExists   = errors.New("the object exists already")
	ErrConflict = errors.New("the object is not at the revision that the write was made from")
	ErrFuture   = errors.New("the revision asked for has not been written yet")
)

// Options size a store. Zero values mean the defaults.
type Options struct {
	History int // changes of one resource that a watch can resume from; default 1000
	Buffer  int // events that a watcher may be behind before it is evicted; default 100
}

// Store holds the objects. All methods are safe for concurrent use.
type Store struct {
	options Options

	mu        sync.RWMutex // guards what follows, and the histories and watchers in it
	revision  uint64       // of the last write, to whatever object of whatever resource
	resources map[string]*resource
	watchers  index
}

// resource is what the store keeps for each resource: the objects by namespace and name, and the window.
type resource struct {
	objects map[string]map[string]*Object
	history *history
}

// New makes an empty store. Its revision begins at 1, as etcd's does: 0 has a meaning of its own
// in the API ("whatever you have"), so no object and no list may ever carry it.
func New(options Options) *Store {
	options.History = cmp.Or(options.History, 1000)
	options.Buffer = cmp.Or(options.Buffer, 100)
	return &Store{options: options, revision: 1, resources: map[string]*resource{}, watchers: index{}}
}

// Install begins to hold a resource. Its window starts now: a watch of it from an earlier revision
// gets an ExpiredError, although nothing of it was ever forgotten. The other methods are only for
// resources that are installed.
func (s *Store) Install(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resources[name] == nil {
		s.resources[name] = &resource{
			objects: map[string]map[string]*Object{},
			history: newHistory(s.options.History, s.revision),
		}
	}
}

// Get returns one object or ErrNotFound.
func (s *Store) Get(key Key) (*Object, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if o := s.resources[key.Resource].objects[key.Namespace][key.Name]; o != nil {
		return o, nil
	}
	return nil, ErrNotFound
}

// List returns what matches, sorted by namespace and name, and the revision at which this is the
// whole truth: a watch that begins there misses nothing.
func (s *Store) List(q Query) ([]*Object, uint64) {
	s.mu.RLock()
	found, revision := s.matching(q), s.revision
	s.mu.RUnlock()
	sortObjects(found)
	return found, revision
}

// Create stores a new object, or refuses with ErrExists. content is not kept.
func (s *Store) Create(key Key, content map[string]any) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resources[key.Resource].objects[key.Namespace][key.Name] != nil {
		return nil, ErrExists
	}
	after, err := newObject(key, content, s.revision+1)
	if err != nil {
		return nil, err
	}
	s.commit(&change{after: after})
	return after, nil
}

// Update replaces an object if it is still at the revision that the new content was made from;
// otherwise somebody else has written, and it refuses with ErrConflict. An update that would change
// nothing is not a write: it returns the object as it is, takes no revision and sends no event.
func (s *Store) Update(key Key, from uint64, content map[string]any) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := s.current(key, from)
	if err != nil {
		return nil, err
	}
	same, err := newObject(key, content, before.Revision)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(same.JSON, before.JSON) {
		return before, nil
	}
	after, err := newObject(key, content, s.revision+1)
	if err != nil {
		return nil, err
	}
	s.commit(&change{before: before, after: after})
	return after, nil
}

// Delete removes an object under the same condition as Update. It is a write like the others: it
// takes a revision, and the object it returns carries it.
func (s *Store) Delete(key Key, from uint64) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := s.current(key, from)
	if err != nil {
		return nil, err
	}
	c := &change{before: before, gone: before.withRevision(s.revision + 1)}
	s.commit(c)
	return c.gone, nil
}

// current is the object that a conditional write is about.
func (s *Store) current(key Key, from uint64) (*Object, error) {
	switch o := s.resources[key.Resource].objects[key.Namespace][key.Name]; {
	case o == nil:
		return nil, ErrNotFound
	case o.Revision != from:
		return nil, ErrConflict
	default:
		return o, nil
	}
}

// commit gives a change the next revision, and makes it visible everywhere at once: in the map, in
// the window, and in the queue of every watcher that it concerns. The lock is held, so all of them
// see all changes in this order.
func (s *Store) commit(c *change) {
	s.revision++
	c.revision = s.revision
	o := cmp.Or(c.after, c.before)
	r := s.resources[o.Resource]
	if c.after == nil {
		delete(r.objects[o.Namespace], o.Name)
	} else {
		if r.objects[o.Namespace] == nil {
			r.objects[o.Namespace] = map[string]*Object{}
		}
		r.objects[o.Namespace][o.Name] = c.after
	}
	r.history.add(c)
	s.watchers.dispatch(c)
}

// matching returns what a query is about, in no order. The lock is held, for reading at least.
func (s *Store) matching(q Query) []*Object {
	var found []*Object
	for namespace, objects := range s.resources[q.Resource].objects {
		if q.Namespace != "" && namespace != q.Namespace {
			continue
		}
		for _, o := range objects {
			if q.Matches(o) {
				found = append(found, o)
			}
		}
	}
	return found
}

func sortObjects(objects []*Object) {
	slices.SortFunc(objects, func(a, b *Object) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}
