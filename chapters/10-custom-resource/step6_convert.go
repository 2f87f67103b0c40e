package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// beta is the version that is added.
const beta = "v1beta1"

// convert is step 6: two versions of one kind, and nobody who converts.
func (t *tour) convert(ctx context.Context, l *lab.Lab) error {
	for _, name := range []string{"lost", "kept"} {
		spec := object{"command": "sleep", "gracePeriodSeconds": 30}
		if err := create(ctx, l, t.own.URL(""), t.own.Make(name, spec)); err != nil {
			return err
		}
	}
	l.Became("lost and kept are written as v1alpha1, with gracePeriodSeconds=30")
	seen := &views{own: t.own, lab: l, rows: [][]string{{"what a client reads", "as v1alpha1", "as v1beta1"}}}
	err := do(
		func() error { return t.addBeta(ctx, l) },
		func() error { return seen.note(ctx, "lost", "lost, as it was written") },
		func() error { return t.label(ctx, l, "lost") },
		func() error { return seen.note(ctx, "lost", "lost, with the label") },
		func() error { return t.storeBeta(ctx, l) },
		func() error { return seen.note(ctx, "kept", "kept, as it was written") },
		func() error { return t.migrate(ctx, l, "kept") },
		func() error { return seen.note(ctx, "kept", "kept, converted") },
	)
	if err != nil {
		return err
	}
	l.Table(seen.rows...)
	l.Conclude("With None a field that has another name in the other version is not there, and a write through that version " +
		"drops it. Somebody has to convert: a program, each object once, as here, or a webhook, at each request.")
	return t.own.Remove(ctx)
}

// views is what clients of two versions read.
type views struct {
	own  *scenario.Kind
	lab  *lab.Lab
	rows [][]string
}

// note reads an object in both versions.
func (v *views) note(ctx context.Context, name, what string) error {
	row := []string{what}
	for _, version := range []string{"v1alpha1", beta} {
		a, err := send(ctx, v.lab, http.MethodGet, v.own.URLIn(version, name), nil)
		if err != nil {
			return err
		}
		cell := "no grace period"
		for _, field := range []string{"gracePeriodSeconds", "gracePeriod"} {
			if value := a.Field("spec", field); value != "" {
				cell = field + "=" + value
			}
		}
		row = append(row, cell)
	}
	v.rows = append(v.rows, row)
	return nil
}

// addBeta serves the kind in a second version, in which one field has another name and another type.
func (t *tour) addBeta(ctx context.Context, l *lab.Lab) error {
	err := t.own.AddVersion(beta, func(fields object) {
		delete(fields, "gracePeriodSeconds")
		fields["gracePeriod"] = object{"type": "string", "default": "10s"}
	})
	if err != nil {
		return err
	}
	l.Sent(`the CRD: also v1beta1, where gracePeriod {"type":"string","default":"10s"} replaces gracePeriodSeconds`)
	if err := t.own.Change(ctx); err != nil {
		return err
	}
	return t.own.Await(ctx, func(ctx context.Context) (bool, error) {
		a, err := send(ctx, l, http.MethodGet, t.own.URLIn(beta, ""), nil)
		return a.OK(), err
	})
}

// storeBeta has the server store the new version. What is stored already stays as it is.
func (t *tour) storeBeta(ctx context.Context, l *lab.Lab) error {
	l.Sent("the CRD: v1beta1 is what is stored from now on")
	if err := t.own.Store(beta); err != nil {
		return err
	}
	if err := t.own.Change(ctx); err != nil {
		return err
	}
	probe := t.own.Make("probe", object{"command": "sleep", "gracePeriod": "1s"})
	probe["apiVersion"] = t.own.GroupVersion.Group + "/" + beta
	url := t.own.URLIn(beta, "")
	return t.own.Await(ctx, func(ctx context.Context) (bool, error) {
		a, err := send(ctx, l, http.MethodPost, url, probe)
		if err != nil || !a.OK() {
			return false, err
		}
		if a, err = send(ctx, l, http.MethodGet, url+"/probe", nil); err != nil {
			return false, err
		}
		return a.Field("spec", "gracePeriod") != "", must(ctx, l, http.MethodDelete, url+"/probe", nil)
	})
}

// label is a client of the other version, which changes a label and nothing else.
func (t *tour) label(ctx context.Context, l *lab.Lab, name string) error {
	answer, err := sendAloud(ctx, l, http.MethodPatch, t.own.URLIn(beta, name),
		object{"metadata": object{"labels": object{"team": "red"}}})
	if err == nil {
		refusedOr(l, answer)
	}
	return err
}

// migrate converts an object by hand: it reads one version and writes the other.
func (t *tour) migrate(ctx context.Context, l *lab.Lab, name string) error {
	read, err := send(ctx, l, http.MethodGet, t.own.URLIn("v1alpha1", name), nil)
	if err != nil {
		return err
	}
	var process v1alpha1.Process
	if err := json.Unmarshal(read.Body, &process); err != nil {
		return err
	}
	converted := toBeta(&process, read.Object().Object)
	written, err := send(ctx, l, http.MethodPut, t.own.URLIn(beta, name), converted)
	if err != nil {
		return err
	}
	l.Sent("a client of both reads %s as v1alpha1, converts it, and writes v1beta1: %s", name, written)
	return nil
}

// toBeta is the conversion: a number of seconds becomes a duration.
func toBeta(process *v1alpha1.Process, whole object) object {
	spec := whole["spec"].(object)
	delete(spec, "gracePeriodSeconds")
	if seconds := process.Spec.GracePeriodSeconds; seconds != nil {
		spec["gracePeriod"] = fmt.Sprintf("%ds", *seconds)
	}
	whole["apiVersion"] = process.GroupVersionKind().Group + "/" + beta
	return whole
}
