package ownedtest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
)

// late is a client that reads Processes from a cache that is behind. It is shown them one change at a time, in the
// order in which they happened. Sets it reads as they are.
type late struct {
	client.Client // of the controller
	server        *server
	shown         map[string]*v1alpha1.Process
	seen          map[string]*v1alpha1.Process // all that has happened, the newest of each name
	changes       []change
	notes         predicate.Predicate
}

// change is one, with what there was.
type change struct{ before, after *v1alpha1.Process }

func newLate(s *server) *late {
	return &late{Client: s.over, server: s, shown: map[string]*v1alpha1.Process{}, seen: map[string]*v1alpha1.Process{}}
}

// happened notes what has happened since it was called last. It is called after each write.
func (l *late) happened(ctx context.Context) error {
	is, err := l.server.processes(ctx)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(l.seen)) {
		before, after := l.seen[name], is[name]
		switch {
		case after == nil:
			l.changes = append(l.changes, change{before, nil})
		case after.UID != before.UID:
			l.changes = append(l.changes, change{before, nil}, change{nil, after})
		case after.ResourceVersion != before.ResourceVersion:
			l.changes = append(l.changes, change{before, after})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if l.seen[name] == nil {
			l.changes = append(l.changes, change{nil, is[name]})
		}
	}
	l.seen = is
	return nil
}

// next shows a change, and says whether there was one.
func (l *late) next() bool {
	if len(l.changes) == 0 {
		return false
	}
	c := l.changes[0]
	l.changes = l.changes[1:]
	switch {
	case c.before == nil:
		l.shown[c.after.Name] = c.after
		l.notes.Create(event.CreateEvent{Object: c.after})
	case c.after == nil:
		delete(l.shown, c.before.Name)
		l.notes.Delete(event.DeleteEvent{Object: c.before})
	default:
		l.shown[c.after.Name] = c.after
		l.notes.Update(event.UpdateEvent{ObjectOld: c.before, ObjectNew: c.after})
	}
	return true
}

// Get implements client.Reader.
func (l *late) Get(ctx context.Context, at client.ObjectKey, o client.Object, options ...client.GetOption) error {
	p, ok := o.(*v1alpha1.Process)
	if !ok {
		return l.Client.Get(ctx, at, o, options...)
	}
	if l.shown[at.Name] == nil {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "processes"}, at.Name)
	}
	l.shown[at.Name].DeepCopyInto(p)
	return nil
}

// List implements client.Reader. The order is the cache's, which has none.
func (l *late) List(ctx context.Context, o client.ObjectList, options ...client.ListOption) error {
	all, ok := o.(*v1alpha1.ProcessList)
	if !ok {
		return l.Client.List(ctx, o, options...)
	}
	if len(options) != 1 {
		return fmt.Errorf("this cache knows no option but the namespace")
	}
	all.Items = nil
	for _, p := range l.shown {
		all.Items = append(all.Items, *p.DeepCopy())
	}
	return nil
}
