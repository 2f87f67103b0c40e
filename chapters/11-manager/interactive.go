package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/mirror"
	before "github.com/controllers-from-scratch/controllers-from-scratch/chapters/09-controller/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/opened"
	"github.com/controllers-from-scratch/controllers-from-scratch/chapters/11-manager/scenario"
	"github.com/controllers-from-scratch/controllers-from-scratch/internal/lab"
)

// follow is -interactive: a manager mirrors what the reader writes, until Ctrl-C, and what its queue is told is shown.
func (t *tour) follow(ctx context.Context, l *lab.Lab) error {
	world, err := before.NewWorld(ctx, l, []string{"east-wing"})
	if err != nil {
		return err
	}
	if err := forget(ctx, l, world); err != nil {
		return err
	}
	namespace := world.Namespace("east-wing")
	l.Say("A manager with the mirror controller of the group %s runs, and mirrors into step 1's namespaces and a new "+
		"one, %s. What happens to its queue is shown. In another terminal, in this folder:", world.Group, namespace)
	kc := l.Alias()
	l.Command("%s create cm fig --from-literal=today=ripe", kc)
	l.Command("%s label cm fig %s=%s", kc, mirror.Role, mirror.Source)
	l.Command("%s label cm fig %s=%s", kc, mirror.Group, world.Group)
	l.Command("%s annotate cm fig -n %s eaten=yes", kc, namespace)
	l.Command("%s delete cm fig -n %s", kc, namespace)
	l.Command("%s delete cm fig", kc)
	record, ledger := opened.New(), scenario.NewLedger(l)
	record.Tell(func(e opened.Event) {
		if e.Part == opened.Queues {
			ledger.Rest() // a run's writes come before its end
			l.Became("%s", e)
		}
	})
	running, err := t.mirrors(ctx, l, ledger, record)
	if err != nil {
		return err
	}
	defer func() { _ = running.Stop() }()
	for {
		if before.Until(ctx, ledger.Wrote) != nil {
			return nil // nothing but the reader ends it
		}
		ledger.Rest()
	}
}

// forget deletes the sources that the steps have left, or the first that the reader sees is what becomes of those.
func forget(ctx context.Context, l *lab.Lab, world *before.World) error {
	over, err := world.Client(l.HTTPClient())
	if err != nil {
		return err
	}
	return over.CoreV1().ConfigMaps(l.Namespace).DeleteCollection(ctx, metav1.DeleteOptions{},
		metav1.ListOptions{LabelSelector: mirror.Group})
}
