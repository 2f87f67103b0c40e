package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// broken is a spec that breaks one rule.
type broken struct {
	marker string // what put the rule into the CRD
	spec   object
}

func brokenProcesses() []broken {
	ok := func(more object) object {
		more["command"] = "sleep"
		return more
	}
	return []broken{
		{"+required", object{}},
		{"MinLength", object{"command": ""}},
		{"type []string", ok(object{"args": "60"})},
		{"Enum", ok(object{"restartPolicy": "Sometimes"})},
		{"Maximum", ok(object{"gracePeriodSeconds": 3600})},
		{"listMapKey", ok(object{"env": []any{object{"name": "A"}, object{"name": "A"}}})},
		{"XValidation", object{"command": "sleep 60"}},
		{"XValidation", ok(object{"maxRestarts": 3})},
	}
}

// refuse is step 2: rules, and a typo.
func (t *tour) refuse(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	for _, b := range brokenProcesses() {
		answer, err := send(ctx, l, http.MethodPost, book(l, "processes"), booked("Process", "broken", b.spec))
		if err != nil {
			return err
		}
		l.Sent("%-13s spec: %s", b.marker, scenario.JSON(b.spec))
		l.WireWhole(strings.Join(answer.Refusal(), "; "))
	}
	err := do(
		func() error { return becomeAnother(ctx, l) },
		func() error { return applyWrong(ctx, l) },
		func() error { return misspell(ctx, l) },
	)
	if err != nil {
		return err
	}
	l.Conclude("A rule is checked by the API server, for every client. A field that the schema does not have breaks " +
		"no rule: it is dropped, unless the client asks for Strict.")
	return nil
}

// becomeAnother changes what may not change: a rule may look at the object as it was.
func becomeAnother(ctx context.Context, l *lab.Lab) error {
	sleeper := booked("Process", "sleeper", object{"command": "sleep"})
	if err := create(ctx, l, book(l, "processes"), sleeper); err != nil {
		return err
	}
	answer, err := send(ctx, l, http.MethodPatch, book(l, "processes")+"/sleeper",
		object{"spec": object{"command": "top"}})
	if err != nil {
		return err
	}
	l.Sent(`%-13s spec: {"command":"top"}, where it was "sleep"`, "XValidation")
	l.WireWhole(strings.Join(answer.Refusal(), "; "))
	return nil
}

// applyWrong shows that kubectl passes the server's words on.
func applyWrong(ctx context.Context, l *lab.Lab) error {
	manifest := scenario.JSON(booked("Process", "broken", object{"command": "sleep 60"}))
	l.Command("kubectl apply -f -    # the one with sleep 60")
	said, err := kubectl(ctx, l, manifest)
	if err != nil {
		return err
	}
	for line := range strings.Lines(said) {
		l.WireWhole(line)
	}
	return nil
}

// misspell sends a field that no schema has.
func misspell(ctx context.Context, l *lab.Lab) error {
	spec := object{"command": "sleep", "restartPolicy": "OnFailure", "maxRestart": 3}
	l.Say("And the typo, maxRestart in place of maxRestarts, with what the client says of field validation:")
	rows := [][]string{{"fieldValidation=", "answer", "stored", "said"}}
	var warning, refusal string
	for i, validation := range []string{"", "Ignore", "Warn", "Strict"} {
		url := book(l, "processes")
		if validation != "" {
			url += "?fieldValidation=" + validation
		}
		answer, err := send(ctx, l, http.MethodPost, url, booked("Process", fmt.Sprint("typo-", i), spec))
		if err != nil {
			return err
		}
		row := []string{orElse(validation, "not given"), answer.String(), "nothing", "nothing"}
		switch {
		case !answer.OK():
			refusal, row[3] = strings.Join(answer.Refusal(), "; "), "an error"
		case answer.Field("spec", "maxRestart") != "":
			row[2] = "with it"
		default:
			row[2] = "without it"
		}
		if answer.Warning() != "" {
			warning, row[3] = answer.Warning(), "a warning"
		}
		rows = append(rows, row)
	}
	l.Table(rows...)
	l.WireWhole("the warning: " + warning)
	l.WireWhole("the error: " + refusal)
	return nil
}
