package owned_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

// hearing is a memory that keeps what it is told of events.
type hearing struct {
	owned.Nothing
	told *[]string
}

func (h hearing) say(what string, set types.UID, about string) {
	*h.told = append(*h.told, fmt.Sprintf("%s %s, %s", what, about, set))
}
func (h hearing) Shown(set types.UID, p *v1alpha1.Process) { h.say("shown", set, p.Name) }
func (h hearing) Gone(set types.UID, p *v1alpha1.Process)  { h.say("gone", set, p.Name) }
func (h hearing) Forget(set types.UID)                     { h.say("forget", set, "all") }

// otherKind has something else control a Process.
func otherKind(p *v1alpha1.Process) { p.OwnerReferences[0].Kind = "ProcessSchedule" }

// What an event tells the memory. It passes, whatever it is.
func TestNotes(t *testing.T) {
	for name, c := range map[string]struct {
		event func(predicate.Predicate) bool
		told  []string
	}{
		"made":               {created(child("web-0")), []string{"shown web-0, uid of web"}},
		"made, and going":    {created(child("web-0", slow)), []string{"gone web-0, uid of web"}},
		"made for another":   {created(child("web-0", strangers)), []string{"shown web-0, uid of another"}},
		"made for nobody":    {created(child("web-0", orphan)), nil},
		"made for a kind":    {created(child("web-0", otherKind)), nil},
		"a set":              {created(web(1)), nil},
		"changed":            {updated(child("web-0"), child("web-0", runs)), nil},
		"adopted":            {updated(child("web-0", orphan), child("web-0")), nil},
		"begins to go":       {updated(child("web-0"), child("web-0", slow)), []string{"gone web-0, uid of web"}},
		"gone":               {deleted(child("web-0")), []string{"gone web-0, uid of web"}},
		"gone, another kind": {deleted(child("web-0", otherKind)), nil},
		"gone, nobody's":     {deleted(child("web-0", orphan)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			var told []string
			s := newSite(t)
			require.True(t, c.event(s.controller(func(p *owned.Parts) { p.Memory = hearing{told: &told} }).Notes()))
			require.Equal(t, c.told, told)
		})
	}
}

func created(o client.Object) func(predicate.Predicate) bool {
	return func(p predicate.Predicate) bool { return p.Create(event.CreateEvent{Object: o}) }
}

func updated(before, after client.Object) func(predicate.Predicate) bool {
	return func(p predicate.Predicate) bool {
		return p.Update(event.UpdateEvent{ObjectOld: before, ObjectNew: after})
	}
}

func deleted(o client.Object) func(predicate.Predicate) bool {
	return func(p predicate.Predicate) bool { return p.Delete(event.DeleteEvent{Object: o}) }
}

// A set that is gone is forgotten, and so are its numbers: one that is made anew begins at 0.
func TestForgets(t *testing.T) {
	var told []string
	s := newSite(t, web(1))
	r := s.controller(func(p *owned.Parts) { p.Memory = hearing{told: &told} })
	require.True(t, created(child("web-4"))(r.Notes()))
	require.True(t, created(web(1))(r.Forgets()))
	require.True(t, deleted(web(1))(r.Forgets()))
	require.Equal(t, []string{"shown web-4, uid of web", "forget all, uid of web"}, told)
	_, err := s.run(t, r)
	require.NoError(t, err)
	require.Equal(t, []string{"create web-0"}, s.requests())
}

// What is adopted has its number from somebody else, and does not count.
func TestAnAdoptedOneDoesNotCount(t *testing.T) {
	s := newSite(t, web(2), child("web-7", orphan))
	r := s.controller()
	require.True(t, created(child("web-7", orphan))(r.Notes()))
	_, err := s.run(t, r)
	require.NoError(t, err)
	require.True(t, updated(child("web-7", orphan), child("web-7"))(r.Notes()))
	require.Equal(t, []string{asks, "patch web-7", "create web-0"}, s.requests())
	require.Empty(t, s.set(t).Annotations)
}
