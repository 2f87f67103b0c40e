package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/12-writes/writes"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// own is step 4: who owns which field of a Process, from one write to the next.
func own(ctx context.Context, l *lab.Lab) error {
	if err := installBook(ctx, l); err != nil {
		return err
	}
	hers := object{"command": "sleep", "env": list("TZ", "UTC")}
	his := object{"env": list("LANG", "C"), "gracePeriodSeconds": 5}
	contested := writes.Merge(hers, object{"gracePeriodSeconds": 30})
	for _, s := range []struct {
		does    string
		who     string
		spec    object
		force   bool
		patches bool // in place of an apply
	}{
		{"ann applies the command, and TZ:", "ann", hers, false, false},
		{"bob applies LANG, and a grace period of 5:", "bob", his, false, false},
		{"ann applies hers, and a grace period of 30:", "ann", contested, false, false},
		{"ann applies the same, with force:", "ann", contested, true, false},
		{"ann applies the command alone:", "ann", object{"command": "sleep"}, false, false},
		{"kim patches the grace period, to 60:", "kim", object{"gracePeriodSeconds": 60}, false, true},
		{"bob applies LANG, and the same grace period:", "bob",
			object{"env": list("LANG", "C"), "gracePeriodSeconds": 60}, false, false},
	} {
		l.Say("%s", s.does)
		w := scenario.Applied("owned", s.who, s.spec, s.force)
		if s.patches {
			w.MediaType, w.Body = string(types.MergePatchType), []byte(before.JSON(object{"spec": s.spec}))
		}
		answer, err := aloud(l, "spec").Write(ctx, processes(l)+"/owned", w)
		if err != nil {
			return err
		}
		if !answer.OK() {
			answered(l, answer)
			continue
		}
		if err := owners(l, answer); err != nil {
			return err
		}
	}
	l.Conclude("Who applies owns what it says, and must say it each time: what it leaves out goes, unless another owns it " +
		"too. A field that has an owner is taken with force, or by any write that is no apply. What the API server fills in " +
		"after an apply is nobody's.")
	return nil
}

func list(name, value string) []any { return []any{object{"name": name, "value": value}} }

// owners shows who owns what.
func owners(l *lab.Lab, answer scenario.Answer) error {
	all, err := writes.Owners(answer.Object().GetManagedFields())
	if err != nil {
		return err
	}
	rows := [][]string{{"", "is", "owned by"}}
	var process v1alpha1.Process
	if err := json.Unmarshal(answer.Body, &process); err != nil {
		return err
	}
	env := map[string]any{}
	for _, v := range process.Spec.Env {
		env[v.Name] = v.Value
	}
	for _, f := range []struct {
		field string
		is    any
	}{
		{".spec.command", process.Spec.Command},
		{`.spec.env[name="TZ"].value`, env["TZ"]},
		{`.spec.env[name="LANG"].value`, env["LANG"]},
		{".spec.gracePeriodSeconds", ptr.Deref(process.Spec.GracePeriodSeconds, 0)},
	} {
		rows = append(rows, []string{f.field, orNothing(f.is), orNothing(by(all, f.field))})
	}
	l.Table(rows...)
	return nil
}

// by are the owners of a field, as text.
func by(all []writes.Owner, field string) string {
	var names []string
	for _, o := range all {
		if o.Field != field {
			continue
		}
		name := o.Manager
		switch {
		case o.Subresource != "":
			name += fmt.Sprintf(" (%s, /%s)", strings.ToLower(string(o.Operation)), o.Subresource)
		case o.Operation == metav1.ManagedFieldsOperationUpdate:
			name += " (update)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
