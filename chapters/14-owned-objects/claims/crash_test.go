package claims

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/14-owned-objects/owned"
)

var full = flag.Bool("full", false, "TestCrashes: 100 seeds, and not 20")

// lives is how often a controller begins in one test. Only the last is not killed.
const lives = 3

// patience is how long anything may take, on a machine that is busy.
const patience = 2 * time.Minute

// A controller is killed with SIGKILL at one of its requests, before the server has got it or after it has answered,
// while somebody scales the set, deletes children, changes their labels and makes orphans. The next one knows nothing
// of what was expected. At the end of each life no more children were made than were wanted in it, beside those that
// were there before. The last one makes as many as are wanted, touches nothing of somebody else, and then writes
// nothing.
//
// covers: S0-36
func TestCrashes(t *testing.T) {
	seeds := 20
	if *full {
		seeds = 100
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel() // most of it is waiting
			newCrash(t, uint64(seed)).test()
		})
	}
}

// crash is a set, somebody who does to it what nobody has planned, and controllers that are killed.
type crash struct {
	*site
	draw    *rand.Rand
	set     *v1alpha1.ProcessSet
	foreign []*v1alpha1.Process
	most    int // is wanted in a life
	orphans int
	told    *told
}

func newCrash(t *testing.T, seed uint64) *crash {
	t.Helper()
	c := &crash{site: newSite(t), draw: rand.New(rand.NewPCG(seed, 14))}
	c.set = made(c.site, c.site.set("web"))
	other := belongsTo(made(c.site, c.configMap("other")))
	other.Controller = ptr.To(true)
	strange := c.child("strange")
	strange.Labels = map[string]string{"app": "other"}
	for _, p := range []*v1alpha1.Process{strange, c.child("web-2", other), c.child("theirs", other)} {
		c.foreign = append(c.foreign, made(c.site, p))
	}
	return c
}

func (c *crash) test() {
	c.t.Helper()
	for n := range lives {
		l := life{Kubeconfig: c.Kubeconfig, Namespace: c.Namespace, KillAt: 1 + c.draw.Int64N(25),
			Answered: c.draw.IntN(2) > 0}
		if n == lives-1 {
			l.KillAt = 0
		}
		c.most = owned.Wanted(c.set)
		before := c.numbered()
		var died <-chan struct{}
		c.told, died = l.start(c.t)
		for range 5 {
			c.write()
		}
		if l.KillAt > 0 {
			c.until(died)
		} else {
			c.converges(c.set)
		}
		require.LessOrEqual(c.t, c.numbered(), max(c.most, before), "made in life %d", n)
	}
	c.quiet()
	for _, p := range c.foreign {
		require.Equal(c.t, p.ResourceVersion, onServer(c.site, p).ResourceVersion, p.Name)
	}
}

// numbered is how many are alive that controllers have made for the set: what they have adopted has other names.
func (c *crash) numbered() (all int) {
	for _, p := range c.children(c.set) {
		if _, ok := owned.Number(c.set.Name, p.Name); ok {
			all++
		}
	}
	return all
}

// children are those that a set controls and that are alive.
func (c *crash) children(set *v1alpha1.ProcessSet) (all []*v1alpha1.Process) {
	c.t.Helper()
	var there v1alpha1.ProcessList
	require.NoError(c.t, c.user.List(c.t.Context(), &there, client.InNamespace(c.Namespace)))
	for i := range there.Items {
		if p := &there.Items[i]; metav1.IsControlledBy(p, set) && p.DeletionTimestamp == nil {
			all = append(all, p)
		}
	}
	return all
}

// until has somebody write until a controller has died of it.
func (c *crash) until(died <-chan struct{}) {
	c.t.Helper()
	ticks := time.NewTicker(10 * time.Millisecond)
	defer ticks.Stop()
	for end := time.After(patience); ; {
		select {
		case <-died:
			return
		case <-ticks.C:
			c.write()
		case <-end:
			require.FailNow(c.t, "a controller that was to be killed lives", "after %v", patience)
		}
	}
}

// write is one that nobody has planned.
func (c *crash) write() {
	c.t.Helper()
	mine := c.children(c.set)
	what := c.draw.IntN(5)
	switch {
	case what == 0 || len(mine) == 0:
		c.scale(c.set, c.draw.IntN(6))
	case what == 1:
		c.orphans++
		made(c.site, c.child(fmt.Sprint("orphan-", c.orphans)))
	case what == 2:
		gone := mine[c.draw.IntN(len(mine))]
		gone.Labels = map[string]string{"app": "other"}
		c.merge(gone, `{"metadata":{"labels":{"app":"other"}}}`)
	default:
		gone := mine[c.draw.IntN(len(mine))]
		require.NoError(c.t, client.IgnoreNotFound(c.user.Delete(c.t.Context(), gone)))
	}
}

// scale has a set want so many.
func (c *crash) scale(set *v1alpha1.ProcessSet, to int) {
	c.t.Helper()
	c.merge(set, fmt.Sprintf(`{"spec":{"replicas":%d}}`, to))
	if set == c.set {
		c.most = max(c.most, to)
	}
}

// merge changes an object, if it is there.
func (c *crash) merge(o client.Object, body string) {
	c.t.Helper()
	err := c.user.Patch(c.t.Context(), o, client.RawPatch(types.MergePatchType, []byte(body)))
	require.NoError(c.t, client.IgnoreNotFound(err))
}

// converges waits until all is right with a set: it has as many as it wants, they match, none that would match is
// nobody's, and the status says so.
func (c *crash) converges(set *v1alpha1.ProcessSet) {
	c.t.Helper()
	problem := ""
	c.within(func() bool {
		problem = c.wrong(set)
		return problem == ""
	}, func() string { return problem })
}

// within looks again and again whether something is so.
func (c *crash) within(so func() bool, instead func() string) {
	c.t.Helper()
	ticks := time.NewTicker(20 * time.Millisecond)
	defer ticks.Stop()
	for end := time.After(patience); !so(); {
		select {
		case <-ticks.C:
		case <-end:
			require.FailNow(c.t, instead(), "after %v", patience)
		}
	}
}

func (c *crash) wrong(set *v1alpha1.ProcessSet) string {
	c.t.Helper()
	now, have := onServer(c.site, set), c.children(set)
	if len(have) != owned.Wanted(now) || int(now.Status.Replicas) != len(have) ||
		now.Status.ObservedGeneration != now.Generation {
		return fmt.Sprintf("%d are there, %d are wanted, and the status says %+v", len(have), owned.Wanted(now),
			now.Status)
	}
	for _, p := range have {
		if p.Labels["app"] != set.Spec.Selector["app"] {
			return p.Name + " does not match, and is the set's"
		}
	}
	if left := orphans(c.t, c.user, set); len(left) > 0 {
		return left[0].Name + " matches, and is nobody's"
	}
	return ""
}

// quiet has the controller make children for another set, one after the other. It has one worker: before it makes the
// second, it has a run for the set in which there is nothing to do.
func (c *crash) quiet() {
	c.t.Helper()
	fence := c.site.set("fence")
	app := map[string]string{"app": "fence"}
	fence.Spec.Selector, fence.Spec.Template.Labels = app, app
	c.settles(made(c.site, fence), 1, 0)
	for round, still := 0, 0; still < 3; round++ {
		before := len(c.told.after(0))
		c.merge(c.set, fmt.Sprintf(`{"metadata":{"annotations":{"edited":"%d"}}}`, round))
		c.scale(fence, 2+round)
		c.settles(fence, 2+round, before)
		others := slices.DeleteFunc(c.told.after(before),
			func(line string) bool { return strings.Contains(line, "/processsets/fence") })
		if still++; len(others) != 1 || !strings.HasPrefix(others[0], "POST ") { // of the other set
			still = 0 // what had failed, as a cache was late, was tried again
		}
		require.Less(c.t, round, 10, "it goes on to write: %v", others)
	}
}

// settles waits until a set is right, has noted its number, and the controller has told of that, after what it told
// before. What else it may write of this set is not counted.
func (c *crash) settles(set *v1alpha1.ProcessSet, next, before int) {
	c.t.Helper()
	c.converges(set)
	await(c.site, set, &v1alpha1.ProcessSetList{}, func(now **v1alpha1.ProcessSet) bool {
		return now != nil && owned.Next(*now) == next
	})
	var told []string
	c.within(func() bool {
		told = c.told.after(before)
		return slices.ContainsFunc(told, func(l string) bool { return strings.HasSuffix(l, "/processsets/fence") })
	}, func() string { return strings.Join(told, "\n") })
}
