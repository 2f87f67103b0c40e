package claims

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	sources "k8s.io/client-go/tools/cache/testing"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// informerOver runs an informer with a handler, and waits until all that is there has been told.
func informerOver(t *testing.T, parts mirror.Parts, from cache.ListerWatcher,
	h cache.ResourceEventHandler) cache.SharedIndexInformer {
	t.Helper()
	i := parts.Informer(from, &corev1.ConfigMap{}, cache.Indexers{})
	registered, err := i.AddEventHandler(h)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); i.RunWithContext(ctx) }()
	t.Cleanup(func() { cancel(); <-ended })
	require.True(t, cache.WaitFor(ctx, "", registered.HasSyncedChecker()))
	return i
}

// A deletion that the watch did not see comes as a tombstone. A handler that takes it for the object hears of nothing,
// or panics. What it holds is as it was last seen, here a mirror that had become a source since: its key is what
// counts.
//
// covers: S1-19
func TestATombstoneIsNotTheObject(t *testing.T) {
	for name, parts := range map[string]mirror.Parts{"client-go": mirror.ClientGo(), "the book": mirror.Book()} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				server := sources.NewFakeControllerSource()
				t.Cleanup(server.Shutdown)
				was := mirrorOf(source("home", "menu", "soup"), "north")
				server.Add(was)
				p := written([]string{"south"})
				var named []mirror.Key
				handler := mirror.NewHandler(p, func(key mirror.Key) { named = append(named, key) })
				var told []any
				informerOver(t, parts, server, cache.ResourceEventHandlerFuncs{
					DeleteFunc: func(o any) { told = append(told, o); handler.OnDelete(o) }})

				server.DeleteDropWatch(source("north", "menu", "stew")) // what it had become
				server.ResetWatch()
				time.Sleep(time.Minute) // the reflector's backoff
				synctest.Wait()

				require.Len(t, told, 1)
				_, ok := told[0].(*corev1.ConfigMap)
				require.False(t, ok, "who takes it for the object has none")
				tombstone := told[0].(cache.DeletedFinalStateUnknown)
				require.Equal(t, mirror.Mirror, tombstone.Obj.(*corev1.ConfigMap).Labels[mirror.Role],
					"as it was last seen")
				require.ElementsMatch(t, []mirror.Key{key("north", "menu"), key("south", "menu")}, named,
					"its place, and those of the source that it may have been")
			})
		})
	}
}

// A handler gives a key to a queue, and needs no list of its own for what comes before the workers: the queue keeps it,
// and hands it out once.
//
// covers: S1-20
func TestTheQueueKeepsWhatComesBeforeTheWorkers(t *testing.T) {
	for name, parts := range map[string]mirror.Parts{"client-go": mirror.ClientGo(), "the book": mirror.Book()} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				w := newBench(parts)
				menu := source("home", "menu", "soup")
				handler := mirror.NewHandler(written([]string{"north"}, menu), w.Queue.Add)
				handler.OnAdd(menu, true)
				handler.OnUpdate(menu, menu)
				require.Equal(t, 2, w.Queue.Len())

				w.start(t)
				synctest.Wait()
				require.ElementsMatch(t, []mirror.Key{key("home", "menu"), key("north", "menu")}, w.ran)
			})
		})
	}
}
