package claims

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// A resync tells of each object of the store, as updated from itself to itself; a handler that skips what has not
// changed skips that. Then it also skips what it failed to do the first time, and that is what the resync is for.
//
// covers: S2-09
func TestWhoSkipsTheResyncSkipsItsRetry(t *testing.T) {
	for skips, want := range map[bool][]string{true: {"add fails"}, false: {"add fails", "update works"}} {
		testkit.Bubble(t, func(t *testing.T) {
			i := newInformed(10*time.Second, cm("a", "1"))
			i.add(t, cache.ResourceEventHandlerFuncs{
				AddFunc: func(any) { i.note("add fails") },
				UpdateFunc: func(old, o any) {
					if skips && old.(*corev1.ConfigMap).ResourceVersion == o.(*corev1.ConfigMap).ResourceVersion {
						return
					}
					require.Same(t, old, o)
					i.note("update works")
				},
			})
			stop := run(i.RunWithContext)
			defer stop()
			time.Sleep(15 * time.Second)
			require.Equal(t, want, i.new())
			require.Equal(t, 1, i.asked())
		})
	}
}

// An informer without a resync period never tells of what has not changed, and neither does a factory without one. It
// hands its period to the informers that it makes.
//
// covers: B-57
func TestWithoutAPeriodThereIsNoResync(t *testing.T) {
	for period, want := range map[time.Duration]int{0: 0, 10 * time.Second: 360, 12 * time.Hour: 0} {
		testkit.Bubble(t, func(t *testing.T) {
			updates := 0
			o := serve(cm("a", "1"))
			factory := informers.NewSharedInformerFactory(nil, period)
			informer := factory.InformerFor(&corev1.ConfigMap{},
				func(_ kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
					require.Equal(t, period, resync)
					return cache.NewSharedIndexInformer(o, &corev1.ConfigMap{}, resync, cache.Indexers{})
				})
			_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
				UpdateFunc: func(any, any) { updates++ }})
			require.NoError(t, err)
			stop := run(factory.StartWithContext)
			defer factory.Shutdown()
			defer stop()
			time.Sleep(time.Hour + time.Second)
			synctest.Wait()
			require.Equal(t, want, updates)
		})
	}
}

// Each handler has a period of its own: the informer's unless it names one. The informer looks at its handlers in the
// shortest of these, so that another is rounded up to a multiple of it. Once the informer runs none is shorter, and
// none is ever shorter than a second.
//
// covers: S4-21
func TestEachHandlerHasAPeriod(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		start := time.Now()
		i := newInformed(10*time.Second, cm("a", "1"))
		clock := func(name string, period time.Duration) {
			_, err := i.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) {
				i.note("%s after %v", name, time.Since(start))
			}}, period)
			require.NoError(t, err)
		}
		clock("every 25 s", 25*time.Second)
		clock("never", 0)
		stop := run(i.RunWithContext)
		defer stop()
		time.Sleep(5 * time.Second)
		clock("late, every 4 s", 4*time.Second)
		time.Sleep(56 * time.Second)
		require.ElementsMatch(t, []string{"every 25 s after 30s", "every 25 s after 1m0s", "late, every 4 s after 20s",
			"late, every 4 s after 30s", "late, every 4 s after 40s", "late, every 4 s after 50s",
			"late, every 4 s after 1m0s"}, i.new())
	})
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(10*time.Second, cm("a", "1"))
		i.every(t, time.Millisecond, "") // a second, and the informer looks so often from then on
		i.every(t, 1500*time.Millisecond, "1.5 s: ")
		stop := run(i.RunWithContext)
		defer stop()
		time.Sleep(4500 * time.Millisecond)
		require.ElementsMatch(t, []string{"add a@1", "1.5 s: add a@1", "update a@1 to a@1", "update a@1 to a@1",
			"update a@1 to a@1", "update a@1 to a@1", "1.5 s: update a@1 to a@1", "1.5 s: update a@1 to a@1"}, i.new())
	})
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		i.every(t, 10*time.Second, "")
		stop := run(i.RunWithContext)
		defer stop()
		time.Sleep(time.Hour)
		require.Equal(t, []string{"add a@1"}, i.new(), "an informer without a period has none for its handlers either")
	})
}

// Whether an update is a resync is not its delta's to say: it is one when both objects have the same resourceVersion.
// So what a re-list finds unchanged is one, too. It is told to the handlers that are marked as resyncing. At first
// each is; the marks are set anew each time that the informer looks whose period is over. An informer without a
// period never looks, and tells all handlers.
//
// covers: B-48
func TestWhoHearsOfWhatAReListFoundUnchanged(t *testing.T) {
	same := []string{"update a@1 to a@1"}
	for name, row := range map[string]struct {
		informer, handler, other time.Duration // their periods, in seconds
		listed                   time.Duration // when the list comes
		want                     []string
	}{
		"an informer without a period":                {0, 0, 0, 3600, same},
		"no handler has a period":                     {10, 0, 0, 15, nil},
		"another handler has one":                     {10, 0, 10, 15, nil},
		"the informer has not looked yet":             {10, 0, 10, 5, same},
		"it has one, which was over at the last look": {10, 10, 0, 15, same},
		"it has one, which was not over":              {10, 20, 10, 15, nil},
		"it was over at the second look":              {10, 20, 10, 25, same},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				i := newInformed(row.informer*time.Second, cm("a", "1"))
				i.every(t, row.handler*time.Second, "")
				if row.other > 0 {
					_, err := i.AddEventHandlerWithResyncPeriod(
						cache.ResourceEventHandlerFuncs{}, row.other*time.Second)
					require.NoError(t, err)
				}
				stop := run(i.RunWithContext)
				defer stop()
				time.Sleep(row.listed * time.Second)
				i.new()
				i.relist(cm("a", "1"))
				require.Equal(t, row.want, i.new())
				require.Equal(t, 2, i.asked())
			})
		})
	}
}

// A handler that joins is marked, too, until the next look, which may be long after the first one.
//
// covers: B-48
func TestALateHandlerHearsUntilTheNextLook(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(10*time.Second, cm("a", "1"))
		i.every(t, 0, "early: ")
		stop := run(i.RunWithContext)
		defer stop()
		time.Sleep(15 * time.Second)
		i.every(t, 0, "late: ")
		synctest.Wait()
		i.new()
		i.relist(cm("a", "1"))
		require.Equal(t, []string{"late: update a@1 to a@1"}, i.new(), "nobody would have been the belief")
		time.Sleep(10 * time.Second)
		i.relist(cm("a", "1"))
		require.Empty(t, i.new())
	})
}

// The period begins anew after each list. An informer that lists more often than once in a period never resyncs.
//
// covers: B-57
func TestAListBeginsThePeriodAnew(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(time.Minute, cm("a", "1"))
		i.add(t, cache.ResourceEventHandlerFuncs{UpdateFunc: func(old, o any) {
			if old == o { // one pointer: out of the store
				i.note("resync")
			}
		}})
		stop := run(i.RunWithContext)
		defer stop()
		for range 4 {
			time.Sleep(40 * time.Second)
			i.relist(cm("a", "1"))
		}
		require.Empty(t, i.new(), "three in three minutes would have been the belief")
		time.Sleep(2 * time.Minute)
		require.Contains(t, i.new(), "resync")
		require.Equal(t, 5, i.asked())
	})
}

// A transformer that strips the resourceVersion makes a resync of each update. While the informer has no period all
// handlers hear of them. In one that has a period, those without one of their own hear nothing any more, from the first
// look on: the store has the new object, and they are not told.
//
// covers: B-48
func TestATransformerThatStripsTheVersion(t *testing.T) {
	for period, want := range map[time.Duration][]string{
		0:                {"update a@ to a@, with 2"},
		10 * time.Second: nil,
	} {
		t.Run(fmt.Sprint(period), func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				i := newInformed(period, cm("a", "1"))
				require.NoError(t, i.SetTransform(func(o any) (any, error) {
					if c, ok := o.(*corev1.ConfigMap); ok {
						c.ResourceVersion = ""
					}
					return o, nil
				}))
				handler := cache.ResourceEventHandlerFuncs{UpdateFunc: func(old, o any) {
					i.note("update %s to %s, with %s", at(old), at(o), o.(*corev1.ConfigMap).Data["cups"])
				}}
				_, err := i.AddEventHandlerWithResyncPeriod(handler, 0)
				require.NoError(t, err)
				stop := run(i.RunWithContext)
				defer stop()
				time.Sleep(11 * time.Second)
				changed := cm("a", "11")
				changed.Data = map[string]string{"cups": "2"}
				i.live().Modify(changed)
				require.Equal(t, want, i.new())
				stored, _, err := i.GetStore().GetByKey("d/a")
				require.NoError(t, err)
				require.Equal(t, "2", stored.(*corev1.ConfigMap).Data["cups"])
			})
		})
	}
}
