package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/2-scheme"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// defaults has the API server and the reader's Scheme fill in the same Processes.
func (p pieces) defaults(ctx context.Context, l *lab.Lab) error {
	w, err := p.open(ctx, l)
	if err != nil {
		return err
	}
	s := scheme.New()
	scheme.AddToScheme(s)
	path, err := w.where(v1alpha1.GroupVersion.WithKind("Process"), l.Namespace, "")
	if err != nil {
		return err
	}
	for _, spec := range []scheme.ProcessSpec{
		{Command: "sleep"},
		{Command: "sleep", GracePeriodSeconds: new(int32(0))},
		{Command: "sleep", RestartPolicy: "Never"},
	} {
		yours, server := &scheme.Process{Spec: spec}, &scheme.Process{}
		yours.APIVersion, yours.Kind, yours.GenerateName = v1alpha1.GroupVersion.String(), "Process", "filled-in-"
		l.Sent("%s", text(spec))
		answer, err := w.send(ctx, http.MethodPost, path, yours)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(answer, server); err != nil {
			return err
		}
		s.Default(yours)
		l.Wire("the API server: %s", text(server.Spec))
		l.Became("your Scheme:    %s", text(yours.Spec))
		if text(server.Spec) != text(yours.Spec) {
			return fmt.Errorf("the API server has filled in something else than your Scheme\n%s", seeGrader("10.2"))
		}
	}
	l.Conclude("What nobody has set is filled in alike, and what is set stays, also if it is 0.")
	return nil
}

// text is a value as JSON.
func text(value any) string {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}
