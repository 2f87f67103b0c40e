package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/exercises/1-deepcopy"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// copies compares the reader's copy of what the API server has with the generated one.
func (p pieces) copies(ctx context.Context, l *lab.Lab) error {
	body, err := p.running(ctx, l)
	if err != nil {
		return err
	}
	var yours deepcopy.Process
	var generated v1alpha1.Process
	if err := json.Unmarshal(body, &yours); err != nil {
		return err
	}
	if err := json.Unmarshal(body, &generated); err != nil {
		return err
	}
	l.Wire("the Process %s, %d bytes; labels: %d, managedFields: %d, conditions: %d", yours.Name, len(body),
		len(yours.Labels), len(yours.ManagedFields), len(yours.Status.Conditions))
	copied := yours.DeepCopy()
	if copied == nil || sorted(copied) != sorted(generated.DeepCopy()) {
		return fmt.Errorf("the generated copy: %s\nyours: %s\n%s", sorted(generated.DeepCopy()), sorted(copied),
			seeGrader("10.1"))
	}
	l.Became("your copy, as JSON, is the generated one's")
	before := sorted(yours)
	for _, place := range []struct {
		name  string
		write func()
	}{
		{`metadata.labels["app"]`, func() { copied.Labels["app"] = "db" }},
		{"metadata.managedFields[0].manager", func() { copied.ManagedFields[0].Manager = "somebody" }},
		{"spec.args[0]", func() { copied.Spec.Args[0] = "1" }},
		{"spec.env[0].value", func() { *copied.Spec.Env[0].Value = "en" }},
		{"spec.gracePeriodSeconds", func() { *copied.Spec.GracePeriodSeconds = 1 }},
		{"status.startedAt", func() { copied.Status.StartedAt.Time = time.Unix(0, 0) }},
		{"status.conditions[0].status", func() { copied.Status.Conditions[0].Status = metav1.ConditionFalse }},
	} {
		place.write()
		if after := sorted(yours); after != before {
			return fmt.Errorf("%s was written to in your copy, and has changed in what it is a copy of\n%s", place.name,
				seeGrader("10.1"))
		}
	}
	l.Conclude("Your copy was written to in seven places, and what came from the API server is as it came.")
	return nil
}

// running creates a Process and writes its status, as a controller does, and returns it as the API server has it.
func (p pieces) running(ctx context.Context, l *lab.Lab) ([]byte, error) {
	w, err := p.open(ctx, l)
	if err != nil {
		return nil, err
	}
	kind := v1alpha1.GroupVersion.WithKind("Process")
	all, err := w.where(kind, l.Namespace, "")
	if err != nil {
		return nil, err
	}
	one, err := w.where(kind, l.Namespace, "copied")
	if err != nil {
		return nil, err
	}
	process := &v1alpha1.Process{Spec: v1alpha1.ProcessSpec{Command: "sleep", Args: []string{"60"},
		Env: []v1alpha1.EnvVar{{Name: "LANG", Value: "C"}}}}
	process.SetGroupVersionKind(kind)
	process.Name, process.Labels = "copied", map[string]string{"app": "web"}
	if _, err := w.send(ctx, http.MethodPost, all, process); err != nil {
		return nil, err
	}
	now := metav1.Now()
	return w.send(ctx, http.MethodPatch, one+"/status", map[string]any{"status": v1alpha1.ProcessStatus{
		PID: new(int32(4711)), StartedAt: &now, Conditions: []metav1.Condition{{Type: v1alpha1.ConditionReady,
			Status: metav1.ConditionTrue, Reason: "Started", LastTransitionTime: now}}}})
}

// sorted is a value as JSON with its names in order, so that two Go types can be compared.
func sorted(value any) string {
	var plain any
	if err := json.Unmarshal([]byte(text(value)), &plain); err != nil {
		return err.Error()
	}
	return text(plain)
}
