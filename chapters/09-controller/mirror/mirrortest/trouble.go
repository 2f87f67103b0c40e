package mirrortest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// troubles is what a controller does while its caches are behind, or the server refuses.
var troubles = []sentence{
	{"it does not matter who is told first: the namespaces late", begun(func(w *World) {
		w.wire.gates[namespaces].shut()
		w.asks("d", true)
		w.source("a", "rules", "one")
		w.asks("b", false)
		w.pass(enough)
		w.wire.gates[namespaces].release()
		w.converged("what the namespaces ask for came after the source")
	})},
	{"it does not matter who is told first: the ConfigMaps late", begun(func(w *World) {
		w.wire.gates[configMaps].shut()
		w.asks("d", true)
		w.source("a", "rules", "one")
		w.pass(enough)
		w.wire.gates[configMaps].release()
		w.converged("the source came after what the namespaces ask for")
	})},
	{"a watch that breaks costs nothing", begun(func(w *World) {
		for _, collection := range []string{configMaps, namespaces} {
			w.wire.cut(collection)
			w.source("a", "rules", collection)
			w.asks("d", collection == configMaps)
			w.converged("the watch of " + collection + " was cut")
		}
	})},
	{"what was deleted while no watch was open is noticed", begun(func(w *World) {
		w.source("a", "rules", "one")
		w.converged("there are two sources")
		w.wire.gates[configMaps].shut()
		w.wire.expire(configMaps)
		w.delete("a", "menu")  // a source
		w.delete("b", "rules") // a mirror
		w.wire.gates[configMaps].release()
		w.converged("a source and a mirror were deleted, and a list told")
		w.wire.gates[namespaces].shut()
		w.wire.expire(namespaces)
		w.deleteNamespace("c")
		w.wire.gates[namespaces].release()
		w.converged("a namespace was deleted, and a list told")
	})},
	{"what became a source unseen, and is gone, has no mirrors", begun(func(w *World) {
		w.put("a", "rules", "", "not yet")
		w.pass(enough)
		w.wire.gates[configMaps].shut()
		w.wire.expire(configMaps)
		w.source("a", "rules", "one")
		w.put("b", "menu", "", "mine now")
		w.delete("b", "menu")
		w.delete("a", "rules")
		w.wire.gates[configMaps].release()
		w.converged("objects came and went while no watch was open")
	})},
	{"a write that the server refuses is made again", begun(func(w *World) {
		var refused atomic.Int64
		w.wire.refuse(func(*http.Request) int {
			if refused.Add(1) <= 6 {
				return http.StatusInternalServerError
			}
			return 0
		})
		w.source("a", "menu", "two")
		w.source("a", "rules", "one")
		w.converged("the server has refused six writes")
	})},
	{"a write that is refused for a long time is not made again at once", begun(func(w *World) {
		w.wire.refuse(func(*http.Request) int { return http.StatusInternalServerError })
		before := len(w.wire.wrote())
		w.source("a", "menu", "two")
		w.pass(time.Minute)
		if n := len(w.wire.wrote()) - before; n > 100 {
			w.wrong("the server refused two writes, and in the first minute they were made %d times", n)
		}
		w.wire.refuse(nil)
		w.converged("the server accepts writes again")
	})},
	{"one place that is refused holds back no other", begun(func(w *World) {
		w.wire.refuse(func(r *http.Request) int {
			if strings.Contains(r.URL.Path, "/b/") {
				return http.StatusForbidden
			}
			return 0
		})
		w.source("a", "menu", "two")
		w.pass(time.Minute)
		w.source("a", "rules", "one")
		w.pass(time.Minute)
		if problems := w.state().Wrong(group); slices.ContainsFunc(problems, func(p string) bool {
			return !strings.HasPrefix(p, "b/")
		}) {
			w.wrong("only b is refused, and a minute later:\n\t%s", strings.Join(problems, "\n\t"))
		}
		w.wire.refuse(nil)
		w.converged("b is refused no more")
	})},
	{"what took a mirror's place unseen is not deleted", begun(func(w *World) {
		w.wire.gates[configMaps].shut()
		w.delete("b", "menu")
		w.put("b", "menu", "-", "of somebody")
		w.change("c", "menu", func(c *corev1.ConfigMap) { c.Labels = map[string]string{"of": "somebody"} })
		w.mark()
		w.asks("b", false) // the cache still shows mirrors, which are to go
		w.asks("c", false)
		w.pass(enough)
		w.wire.gates[configMaps].release()
		w.converged("the cache was behind when mirrors were to be deleted")
	})},
	{"what took a mirror's place unseen is not written", begun(func(w *World) {
		w.wire.gates[configMaps].shut()
		w.delete("b", "menu")
		theirs := w.put("b", "menu", "-", "of somebody")
		w.mark(theirs)
		w.wire.gates[namespaces].shut()
		w.pass(enough)
		w.wire.gates[namespaces].release()
		w.wire.gates[configMaps].release()
		w.source("a", "menu", "two")
		w.mark(theirs)
		w.converged("the cache was behind when a mirror was to be written")
	})},
	{"what it wrote, and nobody saw, and is gone, is written again", begun(func(w *World) {
		shut := sync.OnceFunc(w.wire.gates[configMaps].shut)
		w.wire.refuse(func(*http.Request) int { shut(); return 0 }) // its first write is the last thing that it sees
		w.source("a", "menu", "two")
		w.pass(time.Minute)
		w.wire.refuse(nil)
		w.wire.expire(configMaps)
		w.delete("b", "menu")
		w.delete("c", "menu")
		w.wire.gates[configMaps].release()
		w.converged("somebody has deleted the mirrors, and no watch will ever show what was written to them")
	})},
	{"a write from an old read is not the last word", begun(func(w *World) {
		w.wire.refuse(func(*http.Request) int { return http.StatusInternalServerError })
		w.source("a", "menu", "two")
		w.pass(time.Minute)
		w.wire.gates[configMaps].shut()
		w.change("b", "menu", func(c *corev1.ConfigMap) { c.Annotations = map[string]string{"note": "of somebody"} })
		w.wire.refuse(nil) // the next attempt is made from what the cache shows
		w.pass(enough)
		w.wire.gates[configMaps].release()
		w.converged("the cache was behind when a mirror was changed by two")
		if c := w.get("b", "menu"); c.Annotations["note"] != "of somebody" {
			w.wrong("an annotation that somebody wrote while the cache was behind is gone: %v", c.Annotations)
		}
	})},
}

// frozen refuses updates of an object that is immutable, as the API server does, and chapter 03's does not.
func frozen(w *World, namespace, name string) func(*http.Request) int {
	uid := w.get(namespace, name).UID
	return func(r *http.Request) int {
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/"+namespace+"/configmaps/"+name) {
			object, err := w.try(namespace, name)
			if err == nil && object.UID == uid {
				return http.StatusUnprocessableEntity
			}
		}
		return 0
	}
}
