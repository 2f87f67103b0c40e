package mirrortest

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
)

// restarts is what a controller does that begins where another one has ended, or while its caches are filled.
var restarts = []sentence{
	{"what happened while nobody looked is made up for", begun(func(w *World) {
		w.source("a", "rules", "one")
		w.converged("there are two sources")
		w.kill()
		w.delete("a", "menu")
		w.source("a", "rules", "two")
		w.source("a", "soups", "one")
		w.delete("b", "rules")
		w.change("c", "rules", func(c *corev1.ConfigMap) { c.Data["value"] = "damaged" })
		w.asks("d", true)
		w.start()
		w.converged("all has changed between two controllers")
	})},
	{"a controller that begins again writes nothing if all is right", begun(func(w *World) {
		w.kill()
		before := len(w.wire.wrote())
		w.start()
		w.pass(enough)
		if more := w.wire.wrote()[before:]; len(more) > 0 {
			w.wrong("all was right, and a second controller wrote: %s", w.last())
		}
	})},
	{"nothing is written before the namespaces are known", unknown(namespaces)},
	{"nothing is written before the ConfigMaps are known", unknown(configMaps)},
	{"it ends when its context does, also before the caches are filled", func(w *World) {
		w.wire.gates[namespaces].shut()
		w.start()
		w.pass(enough)
		if err := w.stop(); errors.Is(err, errRunsOn) {
			w.wrong("the controller was stopped before its caches were filled: %v", err)
		}
		w.stop = nil // it may say that its caches were not filled
	}},
}

// unknown has a controller begin again while one of its collections does not come.
func unknown(collection string) func(*World) {
	return begun(func(w *World) {
		w.kill()
		w.mark()
		w.wire.gates[collection].shut()
		before := len(w.wire.wrote())
		w.start()
		w.pass(enough)
		if more := w.wire.wrote()[before:]; len(more) > 0 {
			w.wrong("the controller knows nothing of the %s yet, and writes: %s", collection, w.last())
		}
		w.wire.gates[collection].release()
		w.converged("all " + collection + " are known")
		if more := w.wire.wrote()[before:]; len(more) > 0 {
			w.wrong("all was right, and came late, and the controller wrote: %s", w.last())
		}
	})
}
