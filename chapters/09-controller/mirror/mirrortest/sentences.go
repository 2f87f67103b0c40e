package mirrortest

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
)

// plain is what a controller does while nothing is in its way. a has the sources, b and c ask for mirrors.
var plain = []sentence{
	{"a source is mirrored into each namespace that asks", begun(func(w *World) {
		w.source("a", "rules", "one")
		w.put("a", "private", "", "nobody's business")
		w.asks("d", false)
		w.mark()
		w.converged("a source was created")
	})},
	{"a mirror follows its source", begun(func(w *World) {
		w.source("a", "menu", "two")
		w.mark()
		w.converged("the source has changed")
		w.change("a", "menu", func(c *corev1.ConfigMap) { c.BinaryData = map[string][]byte{"raw": {0, 1}} })
		w.converged("the source has binary data")
		w.change("a", "menu", func(c *corev1.ConfigMap) { c.Data, c.BinaryData = nil, nil })
		w.converged("the source has no data any more")
	})},
	{"the mirrors of a source that is deleted go", begun(func(w *World) {
		w.delete("a", "menu")
		w.mark()
		w.converged("the source was deleted")
	})},
	{"the mirrors of what is no source any more go", begun(func(w *World) {
		w.mark(w.put("a", "menu", "", "one"))
		w.converged("the source has lost its role")
		w.source("a", "menu", "one")
		w.converged("it has its role again")
		w.mark(w.put("a", "menu", "-", "one"))
		w.converged("the source has left the group")
	})},
	{"a namespace that begins to ask gets all mirrors, and one that asks no more loses them", begun(func(w *World) {
		w.source("a", "rules", "one")
		w.asks("d", true)
		w.converged("d asks")
		w.asks("b", false)
		w.mark()
		w.converged("b asks no more")
	})},
	{"a mirror that is changed is repaired", begun(func(w *World) {
		w.change("b", "menu", func(c *corev1.ConfigMap) { c.Data = map[string]string{"value": "damaged"} })
		w.converged("somebody has changed a mirror's data")
		w.change("b", "menu", func(c *corev1.ConfigMap) { c.BinaryData = map[string][]byte{"more": {1}} })
		w.converged("somebody has added binary data to a mirror")
		w.change("b", "menu", func(c *corev1.ConfigMap) { delete(c.Annotations, mirror.Of) })
		w.converged("somebody has taken a mirror's annotation away")
	})},
	{"a mirror that is deleted comes back", begun(func(w *World) {
		w.delete("b", "menu")
		w.delete("c", "menu")
		w.converged("somebody has deleted the mirrors")
	})},
	{"a mirror that cannot be changed is replaced", begun(func(w *World) {
		w.change("b", "menu", func(c *corev1.ConfigMap) { yes := true; c.Immutable = &yes })
		w.converged("somebody has made a mirror immutable")
		w.wire.refuse(frozen(w, "b", "menu"))
		w.source("a", "menu", "two")
		w.converged("the source of an immutable mirror has changed")
	})},
	{"what others write on a mirror stays", begun(func(w *World) {
		w.change("b", "menu", func(c *corev1.ConfigMap) {
			c.Labels["team"], c.Annotations["note"] = "kitchen", "of somebody"
		})
		w.source("a", "menu", "two")
		w.converged("somebody has labelled a mirror, and its source has changed")
		if c := w.get("b", "menu"); c.Labels["team"] != "kitchen" || c.Annotations["note"] != "of somebody" {
			w.wrong("somebody else's label and annotation of a mirror are gone: it has %v and %v", c.Labels, c.Annotations)
		}
	})},
	{"what stands in a mirror's place stays, and the mirror comes when it has gone", begun(func(w *World) {
		theirs := w.put("b", "soups", "", "of somebody in the group")
		others := w.put("c", "soups", "-", "of somebody else")
		w.source("a", "soups", "one")
		w.mark(theirs, others)
		w.converged("a source was created whose places are taken")
		w.delete("b", "soups")
		w.delete("c", "soups")
		w.converged("the places are free")
	})},
	{"what is made of a mirror stays", begun(func(w *World) {
		w.mark(w.put("b", "menu", "", "mine now"), w.put("c", "menu", "-", "mine, too"))
		w.converged("somebody has taken the role of two mirrors away")
		w.delete("a", "menu")
		w.mark()
		w.converged("their source was deleted")
	})},
	{"of sources of one name the first wins", begun(func(w *World) {
		w.mark(w.put("b", "menu", mirror.Source, "of b"))
		w.converged("there is a second source, in the place of a mirror")
		w.delete("a", "menu")
		w.converged("the first of two sources was deleted")
		w.source("a", "menu", "one again")
		w.converged("the first is there again")
	})},
	{"many places are right in the end", begun(func(w *World) {
		for i := range 10 {
			w.asks(fmt.Sprintf("many-%d", i), true)
			w.source("a", fmt.Sprintf("dish-%d", i), "one")
		}
		w.converged("there are ten sources and ten namespaces more")
	})},
	{"it ends when its context does", begun(func(w *World) {
		w.kill()
		before := w.wire.wrote()
		w.source("a", "menu", "two")
		w.pass(enough)
		if after := w.wire.wrote(); !slices.Equal(before, after) {
			w.wrong("the controller was stopped, and wrote: %s", w.last())
		}
	})},
}

// begun begins with a source, two namespaces that ask, and a controller that has mirrored.
func begun(script func(*World)) func(*World) {
	return func(w *World) {
		w.asks("a", false)
		w.user.namespaces("b", "c")
		w.source("a", "menu", "one")
		w.start()
		w.converged("the controller has begun")
		script(w)
	}
}
