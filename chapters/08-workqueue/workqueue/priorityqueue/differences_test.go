package priorityqueue_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientgo "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/ptr"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/08-workqueue/workqueue/workqueuetest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// The end of ours is not that of controller-runtime's: the exceptions in suite_test.go show it.

// plays plays a script for ours, and one for upstream's.
func plays(t *testing.T, oursDoes, theirsDoes string) {
	for name, create := range map[string]create{"ours": ours, "upstream": theirs} {
		t.Run(name, func(t *testing.T) {
			script := map[string]string{"ours": oursDoes, "upstream": theirsDoes}[name]
			testkit.Bubble(t, func(t *testing.T) {
				limiter := clientgo.DefaultTypedItemBasedRateLimiter[string]()
				rig := workqueuetest.NewRig(create(limiter))
				defer rig.End()
				for line := range strings.SplitSeq(script, "\n") {
					operation, want, _ := strings.Cut(line, ":")
					require.Equal(t, strings.TrimSpace(want), rig.Do(operation), line)
				}
			})
		})
	}
}

// After ShutDown ours hands out what is ready, as client-go's does. Upstream's drops it.
func TestShutDownHandsOutTheRest(t *testing.T) {
	plays(t, "add a\nshutdown\nget: a\nget: end", "add a\nshutdown\nget: end")
}

// Ours drains. Upstream's returns at once, while a worker has an item.
func TestDrain(t *testing.T) {
	const begin = "add a b\nget: a\n"
	plays(t, begin+"drain: waits\nget: b\ndone a\ndone b: drained", begin+"drain: drained\nget: end")
}

// Ours can be shut down twice.
func TestShutDownTwice(t *testing.T) {
	plays(t, "shutdown\nshutdown", "shutdown\nshutdown: shutdown panics: close of closed channel")
}

// Of items that wait for the same moment, with the same priority, the one comes first in ours that was given the moment
// first, and in upstream's the one that was given the priority first.
func TestItemsWithTheSameMomentAndPriority(t *testing.T) {
	for name, create := range map[string]create{"ours": ours, "upstream": theirs} {
		t.Run(name, func(t *testing.T) {
			testkit.Bubble(t, func(t *testing.T) {
				queue := create(clientgo.DefaultTypedItemBasedRateLimiter[string]())
				defer queue.ShutDown()
				queue.AddWithOpts(upstream.AddOpts{After: time.Second}, "a", "b")
				queue.AddWithOpts(upstream.AddOpts{After: time.Minute, Priority: ptr.To(5)}, "b", "a")
				time.Sleep(2 * time.Second)
				first, _, _ := queue.GetWithPriority()
				require.Equal(t, map[string]string{"ours": "a", "upstream": "b"}[name], first)
			})
		})
	}
}
