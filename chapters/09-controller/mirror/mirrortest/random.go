package mirrortest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// How much random is played.
const (
	seeds = 4
	steps = 60
)

// random plays a script that nobody has written. From time to time the user stops, and all has to become right.
func (w *World) random(seed uint64) {
	draw := rand.New(rand.NewPCG(seed, 9))
	w.user.namespaces("a", "b", "c")
	w.start()
	for step := range steps {
		w.write(draw)
		switch draw.IntN(12) {
		case 0:
			w.restart()
		case 1, 2:
			w.hinder(draw)
		case 3, 4, 5:
			w.pass(time.Duration(draw.IntN(100)) * time.Millisecond)
		}
		if step%20 == 19 {
			w.free()
			w.mark()
			w.converged(fmt.Sprintf("after %d steps", step+1))
		}
	}
}

// write is one of the user's.
func (w *World) write(draw *rand.Rand) {
	namespace, name := pick(draw, "a", "b", "c", "d"), pick(draw, "menu", "rules", "soups")
	switch draw.IntN(8) {
	case 0:
		w.asks(namespace, draw.IntN(3) > 0)
	case 1, 2:
		w.source(namespace, name, fmt.Sprint(draw.IntN(1000)))
	case 3:
		w.put(namespace, name, pick(draw, "", "-"), "of somebody")
	case 4:
		w.put(namespace, name, mirror.Mirror, "forged") // which makes it the controller's
	default:
		w.tryDelete(namespace, name)
	}
}

// restart has another controller take over, also before the caches of the first are filled.
func (w *World) restart() {
	if err := w.stop(); errors.Is(err, errRunsOn) {
		w.wrong("the controller was stopped: %v", err)
	}
	w.start()
}

// hinder does something to the wire.
func (w *World) hinder(draw *rand.Rand) {
	collection := pick(draw, configMaps, namespaces)
	switch draw.IntN(5) {
	case 0:
		w.wire.gates[collection].shut()
	case 1:
		w.wire.gates[collection].release()
	case 2:
		w.wire.cut(collection)
	case 3:
		w.wire.expire(collection)
	case 4:
		var left atomic.Int64
		left.Store(draw.Int64N(5))
		w.wire.refuse(func(*http.Request) int {
			if left.Add(-1) >= 0 {
				return http.StatusServiceUnavailable
			}
			return 0
		})
	}
}

// free lets everything pass.
func (w *World) free() {
	for _, g := range w.wire.gates {
		g.release()
	}
	w.wire.refuse(nil)
}

func pick[T any](draw *rand.Rand, all ...T) T { return all[draw.IntN(len(all))] }
