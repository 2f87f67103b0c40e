package main

import (
	"context"
	"fmt"
	"time"

	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	predicates "github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/exercises/2-predicates"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// listening is a predicate, and tells what it has said.
func listening(p predicate.Predicate, said chan<- bool) predicate.Predicate {
	tell := func(yes bool) bool {
		said <- yes
		return yes
	}
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool { return tell(p.Create(e)) },
		UpdateFunc: func(e event.UpdateEvent) bool { return tell(p.Update(e)) },
		DeleteFunc: func(e event.DeleteEvent) bool { return tell(p.Delete(e)) },
	}
}

// deed is something that somebody does to the Ingress, and whether it should lead to a run.
type deed struct {
	what string
	do   func(context.Context) error
	runs bool
}

// choose is step 2.
func (r *run) choose(ctx context.Context, l *lab.Lab) error {
	over, err := user(l)
	if err != nil {
		return err
	}
	said := make(chan bool, 100)
	return under(ctx, l, nil, func(m manager.Manager) error {
		nothing := reconcile.Func(func(context.Context, reconcile.Request) (r reconcile.Result,
			err error) {
			return r, nil
		})
		return builder.ControllerManagedBy(m).Named("ingresses-"+l.Namespace).
			For(&networkingv1.Ingress{}, builder.WithPredicates(listening(predicates.New("web"), said))).
			Complete(nothing)
	}, func(ctx context.Context) error {
		for _, d := range deeds(over, l.Namespace) {
			l.Sent("%s", d.what)
			if err := d.do(ctx); err != nil {
				return err
			}
			select {
			case yes := <-said:
				l.Became("your predicate: %s", text(yes))
				if yes != d.runs {
					return wrong("11.2", "%s: it should be: %s", d.what, text(d.runs))
				}
			case <-time.After(r.patience):
				return fmt.Errorf("%s: no event has come in %v", d.what, r.patience)
			}
		}
		l.Conclude("Your predicate has said of each event what the assignment says.")
		return nil
	})
}

func text(yes bool) string {
	if yes {
		return "a run"
	}
	return "no run"
}

// deeds are in the order in which they are done.
func deeds(over client.Client, namespace string) []deed {
	ingress := &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "shop",
		Labels: map[string]string{predicates.Class: "web"}},
		Spec: networkingv1.IngressSpec{DefaultBackend: backend("shop")}}
	patch := func(text string) func(context.Context) error {
		return func(ctx context.Context) error {
			return over.Patch(ctx, named(ingress), client.RawPatch(types.MergePatchType, []byte(text)))
		}
	}
	status := func(ctx context.Context) error {
		return over.Status().Patch(ctx, named(ingress), client.RawPatch(types.MergePatchType,
			[]byte(`{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.7"}]}}}`)))
	}
	return []deed{
		{"create it, of the class web", func(ctx context.Context) error { return over.Create(ctx, ingress) }, true},
		{"change its spec", patch(`{"spec":{"defaultBackend":{"service":{"name":"store"}}}}`), true},
		{"write its status", status, false},
		{"label it app=shop", patch(`{"metadata":{"labels":{"app":"shop"}}}`), false},
		{"annotate it with " + predicates.Prefix + "pause, empty", patch(`{"metadata":{"annotations":{"` +
			predicates.Prefix + `pause":""}}}`), true},
		{"annotate it with example.com/note", patch(`{"metadata":{"annotations":{"example.com/note":"1"}}}`), false},
		{"give it a finalizer", patch(`{"metadata":{"finalizers":["example.com/hold"]}}`), false},
		{"delete it, which waits for the finalizer", func(ctx context.Context) error {
			return over.Delete(ctx,
				named(ingress))
		}, true},
		{"write its status again", func(ctx context.Context) error {
			return over.Status().Patch(ctx, named(ingress), client.RawPatch(types.MergePatchType,
				[]byte(`{"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.8"}]}}}`)))
		}, false},
		{"move it to the class db", patch(`{"metadata":{"labels":{"` + predicates.Class + `":"db"}}}`), true},
		{"take the finalizer away, so that it goes", patch(`{"metadata":{"finalizers":null}}`), false},
	}
}

// named is an object to patch or delete.
func named(o *networkingv1.Ingress) *networkingv1.Ingress {
	return &networkingv1.Ingress{ObjectMeta: metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name}}
}

func backend(name string) *networkingv1.IngressBackend {
	return &networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: name,
		Port: networkingv1.ServiceBackendPort{Number: 80}}}
}
