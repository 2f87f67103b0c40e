package scripted

import (
	"context"
	"testing/synctest"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/internal/faults"
)

// gap is a fault that is about to happen. The client sees nothing of it before over is closed.
type gap struct {
	request string
	kind    faults.Kind
	over    chan struct{}
}

// hold is the proxy's OnFault: it hands the gap to the director, and waits.
func (w *World) hold(r faults.Record, f faults.Fault) {
	g := &gap{kindOf(r.Query), f.Kind, make(chan struct{})}
	select {
	case w.gaps <- g:
		<-g.over
	case <-w.ended:
	}
}

// direct makes everything happen, one thing after the other, until the script has been played, and some more. It acts
// while nothing moves: when a fault is about to happen, and when the client has nothing left to do.
func (w *World) direct(ctx context.Context) {
	for more := 3; ; {
		synctest.Wait()
		select {
		case g := <-w.gaps:
			w.inTheGap(g)
			continue
		default:
		}
		changed := w.proxy.Changed()
		if w.proxy.Idle() && w.client.Has(w.version, w.objects) {
			if more == 0 {
				if w.client.End != nil {
					w.client.End()
				}
				return
			}
			if w.played() && w.moments >= w.options.Moments {
				more--
			}
			w.step()
			continue
		}
		select {
		case g := <-w.gaps:
			synctest.Wait()
			w.inTheGap(g)
		case <-changed:
		case <-time.After(time.Minute + time.Millisecond): // the client may wait for something of its own
		case <-ctx.Done():
			w.t.Errorf("a write never arrived\n%s\nthe server has version %d: %v", w.Log, w.version, w.objects)
			return
		}
	}
}

// played says whether no request is left in the script.
func (w *World) played() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests > len(w.options.Script)
}

// step writes while a watch is open.
func (w *World) step() {
	if w.draw.IntN(4) == 0 {
		time.Sleep(90*time.Second + time.Millisecond) // a bookmark comes meanwhile, and none in the same moment
		synctest.Wait()
	}
	w.moment("")
	w.write()
}

// inTheGap writes while a response breaks.
func (w *World) inTheGap(g *gap) {
	defer close(g.over)
	w.met[meeting(g.request, g.kind)]++
	w.moment(g.kind)
	if g.kind == faults.Delay || g.kind == faults.DropBookmarks {
		return // nothing breaks
	}
	if w.draw.IntN(2) == 0 {
		w.write()
	}
	if !w.options.Busy {
		return
	}
	if w.draw.IntN(3) == 0 {
		w.recreate()
	}
	for range w.draw.IntN(4) {
		w.write()
	}
}

// moment tells the client.
func (w *World) moment(fault faults.Kind) {
	w.moments++
	if w.client.At != nil {
		w.client.At(Moment{w.moments, fault})
		synctest.Wait()
	}
}
