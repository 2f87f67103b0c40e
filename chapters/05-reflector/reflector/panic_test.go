package reflector_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/05-reflector/reflector/reflectortest"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// both make a reflector that asks for a resync every hour, and return what runs it, and what says which version it has.
var both = map[string]func(lw cache.ListerWatcher, into cache.ReflectorStore, asks func() bool) (
	run func(context.Context), last func() string){
	"ours": func(lw cache.ListerWatcher, into cache.ReflectorStore, asks func() bool) (
		func(context.Context), func() string) {
		r := reflector.New(lw, &corev1.ConfigMap{}, into,
			reflector.Options{ResyncPeriod: time.Hour, ShouldResync: asks})
		return r.RunWithContext, r.LastSyncResourceVersion
	},
	"upstream": func(lw cache.ListerWatcher, into cache.ReflectorStore, asks func() bool) (
		func(context.Context), func() string) {
		r := cache.NewReflector(lw, &corev1.ConfigMap{}, into, time.Hour)
		r.ShouldResync = asks
		return r.RunWithContext, r.LastSyncResourceVersion
	},
}

// reallyCrash says for a test whether a panic that was logged goes on.
func reallyCrash(t *testing.T, really bool) {
	t.Helper()
	before, handlers := utilruntime.ReallyCrash, utilruntime.PanicHandlers
	t.Cleanup(func() { utilruntime.ReallyCrash, utilruntime.PanicHandlers = before, handlers })
	utilruntime.ReallyCrash, utilruntime.PanicHandlers = really, nil
}

// A panic of the store comes out of Run, also while somebody is asked for a resync and does not answer. It waits for
// the answer in upstream's.
func TestAPanicDoesNotWaitForAResync(t *testing.T) {
	for who, build := range both {
		t.Run(who, func(t *testing.T) {
			reallyCrash(t, true)
			testkit.Bubble(t, func(t *testing.T) {
				server := reflectortest.NewServer("a")
				store := &reflectortest.Store{Refuse: func(call string) error {
					if call == "Add b" {
						panic("a fault on b")
					}
					return nil
				}}
				answer := make(chan struct{})
				run, _ := build(server, store, func() bool { <-answer; return false })
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				panicked := make(chan any, 1)
				go func() {
					defer func() { panicked <- recover() }()
					run(ctx)
				}()
				later(time.Hour)
				server.Put("b", "1")
				later(time.Hour)
				require.Len(t, panicked, map[string]int{"ours": 1, "upstream": 0}[who])
				close(answer)
				synctest.Wait()
				require.Equal(t, "a fault on b", <-panicked)
				open, _ := server.Watches()
				require.Zero(t, open)
			})
		})
	}
}

// shrinking is a store with a transformer.
type shrinking struct {
	*reflectortest.Store
	transform cache.TransformFunc
}

func (s shrinking) Transformer() cache.TransformFunc { return s.transform }

// Where a panic was told not to go on, the reflector begins anew after a delay, and leaves no watch open.
func TestAPanicThatDoesNotGoOn(t *testing.T) {
	for who, build := range both {
		t.Run(who, func(t *testing.T) {
			reallyCrash(t, false)
			testkit.Bubble(t, func(t *testing.T) {
				server, calls := reflectortest.NewServer("a"), 0
				store := shrinking{&reflectortest.Store{}, func(object any) (any, error) {
					if calls++; calls < 4 {
						panic("a fault")
					}
					return object, nil
				}}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan struct{})
				run, _ := build(server, store, nil)
				go func() {
					defer close(ended)
					run(ctx)
				}()
				later(time.Minute)
				require.Equal(t, []string{"stream ", "stream ", "stream ", "stream "}, server.Sent())
				require.Equal(t, []string{"Replace a at 2"}, store.Calls())
				open, stopped := server.Watches()
				require.Equal(t, []int{1, 3}, []int{open, stopped})
				cancel()
				<-ended
			})
		})
	}
}

// What a panic has left is not there any more when Run returns.
func TestAResyncThatAPanicHasLeftIsWaitedFor(t *testing.T) {
	reallyCrash(t, false)
	testkit.Bubble(t, func(t *testing.T) {
		server, faults := reflectortest.NewServer("a"), 1
		store := &reflectortest.Store{Refuse: func(call string) error {
			if call == "Add b" && faults > 0 {
				faults--
				panic("a fault on b")
			}
			return nil
		}}
		answer := make(chan struct{})
		run, _ := both["ours"](server, store, func() bool { <-answer; return true })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			run(ctx)
		}()
		later(time.Hour)
		server.Put("b", "1")
		later(time.Minute)
		require.Equal(t, []string{"Replace a at 2", "Add b", "Replace a b at 3"}, store.Calls())
		cancel()
		later(time.Hour)
		select {
		case <-ended:
			t.Fatal("Run has returned, and somebody is still asked for a resync")
		default:
		}
		close(answer)
		<-ended
	})
}
