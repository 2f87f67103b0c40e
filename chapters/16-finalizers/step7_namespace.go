package main

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/16-finalizers/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// namespace is step 7: a namespace that waits for a finalizer.
func (t *tour) namespace(ctx context.Context, l *lab.Lab) error {
	return t.hung(ctx, l, func(w *scenario.World, name string) error {
		l.Say("A controller begins again, and sees the object that is being deleted:")
		if _, err := w.Begin(ctx, scenario.Life{}); err != nil {
			return err
		}
		if err := namespaceGone(ctx, w, name); err != nil {
			return err
		}
		l.Became("namespace %s is gone", name)
		l.Conclude("A namespace goes when everything in it is gone, and its conditions name the finalizer that it waits for. So an " +
			"operator goes last: first its objects, then the controller. A finalizer that is taken out by hand skips the " +
			"clean-up: -fault controller-gone.")
		return nil
	})
}

// hung deletes a namespace of its own in which a Process runs whose controller is stopped, and then does something.
func (t *tour) hung(ctx context.Context, l *lab.Lab, do func(w *scenario.World, name string) error) (err error) {
	name, err := l.Beside(ctx, "own", nil)
	if err != nil {
		return err
	}
	own := *l.Cluster
	own.Namespace = name
	w, err := scenario.NewWorld(ctx, &lab.Lab{Cluster: &own, Narrator: l.Narrator}, t.commands)
	if err != nil {
		return err
	}
	defer func() {
		if closed := w.Close(ctx); err == nil {
			err = closed
		}
	}()
	c, err := t.begin(ctx, l, w, scenario.Life{})
	if err != nil {
		return err
	}
	p := w.Process("last", "sleep", "600")
	if _, _, err := runs(ctx, w, p, became(l)); err != nil {
		return err
	}
	if err := c.Stop(); err != nil {
		return err
	}
	l.Say("The controller is stopped, and the namespace is deleted. kube-controller-manager waits five seconds, deletes what is " +
		"in it, and looks again some seconds later while something is left:")
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := w.User.Delete(ctx, space); err != nil {
		return err
	}
	var lines []string
	if err := scenario.Await(ctx, w.User, space, &corev1.NamespaceList{}, func(now client.Object, _ bool) bool {
		lines = remains(now)
		return len(lines) == 2
	}); err != nil {
		return fmt.Errorf("wait for the conditions of %s: %w", name, err)
	}
	for _, line := range lines {
		l.Say("%s", line)
	}
	l.Say("Somebody creates a Process there:")
	err = w.User.Create(ctx, w.Process("late", "sleep", "600"))
	l.Say("%s: %v", scenario.Code(err), err)
	return do(w, name)
}

// remains are the conditions of a namespace that say what it waits for.
func remains(o client.Object) (lines []string) {
	space, ok := o.(*corev1.Namespace)
	if !ok {
		return nil
	}
	for _, c := range space.Status.Conditions {
		if c.Status == corev1.ConditionTrue && (c.Type == corev1.NamespaceContentRemaining ||
			c.Type == corev1.NamespaceFinalizersRemaining) {
			lines = append(lines, fmt.Sprintf("%s: %s", c.Type, c.Message))
		}
	}
	return lines
}

// namespaceGone waits until a namespace is gone.
func namespaceGone(ctx context.Context, w *scenario.World, name string) error {
	space := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	return scenario.Await(ctx, w.User, space, &corev1.NamespaceList{},
		func(_ client.Object, gone bool) bool { return gone })
}
