package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	mapping "github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/exercises/1-map"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/13-watches-and-indexes/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// maps is step 1: a Pod that counts in applications.
func (r run) maps(ctx context.Context, l *lab.Lab) error {
	over, err := user(l)
	if err != nil {
		return err
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "waiter"}}
	if err := over.Create(ctx, account); err != nil { // or no Pod is created
		return err
	}
	m, err := managed(l)
	if err != nil {
		return err
	}
	log := scenario.NewLog(nil)
	err = builder.ControllerManagedBy(m).Named("summaries").
		Watches(&corev1.Pod{}, log.Handler("yours", mapping.New())).Complete(reconcile.Func(nothing))
	if err != nil {
		return err
	}
	if err := r.play(ctx, l, m, log, "yours", "13.1", podWrites(l, over)); err != nil {
		return err
	}
	l.Conclude("Where the Pod counted and no longer counts, its summary is written anew, too. What no summary shows leads to " +
		"no run.")
	return nil
}

// podWrites are what somebody does. No scheduler takes the Pod, so that nobody else writes to it.
func podWrites(l *lab.Lab, over client.Client) []write {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: l.Namespace, Name: "waiter",
		Labels: map[string]string{mapping.App: "shop"}},
		Spec: corev1.PodSpec{SchedulerName: "nobody", ServiceAccountName: "waiter",
			AutomountServiceAccountToken: new(bool),
			Containers:                   []corev1.Container{{Name: "it", Image: "none.example.com/it"}}}}
	update := func(change func()) func(context.Context) error {
		return func(ctx context.Context) error { change(); return over.Update(ctx, pod) }
	}
	return []write{
		{what: "a Pod is created, of shop", o: pod, keys: "shop",
			do: func(ctx context.Context) error { return over.Create(ctx, pod) }},
		{what: "it counts also in cart and till", o: pod, keys: "cart, till",
			do: update(func() { pod.Annotations = map[string]string{mapping.AlsoIn: "cart, till"} })},
		{what: "it gets a label that nobody shows", o: pod, keys: "-",
			do: update(func() { pod.Labels["color"] = "black" })},
		{what: "it runs", o: pod, keys: "cart, shop, till", do: func(ctx context.Context) error {
			pod.Status.Phase = corev1.PodRunning
			return over.Status().Update(ctx, pod)
		}},
		{what: "it is of cafe, and no longer of shop", o: pod, keys: "cafe, shop",
			do: update(func() { pod.Labels[mapping.App] = "cafe" })},
		{what: "it is deleted", o: pod, gone: true, keys: "cafe, cart, till",
			do: func(ctx context.Context) error { return over.Delete(ctx, pod, client.GracePeriodSeconds(0)) }},
	}
}
