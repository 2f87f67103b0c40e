package routing

import (
	"maps"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// Funcs is a predicate made of functions. What has none passes.
//
// A predicate stands between an informer and one handler. It keeps no event from the cache, and none from other
// handlers.
//
// Upstream's counterpart is predicate.Funcs, in controller-runtime's pkg/predicate/predicate.go, as is that of all
// here.
type Funcs struct {
	CreateFunc  func(event.CreateEvent) bool
	UpdateFunc  func(event.UpdateEvent) bool
	DeleteFunc  func(event.DeleteEvent) bool
	GenericFunc func(event.GenericEvent) bool
}

var (
	_ predicate.Predicate = Funcs{}
	_ predicate.Predicate = combined{}
	_ predicate.Predicate = not{}
)

// Create implements predicate.Predicate.
func (f Funcs) Create(e event.CreateEvent) bool { return f.CreateFunc == nil || f.CreateFunc(e) }

// Update implements predicate.Predicate.
func (f Funcs) Update(e event.UpdateEvent) bool { return f.UpdateFunc == nil || f.UpdateFunc(e) }

// Delete implements predicate.Predicate.
func (f Funcs) Delete(e event.DeleteEvent) bool { return f.DeleteFunc == nil || f.DeleteFunc(e) }

// Generic implements predicate.Predicate.
func (f Funcs) Generic(e event.GenericEvent) bool { return f.GenericFunc == nil || f.GenericFunc(e) }

// changed lets an update pass in which something has changed, and all that is no update.
func changed(has func(before, after client.Object) bool) predicate.Predicate {
	return Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld != nil && e.ObjectNew != nil && has(e.ObjectOld, e.ObjectNew)
	}}
}

// ResourceVersionChanged lets no update pass that a resync has made: the object is the same.
func ResourceVersionChanged() predicate.Predicate {
	return changed(func(before, after client.Object) bool {
		return before.GetResourceVersion() != after.GetResourceVersion()
	})
}

// GenerationChanged lets an update of the spec pass, and the beginning of a deletion with finalizers, which is a
// generation of its own. Many kinds have no generation, ConfigMaps and Services among them: of these no update passes.
func GenerationChanged() predicate.Predicate {
	return changed(func(before, after client.Object) bool { return before.GetGeneration() != after.GetGeneration() })
}

// LabelChanged lets an update of the labels pass.
func LabelChanged() predicate.Predicate {
	return changed(func(before, after client.Object) bool { return !maps.Equal(before.GetLabels(), after.GetLabels()) })
}

// AnnotationChanged lets an update of the annotations pass.
func AnnotationChanged() predicate.Predicate {
	return changed(func(before, after client.Object) bool {
		return !maps.Equal(before.GetAnnotations(), after.GetAnnotations())
	})
}

// And lets pass what all let pass. Of none, that is everything.
func And(all ...predicate.Predicate) predicate.Predicate { return combined{all, false} }

// Or lets pass what one lets pass. Of none, that is nothing.
func Or(all ...predicate.Predicate) predicate.Predicate { return combined{all, true} }

// combined asks one predicate after another until an answer decides.
type combined struct {
	all     []predicate.Predicate
	decides bool // the answer after which no other is asked
}

func (c combined) ask(passes func(predicate.Predicate) bool) bool {
	for _, p := range c.all {
		if passes(p) == c.decides {
			return c.decides
		}
	}
	return !c.decides
}

// Create implements predicate.Predicate.
func (c combined) Create(e event.CreateEvent) bool {
	return c.ask(func(p predicate.Predicate) bool { return p.Create(e) })
}

// Update implements predicate.Predicate.
func (c combined) Update(e event.UpdateEvent) bool {
	return c.ask(func(p predicate.Predicate) bool { return p.Update(e) })
}

// Delete implements predicate.Predicate.
func (c combined) Delete(e event.DeleteEvent) bool {
	return c.ask(func(p predicate.Predicate) bool { return p.Delete(e) })
}

// Generic implements predicate.Predicate.
func (c combined) Generic(e event.GenericEvent) bool {
	return c.ask(func(p predicate.Predicate) bool { return p.Generic(e) })
}

// Not lets pass what another does not. That is also said of what it lets pass without looking: the opposite of
// [GenerationChanged] lets no creation and no deletion pass.
func Not(p predicate.Predicate) predicate.Predicate { return not{p} }

type not struct{ of predicate.Predicate }

// Create implements predicate.Predicate.
func (n not) Create(e event.CreateEvent) bool { return !n.of.Create(e) }

// Update implements predicate.Predicate.
func (n not) Update(e event.UpdateEvent) bool { return !n.of.Update(e) }

// Delete implements predicate.Predicate.
func (n not) Delete(e event.DeleteEvent) bool { return !n.of.Delete(e) }

// Generic implements predicate.Predicate.
func (n not) Generic(e event.GenericEvent) bool { return !n.of.Generic(e) }
