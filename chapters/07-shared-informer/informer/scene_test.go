package informer_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	clientfeatures "k8s.io/client-go/features"
	featuretesting "k8s.io/client-go/features/testing"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest/scripted"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// create makes an informer.
type create func(lw cache.ListerWatcher, resync time.Duration, indexers cache.Indexers) cache.SharedIndexInformer

// scene is what a seed decides on.
type scene struct {
	scripted.Options
	resync   time.Duration // the informer's period
	periodic time.Duration // that of a handler
	strips   bool          // a transform takes the data away
	acts     map[int][]act // by moment
	resyncs  []int         // time passes in the first moments from these on in which a watch is open
}

// act is something that handlers do at a moment.
type act struct {
	name   string         // of the handler
	period *time.Duration // that it is added with; nil for the informer's
	leaves bool
}

// drawn makes a scene from a seed.
//
// Resyncs are hours apart, and all else takes less than one: so where in the script they come does not depend on how
// long a client waits after a failure.
func drawn(seed uint64) scene {
	draw := rand.New(rand.NewPCG(seed, 7))
	pick := func(periods ...time.Duration) time.Duration { return periods[draw.IntN(len(periods))] * time.Hour }
	s := scene{
		Options: scripted.Options{Seed: seed, Script: scripted.Draw(seed), Pages: seed%3 == 0, Names: 10,
			Busy: true, Moments: 24, BookmarkEvery: 20 * time.Minute},
		resync:   pick(0, 4, 6, 6),
		periodic: pick(4, 6, 8),
		strips:   seed%4 == 1,
		acts:     map[int][]act{},
	}
	do := func(from, to int, a act) {
		n := from + draw.IntN(to-from)
		s.acts[n] = append(s.acts[n], a)
	}
	do(1, 16, act{name: "late"})
	do(1, 16, act{name: "late with a period", period: ptr.To(pick(2, 6, 8))})
	do(1, 12, act{name: "leaving", leaves: true})
	do(12, 20, act{name: "leaving", period: ptr.To(pick(0, 4))}) // comes back
	for _, from := range []int{1, 8, 16, 22} {
		s.resyncs = append(s.resyncs, from+draw.IntN(6))
	}
	return s
}

// checkPeriod is how often the informer looks who wants a resync.
func (s *scene) checkPeriod() time.Duration {
	if s.resync == 0 {
		return 0
	}
	return min(s.resync, s.periodic)
}

// performance is a scene that is being played with one informer.
type performance struct {
	t        *testing.T
	scene    scene
	world    *scripted.World
	informer cache.SharedIndexInformer
	phases   phases
	handlers []*handler
	resyncs  int
	slept    time.Duration // in resyncs
	began    time.Time
	hurry    chan struct{} // closed when handlers are slow no more
	store    string        // at the end
}

// perform plays a scene, and returns all that is compared, and which requests met which fault.
func perform(t *testing.T, s scene, create create) (text string, met map[string]int) {
	t.Helper()
	featuretesting.SetFeatureDuringTest(t, clientfeatures.WatchListClient, !s.Pages)
	p := &performance{t: t, scene: s}
	played := scripted.Play(t, s.Options, func(w *scripted.World) scripted.Client {
		p.world, p.began, p.hurry = w, time.Now(), make(chan struct{})
		p.build(create)
		return scripted.Client{Run: p.informer.RunWithContext, Has: p.has, Asks: p.phases.asked, At: p.at, End: p.end}
	})
	text = played.Log
	for _, h := range p.handlers {
		text += "\n\n" + h.String()
	}
	return text + "\n\nthe store:\n" + p.store, played.Met
}

// build makes the informer and the handlers that are there from the start.
func (p *performance) build(create create) {
	p.informer = create(p.world.Source, p.scene.resync, cache.Indexers{"n": func(object any) ([]string, error) {
		return []string{object.(*corev1.ConfigMap).Data["n"]}, nil
	}})
	require.NoError(p.t, p.informer.SetWatchErrorHandlerWithContext(
		func(_ context.Context, _ *cache.Reflector, err error) { p.world.Log.Add("  error handler: %v", err) }))
	if p.scene.strips {
		require.NoError(p.t, p.informer.SetTransform(func(object any) (any, error) {
			object.(*corev1.ConfigMap).Data = nil
			return object, nil
		}))
	}
	p.add(&handler{name: "first"}, ptr.To[time.Duration](0))
	p.add(&handler{name: "slow", like: p.handlers[0]}, ptr.To[time.Duration](0))
	p.add(&handler{name: "periodic"}, &p.scene.periodic)
	p.add(&handler{name: "leaving"}, nil)
}

// add adds a handler.
func (p *performance) add(h *handler, period *time.Duration) {
	h.performance = p
	p.handlers = append(p.handlers, h)
	var err error
	h.registration, err = p.informer.AddEventHandlerWithOptions(h, cache.HandlerOptions{ResyncPeriod: period})
	require.NoError(p.t, err)
}

// has says whether the store is what the server has.
func (p *performance) has(version uint64, objects map[string]scripted.Object) bool {
	last, _ := strconv.ParseUint(p.informer.LastSyncResourceVersion(), 10, 64)
	stored := p.informer.GetStore().List()
	if last < version || len(stored) != len(objects) {
		return false
	}
	for _, object := range stored {
		c := object.(*corev1.ConfigMap)
		if objects[c.Name].Version != c.ResourceVersion {
			return false
		}
	}
	return true
}

// at is what happens at a moment.
func (p *performance) at(m scripted.Moment) {
	if m.Fault != faults.Delay && m.Fault != faults.DropBookmarks { // or else the request goes on
		p.phases.begin(watching)
	}
	line := fmt.Sprintf("moment %d %s: version %s, informer synced %v", m.Number, m.Fault,
		p.informer.LastSyncResourceVersion(), p.informer.HasSynced())
	for _, h := range p.handlers {
		if h.like == nil {
			line += fmt.Sprintf(", %s %v %v", h.name, h.registration.HasSynced(),
				cache.IsDone(h.registration.HasSyncedChecker()))
		}
	}
	p.world.Log.Add("%s", line)
	for _, a := range p.scene.acts[m.Number] {
		p.act(a)
	}
	if m.Fault == "" && p.resyncs < len(p.scene.resyncs) && m.Number >= p.scene.resyncs[p.resyncs] {
		p.resyncs++
		p.pass(max(p.scene.checkPeriod(), 4*time.Hour))
	}
}

// act has a handler come or go.
func (p *performance) act(a act) {
	p.world.Log.Add("  %s: leaves %v", a.name, a.leaves)
	if a.leaves {
		for _, h := range p.handlers {
			if h.name == a.name {
				require.NoError(p.t, cache.ShutDownEventHandler(p.informer, h.registration))
			}
		}
		return
	}
	before := p.phases.now()
	p.phases.begin(joining)
	p.add(&handler{name: a.name}, a.period)
	synctest.Wait()
	p.phases.begin(before.kind)
}

// pass lets the time pass in which the informer looks once who wants a resync.
func (p *performance) pass(d time.Duration) {
	p.world.Log.Add("  time passes: %v", d)
	p.phases.begin(resyncing)
	time.Sleep(d)
	synctest.Wait()
	p.phases.begin(watching)
	p.slept += d
}

// end waits for the slow ones, and looks at what is left.
func (p *performance) end() {
	took := time.Since(p.began) - p.slept
	require.Less(p.t, took, 2*time.Hour, "the script takes so long that resyncs could come at any time")
	close(p.hurry)
	synctest.Wait()
	p.store = storeText(p)
}
