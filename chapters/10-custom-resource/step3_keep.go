package main

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// keep is step 3: what the server adds to an object, and what it keeps of a write.
func (t *tour) keep(ctx context.Context, l *lab.Lab) error {
	log := &writes{lab: l, url: book(l, "processes")}
	status := func(phase string) object { return object{"phase": phase} }
	first := booked("Process", "clock", object{"command": "sleep"})
	first["status"] = status("Running")
	made, err := sendAloud(ctx, l, http.MethodPost, log.url, first)
	if err != nil {
		return err
	}
	if !made.OK() {
		refused(l, made)
		return nil
	}
	l.Wire("spec: %s", made.Field("spec"))
	added := slices.Sorted(maps.Keys(made.Object().Object["metadata"].(object)))
	l.Wire("metadata: %s", strings.Join(slices.DeleteFunc(added, func(f string) bool { return f == "name" }), ", "))
	log.url += "/clock"
	log.note("POST, with a status", made)
	err = do(
		func() error {
			return log.put(ctx, "PUT, with a status", "", func(o object) { o["status"] = status("Running") })
		},
		func() error {
			return log.put(ctx, "PUT .../status, with a status and a spec", "/status", func(o object) {
				o["status"] = status("Running")
				o["spec"].(object)["gracePeriodSeconds"] = 99
			})
		},
		func() error {
			return log.put(ctx, "PUT, with a spec and a status", "", func(o object) {
				o["status"] = status("Failed")
				o["spec"].(object)["gracePeriodSeconds"] = 20
			})
		},
		func() error {
			return log.put(ctx, "PUT, with a label", "", func(o object) {
				o["metadata"].(object)["labels"] = object{"team": "red"}
			})
		},
		func() error { return log.put(ctx, "the same again", "", func(object) {}) },
	)
	if err != nil {
		return err
	}
	l.Table(log.rows...)
	l.Conclude("Defaults are written by the server, where a field is missing. Each URL writes its half: the object's own " +
		"writes all but status, and /status writes status alone. generation counts the changes of spec.")
	return nil
}

// writes is what became of one object after each write.
type writes struct {
	lab     *lab.Lab
	url     string
	rows    [][]string
	version string
}

// put reads the object, changes it, and writes it.
func (w *writes) put(ctx context.Context, what, subresource string, change func(object)) error {
	read, err := send(ctx, w.lab, http.MethodGet, w.url, nil)
	if err != nil {
		return err
	}
	o := read.Object().Object
	change(o)
	written, err := send(ctx, w.lab, http.MethodPut, w.url+subresource, o)
	if err != nil {
		return err
	}
	w.note(what, written)
	return nil
}

// note adds a row.
func (w *writes) note(what string, a scenario.Answer) {
	if w.rows == nil {
		w.rows = [][]string{{"what is written to clock", "phase", "grace period", "generation", "resourceVersion"}}
	}
	version := a.Object().GetResourceVersion()
	changed := "the same"
	if version != w.version {
		changed = "a new one"
	}
	w.version = version
	w.rows = append(w.rows, []string{what, orElse(a.Field("status", "phase"), "none"),
		a.Field("spec", "gracePeriodSeconds"), a.Field("metadata", "generation"), changed})
}

// orElse is a text, or another where it is empty.
func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}
