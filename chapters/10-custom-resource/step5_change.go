package main

import (
	"context"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// change is step 5: three changes of the type, and one object that was there before.
func (t *tour) change(ctx context.Context, l *lab.Lab) error {
	old := object{"command": "sleep", "restartPolicy": "OnFailure", "maxRestarts": 50,
		"env": []any{object{"name": "TZ", "value": "UTC"}}}
	answer, err := sendAloud(ctx, l, http.MethodPost, t.own.URL(""), t.own.Make("old", old))
	if err != nil {
		return err
	}
	refusedOr(l, answer)
	err = do(
		func() error { return t.add(ctx, l, answer) },
		func() error { return t.tighten(ctx, l) },
		func() error { return t.remove(ctx, l) },
	)
	if err != nil {
		return err
	}
	l.Conclude("What the server stored stays as it is until somebody writes it. Each read is pruned and gets its defaults " +
		"by the schema that its stored version has at the moment. Each write is stored like that: what was pruned is then gone.")
	return nil
}

// add adds a field with a default.
func (t *tour) add(ctx context.Context, l *lab.Lab, before scenario.Answer) error {
	l.Sent(`the CRD: add the field niceness {"type":"integer","default":5}`)
	scenario.Fields(t.own.Version())["niceness"] = object{"type": "integer", "default": 5}
	after, err := t.until(ctx, l, func(a scenario.Answer) bool { return a.Field("spec", "niceness") != "" })
	if err != nil {
		return err
	}
	unwritten := "the same resourceVersion"
	if after.Object().GetResourceVersion() != before.Object().GetResourceVersion() {
		unwritten = "another resourceVersion"
	}
	l.Wire("old: niceness=%s, %s", after.Field("spec", "niceness"), unwritten)
	return nil
}

// tighten makes a rule stricter than an object is.
func (t *tour) tighten(ctx context.Context, l *lab.Lab) error {
	l.Sent("the CRD: maxRestarts has the maximum 10; old has 50")
	scenario.Fields(t.own.Version())["maxRestarts"].(object)["maximum"] = 10
	if err := t.own.Change(ctx); err != nil {
		return err
	}
	tried := t.own.Make("new", object{"command": "sleep", "restartPolicy": "OnFailure", "maxRestarts": 50})
	err := t.own.Await(ctx, func(ctx context.Context) (bool, error) {
		a, err := send(ctx, l, http.MethodPost, t.own.URL("")+"?dryRun=All", tried)
		return !a.OK(), err
	})
	if err != nil {
		return err
	}
	for _, patch := range []object{
		{"metadata": object{"labels": object{"team": "red"}}},
		{"spec": object{"gracePeriodSeconds": 20}},
		{"spec": object{"maxRestarts": 49}},
	} {
		answer, err := sendAloud(ctx, l, http.MethodPatch, t.own.URL("old"), patch)
		if err != nil {
			return err
		}
		refusedOr(l, answer)
	}
	return nil
}

// remove takes a field away and gives it back, twice.
func (t *tour) remove(ctx context.Context, l *lab.Lab) error {
	fields := scenario.Fields(t.own.Version())
	env := fields["env"]
	gone := func(a scenario.Answer) bool { return a.Field("spec", "env") == "" }
	flip := func(shown string, change func(), is func(scenario.Answer) bool) error {
		l.Sent("the CRD: %s", shown)
		change()
		after, err := t.until(ctx, l, is)
		if err == nil {
			l.Wire("old: env=%s", orElse(after.Field("spec", "env"), "nothing"))
		}
		return err
	}
	without := func() { delete(fields, "env") }
	with := func() { fields["env"] = env }
	return do(
		func() error { return flip("without the field env", without, gone) },
		func() error {
			return flip("with it again", with, func(a scenario.Answer) bool { return !gone(a) })
		},
		func() error { return flip("without it", without, gone) },
		func() error {
			answer, err := sendAloud(ctx, l, http.MethodPatch, t.own.URL("old"),
				object{"metadata": object{"labels": object{"team": "blue"}}})
			if err == nil {
				refusedOr(l, answer)
			}
			return err
		},
		func() error { return t.back(ctx, l, with) },
	)
}

// back gives the field back after a write. Whether that is in effect shows in another object: old has lost it.
func (t *tour) back(ctx context.Context, l *lab.Lab, with func()) error {
	l.Sent("the CRD: with it again")
	with()
	if err := t.own.Change(ctx); err != nil {
		return err
	}
	probe := t.own.Make("probe", object{"command": "sleep", "env": []any{object{"name": "TZ"}}})
	err := t.own.Await(ctx, func(ctx context.Context) (bool, error) {
		a, err := send(ctx, l, http.MethodPost, t.own.URL("")+"?dryRun=All", probe)
		return a.Field("spec", "env") != "", err
	})
	if err != nil {
		return err
	}
	after, err := send(ctx, l, http.MethodGet, t.own.URL("old"), nil)
	l.Wire("old: env=%s", orElse(after.Field("spec", "env"), "nothing"))
	return err
}

// until changes the CRD, and returns the object old as it is when the change shows in it.
func (t *tour) until(ctx context.Context, l *lab.Lab, is func(scenario.Answer) bool) (a scenario.Answer, err error) {
	if err := t.own.Change(ctx); err != nil {
		return a, err
	}
	err = t.own.Await(ctx, func(ctx context.Context) (bool, error) {
		a, err = send(ctx, l, http.MethodGet, t.own.URL("old"), nil)
		return is(a), err
	})
	return a, err
}
