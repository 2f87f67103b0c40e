package claims

import (
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/testkit"
)

// stuck is a handler that waits at its first notification until it is released.
func (d *diary) stuck(prefix string, release <-chan struct{}) cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
		<-release
		d.note("%sadd %s", prefix, at(o))
	}}
}

// Handlers are told in no order. Each has goroutines of its own, so that one that was added first and is busy hears
// last.
//
// covers: B-44 S4-08
func TestHandlersAreToldInNoOrder(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		release := make(chan struct{})
		i.add(t, i.stuck("first: ", release))
		i.add(t, i.handler("second: "))
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("a", "11"))
		told := i.new()
		require.NotEqual(t, []string{"first: add a@11", "second: add a@11"}, told,
			"in order would have been the belief")
		require.Equal(t, []string{"second: add a@11"}, told)
		close(release)
		require.Equal(t, []string{"first: add a@11"}, i.new())
	})
}

// One handler is told one thing after the other, in the order of the events, also of different objects. What it returns
// late is late for itself alone.
//
// covers: S4-08
func TestOneHandlerIsToldInOrder(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		inside := 0
		i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
			inside++
			require.Equal(t, 1, inside, "never two at a time")
			time.Sleep(time.Second)
			inside--
			i.note("add %s", at(o))
		}})
		stop := run(i.RunWithContext)
		defer stop()
		var want []string
		for version := 11; version < 31; version++ {
			i.live().Add(cm(fmt.Sprint("o", version), fmt.Sprint(version)))
			want = append(want, fmt.Sprintf("add o%d@%d", version, version))
		}
		time.Sleep(time.Minute)
		require.Equal(t, want, i.new())
	})
}

// A handler that is stuck holds up nobody: neither the store nor the other handlers. What it has not been told waits
// in a buffer of its own, which grows without a limit, and nothing of it is lost or merged. The goroutine in front of
// the buffer takes what comes also while nobody receives at its other end: that case of its select is switched off by
// a nil channel as long as nothing waits.
//
// covers: B-45 S1-07 S4-17 S4-18 S4-19 S4-20
func TestAStuckHandlerHoldsUpNobody(t *testing.T) {
	const events = 1500 // the buffer begins with room for 1024
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		release := make(chan struct{})
		stuck := i.add(t, i.stuck("stuck: ", release))
		free := 0
		i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(any) { free++ }})
		stop := run(i.RunWithContext)
		defer stop()
		for n := range events {
			i.live().Add(cm(fmt.Sprint("o", n), fmt.Sprint(n+11)))
			synctest.Wait()
		}
		require.Equal(t, events, free, "a handler that waits for the stuck one would have been the belief")
		require.Equal(t, events, len(i.GetStore().ListKeys()))
		require.Equal(t, events-2, waiting(stuck), "one is in the handler, one in the hand of the goroutine in front")
		close(release)
		told := i.new()
		require.Len(t, told, events)
		require.Equal(t, "stuck: add o0@11", told[0])
		require.Equal(t, fmt.Sprintf("stuck: add o%d@%d", events-1, events+10), told[events-1])
		require.Equal(t, 0, waiting(stuck))
		require.Equal(t, 2048, int(ringOf(stuck).FieldByName("n").Int()), "its room stays")
	})
}

// waiting is how many notifications are in the buffer of a handler of client-go's.
func waiting(registration cache.ResourceEventHandlerRegistration) int {
	return int(ringOf(registration).FieldByName("readable").Int())
}

func ringOf(registration cache.ResourceEventHandlerRegistration) reflect.Value {
	return reflect.ValueOf(registration).Elem().FieldByName("pendingNotifications")
}

// The channels on both sides of that buffer have no room: who sends waits until the other receives. All that waits is
// in the buffer.
//
// covers: S4-25
func TestTheChannelsOfAHandlerHaveNoRoom(t *testing.T) {
	i := newInformed(0)
	listener := reflect.ValueOf(i.add(t, i.handler(""))).Elem()
	require.Equal(t, 0, listener.FieldByName("addCh").Cap())
	require.Equal(t, 0, listener.FieldByName("nextCh").Cap())
}

// Without a shared informer there is neither buffer nor goroutine: the controller of NewInformer calls its handler
// between two Pops, and one that is stuck stops the store.
//
// covers: B-45
func TestTheHandlerOfNewInformerHoldsUpItsStore(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		o, release := serve(), make(chan struct{})
		var h diary
		store, controller := cache.NewInformerWithOptions(cache.InformerOptions{
			ListerWatcher: o, ObjectType: &corev1.ConfigMap{}, Handler: h.stuck("", release)})
		stop := run(controller.RunWithContext)
		defer stop()
		o.live().Add(cm("a", "11"))
		synctest.Wait()
		o.live().Add(cm("b", "12"))
		synctest.Wait()
		require.Equal(t, []string{"d/a"}, store.ListKeys(), "b waits in the queue")
		close(release)
		require.Equal(t, []string{"add a@11", "add b@12"}, h.new())
		require.Len(t, store.ListKeys(), 2)
	})
}

// A handler has no error to return: what failed is its own affair. If it panics, which ends the program unless that was
// switched off, its notification is lost, and the next comes a second later. One lost from the first list is never
// counted as told, and the handler has never synced.
//
// covers: S1-07
func TestAPanicLosesOneNotification(t *testing.T) {
	onUpdate, _ := reflect.TypeFor[cache.ResourceEventHandler]().MethodByName("OnUpdate")
	require.Equal(t, 0, onUpdate.Type.NumOut())
	require.True(t, utilruntime.ReallyCrash, "the default")
	utilruntime.ReallyCrash = false
	defer func() { utilruntime.ReallyCrash = true }()
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0, cm("a", "1"))
		start := time.Now()
		registration := i.add(t, cache.ResourceEventHandlerFuncs{AddFunc: func(o any) {
			if o.(*corev1.ConfigMap).Name == "a" {
				panic("a handler's own")
			}
			i.note("add %s after %v", at(o), time.Since(start))
		}})
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("b", "11"))
		i.live().Add(cm("c", "12"))
		time.Sleep(time.Hour)
		require.Equal(t, []string{"add b@11 after 1s", "add c@12 after 1s"}, i.new(), "and a is not told again")
		require.True(t, i.HasSynced())
		require.False(t, registration.HasSynced())
	})
}

// A handler that was added twice is told twice, with two registrations.
func TestAHandlerAddedTwiceIsToldTwice(t *testing.T) {
	testkit.Bubble(t, func(t *testing.T) {
		i := newInformed(0)
		handler := i.handler("")
		require.NotSame(t, i.add(t, handler), i.add(t, handler))
		stop := run(i.RunWithContext)
		defer stop()
		i.live().Add(cm("a", "11"))
		require.Equal(t, []string{"add a@11", "add a@11"}, i.new())
	})
}

// A handler that is nil is taken. The call that finds out comes with the first object.
func TestANilHandlerIsTaken(t *testing.T) {
	registration, err := newInformed(0).AddEventHandler(nil)
	require.NoError(t, err)
	require.NotNil(t, registration)
}
