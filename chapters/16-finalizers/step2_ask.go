package main

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/10-custom-resource/api/v1alpha1"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// ask is step 2: what the API server answers around a finalizer.
func (t *tour) ask(ctx context.Context, l *lab.Lab) error {
	return t.alone(ctx, l, func(w *scenario.World) error {
		p := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "held",
			Finalizers: []string{scenario.Mine}}, Spec: v1alpha1.ProcessSpec{Command: "sleep"}}
		if err := w.User.Create(ctx, p); err != nil {
			return err
		}
		if err := w.User.Delete(ctx, p.DeepCopy()); err != nil {
			return err
		}
		rows := [][]string{{"while it is being deleted", "answer", "afterwards"}}
		for _, q := range questions(ctx, w, p) {
			answer := scenario.Code(q.asks())
			is, err := state(ctx, w, p)
			if err != nil {
				return err
			}
			rows = append(rows, []string{q.what, answer, is})
		}
		l.Table(rows...)
		if err := patched(ctx, w, p, `{"metadata":{"finalizers":null}}`); err != nil {
			return err
		}
		if err := w.User.Delete(ctx, p); err != nil {
			return err
		}
		l.Conclude("An object with a deletionTimestamp is an object like any other: its spec, its status and its labels change. Only two " +
			"things are settled: it gets no new finalizer, and when the last one goes, it goes in the same request. An apply " +
			"does not know that it was there: it makes another one.")
		return nil
	})
}

// question is a request.
type question struct {
	what string
	asks func() error
}

func questions(ctx context.Context, w *scenario.World, p *v1alpha1.Process) []question {
	merge := func(body string) func() error {
		return func() error { return patched(ctx, w, p.DeepCopy(), body) }
	}
	again := &v1alpha1.Process{ObjectMeta: metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name}, Spec: p.Spec}
	return []question{
		{"delete it again", func() error { return w.User.Delete(ctx, p.DeepCopy()) }},
		{"delete it at once, grace period 0", func() error {
			return w.User.Delete(ctx, p.DeepCopy(), &client.DeleteOptions{GracePeriodSeconds: ptr.To[int64](0)})
		}},
		{"take the deletion back: deletionTimestamp null", merge(`{"metadata":{"deletionTimestamp":null}}`)},
		{"change its spec", merge(`{"spec":{"args":["1"]}}`)},
		{"change its labels", merge(`{"metadata":{"labels":{"a":"b"}}}`)},
		{"add a second finalizer", merge(fmt.Sprintf(`{"metadata":{"finalizers":[%q,"example.com/new"]}}`, scenario.Mine))},
		{"put another one in its place", merge(`{"metadata":{"finalizers":["example.com/new"]}}`)},
		{"create one of its name", func() error { return w.User.Create(ctx, again.DeepCopy()) }},
		{"take the last finalizer out", merge(`{"metadata":{"finalizers":[]}}`)},
		{"the same once more", merge(`{"metadata":{"finalizers":[]}}`)},
		{"apply it, with a finalizer", func() error {
			return scenario.Apply(ctx, w.User, again, []string{scenario.Mine})
		}},
	}
}

// state is how an object is, in a few words.
func state(ctx context.Context, w *scenario.World, p *v1alpha1.Process) (string, error) {
	var now v1alpha1.Process
	if err := w.User.Get(ctx, client.ObjectKeyFromObject(p), &now); client.IgnoreNotFound(err) != nil {
		return "", err
	} else if err != nil {
		return "gone", nil
	}
	is := fmt.Sprintf("%d finalizer", len(now.Finalizers))
	switch {
	case now.UID != p.UID:
		is = "a new object, " + is
	case now.DeletionTimestamp != nil:
		is = "deleting, " + is
	}
	return strings.TrimSpace(is), nil
}
