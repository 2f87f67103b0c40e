package informertest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/tools/cache"
)

// tick is what all wait for who do something at once.
const tick = 10 * time.Millisecond

// untilAllWait returns when nothing moves any more: the suite runs in bubbles, where the clock goes on only then.
func untilAllWait() { time.Sleep(tick / 10) }

// concurrent lets handlers come and go while the collection changes, all at once. What each of them hears has to fit
// together, and who stays has to know in the end what the collection has.
func concurrent(t *testing.T, newInformer New) {
	r := newRig(newInformer, setup{"streams", "objects a0 b0 c0 d0", "resync 1s"})
	defer r.end()
	r.run("")
	changing, done := context.WithCancel(context.Background())
	var guests sync.WaitGroup
	for range 4 {
		guests.Go(func() {
			for leaves := true; leaves; {
				leaves = changing.Err() == nil
				r.visit(t, leaves)
			}
		})
	}
	for i := range 200 {
		time.Sleep(tick)
		r.changeMuch(i)
	}
	done()
	guests.Wait()
}

// changeMuch makes five changes, which now and then nobody sees.
func (r *rig) changeMuch(i int) {
	var changes []string
	for _, name := range []string{"a", "b", "c", "d"} {
		if rand.N(10) == 0 {
			changes = append(changes, "-"+name)
		}
		changes = append(changes, fmt.Sprint(name, i))
	}
	if i%50 == 49 {
		r.source.gap(changes)
		time.Sleep(10 * time.Second)
	} else {
		r.source.change(changes)
	}
}

// visit is one handler from its first call to its last.
func (r *rig) visit(t *testing.T, leaves bool) {
	h := r.newHandler("guest", "")
	registration, err := r.informer.AddEventHandler(h)
	if err != nil {
		t.Errorf("a handler comes\nexpected no error\nhappened %v", err)
		return
	}
	time.Sleep(rand.N[time.Duration](10) * tick)
	if leaves {
		if err := cache.ShutDownEventHandler(r.informer, registration); err != nil {
			t.Errorf("a handler goes\nexpected no error\nhappened %v", err)
		}
	} else {
		time.Sleep(time.Minute)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.wrong) > 0 {
		t.Errorf("a handler that came late\nexpected each change once, in order, and the store no older\nhappened %s",
			strings.Join(h.wrong, ", "))
	}
	for name, state := range r.source.Values() {
		if known := describe(h.known[name]); !leaves && known != name+state {
			t.Errorf("a handler that stayed\nexpected %s\nhappened %s", name+state, known)
		}
	}
}
