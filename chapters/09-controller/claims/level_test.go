package claims

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// change is what happens in a world, and how a handler would be told of it.
type change struct {
	do   func(*paper)
	tell func(cache.ResourceEventHandler)
}

// history is a source that is made, changed and deleted, and another that is made, while a mirror is deleted by
// somebody.
func history() []change {
	soup, stew := source("home", "menu", "soup"), source("home", "menu", "stew")
	rules := source("home", "rules", "quiet")
	return []change{
		{func(p *paper) { p.put(soup) }, func(h cache.ResourceEventHandler) { h.OnAdd(soup, false) }},
		{func(p *paper) { p.put(stew) }, func(h cache.ResourceEventHandler) { h.OnUpdate(soup, stew) }},
		{func(p *paper) { delete(p.objects, key("north", "menu")) },
			func(h cache.ResourceEventHandler) { h.OnDelete(mirrorOf(stew, "north")) }},
		{func(p *paper) { p.put(rules) }, func(h cache.ResourceEventHandler) { h.OnAdd(rules, false) }},
		{func(p *paper) { delete(p.objects, key("home", "menu")) },
			func(h cache.ResourceEventHandler) { h.OnDelete(stew) }},
	}
}

// onEvents is a controller that does what each event says: created, so create.
func onEvents(p *paper) cache.ResourceEventHandler {
	mirrored := func(o any, do func(*corev1.ConfigMap)) {
		if c := o.(*corev1.ConfigMap); c.Labels[mirror.Role] == mirror.Source {
			do(mirrorOf(c, "north"))
		}
	}
	put := func(c *corev1.ConfigMap) { p.put(c) }
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { mirrored(o, put) },
		UpdateFunc: func(_, o any) { mirrored(o, put) },
		DeleteFunc: func(o any) { mirrored(o, func(c *corev1.ConfigMap) { delete(p.objects, place(c)) }) },
	}
}

// What a run does follows from what is there. So it makes no difference whether a change is told once, twice, late, out
// of order or not at all, as long as each place is named in the end: a first list does that. A controller that does
// what the events say ends elsewhere.
//
// covers: S0-12 S1-18
func TestAnyHistoryLeadsToTheSame(t *testing.T) {
	const right = "home/rules=quiet north/rules=quiet"
	r := rand.New(rand.NewPCG(9, 1))
	astray := 0
	for range 200 {
		levels, edges := written([]string{"north"}), written([]string{"north"})
		runs := mirror.NewHandler(levels, func(key mirror.Key) { levels.run(t, key) })
		acts := onEvents(edges)
		all := history()
		for i, c := range all {
			c.do(levels)
			c.do(edges)
			for range r.IntN(3) { // what is told now: this, or what was long ago, or nothing
				told := all[r.IntN(i+1)]
				told.tell(runs)
				told.tell(acts)
			}
		}
		restart(levels, runs)
		restart(edges, acts)
		require.Equal(t, right, levels.String())
		if edges.String() != right {
			astray++
		}
	}
	require.Greater(t, astray, 50, "so many of 200 histories lead a controller that acts on events astray")
}

// restart tells a handler of all that is there, as a first list does.
func restart(p *paper, h cache.ResourceEventHandler) {
	for _, o := range slices.Collect(maps.Values(p.objects)) {
		h.OnAdd(o, true)
	}
}

// One function hears of additions, updates and deletions. Whatever happens to a source, the same places are named.
//
// covers: S1-15
func TestEveryKindOfEventNamesTheSamePlaces(t *testing.T) {
	menu := source("home", "menu", "soup")
	p := written([]string{"north", "south"}, menu)
	places := []mirror.Key{key("home", "menu"), key("north", "menu"), key("south", "menu")}
	for what, tell := range map[string]func(cache.ResourceEventHandler){
		"an addition":  func(h cache.ResourceEventHandler) { h.OnAdd(menu, false) },
		"a first list": func(h cache.ResourceEventHandler) { h.OnAdd(menu, true) },
		"an update":    func(h cache.ResourceEventHandler) { h.OnUpdate(menu, source("home", "menu", "stew")) },
		"a resync":     func(h cache.ResourceEventHandler) { h.OnUpdate(menu, menu) },
		"a deletion":   func(h cache.ResourceEventHandler) { h.OnDelete(menu) },
	} {
		require.Equal(t, places, p.named(func(add func(mirror.Key)) { tell(mirror.NewHandler(p, add)) }), what)
	}
}

// Nobody tells a run that something was deleted. It has a name, looks it up, and finds nothing.
//
// covers: S1-16
func TestARunFindsOutThatSomethingIsGone(t *testing.T) {
	menu := source("home", "menu", "soup")
	p := written([]string{"north"}, menu, mirrorOf(menu, "north"))
	p.run(t, key("north", "menu"))
	require.Empty(t, p.writes)

	delete(p.objects, key("home", "menu"))
	p.run(t, key("north", "menu")) // the same call
	require.Equal(t, []string{"delete north/menu"}, p.writes)

	delete(p.objects, key("north", "menu"))
	p.run(t, key("north", "menu")) // and where nothing is left, nothing is done
	require.Len(t, p.writes, 1)
}

// unseen is a world whose caches lack one object, which is on the server.
type unseen struct {
	*paper
	key mirror.Key
}

func (u unseen) Get(key mirror.Key) (*corev1.ConfigMap, bool) {
	if key == u.key {
		return nil, false
	}
	return u.paper.Get(key)
}

// A mirror that has lost the label of its group is in no cache any more. A run tries to create it, and is refused; when
// the source is gone, no run deletes the mirror.
func TestAMirrorThatLeavesTheGroup(t *testing.T) {
	menu := source("home", "menu", "soup")
	p := written([]string{"north"}, menu, mirrorOf(menu, "north"))
	place := key("north", "menu")
	err := mirror.Reconcile(t.Context(), place, unseen{p, place}, p)
	require.True(t, apierrors.IsAlreadyExists(err), err)

	delete(p.objects, key("home", "menu"))
	require.NoError(t, mirror.Reconcile(t.Context(), place, unseen{p, place}, p))
	require.Empty(t, p.writes)
	require.Contains(t, p.objects, place)
}

// Between the event and the run the object changes. The run has its name alone, and reads what is there by then.
//
// covers: S1-26
func TestARunReadsWhatIsThereNow(t *testing.T) {
	menu := source("home", "menu", "soup")
	p := written([]string{"north"}, menu)
	due := p.named(func(add func(mirror.Key)) { mirror.NewHandler(p, add).OnAdd(menu, false) })
	p.put(source("home", "menu", "stew"))
	p.run(t, due...)
	require.Equal(t, "home/menu=stew north/menu=stew", p.String(), "soup is what the event had")
}

// A controller that begins anew knows what the objects tell, and nothing else. The label that says mirror is what the
// decision to create one has left behind. Without it a controller would not know whose the object is.
//
// covers: S2-03
func TestWhatIsRememberedStandsInObjects(t *testing.T) {
	menu := source("home", "menu", "soup")
	labelled := written([]string{"north"}, mirrorOf(menu, "north"))
	bare := written([]string{"north"}, mirrorOf(menu, "north"))
	bare.objects[key("north", "menu")].Labels[mirror.Role] = ""
	for _, p := range []*paper{labelled, bare} { // no run before this one knows of the source
		p.run(t, key("north", "menu"))
	}
	require.Equal(t, []string{"delete north/menu"}, labelled.writes)
	require.Empty(t, bare.writes, "it may be anybody's")
}
